import { pinyin } from 'pinyin-pro';
import { allNames } from '../../api/all-names.ts';
import type { CommandId } from '../../api/names.ts';
import { registry } from '../commands/app/all.ts';
import { commandRows } from '../commands/ui/palette/rows.ts';
import { aliases } from '../commands/ui/palette/search/aliases.ts';
import { band, matchCommand, wantedBy } from '../commands/ui/palette/search/search.ts';
import { endsOf, spell, type Spelling } from '../lib/pinyin/match.ts';

type Language = 'zh' | 'en';
const kinds = ['title', 'alias', 'alias + object'] as const;
/** How words are typed; `spaced`: with a space between them. */
const forms = ['plain', 'spaced', 'pinyin', 'initials'] as const;
type Form = (typeof forms)[number];

/** What a colleague types for a command. */
export interface Query {
  id: CommandId;
  language: Language;
  kind: (typeof kinds)[number];
  form: Form;
  words: readonly string[];
  text: string;
}

const isChinese = (word: string): boolean => /\p{Script=Han}/u.test(word);
const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('-', ' ').replaceAll('’', "'");

/** The other words for a command in one language. */
export const aliasesOf = (id: CommandId, language: Language): string[] =>
  [...new Set(aliases[id].split(' '))].map(plain).filter((word) => isChinese(word) === (language === 'zh'));

const titleOf = (id: CommandId, language: Language): string => {
  const title = plain(allNames[id][language]);
  return language === 'zh' ? title.replaceAll(' ', '') : title;
};

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' });
/** Words of English titles that nobody searches by. */
const small = new Set([
  'a',
  'an',
  'the',
  'to',
  'of',
  'or',
  'and',
  'in',
  'by',
  'as',
  'my',
  'this',
  'that',
  'all',
  'on',
  'off',
  'with',
  'up',
]);

