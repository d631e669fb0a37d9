// Made by npm run lists from the folders of the features: not by hand.
import { news } from '../news/commands.ts';
import { feedback } from '../feedback/commands.ts';
import { charts } from '../statistics/charts.ts';
import { statistics } from '../statistics/commands.ts';
import { overview } from '../statistics/overview.ts';
import { notices } from '../notices/commands.ts';
import { airdrops } from '../rewards/airdrops.ts';
import { points } from '../rewards/points.ts';
import { administrators } from '../access/administrators.ts';
import { permissions } from '../access/permissions.ts';
import { roles } from '../access/roles.ts';
import { dataPanel } from '../custody/commands.ts';
import { evm } from '../custody/wallet.ts';
import { deposits } from '../deposits/commands.ts';
import { withdrawals } from '../withdrawals/commands.ts';
import { authority } from '../authority/commands.ts';
import { crsm } from '../crsm/commands.ts';
import { audit } from '../audit/commands.ts';
import { account } from '../account/commands.ts';
import { accountWallet } from '../account/wallet.ts';
import { batch } from '../workspace/batch.ts';
import { history } from '../workspace/history.ts';
import { keys } from '../workspace/keys.ts';
import { listArrivals } from '../workspace/list-arrivals.ts';
import { listMore } from '../workspace/list-more.ts';
import { own } from '../workspace/own.ts';
import { qa } from '../workspace/qa.ts';
import { record } from '../workspace/record.ts';
import { reload } from '../workspace/reload.ts';
import { views } from '../workspace/views.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from '../imports/commands.ts';
import { registry } from './registry.ts';

registry.add(
  news,
  feedback,
  charts,
  statistics,
  overview,
  notices,
  airdrops,
  points,
  administrators,
  permissions,
  roles,
  dataPanel,
  evm,
  deposits,
  withdrawals,
  authority,
  crsm,
  audit,
  account,
  accountWallet,
  batch,
  history,
  keys,
  listArrivals,
  listMore,
  own,
  qa,
  record,
  reload,
  views,
  airdropsImports,
  drawsImports,
  pointsImports,
  teamsImports,
);

/** Every command there is. */
export { registry } from './registry.ts';
