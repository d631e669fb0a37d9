import { allNames } from '../../../../../api/all-names.ts';
import { goIdOf } from '../../../../../api/go.ts';
import { menu, type MenuNode, type ScreenPath } from '../../../../../api/menu.ts';
import type { CommandId } from '../../../../../api/names.ts';
import { beginsWord, spell, type Spelling } from '../../../../lib/pinyin/match.ts';
import { aliases as aliasesOf } from './aliases.ts';

/** What a command is searched by, in both languages whichever the page shows. */
export interface Entry {
  id: string;
  /** The Chinese title without its spaces: nobody types those between Chinese and Latin. */
  zh: string;
  /** Where each of its characters stands in the title. */
  zhPlaces: readonly number[];
  characters: readonly string[];
  zhSpelled: readonly Spelling[];
  /** Positions of its characters at which a part of it may begin. */
  zhStarts: readonly number[];
  en: string;
  titleWords: readonly string[];
  /** First letters of the English title. */
  initials: string;
  /** Other words for it, and the name of the menu group that a screen stands in. */
  aliases: readonly Alias[];
  /** What its id is made of. */
  idWords: readonly string[];
  /** What any of its words may begin with, typed in any way. */
  firsts: string;
}

export interface Alias {
  text: string;
  words: readonly string[];
  characters: readonly Spelling[];
  /** What it may begin with, typed in any way. */
  firsts: string;
}

const entries = new Map<CommandId, Entry>();
const knownAliases = new Map<string, Alias>();

/** Built when a command is first searched for. */
export function entryOf(id: CommandId): Entry {
  const known = entries.get(id);
  if (known) return known;
  const entry = build(id);
  entries.set(id, entry);
  return entry;
}

function build(id: CommandId): Entry {
  const name = allNames[id];
  const spelled = [...plain(name.zh)];
  const zh = spelled.filter((character) => character !== ' ').join('');
  const characters = [...zh];
  const en = plain(name.en);
  const titleWords = en.split(' ');
  const zhSpelled = spell(zh);
  const zhStarts = [...characters.keys()].filter((at) => beginsWord(characters, at));
  const aliases = [...aliasesOf[id].split(' '), ...(groupNames.get(id) ?? [])].map(aliasOf);
  return {
    id: id.toLowerCase(),
    zh,
    zhPlaces: spelled.flatMap((character, at) => (character === ' ' ? [] : [at])),
    characters,
    zhSpelled,
    zhStarts,
    en,
    titleWords,
    initials: titleWords.map((word) => word.charAt(0)).join(''),
    aliases,
    idWords: [...id.toLowerCase().split('.'), ...splitCamel(id)],
    firsts: [
      ...zhStarts.map((at) => firstsOf(zhSpelled[at])),
      ...titleWords.map((word) => word.charAt(0)),
      ...aliases.map((alias) => alias.firsts),
    ].join(''),
  };
}

/** Commands share most of them. */
function aliasOf(word: string): Alias {
  const known = knownAliases.get(word);
  if (known) return known;
  const text = plain(word);
  const words = text.split(' ');
  const characters = spell(words.join(''));
  const alias = { text, words, characters, firsts: firstsOf(characters[0]) };
  knownAliases.set(word, alias);
  return alias;
}

const firstsOf = (spelling: Spelling = []): string => spelling.map((way) => way.charAt(0)).join('');

/** Words as they are compared: a full-width parenthesis is a parenthesis, and nobody cares for a hyphen or the kind of an apostrophe. */
export const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('-', ' ').replaceAll('’', "'");

const splitCamel = (id: string): string[] =>
  (id.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

/** A group of the menu has no screen of its own: its name finds the screens in it, the first one first. */
const groupNames = new Map<string, readonly string[]>(
  menu.flatMap(({ zh, en, children = [] }: MenuNode) => children.map(({ path }) => [goIdOf(path as ScreenPath), [zh, en]])),
);
