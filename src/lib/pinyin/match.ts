import { readings } from './readings.ts';

/**
 * Matches Latin letters against Chinese text: each character takes a prefix of any of its readings
 * (full pinyin, initials or a mix), from the earliest character that fits. Answers the matched positions.
 */
export function matchPinyin(text: string, letters: string, known = readings): number[] | null {
  const characters = [...text];
  for (let start = 0; start < characters.length; start++) {
    const length = consume(characters, start, letters, known);
    if (length > 0) return Array.from({ length }, (_, index) => start + index);
  }
  return null;
}

/** How many characters from `at` on the letters use up exactly; 0 when they do not fit. */
function consume(characters: readonly string[], at: number, letters: string, known: typeof readings): number {
  const character = characters[at];
  if (character === undefined) return 0;
  for (const reading of known.get(character) ?? [character]) {
    let shared = 0;
    while (shared < reading.length && shared < letters.length && reading[shared] === letters[shared]) shared++;
    for (let taken = shared; taken > 0; taken--) {
      if (taken === letters.length) return 1;
      const rest = consume(characters, at + 1, letters.slice(taken), known);
      if (rest > 0) return rest + 1;
    }
  }
  return 0;
}
