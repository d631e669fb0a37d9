import { foldText } from '../../../../lib/fold-text.ts';
import { helpPath } from '../../../../lib/help/address.ts';
import { readOutline } from '../../../../lib/help/outlines.ts';
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

interface HelpSection extends HelpHit {
  /** In both languages, folded. */
  titles: readonly string[];
  /** Titles of the page around it, and other words. */
  around: string;
}

const knownReadings = new Map([...readings, ...moreReadings]);
const maxHits = 5;
const minQueryLength = 2;

/** Built once per language of the page. */
const sectionsByLocale = new Map<string, readonly HelpSection[]>();

function sectionsIn(language: ReturnType<typeof locale>): readonly HelpSection[] {
  const sections =
    sectionsByLocale.get(language) ?? helpPages.flatMap(({ name, words }) => sectionsOfPage(language, name, words));
  sectionsByLocale.set(language, sections);
  return sections;
}

function sectionsOfPage(language: ReturnType<typeof locale>, name: string, words: string): HelpSection[] {
  const outline = readOutline(language, name);
  const outlines = locales.map((a) => readOutline(a, name));
  const titles = outlines.map(({ title }) => foldText(title));
  const href = `${helpPath}/${name}`;
  return [
    { to: href, title: outline.title, page: '', titles, around: foldText(words) },
    ...outline.headings.map(({ id, title }, index) => ({
      to: `${href}#${id}`,
      title,
      page: outline.title,
      titles: outlines.map(({ headings }) => foldText(headings[index]?.title ?? '')),
      around: titles.join(' '),
    })),
  ];
}

/** Pages and headings, best first. */
export function findHelp(query: string): readonly HelpHit[] {
  const foldedQuery = foldText(query);
  if (foldedQuery.length < minQueryLength) return [];
  return sectionsIn(locale())
    .map((section) => ({ place: section, rank: rankOf(section, foldedQuery) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxHits)
    .map(({ place: { to, title, page } }) => ({ to, title, page }));
}

function rankOf({ titles, around }: HelpSection, foldedQuery: string): number {
  if (titles.includes(foldedQuery)) return 0;
  if (titles.some((title) => title.startsWith(foldedQuery))) return 1;
  if (titles.some((title) => title.includes(foldedQuery))) return 2;
  if (around.split(' ').includes(foldedQuery)) return 3;
  const parts = foldedQuery.split(/\s+/);
  const searchableText = `${titles.join(' ')} ${around}`;
  if (
    parts.length > 1 &&
    parts.every((part) => searchableText.includes(part)) &&
    parts.some((part) => titles.join(' ').includes(part))
  )
    return 4;
  const joinedQuery = foldedQuery.replaceAll(' ', '');
  if (/^[a-z]{2,}$/.test(joinedQuery) && titles.some((title) => matchPinyin(title, joinedQuery, knownReadings))) return 5;
  return Infinity;
}
