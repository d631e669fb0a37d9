import { detectLanguage, type Language } from './language.ts';

// Without zod, because the list loads it.

/** `both`: each text has its link. `kept`: both texts have the link of the item that stays. */
export const joinLinks = ['both', 'kept'] as const;

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
