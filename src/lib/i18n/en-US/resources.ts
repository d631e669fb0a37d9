import type { ResourceWords } from '../i18n.ts';
import { account } from './account.ts';
import { administrators } from './administrators.ts';
import { airdrops } from './airdrops.ts';
import { audit } from './audit.ts';
import { batch } from './batch.ts';
import { ask } from './ask.ts';
import { crsm } from './crsm.ts';
import { chart } from './chart.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './data-panel.ts';
import { evm } from './evm.ts';
import { feedback } from './feedback.ts';
import { finder } from './finder.ts';
import { form } from './form.ts';
import { arrivals, pictures, records } from './kit.ts';
import { history } from './history.ts';
import { imports } from './imports.ts';
import { keys } from './keys.ts';
import { home } from './home.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { overview } from './overview.ts';
import { page } from './page.ts';
import { permissions } from './permissions.ts';
import { points } from './points.ts';
import { qa } from './qa.ts';
import { roles } from './roles.ts';
import { state } from './state.ts';
import { statistics } from './statistics.ts';
import { views } from './views.ts';
import { wallet } from './wallet.ts';
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
