import type { accessNames } from './access/names.ts';
import type { batchNames } from './names-batch.ts';
import type { contentNames } from './names-content.ts';
import type { depositNames } from './deposits/names.ts';
import type { dataPanelNames } from './custody/names.ts';
import type { crsmNames } from './crsm/names.ts';
import type { keysNames } from './names-keys.ts';
import type { qaNames } from './names-qa.ts';
import type { historyNames } from './names-history.ts';
import type { statisticsNames } from './statistics/names.ts';
import type { panelNames } from './names-panel.ts';
import type { withdrawalNames } from './withdrawals/names.ts';
import { allScreens, type RoutePath } from './menu.ts';

const screens = new Map<string, Name>(allScreens().map((node) => [node.path, node]));

/** The name of going to a screen: that of the screen, said so. */
function go(path: RoutePath): Name {
  const { zh = '', en = '' } = screens.get(path) ?? {};
  return { zh: `前往${zh}`, en: `Go to ${en}` };
}

/**
 * The name of every command in both languages, but for those that come with their screen (names-content.ts): the first
 * load carries these. `allNames` (all-names.ts) has each.
 * A command without an entry here does not compile. The permission tree is seeded from it.
 */
export const names = {
  // Going somewhere: permission is the route's path
  'go.home': go('/'),
  'go.news': go('/news'),
  'go.feedback': go('/feedback'),
  'go.dataView': go('/statistics/dataView'),
  'go.dataVault': go('/statistics/dataVault'),
  'go.dataWallet': go('/statistics/dataWallet'),
  'go.dataCdp': go('/statistics/dataCdp'),
  'go.dataCaptain': go('/statistics/datacaptain'),
  'go.dataOpenBox': go('/statistics/data0penBox'),
  'go.notices': go('/notices'),
  'go.points': go('/points'),
  'go.NFTAirdrop': go('/NFTAirdrop'),
  'go.overview': go('/overview'),
  'go.administrator': go('/permissions/administrator'),
  'go.role': go('/permissions/role'),
  'go.permission': go('/permissions/permission'),
  'go.dataPanel': go('/selfCustody/dataPanel'),
  'go.deposit': go('/selfCustody/deposit'),
  'go.withdraw': go('/selfCustody/withdraw'),
  'go.CRSMList': go('/CRSMTrove/CRSMList'),
  'go.positionList': go('/CRSMTrove/positionList'),

  'go.audit': go('/audit'),
  'go.account': go('/account'),

  // News
  'news.add': { zh: '新增新闻', en: 'Add news' },
  'news.edit': { zh: '编辑新闻', en: 'Edit news' },
  'news.delete': { zh: '删除新闻', en: 'Delete news' },
  'news.show': { zh: '展示新闻', en: 'Show news' },
  'news.hide': { zh: '不展示新闻', en: 'Do not show news' },
  'news.get': { zh: '获取新闻', en: 'Get News' },
  'news.open': { zh: '查看新闻', en: 'Open news' },
  'news.copyImage': { zh: '复制图片链接', en: 'Copy image link' },

  'news.restore': { zh: '恢复新闻的早先版本', en: 'Restore an earlier version of news' },

  // A list, whatever is in it
  'list.next': { zh: '下一行', en: 'Next row' },
  'list.previous': { zh: '上一行', en: 'Previous row' },
  'list.first': { zh: '第一行', en: 'First row' },
  'list.last': { zh: '最后一行', en: 'Last row' },
  'list.open': { zh: '打开此行', en: 'Open row' },
  'list.toggle': { zh: '选择或取消此行', en: 'Select or unselect row' },
  'list.extendDown': { zh: '向下扩展选择', en: 'Extend selection down' },
  'list.extendUp': { zh: '向上扩展选择', en: 'Extend selection up' },
  'list.selectAll': { zh: '选择所有已加载的行', en: 'Select all loaded rows' },
  'list.clear': { zh: '清除选择', en: 'Clear selection' },
  'list.filter': { zh: '筛选列表', en: 'Filter the list' },
  'list.clearFilter': { zh: '清除筛选', en: 'Clear the filter' },
  'list.refresh': { zh: '刷新列表', en: 'Refresh the list' },
  'list.columns': { zh: '选择显示的列', en: 'Choose columns' },
  'list.arrivals': { zh: '显示新到的记录', en: 'Show what has come' },
  'list.copy': { zh: '复制此行', en: 'Copy row' },

  // The panel itself
  'palette.open': { zh: '打开命令面板', en: 'Open the command palette' },
  'keys.help': { zh: '查看快捷键', en: 'Keyboard shortcuts' },
  'keys.single': { zh: '开关单键快捷键', en: 'Switch single-key shortcuts on or off' },
  'history.repeat': { zh: '重复上一条命令', en: 'Repeat the last command' },
  'history.undo': { zh: '撤销', en: 'Undo' },
  'language.switch': { zh: '切换语言', en: 'Switch language' },
  'theme.set': { zh: '设置主题', en: 'Set theme' },
  'density.set': { zh: '设置列表密度', en: 'Set density' },
  'sidebar.toggle': { zh: '收起或展开侧栏', en: 'Collapse or expand the sidebar' },
  'session.changePassword': { zh: '修改密码', en: 'Change Password' },
  'session.signOut': { zh: '退出登录', en: 'Sign Out' },
} as const satisfies Record<string, Name>;

export interface Name {
  zh: string;
  en: string;
}

export type CommandId =
  | keyof typeof names
  | keyof typeof accessNames
  | keyof typeof batchNames
  | keyof typeof contentNames
  | keyof typeof depositNames
  | keyof typeof dataPanelNames
  | keyof typeof withdrawalNames
  | keyof typeof crsmNames
  | keyof typeof historyNames
  | keyof typeof keysNames
  | keyof typeof qaNames
  | keyof typeof panelNames
  | keyof typeof statisticsNames;

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
    'deposits.delete',
    'deposits.addRule',
    'deposits.editRule',
    'deposits.deleteRule',
  ],
  '/selfCustody/dataPanel': ['dataPanel.rename', 'dataPanel.resolve', 'alarms.test'],
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
