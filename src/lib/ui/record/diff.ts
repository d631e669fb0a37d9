/** A missing side means that the field did not exist. */
export interface FieldChange {
  field: string;
  kind: 'added' | 'removed' | 'changed' | 'same';
  before: unknown;
  after: unknown;
}

/** In field order, changed fields first. Null: no record. */
export function diffRecords(before: unknown, after: unknown): FieldChange[] {
  const previousFields = readFields(before);
  const currentFields = readFields(after);
  const names = [...new Set([...Object.keys(currentFields), ...Object.keys(previousFields)])];
  const changes = names.map((field): FieldChange => {
    const previousValue = previousFields[field];
    const currentValue = currentFields[field];
    const kind = !Object.hasOwn(previousFields, field)
      ? 'added'
      : !Object.hasOwn(currentFields, field)
        ? 'removed'
        : isSame(previousValue, currentValue)
          ? 'same'
          : 'changed';
    return { field, kind, before: previousValue, after: currentValue };
  });
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')];
}

/** Empty unless it is a record. */
function readFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Equal as JSON, in any key order. */
function isSame(a: unknown, b: unknown): boolean {
  return serializeSorted(a) === serializeSorted(b);
}

const serializeSorted = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? '';

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sortKeys(part)]);
}

/** Null unless both are lists. Items compare as JSON. */
export function diffLists(before: unknown, after: unknown): { removed: unknown[]; added: unknown[]; unchanged: number } | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  const [previousWords, currentWords]: Map<string, unknown>[] = [before, after].map(
    (list: unknown[]) => new Map(list.map((item) => [serializeSorted(item), item])),
  );
  if (!previousWords || !currentWords) return null;
  return {
    removed: [...previousWords].flatMap(([key, item]) => (currentWords.has(key) ? [] : [item])),
    added: [...currentWords].flatMap(([key, item]) => (previousWords.has(key) ? [] : [item])),
    unchanged: [...currentWords.keys()].filter((key) => previousWords.has(key)).length,
  };
}

export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

// Each Han or kana character counts as a word.
const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu;
const max = 2_000_000;

/** Longest common subsequence of words. Long texts are compared only by their equal start and end. */
export function diffWords(before: string, after: string): TextPart[] {
  const previousFields = before.match(wordPattern) ?? [];
  const currentFields = after.match(wordPattern) ?? [];
  let start = 0;
  while (start < previousFields.length && start < currentFields.length && previousFields[start] === currentFields[start]) start++;
  let commonEnd = 0;
  while (
    commonEnd < previousFields.length - start &&
    commonEnd < currentFields.length - start &&
    previousFields[previousFields.length - 1 - commonEnd] === currentFields[currentFields.length - 1 - commonEnd]
  )
    commonEnd++;
  const parts: TextPart[] = [];
  appendPart(parts, 'same', previousFields.slice(0, start));
  diffMiddle(
    parts,
    previousFields.slice(start, previousFields.length - commonEnd),
    currentFields.slice(start, currentFields.length - commonEnd),
  );
  appendPart(parts, 'same', commonEnd > 0 ? previousFields.slice(-commonEnd) : []);
  return parts;
}

function diffMiddle(parts: TextPart[], previousWords: readonly string[], currentWords: readonly string[]): void {
  if (previousWords.length * currentWords.length > max) {
    appendPart(parts, 'removed', previousWords);
    appendPart(parts, 'added', currentWords);
    return;
  }
  const width = currentWords.length + 1;
  const subsequenceLengths = new Uint32Array((previousWords.length + 1) * width); // of the longest common subsequence from (i, j) on
  const lengthAt = (i: number, j: number) => subsequenceLengths[i * width + j] ?? 0;
  for (let i = previousWords.length - 1; i >= 0; i--)
    for (let j = currentWords.length - 1; j >= 0; j--)
      subsequenceLengths[i * width + j] =
        previousWords[i] === currentWords[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  let i = 0;
  let j = 0;
  while (i < previousWords.length || j < currentWords.length) {
    if (i < previousWords.length && j < currentWords.length && previousWords[i] === currentWords[j]) {
      appendPart(parts, 'same', previousWords.slice(i, i + 1));
      i++;
      j++;
    } else if (j >= currentWords.length || (i < previousWords.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1)))
      appendPart(parts, 'removed', previousWords.slice(i, ++i));
    else appendPart(parts, 'added', currentWords.slice(j, ++j));
  }
}

function appendPart(parts: TextPart[], kind: TextPart['kind'], tokens: readonly string[]): void {
  const text = tokens.join('');
  if (text === '') return;
  const lastPart = parts.at(-1);
  if (lastPart?.kind === kind) lastPart.text += text;
  else parts.push({ kind, text });
}
