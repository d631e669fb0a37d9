import { readings } from './readings.ts';

/** The character itself and its readings. */
export type PinyinReadings = readonly string[];

const spellings = new Map<string, PinyinReadings>();

export const toPinyin = (text: string): PinyinReadings[] => [...text].map(readSpelling);

function readSpelling(character: string): PinyinReadings {
  const cachedSpelling = spellings.get(character);
  if (cachedSpelling) return cachedSpelling;
  const spelling = [character, ...(readings.get(character) ?? [])];
  spellings.set(character, spelling);
  return spelling;
}

/**
 * Positions of the query where the character may end, if typed from any of `startPositions`: after a full reading, its initial, or with
 * `isStarted` any prefix at the query's end.
 */
export function findMatchEnds(
  spelling: PinyinReadings,
  query: string,
  startPositions: readonly number[],
  isStarted = true,
): readonly number[] {
  let endPositions: number[] | null = null;
  for (const start of startPositions) {
    for (const reading of spelling) {
      for (
        let length = 1;
        length <= reading.length && reading.charCodeAt(length - 1) === query.charCodeAt(start + length - 1);
        length++
      ) {
        const end = start + length;
        if (!isReadingComplete(reading, length) && !(isStarted && end === query.length)) continue;
        if (!endPositions) endPositions = [end];
        else if (!endPositions.includes(end)) endPositions.push(end);
      }
    }
  }
  return endPositions ?? emptyEnds;
}

const emptyEnds: readonly number[] = [];

/** A prefix other than the initial counts only at the query's end: `qi` does not match 前 in the middle. */
const isReadingComplete = (reading: string, length: number): boolean =>
  length === 1 || length === reading.length || (length === 2 && /^[zcs]h/.test(reading));

/** Each character takes a full reading or its initial, the last one any prefix. Returns the earliest matching positions. */
export function matchPinyin(text: string | readonly string[], query: string, readingsByCharacter = readings): number[] | null {
  const characters = typeof text === 'string' ? [...text] : text;
  for (let start = 0; start < characters.length; start++) {
    const match = isWordStart(characters, start) ? matchFrom(characters, start, query, readingsByCharacter) : null;
    if (match) return match;
  }
  return null;
}

const latinPattern = /^[a-z]$/;

/** Anywhere in Chinese, but not inside a Latin word. */
export const isWordStart = (characters: readonly string[], index: number): boolean =>
  !latinPattern.test(characters[index] ?? '') || !latinPattern.test(characters[index - 1] ?? '');

/** Null unless all letters are used. Characters that are not Chinese may be skipped: `ljqb` matches 连接 EVM 钱包. */
function matchFrom(
  characters: readonly string[],
  index: number,
  query: string,
  readingsByCharacter: typeof readings,
): number[] | null {
  const character = characters[index];
  if (character === undefined) return null;
  for (const reading of readingsByCharacter.get(character) ?? [character]) {
    let commonLength = 0;
    while (commonLength < reading.length && commonLength < query.length && reading[commonLength] === query[commonLength])
      commonLength++;
    for (let consumedLength = commonLength; consumedLength > 0; consumedLength--) {
      if (consumedLength === query.length) return [index];
      if (!isReadingComplete(reading, consumedLength)) continue;
      const remainingLetters = query.slice(consumedLength);
      const restMatch =
        matchFrom(characters, index + 1, remainingLetters, readingsByCharacter) ??
        matchAfterForeign(characters, index + 1, remainingLetters, readingsByCharacter);
      if (restMatch) return [index, ...restMatch];
    }
  }
  return null;
}

function matchAfterForeign(
  characters: readonly string[],
  index: number,
  query: string,
  readingsByCharacter: typeof readings,
): number[] | null {
  for (
    let nextIndex = index;
    nextIndex < characters.length && !readingsByCharacter.has(characters[nextIndex] ?? '');
    nextIndex++
  ) {
    const match = isWordStart(characters, nextIndex + 1)
      ? matchFrom(characters, nextIndex + 1, query, readingsByCharacter)
      : null;
    if (match) return match;
  }
  return null;
}
