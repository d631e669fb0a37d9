import { pinyin } from 'pinyin-pro';
import { allNames } from '../../api/all-names.ts';
import type { CommandId } from '../../api/names.ts';
import { registry } from '../commands/app/all.ts';
import { commandRows } from '../commands/ui/palette/rows.ts';
import { aliases } from '../commands/ui/palette/search/aliases.ts';
import { searchExceptions, sharedInitials } from './palette-exceptions.ts';
import { homeOf } from './palette-words.ts';

type Language = 'zh' | 'en';
const kinds = ['title', 'synonym', 'synonym + object'] as const;
/** `spaced`: with a space between the words. */
const forms = ['plain', 'spaced', 'pinyin', 'initials'] as const;
type Form = (typeof forms)[number];

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

export const aliasesOf = (id: CommandId, language: Language): string[] =>
  [...new Set(aliases[id].split(' '))].map(plain).filter((word) => isChinese(word) === (language === 'zh'));

const titleOf = (id: CommandId, language: Language): string => {
  const title = plain(allNames[id][language]);
  return language === 'zh' ? title.replaceAll(' ', '') : title;
};

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' });
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

/** The last word of the title that is not a contract function. */
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

function typed(word: string, form: Form): readonly string[] {
  if (!isChinese(word) || form === 'plain' || form === 'spaced') return [...word];
  return form === 'pinyin' ? syllablesOf(word) : syllablesOf(word).map((syllable) => syllable.charAt(0));
}

/** An object alone (文章, article) finds the screen, with a verb the command. Single letters do not count. */
export function queriesOf(id: CommandId): Query[] {
  const found = new Map<string, Query>();
  for (const language of ['zh', 'en'] as const) {
    const title = titleOf(id, language);
    const object = objectOf(id, language);
    const verb = object === null ? '' : title.slice(0, title.lastIndexOf(object)).trim();
    const isObject = (word: string) => (homeOf.get(word) ?? id) !== id;
    const objects = aliasesOf(id, language).filter(isObject);
    const verbs = aliasesOf(id, language).filter((word) => !isObject(word));
    for (const form of language === 'zh' ? forms : (['plain'] as const)) {
      const ask = (kind: Query['kind'], words: readonly string[]) => {
        const between = language === 'en' || form === 'spaced' ? ' ' : '';
        const text = words.map((word) => typed(word, form).join('')).join(between);
        if (!found.has(text) && !/^[a-z]$/.test(text)) found.set(text, { id, language, kind, form, words, text });
      };
      ask('title', [title]);
      for (const word of verbs) {
        ask('synonym', [word]);
        for (const other of object === null ? objects : [object, ...objects])
          if (!word.includes(other)) ask('synonym + object', [word, other]);
      }
      if (verb !== '') for (const other of objects) ask('synonym + object', [verb, other]);
    }
  }
  return [...found.values()];
}

const offered = new Map<string, readonly CommandId[]>();

/** Best match first, for a person who may run all commands. */
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
    assess: () => ({ state: 'ok' }),
    weight: () => 0,
    learned: () => 0,
  }).map(({ command }) => command.id);

export const firstRows = 3;

const places = new Map(registry.all.map(({ id, place }) => [id, place]));
const screenOf = (id: CommandId): string => (places.get(id)?.startsWith('/') ? (places.get(id) ?? '/') : '/');

/** On the command's own screen. */
export const isFound = ({ id, text, language }: Query): boolean =>
  offeredFor(text, language, screenOf(id)).slice(0, firstRows).includes(id);

const known = new Map<CommandId, string[]>();
for (const { queries } of searchExceptions)
  for (const [id, texts] of Object.entries(queries))
    known.set(id as CommandId, [...(known.get(id as CommandId) ?? []), ...texts.split(', ')]);

export const isException = ({ id, kind, form, text }: Query): boolean =>
  form === 'initials' ? kind !== 'title' && sharedInitials.has(text) : (known.get(id)?.includes(text) ?? false);

/** Found, or no longer a query. */
export function staleExceptions(): string[] {
  const missed = registry.all.flatMap(({ id }) => queriesOf(id)).filter((query) => isException(query) && !isFound(query));
  const texts = new Set(missed.map(({ id, form, text }) => (form === 'initials' ? text : `${id}: ${text}`)));
  const all = [...known].flatMap(([id, queries]) => queries.map((text) => `${id}: ${text}`));
  return [...sharedInitials, ...all].filter((name) => !texts.has(name));
}

const meanings = new Map<string, Set<CommandId>>();
for (const { id } of registry.all)
  for (const { text } of queriesOf(id)) meanings.set(text, (meanings.get(text) ?? new Set()).add(id));

export const strayFor = ({ text, language }: Query): CommandId[] =>
  offeredFor(text, language).filter((id) => !meanings.get(text)?.has(id) && !titleOf(id, language).includes(text));
