import { SetupError } from '../setup.mjs';

export interface ResourceNames {
  /** Plural: `price-alerts` or `priceAlerts`. */
  name: string;
  zh: string;
  /** Plural: `Price alerts`. */
  en: string;
  /** Singular, if not the plural without its s. */
  one?: string | undefined;
  /** g and a letter. */
  key?: string | undefined;
}

/** The name as folder, identifier, table and text. */
export interface SpelledNames {
  folder: string;
  key: string;
  type: string;
  oneKey: string;
  oneType: string;
  table: string;
  zh: string;
  en: string;
  oneEn: string;
}

/** The resource in the templates. */
export const sampleNames = spellNames({ name: 'sample-items', zh: '示例', en: 'Sample items' });

/** Throws SetupError. */
export function spellNames({ name, zh, en, one }: ResourceNames): SpelledNames {
  const folder = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!/^[a-z]{2,}(-[a-z]+)*$/.test(folder))
    throw new SetupError(`"${name}" isn’t a valid name. Use a plural of letters, like banners, price-alerts or priceAlerts`);
  if (!/^[\p{Script=Han}A-Za-z]+$/u.test(zh)) throw new SetupError(`--zh must be the Chinese name, like --zh 横幅, not "${zh}"`);
  if (!/^[A-Z][A-Za-z]*( [A-Za-z]+)*$/.test(en))
    throw new SetupError(`--en must be the English plural, like --en Banners, not "${en}"`);
  const oneFolder = singularOf(folder);
  const oneEn = one ?? singularOf(en);
  if (oneFolder === folder) throw new SetupError(`"${name}" has no singular. Use a plural that ends in s`);
  if (oneEn === en || !/^[A-Z][A-Za-z ]*$/.test(oneEn))
    throw new SetupError(`--one must be the English singular, like --one Banner, not "${oneEn}"`);
  return {
    folder,
    key: toCamelCase(folder),
    type: toPascalCase(folder),
    oneKey: toCamelCase(oneFolder),
    oneType: toPascalCase(oneFolder),
    table: folder.replaceAll('-', '_'),
    zh,
    en,
    oneEn,
  };
}

function singularOf(plural: string): string {
  return plural
    .replace(/ies$/, 'ys')
    .replace(/(ss|x|ch|sh)es$/, '$1s')
    .replace(/s$/, '');
}

function toCamelCase(folder: string): string {
  return folder.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function toPascalCase(folder: string): string {
  return toCamelCase(folder).replace(/^./, (letter) => letter.toUpperCase());
}

const lowerFirst = (text: string) => text.replace(/^./, (letter) => letter.toLowerCase());

export function replaceSampleNames(resource: SpelledNames, text: string): string {
  const replacements = [
    ...(Object.keys(sampleNames) as (keyof SpelledNames)[]).map((nameKey) => [sampleNames[nameKey], resource[nameKey]] as const),
    [lowerFirst(sampleNames.en), lowerFirst(resource.en)] as const,
    [lowerFirst(sampleNames.oneEn), lowerFirst(resource.oneEn)] as const,
  ];
  const replacementsByText = new Map(replacements);
  const longestFirst = [...replacementsByText.keys()].toSorted((a, b) => b.length - a.length);
  return text.replace(new RegExp(longestFirst.join('|'), 'g'), (match) => replacementsByText.get(match) ?? match);
}
