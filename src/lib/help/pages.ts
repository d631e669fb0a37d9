import type { ScreenPath } from '../../../api/menu.ts';

export interface HelpEntry {
  /** File name in both folders of `pages`, and the end of its address. */
  name: string;
  group: 'start' | 'content' | 'money' | 'data' | 'access';
  /** Their help link opens this page. */
  screens: readonly ScreenPath[];
  /** Other words people search it by, in both languages. */
  words: string;
}

/** In the order of the list. The first page is the one at `/help`. */
export const helpPages = [
  {
    name: 'start',
    group: 'start',
    screens: ['/'],
    words: '新手 入门 教程 怎么用 使用手册 员工手册 帮助 guide manual handbook tutorial basics how-to',
  },
  {
    name: 'lists',
    group: 'start',
    screens: [],
    words: '查询 检索 排序 列 导出 打印 filter search sort columns export csv print views',
  },
  {
    name: 'changes',
    group: 'start',
    screens: [],
    words: '撤回 后悔 误删 批量 宏 草稿 版本 undo mistake bulk batch macro draft conflict version',
  },
  {
    name: 'keys',
    group: 'start',
    screens: [],
    words: '键盘 热键 快捷键 深色 主题 语言 密度 keyboard hotkey dark theme language density',
  },
  {
    name: 'news',
    group: 'content',
    screens: ['/news'],
    words:
      '资讯 文章 图片 订阅源 发布 双语 译文 翻译 定时 预览 translation language schedule preview article picture publish feed rss',
  },
  { name: 'feedback', group: 'content', screens: ['/feedback'], words: '工单 留言 回复 处理 ticket reply triage message' },
  { name: 'notices', group: 'content', screens: ['/notices'], words: '通知 横幅 定时 预览 banner schedule announcement preview' },
  {
    name: 'rewards',
    group: 'content',
    screens: ['/points', '/NFTAirdrop'],
    words: '积分 空投 导入 CSV 冲销 berries import csv reverse airdrop nft',
  },
  {
    name: 'deposits',
    group: 'money',
    screens: ['/selfCustody/deposit'],
    words: '铸造 充值 签署 审批 拦截 mint sign approve confirm blocked evidence',
  },
  {
    name: 'withdrawals',
    group: 'money',
    screens: ['/selfCustody/withdraw'],
    words: '退款 赎回 冷却 钱包 refund redeem cooling wallet payout',
  },
  {
    name: 'crsm',
    group: 'money',
    screens: ['/CRSMTrove/CRSMList', '/CRSMTrove/positionList'],
    words: '仓位 抵押率 稳定池 收益 偿还 position ratio stability pool yield repay icr',
  },
  {
    name: 'custody',
    group: 'money',
    screens: ['/selfCustody/dataPanel', '/selfCustody/authority'],
    words: '规则 签署人 密钥 地址簿 暂停 对账 储备金 rules approver key address-book freeze reconciliation reserve statement',
  },
  {
    name: 'statistics',
    group: 'data',
    screens: [
      '/overview',
      '/statistics/dataView',
      '/statistics/dataVault',
      '/statistics/dataWallet',
      '/statistics/dataCdp',
      '/statistics/datacaptain',
      '/statistics/data0penBox',
    ],
    words: '图表 访问量 报表 对比 团队 抽奖 chart visits report compare teams lottery',
  },
  {
    name: 'audit',
    group: 'data',
    screens: ['/audit', '/api/docs'],
    words: '审计 记录 谁改的 恢复 接口 trail who changed restore log api',
  },
  {
    name: 'access',
    group: 'access',
    screens: ['/permissions/administrator', '/permissions/role', '/permissions/permission', '/permissions/service'],
    words:
      '员工 账号 角色 授权 停用 重置密码 服务账号 令牌 脚本 service token script staff account role grant disable reset invite',
  },
  {
    name: 'identity',
    group: 'access',
    screens: ['/permissions/identity'],
    words: '单点登录 企业登录 身份提供商 账号同步 组映射 同步令牌 sso oidc scim okta entra keycloak provisioning group mapping',
  },
  {
    name: 'account',
    group: 'access',
    screens: ['/account'],
    words: '密码 验证码 恢复码 通行密钥 登录 设备 password authenticator passkey recovery sign-in device 2fa',
  },
] as const satisfies readonly HelpEntry[];

export const entryNamed = (name: string): HelpEntry | undefined => helpPages.find((entry) => entry.name === name);

/** `pathSuffix` is what follows `/help`: nothing, a page or a screen. */
export function findEntry(pathSuffix: string): HelpEntry | undefined {
  if (pathSuffix === '') return helpPages[0];
  return (
    entryNamed(pathSuffix.slice(1)) ?? helpPages.find(({ screens }: HelpEntry) => screens.some((screen) => screen === pathSuffix))
  );
}
