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
  const requested = normalizeQuery(query);
  const joined = requested.replace(/[' ]/g, '');
  return { asked: requested, joined, letters: /^[a-z()]+$/.test(joined) ? joined : null, parts: requested.split(' ') };
}

interface Fit {
  band: number;
  zh?: readonly number[];
  en?: readonly number[];
}

export function matchCommand(id: CommandId, query: SearchQuery, shown: 'zh' | 'en'): Match | null {
  if (query.asked === '') return null;
  const entry = entryOf(id);
  const fits = [...byTitle(entry, query), ...byPinyin(entry, query, shown), ...byAlias(entry, query)];
  const [best = composed(entry, query) ?? scattered(entry, query)] = fits.toSorted((one, other) => one.band - other.band);
  if (!best) return null;
  return {
    band: best.band,
    isCalledSo: [...fits, best].some(isCalling),
    marks: shown === 'zh' ? (best.zh ?? []).map((at) => entry.zhPlaces[at] ?? at) : (best.en ?? []),
  };
}

const isCalling = (score: Fit): boolean =>
  score.band === matchBands.id || (score.band <= matchBands.titleStartSpelled && (score.zh ?? score.en) !== undefined);

function byTitle(entry: SearchEntry, { asked, joined, parts }: SearchQuery): Fit[] {
  const fits: Fit[] = [];
  const zh = entry.zh.indexOf(joined);
  if (zh >= 0) {
    const score = entry.zh === joined ? matchBands.title : zh === 0 ? matchBands.titleStart : matchBands.titlePart;
    fits.push({ band: isWordAt(entry.zh, zh) ? score : matchBands.loose, zh: range(zh, joined.length) });
  }
  const en = entry.en.indexOf(asked);
  if (en >= 0) {
    const start = isWordAt(entry.en, asked.length) ? matchBands.titleStart : matchBands.titleStartBegun;
    const score = entry.en === asked ? matchBands.title : en === 0 ? start : matchBands.titleWords;
    fits.push({ band: isWordAt(entry.en, en) ? score : matchBands.loose, en: range(en, asked.length) });
  }
  const [last = '', ...others] = parts.toReversed();
  if (startsOneOf(entry.titleWords, last) && others.every((part) => isOneOf(entry.titleWords, part)))
    fits.push({ band: matchBands.titleWords, en: wordMarks(entry.en, parts) });
  return fits;
}

function byPinyin(entry: SearchEntry, { asked, letters }: SearchQuery, shown: 'zh' | 'en'): Fit[] {
  if (letters === null) return [];
  const fits: Fit[] = [];
  const zh = matchPinyin(entry.characters, letters);
  if (zh) {
    const isWhole = zh.length === entry.characters.length;
    fits.push({ band: zh[0] !== 0 ? matchBands.titlePart : isWhole ? matchBands.title : matchBands.titleStartSpelled, zh });
  }
  if (entry.initials.startsWith(asked))
    fits.push({ band: entry.initials === asked && shown === 'en' ? matchBands.titleStartSpelled : matchBands.titleWords });
  return fits;
}

function byAlias({ id, aliases, idWords }: SearchEntry, { asked, joined }: SearchQuery): Fit[] {
  if (asked === id) return [{ band: matchBands.id }];
  let best: number = id.startsWith(asked) || startsOneOf(idWords, asked) ? matchBands.aliasStart : matchBands.scattered;
  for (const alias of aliases) {
    if (isOrAreMany(alias.text, asked)) return [{ band: matchBands.alias }];
    if (matchesInitials(alias, joined)) best = matchBands.aliasSpelled;
    const at = alias.text.indexOf(asked);
    if (at >= 0) best = Math.min(best, isWordAt(alias.text, at) ? matchBands.aliasStart : matchBands.loose);
  }
  return best < matchBands.scattered ? [{ band: best }] : [];
}

/** Chinese has no spaces between words. */
const isWordAt = (text: string, at: number): boolean => at === 0 || !/^[a-z]{2}/.test(text.slice(at - 1));

function composed(entry: SearchEntry, { joined, parts }: SearchQuery): Fit | null {
  const run = matchComposite(entry, joined);
  const separate = run?.isWhole || parts.length === 1 ? null : composedApart(entry, parts);
  if (separate) return { ...separate, en: wordMarks(entry.en, parts) };
  return run && { band: bandOfRun(run), zh: run.marks, en: wordMarks(entry.en, parts) };
}

function bandOfRun({ pieces, isWhole, marks }: CompositeMatch): number {
  if (pieces > 1) return bandOf(isWhole);
  return marks.length === 0 ? matchBands.aliasStart : marks[0] === 0 ? matchBands.titleStartSpelled : matchBands.titlePart;
}

function composedApart(entry: SearchEntry, parts: readonly string[]): Fit | null {
  const zh: number[] = [];
  let isWhole = true;
  let matchedCount = 0;
  for (const [at, part] of parts.entries()) {
    const piece = isWordOf(entry, part) ? { isWhole: true, marks: [] } : matchComposite(entry, part);
    if (piece) zh.push(...piece.marks);
    if (piece?.isWhole) matchedCount++;
    else if (small.has(part) && (at > 0 || part.length < shortestScattered)) continue;
    else if (piece || startsWordOf(entry, part)) [isWhole, matchedCount] = [false, matchedCount + 1];
    else if (at > 0 && at === parts.length - 1 && startsOneOf([...small], part)) isWhole = false;
    else return null;
  }
  return matchedCount > 0 ? { band: bandOf(isWhole), zh } : null;
}

const bandOf = (isWhole: boolean): number => (isWhole ? matchBands.composed : matchBands.loose);

const small = new Set(['a', 'an', 'the', 'to', 'of', 'for', 'from', 'in', 'on', 'as', 'and', 'my', 'me', 'it', 'is']);

/** `payouts` matches `payout`, but `news` is not the plural of `new`. */
const isOrAreMany = (word: string, part: string): boolean =>
  part.startsWith(word) && (part.length === word.length || (word.length > 3 && part === `${word}s`));

const isWordOf = ({ titleWords, aliases }: SearchEntry, part: string): boolean =>
  isOneOf(titleWords, part) || aliases.some(({ words }) => isOneOf(words, part));

const isOneOf = (words: readonly string[], part: string): boolean => words.some((word) => isOrAreMany(word, part));

const startsOneOf = (words: readonly string[], part: string): boolean =>
  words.some((word) => word.startsWith(part) || isOrAreMany(word, part));

const startsWordOf = ({ titleWords, aliases, idWords }: SearchEntry, part: string): boolean =>
  startsOneOf(titleWords, part) || aliases.some(({ words }) => startsOneOf(words, part)) || startsOneOf(idWords, part);

function scattered(entry: SearchEntry, { joined }: SearchQuery): Fit | null {
  const zh = subsequence(entry.zh, joined);
  if (zh) return { band: matchBands.scattered, zh };
  const en = subsequence(entry.en, joined);
  return en && { band: matchBands.scattered, en };
}

const range = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from + index);

function wordMarks(title: string, parts: readonly string[]): number[] {
  const marks = new Set<number>();
  for (const part of parts) {
    const at = title.startsWith(part) ? 0 : title.indexOf(` ${part}`) + 1;
    if (at > 0 || title.startsWith(part)) for (const mark of range(at, part.length)) marks.add(mark);
  }
  return [...marks].sort((a, b) => a - b);
}

export function textMarks(text: string, query: string): number[] {
  const requested = foldText(query);
  const owners: number[] = [];
  let folded = '';
  for (const [at, character] of [...text].entries()) {
    const plain = character.trim() === '' ? ' ' : foldText(character);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) owners.push(at);
  }
  const from = requested === '' ? -1 : folded.indexOf(requested);
  return from < 0 ? [] : [...new Set(owners.slice(from, from + requested.length))];
}

/** Below this, scattered letters match too much. */
export const shortestScattered = 3;

function subsequence(text: string, letters: string): number[] | null {
  if (letters.length < shortestScattered) return null;
  const marks: number[] = [];
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    marks.push(at);
    from = at + 1;
  }
  return marks;
}
