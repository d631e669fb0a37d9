import rosetta from 'rosetta';
import type { Locale } from './locale.ts';
import type { Message } from './text.ts';
import type { zhPanel } from './zh-CN/index.ts';
import type { zhResources } from './zh-CN/resources.ts';
import type { zhSignIn } from './zh-CN/access/sign-in.ts';

/** Allows a plural function where Chinese has one text. */
type WidenStrings<T> = T extends string
  ? Message
  : T extends (values: infer V) => string
    ? (values: V) => string
    : { [K in keyof T]: WidenStrings<T[K]> };

type ChineseDictionary = typeof zhPanel & typeof zhResources;

/** A missing text is a compile error. */
export type Dictionary = WidenStrings<ChineseDictionary>;
export type PanelDictionary = WidenStrings<typeof zhPanel>;
export type ResourceWords = WidenStrings<typeof zhResources>;

type NestedKeys<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends Message ? `${Prefix}${K}` : NestedKeys<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

export type AuditKind = keyof typeof zhResources.kinds;

/** Dotted path in the dictionary. */
export type TextKey = NestedKeys<ChineseDictionary>;
export type MessageValues = Record<string, string | number>;

export type SignInDictionary = WidenStrings<typeof zhSignIn>;

const texts = rosetta<Partial<Dictionary>>();
let currentLocale: Locale = 'zh-CN';

export function setDictionary(locale: Locale, dictionary: Partial<Dictionary> | SignInDictionary): void {
  currentLocale = locale;
  texts.set(locale, dictionary as Partial<Dictionary>);
  texts.locale(locale);
}

/** Replaces `{{name}}` from `values`. Returns the key if the text is missing. */
export function t(key: TextKey, values: MessageValues = {}): string {
  return texts.t(key, isolateRightToLeft(values)) || key;
}

/** For computed keys. Null if missing. */
export function tMaybe(key: string, values: MessageValues = {}): string | null {
  return texts.t(key, isolateRightToLeft(values)) || null;
}

const rightToLeft =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Isolates values that would change the direction of the text around them. */
function isolateRightToLeft(values: MessageValues): MessageValues {
  const isRightToLeft = (value: unknown): value is string => typeof value === 'string' && rightToLeft.test(value);
  if (!Object.values(values).some(isRightToLeft)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isRightToLeft(value) ? `\u2068${balanceIsolates(value)}\u2069` : value]),
  );
}

/** Removes unpaired isolates, so that a value cannot close the one around it. */
function balanceIsolates(value: string): string {
  let openCount = 0;
  const unclosedText = value.replaceAll(/[\u2066-\u2069]/g, (isolateMark) => {
    if (isolateMark !== '\u2069') openCount++;
    else if (openCount === 0) return '';
    else openCount--;
    return isolateMark;
  });
  return unclosedText + '\u2069'.repeat(openCount);
}

export const pickLocaleName = (name: { zh: string; en: string }): string => name[currentLocale === 'zh-CN' ? 'zh' : 'en'];

export const locale = (): Locale => currentLocale;
