import { readStored, writeStored } from '../prefs/storage.ts';

export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

const localeKey = 'locale';

/** The locale asked for: the saved one, else the browser's, else zh-CN (specification §1). It may be one without a dictionary. */
export function askedLocale(saved = readStored(localeKey), browser: readonly string[] = navigator.languages): string {
  return saved || browser[0] || 'zh-CN';
}

/** The dictionary for a locale: English for any English, Chinese for all others (design §8). */
export const dictionaryFor = (asked: string): Locale => (/^en\b/i.test(asked) ? 'en-US' : 'zh-CN');

let ofPage: Locale | null = null;
/** The language of this page until it reloads, whatever another tab saves meanwhile. */
export const pageLocale = (): Locale => (ofPage ??= dictionaryFor(askedLocale()));

/** Right-to-left for locales beginning he, ar, fa or ku. */
export const directionOf = (asked: string): 'rtl' | 'ltr' => (/^(he|ar|fa|ku)/i.test(asked) ? 'rtl' : 'ltr');

/**
 * Tells the document its language and direction. The language is that of the words it will hold;
 * the direction that of the locale asked for, which may be one without a dictionary.
 */
export function applyLocale(root: HTMLElement, asked: string): void {
  root.lang = dictionaryFor(asked);
  root.dir = directionOf(asked);
}

/** Saves the other language and reloads the page, as the specification has it. */
export function switchLocale(to: Locale): void {
  writeStored(localeKey, to);
  location.reload();
}
