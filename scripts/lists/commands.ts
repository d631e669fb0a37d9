import { camel, entries, filesNamed, groupBy, inMenuOrder, madeBy, type Sources } from './features.ts';

const room = 'src/commands';
/** Searched last, because they read the chain or are seldom wanted. */
const last = ['audit', 'account', 'imports', 'statistics', 'custody', 'crsm'];

export async function commandLists(sources: Sources): Promise<Map<string, string>> {
  return new Map([
    [`${room}/app/all.ts`, await allOf(sources)],
    [`${room}/app/all-recorded.ts`, recordedOf(sources)],
    [`${room}/app/all-records.ts`, recordsOf(sources)],
    [`${room}/app/places.ts`, placesOf(sources)],
    [`${room}/ui/palette/search/aliases.ts`, aliasesOf(sources)],
  ]);
}

export interface Known {
  id: string;
  danger: string;
  confirm?: unknown;
}

const isCommand = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && 'id' in value && 'permission' in value && 'danger' in value && 'run' in value;

/** In the order of the menu, which is the palette's default order. */
export async function listsOfCommands(sources: Sources) {
  const { files, folders, load } = sources;
  const paths = inMenuOrder(sources, folders(room)).flatMap((feature) =>
    files(`${room}/${feature}`).filter((path) => !path.includes('/review/')),
  );
  const found = paths.map(async (path) =>
    Object.entries(await load(path)).flatMap(([name, value]) =>
      Array.isArray(value) && value.length > 0 && value.every(isCommand) ? [{ name, path, commands: value as Known[] }] : [],
    ),
  );
  return (await Promise.all(found)).flat();
}

async function allOf(sources: Sources): Promise<string> {
  const first = sources.read(`${room}/app/registry.ts`);
  const lists = (await listsOfCommands(sources))
    .map(({ name, path }) => ({ name, from: path.replace(room, '..') }))
    .filter(({ from }) => !first.includes(`'${from}'`));
  const byFile = groupBy(lists, ({ from }) => from);
  const imports = [...byFile].map(([from, all]) => `import { ${all.map(({ name }) => name).join(', ')} } from '${from}';\n`);
  return `${madeBy}${imports.join('')}import { registry } from './registry.ts';

registry.add(
${entries(lists.map(({ name }) => name))});

/** Every command there is. */
export { registry } from './registry.ts';
`;
}

const having = (sources: Sources, list: 'records' | 'aliases'): string[] =>
  filesNamed(sources, room, 'search.ts')
    .filter(({ path }) => sources.read(path).includes(`export const ${list} = `))
    .map(({ feature }) => feature);

function recordsOf(sources: Sources): string {
  const features = having(sources, 'records');
  const isLast = (feature: string) => last.includes(feature);
  const order = [
    ...inMenuOrder(sources, features).filter((one) => !isLast(one)),
    ...last.filter((one) => features.includes(one)),
  ];
  const imports = features.map((feature) => `import { records as ${camel(feature)} } from '../${feature}/search.ts';\n`);
  return `${madeBy}import type { EntityName } from '../../lib/scope.ts';
import type { RecordKind } from '../engine/resource.ts';
${imports.join('')}
/** In the order of the menu, some last (scripts/lists/commands.ts). */
export const records: { readonly [E in Exclude<EntityName, 'version'>]: RecordKind<E> } = {
${entries(order.map((feature) => `...${camel(feature)}`))}};
`;
}

function recordedOf(sources: Sources): string {
  const features = filesNamed(sources, room, 'recorded.ts').map(({ feature }) => feature);
  const imports = features.map((feature) => `import { recorded as ${camel(feature)} } from '../${feature}/recorded.ts';\n`);
  return `${madeBy}import type { RecordFields } from '../../lib/ui/record/fields.ts';
${imports.join('')}
/** By the audit's word for the record. */
export const recorded: ReadonlyMap<string, RecordFields> = new Map<string, RecordFields>(
  Object.entries({
${entries(features.map((feature) => `...${camel(feature)}`))}  }),
);
`;
}

function placesOf(sources: Sources): string {
  const features = filesNamed(sources, room, 'resource.ts').map(({ feature }) => feature);
  const imports = features.map((feature) => `import { places as ${camel(feature)} } from '../${feature}/resource.ts';\n`);
  return `${madeBy}import type { GroupPath, ScreenPath } from '../../../api/menu.ts';
import type { CommandGroup, Screen } from '../engine/resource.ts';
${imports.join('')}
/** A screen or menu group without an entry does not compile. */
export const places: { readonly [P in ScreenPath]: Screen } & { readonly [P in GroupPath]: CommandGroup } = {
${entries(features.map((feature) => `...${camel(feature)}`))}};
`;
}

function aliasesOf(sources: Sources): string {
  const features = having(sources, 'aliases');
  const imports = features.map((feature) => `import { aliases as ${camel(feature)} } from '../../../${feature}/search.ts';\n`);
  return `${madeBy}import type { CommandId } from '../../../../../api/names.ts';
${imports.join('')}
/** Search words in both languages. A command without an entry does not compile. */
export const aliases: Readonly<Record<CommandId, string>> = {
${entries(features.map((feature) => `...${camel(feature)}`))}};
`;
}
