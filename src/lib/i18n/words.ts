import { loadResourceWords } from './boot.ts';
import { setDictionary } from './i18n.ts';
import { pageLocale } from './locale.ts';
import { screenWords } from './screen-words.ts';

export type ScreenWords = keyof typeof screenWords;

/** Texts of one screen, or of every resource. */
export async function loadWords(name: ScreenWords | 'resources', locale = pageLocale()): Promise<void> {
  if (name === 'resources') return loadResourceWords(locale);
  setDictionary(locale, { ...(await screenWords[name][locale]()) });
}
