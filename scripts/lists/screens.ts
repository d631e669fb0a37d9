import { listsOfCommands } from './commands.ts';
import { toCamelCase, listEntries, filesNamed, groupBy, generatedNotice, screenPathsIn, type Sources } from './features.ts';

const i18nFolder = 'src/lib/i18n';
const languages = ['zh-CN', 'en-US'] as const;
/** Loaded with the sign-in page or the layout. */
const earlyWords =
  /\/(index|resources|screen-words|access\/(login|sign-in|sign-in-errors)|panel\/palette|frame\/(common|frame|list|shell|value))\.ts$/;

export async function screenLists(sources: Sources): Promise<Map<string, string>> {
  return new Map([
    ['src/views/layout/views.ts', viewsText(sources)],
    [`${i18nFolder}/asking.ts`, await confirmWordsText(sources)],
    ...languages.flatMap((language) => [
      [`${i18nFolder}/${language}/resources.ts`, resourcesText(sources, language)] as const,
      [`${i18nFolder}/${language}/screen-words.ts`, screenWordsText(sources, language)] as const,
    ]),
  ]);
}

/** `view` names a folder inside the feature's. */
function viewsText(sources: Sources): string {
  const { read, has } = sources;
  const screens = filesNamed(sources, 'src/commands', 'resource.ts').flatMap(({ feature, path }) => {
    const source = read(path);
    return screenPathsIn(source).flatMap((screenPath) => {
      const entry = screenEntryOf(source, screenPath);
      if (!/\bwords\b|\.\.\./.test(entry)) return []; // a group of the menu
      const view = /\bview: '([^']+)'/.exec(entry)?.[1];
      const folder = view ? `${feature}/${view}` : feature;
      const file = `src/views/${folder}/screen.tsx`;
      if (!has(file)) throw new Error(`${path} has ${screenPath}, but there is no ${file}`);
      const component = /^export (?:function|const) ([A-Z]\w*)\b/m.exec(read(file))?.[1];
      if (component === undefined) throw new Error(`${file} must export its screen`);
      return [{ place: screenPath, folder, component }];
    });
  });
  const loadExpression = ({ folder, component }: (typeof screens)[number]) =>
    `() => import('../${folder}/screen.tsx').then(({ ${component} }) => ${component})`;
  const byFolder = groupBy(screens, ({ folder }) => folder);
  const sharedFolders = [...byFolder.values()].flatMap(([one, other]) => (one && other ? [one] : []));
  const sharedNameOf = (folder: string) =>
    sharedFolders.find((group) => group.folder === folder) && toCamelCase(folder.replaceAll('/', '-'));
  return `${generatedNotice}import type { ComponentType } from 'react';
import type { ScreenPath } from '../../../api/menu.ts';

${sharedFolders.map((group) => `/** One file for several screens. */\nconst ${sharedNameOf(group.folder)} = ${loadExpression(group)};\n\n`).join('')}/** A screen without an entry does not compile. */
export const views: Readonly<Record<ScreenPath, () => Promise<ComponentType>>> = {
${listEntries(screens.map((screen) => `'${screen.place}': ${sharedNameOf(screen.folder) ?? loadExpression(screen)}`))}};
`;
}

const screenEntryOf = (source: string, screenPath: string): string => {
  const start = source.indexOf(`  '${screenPath}':`);
  const end = source.slice(start + 1).search(/^  '|^\}/m);
  return source.slice(start, start + 1 + end);
};

const wordFilesIn = ({ files }: Sources, language: string): string[] =>
  files(`${i18nFolder}/${language}`)
    .filter((path) => !earlyWords.test(path))
    .map((path) => path.slice(`${i18nFolder}/${language}/`.length));

function screenWordsText(sources: Sources, language: (typeof languages)[number]): string {
  const { files, read } = sources;
  const requestedWords = new Set([
    ...filesNamed(sources, 'src/commands', 'resource.ts').flatMap(({ path }) =>
      [...read(path).matchAll(/\bwords: \[([^\]]*)\]/g)].flatMap(([, names = '']) =>
        [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
      ),
    ),
    ...[...files('src/views'), ...files('src/commands/ui')].flatMap((path) =>
      [...read(path).matchAll(/\bloadWords\('(\w+)'\)/g)].map(([, name]) => name),
    ),
  ]);
  const wordFiles = wordFilesIn(sources, language)
    .map((file) => ({ file, name: toCamelCase(file.replace(/^.*\/|\.ts$/g, '')) }))
    .filter(({ name }) => requestedWords.has(name));
  for (const name of requestedWords)
    if (name !== 'resources' && !wordFiles.some((group) => group.name === name))
      throw new Error(`a screen waits for the words ${name}, but no file of words has that name`);
  return `${generatedNotice}
/** The words that a screen, or a part of one, brings with it. */
export const screenWords = {
${listEntries(wordFiles.map(({ file, name }) => `${name}: () => import('./${file}')`))}};
`;
}

/** Each needs a question in both languages. */
async function confirmWordsText(sources: Sources): Promise<string> {
  const commands = (await listsOfCommands(sources)).flatMap((list) => list.commands);
  const confirmedCommands = commands.filter(({ confirm, danger }) => confirm || danger === 'irreversible' || danger === 'money');
  return `${generatedNotice}
/** The commands that ask before they run. */
export type ConfirmedCommand =
${[...new Set(confirmedCommands.map(({ id }) => id))]
  .toSorted()
  .map((id) => `  | '${id}'`)
  .join('\n')};
`;
}

function resourcesText(sources: Sources, language: (typeof languages)[number]): string {
  const files = wordFilesIn(sources, language).map((file) => {
    const source = sources.read(`${i18nFolder}/${language}/${file}`);
    const parts = source.split(/^export const (?=\w+(?:: [^=]+)? = \{)/m).slice(1);
    return { file, words: parts.map((part) => ({ key: /\w+/.exec(part)?.[0] ?? '', hasKinds: /^  kinds: \{/m.test(part) })) };
  });
  const sortedWords = files.flatMap(({ words }) => words).toSorted((group, b) => (group.key < b.key ? -1 : 1));
  const imports = files
    .filter(({ words }) => words.length > 0)
    .map(({ file, words }) => `import { ${words.map(({ key }) => key).join(', ')} } from './${file}';\n`);
  const isChinese = language === 'zh-CN';
  return `${generatedNotice}import type { ${isChinese ? 'ResourceQuestions' : 'ResourceWords'} } from '../${isChinese ? 'questions' : 'i18n'}.ts';
${imports.join('')}
/** The words of every resource: what any command may say wherever it is run. */
export const ${isChinese ? 'zhResources' : 'enResources: ResourceWords'} = {
${listEntries(sortedWords.map(({ key }) => key))}  /** What the audit calls one record of each kind. */
  kinds: {
${listEntries(sortedWords.filter(({ hasKinds }) => hasKinds).map(({ key }) => `...${key}.kinds`))}  },
}${isChinese ? ' satisfies ResourceQuestions & Record<string, unknown>' : ''};
`;
}
