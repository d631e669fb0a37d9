import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../setup.mjs';

const ownedPaths = readFileSync(join(root, '.github/CODEOWNERS'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => (line.split(/\s+/)[0] ?? '').replace(/^\//, ''));

test('CODEOWNERS names existing paths', () => {
  expect(ownedPaths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('CODEOWNERS has every folder of a feature that moves money', () => {
  const moneyFeatures = /^(?:authority|crsm|custody|deposits|mints|rewards|signer|withdrawals)$/;
  const folders = ['api', 'server', 'src/commands', 'src/views'].flatMap((layer) =>
    readdirSync(join(root, layer))
      .filter((name) => moneyFeatures.test(name))
      .map((name) => `${layer}/${name}/`),
  );
  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !ownedPaths.includes(folder))).toEqual([]);
});
