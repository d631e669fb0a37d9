// Made by npm run lists from the folders of the features: not by hand.
import type { GroupPath, ScreenPath } from '../../../api/menu.ts';
import type { CommandGroup, Screen } from '../engine/resource.ts';
import { places as access } from '../access/resource.ts';
import { places as account } from '../account/resource.ts';
import { places as audit } from '../audit/resource.ts';
import { places as authority } from '../authority/resource.ts';
import { places as crsm } from '../crsm/resource.ts';
import { places as custody } from '../custody/resource.ts';
import { places as deposits } from '../deposits/resource.ts';
import { places as feedback } from '../feedback/resource.ts';
import { places as home } from '../home/resource.ts';
import { places as news } from '../news/resource.ts';
import { places as notices } from '../notices/resource.ts';
import { places as openapi } from '../openapi/resource.ts';
import { places as rewards } from '../rewards/resource.ts';
import { places as statistics } from '../statistics/resource.ts';
import { places as withdrawals } from '../withdrawals/resource.ts';

/** A screen or menu group without an entry does not compile. */
export const places: { readonly [P in ScreenPath]: Screen } & { readonly [P in GroupPath]: CommandGroup } = {
  ...access,
  ...account,
  ...audit,
  ...authority,
  ...crsm,
  ...custody,
  ...deposits,
  ...feedback,
  ...home,
  ...news,
  ...notices,
  ...openapi,
  ...rewards,
  ...statistics,
  ...withdrawals,
};
