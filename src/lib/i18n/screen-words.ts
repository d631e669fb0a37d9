// Made by npm run lists from the folders of the features: not by hand.

/** The words that a screen, or a part of one, brings with it. */
export const screenWords = {
  administrators: {
    'zh-CN': () => import('./zh-CN/access/administrators.ts'),
    'en-US': () => import('./en-US/access/administrators.ts'),
  },
  permissions: { 'zh-CN': () => import('./zh-CN/access/permissions.ts'), 'en-US': () => import('./en-US/access/permissions.ts') },
  roles: { 'zh-CN': () => import('./zh-CN/access/roles.ts'), 'en-US': () => import('./en-US/access/roles.ts') },
  services: { 'zh-CN': () => import('./zh-CN/access/services.ts'), 'en-US': () => import('./en-US/access/services.ts') },
  account: { 'zh-CN': () => import('./zh-CN/account.ts'), 'en-US': () => import('./en-US/account.ts') },
  audit: { 'zh-CN': () => import('./zh-CN/audit.ts'), 'en-US': () => import('./en-US/audit.ts') },
  authority: { 'zh-CN': () => import('./zh-CN/authority.ts'), 'en-US': () => import('./en-US/authority.ts') },
  crsm: { 'zh-CN': () => import('./zh-CN/crsm.ts'), 'en-US': () => import('./en-US/crsm.ts') },
  dataPanel: { 'zh-CN': () => import('./zh-CN/custody/data-panel.ts'), 'en-US': () => import('./en-US/custody/data-panel.ts') },
  evm: { 'zh-CN': () => import('./zh-CN/custody/evm.ts'), 'en-US': () => import('./en-US/custody/evm.ts') },
  deposits: { 'zh-CN': () => import('./zh-CN/deposits.ts'), 'en-US': () => import('./en-US/deposits.ts') },
  feedback: { 'zh-CN': () => import('./zh-CN/feedback.ts'), 'en-US': () => import('./en-US/feedback.ts') },
  chart: { 'zh-CN': () => import('./zh-CN/frame/chart.ts'), 'en-US': () => import('./en-US/frame/chart.ts') },
  kit: { 'zh-CN': () => import('./zh-CN/frame/kit.ts'), 'en-US': () => import('./en-US/frame/kit.ts') },
  record: { 'zh-CN': () => import('./zh-CN/frame/record.ts'), 'en-US': () => import('./en-US/frame/record.ts') },
  state: { 'zh-CN': () => import('./zh-CN/frame/state.ts'), 'en-US': () => import('./en-US/frame/state.ts') },
  help: { 'zh-CN': () => import('./zh-CN/help.ts'), 'en-US': () => import('./en-US/help.ts') },
  home: { 'zh-CN': () => import('./zh-CN/home/home.ts'), 'en-US': () => import('./en-US/home/home.ts') },
  newsTranslations: {
    'zh-CN': () => import('./zh-CN/news-translations.ts'),
    'en-US': () => import('./en-US/news-translations.ts'),
  },
  news: { 'zh-CN': () => import('./zh-CN/news.ts'), 'en-US': () => import('./en-US/news.ts') },
  notices: { 'zh-CN': () => import('./zh-CN/notices.ts'), 'en-US': () => import('./en-US/notices.ts') },
  openapi: { 'zh-CN': () => import('./zh-CN/openapi.ts'), 'en-US': () => import('./en-US/openapi.ts') },
  airdrops: { 'zh-CN': () => import('./zh-CN/rewards/airdrops.ts'), 'en-US': () => import('./en-US/rewards/airdrops.ts') },
  points: { 'zh-CN': () => import('./zh-CN/rewards/points.ts'), 'en-US': () => import('./en-US/rewards/points.ts') },
  schedule: { 'zh-CN': () => import('./zh-CN/schedule.ts'), 'en-US': () => import('./en-US/schedule.ts') },
  overview: { 'zh-CN': () => import('./zh-CN/statistics/overview.ts'), 'en-US': () => import('./en-US/statistics/overview.ts') },
  statistics: {
    'zh-CN': () => import('./zh-CN/statistics/statistics.ts'),
    'en-US': () => import('./en-US/statistics/statistics.ts'),
  },
  withdrawals: { 'zh-CN': () => import('./zh-CN/withdrawals.ts'), 'en-US': () => import('./en-US/withdrawals.ts') },
};
