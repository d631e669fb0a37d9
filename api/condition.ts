import { timeFilter, type Condition, type FilterField } from './filter.ts';
import { formatUnits, parseUnits } from './money.ts';

const maxValues = 50;
export const maxConditionLength = 2_000;

const noneValue = '-';
const special = /^[!-]|[\\,]/g;

export function serializeCondition(condition: Condition, field: FilterField): string {
  if (condition.op === 'has') return condition.text;
  if (condition.op === 'between') {
    const [from, to] = [condition.from, condition.to].map((end) => (end === null ? '' : spellEnd(end, field)));
    return `${from}..${to}`;
  }
  const values = condition.values.map((one) => (one === null ? noneValue : one.replaceAll(special, String.raw`\$&`)));
  return `${condition.op === 'isNot' ? '!' : ''}${values.join(',')}`;
}

const spellEnd = (end: string, field: FilterField): string =>
  field.kind === 'number' ? formatUnits(BigInt(end), field.places) : end;

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
  const isNot = text.startsWith('!');
  const values: (string | null)[] = [];
  for (const part of partsOf(isNot ? text.slice(1) : text)) {
    const one = part === noneValue ? null : part.replaceAll(/\\(.)/gs, '$1');
    if (one === null ? !(field.kind === 'value' && field.nullable) : !isAllowedValue(field, one)) return null;
    if (!values.includes(one)) values.push(one);
  }
  return values.length === 0 || values.length > maxValues ? null : { op: isNot ? 'isNot' : 'is', values };
}

function partsOf(text: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === ',') parts.push('');
    else parts.push((parts.pop() ?? '') + letter + (letter === '\\' ? text.charAt(++at) : ''));
  }
  return parts;
}

const isAllowedValue = (field: Extract<FilterField, { kind: 'choice' | 'value' }>, one: string) =>
  field.kind === 'choice' ? field.values.includes(one) : field.shape.test(one);

const instant = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function parseBetween(field: Extract<FilterField, { kind: 'time' | 'number' }>, text: string): Condition | null {
  const [from, to = from, ...rest] = text.split('..');
  if (from === undefined || to === undefined || rest.length > 0 || text === '..' || text === '') return null;
  if (field.kind === 'time' && !text.includes('..')) return null;
  const ends = [from, to].map((end) => (end === '' ? null : parseEnd(field, end)));
  const [first, last] = ends;
  return first === undefined || last === undefined ? null : { op: 'between', from: first, to: last };
}

function parseEnd(field: Extract<FilterField, { kind: 'time' | 'number' }>, end: string): string | undefined {
  if (field.kind === 'time') {
    const at = instant.test(end) ? new Date(end) : null;
    return at && !Number.isNaN(at.getTime()) && at.toISOString() === end ? end : undefined;
  }
  const isBelow = end.startsWith('-');
  const units = parseUnits(isBelow ? end.slice(1) : end, field.places);
  if (units === null || units > field.max) return undefined;
  return (isBelow ? -units : units).toString();
}

export function timeRangeOf(text: string | undefined): { from: Date | null; to: Date | null } {
  const condition = text === undefined ? null : parseCondition(timeFilter, text);
  const date = (end: string | null) => (end === null ? null : new Date(end));
  return condition?.op === 'between' ? { from: date(condition.from), to: date(condition.to) } : { from: null, to: null };
}
