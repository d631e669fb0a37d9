import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultTexts, configVariables } from '../../server/platform/core/config.ts';
import { signerVariables as ofSigner } from '../../server/signer/config.ts';
import { root } from '../setup.mjs';

/** From the tables in docs/operations. */
const rows = readdirSync(join(root, 'docs/operations'))
  .flatMap((page) => readFileSync(join(root, 'docs/operations', page), 'utf8').split('\n'))
  .filter((line) => /^\| `[A-Z]/.test(line))
  .map((line) => {
    const [, names = '', defaultText = ''] = line.split('|');
    return { names: [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name), unset: defaultText };
  });

test('docs/operations documents exactly the variables that server and signer read', () => {
  const documentedNames = rows.flatMap(({ names }) => names);
  const readVariables = new Set([...configVariables, ...ofSigner]);
  expect([...readVariables].filter((name) => !documentedNames.includes(name))).toEqual([]);
  expect(documentedNames.filter((name) => !readVariables.has(name))).toEqual([]);
});

/** Words, and parts between commas. */
const partsOf = (cell: string): string[] => {
  const plainText = cell.replaceAll('`', '');
  return [...plainText.split(/[,;]|\. /), ...plainText.split(/[\s,;]+/)].map((part) => part.trim());
};

test('docs/operations states the default of each variable', () => {
  expect(defaultTexts.size).toBeGreaterThan(25);
  const wrongDefaults = [...defaultTexts].filter(
    ([name, value]) =>
      !rows.some(({ names, unset: defaultText }) => names.includes(name) && partsOf(defaultText).includes(value)),
  );
  expect(wrongDefaults).toEqual([]);
});

test.each([
  'compose.yaml',
  'compose.signer.yaml',
  'systemd/admin-panel@.service',
  'systemd/admin-panel-signer.service',
  'Containerfile',
])('docs/deploy/%s sets only variables that are read', (file) => {
  const text = readFileSync(join(root, 'docs/deploy', file), 'utf8').replace(/^\s*#.*$/gm, '');
  const setVariables = [...text.matchAll(/(?:^ {6}|[ =])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[:=])/gm)].map(([, name = '']) => name);
  expect(setVariables.length).toBeGreaterThan(1);
  const knownVariables = new Set([...configVariables, ...ofSigner, 'MALLOC_ARENA_MAX']); // read by glibc
  expect(setVariables.filter((name) => !knownVariables.has(name) && !name.startsWith('POSTGRES_'))).toEqual([]);
});
