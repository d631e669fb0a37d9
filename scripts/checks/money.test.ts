import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'money-check-'));

// Forbidden on the money path, allowed elsewhere.
const moneyFeatures = ['deposits', 'withdrawals', 'custody', 'crsm', 'rewards'];
const moneyFiles = [
  'api/money.ts',
  'api/money-fields.ts',
  'src/lib/money/zebras.tsx',
  'server/platform/evm/zebras.ts',
  'server/platform/bitcoin/zebras.ts',
  ...moneyFeatures.flatMap((feature) =>
    ['api', 'server', 'src/commands', 'src/views'].map((layer) => `${layer}/${feature}/zebras.ts`),
  ),
  'server/rewards/shared/zebras.ts',
  'src/views/rewards/points/zebras.tsx',
];
const floatExpressions = [
  'Number(amount)',
  'parseFloat(amount)',
  'Number.parseInt(amount, 10)',
  '+amount',
  'BigInt(amount).toFixed(2)',
];

const messagesByFile = new Map<string, string[]>();

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const file of [...moneyFiles, 'src/lib/zebras.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const lines = floatExpressions.map(
      (floatExpression, index) => `export const value${index} = (amount) => ${floatExpression};`,
    );
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  }
  const oxlintPath = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlintPath, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; labels: { span: { line: number } }[] }[] };
  for (const { filename, labels } of diagnostics) {
    const line = labels[0]?.span.line ?? 0;
    messagesByFile.set(filename, [...(messagesByFile.get(filename) ?? []), floatExpressions[line - 1] ?? '']);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(moneyFiles)('the linter forbids floating-point amounts in %s', (file) => {
  expect(new Set(messagesByFile.get(file))).toEqual(new Set(floatExpressions));
});

test('the linter allows floating-point numbers outside money paths', () => {
  expect(messagesByFile.get('src/lib/zebras.ts')).toBeUndefined();
});
