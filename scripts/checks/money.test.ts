import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'money-check-'));

// Forbidden on the money path, allowed elsewhere.
const features = ['deposits', 'withdrawals', 'custody', 'crsm', 'rewards'];
const money = [
  'api/money.ts',
  'api/money-fields.ts',
  'src/lib/money/zebras.tsx',
  'server/platform/evm/zebras.ts',
  'server/platform/bitcoin/zebras.ts',
  ...features.flatMap((feature) => ['api', 'server', 'src/commands', 'src/views'].map((room) => `${room}/${feature}/zebras.ts`)),
  'server/rewards/shared/zebras.ts',
  'src/views/rewards/points/zebras.tsx',
];
const floats = ['Number(amount)', 'parseFloat(amount)', 'Number.parseInt(amount, 10)', '+amount', 'BigInt(amount).toFixed(2)'];

const said = new Map<string, string[]>();

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const file of [...money, 'src/lib/zebras.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const lines = floats.map((float, index) => `export const value${index} = (amount) => ${float};`);
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  }
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; labels: { span: { line: number } }[] }[] };
  for (const { filename, labels } of diagnostics) {
    const line = labels[0]?.span.line ?? 0;
    said.set(filename, [...(said.get(filename) ?? []), floats[line - 1] ?? '']);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(money)('the linter forbids floating-point amounts in %s', (file) => {
  expect(new Set(said.get(file))).toEqual(new Set(floats));
});

test('the linter allows floating-point numbers outside money paths', () => {
  expect(said.get('src/lib/zebras.ts')).toBeUndefined();
});
