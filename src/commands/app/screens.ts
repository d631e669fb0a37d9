// Made by npm run lists from the folders of the features: not by hand.
import type { GroupPath, ScreenPath } from '../../../api/menu.ts';
import type { CommandGroup, Screen } from '../engine/resource.ts';
import { screens as access } from '../access/resource.ts';
import { screens as account } from '../account/resource.ts';
import { screens as audit } from '../audit/resource.ts';
import { screens as authority } from '../authority/resource.ts';
import { screens as crsm } from '../crsm/resource.ts';
import { screens as custody } from '../custody/resource.ts';
import { screens as deposits } from '../deposits/resource.ts';
import { screens as feedback } from '../feedback/resource.ts';
import { screens as home } from '../home/resource.ts';
import { screens as news } from '../news/resource.ts';
import { screens as notices } from '../notices/resource.ts';
import { screens as openapi } from '../openapi/resource.ts';
import { screens as rewards } from '../rewards/resource.ts';
import { screens as statistics } from '../statistics/resource.ts';
import { screens as withdrawals } from '../withdrawals/resource.ts';

/** A screen or menu group without an entry does not compile. */
export const screensByPath: { readonly [P in ScreenPath]: Screen } & { readonly [P in GroupPath]: CommandGroup } = {
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