/** What a command is about: the last word of its title that is not a function of a contract. */
function objectOf(id: CommandId, language: Language): string | null {
  const title = titleOf(id, language).replace(/\(.*/, '');
  const words = language === 'en' ? title.split(' ') : [...segmenter.segment(title)].map(({ segment }) => segment);
  return words.slice(1).findLast((word) => word.length > 1 && !small.has(word)) ?? null;
}

const syllables = new Map<string, readonly string[]>();
function syllablesOf(word: string): readonly string[] {
  const known = syllables.get(word) ?? pinyin(word, { toneType: 'none', type: 'array', v: true });
  syllables.set(word, known);
  return known;
}

/** A word as it is typed, character by character. */
function typed(word: string, form: Form): readonly string[] {
  if (!isChinese(word) || form === 'plain' || form === 'spaced') return [...word];
  return form === 'pinyin' ? syllablesOf(word) : syllablesOf(word).map((syllable) => syllable.charAt(0));
}

/** Every query for a command by its title and by its aliases, alone and with what it is about. A single letter is no query. */
export function queriesOf(id: CommandId): Query[] {
  const found = new Map<string, Query>();
  for (const language of ['zh', 'en'] as const) {
    const object = objectOf(id, language);
    for (const form of language === 'zh' ? forms : (['plain'] as const)) {
      const ask = (kind: Query['kind'], words: readonly string[]) => {
        const between = language === 'en' || form === 'spaced' ? ' ' : '';
        const text = words.map((word) => typed(word, form).join('')).join(between);
        if (!found.has(text) && !/^[a-z]$/.test(text)) found.set(text, { id, language, kind, form, words, text });
      };
      ask('title', [titleOf(id, language)]);
      for (const alias of aliasesOf(id, language)) {
        ask('alias', [alias]);
        if (object !== null && !alias.includes(object)) ask('alias + object', [alias, object]);
      }
    }
  }
  return [...found.values()];
}

const commands = registry.all.map(({ id, place }) => ({ id, place }));

const named = new Map(
  commands.map(({ id }) => {
    const [zh, en] = [titleOf(id, 'zh'), titleOf(id, 'en')];
    const others = { zh: aliasesOf(id, 'zh'), en: aliasesOf(id, 'en') };
    const words = [en, ...others.en].flatMap((text) => text.split(' '));
    const initials = en
      .split(' ')
      .map((word) => word.charAt(0))
      .join('');
    return [id, { zh, en, initials, spelled: spell(zh), others, spelledOthers: others.zh.map(spell), words }];
  }),
);

/**
 * Whether a query may as well mean this command: its title begins so, it is an alias of it, or each word of the query is an alias or
 * stands in the title.
 */
function mayMean({ language, form, words, text }: Query, id: CommandId): boolean {
  const known = named.get(id);
  if (!known) return false;
  const { zh, en, initials, spelled, others, spelledOthers } = known;
  const isMany = (one: string, word: string) => word === one || word === `${one}s`;
  if (zh.startsWith(text) || en.startsWith(text) || initials === text || others.en.some((alias) => isMany(alias, text)))
    return true;
  if (language === 'en')
    return (
      words.length > 1 && text.split(' ').every((word) => known.words.some((one) => one.startsWith(word) || isMany(one, word)))
    );
  const isAlias = (word: string) => spelledOthers.some((alias) => reach(alias, word, false).at(-1)?.includes(word.length));
  const isInTitle = (word: string, from: number) =>
    reach(spelled.slice(from), word, true).some((ends) => ends.includes(word.length));
  if (isAlias(text) || isInTitle(text, 0)) return true;
  const asked = words.map((word) => typed(word, form).join(''));
  return words.length > 1 && asked.every((word) => isAlias(word) || spelled.some((_, from) => isInTitle(word, from)));
}

/** Where in a text the first character of a word may end, the first two and so on. */
function reach(characters: readonly Spelling[], text: string, begun: boolean): readonly (readonly number[])[] {
  let ends: readonly number[] = [0];
  return characters.map((character) => (ends = endsOf(character, text, ends, begun)));
}

const offered = new Map<string, readonly CommandId[]>();

/** The commands that the palette offers on a screen, best first, to who may run all of them. */
export function offeredFor(text: string, shown: Language, path = '/'): readonly CommandId[] {
  const key = `${shown} ${path} ${text}`;
  const ids = offered.get(key) ?? offer(text, shown, path);
  offered.set(key, ids);
  return ids;
}

const offer = (query: string, shown: Language, path: string): CommandId[] =>
  commandRows({
    commands: registry.all,
    query,
    shown,
    path,
    targets: [],
    judge: () => ({ state: 'ok' }),
    weight: () => 0,
    learned: () => 0,
  }).map(({ command }) => command.id);

/** How many rows a command is to be found among. */
export const firstRows = 3;
/** So many rows of commands the palette shows. */
const mostRows = 35;

/**
 * Whether a query finds its command among the first three rows. Where it may as well mean more than three commands, all of them are to
 * stand there first; and on the command's own screen no other screen's command that fits no better stands before it.
 */
export function isFound(query: Query): boolean {
  const { id, text, language } = query;
  const at = offeredFor(text, language).indexOf(id);
  if (at >= 0 && at < firstRows) return true;
  const meant = commands.filter((command) => mayMean(query, command.id)).length;
  const isAmongMeant = meant > mostRows || (at >= 0 && at < meant);
  const place = placeOf(id);
  if (!place.startsWith('/')) return isAmongMeant;
  const here = offeredFor(text, language, place);
  const fits = (other: CommandId) => Math.floor(matchCommand(other, wantedBy(text), language)?.band ?? band.scattered);
  const before = here.slice(0, here.indexOf(id));
  return isAmongMeant && here.includes(id) && before.every((other) => placeOf(other) === place || fits(other) < fits(id));
}

const placeOf = (id: CommandId): string => commands.find((command) => command.id === id)?.place ?? '';

/** The commands that a query finds although it does not mean them. */
export const strayFor = (query: Query): CommandId[] => offeredFor(query.text, query.language).filter((id) => !mayMean(query, id));
