import { locale } from './i18n.ts';

const isChinese = (): boolean => locale() === 'zh-CN';

export const joinList = (items: readonly string[]): string => items.join(isChinese() ? '、' : ', ');

export const labelText = (label: string, value: string): string => `${label}${isChinese() ? '：' : ': '}${value}`;

/** "（YU）" or " (YU)". Empty if the name already contains it. */
export function unitSuffix(name: string, unit: string | undefined): string {
  if (!unit || name.split(/[^\w%]+/).includes(unit)) return '';
  return isChinese() ? `（${unit}）` : ` (${unit})`;
}

export const namedWithUnit = (name: string, unit: string | undefined): string => name + unitSuffix(name, unit);
