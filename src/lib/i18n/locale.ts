import { readStored, writeStored } from '../prefs/storage.ts';

export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

const localeKey = 'locale';

/** The saved locale, else the browser's, else zh-CN (specification §1). There may be no dictionary for it. */
export function requestedLocale(
  savedLocale = readStored(localeKey),
  browserLocales: readonly string[] = navigator.languages,
): string {
  return savedLocale || browserLocales[0] || 'zh-CN';
}

/** English for any English, Chinese for all others (design §8). */
export const resolveDictionaryLocale = (localeTag: string): Locale => (/^en\b/i.test(localeTag) ? 'en-US' : 'zh-CN');

let cachedPageLocale: Locale | null = null;
/** Fixed until reload, even if another tab saves another one. */
export const getPageLocale = (): Locale => (cachedPageLocale ??= resolveDictionaryLocale(requestedLocale()));

/** For a shell, which has no navigator. */
export const setPageLocale = (locale: Locale): void => void (cachedPageLocale = locale);

export const textDirection = (localeTag: string): 'rtl' | 'ltr' => (/^(he|ar|fa|ku)/i.test(localeTag) ? 'rtl' : 'ltr');

/** Language of the dictionary, but direction of the requested locale. */
export function applyLocale(root: HTMLElement, localeTag: string): void {
  root.lang = resolveDictionaryLocale(localeTag);
  root.dir = textDirection(localeTag);
}

/** Reloads the page, as specified. */
export function switchLocale(nextLocale: Locale): void {
  writeStored(localeKey, nextLocale);
  location.reload();
}
