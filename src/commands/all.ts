import { account } from './account.ts';
import { accountWallet } from './account-wallet.ts';
import { administrators } from './administrators.ts';
import { airdrops } from './airdrops.ts';
import { audit } from './audit.ts';
import { batch } from './batch.ts';
import { crsm } from './crsm.ts';
import { charts } from './charts.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './data-panel.ts';
import { evm } from './evm.ts';
import { feedback } from './feedback.ts';
import { keys } from './keys.ts';
import { history } from './history.ts';
import { listArrivals } from './list-arrivals.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { overview } from './overview.ts';
import { permissions } from './permissions.ts';
import { points } from './points.ts';
import { qa } from './qa.ts';
import { record } from './record.ts';
import { registry } from './registry.ts';
import { reload } from './reload.ts';
import { roles } from './roles.ts';
import { statistics } from './statistics.ts';
import { views } from './views.ts';
import { withdrawals } from './withdrawals.ts';

// A resource adds its list here, and its view adds it for itself.
registry.add(
  account,
  accountWallet,
  administrators,
  airdrops,
  airdropsImports,
  audit,
  batch,
  crsm,
  charts,
  deposits,
  drawsImports,
  dataPanel,
  evm,
  feedback,
  keys,
  history,
  listArrivals,
  news,
  notices,
  overview,
  permissions,
  points,
  pointsImports,
  qa,
  record,
  reload,
  roles,
  statistics,
  teamsImports,
  views,
  withdrawals,
);

/** Every command there is. */
export { registry } from './registry.ts';
