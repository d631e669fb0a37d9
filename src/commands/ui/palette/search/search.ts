import type { CommandId } from '../../../../../api/names.ts';
import { foldText } from '../../../../lib/fold-text.ts';
import { matchPinyin } from '../../../../lib/pinyin/match.ts';
import { matchComposite, matchesInitials, type CompositeMatch } from './composite-match.ts';
import { entryOf, normalizeText, type SearchEntry } from './entries.ts';

/** Best first. Values of one whole number are about equal, so recent use and the screen decide. */
export const matchBands = {
  id: 0,
  title: 1,
  titleStart: 2,
  alias: 2.1,
  titleStartBegun: 2.15,
  titleStartSpelled: 2.2,
  aliasSpelled: 2.3,
  titleWords: 3,
  titlePart: 3.1,
  aliasStart: 4,
  composed: 5,
  loose: 6,
  scattered: 7,
} as const;

export interface Match {
  band: number;
  /** False: found by another word. */
  isCalledSo: boolean;
  /** In the title of the page's language. */
  marks: readonly number[];
}

export const normalizeQuery = (query: string): string => normalizeText(query).trim().replace(/\s+/g, ' ');

export interface SearchQuery {
  asked: string;
  joined: string;
  letters: string | null;
  parts: readonly string[];
}

