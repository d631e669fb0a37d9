import { listsOfCommands } from './commands.ts';
import { toCamelCase, listEntries, filesNamed, groupBy, generatedNotice, placesIn, type Sources } from './features.ts';

const i18n = 'src/lib/i18n';
const languages = ['zh-CN', 'en-US'] as const;
/** Loaded with the sign-in page or the layout. */
const early =
  /\/(index|resources|access\/(login|sign-in|sign-in-errors)|panel\/palette|frame\/(common|errors|frame|list|shell|value))\.ts$/;

export async function screenLists(sources: Sources): Promise<Map<string, string>> {
  return new Map([
    ['src/views/layout/views.ts', viewsOf(sources)],
    [`${i18n}/screen-words.ts`, screenWordsOf(sources)],
    [`${i18n}/asking.ts`, await askingOf(sources)],
    ...languages.map((language) => [`${i18n}/${language}/resources.ts`, resourcesOf(sources, language)] as const),
  ]);
}

/** `view` names a folder inside the feature's. */
function viewsOf(sources: Sources): string {
  const { read, has } = sources;
  const screens = filesNamed(sources, 'src/commands', 'resource.ts').flatMap(({ feature, path }) => {
    const source = read(path);
    return placesIn(source).flatMap((place) => {
      const entry = entryOf(source, place);
      if (!/\bwords\b|\.\.\./.test(entry)) return []; // a group of the menu
      const view = /\bview: '([^']+)'/.exec(entry)?.[1];
      const folder = view ? `${feature}/${view}` : feature;
      const file = `src/views/${folder}/screen.tsx`;
      if (!has(file)) throw new Error(`${path} has ${place}, but there is no ${file}`);
      const component = /^export (?:function|const) ([A-Z]\w*)\b/m.exec(read(file))?.[1];
      if (component === undefined) throw new Error(`${file} must export its screen`);
      return [{ place, folder, component }];
    });
  });
  const load = ({ folder, component }: (typeof screens)[number]) =>
    `() => import('../${folder}/screen.tsx').then(({ ${component} }) => ${component})`;
  const byFolder = groupBy(screens, ({ folder }) => folder);
  const shared = [...byFolder.values()].flatMap(([one, other]) => (one && other ? [one] : []));
  const named = (folder: string) => shared.find((one) => one.folder === folder) && toCamelCase(folder.replaceAll('/', '-'));
  return `${generatedNotice}import type { ComponentType } from 'react';
import type { ScreenPath } from '../../../api/menu.ts';

${shared.map((one) => `/** One file for several screens. */\nconst ${named(one.folder)} = ${load(one)};\n\n`).join('')}/** A screen without an entry does not compile. */
export const views: Readonly<Record<ScreenPath, () => Promise<ComponentType>>> = {
${listEntries(screens.map((screen) => `'${screen.place}': ${named(screen.folder) ?? load(screen)}`))}};
`;
}

const entryOf = (source: string, place: string): string => {
  const start = source.indexOf(`  '${place}':`);
  const end = source.slice(start + 1).search(/^  '|^\}/m);
  return source.slice(start, start + 1 + end);
};

const wordsIn = ({ files }: Sources, language: string): string[] =>
  files(`${i18n}/${language}`)
    .filter((path) => !early.test(path))
    .map((path) => path.slice(`${i18n}/${language}/`.length));

function screenWordsOf(sources: Sources): string {
  const { files, read } = sources;
  const requested = new Set([
    ...filesNamed(sources, 'src/commands', 'resource.ts').flatMap(({ path }) =>
      [...read(path).matchAll(/\bwords: \[([^\]]*)\]/g)].flatMap(([, names = '']) =>
        [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
      ),
    ),
    ...[...files('src/views'), ...files('src/commands/ui')].flatMap((path) =>
      [...read(path).matchAll(/\bloadWords\('(\w+)'\)/g)].map(([, name]) => name),
    ),
  ]);
  const found = wordsIn(sources, 'zh-CN')
    .map((file) => ({ file, name: toCamelCase(file.replace(/^.*\/|\.ts$/g, '')) }))
    .filter(({ name }) => requested.has(name));
  for (const name of requested)
    if (name !== 'resources' && !found.some((one) => one.name === name))
      throw new Error(`a screen waits for the words ${name}, but no file of words has that name`);
  return `${generatedNotice}
/** The words that a screen, or a part of one, brings with it. */
export const screenWords = {
${listEntries(found.map(({ file, name }) => `${name}: { ${languages.map((language) => `'${language}': () => import('./${language}/${file}')`).join(', ')} }`))}};
`;
}

/** Each needs a question in both languages. */
async function askingOf(sources: Sources): Promise<string> {
  const commands = (await listsOfCommands(sources)).flatMap((list) => list.commands);
  const asking = commands.filter(({ confirm, danger }) => confirm || danger === 'irreversible' || danger === 'money');
  return `${generatedNotice}
/** The commands that ask before they run. */
export type Asking =
${[...new Set(asking.map(({ id }) => id))]
  .toSorted()
  .map((id) => `  | '${id}'`)
  .join('\n')};
`;
}

function resourcesOf(sources: Sources, language: (typeof languages)[number]): string {
  const files = wordsIn(sources, language).map((file) => {
    const source = sources.read(`${i18n}/${language}/${file}`);
    const parts = source.split(/^export const (?=\w+(?:: [^=]+)? = \{)/m).slice(1);
    return { file, words: parts.map((part) => ({ key: /\w+/.exec(part)?.[0] ?? '', hasKinds: /^  kinds: \{/m.test(part) })) };
  });
  const all = files.flatMap(({ words }) => words).toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const imports = files
    .filter(({ words }) => words.length > 0)
    .map(({ file, words }) => `import { ${words.map(({ key }) => key).join(', ')} } from './${file}';\n`);
  const isChinese = language === 'zh-CN';
  return `${generatedNotice}import type { ${isChinese ? 'Questions' : 'ResourceWords'} } from '../${isChinese ? 'questions' : 'i18n'}.ts';
${imports.join('')}
/** The words of every resource: what any command may say wherever it is run. */
export const ${isChinese ? 'zhResources' : 'enResources: ResourceWords'} = {
${listEntries(all.map(({ key }) => key))}  /** What the audit calls one record of each kind. */
  kinds: {
${listEntries(all.filter(({ hasKinds }) => hasKinds).map(({ key }) => `...${key}.kinds`))}  },
}${isChinese ? ' satisfies Questions & Record<string, unknown>' : ''};
`;
}
