import { account } from '../account/commands.ts';
import { accountWallet } from '../account/wallet.ts';
import { administrators } from '../access/administrators.ts';
import { airdrops } from '../rewards/airdrops.ts';
import { audit } from '../audit/commands.ts';
import { batch } from '../workspace/batch.ts';
import { crsm } from '../crsm/commands.ts';
import { charts } from '../statistics/charts.ts';
import { deposits } from '../deposits/commands.ts';
import { dataPanel } from '../custody/commands.ts';
import { evm } from '../custody/wallet.ts';
import { feedback } from '../feedback/commands.ts';
import { keys } from '../workspace/keys.ts';
import { history } from '../workspace/history.ts';
import { listArrivals } from '../workspace/list-arrivals.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from '../imports/commands.ts';
import { news } from '../news/commands.ts';
import { notices } from '../notices/commands.ts';
import { overview } from '../statistics/overview.ts';
import { permissions } from '../access/permissions.ts';
import { points } from '../rewards/points.ts';
import { qa } from '../workspace/qa.ts';
import { record } from '../workspace/record.ts';
import { registry } from './registry.ts';
import { reload } from '../workspace/reload.ts';
import { roles } from '../access/roles.ts';
import { statistics } from '../statistics/commands.ts';
import { views } from '../workspace/views.ts';
import { withdrawals } from '../withdrawals/commands.ts';

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
