import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] };
}

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Manifest;

/** Where the built panel has a file of its sources, as a page asks for it: '/assets/audit-BGpzZJSd.js'. */
export const scriptOf = (source: string): string => `/${entryOf(source).file}`;

export const stylesheetOf = (source: string): string => `/${entryOf(source).css?.[0] ?? ''}`;

function entryOf(source: string) {
  const entry = manifest[source];
  if (!entry) throw new Error(`the build has no ${source}`);
  return entry;
}

/** The same panel as a later build: another id, and the named sources in files of other names. Answers its folder. */
export function laterBuild(...sources: string[]): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'panel-build-'));
  cpSync('dist', folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const renamed = sources.map((source) => basename(scriptOf(source), '.js'));
  const page = join(folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace(/(name="build" content=")[^"]+/, '$1laterBuild12'));
  for (const name of readdirSync(join(folder, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .concat('../index.html')) {
    const from = join(folder, 'assets', name);
    let text = readFileSync(from, 'utf8');
    for (const one of renamed) text = text.replaceAll(one, `${one}-later`);
    writeFileSync(renamed.includes(basename(name, '.js')) ? from.replace(/\.js$/, '-later.js') : from, text);
  }
  for (const one of renamed) rmSync(join(folder, 'assets', `${one}.js`));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
