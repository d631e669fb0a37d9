import type { ResourceWords } from '../i18n.ts';
import { account } from './account.ts';
import { administrators } from './access/administrators.ts';
import { airdrops } from './rewards/airdrops.ts';
import { audit } from './audit.ts';
import { batch } from './workspace/batch.ts';
import { ask } from './ask.ts';
import { crsm } from './crsm.ts';
import { chart } from './frame/chart.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './custody/data-panel.ts';
import { evm } from './custody/evm.ts';
import { feedback } from './feedback.ts';
import { finder } from './workspace/finder.ts';
import { form } from './frame/form.ts';
import { arrivals, pictures, records } from './frame/kit.ts';
import { history } from './workspace/history.ts';
import { imports } from './imports.ts';
import { keys } from './workspace/keys.ts';
import { home } from './workspace/home.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { overview } from './statistics/overview.ts';
import { page } from './frame/page.ts';
import { permissions } from './access/permissions.ts';
import { points } from './rewards/points.ts';
import { qa } from './workspace/qa.ts';
import { record } from './frame/record.ts';
import { roles } from './access/roles.ts';
import { state } from './frame/state.ts';
import { statistics } from './statistics/statistics.ts';
import { views } from './workspace/views.ts';
import { wallet } from './frame/wallet.ts';
import { withdrawals } from './withdrawals.ts';

/** The words of every resource: what any command may say wherever it is run. */
export const enResources: ResourceWords = {
  account,
  administrators,
  airdrops,
  arrivals,
  ask,
  audit,
  batch,
  crsm,
  chart,
  deposits,
  dataPanel,
  evm,
  feedback,
  history,
  imports,
  keys,
  home,
  news,
  notices,
  overview,
  page,
  permissions,
  pictures,
  points,
  qa,
  record,
  records,
  roles,
  state,
  statistics,
  views,
  wallet,
  withdrawals,
  finder,
  form,
};
