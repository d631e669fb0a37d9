import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../setup.mjs';

const folders = ['api', 'bench', 'chain', 'e2e', 'qa', 'scripts', 'server', 'src', 'testing'];
const paths = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((path) => !path.includes('node_modules/'));
const fileNames = new Set(paths.map((path) => basename(path)));
const exists = (name: string) =>
  name.includes('/') ? paths.some((path) => path === name || path.endsWith(`/${name}`)) : fileNames.has(name);

const commentsOf = (source: string) => [...source.matchAll(/\/\*\*?\s[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(([comment]) => comment);

test('comments name files that exist', () => {
  const missing = paths
    .filter((path) => /\.(?:tsx?|mts|mjs)$/.test(path) && !path.startsWith('scripts/new/templates/'))
    .flatMap((path) =>
      commentsOf(readFileSync(`${root}/${path}`, 'utf8'))
        .flatMap((comment) => [...comment.matchAll(/(?<![\w./*<-])[a-z][\w./-]*\.(?:tsx?|mts)\b/g)])
        .map(([name]) => name)
        .filter((name) => !exists(name))
        .map((name) => `${path}: ${name}`),
    );
  expect(missing).toEqual([]);
});
