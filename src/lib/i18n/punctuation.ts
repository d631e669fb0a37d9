import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

/** Several things of a kind, one after another. */
export const listed = (words: readonly string[]): string => words.join(isChinese() ? '、' : ', ');

/** What something is, before it. */
export const labelled = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;
