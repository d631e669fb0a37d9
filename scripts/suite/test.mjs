// npm test: fast checks, cheapest first, stopping at the first failure. npm run test:all: with long tests.
// npm run test:changed: for uncommitted changes. Names select steps: npm test -- types lint
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser, prepareBrowser } from './browser.mjs';
import { changedFiles, testsOf } from './changed.mjs';
import { checkNode, ensureBuild, ensurePackages, exitWithError, root, run, runBin, print, SetupError } from '../setup.mjs';

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const chosenSteps = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isLong = flags.includes('--all');

/** Seconds on two cores: [npm test, npm run test:all]. Only reported. */
const steps = {
  packages: { budget: [60, 60], work: () => packages() },
  browser: { budget: [60, 60], work: () => findBrowser() },
  types: { budget: [30, 30], work: () => tool('typescript:tsc', ['-p', '.', '--checkers', '2']) },
  lint: { budget: [30, 30], work: () => tool('oxlint', ['--type-aware', '--deny-warnings']) },
  format: { budget: [5, 5], work: () => tool('oxfmt', ['--check']) },
  unused: { budget: [15, 15], work: () => tool('knip', ['--no-progress']) },
  unit: { budget: [45, 45], work: () => vitest('unit') },
  build: { budget: [45, 45], work: () => ensureBuild() },
  size: { budget: [5, 5], work: () => size() },
  components: { budget: [90, 90], work: () => vitest('components') },
  server: { budget: [210, 3600], work: () => vitest('server') },
  e2e: { budget: [360, 1800], work: () => playwright() },
  screenshots: { isLong: true, budget: [0, 1800], work: () => screenshots() },
};

/** In a long run, later steps run despite failures of these. */
const continues = ['lint', 'format', 'unused', 'unit', 'size', 'components', 'server', 'e2e'];

const total = { passed: 0, failed: 0 };
const times = [];
const files = [];
let browser = '';
/** Test files for `test:changed`. Null: all. */
let only = null;

const unknownFlag = flags.find((flag) => !['--all', '--changed'].includes(flag));
if (unknownFlag) exitWithError(new SetupError(`Unknown flag ${unknownFlag}. Available flags: --all, --changed`));
const unknown = chosenSteps.find((name) => !Object.hasOwn(steps, name));
if (unknown) exitWithError(new SetupError(`Unknown step ${unknown}. Available steps: ${Object.keys(steps).join(', ')}`));

const reports = mkdtempSync(join(tmpdir(), 'panel-test-'));
if (isLong) process.env.TEST_TIER = 'all';
const startedAt = performance.now();
let error = null;
try {
  checkNode();
  if (flags.includes('--changed')) {
    const changed = changedFiles();
    only = testsOf(changed);
    print(`${changed.length} changed files affect ${Object.values(only).flat().length} test files.`);
  }
  for (const [name, { work, budget, isLong: onlyInLong }] of Object.entries(steps)) {
    if (chosenSteps.length ? !chosenSteps.includes(name) : onlyInLong && !isLong) continue;
    if (only && name in only && only[name].length === 0) continue;
    const started = performance.now();
    print(`▸ ${name}`);
    const seconds = () => (performance.now() - started) / 1000;
    try {
      await work();
      print(`✓ ${name} ${seconds().toFixed(1)} s`);
    } catch (reason) {
      if (!isLong || !continues.includes(name)) throw reason;
      reportSkipped(reason);
    } finally {
      times.push({ name, seconds: seconds(), budget: budget[isLong ? 1 : 0] });
    }
  }
} catch (reason) {
  reportSkipped(reason);
}
rmSync(reports, { recursive: true, force: true });
printTimes();
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(error ? 1 : 0);

function reportSkipped(reason) {
  error = reason;
  print(reason instanceof SetupError ? reason.message : String(reason?.stack ?? reason));
  if (total.failed === 0) total.failed = 1;
}

function printTimes() {
  if (times.length === 0) return;
  const row = (name, seconds, more = '') => print(`  ${name.padEnd(48)} ${seconds.toFixed(1).padStart(7)} s${more}`);
  print('\nSteps');
  for (const { name, seconds, budget } of times) row(name, seconds, `  of ${budget}${seconds > budget ? '  over budget' : ''}`);
  row('all', (performance.now() - startedAt) / 1000);
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  if (slowest.length > 0) print('\nSlowest files');
  for (const { name, seconds } of slowest) row(name, seconds);
}

/** In parallel. */
async function packages() {
  const isNew = !existsSync(join(root, 'node_modules'));
  const [installed] = await Promise.allSettled([ensurePackages(), isNew && prepareBrowser()]);
  if (installed.status === 'rejected') throw installed.reason;
}

async function findBrowser() {
  browser = await ensureBrowser();
  process.env.CHROMIUM_PATH = browser;
}

async function tool(bin, args) {
  // The default collects garbage twice as often.
  const { code, output } = await runBin(bin, args, { env: { GOGC: '200' } });
  if (code !== 0) throw new SetupError(output);
}

async function size() {
  const { code } = await run(process.execPath, ['scripts/size.mjs'], { show: true });
  if (code !== 0) throw new SetupError('The build is larger than its budget.');
}

/** Every state must be reachable. */
async function screenshots() {
  const folder = join(root, '.cache', 'screens');
  const { code } = await runBin('tsx', ['scripts/pictures/screenshots.ts', '--all', folder, '--look', '.'], { show: true }); // leaves README's pictures
  if (code !== 0) throw new SetupError('Some screens couldn’t be shown in every state.');
  print(`Screenshots are in ${folder}.`);
}

async function vitest(project) {
  if (project === 'components' && !browser) await findBrowser();
  const report = join(reports, `${project}.json`);
  const { code } = await runBin(
    'vitest',
    [
      'run',
      ...(only?.[project] ?? []),
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { show: true },
  );
  const result = readReport(report);
  for (const { name, startTime, endTime } of result.testResults)
    files.push({ name: name.replace(root, ''), seconds: (endTime - startTime) / 1000 });
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const left = result.numPendingTests + (result.numTodoTests ?? 0);
  conclude(project, code, result.numPassedTests, result.numFailedTests + broken, left);
}

async function playwright() {
  if (!browser) await findBrowser();
  const report = join(reports, 'e2e.json');
  const { code } = await runBin('playwright', ['test', ...(only?.e2e ?? []), '--reporter=list,json'], {
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(only && { E2E_LONG: 'on' }) },
  });
  const { stats, errors, suites } = readReport(report);
  for (const suite of suites) files.push({ name: `e2e/${suite.file}`, seconds: secondsOf(suite) });
  conclude('e2e', code, stats.expected + stats.flaky, stats.unexpected + errors.length, stats.skipped);
  if (stats.flaky) print(`${stats.flaky} of them passed only on retry (listed above as flaky). Fix each at its cause.`);
}

/** Includes retries. */
function secondsOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000)));
  return [...own, ...suites.map(secondsOf)].reduce((sum, one) => sum + one, 0);
}

function readReport(file) {
  if (!existsSync(file)) throw new SetupError('The test run wrote no report.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A skipped test counts as failed. */
function conclude(name, code, passed, failed, left) {
  total.passed += passed;
  total.failed += failed + left;
  if (left) print(`${left} ${name} tests were skipped.`);
  if (passed === 0) throw new SetupError(`No ${name} test passed.`);
  if (code !== 0 || failed + left > 0) throw new SetupError(`The ${name} tests failed.`);
}
