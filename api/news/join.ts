import * as z from 'zod/mini';
import { idSchema, versionSchema } from '../base.ts';
import { detectLanguage, languages, type Language } from './language.ts';

/** `both`: each text has its link. `kept`: both texts have the link of the item that stays. */
export const joinLinks = ['both', 'kept'] as const;

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

interface Joinable {
  title: string;
  description: string;
  language: Language | null;
  translatedTitle: string | null;
}

export const otherLanguage = (language: Language): Language => (language === 'zh-CN' ? 'en-US' : 'zh-CN');

/** By language, or why the two can't be joined. */
export function pairOf<Item extends Joinable>(one: Item, other: Item): Record<Language, Item> | 'translated' | 'sameLanguage' {
  if (one.translatedTitle !== null || other.translatedTitle !== null) return 'translated';
  const language = one.language ?? detectLanguage(one);
  if ((other.language ?? detectLanguage(other)) === language) return 'sameLanguage';
  return language === 'zh-CN' ? { 'zh-CN': one, 'en-US': other } : { 'zh-CN': other, 'en-US': one };
}
