import { readStored, writeStored } from '../prefs/storage.ts';

export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

const localeKey = 'locale';

/** The saved locale, else the browser's, else zh-CN (specification §1). There may be no dictionary for it. */
export function askedLocale(saved = readStored(localeKey), browser: readonly string[] = navigator.languages): string {
  return saved || browser[0] || 'zh-CN';
}

/** English for any English, Chinese for all others (design §8). */
export const dictionaryFor = (asked: string): Locale => (/^en\b/i.test(asked) ? 'en-US' : 'zh-CN');

let ofPage: Locale | null = null;
/** Fixed until reload, even if another tab saves another one. */
export const pageLocale = (): Locale => (ofPage ??= dictionaryFor(askedLocale()));

export const directionOf = (asked: string): 'rtl' | 'ltr' => (/^(he|ar|fa|ku)/i.test(asked) ? 'rtl' : 'ltr');

/** Language of the dictionary, but direction of the requested locale. */
export function applyLocale(root: HTMLElement, asked: string): void {
  root.lang = dictionaryFor(asked);
  root.dir = directionOf(asked);
}

/** Reloads the page, as specified. */
export function switchLocale(to: Locale): void {
  writeStored(localeKey, to);
  location.reload();
}
