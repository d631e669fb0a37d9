import { account } from './account/contract.ts';
import { alarms } from './alarms/contract.ts';
import { administrators } from './access/administrators.ts';
import { airdrops } from './rewards/airdrops.ts';
import { audit } from './audit/contract.ts';
import { deposits } from './deposits/contract.ts';
import { dataPanel } from './custody/contract.ts';
import { chain } from './custody/chain.ts';
import { feedback } from './feedback/contract.ts';
import { home } from './workspace/home.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports/contract.ts';
import { news } from './news/contract.ts';
import { notices } from './notices/contract.ts';
import { permissions } from './access/permissions.ts';
import { overview } from './statistics/overview.ts';
import { pictures } from './workspace/pictures.ts';
import { points } from './rewards/points.ts';
import { roles } from './access/roles.ts';
import { session } from './access/session.ts';
import { draws, positionStats, teams, vaults, visits, walletConnections } from './statistics/contract.ts';
import { views } from './workspace/views.ts';
import { wallet } from './access/wallet.ts';
import { crsm } from './crsm/contract.ts';
import { withdrawals } from './withdrawals/contract.ts';

/** Every route the panel calls, one resource a key. */
export const contract = {
  account,
  administrators,
  alarms,
  airdropsImports,
  airdrops,
  audit,
  deposits,
  dataPanel,
  chain,
  feedback,
  home,
  news,
  notices,
  permissions,
  pictures,
  pointsImports,
  points,
  roles,
  session,
  wallet,
  withdrawals,
  crsm,
  visits,
  walletConnections,
  vaults,
  positionStats,
  teams,
  teamsImports,
  draws,
  drawsImports,
  overview,
  views,
};
