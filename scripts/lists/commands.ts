import { toCamelCase, listEntries, filesNamed, groupBy, inMenuOrder, generatedNotice, type Sources } from './features.ts';

const commandsFolder = 'src/commands';
/** Searched last, because they read the chain or are seldom wanted. */
const featuresSearchedLast = ['audit', 'account', 'imports', 'statistics', 'custody', 'crsm'];

export async function commandLists(sources: Sources): Promise<Map<string, string>> {
  return new Map([
    [`${commandsFolder}/app/all.ts`, await commandRegistryText(sources)],
    [`${commandsFolder}/app/all-recorded.ts`, recordedText(sources)],
    [`${commandsFolder}/app/all-records.ts`, recordsText(sources)],
    [`${commandsFolder}/app/screens.ts`, screensText(sources)],
    [`${commandsFolder}/ui/palette/search/aliases.ts`, aliasesText(sources)],
  ]);
}

export interface KnownCommand {
  id: string;
  danger: string;
  confirm?: unknown;
}

const isCommand = (value: unknown): value is KnownCommand =>
  typeof value === 'object' && value !== null && 'id' in value && 'permission' in value && 'danger' in value && 'run' in value;

/** In the order of the menu, which is the palette's default order. */
export async function listsOfCommands(sources: Sources) {
  const { files, folders, load } = sources;
  const paths = inMenuOrder(sources, folders(commandsFolder)).flatMap((feature) =>
    files(`${commandsFolder}/${feature}`).filter((path) => !path.includes('/review/')),
  );
  const loadedFiles = paths.map(async (path) =>
    Object.entries(await load(path)).flatMap(([name, value]) =>
      Array.isArray(value) && value.length > 0 && value.every(isCommand)
        ? [{ name, path, commands: value as KnownCommand[] }]
        : [],
    ),
  );
  return (await Promise.all(loadedFiles)).flat();
}

async function commandRegistryText(sources: Sources): Promise<string> {
  const registrySource = sources.read(`${commandsFolder}/app/registry.ts`);
  const lists = (await listsOfCommands(sources))
    .map(({ name, path }) => ({ name, from: path.replace(commandsFolder, '..') }))
    .filter(({ from }) => !registrySource.includes(`'${from}'`));
  const byFile = groupBy(lists, ({ from }) => from);
  const imports = [...byFile].map(
    ([from, listsOfFile]) => `import { ${listsOfFile.map(({ name }) => name).join(', ')} } from '${from}';\n`,
  );
  return `${generatedNotice}${imports.join('')}import { registry } from './registry.ts';

registry.add(
${listEntries(lists.map(({ name }) => name))});

/** Every command there is. */
export { registry } from './registry.ts';
`;
}

const exportsNamed = (sources: Sources, list: 'records' | 'aliases'): string[] =>
  filesNamed(sources, commandsFolder, 'search.ts')
    .filter(({ path }) => sources.read(path).includes(`export const ${list} = `))
    .map(({ feature }) => feature);

function recordsText(sources: Sources): string {
  const features = exportsNamed(sources, 'records');
  const isLast = (feature: string) => featuresSearchedLast.includes(feature);
  const order = [
    ...inMenuOrder(sources, features).filter((feature) => !isLast(feature)),
    ...featuresSearchedLast.filter((feature) => features.includes(feature)),
  ];
  const imports = features.map((feature) => `import { records as ${toCamelCase(feature)} } from '../${feature}/search.ts';\n`);
  return `${generatedNotice}import type { EntityName } from '../../lib/scope.ts';
import type { RecordKind } from '../engine/resource.ts';
${imports.join('')}
/** In the order of the menu, some last (scripts/lists/commands.ts). */
export const records: { readonly [E in Exclude<EntityName, 'version'>]: RecordKind<E> } = {
${listEntries(order.map((feature) => `...${toCamelCase(feature)}`))}};
`;
}

function recordedText(sources: Sources): string {
  const features = filesNamed(sources, commandsFolder, 'recorded.ts').map(({ feature }) => feature);
  const imports = features.map((feature) => `import { recorded as ${toCamelCase(feature)} } from '../${feature}/recorded.ts';\n`);
  return `${generatedNotice}import type { RecordFields } from '../../lib/ui/record/fields.ts';
${imports.join('')}
/** By the audit's word for the record. */
export const recorded: ReadonlyMap<string, RecordFields> = new Map<string, RecordFields>(
  Object.entries({
${listEntries(features.map((feature) => `...${toCamelCase(feature)}`))}  }),
);
`;
}

function screensText(sources: Sources): string {
  const features = filesNamed(sources, commandsFolder, 'resource.ts').map(({ feature }) => feature);
  const imports = features.map((feature) => `import { screens as ${toCamelCase(feature)} } from '../${feature}/resource.ts';\n`);
  return `${generatedNotice}import type { GroupPath, ScreenPath } from '../../../api/menu.ts';
import type { CommandGroup, Screen } from '../engine/resource.ts';
${imports.join('')}
/** A screen or menu group without an entry does not compile. */
export const screensByPath: { readonly [P in ScreenPath]: Screen } & { readonly [P in GroupPath]: CommandGroup } = {
${listEntries(features.map((feature) => `...${toCamelCase(feature)}`))}};
`;
}

function aliasesText(sources: Sources): string {
  const features = exportsNamed(sources, 'aliases');
  const imports = features.map(
    (feature) => `import { aliases as ${toCamelCase(feature)} } from '../../../${feature}/search.ts';\n`,
  );
  return `${generatedNotice}import type { CommandId } from '../../../../../api/names.ts';
${imports.join('')}
/** Search words in both languages. A command without an entry does not compile. */
export const aliases: Readonly<Record<CommandId, string>> = {
${listEntries(features.map((feature) => `...${toCamelCase(feature)}`))}};
`;
}
