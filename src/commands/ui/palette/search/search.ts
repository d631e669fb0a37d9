import { allNames } from '../../../../../api/all-names.ts';
import type { CommandId } from '../../../../../api/names.ts';
import { aliases as aliasesOf } from './aliases.ts';
import { matchPinyin } from '../../../../lib/pinyin/match.ts';

/** How well a query fits, best first. Inside a band: learned use, then fit to what is selected, then registry order. */
const band = { exactId: 0, exact: 1, titlePrefix: 2, wordPrefix: 3, substring: 4, subsequence: 5 } as const;

export interface Match {
  band: number;
  /** It is called so, or what it is called begins so: no other word for it. */
  isCalledSo: boolean;
  /** Positions of matched characters in the title of the page's language, for marking. */
  marks: readonly number[];
}

interface Entry {
  id: string;
  /** Without its spaces: nobody types those between Chinese and Latin. */
  zh: string;
  /** Where each of its characters stands in the title. */
  zhPlaces: readonly number[];
  en: string;
  aliases: readonly string[];
  words: readonly string[];
  /** First letters of the English title. */
  initials: string;
  /** Characters of the Chinese title. */
  characters: readonly string[];
}

const entries = new Map<string, Entry>();

/** What is searched for a command: built once, in both languages whichever the page shows. */
function entryOf(id: CommandId): Entry {
  const known = entries.get(id);
  if (known) return known;
  const name = allNames[id];
  const aliases = aliasesOf[id].toLowerCase().split(' ').filter(Boolean);
  const words = [...name.en.toLowerCase().split(/[\s-]+/), ...aliases, ...id.toLowerCase().split('.'), ...splitCamel(id)];
  // As the query is: a full-width parenthesis is a parenthesis.
  const spelled = [...name.zh.normalize('NFKC').toLowerCase()];
  const zhPlaces = spelled.flatMap((character, at) => (character === ' ' ? [] : [at]));
  const zh = spelled.filter((character) => character !== ' ').join('');
  const en = name.en.toLowerCase();
  const entry = { id: id.toLowerCase(), zh, zhPlaces, en, aliases, words, initials: initialsOf(en), characters: [...zh] };
  entries.set(id, entry);
  return entry;
}

const splitCamel = (id: string): string[] =>
  (id.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

/** A query as it is compared with names: its spelling and its spaces do not matter. */
export const asAsked = (query: string): string => query.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');

/** A query, taken apart once for all names that it is compared with. */
export interface Wanted {
  asked: string;
  /** Without spaces: nobody types those between Chinese and Latin. */
  joined: string;
  /** Of a query that may be pinyin: its letters. */
  letters: string | null;
  parts: readonly string[];
}

export function wantedBy(query: string): Wanted {
  const asked = asAsked(query);
  const letters = /^[a-z' ()]+$/.test(asked) ? asked.replace(/[' ]/g, '') : null;
  return { asked, joined: asked.replaceAll(' ', ''), letters, parts: asked.split(' ') };
}

/** The best fit of a query to a command in either language or in pinyin, or null. `shown` is the title's language. */
export function matchCommand(id: CommandId, { asked, joined, letters, parts }: Wanted, shown: 'zh' | 'en'): Match | null {
  if (asked === '') return null;
  const entry = entryOf(id);
  let best: Omit<Match, 'isCalledSo'> | null = null;
  let isCalledSo = asked === entry.id;
  const consider = (found: { band: number; marks?: readonly number[]; of?: 'zh' | 'en' } | null) => {
    if (found?.of && found.band <= band.titlePrefix) isCalledSo = true;
    if (found && (!best || found.band < best.band)) {
      const marks = found.of === shown ? (found.marks ?? []) : [];
      best = { band: found.band, marks: shown === 'zh' ? marks.map((at) => entry.zhPlaces[at] ?? at) : marks };
    }
  };
  if (asked === entry.id) consider({ band: band.exactId });
  if (entry.aliases.includes(asked)) consider({ band: band.exact });
  for (const of of ['zh', 'en'] as const) {
    const title = entry[of];
    const typed = of === 'zh' ? joined : asked;
    const at = title.indexOf(typed);
    const marks = range(at, typed.length);
    if (title === typed) consider({ band: band.exact, marks, of });
    else if (at === 0) consider({ band: band.titlePrefix, marks, of });
    else if (at > 0 && (of === 'en' ? title[at - 1] === ' ' : false)) consider({ band: band.wordPrefix, marks, of });
    else if (at > 0) consider({ band: band.substring, marks, of });
  }
  if (letters !== null) {
    const found = matchPinyin(entry.characters, letters);
    if (found) {
      const whole = found.length === entry.characters.length;
      const fits = found[0] === 0 ? (whole ? band.exact : band.titlePrefix) : band.substring;
      consider({ band: fits, marks: found, of: 'zh' });
    }
    if (entry.initials.startsWith(asked)) consider({ band: entry.initials === asked ? band.titlePrefix : band.wordPrefix });
  }
  if (parts.every((part) => entry.words.some((word) => word.startsWith(part))))
    consider({ band: band.wordPrefix, marks: wordMarks(entry.en, parts), of: 'en' });
  if (entry.id.includes(asked) || entry.aliases.some((alias) => alias.includes(asked))) consider({ band: band.substring });
  if (!best && asked.length > 1) {
    for (const of of ['zh', 'en'] as const) {
      const marks = subsequence(entry[of], joined);
      if (marks) consider({ band: band.subsequence, marks, of });
    }
  }
  return best ? { ...(best as Omit<Match, 'isCalledSo'>), isCalledSo } : null;
}

const range = (from: number, length: number): number[] =>
  Array.from({ length: from < 0 ? 0 : length }, (_, index) => from + index);
const initialsOf = (title: string): string =>
  title
    .split(/[\s-]+/)
    .map((word) => word.charAt(0))
    .join('');

function wordMarks(title: string, parts: readonly string[]): number[] {
  const marks = new Set<number>();
  for (const part of parts) {
    const at = title.startsWith(part) ? 0 : title.indexOf(` ${part}`) + 1;
    if (at > 0 || title.startsWith(part)) for (const mark of range(at, part.length)) marks.add(mark);
  }
  return [...marks].sort((a, b) => a - b);
}

/** Where a text holds the query as it is typed, whatever the case: positions of its characters. */
export function textMarks(text: string, query: string): number[] {
  const asked = query.trim().toLowerCase();
  const before = asked === '' ? -1 : text.toLowerCase().indexOf(asked);
  const skipped = text.slice(0, before);
  return before < 0 ? [] : range([...skipped].length, [...asked].length);
}

/** Letters of the query in order anywhere in the text, at least three of them; positions, or null. */
function subsequence(text: string, letters: string): number[] | null {
  if (letters.length < 3) return null;
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
