import { timeFilter, type Condition, type FilterField } from './filter.ts';
import { formatUnits, parseUnits } from './money.ts';

const maxValues = 50;
export const maxConditionLength = 2_000;

const nullMarker = '-';
const specialCharacters = /^[!-]|[\\,]/g;

export function serializeCondition(condition: Condition, field: FilterField): string {
  if (condition.op === 'has') return condition.text;
  if (condition.op === 'between') {
    const [from, to] = [condition.from, condition.to].map((bound) => (bound === null ? '' : formatBound(bound, field)));
    return `${from}..${to}`;
  }
  const values = condition.values.map((optionValue) =>
    optionValue === null ? nullMarker : optionValue.replaceAll(specialCharacters, String.raw`\$&`),
  );
  return `${condition.op === 'isNot' ? '!' : ''}${values.join(',')}`;
}

const formatBound = (bound: string, field: FilterField): string =>
  field.kind === 'number' ? formatUnits(BigInt(bound), field.places) : bound;

export function parseCondition(field: FilterField, text: string): Condition | null {
  if (text.length > maxConditionLength) return null;
  switch (field.kind) {
    case 'search':
      return text.trim() === '' || text.length > 200 || !isStorable(text) ? null : { op: 'has', text: text.trim() };
    case 'time':
    case 'number':
      return parseBetween(field, text);
    case 'flag':
      return text === 'true' || text === 'false' ? { op: 'is', values: [text] } : null;
    case 'choice':
    case 'value':
      return parseValues(field, text);
  }
}

const isStorable = (text: string) => !/[\uD800-\uDFFF\u0000]/u.test(text);

function parseValues(field: Extract<FilterField, { kind: 'choice' | 'value' }>, text: string): Condition | null {
  const isNegated = text.startsWith('!');
  const values: (string | null)[] = [];
  for (const part of splitValues(isNegated ? text.slice(1) : text)) {
    const optionValue = part === nullMarker ? null : part.replaceAll(/\\(.)/gs, '$1');
    if (optionValue === null ? !(field.kind === 'value' && field.nullable) : !isAllowedValue(field, optionValue)) return null;
    if (!values.includes(optionValue)) values.push(optionValue);
  }
  return values.length === 0 || values.length > maxValues ? null : { op: isNegated ? 'isNot' : 'is', values };
}

function splitValues(text: string): string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === ',') parts.push('');
    else parts.push((parts.pop() ?? '') + character + (character === '\\' ? text.charAt(++index) : ''));
  }
  return parts;
}

const isAllowedValue = (field: Extract<FilterField, { kind: 'choice' | 'value' }>, optionValue: string) =>
  field.kind === 'choice' ? field.values.includes(optionValue) : field.shape.test(optionValue);

const instantPattern = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function parseBetween(field: Extract<FilterField, { kind: 'time' | 'number' }>, text: string): Condition | null {
  const [from, to = from, ...extraParts] = text.split('..');
  if (from === undefined || to === undefined || extraParts.length > 0 || text === '..' || text === '') return null;
  if (field.kind === 'time' && !text.includes('..')) return null;
  const bounds = [from, to].map((bound) => (bound === '' ? null : parseBound(field, bound)));
  const [lowerBound, upperBound] = bounds;
  return lowerBound === undefined || upperBound === undefined ? null : { op: 'between', from: lowerBound, to: upperBound };
}

function parseBound(field: Extract<FilterField, { kind: 'time' | 'number' }>, bound: string): string | undefined {
  if (field.kind === 'time') {
    const instantDate = instantPattern.test(bound) ? new Date(bound) : null;
    return instantDate && !Number.isNaN(instantDate.getTime()) && instantDate.toISOString() === bound ? bound : undefined;
  }
  const isNegative = bound.startsWith('-');
  const units = parseUnits(isNegative ? bound.slice(1) : bound, field.places);
  if (units === null || units > field.max) return undefined;
  return (isNegative ? -units : units).toString();
}

export function parseTimeRange(text: string | undefined): { from: Date | null; to: Date | null } {
  const condition = text === undefined ? null : parseCondition(timeFilter, text);
  const toDate = (bound: string | null) => (bound === null ? null : new Date(bound));
  return condition?.op === 'between' ? { from: toDate(condition.from), to: toDate(condition.to) } : { from: null, to: null };
}
