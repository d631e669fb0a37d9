import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

export const listed = (words: readonly string[]): string => words.join(isChinese() ? '、' : ', ');

export const labelled = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;

/** "（YU）" or " (YU)". Empty if the name already contains it. */
export function unitAfter(name: string, unit: string | undefined): string {
  if (!unit || name.split(/[^\w%]+/).includes(unit)) return '';
  return isChinese() ? `（${unit}）` : ` (${unit})`;
}

export const namedWithUnit = (name: string, unit: string | undefined): string => name + unitAfter(name, unit);
