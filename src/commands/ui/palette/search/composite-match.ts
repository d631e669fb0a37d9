import { findMatchEnds, type PinyinReadings } from '../../../../lib/pinyin/match.ts';
import type { SearchAlias, SearchEntry } from './entries.ts';

export interface CompositeMatch {
  pieces: number;
  isWhole: boolean;
  marks: readonly number[];
}

/** Initials are so short that three pieces would match anything. */
const maxPieces = (query: string): number => (/^[a-z]/.test(query) ? 2 : 3);
const [minPartLength, minWordLength] = [2, 3];
/** Joining words: 切换到英文, 导出积分的表格. */
const skippedCharacters = '的到成为把';

interface PartialMatch {
  end: number;
  isWhole: boolean;
  /** Positions in the Chinese title, aliases, English words. Each counts once. */
  of: readonly (number | SearchAlias | string)[];
}

/**
 * Whether the query is a run of aliases, title parts and English words, each in full, pinyin or
 * initials. The last may be incomplete.
 */
export function matchComposite(entry: SearchEntry, query: string): CompositeMatch | null {
  if (!entry.firsts.includes(query.charAt(0))) return null;
  let bestPartial: CompositeMatch | null = null;
  let partialMatches: readonly PartialMatch[] = [{ end: 0, isWhole: true, of: [] }];
  for (let pieceCount = 1; pieceCount <= maxPieces(query) && partialMatches.length > 0; pieceCount++) {
    const nextMatches: PartialMatch[] = [];
    for (const { end, of } of partialMatches) {
      for (const nextPiece of matchPiecesFrom(entry, query, end)) {
        if (nextPiece.of.some((part) => of.includes(part))) continue;
        const combined = { ...nextPiece, of: [...of, ...nextPiece.of] };
        const isSkippable = skippedCharacters.includes(query.charAt(nextPiece.end));
        if (nextPiece.end + Number(isSkippable) < query.length) {
          nextMatches.push(combined);
          if (isSkippable) nextMatches.push({ ...combined, end: nextPiece.end + 1 });
        } else if (nextPiece.isWhole || !bestPartial) {
          bestPartial = {
            pieces: pieceCount,
            isWhole: nextPiece.isWhole,
            marks: combined.of.filter((part) => typeof part === 'number'),
          };
          if (bestPartial.isWhole) return bestPartial;
        }
      }
    }
    partialMatches = nextMatches;
  }
  return bestPartial;
}

function matchPiecesFrom(
  { zhSpelled, zhStarts, aliases, titleWords }: SearchEntry,
  query: string,
  startIndex: number,
): PartialMatch[] {
  const matches: PartialMatch[] = [];
  const startIndexes = [startIndex];
  for (const characterIndex of zhStarts) addParts(matches, zhSpelled, characterIndex, query, startIndexes);
  for (const alias of aliases) addAlias(matches, alias, query, startIndexes);
  for (const word of titleWords) addWord(matches, word, query, startIndex);
  return matches;
}

function addParts(
  matches: PartialMatch[],
  title: readonly PinyinReadings[],
  firstIndex: number,
  query: string,
  startIndexes: readonly number[],
): void {
  let endIndexes = startIndexes;
  for (let characterIndex = firstIndex; characterIndex < title.length; characterIndex++) {
    endIndexes = findMatchEnds(title[characterIndex] ?? [], query, endIndexes);
    if (endIndexes.length === 0) return;
    const characterIndexes = Array.from({ length: characterIndex - firstIndex + 1 }, (_, index) => firstIndex + index);
    const isWhole = characterIndexes.length >= minPartLength;
    for (const endIndex of endIndexes)
      if (isWhole || endIndex === query.length) matches.push({ end: endIndex, isWhole, of: characterIndexes });
  }
}

function addAlias(matches: PartialMatch[], alias: SearchAlias, query: string, startIndexes: readonly number[]): void {
  if (!alias.firsts.includes(query.charAt(startIndexes[0] ?? 0))) return;
  let endIndexes = startIndexes;
  for (const [at, character] of alias.characters.entries()) {
    const isLast = at === alias.characters.length - 1;
    if (isLast)
      for (const endIndex of findMatchEnds(character, query, endIndexes, false))
        matches.push({ end: endIndex, isWhole: true, of: [alias] });
    endIndexes = findMatchEnds(character, query, endIndexes);
    if (endIndexes.includes(query.length)) matches.push({ end: query.length, isWhole: false, of: [alias] });
  }
}

function addWord(matches: PartialMatch[], word: string, query: string, startIndex: number): void {
  if (word.charCodeAt(0) !== query.charCodeAt(startIndex)) return;
  const remainingQuery = query.slice(startIndex);
  if (word.startsWith(remainingQuery)) matches.push({ end: query.length, isWhole: word === remainingQuery, of: [word] });
  else if (word.length >= minWordLength && remainingQuery.startsWith(word))
    matches.push({ end: startIndex + word.length, isWhole: true, of: [word] });
}

export function matchesInitials({ characters, firsts }: SearchAlias, query: string): boolean {
  if (!firsts.includes(query.charAt(0))) return false;
  let endIndexes: readonly number[] = [0];
  for (const character of characters) endIndexes = findMatchEnds(character, query, endIndexes, false);
  return endIndexes.includes(query.length);
}
