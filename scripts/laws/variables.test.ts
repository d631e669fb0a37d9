import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variables } from '../../server/platform/core/config.ts';
import { variables as ofSigner } from '../../server/signer/config.ts';
import { root } from '../setup.mjs';

test('docs/operations.md has a row for each variable that the server and the signer read, and for no other', () => {
  const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const rows = manual.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const told = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
  const read = new Set([...variables, ...ofSigner]);
  expect([...read].filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !read.has(name))).toEqual([]);
});

test.each([
  'compose.yaml',
  'compose.signer.yaml',
  'systemd/admin-panel.service',
  'systemd/admin-panel-signer.service',
  'Containerfile',
])('docs/deploy/%s sets no variable that nobody reads', (file) => {
  const text = readFileSync(join(root, 'docs/deploy', file), 'utf8').replace(/^\s*#.*$/gm, '');
  const set = [...text.matchAll(/(?:^ {6}|[ =])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[:=])/gm)].map(([, name = '']) => name);
  expect(set.length).toBeGreaterThan(1);
  const known = new Set([...variables, ...ofSigner]);
  expect(set.filter((name) => !known.has(name) && !name.startsWith('POSTGRES_'))).toEqual([]);
});
