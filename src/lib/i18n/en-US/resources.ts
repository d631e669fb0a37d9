import type { ResourceWords } from '../i18n.ts';
import { account } from './account.ts';
import { administrators } from './administrators.ts';
import { airdrops } from './airdrops.ts';
import { audit } from './audit.ts';
import { ask } from './ask.ts';
import { crsm } from './crsm.ts';
import { chart } from './chart.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './data-panel.ts';
import { evm } from './evm.ts';
import { feedback } from './feedback.ts';
import { form } from './form.ts';
import { arrivals, pictures } from './kit.ts';
import { imports } from './imports.ts';
import { home } from './home.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { overview } from './overview.ts';
import { permissions } from './permissions.ts';
import { points } from './points.ts';
import { roles } from './roles.ts';
import { state } from './state.ts';
import { statistics } from './statistics.ts';
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
  crsm,
  chart,
  deposits,
  dataPanel,
  evm,
  feedback,
  imports,
  home,
  news,
  notices,
  overview,
  permissions,
  pictures,
  points,
  roles,
  state,
  statistics,
  wallet,
  withdrawals,
  form,
};
