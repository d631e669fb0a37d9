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
  await writeFile(join(folder, 'probe.ts'), await probe(lists));
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
  const declared = join(folder, 'out', folder, 'probe.d.ts');
  await rm(declared, { force: true });
  // Other files may fail, because their declarations are too long.
  await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder]).catch(() => {});
  const text = await readFile(declared, 'utf8');
  return {
    rows: membersOf(text, 'rows'),
    lists: Object.fromEntries(lists.map((name) => [name, memberText(text, `list_${name}`)])),
    results: Object.fromEntries(Object.entries(membersOf(text, 'results')).map(([id, type]) => [id, resultOf(type)])),
  };
}

async function probe(lists: readonly string[]): Promise<string> {
  const imports: string[] = [];
  const members: string[] = [];
  for (const file of ['all', 'registry'])
    for (const [, name = '', from = ''] of (await readFile(join(app, `${file}.ts`), 'utf8')).matchAll(
      /^import \{ ([\w, ]+) \} from '(\.[^']*)';/gm,
    )) {
      const path = join(app, from);
      const found = (await import(pathToFileURL(path).href)) as Record<string, readonly AnyCommand[]>;
      for (const list of name.split(', ').filter((one) => Array.isArray(found[one]))) {
        imports.push(`import type { ${list} as of_${list} } from '../../${path}';`);
        for (const { id } of found[list] ?? []) members.push(`  '${id}': answer<typeof of_${list}, '${id}'>(),`);
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
${members.join('\n')}
};
${lists.map((name) => `export const list_${name} = plain<Awaited<ReturnType<Api['${name}']['list']>>['rows'][number]>();`).join('\n')}
`;
}

/** Removes void members, which come from a list's shared type. */
function resultOf(type: string): string {
  const [only = type, ...others] = type.split(' | [').map((one, at) => (at > 0 ? `[${one}` : one));
  const reported = [only, ...others].filter((one) => one !== '[void]');
  const [first = '[void]'] = reported;
  return reported.length > 1 || first === '[boolean]' ? 'unknown' : nothing(first.slice(1, -1));
}

const nothing = (type: string) =>
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
  const whole = memberText(text, name).slice(1, -1);
  const members: Record<string, string> = {};
  let [depth, from] = [0, 0];
  for (let at = 0; at < whole.length; at++) {
    const letter = whole[at] ?? '';
    if ('{[('.includes(letter)) depth++;
    else if ('}])'.includes(letter)) depth--;
    else if (letter === ';' && depth === 0) {
      const member = whole.slice(from, at).trim();
      const cut = member.indexOf(': ');
      members[member.slice(0, cut).replaceAll(/['"]/g, '')] = member.slice(cut + 2);
      from = at + 1;
    }
  }
  return members;
}
