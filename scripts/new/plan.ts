import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../setup.mjs';
import { withEntry, withImport } from './insert.ts';
import { inWordsOf, type Spelled } from './words.ts';

/** New files by their template. */
const files = {
  'api/sample-items/contract.ts': 'contract.ts',
  'api/sample-items/names.ts': 'names.ts',
  'server/sample-items/tables.ts': 'tables.ts',
  'server/sample-items/routes.ts': 'routes.ts',
  'src/commands/sample-items/commands.ts': 'commands.ts',
  'src/commands/sample-items/records.ts': 'records.ts',
  'src/commands/sample-items/resource.ts': 'resource.ts',
  'src/commands/sample-items/aliases.ts': 'aliases.ts',
  'src/views/sample-items/screen.tsx': 'screen.tsx',
  'src/views/sample-items/record.tsx': 'record.tsx',
  'src/views/sample-items/status.tsx': 'status.tsx',
  'src/lib/i18n/zh-CN/sample-items.ts': 'words.zh-CN.ts',
  'src/lib/i18n/en-US/sample-items.ts': 'words.en-US.ts',
  'e2e/sample-items.spec.ts': 'spec.ts',
};

/** A line in a list that is there: what it imports, how the list begins, and the entry. */
interface Line {
  from?: string;
  list: string;
  entry: string;
  place?: 'first';
}

const verbs = ['add', 'edit', 'delete', 'show', 'hide', 'restore'];
const template = (name: string) => readFileSync(new URL(`templates/${name}.txt`, import.meta.url), 'utf8');

/** Every list that names each resource. */
const lines: Record<string, readonly Line[]> = {
  'api/contract.ts': [
    {
      from: `import { sampleItems } from './sample-items/contract.ts';`,
      list: 'export const contract = {',
      entry: 'sampleItems',
    },
  ],
  'api/menu.ts': [{ list: 'export const menu = [', entry: `{ path: '/sampleItems', zh: '示例', en: 'Sample items' }` }],
  'api/names.ts': [
    {
      list: 'export const functions = {',
      entry: `'/sampleItems': [${verbs.map((verb) => `'sampleItems.${verb}'`).join(', ')}]`,
    },
  ],
  'api/all-names.ts': [
    {
      from: `import { sampleItemNames } from './sample-items/names.ts';`,
      list: 'export const allNames = {',
      entry: '...sampleItemNames',
    },
  ],
  'api/workspace/names.ts': [
    { list: "// Going somewhere: permission is the route's path", entry: `'go.sampleItems': go('/sampleItems')`, place: 'first' },
  ],
  'server/app.ts': [
    { from: `import { sampleItems } from './sample-items/routes.ts';`, list: 'on.router({', entry: 'sampleItems' },
  ],
  'src/commands/app/all.ts': [
    { from: `import { sampleItems } from '../sample-items/commands.ts';`, list: 'registry.add(', entry: 'sampleItems' },
  ],
  'src/commands/app/records.ts': [
    {
      from: `import * as sampleItems from '../sample-items/records.ts';`,
      list: 'RecordKind<E> } = {',
      entry: '...sampleItems.records',
      place: 'first', // the last read the chain
    },
  ],
  'src/commands/app/resources.ts': [
    {
      from: `import { places as sampleItems } from '../sample-items/resource.ts';`,
      list: `Pick<Screen, 'icon'> } = {`,
      entry: '...sampleItems',
    },
  ],
  'src/commands/ui/palette/aliases.ts': [
    {
      from: `import { aliases as sampleItems } from '../../sample-items/aliases.ts';`,
      list: 'Record<CommandId, string>> = {',
      entry: '...sampleItems',
    },
  ],
  'src/views/layout/screens.ts': [
    {
      list: 'Record<ScreenPath, View>> = {',
      entry: `'/sampleItems': view(() => import('../sample-items/screen.tsx').then(({ SampleItems }) => SampleItems), 'sampleItems')`,
    },
  ],
  'src/lib/i18n/screen-words.ts': [
    {
      list: 'const screenWords = {',
      entry: `sampleItems: { 'zh-CN': () => import('./zh-CN/sample-items.ts'), 'en-US': () => import('./en-US/sample-items.ts') }`,
    },
  ],
  ...wordsIn('zh-CN', 'export const zhResources = {', '示例'),
  ...wordsIn('en-US', 'export const enResources: ResourceWords = {', 'Sample item'),
};

function wordsIn(language: string, resources: string, one: string): Record<string, readonly Line[]> {
  const folder = `src/lib/i18n/${language}`;
  return {
    [`${folder}/resources.ts`]: [
      { from: `import { sampleItems } from './sample-items.ts';`, list: resources, entry: 'sampleItems' },
    ],
    [`${folder}/ask.ts`]: [{ list: 'export const ask = {', entry: template(`ask.${language}.ts`).trimEnd() }],
    [`${folder}/audit.ts`]: [{ list: '\n  entity: {', entry: `sampleItem: '${one}'` }],
  };
}

/** What is written: text by path, of new files and of those that get a line. Writes nothing; throws a SetupError for a name that is taken. */
export function plan(
  root: string,
  resource: Spelled,
  key?: string,
): { added: Map<string, string>; changed: Map<string, string> } {
  const say = (text: string) => inWordsOf(resource, text);
  const added = new Map<string, string>();
  const changed = new Map<string, string>();
  for (const [path, name] of Object.entries(files)) {
    const file = say(path);
    if (existsSync(join(root, file))) throw new SetupError(`${resource.folder} is taken: ${file} is there already`);
    const text = say(template(name));
    added.set(file, text.replace(`, keys: 'g ?'`, key ? `, keys: '${key}'` : ''));
  }
  for (const [path, entries] of Object.entries(lines)) {
    const source = readFileSync(join(root, path), 'utf8');
    changed.set(
      path,
      entries.reduce((text, { from, list, entry, place }) => {
        if (from && isKnown(text, importedBy(say(from))))
          throw new SetupError(`${importedBy(say(from))} already means something in ${path}: take another name`);
        const put = withEntry(text, list, say(entry), place);
        return from ? withImport(put, say(from)) : put;
      }, source),
    );
  }
  return { added, changed };
}

const importedBy = (line: string) => /(\w+)(?: \})? from/.exec(line)?.[1] ?? '';
const isKnown = (source: string, name: string) =>
  new RegExp(`^import .*\\b${name}\\b.* from|(const|function) ${name}\\b`, 'm').test(source);
