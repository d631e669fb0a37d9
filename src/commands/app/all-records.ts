// Made by npm run lists from the folders of the features: not by hand.
import type { EntityName } from '../../lib/scope.ts';
import type { RecordKind } from '../engine/resource.ts';
import { records as access } from '../access/records.ts';
import { records as account } from '../account/records.ts';
import { records as audit } from '../audit/records.ts';
import { records as authority } from '../authority/records.ts';
import { records as crsm } from '../crsm/records.ts';
import { records as custody } from '../custody/records.ts';
import { records as deposits } from '../deposits/records.ts';
import { records as feedback } from '../feedback/records.ts';
import { records as imports } from '../imports/records.ts';
import { records as news } from '../news/records.ts';
import { records as notices } from '../notices/records.ts';
import { records as rewards } from '../rewards/records.ts';
import { records as statistics } from '../statistics/records.ts';
import { records as withdrawals } from '../withdrawals/records.ts';

/** Every kind of record, in the order in which they are looked for and shown: that of the menu, some last (scripts/lists/commands.ts). */
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
