import { loadResourceTexts } from './boot.ts';
import { setDictionary } from './i18n.ts';
import { getPageLocale } from './locale.ts';
import type { screenWords } from './zh-CN/screen-words.ts';

export type ScreenDictionary = keyof typeof screenWords;

/** Texts of one screen, or of every resource. */
export async function loadWords(name: ScreenDictionary | 'resources', locale = getPageLocale()): Promise<void> {
  if (name === 'resources') return loadResourceTexts(locale);
  const { screenWords } = locale === 'en-US' ? await import('./en-US/index.ts') : await import('./zh-CN/index.ts');
  setDictionary(locale, { ...(await screenWords[name]()) });
}
