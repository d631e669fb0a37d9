// Made by npm run lists from the folders of the features: not by hand.
import { news } from '../news/commands.ts';
import { joinCommands } from '../news/join.ts';
import { feedback } from '../feedback/commands.ts';
import { charts } from '../statistics/charts.ts';
import { statistics } from '../statistics/commands.ts';
import { overview } from '../statistics/overview.ts';
import { notices } from '../notices/commands.ts';
import { airdrops } from '../rewards/airdrops.ts';
import { points } from '../rewards/points.ts';
import { administrators } from '../access/administrators.ts';
import { identity } from '../access/identity.ts';
import { permissions } from '../access/permissions.ts';
import { roles } from '../access/roles.ts';
import { services } from '../access/services.ts';
import { dataPanel } from '../custody/commands.ts';
import { walletCommands } from '../custody/wallet.ts';
import { deposits } from '../deposits/commands.ts';
import { withdrawals } from '../withdrawals/commands.ts';
import { authority } from '../authority/commands.ts';
import { crsm } from '../crsm/commands.ts';
import { audit } from '../audit/commands.ts';
import { account } from '../account/commands.ts';
import { accountWallet } from '../account/wallet.ts';
import { preferenceCommands } from '../panel/appearance.ts';
import { pageCommands } from '../panel/page.ts';
import { reload } from '../panel/reload.ts';
import { listArrivals } from '../lists/arrivals.ts';
import { batch } from '../lists/batch.ts';
import { listMore } from '../lists/list-more.ts';
import { recordCommands } from '../lists/record.ts';
import { views } from '../saved-views/commands.ts';
import { history } from '../macros/history.ts';
import { qa } from '../qa/commands.ts';
import { keys } from '../shortcuts/commands.ts';
import { cli } from '../cli/commands.ts';
import { exportJobs } from '../exports/commands.ts';
import { help } from '../help/commands.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from '../imports/commands.ts';
import { registry } from './registry.ts';

registry.add(
  news,
  joinCommands,
  feedback,
  charts,
  statistics,
  overview,
  notices,
  airdrops,
  points,
  administrators,
  identity,
  permissions,
  roles,
  services,
  dataPanel,
  walletCommands,
  deposits,
  withdrawals,
  authority,
  crsm,
  audit,
  account,
  accountWallet,
  preferenceCommands,
  pageCommands,
  reload,
  listArrivals,
  batch,
  listMore,
  recordCommands,
  views,
  history,
  qa,
  keys,
  cli,
  exportJobs,
  help,
  airdropsImports,
  drawsImports,
  pointsImports,
  teamsImports,
);

/** Every command there is. */
export { registry } from './registry.ts';
