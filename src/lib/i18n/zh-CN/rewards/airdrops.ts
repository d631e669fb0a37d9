import { groupDigits } from '../../../format.ts';

export const airdrops = {
  count: ' {{count}} 条空投',
  title: 'NFT 空投管理',
  none: '暂无空投',
  empty: '管理每个地址的积分、NFT 数量、等级和阶段。',
  search: '搜索地址…',
  field: {
    address: '地址',
    berries: '积分',
    nftNumber: 'NFT 数量',
    nftLevel: 'NFT 等级',
    stage: '阶段',
    createdAt: '创建时间',
    updatedAt: '更新时间',
    importId: '导入记录',
    importLine: '导入行号',
  },
  exporting: '正在导出 {{n}} / {{of}}',
  exported: ({ count }: { count: number }) => `已导出 ${groupDigits(count)} 行`,
  kinds: {
    airdrop: 'NFT 空投',
    airdropsExport: '空投导出',
  },
  ask: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? '确定删除该空投？' : `确定删除这 ${count} 条空投？`),
      act: ({ count }: { count: number }) => `删除 ${count} 条空投`,
      body: '将从列表移除，可撤销，也可在操作日志中恢复。',
    },
    restore: { title: '确定恢复到此版本？', act: '恢复此版本', body: '将保存为新版本。' },
    startImport: { title: '确定开始导入空投？', act: '开始导入' },
    undoImport: { title: '确定撤销整个导入？', act: '撤销导入', body: '将删除本次导入的所有空投。' },
  },
};
