import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

/** Several things of a kind, one after another. */
export const listed = (words: readonly string[]): string => words.join(isChinese() ? '、' : ', ');

/** A unit behind a name. */
export const bracketed = (unit: string): string => (isChinese() ? `（${unit}）` : ` (${unit})`);

/** What something is, before it. */
export const labelled = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;
