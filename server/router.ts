// Made by npm run lists from the folders of the features: not by hand.
import { guardRouter } from './platform/http/router.ts';
import { administrators } from './access/administrators.ts';
import { identity } from './access/identity.ts';
import { permissions } from './access/permissions.ts';
import { roles } from './access/roles.ts';
import { services } from './access/services.ts';
import { session } from './access/session.ts';
import { wallet } from './access/wallet.ts';
import { account } from './account/routes.ts';
import { alarms } from './alarms/routes.ts';
import { audit } from './audit/routes.ts';
import { authority } from './authority/routes.ts';
import { cli } from './cli/routes.ts';
import { crsm } from './crsm/routes.ts';
import { chain } from './custody/chain.ts';
import { dataPanel } from './custody/routes.ts';
import { deposits } from './deposits/routes.ts';
import { exportJobs } from './exports/routes.ts';
import { feedback } from './feedback/routes.ts';
import { home } from './home/home.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports/routes.ts';
import { history } from './macros/history.ts';
import { news } from './news/routes.ts';
import { notices } from './notices/routes.ts';
import { pictures } from './pictures/pictures.ts';
import { airdrops } from './rewards/airdrops.ts';
import { points } from './rewards/points.ts';
import { views } from './saved-views/views.ts';
import { draws } from './statistics/lottery-draws.ts';
import { positionStats } from './statistics/position-stats.ts';
import { teams } from './statistics/teams.ts';
import { vaults } from './statistics/vaults.ts';
import { visits } from './statistics/visits.ts';
import { walletConnections } from './statistics/wallet-connections.ts';
import { overview } from './statistics/overview.ts';
import { withdrawals } from './withdrawals/routes.ts';

/** Every route of the contract, implemented: one resource a key. One left out does not compile. */
export const router = guardRouter({
  administrators,
  identity,
  permissions,
  roles,
  services,
  session,
  wallet,
  account,
  alarms,
  audit,
  authority,
  cli,
  crsm,
  chain,
  dataPanel,
  deposits,
  exportJobs,
  feedback,
  home,
  airdropsImports,
  drawsImports,
  pointsImports,
  teamsImports,
  history,
  news,
  notices,
  pictures,
  airdrops,
  points,
  views,
  draws,
  positionStats,
  teams,
  vaults,
  visits,
  walletConnections,
  overview,
  withdrawals,
});
