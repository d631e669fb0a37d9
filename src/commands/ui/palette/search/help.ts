import { foldText } from '../../../../lib/fold-text.ts';
import { helpPath } from '../../../../lib/help/address.ts';
import { outlineOf } from '../../../../lib/help/outlines.ts';
import { helpPages } from '../../../../lib/help/pages.ts';
import { locale } from '../../../../lib/i18n/i18n.ts';
import { locales } from '../../../../lib/i18n/locale.ts';
import { matchPinyin } from '../../../../lib/pinyin/match.ts';
import { moreReadings } from '../../../../lib/pinyin/more-readings.ts';
import { readings } from '../../../../lib/pinyin/readings.ts';

export interface HelpHit {
  /** Page and heading. */
  to: string;
  title: string;
  page: string;
}

interface Place extends HelpHit {
  /** In both languages, folded. */
  titles: readonly string[];
  /** Titles of the page around it, and other words. */
  around: string;
}

const knownReadings = new Map([...readings, ...moreReadings]);
const maxHits = 5;
const shortest = 2;

/** Built once per language of the page. */
const places = new Map<string, readonly Place[]>();

function placesIn(shown: ReturnType<typeof locale>): readonly Place[] {
  const built = places.get(shown) ?? helpPages.flatMap(({ name, words }) => placesOf(shown, name, words));
  places.set(shown, built);
  return built;
}

function placesOf(shown: ReturnType<typeof locale>, name: string, words: string): Place[] {
  const own = outlineOf(shown, name);
  const all = locales.map((one) => outlineOf(one, name));
  const titles = all.map(({ title }) => foldText(title));
  const to = `${helpPath}/${name}`;
  return [
    { to, title: own.title, page: '', titles, around: foldText(words) },
    ...own.headings.map(({ id, title }, at) => ({
      to: `${to}#${id}`,
      title,
      page: own.title,
      titles: all.map(({ headings }) => foldText(headings[at]?.title ?? '')),
      around: titles.join(' '),
    })),
  ];
}

/** Pages and headings, best first. */
export function findHelp(query: string): readonly HelpHit[] {
  const asked = foldText(query);
  if (asked.length < shortest) return [];
  return placesIn(locale())
    .map((place) => ({ place, rank: rankOf(place, asked) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxHits)
    .map(({ place: { to, title, page } }) => ({ to, title, page }));
}

function rankOf({ titles, around }: Place, asked: string): number {
  if (titles.includes(asked)) return 0;
  if (titles.some((title) => title.startsWith(asked))) return 1;
  if (titles.some((title) => title.includes(asked))) return 2;
  if (around.split(' ').includes(asked)) return 3;
  const parts = asked.split(/\s+/);
  const all = `${titles.join(' ')} ${around}`;
  if (parts.length > 1 && parts.every((part) => all.includes(part)) && parts.some((part) => titles.join(' ').includes(part)))
    return 4;
  const letters = asked.replaceAll(' ', '');
  if (/^[a-z]{2,}$/.test(letters) && titles.some((title) => matchPinyin(title, letters, knownReadings))) return 5;
  return Infinity;
}
