import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'import-law-'));

// file → what it imports → what the linter says; null where the import is lawful.
const cases: [file: string, imported: string, said: RegExp | null][] = [
  ['api/zebras.ts', '../src/lib/format.ts', /api\/ is the contract/],
  ['api/zebras.ts', '../server/tables.ts', /api\/ is the contract/],
  ['api/zebras.ts', './base.ts', null],
  ['src/lib/zebras.ts', '../commands/app.ts', /src\/lib stands below commands and views/],
  ['src/lib/ui/zebras.tsx', '../../views/home.tsx', /src\/lib stands below commands and views/],
  ['src/lib/zebras.ts', '../../server/tables.ts', /meets the server only in api/],
  ['src/lib/zebras.ts', '../../api/base.ts', null],
  ['src/commands/zebras.ts', '../views/home.tsx', /Commands stand below views/],
  ['src/commands/core/zebras.ts', '../../views/home.tsx', /Commands stand below views/],
  ['src/commands/zebras.ts', 'react', /load in Node: no React and no DOM/],
  ['src/commands/zebras.ts', '../lib/ui/button.tsx', /load in Node: no React and no DOM/],
  ['src/commands/zebras.ts', '../../server/zebras.ts', /meets the server only in api/],
  ['src/commands/zebras.ts', '../lib/format.ts', null],
  ['src/commands/palette/zebras.tsx', 'react', null],
  ['src/views/zebras.tsx', './news.tsx', /Views do not import each other/],
  ['src/views/zebras/herd.tsx', '../news.tsx', /Views do not import each other/],
  ['src/views/zebras/herd.tsx', '../news/row.tsx', /Views do not import each other/],
  ['src/views/zebras.tsx', '../../server/zebras.ts', /meets the server only in api/],
  ['src/views/zebras.tsx', '../../chain/devnet.ts', /takes only ABIs/],
  ['src/views/zebras.tsx', '../../chain/abi/trove.ts', null],
  ['src/views/zebras.tsx', '../../e2e/fixtures.ts', /not the other way round/],
  ['src/views/zebras.tsx', '../testing/panel.tsx', /not the other way round/],
  ['src/lib/zebras.ts', '../testing/api.ts', /not the other way round/],
  ['src/commands/palette/zebras.tsx', '../../testing/keys.ts', /not the other way round/],
  ['src/testing/zebras.ts', '../../server/seeded-roles.ts', null],
  ['src/testing/zebras.ts', '../views/layout/app.tsx', null],
  ['src/views/zebras.tsx', './layout/screens.ts', null],
  ['src/views/zebras.tsx', './zebras/herd.tsx', null],
  ['src/views/zebras/herd.tsx', '../../lib/format.ts', null],
  ['server/zebras.ts', './news.ts', /Resources do not import each other/],
  ['server/zebras.ts', '../src/lib/format.ts', /meets the browser only in api/],
  ['server/zebras.ts', './platform/write.ts', null],
  ['server/zebras.ts', '../api/zebras.ts', null],
  ['server/app.ts', './news.ts', null],
  ['server/platform/zebras.ts', '../news.ts', /server\/platform stands below the resources/],
  ['server/platform/zebras.ts', '../../src/lib/format.ts', /meets the browser only in api/],
  ['server/platform/zebras.ts', '../tables.ts', null],
];

const said = new Map<string, string>();
const fileOf = (index: number, file: string) => (file === 'server/app.ts' ? file : file.replace('zebras', `zebras-${index}`));

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [index, [file, imported]] of cases.entries()) {
    const path = join(folder, fileOf(index, file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { thing } from '${imported}';\nthing();\n`);
  }
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code: string; message: string; help: string }[];
  };
  for (const { filename, code, message, help } of diagnostics) {
    if (code.includes('no-restricted-imports')) said.set(filename, `${said.get(filename) ?? ''}${message} ${help}`);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(cases.map((one, index) => [...one, index] as const))('%s importing %s: %s', (file, _imported, expected, index) => {
  const words = said.get(fileOf(index, file));
  if (expected) expect(words).toMatch(expected);
  else expect(words).toBeUndefined();
});

/** Folders of what several screens are made of: imports, the two of CRSM, the six of statistics. */
const shared = ['layout', 'imports', 'crsm', 'statistics'];

test('a view takes parts only from the folder of its own name and from what several screens share', () => {
  const views = join(root, 'src/views');
  for (const file of readdirSync(views).filter((name) => name.endsWith('.tsx'))) {
    const folders = [...readFileSync(join(views, file), 'utf8').matchAll(/from '\.\/([\w-]+)\//g)].map((match) => match[1]);
    expect([file.replace('.tsx', ''), ...shared]).toEqual(expect.arrayContaining(folders));
  }
});
