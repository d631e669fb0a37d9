import type { allNames } from './all-names.ts';

/**
 * The names that the first load shows, in both languages. All others come with their feature (<feature>/names.ts); `allNames`
 * (all-names.ts) has each. A command without a name does not compile.
 */
export const names = {
  'palette.open': { zh: '打开命令面板', en: 'Open the command palette' },
  'keys.help': { zh: '查看快捷键', en: 'Keyboard shortcuts' },
  'language.switch': { zh: '切换语言', en: 'Switch language' },
  'theme.set': { zh: '设置主题', en: 'Set theme' },
  'density.set': { zh: '设置列表密度', en: 'Set density' },
  'session.changePassword': { zh: '修改密码', en: 'Change Password' },
  'session.signOut': { zh: '退出登录', en: 'Sign Out' },
} as const satisfies Record<string, Name>;

export interface Name {
  zh: string;
  en: string;
}

/** Of every command: what has a name in all-names.ts. */
export type CommandId = keyof typeof allNames;

/** The commands that need a right of their own: function nodes of the permission tree, by the screen they stand under. */
export const functions = {
  '/news': ['news.add', 'news.edit', 'news.delete', 'news.show', 'news.hide', 'news.get', 'news.restore'],
  '/points': ['points.adjust', 'points.reverse', 'points.export', 'points.import', 'points.undoImport'],
  '/NFTAirdrop': [
    'airdrops.add',
    'airdrops.edit',
    'airdrops.setLevel',
    'airdrops.setStage',
    'airdrops.delete',
    'airdrops.restore',
    'airdrops.export',
    'airdrops.import',
    'airdrops.undoImport',
  ],
  '/feedback': ['feedback.process', 'feedback.reopen', 'feedback.reply', 'feedback.delete', 'feedback.restore'],
  '/notices': ['notices.add', 'notices.edit', 'notices.delete', 'notices.show', 'notices.hide', 'notices.restore'],
  '/selfCustody/withdraw': [
    'withdrawals.add',
    'withdrawals.requestRefund',
    'withdrawals.confirmRefund',
    'withdrawals.offerAgain',
    'withdrawals.cancel',
  ],
  '/permissions/administrator': [
    'administrators.add',
    'administrators.edit',
    'administrators.enable',
    'administrators.disable',
    'administrators.resetPassword',
    'administrators.resetFactor',
    'administrators.bindWallet',
    'administrators.unbindWallet',
    'administrators.endSessions',
    'administrators.delete',
  ],
  '/permissions/role': ['roles.add', 'roles.edit', 'roles.copy', 'roles.delete'],
  '/permissions/permission': [
    'permissions.add',
    'permissions.edit',
    'permissions.move',
    'permissions.delete',
    'permissions.reset',
  ],
  '/selfCustody/deposit': [
    'deposits.add',
    'deposits.edit',
    'deposits.approve',
    'deposits.confirm',
    'deposits.retryMint',
    'deposits.cancelMint',
    'deposits.closeFailed',
    'deposits.delete',
    'deposits.addRule',
    'deposits.editRule',
    'deposits.deleteRule',
  ],
  '/selfCustody/dataPanel': ['dataPanel.rename', 'dataPanel.freezeMoney', 'dataPanel.resolve', 'alarms.test'],
  '/CRSMTrove/CRSMList': [
    'crsm.updateData',
    'crsm.deposit',
    'crsm.withdrawFromSP',
    'crsm.claimYield',
    'crsm.claimAllCollateralGains',
    'crsm.updateCR',
    'crsm.commitDebtGasCompensation',
    'crsm.acceptDebtGasCompensation',
    'crsm.withdraw',
    'crsm.repay',
  ],
  '/CRSMTrove/positionList': ['crsm.create'],
  '/statistics/dataView': ['visits.export'],
  '/statistics/dataVault': ['vaults.export'],
  '/statistics/dataWallet': ['walletConnections.export'],
  '/statistics/dataCdp': ['positionStats.export'],
  '/statistics/datacaptain': ['teams.export', 'teams.import', 'teams.undoImport'],
  '/statistics/data0penBox': ['draws.export', 'draws.import', 'draws.undoImport'],
  '/overview': ['overview.export'],
  '/audit': ['audit.export'],
} as const satisfies Record<string, readonly CommandId[]>;

/** One word for one right: a command's id, the code on a role, and the permission of the route it calls. */
export type Permission = (typeof functions)[keyof typeof functions][number];
