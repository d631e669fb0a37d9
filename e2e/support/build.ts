import { readFileSync } from 'node:fs';

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
