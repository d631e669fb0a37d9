import { flattenMenu } from '../../../../api/menu.ts';
import { differenceText, freezeText, secondsText } from '../../authority/words.ts';
import { groupDigits } from '../../format.ts';
import { pickLocaleName, t } from '../../i18n/i18n.ts';
import { labelText } from '../../i18n/punctuation.ts';
import { roleText } from '../../i18n/role-text.ts';
import { describeCondition } from '../list/filter/describe.ts';
import type { Filters } from '../list/filter/filters.ts';
import { commandName } from './action-text.ts';
import type { TextKind } from './fields.ts';

/** Shown as a dash. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Null for an invalid value, which an older build may have recorded. */
export function fieldText(displayKind: TextKind, value: unknown): string | null {
  switch (displayKind.as) {
    case 'flag':
      return typeof value === 'boolean' ? t(value ? 'record.yes' : 'record.no') : null;
    case 'count':
      return groupedText(value);
    case 'bytes': {
      const size = groupedText(value);
      return size && t('record.bytes', { size });
    }
    case 'duration':
      return typeof value === 'number' ? secondsText(value) : null;
    case 'statement':
      return isIntegerText(value) ? `#${value}` : null;
    case 'number':
      return isIntegerText(value) ? String(value) : null;
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'role':
      return roleNames(value);
    case 'permission':
      return typeof value === 'string' ? (screenName(value) ?? commandName(value) ?? value) : null;
    case 'freeze':
      return typeof value === 'string' ? freezeText(value) : null;
    case 'difference':
      return typeof value === 'string' ? differenceText(value) : null;
    case 'choice':
      return typeof value === 'string' ? displayKind.words(value) : null;
  }
}

/** One line per condition. */
export const recordedConditions = (filters: Filters, conditions: object): string[] =>
  Object.entries(conditions).flatMap(([name, value]: [string, unknown]) => {
    const filter = filters[name];
    if (!filter || typeof value !== 'string') return [];
    const { operator, value: text } = describeCondition(filter, value);
    return [labelText(t(filter.label), [operator, text].filter(Boolean).join(' '))];
  });

/** Administrators have an id next to their role name. */
function roleNames(value: unknown): string | null {
  if (typeof value === 'string') return roleText(value);
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : null;
  return typeof name === 'string' ? roleText(name) : null;
}

const isIntegerText = (value: unknown): value is string | number => /^-?\d+$/.test(String(value));
const groupedText = (value: unknown): string | null =>
  isIntegerText(value) ? groupDigits(BigInt(value)).replace('-', '−') : null;

const screensByPath = new Map<string, { zh: string; en: string }>(flattenMenu().map((screen) => [screen.path, screen]));

function screenName(path: string): string | null {
  const screen = screensByPath.get(path);
  return screen ? pickLocaleName(screen) : null;
}
