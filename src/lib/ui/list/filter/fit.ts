import { matchPinyin } from '../../../pinyin/match.ts';
import { moreReadings } from '../../../pinyin/more-readings.ts';
import { readings } from '../../../pinyin/readings.ts';

const known = new Map([...readings, ...moreReadings]);

/** How well a query fits any of the names, least first: exactly, all its initials, its beginning, a word's, anywhere; null not at all. */
export function fit(query: string, names: readonly string[]): number | null {
  const asked = plain(query);
  if (asked === '') return 0;
  const fits = names.flatMap((name) => fitOne(asked, plain(name)) ?? []);
  return fits.length > 0 ? Math.min(...fits) : null;
}

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');

function fitOne(asked: string, name: string): number | null {
  if (name === asked) return 0;
  const initials = name
    .split(/[\s./@_-]+/)
    .map((word) => word.charAt(0))
    .join('');
  if (initials === asked && asked.length > 1) return 1;
  const at = name.indexOf(asked);
  if (at === 0) return 2;
  if (at > 0) return /[\s./@_-]/.test(name.charAt(at - 1)) ? 3 : 4;
  if (!/^[a-z' ]+$/.test(asked) || !/\p{Script=Han}/u.test(name)) return null;
  const found = matchPinyin(name, asked.replaceAll(/[' ]/g, ''), known);
  if (!found) return null;
  return found[0] === 0 ? (found.length === [...name].length ? 1 : 2) : 4;
}
