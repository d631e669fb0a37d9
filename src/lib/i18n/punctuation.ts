import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

/** Several things of a kind, one after another. */
export const listed = (words: readonly string[]): string => words.join(isChinese() ? '、' : ', ');

/** What something is, before it. */
export const labelled = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;

/** The unit of a figure in brackets, to follow its name: "（YU）" or " (YU)". Nothing where the name already says it. */
export function unitAfter(name: string, unit: string | undefined): string {
  if (!unit || name.split(/[^\w%]+/).includes(unit)) return '';
  return isChinese() ? `（${unit}）` : ` (${unit})`;
}

/** A figure's name with its unit, for a column or a legend. */
export const namedWithUnit = (name: string, unit: string | undefined): string => name + unitAfter(name, unit);
