import { allNames } from '../../../../../api/all-names.ts';
import { goCommandId } from '../../../../../api/go-command-ids.ts';
import { menu, type MenuNode, type ScreenPath } from '../../../../../api/menu.ts';
import type { CommandId } from '../../../../../api/names.ts';
import { isWordStart, toPinyin, type PinyinReadings } from '../../../../lib/pinyin/match.ts';
import { aliases as aliasesOf } from './aliases.ts';

export interface SearchEntry {
  id: string;
  /** Without spaces, which people don't type between Chinese and Latin. */
  zh: string;
  zhPlaces: readonly number[];
  characters: readonly string[];
  zhSpelled: readonly PinyinReadings[];
  /** Positions where a part of the title may begin. */
  zhStarts: readonly number[];
  en: string;
  titleWords: readonly string[];
  initials: string;
  aliases: readonly SearchAlias[];
  idWords: readonly string[];
  firsts: string;
}

export interface SearchAlias {
  text: string;
  words: readonly string[];
  characters: readonly PinyinReadings[];
  firsts: string;
}

const entries = new Map<CommandId, SearchEntry>();
const aliasCache = new Map<string, SearchAlias>();

export function entryOf(id: CommandId): SearchEntry {
  const cachedEntry = entries.get(id);
  if (cachedEntry) return cachedEntry;
  const entry = buildEntry(id);
  entries.set(id, entry);
  return entry;
}

function buildEntry(id: CommandId): SearchEntry {
  const name = allNames[id];
  const titleCharacters = [...normalizeText(name.zh)];
  const zh = titleCharacters.filter((character) => character !== ' ').join('');
  const characters = [...zh];
  const en = normalizeText(name.en);
  const titleWords = en.split(' ');
  const zhSpelled = toPinyin(zh);
  const zhStarts = [...characters.keys()].filter((index) => isWordStart(characters, index));
  const aliases = [...aliasesOf[id].split(' '), ...(groupNames.get(id) ?? [])].map(aliasOf);
  return {
    id: id.toLowerCase(),
    zh,
    zhPlaces: titleCharacters.flatMap((character, index) => (character === ' ' ? [] : [index])),
    characters,
    zhSpelled,
    zhStarts,
    en,
    titleWords,
    initials: titleWords.map((word) => word.charAt(0)).join(''),
    aliases,
    idWords: [...id.toLowerCase().split('.'), ...splitCamel(id)],
    firsts: [
      ...zhStarts.map((index) => firstLettersOf(zhSpelled[index])),
      ...titleWords.map((word) => word.charAt(0)),
      ...aliases.map((alias) => alias.firsts),
    ].join(''),
  };
}

function aliasOf(word: string): SearchAlias {
  const cachedAlias = aliasCache.get(word);
  if (cachedAlias) return cachedAlias;
  const text = normalizeText(word);
  const words = text.split(' ');
  const characters = toPinyin(words.join(''));
  const alias = { text, words, characters, firsts: firstLettersOf(characters[0]) };
  aliasCache.set(word, alias);
  return alias;
}

const firstLettersOf = (spelling: PinyinReadings = []): string => spelling.map((reading) => reading.charAt(0)).join('');

/** Normalizes width, hyphens and apostrophes. */
export const normalizeText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll('-', ' ').replaceAll('’', "'");

const splitCamel = (id: string): string[] =>
  (id.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

/** A group's name finds its screens. */
const groupNames = new Map<string, readonly string[]>(
  menu.flatMap(({ zh, en, children = [] }: MenuNode) => children.map(({ path }) => [goCommandId(path as ScreenPath), [zh, en]])),
);
