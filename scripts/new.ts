// npm run new -- banners --zh 横幅 --en Banners --key 'g x': adds a working resource. Rolls back if a later step fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateLists } from './lists/all.ts';
import { sourcesOf } from './lists/features.ts';
import { planFiles } from './new/plan.ts';
import { assertNamesAvailable } from './new/name-conflicts.ts';
import { spellNames } from './new/words.ts';
import { exitWithError, root, runBin, SetupError } from './setup.mjs';

const usage = `npm run new -- <name in the plural> --zh <Chinese name> --en <English name in the plural>
  --one <English singular>   where it is not the plural without its s
  --key 'g x'                keys that go to its screen`;

const derivedFiles = [
  'docs/commands.md',
  'docs/commands.json',
  'qa/kit/commands.ts',
  'docs/permissions.md',
  'src/lib/pinyin/readings.ts',
  'src/lib/pinyin/more-readings.ts',
];
const migrations = 'server/migrations';

try {
  const { name, zh, en, one, key } = parseArguments();
  const resource = spellNames({ name, zh, en, one });
  assertNamesAvailable(resource, tablesSource(), key);
  const { added, changed } = planFiles(root, resource, key);
  const lists = [...(await generateLists(sourcesOf(root))).keys()];
  const previousFiles = new Map(
    [...changed.keys(), ...lists, ...derivedFiles, ...filesUnder(migrations)].map((path) => [path, readText(path)]),
  );
  try {
    for (const [path, text] of [...added, ...changed]) writeText(path, text);
    await step('oxfmt', ...added.keys(), ...changed.keys());
    const drizzleOutput = await step('drizzle-kit', 'generate', '--name', resource.table);
    const migration = newMigration(previousFiles);
    if (!migration) throw undoChanges('drizzle-kit', drizzleOutput); // drizzle-kit exits with 0 even if it made nothing
    writeText(migration, `-- version: ${nextVersion()}\n${readText(migration)}`);
    await step('tsx', 'scripts/lists.ts');
    await step('tsx', 'scripts/pinyin.mjs');
    await step('tsx', 'scripts/permissions.ts');
    await step('tsx', 'scripts/commands.ts');
  } catch (error) {
    for (const path of [...added.keys(), ...filesUnder(migrations)])
      if (!previousFiles.has(path)) rmSync(join(root, path), { force: true });
    for (const path of added.keys()) removeEmpty(dirname(path));
    for (const [path, text] of previousFiles) writeText(path, text);
    throw error;
  }
  console.log(
    [
      `Created: ${[...added.keys(), newMigration(previousFiles)].join(', ')}.`,
      `Added a line to: ${[...changed.keys()].join(', ')}.`,
      `Regenerated: ${[...lists, ...derivedFiles].join(', ')}.`,
      `Next: add its fields (contract, table, routes, commands, screen, words), move it to its place in the menu (api/menu.ts), choose an icon (src/commands/${resource.folder}/resource.ts) and add its permissions to roles (server/seed/roles.ts). Then run npm test.`,
    ].join('\n'),
  );
} catch (error) {
  exitWithError(error);
}

function parseArguments() {
  const options = { zh: { type: 'string' }, en: { type: 'string' }, one: { type: 'string' }, key: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [name, ...extraPositionals] = positionals;
    if (!name || extraPositionals.length > 0 || !values.zh || !values.en) throw new Error('Give a name, --zh and --en.');
    return { ...values, name, zh: values.zh, en: values.en };
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** The next minor version. */
function nextVersion(): string {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}.0`;
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function removeEmpty(folder: string): void {
  if (existsSync(join(root, folder)) && readdirSync(join(root, folder)).length === 0)
    rmSync(join(root, folder), { recursive: true });
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.\w+$/.test(path));
}

function tablesSource(): string {
  return filesUnder('server')
    .filter((path) => path.endsWith('/tables.ts'))
    .map(readText)
    .join('\n');
}

function newMigration(previousFiles: ReadonlyMap<string, string>): string | undefined {
  return filesUnder(migrations).find((path) => !previousFiles.has(path) && path.endsWith('.sql'));
}

async function step(program: string, ...args: string[]): Promise<string> {
  const { code, output } = await runBin(program, args);
  if (code !== 0) throw undoChanges(program, output);
  return output;
}

function undoChanges(program: string, output: string): SetupError {
  return new SetupError(`${program} failed, so nothing was written:\n${output}`);
}
