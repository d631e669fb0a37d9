// Made by npm run lists from the folders of the features: not by hand.
import type { CommandId } from '../../../../../api/names.ts';
import { aliases as access } from '../../../access/search.ts';
import { aliases as account } from '../../../account/search.ts';
import { aliases as audit } from '../../../audit/search.ts';
import { aliases as authority } from '../../../authority/search.ts';
import { aliases as cli } from '../../../cli/search.ts';
import { aliases as crsm } from '../../../crsm/search.ts';
import { aliases as custody } from '../../../custody/search.ts';
import { aliases as deposits } from '../../../deposits/search.ts';
import { aliases as exports } from '../../../exports/search.ts';
import { aliases as feedback } from '../../../feedback/search.ts';
import { aliases as help } from '../../../help/search.ts';
import { aliases as home } from '../../../home/search.ts';
import { aliases as lists } from '../../../lists/search.ts';
import { aliases as macros } from '../../../macros/search.ts';
import { aliases as news } from '../../../news/search.ts';
import { aliases as notices } from '../../../notices/search.ts';
import { aliases as openapi } from '../../../openapi/search.ts';
import { aliases as panel } from '../../../panel/search.ts';
import { aliases as qa } from '../../../qa/search.ts';
import { aliases as rewards } from '../../../rewards/search.ts';
import { aliases as savedViews } from '../../../saved-views/search.ts';
import { aliases as shortcuts } from '../../../shortcuts/search.ts';
import { aliases as statistics } from '../../../statistics/search.ts';
import { aliases as withdrawals } from '../../../withdrawals/search.ts';

/** Search words in both languages. A command without an entry does not compile. */
export const aliases: Readonly<Record<CommandId, string>> = {
  ...access,
  ...account,
  ...audit,
  ...authority,
  ...cli,
  ...crsm,
  ...custody,
  ...deposits,
  ...exports,
  ...feedback,
  ...help,
  ...home,
  ...lists,
  ...macros,
  ...news,
  ...notices,
  ...openapi,
  ...panel,
  ...qa,
  ...rewards,
  ...savedViews,
  ...shortcuts,
  ...statistics,
  ...withdrawals,
};
