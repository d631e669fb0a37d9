import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { AnyCommand } from '../../src/commands/engine/define.ts';

export interface ResultTypes {
  rows: Record<string, string>;
  lists: Record<string, string>;
  results: Record<string, string>;
}

const folder = join('.cache', 'qa');
const app = join('src', 'commands', 'app');

/** From the declarations of a compiled probe. */
export async function resultTypes(lists: readonly string[]): Promise<ResultTypes> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'probe.ts'), await writeProbe(lists));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: 'out',
        rootDir: '../..',
        // The output of an earlier run was deleted.
        incremental: false,
        tsBuildInfoFile: null,
      },
      include: ['probe.ts'],
    }),
  );
  const declarationPath = join(folder, 'out', folder, 'probe.d.ts');
  await rm(declarationPath, { force: true });
  // Other files may fail, because their declarations are too long.
  await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder]).catch(() => {});
  const text = await readFile(declarationPath, 'utf8');
  return {
    rows: membersOf(text, 'rows'),
    lists: Object.fromEntries(lists.map((name) => [name, memberText(text, `list_${name}`)])),
    results: Object.fromEntries(Object.entries(membersOf(text, 'results')).map(([id, type]) => [id, resultOf(type)])),
  };
}

async function writeProbe(lists: readonly string[]): Promise<string> {
  const imports: string[] = [];
  const memberLines: string[] = [];
  for (const file of ['all', 'registry'])
    for (const [, name = '', specifier = ''] of (await readFile(join(app, `${file}.ts`), 'utf8')).matchAll(
      /^import \{ ([\w, ]+) \} from '(\.[^']*)';/gm,
    )) {
      const path = join(app, specifier);
      const commandModule = (await import(pathToFileURL(path).href)) as Record<string, readonly AnyCommand[]>;
      for (const list of name.split(', ').filter((name) => Array.isArray(commandModule[name]))) {
        imports.push(`import type { ${list} as of_${list} } from '../../${path}';`);
        for (const { id } of commandModule[list] ?? []) memberLines.push(`  '${id}': answer<typeof of_${list}, '${id}'>(),`);
      }
    }
  return `${imports.join('\n')}
import type { Api } from '../../src/lib/net/client.ts';
import type { Entities } from '../../src/lib/scope.ts';
import '../../${app}/all-records.ts';
type Plain<T> = T extends object ? (T extends infer O ? { [K in keyof O]: Plain<O[K]> } : never) : T;
declare function answer<L extends readonly unknown[], Id>(): L[number] extends infer C
  ? C extends { id: infer I; run: (...args: never[]) => infer R } ? (Id extends I ? [Plain<Awaited<R>>] : never) : never
  : never;
declare function plain<T>(): T extends infer O ? { [K in keyof O]: Plain<O[K]> } : never;
export const rows = plain<Entities>();
export const results = {
${memberLines.join('\n')}
};
${lists.map((name) => `export const list_${name} = plain<Awaited<ReturnType<Api['${name}']['list']>>['rows'][number]>();`).join('\n')}
`;
}

/** Removes void members, which come from a list's shared type. */
function resultOf(type: string): string {
  const [onlyVariant = type, ...otherVariants] = type.split(' | [').map((name, index) => (index > 0 ? `[${name}` : name));
  const reportedVariants = [onlyVariant, ...otherVariants].filter((name) => name !== '[void]');
  const [firstVariant = '[void]'] = reportedVariants;
  return reportedVariants.length > 1 || firstVariant === '[boolean]' ? 'unknown' : emptyType(firstVariant.slice(1, -1));
}

const emptyType = (type: string) =>
  ['void', 'undefined', 'void | null', 'void | undefined', '{ [x: string]: never; }'].includes(type) ? 'null' : type;

function memberText(text: string, name: string): string {
  const start = text.indexOf(`const ${name}: `) + `const ${name}: `.length;
  const end = text.indexOf('\nexport ', start);
  return plainText(text.slice(start, end < 0 ? undefined : end)).replace(/;$/, '');
}

const plainText = (text: string) =>
  text
    .replaceAll(/import\("[^"]*"\)\.RecordedRow/g, 'Readonly<Record<string, unknown>>')
    .replaceAll('readonly ', '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function membersOf(text: string, name: string): Record<string, string> {
  const objectText = memberText(text, name).slice(1, -1);
  const members: Record<string, string> = {};
  let [depth, specifier] = [0, 0];
  for (let index = 0; index < objectText.length; index++) {
    const character = objectText[index] ?? '';
    if ('{[('.includes(character)) depth++;
    else if ('}])'.includes(character)) depth--;
    else if (character === ';' && depth === 0) {
      const member = objectText.slice(specifier, index).trim();
      const colonIndex = member.indexOf(': ');
      members[member.slice(0, colonIndex).replaceAll(/['"]/g, '')] = member.slice(colonIndex + 2);
      specifier = index + 1;
    }
  }
  return members;
}
