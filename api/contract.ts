import { account } from './account.ts';
import { administrators } from './administrators.ts';
import { audit } from './audit.ts';
import { airdropsImports, pointsImports } from './imports.ts';
import { news } from './news.ts';
import { permissions } from './permissions.ts';
import { pictures } from './pictures.ts';
import { roles } from './roles.ts';
import { session } from './session.ts';
import { wallet } from './wallet.ts';

/** Every route the panel calls, one resource a key. */
export const contract = {
  account,
  administrators,
  airdropsImports,
  audit,
  news,
  permissions,
  pictures,
  pointsImports,
  roles,
  session,
  wallet,
};
