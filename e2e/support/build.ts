import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] };
}

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Manifest;

/** '/assets/audit-BGpzZJSd.js'. */
export const scriptOf = (source: string): string => `/${entryOf(source).file}`;

/** Named in vite.config.ts. */
export const sharedScript = (name: string): string =>
  scriptOf(Object.keys(manifest).find((source) => source.startsWith(`_${name}-`)) ?? name);

export const stylesheetOf = (source: string): string => `/${entryOf(source).css?.[0] ?? ''}`;

export const importsOf = (source: string): string[] => (entryOf(source).imports ?? []).map(scriptOf);

function entryOf(source: string) {
  const entry = manifest[source];
  if (!entry) throw new Error(`the build has no ${source}`);
  return entry;
}

/** A copy for PANEL_DIR with all scripts renamed and another build id. Remove it afterwards. */
export async function newerBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-build-'));
  await cp('dist', folder, { recursive: true, filter: (file) => !/\.(gz|br)$/.test(file) });
  const assets = join(folder, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const names = new Map(scripts.map((name) => [name, name.replace(/.\.js$/, (end) => (end === 'x.js' ? 'y.js' : 'x.js'))]));
  const isName = new RegExp(scripts.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const renew = (text: string) => text.replaceAll(isName, (name) => names.get(name) ?? name);
  for (const name of scripts) {
    await writeFile(join(assets, renew(name)), renew(await readFile(join(assets, name), 'utf8')));
    await rm(join(assets, name));
  }
  const page = join(folder, 'index.html');
  const html = renew(await readFile(page, 'utf8'));
  await writeFile(page, html.replace(/(<meta name="build" content=")[\w-]+/, '$1anewerOne'));
  return folder;
}
