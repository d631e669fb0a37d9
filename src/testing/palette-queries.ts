import { pinyin } from 'pinyin-pro';
import { allNames } from '../../api/all-names.ts';
import type { CommandId } from '../../api/names.ts';
import { registry } from '../commands/app/all.ts';
import { commandRows } from '../commands/ui/palette/rows.ts';
import { aliases } from '../commands/ui/palette/search/aliases.ts';
import { searchExceptions, sharedInitials } from './palette-exceptions.ts';
import { commandByWord } from './palette-words.ts';

type Language = 'zh' | 'en';
const kinds = ['title', 'synonym', 'synonym + object'] as const;
/** `spaced`: with a space between the words. */
const queryForms = ['plain', 'spaced', 'pinyin', 'initials'] as const;
type QueryForm = (typeof queryForms)[number];

export interface PaletteQuery {
  id: CommandId;
  language: Language;
  kind: (typeof kinds)[number];
  form: QueryForm;
  words: readonly string[];
  text: string;
}

const isChinese = (word: string): boolean => /\p{Script=Han}/u.test(word);
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('-', ' ').replaceAll('’', "'");

export const readAliases = (id: CommandId, language: Language): string[] =>
  [...new Set(aliases[id].split(' '))].map(normalize).filter((word) => isChinese(word) === (language === 'zh'));

const readTitle = (id: CommandId, language: Language): string => {
  const title = normalize(allNames[id][language]);
  return language === 'zh' ? title.replaceAll(' ', '') : title;
};

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' });
const stopWords = new Set([
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
function findObject(id: CommandId, language: Language): string | null {
  const title = readTitle(id, language).replace(/\(.*/, '');
  const queryWords = language === 'en' ? title.split(' ') : [...segmenter.segment(title)].map(({ segment }) => segment);
  return queryWords.slice(1).findLast((word) => word.length > 1 && !stopWords.has(word)) ?? null;
}

const syllablesByWord = new Map<string, readonly string[]>();
function readSyllables(word: string): readonly string[] {
  const cachedSyllables = syllablesByWord.get(word) ?? pinyin(word, { toneType: 'none', type: 'array', v: true });
  syllablesByWord.set(word, cachedSyllables);
  return cachedSyllables;
}

function spellWord(word: string, form: QueryForm): readonly string[] {
  if (!isChinese(word) || form === 'plain' || form === 'spaced') return [...word];
  return form === 'pinyin' ? readSyllables(word) : readSyllables(word).map((syllable) => syllable.charAt(0));
}

/** An object alone (文章, article) finds the screen, with a verb the command. Single letters do not count. */
export function createQueries(id: CommandId): PaletteQuery[] {
  const queriesByText = new Map<string, PaletteQuery>();
  for (const language of ['zh', 'en'] as const) {
    const title = readTitle(id, language);
    const object = findObject(id, language);
    const verb = object === null ? '' : title.slice(0, title.lastIndexOf(object)).trim();
    const isObject = (word: string) => (commandByWord.get(word) ?? id) !== id;
    const objectAliases = readAliases(id, language).filter(isObject);
    const verbAliases = readAliases(id, language).filter((word) => !isObject(word));
    for (const form of language === 'zh' ? queryForms : (['plain'] as const)) {
      const addQuery = (kind: PaletteQuery['kind'], queryWords: readonly string[]) => {
        const separator = language === 'en' || form === 'spaced' ? ' ' : '';
        const text = queryWords.map((word) => spellWord(word, form).join('')).join(separator);
        if (!queriesByText.has(text) && !/^[a-z]$/.test(text))
          queriesByText.set(text, { id, language, kind, form, words: queryWords, text });
      };
      addQuery('title', [title]);
      for (const word of verbAliases) {
        addQuery('synonym', [word]);
        for (const objectWord of object === null ? objectAliases : [object, ...objectAliases])
          if (!word.includes(objectWord)) addQuery('synonym + object', [word, objectWord]);
      }
      if (verb !== '') for (const objectWord of objectAliases) addQuery('synonym + object', [verb, objectWord]);
    }
  }
  return [...queriesByText.values()];
}

const offeredByQuery = new Map<string, readonly CommandId[]>();

/** Best match first, for a person who may run all commands. */
export function findOffered(text: string, shownLanguage: Language, path = '/'): readonly CommandId[] {
  const key = `${shownLanguage} ${path} ${text}`;
  const ids = offeredByQuery.get(key) ?? searchCommands(text, shownLanguage, path);
  offeredByQuery.set(key, ids);
  return ids;
}

const searchCommands = (query: string, shownLanguage: Language, path: string): CommandId[] =>
  commandRows({
    commands: registry.all,
    query,
    shown: shownLanguage,
    path,
    targets: [],
    assess: () => ({ state: 'ok' }),
    weight: () => 0,
    learned: () => 0,
  }).map(({ command }) => command.id);

export const firstRows = 3;

const pathsByCommand = new Map(registry.all.map(({ id, place }) => [id, place]));
const screenOfCommand = (id: CommandId): string =>
  pathsByCommand.get(id)?.startsWith('/') ? (pathsByCommand.get(id) ?? '/') : '/';

/** On the command's own screen. */
export const isFound = ({ id, text, language }: PaletteQuery): boolean =>
  findOffered(text, language, screenOfCommand(id)).slice(0, firstRows).includes(id);

const exceptionsById = new Map<CommandId, string[]>();
for (const { queries } of searchExceptions)
  for (const [id, texts] of Object.entries(queries))
    exceptionsById.set(id as CommandId, [...(exceptionsById.get(id as CommandId) ?? []), ...texts.split(', ')]);

export const isException = ({ id, kind, form, text }: PaletteQuery): boolean =>
  form === 'initials' ? kind !== 'title' && sharedInitials.has(text) : (exceptionsById.get(id)?.includes(text) ?? false);

/** Found, or no longer a query. */
export function outdatedExceptions(): string[] {
  const missedQueries = registry.all
    .flatMap(({ id }) => createQueries(id))
    .filter((query) => isException(query) && !isFound(query));
  const missedTexts = new Set(missedQueries.map(({ id, form, text }) => (form === 'initials' ? text : `${id}: ${text}`)));
  const allExceptions = [...exceptionsById].flatMap(([id, queries]) => queries.map((text) => `${id}: ${text}`));
  return [...sharedInitials, ...allExceptions].filter((name) => !missedTexts.has(name));
}

const commandsByQuery = new Map<string, Set<CommandId>>();
for (const { id } of registry.all)
  for (const { text } of createQueries(id)) commandsByQuery.set(text, (commandsByQuery.get(text) ?? new Set()).add(id));

export const findStrayCommands = ({ text, language }: PaletteQuery): CommandId[] =>
  findOffered(text, language).filter((id) => !commandsByQuery.get(text)?.has(id) && !readTitle(id, language).includes(text));
