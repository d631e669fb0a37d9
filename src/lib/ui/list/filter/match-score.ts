import { matchPinyin } from '../../../pinyin/match.ts';
import { moreReadings } from '../../../pinyin/more-readings.ts';
import { readings } from '../../../pinyin/readings.ts';

const knownReadings = new Map([...readings, ...moreReadings]);

/** Least is best: exact, initials, prefix, a word's initials, anywhere. Null: no match. */
export function matchScore(query: string, names: readonly string[]): number | null {
  const requested = normalize(query);
  if (requested === '') return 0;
  const fits = names.flatMap((name) => scoreName(requested, normalize(name)) ?? []);
  return fits.length > 0 ? Math.min(...fits) : null;
}

const normalize = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');

function scoreName(query: string, name: string): number | null {
  if (name === query) return 0;
  if (isInitials(query, name, /\s+/)) return 1;
  const at = name.indexOf(query);
  // A name ranks above an identifier's initials: `ad` is admin@…, not administrators.disable.
  if (at === 0) return 2;
  if (isInitials(query, name, /[\s./@_-]+/)) return 3;
  if (at > 0) return /[\s./@_-]/.test(name.charAt(at - 1)) ? 3 : 4;
  if (!/^[a-z' ]+$/.test(query) || !/\p{Script=Han}/u.test(name)) return null;
  const found = matchPinyin(name, query.replaceAll(/[' ]/g, ''), knownReadings);
  if (!found) return null;
  return found[0] === 0 ? (found.length === [...name].length ? 1 : 2) : 4;
}

const isInitials = (query: string, name: string, between: RegExp): boolean =>
  query.length > 1 &&
  query ===
    name
      .split(between)
      .map((word) => word.charAt(0))
      .join('');
