import { account } from './account.ts';
import { administrators } from './administrators.ts';
import { airdrops } from './airdrops.ts';
import { audit } from './audit.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './data-panel.ts';
import { chain } from './chain.ts';
import { feedback } from './feedback.ts';
import { home } from './home.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { permissions } from './permissions.ts';
import { overview } from './overview.ts';
import { pictures } from './pictures.ts';
import { points } from './points.ts';
import { roles } from './roles.ts';
import { session } from './session.ts';
import { draws, positionStats, teams, vaults, visits, walletConnections } from './statistics.ts';
import { views } from './views.ts';
import { wallet } from './wallet.ts';
import { crsm } from './crsm.ts';
import { withdrawals } from './withdrawals.ts';

/** Every route the panel calls, one resource a key. */
export const contract = {
  account,
  administrators,
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
