import { readStored, writeStored } from '../prefs/storage.ts';

export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

const localeKey = 'locale';

/** The saved locale, else the browser's, else zh-CN (specification §1). There may be no dictionary for it. */
export function requestedLocale(saved = readStored(localeKey), browser: readonly string[] = navigator.languages): string {
  return saved || browser[0] || 'zh-CN';
}

/** English for any English, Chinese for all others (design §8). */
export const dictionaryFor = (requested: string): Locale => (/^en\b/i.test(requested) ? 'en-US' : 'zh-CN');

let ofPage: Locale | null = null;
/** Fixed until reload, even if another tab saves another one. */
export const pageLocale = (): Locale => (ofPage ??= dictionaryFor(requestedLocale()));

export const directionOf = (requested: string): 'rtl' | 'ltr' => (/^(he|ar|fa|ku)/i.test(requested) ? 'rtl' : 'ltr');

/** Language of the dictionary, but direction of the requested locale. */
export function applyLocale(root: HTMLElement, requested: string): void {
  root.lang = dictionaryFor(requested);
  root.dir = directionOf(requested);
}

/** Reloads the page, as specified. */
export function switchLocale(to: Locale): void {
  writeStored(localeKey, to);
  location.reload();
}
