// Made by npm run lists from the folders of the features: not by hand.
import type { CommandId } from '../../../../api/names.ts';
import { aliases as access } from '../../access/aliases.ts';
import { aliases as account } from '../../account/aliases.ts';
import { aliases as audit } from '../../audit/aliases.ts';
import { aliases as authority } from '../../authority/aliases.ts';
import { aliases as crsm } from '../../crsm/aliases.ts';
import { aliases as custody } from '../../custody/aliases.ts';
import { aliases as deposits } from '../../deposits/aliases.ts';
import { aliases as feedback } from '../../feedback/aliases.ts';
import { aliases as news } from '../../news/aliases.ts';
import { aliases as notices } from '../../notices/aliases.ts';
import { aliases as rewards } from '../../rewards/aliases.ts';
import { aliases as statistics } from '../../statistics/aliases.ts';
import { aliases as withdrawals } from '../../withdrawals/aliases.ts';
import { aliases as workspace } from '../../workspace/aliases.ts';

/** Other words people search a command by, in both languages. They come with the palette. One without does not compile. */
export const aliases: Readonly<Record<CommandId, string>> = {
  ...access,
  ...account,
  ...audit,
  ...authority,
  ...crsm,
  ...custody,
  ...deposits,
  ...feedback,
  ...news,
  ...notices,
  ...rewards,
  ...statistics,
  ...withdrawals,
  ...workspace,
};
