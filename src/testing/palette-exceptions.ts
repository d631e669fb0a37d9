import type { CommandId } from '../../api/names.ts';

interface Exceptions {
  why: string;
  queries: Readonly<Partial<Record<CommandId, string>>>;
}

export const searchExceptions: readonly Exceptions[] = [
  {
    why: 'More than three commands share the verb. The commands of the screen come first, and the verb with its object finds each.',
    queries: {
      'list.last': 'end',
      'list.open': 'show',
      'list.selectAll': 'delete',
      'list.selectMatching': 'delete',
      'list.clear': '取消, quxiao',
      'list.clearFilter': 'reset',
      'list.columns': 'hide, show',
      'list.resetColumns': '重置, 还原, huanyuan',
      'list.arrivals': '新, 更新, xin, gengxin, new',
      'keys.single': '关闭, guanbi',
      'keys.reset': '重置, 还原, huanyuan, restore',
      'keys.export': '下载, xiazai, download',
      'keys.import': '恢复, huifu, restore',
      'sidebar.toggle': 'show',
      'chart.saveCsv': '下载, 导出, xiazai, daochu, download, export',
      'points.open': 'view',
      'balances.open': 'view',
      'evm.connect': 'switch, link',
      'evm.disconnect': 'remove, unlink',
      'evm.stopWaiting': 'cancel',
      'crsm.acceptDebtGasCompensation': 'reward',
      'batch.stop': 'cancel',
      'batch.retry': 'again, bulk',
      'batch.close': 'hide, report, bulk',
      'macros.add': 'record, create',
      'macros.open': 'edit, delete',
      'session.changePassword': 'update, reset',
      'qa.record': '录制, 自动化, luzhi, zidonghua',
      'qa.stopRecording': 'end',
      'record.close': '退出, tuichu',
      'panel.reload': '刷新, 更新, shuaxin, gengxin, refresh, update, version',
      'views.delete': 'remove',
    },
  },
  {
    why: 'The three before it are offered only while a wallet, a batch or a recording is running.',
    queries: { 'dataPanel.freezeMoney': '停止, tingzhi, stop' },
  },
  {
    why: 'The points ledger and the balances share a screen and their words. 余额 and balance find the balances.',
    queries: {
      'points.open': 'view address',
      'points.imports': 'view points berries',
      'balances.open': '明细积分, 明细浆果, 明细 积分, 明细 浆果, mingxijifen, mingxijiangguo',
      'balances.copyAddress': '地址浆果, 地址 浆果, dizhijiangguo',
    },
  },
  {
    why: 'Its pinyin is that of several words, or their beginning.',
    queries: {
      'chart.table': 'tu',
      'keys.reset': 'zhongzhi',
      'list.resetColumns': 'zhongzhi',
      'batch.stop': 'zhongzhi',
    },
  },
];

/** Synonyms may share initials, titles may not. */
export const sharedInitials = new Set(
  [
    'ch chdz ckcb ckcz ckdz ckjg ckrj cs cscz csh cshqx cx cxdr cz db dc dj dk dkcj dktb dktk drjl dx dy dz dzjg fh fx fz gb gd gl',
    'gx hf hy jb jc jdkh jdmh jdzh jdzj jgl js jzh kcj kdz kjf kjg kll ks kzh ls lsjf lsjg lsjl lz mxjf mxjg ql qs qw qwjg qx rt sc',
    'sch scjl sh shcj shck shcz sj sq st sx sy tb tc tj ty tz wz xz xzkt xzt yj yjfk yjgd yjly yt yzq zd zdh zh zjcz zk zkjl zt zx zxdr',
    'zxzh zz zzcz zzjg zzrj fwz bjf',
  ].flatMap((line) => line.split(' ')),
);
