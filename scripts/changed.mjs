// What the working tree's changes touch: the test files that reach a changed file by imports, and the browser tests of its feature.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from './setup.mjs';

/**
 * Nearly everything imports these, so a way through them says nothing: who is reached only so is left to `npm test`. A change of one
 * of them itself is looked at by the tests beside it and by the types.
 */
const hubs = [
  /^server\/(app|serve|seed|tables|seeded-roles)\.ts$/,
  /^server\/platform\/test-/,
  /^api\/(contract|names|all-names|routes|base|errors)\.ts$/,
  /^src\/commands\/(all|app|dispatcher|registry|entities)\.ts$/,
  /^src\/views\/layout\//,
  /^src\/testing\//,
  /^e2e\/(fixtures|kit)\.ts$/,
];

/** Files that differ from the last commit, or that git does not know yet. */
export function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...new Set([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')])];
}

/** Test files by step: `{ unit, components, server, e2e }`. */
export function testsOf(changed) {
  const sources = ['api', 'src', 'server', 'chain', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file)),
  );
  const importers = new Map();
  for (const file of sources)
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);

  const touched = new Set(changed);
  const isHub = (file) => hubs.some((hub) => hub.test(file));
  for (const file of touched) {
    if (isHub(file)) continue;
    for (const importer of importers.get(file) ?? []) touched.add(importer);
  }
  const features = new Set(changed.flatMap(wordsOf));
  const all = { unit: [], components: [], server: [], e2e: [] };
  for (const file of sources) {
    const step = stepOf(file);
    if (step === null) continue;
    const isOfFeature = step !== 'unit' && wordsOf(file).some((word) => features.has(word));
    const isBeside = changed.includes(file.replace(/(\.component)?\.(test|spec)\./, '.'));
    if (touched.has(file) || isOfFeature || isBeside) all[step].push(file);
  }
  return all;
}

function stepOf(file) {
  if (file.startsWith('e2e/')) return file.endsWith('.spec.ts') && !file.startsWith('e2e/deployed/') ? 'e2e' : null;
  if (/\.component\.test\.tsx?$/.test(file)) return 'components';
  if (!/\.test\.tsx?$/.test(file)) return null;
  return file.startsWith('server/') ? 'server' : 'unit';
}

/** The features that a file is named after: server/news-list.ts and src/views/news/record.tsx are of news. */
function wordsOf(file) {
  if (!/^(src|server|api|e2e)\//.test(file)) return [];
  const words = file.replace(/\..*$/, '').split(/[/-]/).slice(1);
  return words.map((word) => word.replace(/s$/, '')).filter((word) => !general.has(word));
}
/** Words of rooms and of kinds of file, in the singular. */
const general = new Set(
  (
    'command view lib ui core surface list form layout i18n zh CN en US platform index record main app support migration ' +
    'evm chart value public target test filter schema rule name call field all and use of component testing'
  ).split(' '),
);

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:from\s+|import\s*\(?\s*)['"](\.[^'"]+)['"]/g);
  return [...found]
    .map(([, path]) => resolve(root, dirname(file), path))
    .filter((path) => existsSync(path))
    .map((path) => path.slice(root.length));
}
