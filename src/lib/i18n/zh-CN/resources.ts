// Made by npm run lists from the folders of the features: not by hand.
import type { ResourceQuestions } from '../questions.ts';
import { administrators } from './access/administrators.ts';
import { identity } from './access/identity.ts';
import { permissions } from './access/permissions.ts';
import { roles } from './access/roles.ts';
import { services } from './access/services.ts';
import { session } from './access/session.ts';
import { sso } from './access/sso.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { authority } from './authority.ts';
import { cli } from './cli.ts';
import { crsm } from './crsm.ts';
import { dataPanel } from './custody/data-panel.ts';
import { evm } from './custody/evm.ts';
import { deposits } from './deposits.ts';
import { exportJobs } from './export-jobs.ts';
import { feedback } from './feedback.ts';
import { ask } from './frame/ask.ts';
import { chart } from './frame/chart.ts';
import { device } from './frame/device.ts';
import { errors } from './frame/errors.ts';
import { filter } from './frame/filter.ts';
import { form } from './frame/form.ts';
import { happened } from './frame/happened.ts';
import { arrivals, columns, did, records, pictures } from './frame/kit.ts';
import { page } from './frame/page.ts';
import { record } from './frame/record.ts';
import { state } from './frame/state.ts';
import { wallet } from './frame/wallet.ts';
import { help } from './help.ts';
import { home } from './home/home.ts';
import { imports, teams, draws } from './imports.ts';
import { batch } from './lists/batch.ts';
import { rows } from './lists/rows.ts';
import { history } from './macros/history.ts';
import { newsTranslations } from './news-translations.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { openapi } from './openapi.ts';
import { appearance } from './panel/appearance.ts';
import { finder } from './panel/finder.ts';
import { qa } from './qa/qa.ts';
import { airdrops } from './rewards/airdrops.ts';
import { points } from './rewards/points.ts';
import { views } from './saved-views/views.ts';
import { schedule } from './schedule.ts';
import { keys } from './shortcuts/keys.ts';
import { signing } from './signing.ts';
import { overview } from './statistics/overview.ts';
import { statistics } from './statistics/statistics.ts';
import { withdrawals } from './withdrawals.ts';

/** The words of every resource: what any command may say wherever it is run. */
export const zhResources = {
  account,
  administrators,
  airdrops,
  appearance,
  arrivals,
  ask,
  audit,
  authority,
  batch,
  chart,
  cli,
  columns,
  crsm,
  dataPanel,
  deposits,
  device,
  did,
  draws,
  errors,
  evm,
  exportJobs,
  feedback,
  filter,
  finder,
  form,
  happened,
  help,
  history,
  home,
  identity,
  imports,
  keys,
  news,
  newsTranslations,
  notices,
  openapi,
  overview,
  page,
  permissions,
  pictures,
  points,
  qa,
  record,
  records,
  roles,
  rows,
  schedule,
  services,
  session,
  signing,
  sso,
  state,
  statistics,
  teams,
  views,
  wallet,
  withdrawals,
  /** What the audit calls one record of each kind. */
  kinds: {
    ...account.kinds,
    ...administrators.kinds,
    ...airdrops.kinds,
    ...audit.kinds,
    ...authority.kinds,
    ...crsm.kinds,
    ...dataPanel.kinds,
    ...deposits.kinds,
    ...feedback.kinds,
    ...identity.kinds,
    ...imports.kinds,
    ...news.kinds,
    ...notices.kinds,
    ...permissions.kinds,
    ...pictures.kinds,
    ...points.kinds,
    ...roles.kinds,
    ...services.kinds,
    ...session.kinds,
    ...statistics.kinds,
    ...views.kinds,
    ...withdrawals.kinds,
  },
} satisfies ResourceQuestions & Record<string, unknown>;
