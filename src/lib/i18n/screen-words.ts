import { setDictionary } from './i18n.ts';
import { askedLocale, dictionaryFor } from './locale.ts';

const screenWords = {
  account: { 'zh-CN': () => import('./zh-CN/account.ts'), 'en-US': () => import('./en-US/account.ts') },
  administrators: { 'zh-CN': () => import('./zh-CN/administrators.ts'), 'en-US': () => import('./en-US/administrators.ts') },
  airdrops: { 'zh-CN': () => import('./zh-CN/airdrops.ts'), 'en-US': () => import('./en-US/airdrops.ts') },
  audit: { 'zh-CN': () => import('./zh-CN/audit.ts'), 'en-US': () => import('./en-US/audit.ts') },
  crsm: { 'zh-CN': () => import('./zh-CN/crsm.ts'), 'en-US': () => import('./en-US/crsm.ts') },
  chart: { 'zh-CN': () => import('./zh-CN/chart.ts'), 'en-US': () => import('./en-US/chart.ts') },
  deposits: { 'zh-CN': () => import('./zh-CN/deposits.ts'), 'en-US': () => import('./en-US/deposits.ts') },
  dataPanel: { 'zh-CN': () => import('./zh-CN/data-panel.ts'), 'en-US': () => import('./en-US/data-panel.ts') },
  feedback: { 'zh-CN': () => import('./zh-CN/feedback.ts'), 'en-US': () => import('./en-US/feedback.ts') },
  kit: { 'zh-CN': () => import('./zh-CN/kit.ts'), 'en-US': () => import('./en-US/kit.ts') },
  home: { 'zh-CN': () => import('./zh-CN/home.ts'), 'en-US': () => import('./en-US/home.ts') },
  news: { 'zh-CN': () => import('./zh-CN/news.ts'), 'en-US': () => import('./en-US/news.ts') },
  notices: { 'zh-CN': () => import('./zh-CN/notices.ts'), 'en-US': () => import('./en-US/notices.ts') },
  overview: { 'zh-CN': () => import('./zh-CN/overview.ts'), 'en-US': () => import('./en-US/overview.ts') },
  permissions: { 'zh-CN': () => import('./zh-CN/permissions.ts'), 'en-US': () => import('./en-US/permissions.ts') },
  points: { 'zh-CN': () => import('./zh-CN/points.ts'), 'en-US': () => import('./en-US/points.ts') },
  state: { 'zh-CN': () => import('./zh-CN/state.ts'), 'en-US': () => import('./en-US/state.ts') },
  statistics: { 'zh-CN': () => import('./zh-CN/statistics.ts'), 'en-US': () => import('./en-US/statistics.ts') },
  wallet: { 'zh-CN': () => import('./zh-CN/wallet.ts'), 'en-US': () => import('./en-US/wallet.ts') },
  withdrawals: { 'zh-CN': () => import('./zh-CN/withdrawals.ts'), 'en-US': () => import('./en-US/withdrawals.ts') },
  roles: { 'zh-CN': () => import('./zh-CN/roles.ts'), 'en-US': () => import('./en-US/roles.ts') },
};

/** Reads one screen's own words; the screen waits for them. */
export async function loadWords(screen: keyof typeof screenWords, locale = dictionaryFor(askedLocale())): Promise<void> {
  setDictionary(locale, { ...(await screenWords[screen][locale]()) });
}
