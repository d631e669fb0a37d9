import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'import-check-'));

// [file, import, expected message]. Null: allowed.
const cases: [file: string, imported: string, said: RegExp | null][] = [
  ['api/zebras.ts', '../src/lib/format.ts', /api\/ is the contract/],
  ['api/zebras.ts', '../server/news/tables.ts', /api\/ is the contract/],
  ['api/zebras.ts', './base.ts', null],
  ['api/zebras/contract.ts', '../../server/news/tables.ts', /api\/ is the contract/],
  ['api/zebras/contract.ts', '../base.ts', null],
  ['src/lib/zebras.ts', '../commands/app/app.ts', /src\/lib stands below commands and views/],
  ['src/lib/ui/zebras.tsx', '../../views/news/screen.tsx', /src\/lib stands below commands and views/],
  ['src/lib/zebras.ts', '../../server/news/tables.ts', /meets the server only in api/],
  ['src/lib/zebras.ts', '../../api/base.ts', null],
  ['src/lib/zebras.ts', '../testing/api.ts', /not the other way round/],
  ['src/commands/zebras/commands.ts', '../../views/news/screen.tsx', /Commands stand below views/],
  ['src/commands/zebras/commands.ts', 'react', /load in Node: no React and no DOM/],
  ['src/commands/zebras/commands.ts', '../../lib/ui/button.tsx', /load in Node: no React and no DOM/],
  ['src/commands/zebras/commands.ts', '../../../server/zebras.ts', /meets the server only in api/],
  ['src/commands/zebras/commands.ts', '../news/commands.ts', /Features do not import each other/],
  ['src/commands/zebras/commands.ts', '../news/shared/feeds.ts', null],
  ['src/commands/zebras/commands.ts', '../app/app.ts', /Definitions know no page/],
  ['src/commands/zebras/commands.ts', '../ui/surfaces.tsx', /Definitions know no page/],
  ['src/commands/zebras/commands.ts', '../engine/define.ts', null],
  ['src/commands/zebras/commands.ts', '../../lib/format.ts', null],
  ['src/commands/engine/zebras.ts', '../news/commands.ts', /The engine knows no feature/],
  ['src/commands/engine/zebras.ts', '../app/app.ts', /The engine knows no feature/],
  ['src/commands/engine/zebras.ts', './define.ts', null],
  ['src/commands/engine/herd/zebras.ts', '../../news/commands.ts', /The engine knows no feature/],
  ['src/commands/engine/herd/zebras.ts', '../stripes/keys.ts', null],
  ['src/commands/engine/herd/zebras.ts', '../../../lib/format.ts', null],
  ['src/commands/app/zebras.ts', '../news/commands.ts', null],
  ['src/commands/app/zebras.ts', '../ui/surfaces.tsx', /stands above what runs them/],
  ['src/commands/ui/palette/zebras.tsx', '../../../views/news/screen.tsx', /Commands stand below views/],
  ['src/commands/ui/palette/zebras.tsx', 'react', null],
  ['src/commands/ui/palette/zebras.tsx', '../../../testing/keys.ts', /not the other way round/],
  ['src/views/zebras/screen.tsx', '../news/screen.tsx', /Features do not import each other/],
  ['src/views/zebras/screen.tsx', '../news/shared/row.tsx', null],
  ['src/views/zebras/screen.tsx', './herd.tsx', null],
  ['src/views/zebras/screen.tsx', '../../lib/format.ts', null],
  ['src/views/zebras/screen.tsx', '../../../server/zebras.ts', /meets the server only in api/],
  ['src/views/zebras/screen.tsx', '../../../chain/devnet.ts', /takes only ABIs/],
  ['src/views/zebras/screen.tsx', '../../../chain/abi/trove.ts', null],
  ['src/views/zebras/screen.tsx', '../../../e2e/fixtures.ts', /not the other way round/],
  ['src/views/zebras/herd/screen.tsx', '../../news/screen.tsx', /Features do not import each other/],
  ['src/views/zebras/herd/screen.tsx', '../../../lib/format.ts', null],
  ['src/views/zebras/herd/screen.tsx', '../stripes.tsx', null],
  ['src/views/layout/zebras.tsx', '../news/screen.tsx', null],
  ['src/testing/zebras.ts', '../../server/seed/roles.ts', null],
  ['src/testing/zebras.ts', '../views/layout/app.tsx', null],
  ['server/zebras/routes.ts', '../news/routes.ts', /Features do not import each other/],
  ['server/zebras/routes.ts', '../news/shared/feeds.ts', null],
  ['server/zebras/shared/herd.ts', '../../news/routes.ts', /Features do not import each other/],
  ['server/zebras/shared/herd.ts', '../../news/shared/feeds.ts', null],
  ['server/zebras/shared/herd.ts', '../../news/tables.ts', null],
  ['server/zebras/shared/herd.ts', '../../platform/records/write.ts', null],
  ['server/zebras/shared/herd.ts', '../../../api/zebras.ts', null],
  ['server/zebras/shared/herd.ts', '../stripes.ts', null],
  ['server/zebras/routes.ts', '../news/tables.ts', null],
  ['server/zebras/routes.ts', '../../src/lib/format.ts', /meets the browser only in api/],
  ['server/zebras/routes.ts', '../testing/support.ts', /not the other way round/],
  ['server/zebras/routes.ts', '../platform/records/write.ts', null],
  ['server/zebras/routes.ts', '../../api/zebras.ts', null],
  ['server/app.ts', './news/routes.ts', null],
  ['server/seed/zebras.ts', '../news/routes.ts', null],
  ['server/signer/zebras.ts', '../authority/replay.ts', null],
  ['server/platform/core/zebras.ts', '../../news/routes.ts', /server\/platform stands below the features/],
  ['server/platform/core/zebras.ts', '../../app.ts', /server\/platform stands below the features/],
  ['server/platform/core/zebras.ts', '../../../src/lib/format.ts', /meets the browser only in api/],
  ['server/platform/core/zebras.ts', '../../news/tables.ts', /server\/platform stands below the features/],
  ['server/platform/core/zebras.ts', '../auth/tables.ts', null],
  ['server/platform/core/zebras.ts', '../db/db.ts', null],
  ['server/platform/core/herd/zebras.ts', '../../../news/tables.ts', /server\/platform stands below the features/],
  ['server/platform/core/herd/zebras.ts', '../../db/db.ts', null],
  ['server/platform/core/herd/zebras.ts', '../../../../api/base.ts', null],
];

const messagesByFile = new Map<string, string>();
const fileOf = (index: number, file: string) => (file === 'server/app.ts' ? file : file.replace('zebras', `zebras-${index}`));

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [index, [file, importedFile]] of cases.entries()) {
    const path = join(folder, fileOf(index, file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { thing } from '${importedFile}';\nthing();\n`);
  }
  const oxlintPath = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlintPath, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code: string; message: string; help: string }[];
  };
  for (const { filename, code, message, help } of diagnostics) {
    if (code.includes('no-restricted-imports'))
      messagesByFile.set(filename, `${messagesByFile.get(filename) ?? ''}${message} ${help}`);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(cases.map((importCase, index) => [...importCase, index] as const))(
  '%s importing %s: %s',
  (file, _imported, expected, index) => {
    const message = messagesByFile.get(fileOf(index, file));
    if (expected) expect(message).toMatch(expected);
    else expect(message).toBeUndefined();
  },
);

test('import rules name folders, never single files', () => {
  const { overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as { overrides: { files: string[] }[] };
  const files = new Set(overrides.flatMap((importCase) => importCase.files).filter((glob) => /\/[\w-]+\.tsx?$/.test(glob)));
  expect([...files]).toEqual([]);
});
