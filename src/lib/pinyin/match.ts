import { readings } from './readings.ts';

/** The ways a character is typed: as itself, or by a beginning of any of its readings. */
export type Spelling = readonly string[];

const spellings = new Map<string, Spelling>();

export const spell = (text: string): Spelling[] => [...text].map(spellingOf);

function spellingOf(character: string): Spelling {
  const known = spellings.get(character);
  if (known) return known;
  const spelling = [character, ...(readings.get(character) ?? [])];
  spellings.set(character, spelling);
  return spelling;
}

/**
 * Positions of the query at which the character may end, when it is typed from any of `starts` on: the whole of a reading, its initial,
 * and with `begun` as much of it as there is at the query's end.
 */
export function endsOf(spelling: Spelling, query: string, starts: readonly number[], begun = true): readonly number[] {
  let ends: number[] | null = null;
  for (const start of starts) {
    for (const way of spelling) {
      for (
        let length = 1;
        length <= way.length && way.charCodeAt(length - 1) === query.charCodeAt(start + length - 1);
        length++
      ) {
        const end = start + length;
        if (!mayEnd(way, length) && !(begun && end === query.length)) continue;
        if (!ends) ends = [end];
        else if (!ends.includes(end)) ends.push(end);
      }
    }
  }
  return ends ?? none;
}

const none: readonly number[] = [];

/** Nobody stops in the middle of a syllable and goes on with the next: `qi` is no 前 unless it is all there is. */
const mayEnd = (reading: string, length: number): boolean =>
  length === 1 || length === reading.length || (length === 2 && /^[zcs]h/.test(reading));

/**
 * Matches Latin letters against Chinese text: each character takes the whole of any of its readings or its initial, the last one any
 * beginning, from the earliest character that fits. Answers the matched positions.
 */
export function matchPinyin(text: string | readonly string[], letters: string, known = readings): number[] | null {
  const characters = typeof text === 'string' ? [...text] : text;
  for (let start = 0; start < characters.length; start++) {
    const found = beginsWord(characters, start) ? consume(characters, start, letters, known) : null;
    if (found) return found;
  }
  return null;
}

const latin = /^[a-z]$/;

/** Whether a word may begin there: anywhere in Chinese, and not in the middle of Latin letters. */
export const beginsWord = (characters: readonly string[], at: number): boolean =>
  !latin.test(characters[at] ?? '') || !latin.test(characters[at - 1] ?? '');

/** The characters from `at` on that the letters use up exactly, or null. What is not Chinese may be left out: `ljqb` is 连接 EVM 钱包. */
function consume(characters: readonly string[], at: number, letters: string, known: typeof readings): number[] | null {
  const character = characters[at];
  if (character === undefined) return null;
  for (const reading of known.get(character) ?? [character]) {
    let shared = 0;
    while (shared < reading.length && shared < letters.length && reading[shared] === letters[shared]) shared++;
    for (let taken = shared; taken > 0; taken--) {
      if (taken === letters.length) return [at];
      if (!mayEnd(reading, taken)) continue;
      const left = letters.slice(taken);
      const rest = consume(characters, at + 1, left, known) ?? afterForeign(characters, at + 1, left, known);
      if (rest) return [at, ...rest];
    }
  }
  return null;
}

function afterForeign(characters: readonly string[], at: number, letters: string, known: typeof readings): number[] | null {
  for (let next = at; next < characters.length && !known.has(characters[next] ?? ''); next++) {
    const found = beginsWord(characters, next + 1) ? consume(characters, next + 1, letters, known) : null;
    if (found) return found;
  }
  return null;
}
