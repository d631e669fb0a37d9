// Made by npm run lists from the folders of the features: not by hand.
import type { EntityName } from '../../lib/scope.ts';
import type { RecordKind } from '../engine/resource.ts';
import { records as access } from '../access/search.ts';
import { records as account } from '../account/search.ts';
import { records as audit } from '../audit/search.ts';
import { records as authority } from '../authority/search.ts';
import { records as crsm } from '../crsm/search.ts';
import { records as custody } from '../custody/search.ts';
import { records as deposits } from '../deposits/search.ts';
import { records as feedback } from '../feedback/search.ts';
import { records as imports } from '../imports/search.ts';
import { records as news } from '../news/search.ts';
import { records as notices } from '../notices/search.ts';
import { records as rewards } from '../rewards/search.ts';
import { records as statistics } from '../statistics/search.ts';
import { records as withdrawals } from '../withdrawals/search.ts';

/** In the order of the menu, some last (scripts/lists/commands.ts). */
export const records: { readonly [E in Exclude<EntityName, 'version'>]: RecordKind<E> } = {
  ...news,
  ...feedback,
  ...notices,
  ...rewards,
  ...access,
  ...deposits,
  ...withdrawals,
  ...authority,
  ...audit,
  ...account,
  ...imports,
  ...statistics,
  ...custody,
  ...crsm,
};