export function parseQuery(query: string): SearchQuery {
  const foldedQuery = normalizeQuery(query);
  const joined = foldedQuery.replace(/[' ]/g, '');
  return { asked: foldedQuery, joined, letters: /^[a-z()]+$/.test(joined) ? joined : null, parts: foldedQuery.split(' ') };
}

interface ScoredMatch {
  band: number;
  zh?: readonly number[];
  en?: readonly number[];
}

export function matchCommand(id: CommandId, query: SearchQuery, language: 'zh' | 'en'): Match | null {
  if (query.asked === '') return null;
  const entry = entryOf(id);
  const matches = [...matchTitle(entry, query), ...matchTitlePinyin(entry, query, language), ...matchAlias(entry, query)];
  const [bestMatch = matchComposed(entry, query) ?? matchScattered(entry, query)] = matches.toSorted((a, b) => a.band - b.band);
  if (!bestMatch) return null;
  return {
    band: bestMatch.band,
    isCalledSo: [...matches, bestMatch].some(isNameMatch),
    marks: language === 'zh' ? (bestMatch.zh ?? []).map((index) => entry.zhPlaces[index] ?? index) : (bestMatch.en ?? []),
  };
}

const isNameMatch = (score: ScoredMatch): boolean =>
  score.band === matchBands.id || (score.band <= matchBands.titleStartSpelled && (score.zh ?? score.en) !== undefined);

function matchTitle(entry: SearchEntry, { asked, joined, parts }: SearchQuery): ScoredMatch[] {
  const matches: ScoredMatch[] = [];
  const zh = entry.zh.indexOf(joined);
  if (zh >= 0) {
    const score = entry.zh === joined ? matchBands.title : zh === 0 ? matchBands.titleStart : matchBands.titlePart;
    matches.push({ band: isWordAt(entry.zh, zh) ? score : matchBands.loose, zh: range(zh, joined.length) });
  }
  const en = entry.en.indexOf(asked);
  if (en >= 0) {
    const start = isWordAt(entry.en, asked.length) ? matchBands.titleStart : matchBands.titleStartBegun;
    const score = entry.en === asked ? matchBands.title : en === 0 ? start : matchBands.titleWords;
    matches.push({ band: isWordAt(entry.en, en) ? score : matchBands.loose, en: range(en, asked.length) });
  }
  const [lastPart = '', ...otherParts] = parts.toReversed();
  if (hasWordStartingWith(entry.titleWords, lastPart) && otherParts.every((part) => includesWord(entry.titleWords, part)))
    matches.push({ band: matchBands.titleWords, en: wordMarks(entry.en, parts) });
  return matches;
}

function matchTitlePinyin(entry: SearchEntry, { asked, letters }: SearchQuery, language: 'zh' | 'en'): ScoredMatch[] {
  if (letters === null) return [];
  const matches: ScoredMatch[] = [];
  const zh = matchPinyin(entry.characters, letters);
  if (zh) {
    const isWhole = zh.length === entry.characters.length;
    matches.push({ band: zh[0] !== 0 ? matchBands.titlePart : isWhole ? matchBands.title : matchBands.titleStartSpelled, zh });
  }
  if (entry.initials.startsWith(asked))
    matches.push({ band: entry.initials === asked && language === 'en' ? matchBands.titleStartSpelled : matchBands.titleWords });
  return matches;
}

function matchAlias({ id, aliases, idWords }: SearchEntry, { asked, joined }: SearchQuery): ScoredMatch[] {
  if (asked === id) return [{ band: matchBands.id }];
  let bestBand: number =
    id.startsWith(asked) || hasWordStartingWith(idWords, asked) ? matchBands.aliasStart : matchBands.scattered;
  for (const alias of aliases) {
    if (isSingularOrPlural(alias.text, asked)) return [{ band: matchBands.alias }];
    if (matchesInitials(alias, joined)) bestBand = matchBands.aliasSpelled;
    const index = alias.text.indexOf(asked);
    if (index >= 0) bestBand = Math.min(bestBand, isWordAt(alias.text, index) ? matchBands.aliasStart : matchBands.loose);
  }
  return bestBand < matchBands.scattered ? [{ band: bestBand }] : [];
}

/** Chinese has no spaces between words. */
const isWordAt = (text: string, index: number): boolean => index === 0 || !/^[a-z]{2}/.test(text.slice(index - 1));

function matchComposed(entry: SearchEntry, { joined, parts }: SearchQuery): ScoredMatch | null {
  const joinedMatch = matchComposite(entry, joined);
  const separateMatch = joinedMatch?.isWhole || parts.length === 1 ? null : matchPartsSeparately(entry, parts);
  if (separateMatch) return { ...separateMatch, en: wordMarks(entry.en, parts) };
  return joinedMatch && { band: bandOfRun(joinedMatch), zh: joinedMatch.marks, en: wordMarks(entry.en, parts) };
}

function bandOfRun({ pieces, isWhole, marks }: CompositeMatch): number {
  if (pieces > 1) return bandOf(isWhole);
  return marks.length === 0 ? matchBands.aliasStart : marks[0] === 0 ? matchBands.titleStartSpelled : matchBands.titlePart;
}

function matchPartsSeparately(entry: SearchEntry, parts: readonly string[]): ScoredMatch | null {
  const zh: number[] = [];
  let isWhole = true;
  let matchedCount = 0;
  for (const [at, part] of parts.entries()) {
    const piece = isWordOf(entry, part) ? { isWhole: true, marks: [] } : matchComposite(entry, part);
    if (piece) zh.push(...piece.marks);
    if (piece?.isWhole) matchedCount++;
    else if (stopWords.has(part) && (at > 0 || part.length < minScatteredLength)) continue;
    else if (piece || startsWordOf(entry, part)) [isWhole, matchedCount] = [false, matchedCount + 1];
    else if (at > 0 && at === parts.length - 1 && hasWordStartingWith([...stopWords], part)) isWhole = false;
    else return null;
  }
  return matchedCount > 0 ? { band: bandOf(isWhole), zh } : null;
}

const bandOf = (isWhole: boolean): number => (isWhole ? matchBands.composed : matchBands.loose);

const stopWords = new Set(['a', 'an', 'the', 'to', 'of', 'for', 'from', 'in', 'on', 'as', 'and', 'my', 'me', 'it', 'is']);

/** `payouts` matches `payout`, but `news` is not the plural of `new`. */
const isSingularOrPlural = (word: string, part: string): boolean =>
  part.startsWith(word) && (part.length === word.length || (word.length > 3 && part === `${word}s`));

const isWordOf = ({ titleWords, aliases }: SearchEntry, part: string): boolean =>
  includesWord(titleWords, part) || aliases.some(({ words }) => includesWord(words, part));

const includesWord = (words: readonly string[], part: string): boolean => words.some((word) => isSingularOrPlural(word, part));

const hasWordStartingWith = (words: readonly string[], part: string): boolean =>
  words.some((word) => word.startsWith(part) || isSingularOrPlural(word, part));

const startsWordOf = ({ titleWords, aliases, idWords }: SearchEntry, part: string): boolean =>
  hasWordStartingWith(titleWords, part) ||
  aliases.some(({ words }) => hasWordStartingWith(words, part)) ||
  hasWordStartingWith(idWords, part);

function matchScattered(entry: SearchEntry, { joined }: SearchQuery): ScoredMatch | null {
  const zh = findSubsequence(entry.zh, joined);
  if (zh) return { band: matchBands.scattered, zh };
  const en = findSubsequence(entry.en, joined);
  return en && { band: matchBands.scattered, en };
}

const range = (startIndex: number, length: number): number[] => Array.from({ length }, (_, index) => startIndex + index);

function wordMarks(title: string, parts: readonly string[]): number[] {
  const marks = new Set<number>();
  for (const part of parts) {
    const index = title.startsWith(part) ? 0 : title.indexOf(` ${part}`) + 1;
    if (index > 0 || title.startsWith(part)) for (const mark of range(index, part.length)) marks.add(mark);
  }
  return [...marks].sort((a, b) => a - b);
}

export function textMarks(text: string, query: string): number[] {
  const foldedQuery = foldText(query);
  const sourceIndexes: number[] = [];
  let foldedText = '';
  for (const [at, character] of [...text].entries()) {
    const foldedCharacter = character.trim() === '' ? ' ' : foldText(character);
    foldedText += foldedCharacter;
    for (let unit = 0; unit < foldedCharacter.length; unit++) sourceIndexes.push(at);
  }
  const startIndex = foldedQuery === '' ? -1 : foldedText.indexOf(foldedQuery);
  return startIndex < 0 ? [] : [...new Set(sourceIndexes.slice(startIndex, startIndex + foldedQuery.length))];
}

/** Below this, scattered letters match too much. */
export const minScatteredLength = 3;

function findSubsequence(text: string, letters: string): number[] | null {
  if (letters.length < minScatteredLength) return null;
  const marks: number[] = [];
  let startIndex = 0;
  for (const letter of letters) {
    const index = text.indexOf(letter, startIndex);
    if (index < 0) return null;
    marks.push(index);
    startIndex = index + 1;
  }
  return marks;
}
