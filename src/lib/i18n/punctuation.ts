import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

/** Several things of a kind, one after another. */
export const listed = (words: readonly string[]): string => words.join(isChinese() ? '、' : ', ');

/** What something is, before it. */
export const labelled = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;

/** A remark after a name: "（BTC）" or " (BTC)". */
export const inBrackets = (words: string): string => (isChinese() ? `（${words}）` : ` (${words})`);

/** A figure's name with its unit, for a column or a legend. */
export const namedWithUnit = (name: string, unit: string | undefined): string => (unit ? `${name}${inBrackets(unit)}` : name);
