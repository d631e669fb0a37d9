/** Specification §2. */
export const menu = [
  { path: '/', zh: '首页', en: 'Home' },
  { path: '/news', zh: '新闻管理', en: 'News Manage' },
  { path: '/feedback', zh: '反馈管理', en: 'Feedback Manage' },
  {
    path: '/statistics',
    zh: '数据统计',
    en: 'Data Statistics',
    home: '/statistics/dataView',
    children: [
      { path: '/statistics/dataView', zh: '页面统计', en: 'Page statistics' },
      { path: '/statistics/dataVault', zh: '仓位统计', en: 'Position statistics' },
      { path: '/statistics/dataWallet', zh: '钱包连接统计', en: 'Wallet connection statistics' },
      { path: '/statistics/dataCdp', zh: '仓位列表', en: 'Position list' },
      { path: '/statistics/datacaptain', zh: '团队列表', en: 'Team list' },
      { path: '/statistics/data0penBox', zh: '抽奖统计', en: 'Lottery statistics' },
    ],
  },
  { path: '/notices', zh: '公告管理', en: 'Notice Manage' },
  { path: '/points', zh: '积分管理', en: 'Points Manage' },
  { path: '/NFTAirdrop', zh: 'NFT 空投管理', en: 'NFT Airdrop Manage' },
  { path: '/overview', zh: '数据概览', en: 'Data Overview' },
  {
    path: '/permissions',
    zh: '权限管理',
    en: 'Permission Manag',
    home: '/permissions/administrator',
    children: [
      { path: '/permissions/administrator', zh: '管理员', en: 'Administrators' },
      { path: '/permissions/role', zh: '角色管理', en: 'Role management' },
      { path: '/permissions/permission', zh: '权限设置', en: 'Permission settings' },
      { path: '/permissions/service', zh: '服务账号', en: 'Service accounts' },
      { path: '/permissions/identity', zh: '单点登录与同步', en: 'Single sign-on' },
    ],
  },
  {
    path: '/selfCustody',
    zh: '自托管',
    en: 'Self Custody',
    home: '/selfCustody/dataPanel',
    children: [
      { path: '/selfCustody/dataPanel', zh: '数据展示', en: 'Data display' },
      { path: '/selfCustody/deposit', zh: '自托管存款', en: 'Self-custody deposit' },
      { path: '/selfCustody/withdraw', zh: '自托管提现', en: 'Self-custody withdrawal' },
      { path: '/selfCustody/authority', zh: '资金授权日志', en: 'Authority log' },
    ],
  },
  {
    path: '/CRSMTrove',
    zh: 'CRSM',
    en: 'CRSM',
    home: '/CRSMTrove/CRSMList',
    children: [
      { path: '/CRSMTrove/CRSMList', zh: 'CRSM 仓位列表', en: 'CRSM position list' },
      { path: '/CRSMTrove/positionList', zh: '账户仓位列表', en: 'Account position list' },
    ],
  },
  { path: '/audit', zh: '操作日志', en: 'Audit log' },
  { path: '/api/docs', zh: '接口文档', en: 'API reference' },
] as const satisfies readonly MenuNode[];

export const ownScreens = [{ path: '/account', zh: '我的账户', en: 'My account' }] as const satisfies readonly MenuNode[];

export interface MenuNode {
  path: `/${string}`;
  zh: string;
  en: string;
  home?: string;
  children?: readonly MenuNode[];
}

type PathsOf<Node> = Node extends { path: infer Path; children: readonly (infer Child)[] }
  ? Path | PathsOf<Child>
  : Node extends { path: infer Path }
    ? Path
    : never;

export type MenuPath = PathsOf<(typeof menu)[number]>;

export type RoutePath = MenuPath | (typeof ownScreens)[number]['path'];

type GroupsOf<Node> = Node extends { path: infer Path; children: readonly unknown[] } ? Path : never;

export type GroupPath = GroupsOf<(typeof menu)[number]>;
export type ScreenPath = Exclude<RoutePath, GroupPath>;

export interface PermittedRoute {
  path: string;
  zh?: string | undefined;
  en?: string | undefined;
  children?: PermittedRoute[];
}

export function flattenMenu(nodes: readonly MenuNode[] = menu): MenuNode[] {
  return nodes.flatMap((node) => [node, ...flattenMenu(node.children ?? [])]);
}

export const listScreens = (): MenuNode[] => [...flattenMenu(), ...ownScreens];
