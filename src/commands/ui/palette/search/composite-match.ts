import { matchEnds, type PinyinReadings } from '../../../../lib/pinyin/match.ts';
import type { SearchAlias, SearchEntry } from './entries.ts';

export interface CompositeMatch {
  pieces: number;
  isWhole: boolean;
  marks: readonly number[];
}

/** Initials are so short that three pieces would match anything. */
const maxPieces = (query: string): number => (/^[a-z]/.test(query) ? 2 : 3);
const [shortestPart, shortestWord] = [2, 3];
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
  let begun: CompositeMatch | null = null;
  let reached: readonly PartialMatch[] = [{ end: 0, isWhole: true, of: [] }];
  for (let pieces = 1; pieces <= maxPieces(query) && reached.length > 0; pieces++) {
    const further: PartialMatch[] = [];
    for (const { end, of } of reached) {
      for (const piece of piecesFrom(entry, query, end)) {
        if (piece.of.some((one) => of.includes(one))) continue;
        const found = { ...piece, of: [...of, ...piece.of] };
        const isBetween = skippedCharacters.includes(query.charAt(piece.end));
        if (piece.end + Number(isBetween) < query.length) {
          further.push(found);
          if (isBetween) further.push({ ...found, end: piece.end + 1 });
        } else if (piece.isWhole || !begun) {
          begun = { pieces, isWhole: piece.isWhole, marks: found.of.filter((one) => typeof one === 'number') };
          if (begun.isWhole) return begun;
        }
      }
    }
    reached = further;
  }
  return begun;
}

function piecesFrom({ zhSpelled, zhStarts, aliases, titleWords }: SearchEntry, query: string, from: number): PartialMatch[] {
  const found: PartialMatch[] = [];
  const start = [from];
  for (const at of zhStarts) addParts(found, zhSpelled, at, query, start);
  for (const alias of aliases) addAlias(found, alias, query, start);
  for (const word of titleWords) addWord(found, word, query, from);
  return found;
}

function addParts(
  found: PartialMatch[],
  title: readonly PinyinReadings[],
  first: number,
  query: string,
  start: readonly number[],
): void {
  let ends = start;
  for (let at = first; at < title.length; at++) {
    ends = matchEnds(title[at] ?? [], query, ends);
    if (ends.length === 0) return;
    const of = Array.from({ length: at - first + 1 }, (_, index) => first + index);
    const isWhole = of.length >= shortestPart;
    for (const end of ends) if (isWhole || end === query.length) found.push({ end, isWhole, of });
  }
}

function addAlias(found: PartialMatch[], alias: SearchAlias, query: string, start: readonly number[]): void {
  if (!alias.firsts.includes(query.charAt(start[0] ?? 0))) return;
  let ends = start;
  for (const [at, character] of alias.characters.entries()) {
    const isLast = at === alias.characters.length - 1;
    if (isLast) for (const end of matchEnds(character, query, ends, false)) found.push({ end, isWhole: true, of: [alias] });
    ends = matchEnds(character, query, ends);
    if (ends.includes(query.length)) found.push({ end: query.length, isWhole: false, of: [alias] });
  }
}

function addWord(found: PartialMatch[], word: string, query: string, from: number): void {
  if (word.charCodeAt(0) !== query.charCodeAt(from)) return;
  const rest = query.slice(from);
  if (word.startsWith(rest)) found.push({ end: query.length, isWhole: word === rest, of: [word] });
  else if (word.length >= shortestWord && rest.startsWith(word))
    found.push({ end: from + word.length, isWhole: true, of: [word] });
}

export function matchesInitials({ characters, firsts }: SearchAlias, query: string): boolean {
  if (!firsts.includes(query.charAt(0))) return false;
  let ends: readonly number[] = [0];
  for (const character of characters) ends = matchEnds(character, query, ends, false);
  return ends.includes(query.length);
}
