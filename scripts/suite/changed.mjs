// Tests that import a changed file, and browser tests of its feature.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../setup.mjs';

/** See tier.ts. */
const isLongRun = process.env['TEST_TIER'] === 'all';

/** Imported nearly everywhere, so that paths through them say nothing. */
const hubPatterns = [
  /^server\/(app|router|serve)\.ts$/,
  /^server\/(seed|testing)\//,
  /^api\/(contract|names|all-names|menu|go|base|errors)\.ts$/,
  /^src\/commands\/app\/(all|all-records|app|dispatcher|loaders|places|registry)\.ts$/,
  /^src\/views\/layout\//,
  /^src\/testing\//,
  /^e2e\/(fixtures\.ts|kit\/)/,
];

/** Includes untracked files. */
export function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...new Set([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')])];
}

/** `{ unit, components, server, e2e }`. */
export function testsOf(changed) {
  const sources = ['api', 'src', 'server', 'chain', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file)),
  );
  const importersByFile = new Map();
  for (const file of sources)
    for (const imported of importsOf(file)) importersByFile.set(imported, [...(importersByFile.get(imported) ?? []), file]);

  const affectedFiles = new Set(changed);
  if (changed.some((file) => file.startsWith('e2e/outside/'))) affectedFiles.add('e2e/suites/package.spec.ts');
  const isHub = (file) => hubPatterns.some((hubPattern) => hubPattern.test(file));
  for (const file of affectedFiles) {
    if (isHub(file)) continue;
    for (const importer of importersByFile.get(file) ?? []) affectedFiles.add(importer);
  }
  const affectedFeatures = new Set(changed.map(featureOf));
  affectedFeatures.delete(null);
  const testsByStep = { unit: [], components: [], server: [], e2e: [] };
  for (const file of sources) {
    const step = stepOf(file);
    if (step === null || (file.endsWith('.long.test.ts') && !isLongRun)) continue;
    const isInAffectedFeature = step !== 'unit' && affectedFeatures.has(featureOf(file));
    const isBesideChange = changed.includes(file.replace(/(\.component)?\.(test|spec)\./, '.'));
    if (affectedFiles.has(file) || isInAffectedFeature || isBesideChange) testsByStep[step].push(file);
  }
  return testsByStep;
}

function stepOf(file) {
  if (/^e2e\/(deployed|outside)\//.test(file)) return null; // as in playwright.config.ts
  if (file.startsWith('e2e/')) return file.endsWith('.spec.ts') ? 'e2e' : null;
  if (/\.component\.test\.tsx?$/.test(file)) return 'components';
  if (!/\.test\.tsx?$/.test(file)) return null;
  return file.startsWith('server/') ? 'server' : 'unit';
}

const features = new Set(
  readdirSync(join(root, 'api'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
);
const featureOf = (file) =>
  file
    .split('/')
    .slice(1)
    .map((part) => part.replace(/\..*$/, ''))
    .find((part) => features.has(part)) ?? null;

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const importMatches = text.matchAll(/(?:from\s+|import\s*\(?\s*)['"](\.[^'"]+)['"]/g);
  return [...importMatches]
    .map(([, path]) => resolve(root, dirname(file), path))
    .filter((path) => existsSync(path))
    .map((path) => path.slice(root.length));
}
