import { readings } from './readings.ts';

/**
 * Matches Latin letters against Chinese text: each character takes a prefix of any of its readings
 * (full pinyin, initials or a mix), from the earliest character that fits. Answers the matched positions.
 */
export function matchPinyin(text: string | readonly string[], letters: string, known = readings): number[] | null {
  const characters = typeof text === 'string' ? [...text] : text;
  for (let start = 0; start < characters.length; start++) {
    const found = consume(characters, start, letters, known);
    if (found) return found;
  }
  return null;
}

/** The characters from `at` on that the letters use up exactly, or null. What is not Chinese may be left out: `ljqb` is 连接 EVM 钱包. */
function consume(
  characters: readonly string[],
  at: number,
  letters: string,
  known: typeof readings,
  isFirst = true,
): number[] | null {
  const character = characters[at];
  if (character === undefined) return null;
  const read = known.get(character);
  for (const reading of read ?? [character]) {
    let shared = 0;
    while (shared < reading.length && shared < letters.length && reading[shared] === letters[shared]) shared++;
    for (let taken = shared; taken > 0; taken--) {
      if (taken === letters.length) return [at];
      const rest = consume(characters, at + 1, letters.slice(taken), known, false);
      if (rest) return [at, ...rest];
    }
  }
  return read || isFirst ? null : consume(characters, at + 1, letters, known, false);
}
