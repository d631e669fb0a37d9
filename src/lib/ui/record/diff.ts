/** A missing side means that the field did not exist. */
export interface FieldChange {
  field: string;
  kind: 'added' | 'removed' | 'changed' | 'same';
  before: unknown;
  after: unknown;
}

/** In field order, changed fields first. Null: no record. */
export function diffRecords(before: unknown, after: unknown): FieldChange[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  const changes = names.map((field): FieldChange => {
    const old = was[field];
    const now = is[field];
    const kind = !Object.hasOwn(was, field)
      ? 'added'
      : !Object.hasOwn(is, field)
        ? 'removed'
        : isSame(old, now)
          ? 'same'
          : 'changed';
    return { field, kind, before: old, after: now };
  });
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')];
}

/** Empty unless it is a record. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Equal as JSON, in any key order. */
function isSame(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other);
}

const keyOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}

/** Null unless both are lists. Items compare as JSON. */
export function diffLists(before: unknown, after: unknown): { removed: unknown[]; added: unknown[]; unchanged: number } | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  const [was, is]: Map<string, unknown>[] = [before, after].map(
    (list: unknown[]) => new Map(list.map((one) => [keyOf(one), one])),
  );
  if (!was || !is) return null;
  return {
    removed: [...was].flatMap(([key, one]) => (is.has(key) ? [] : [one])),
    added: [...is].flatMap(([key, one]) => (was.has(key) ? [] : [one])),
    unchanged: [...is.keys()].filter((key) => was.has(key)).length,
  };
}

export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

// Each Han or kana character counts as a word.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu;
const max = 2_000_000;

/** Longest common subsequence of words. Long texts are compared only by their equal start and end. */
export function diffWords(before: string, after: string): TextPart[] {
  const was = before.match(word) ?? [];
  const is = after.match(word) ?? [];
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start++;
  let end = 0;
  while (end < was.length - start && end < is.length - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end++;
  const parts: TextPart[] = [];
  push(parts, 'same', was.slice(0, start));
  middle(parts, was.slice(start, was.length - end), is.slice(start, is.length - end));
  push(parts, 'same', end > 0 ? was.slice(-end) : []);
  return parts;
}

function middle(parts: TextPart[], was: readonly string[], is: readonly string[]): void {
  if (was.length * is.length > max) {
    push(parts, 'removed', was);
    push(parts, 'added', is);
    return;
  }
  const width = is.length + 1;
  const lengths = new Uint32Array((was.length + 1) * width); // of the longest common subsequence from (i, j) on
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = is.length - 1; j >= 0; j--)
      lengths[i * width + j] = was[i] === is[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let i = 0;
  let j = 0;
  while (i < was.length || j < is.length) {
    if (i < was.length && j < is.length && was[i] === is[j]) {
      push(parts, 'same', was.slice(i, i + 1));
      i++;
      j++;
    } else if (j >= is.length || (i < was.length && at(i + 1, j) >= at(i, j + 1))) push(parts, 'removed', was.slice(i, ++i));
    else push(parts, 'added', is.slice(j, ++j));
  }
}

function push(parts: TextPart[], kind: TextPart['kind'], words: readonly string[]): void {
  const text = words.join('');
  if (text === '') return;
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}
