// Made by npm run lists from the folders of the features: not by hand.
import { administrators } from './access/administrators.ts';
import { identity } from './access/identity.ts';
import { permissions } from './access/permissions.ts';
import { roles } from './access/roles.ts';
import { services } from './access/services.ts';
import { session } from './access/session.ts';
import { wallet } from './access/wallet.ts';
import { account } from './account/contract.ts';
import { alarms } from './alarms/contract.ts';
import { audit } from './audit/contract.ts';
import { authority } from './authority/contract.ts';
import { cli } from './cli/contract.ts';
import { crsm } from './crsm/contract.ts';
import { chain } from './custody/chain.ts';
import { dataPanel } from './custody/contract.ts';
import { deposits } from './deposits/contract.ts';
import { exportJobs } from './exports/contract.ts';
import { feedback } from './feedback/contract.ts';
import { home } from './home/contract.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports/contract.ts';
import { history } from './macros/contract.ts';
import { news } from './news/contract.ts';
import { notices } from './notices/contract.ts';
import { pictures } from './pictures/contract.ts';
import { airdrops } from './rewards/airdrops.ts';
import { points } from './rewards/points.ts';
import { views } from './saved-views/contract.ts';
import { draws, positionStats, teams, vaults, visits, walletConnections } from './statistics/contract.ts';
import { overview } from './statistics/overview.ts';
import { withdrawals } from './withdrawals/contract.ts';

/** One key per resource. */
export const contract = {
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
};
