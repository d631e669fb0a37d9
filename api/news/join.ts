import * as z from 'zod/mini';
import { idSchema, versionSchema } from '../base.ts';
import { languages } from './language.ts';
import { joinLinks } from './pair.ts';

/** Each value is the language of the item that provides it. */
const choices = {
  kept: z.enum(languages),
  links: z.enum(joinLinks),
  image: z.enum(languages),
  period: z.enum(languages),
};
export const newsJoinChoices = z.strictObject(choices);
export type NewsJoinChoices = z.infer<typeof newsJoinChoices>;

const itemVersion = z.strictObject({ id: idSchema(), version: versionSchema() });

export const newsJoin = z.strictObject({
  ...choices,
  items: z.array(itemVersion).check(
    z.length(2),
    z.refine<{ id: string }[]>(([one, other]) => one?.id.toLowerCase() !== other?.id.toLowerCase(), { error: 'taken' }),
  ),
});
export type NewsJoin = z.infer<typeof newsJoin>;

export const undoNewsJoin = itemVersion;

/** `data.reason` of JOIN_REFUSED. */
export const joinRefusals = ['translated', 'sameLanguage', 'notJoined', 'importedAgain'] as const;
export type JoinRefusal = (typeof joinRefusals)[number];
