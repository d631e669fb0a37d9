import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] };
}

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Manifest;

/** '/assets/audit-BGpzZJSd.js'. */
export const scriptPath = (source: string): string => `/${findEntry(source).file}`;

/** Named in vite.config.ts. */
export const sharedScript = (name: string): string =>
  scriptPath(Object.keys(manifest).find((source) => source.startsWith(`_${name}-`)) ?? name);

export const stylesheetPath = (source: string): string => `/${findEntry(source).css?.[0] ?? ''}`;

export const importedScripts = (source: string): string[] => (findEntry(source).imports ?? []).map(scriptPath);

function findEntry(source: string) {
  const entry = manifest[source];
  if (!entry) throw new Error(`the build has no ${source}`);
  return entry;
}

/** A copy for PANEL_DIR with all scripts renamed and another build id. Remove it afterwards. */
export async function createNewerBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-build-'));
  await cp('dist', folder, { recursive: true, filter: (file) => !/\.(gz|br)$/.test(file) });
  const assets = join(folder, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const names = new Map(scripts.map((name) => [name, name.replace(/.\.js$/, (suffix) => (suffix === 'x.js' ? 'y.js' : 'x.js'))]));
  const namePattern = new RegExp(scripts.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const replaceNames = (text: string) => text.replaceAll(namePattern, (name) => names.get(name) ?? name);
  for (const name of scripts) {
    await writeFile(join(assets, replaceNames(name)), replaceNames(await readFile(join(assets, name), 'utf8')));
    await rm(join(assets, name));
  }
  const page = join(folder, 'index.html');
  const html = replaceNames(await readFile(page, 'utf8'));
  await writeFile(page, html.replace(/(<meta name="build" content=")[\w-]+/, '$1anewerOne'));
  return folder;
}
