import { readings } from './readings.ts';

/** The character itself and its readings. */
export type PinyinReadings = readonly string[];

const spellings = new Map<string, PinyinReadings>();

export const toPinyin = (text: string): PinyinReadings[] => [...text].map(spellingOf);

function spellingOf(character: string): PinyinReadings {
  const known = spellings.get(character);
  if (known) return known;
  const spelling = [character, ...(readings.get(character) ?? [])];
  spellings.set(character, spelling);
  return spelling;
}

/**
 * Positions of the query where the character may end, if typed from any of `starts`: after a full reading, its initial, or with
 * `begun` any prefix at the query's end.
 */
export function matchEnds(spelling: PinyinReadings, query: string, starts: readonly number[], begun = true): readonly number[] {
  let ends: number[] | null = null;
  for (const start of starts) {
    for (const way of spelling) {
      for (
        let length = 1;
        length <= way.length && way.charCodeAt(length - 1) === query.charCodeAt(start + length - 1);
        length++
      ) {
        const end = start + length;
        if (!isReadingEnd(way, length) && !(begun && end === query.length)) continue;
        if (!ends) ends = [end];
        else if (!ends.includes(end)) ends.push(end);
      }
    }
  }
  return ends ?? noEnds;
}

const noEnds: readonly number[] = [];

/** A prefix other than the initial counts only at the query's end: `qi` does not match 前 in the middle. */
const isReadingEnd = (reading: string, length: number): boolean =>
  length === 1 || length === reading.length || (length === 2 && /^[zcs]h/.test(reading));

/** Each character takes a full reading or its initial, the last one any prefix. Returns the earliest matching positions. */
export function matchPinyin(text: string | readonly string[], letters: string, known = readings): number[] | null {
  const characters = typeof text === 'string' ? [...text] : text;
  for (let start = 0; start < characters.length; start++) {
    const found = isWordStart(characters, start) ? consume(characters, start, letters, known) : null;
    if (found) return found;
  }
  return null;
}

const latin = /^[a-z]$/;

/** Anywhere in Chinese, but not inside a Latin word. */
export const isWordStart = (characters: readonly string[], at: number): boolean =>
  !latin.test(characters[at] ?? '') || !latin.test(characters[at - 1] ?? '');

/** Null unless all letters are used. Characters that are not Chinese may be skipped: `ljqb` matches 连接 EVM 钱包. */
function consume(characters: readonly string[], at: number, letters: string, known: typeof readings): number[] | null {
  const character = characters[at];
  if (character === undefined) return null;
  for (const reading of known.get(character) ?? [character]) {
    let shared = 0;
    while (shared < reading.length && shared < letters.length && reading[shared] === letters[shared]) shared++;
    for (let consumed = shared; consumed > 0; consumed--) {
      if (consumed === letters.length) return [at];
      if (!isReadingEnd(reading, consumed)) continue;
      const remaining = letters.slice(consumed);
      const rest = consume(characters, at + 1, remaining, known) ?? afterForeign(characters, at + 1, remaining, known);
      if (rest) return [at, ...rest];
    }
  }
  return null;
}

function afterForeign(characters: readonly string[], at: number, letters: string, known: typeof readings): number[] | null {
  for (let next = at; next < characters.length && !known.has(characters[next] ?? ''); next++) {
    const found = isWordStart(characters, next + 1) ? consume(characters, next + 1, letters, known) : null;
    if (found) return found;
  }
  return null;
}
