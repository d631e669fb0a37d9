import { matchPinyin } from '../../../pinyin/match.ts';
import { moreReadings } from '../../../pinyin/more-readings.ts';
import { readings } from '../../../pinyin/readings.ts';

const knownReadings = new Map([...readings, ...moreReadings]);

/** Least is best: exact, initials, prefix, a word's initials, anywhere. Null: no match. */
export function matchScore(query: string, names: readonly string[]): number | null {
  const normalizedQuery = normalize(query);
  if (normalizedQuery === '') return 0;
  const scores = names.flatMap((name) => scoreName(normalizedQuery, normalize(name)) ?? []);
  return scores.length > 0 ? Math.min(...scores) : null;
}

const normalize = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');

function scoreName(query: string, name: string): number | null {
  if (name === query) return 0;
  if (matchesInitials(query, name, /\s+/)) return 1;
  const index = name.indexOf(query);
  // A name ranks above an identifier's initials: `ad` is admin@…, not administrators.disable.
  if (index === 0) return 2;
  if (matchesInitials(query, name, /[\s./@_-]+/)) return 3;
  if (index > 0) return /[\s./@_-]/.test(name.charAt(index - 1)) ? 3 : 4;
  if (!/^[a-z' ]+$/.test(query) || !/\p{Script=Han}/u.test(name)) return null;
  const pinyinMatch = matchPinyin(name, query.replaceAll(/[' ]/g, ''), knownReadings);
  if (!pinyinMatch) return null;
  return pinyinMatch[0] === 0 ? (pinyinMatch.length === [...name].length ? 1 : 2) : 4;
}

const matchesInitials = (query: string, name: string, separator: RegExp): boolean =>
  query.length > 1 &&
  query ===
    name
      .split(separator)
      .map((word) => word.charAt(0))
      .join('');
