// Made by npm run lists from the folders of the features: not by hand.
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import { recorded as access } from '../access/recorded.ts';
import { recorded as account } from '../account/recorded.ts';
import { recorded as audit } from '../audit/recorded.ts';
import { recorded as authority } from '../authority/recorded.ts';
import { recorded as crsm } from '../crsm/recorded.ts';
import { recorded as custody } from '../custody/recorded.ts';
import { recorded as deposits } from '../deposits/recorded.ts';
import { recorded as feedback } from '../feedback/recorded.ts';
import { recorded as imports } from '../imports/recorded.ts';
import { recorded as news } from '../news/recorded.ts';
import { recorded as notices } from '../notices/recorded.ts';
import { recorded as pictures } from '../pictures/recorded.ts';
import { recorded as rewards } from '../rewards/recorded.ts';
import { recorded as savedViews } from '../saved-views/recorded.ts';
import { recorded as statistics } from '../statistics/recorded.ts';
import { recorded as withdrawals } from '../withdrawals/recorded.ts';

/** By the audit's word for the record. */
export const recorded: ReadonlyMap<string, RecordFields> = new Map<string, RecordFields>(
  Object.entries({
    ...access,
    ...account,
    ...audit,
    ...authority,
    ...crsm,
    ...custody,
    ...deposits,
    ...feedback,
    ...imports,
    ...news,
    ...notices,
    ...pictures,
    ...rewards,
    ...savedViews,
    ...statistics,
    ...withdrawals,
  }),
);
