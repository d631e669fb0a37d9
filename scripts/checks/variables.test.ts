import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultValues, configVariables } from '../../server/platform/core/config.ts';
import { signerVariables as ofSigner } from '../../server/signer/config.ts';
import { root } from '../setup.mjs';

/** From the tables in docs/operations. */
const rows = readdirSync(join(root, 'docs/operations'))
  .flatMap((page) => readFileSync(join(root, 'docs/operations', page), 'utf8').split('\n'))
  .filter((line) => /^\| `[A-Z]/.test(line))
  .map((line) => {
    const [, names = '', unset = ''] = line.split('|');
    return { names: [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name), unset };
  });

test('docs/operations documents exactly the variables that server and signer read', () => {
  const reported = rows.flatMap(({ names }) => names);
  const read = new Set([...configVariables, ...ofSigner]);
  expect([...read].filter((name) => !reported.includes(name))).toEqual([]);
  expect(reported.filter((name) => !read.has(name))).toEqual([]);
});

/** Words, and parts between commas. */
const partsOf = (cell: string): string[] => {
  const plain = cell.replaceAll('`', '');
  return [...plain.split(/[,;]|\. /), ...plain.split(/[\s,;]+/)].map((part) => part.trim());
};

test('docs/operations states the default of each variable', () => {
  expect(defaultValues.size).toBeGreaterThan(25);
  const wrong = [...defaultValues].filter(
    ([name, value]) => !rows.some(({ names, unset }) => names.includes(name) && partsOf(unset).includes(value)),
  );
  expect(wrong).toEqual([]);
});

test.each([
  'compose.yaml',
  'compose.signer.yaml',
  'systemd/admin-panel@.service',
  'systemd/admin-panel-signer.service',
  'Containerfile',
])('docs/deploy/%s sets only variables that are read', (file) => {
  const text = readFileSync(join(root, 'docs/deploy', file), 'utf8').replace(/^\s*#.*$/gm, '');
  const set = [...text.matchAll(/(?:^ {6}|[ =])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[:=])/gm)].map(([, name = '']) => name);
  expect(set.length).toBeGreaterThan(1);
  const known = new Set([...configVariables, ...ofSigner, 'MALLOC_ARENA_MAX']); // read by glibc
  expect(set.filter((name) => !known.has(name) && !name.startsWith('POSTGRES_'))).toEqual([]);
});
