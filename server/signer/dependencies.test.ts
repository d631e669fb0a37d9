import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Lists everything that runs beside the minter's key, so that additions are noticed. Packages are named in docs/security.md.

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Without type imports. */
function collectImports(): { files: Set<string>; packages: Set<string> } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const visit = (path: string) => {
    const file = relative(root, path);
    if (files.has(file)) return;
    files.add(file);
    if (!existsSync(path) || !path.endsWith('.ts')) return;
    const source = readFileSync(path, 'utf8')
      .replace(/^import type [^;]*;/gm, '')
      .replace(/^import \{ Socket \} from 'node:net';/gm, ''); // only connects, to the database
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gm))
      if (specifier.startsWith('.')) visit(join(dirname(path), specifier));
      else packages.add(specifier);
  };
  visit(join(root, 'server/signer/main.ts'));
  return { files, packages };
}

test('the signer loads only the listed packages', () => {
  const names = [...collectImports().packages].filter((name) => !name.startsWith('node:'));
  const packages = new Set(
    names.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  expect([...packages].toSorted()).toEqual([
    '@noble/curves',
    '@noble/hashes',
    '@scure/btc-signer',
    'drizzle-orm',
    'pg',
    'pino',
    'viem',
    'zod',
  ]);
});

test('the signer does not parse requests, pictures, feeds or pages, and does not listen', () => {
  const { files, packages } = collectImports();
  const forbiddenFiles = [...files].filter((file) =>
    /platform\/(http|content)\/|\/(routes|rows)\.ts$|server\/(news|imports|pictures|events|saved-views|home|dev\/(?!shared))/.test(
      file,
    ),
  );
  expect(forbiddenFiles).toEqual([]);
  expect([...packages].filter((name) => /^node:(http|https|http2|net|tls|dgram|vm|worker_threads)$/.test(name))).toEqual([]);
});
