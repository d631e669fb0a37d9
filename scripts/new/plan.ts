import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../setup.mjs';
import { appendEntry } from './insert.ts';
import { replaceSampleNames, type SpelledNames } from './words.ts';

/** From templates. */
const files = {
  'api/sample-items/contract.ts': 'contract.ts',
  'api/sample-items/filters.ts': 'filters.ts',
  'api/sample-items/names.ts': 'names.ts',
  'server/sample-items/tables.ts': 'tables.ts',
  'server/sample-items/routes.ts': 'routes.ts',
  'src/commands/sample-items/commands.ts': 'commands.ts',
  'src/commands/sample-items/recorded.ts': 'recorded.ts',
  'src/commands/sample-items/search.ts': 'search.ts',
  'src/commands/sample-items/resource.ts': 'resource.ts',
  'src/views/sample-items/screen.tsx': 'screen.tsx',
  'src/views/sample-items/record.tsx': 'record.tsx',
  'src/lib/i18n/zh-CN/sample-items.ts': 'words.zh-CN.ts',
  'src/lib/i18n/en-US/sample-items.ts': 'words.en-US.ts',
  'e2e/sample-items.spec.ts': 'spec.ts',
};

/** Other lists are generated (npm run lists). */
const lines = [
  { path: 'api/menu.ts', list: 'export const menu = [', entry: `{ path: '/sampleItems', zh: '示例', en: 'Sample items' }` },
  // Name in the audit.
  { path: 'src/lib/i18n/zh-CN/frame/record.ts', list: '    of: {', entry: `sampleItems: '示例'` },
  { path: 'src/lib/i18n/en-US/frame/record.ts', list: '    of: {', entry: `sampleItems: 'Sample items'` },
];

const readTemplate = (name: string) => readFileSync(new URL(`templates/${name}.txt`, import.meta.url), 'utf8');

/** Text by path. Writes nothing. Throws SetupError for a name in use. */
export function planFiles(
  root: string,
  resource: SpelledNames,
  key?: string,
): { added: Map<string, string>; changed: Map<string, string> } {
  const withNames = (text: string) => replaceSampleNames(resource, text);
  const addedFiles = new Map<string, string>();
  for (const [path, name] of Object.entries(files)) {
    const file = withNames(path);
    if (existsSync(join(root, file))) throw new SetupError(`${resource.folder} is taken: ${file} already exists`);
    addedFiles.set(file, withNames(readTemplate(name)).replace(`, keys: 'g ?'`, key ? `, keys: '${key}'` : ''));
  }
  const changedFiles = new Map<string, string>();
  for (const { path, list, entry } of lines)
    changedFiles.set(path, appendEntry(readFileSync(join(root, path), 'utf8'), list, withNames(entry)));
  return { added: addedFiles, changed: changedFiles };
}
