// npm test: fast checks, cheapest first, stopping at the first failure. npm run test:all: with long tests.
// npm run test:changed: for uncommitted changes. Names select steps: npm test -- types lint
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser, prepareBrowser } from './browser.mjs';
import { changedFiles, testsOf } from './changed.mjs';
import { checkNode, ensureBuild, ensurePackages, exitWithError, root, run, runBin, print, SetupError } from '../setup.mjs';

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const selectedSteps = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isLong = flags.includes('--all');

/** Seconds on two cores: [npm test, npm run test:all]. Only reported. */
const steps = {
  packages: { budget: [60, 60], work: () => installStep() },
  browser: { budget: [60, 60], work: () => findBrowser() },
  types: { budget: [30, 30], work: () => runTool('typescript:tsc', ['-p', '.', '--checkers', '2']) },
  lint: { budget: [30, 30], work: () => runTool('oxlint', ['--type-aware', '--deny-warnings']) },
  format: { budget: [5, 5], work: () => runTool('oxfmt', ['--check']) },
  unused: { budget: [15, 15], work: () => runTool('knip', ['--no-progress']) },
  unit: { budget: [45, 45], work: () => runVitest('unit') },
  build: { budget: [45, 45], work: () => ensureBuild() },
  size: { budget: [5, 5], work: () => size() },
  components: { budget: [90, 90], work: () => runVitest('components') },
  server: { budget: [210, 3600], work: () => runVitest('server') },
  e2e: { budget: [360, 1800], work: () => runPlaywright() },
  screenshots: { isLong: true, budget: [0, 1800], work: () => runScreenshots() },
};

/** In a long run, later steps run despite failures of these. */
const independentSteps = ['lint', 'format', 'unused', 'unit', 'size', 'components', 'server', 'e2e'];

const total = { passed: 0, failed: 0 };
const stepTimes = [];
const files = [];
let browser = '';
/** Test files for `test:changed`. Null: all. */
let changedTests = null;

const unknownFlag = flags.find((flag) => !['--all', '--changed'].includes(flag));
if (unknownFlag) exitWithError(new SetupError(`Unknown flag ${unknownFlag}. Available flags: --all, --changed`));
const unknownStep = selectedSteps.find((name) => !Object.hasOwn(steps, name));
if (unknownStep) exitWithError(new SetupError(`Unknown step ${unknownStep}. Available steps: ${Object.keys(steps).join(', ')}`));

const reportsFolder = mkdtempSync(join(tmpdir(), 'panel-test-'));
if (isLong) process.env.TEST_TIER = 'all';
const startedAt = performance.now();
let error = null;
try {
  checkNode();
  if (flags.includes('--changed')) {
    const changed = changedFiles();
    changedTests = testsOf(changed);
    print(`${changed.length} changed files affect ${Object.values(changedTests).flat().length} test files.`);
  }
  for (const [name, { work, budget, isLong: isLongOnly }] of Object.entries(steps)) {
    if (selectedSteps.length ? !selectedSteps.includes(name) : isLongOnly && !isLong) continue;
    if (changedTests && name in changedTests && changedTests[name].length === 0) continue;
    const stepStartedAt = performance.now();
    print(`▸ ${name}`);
    const seconds = () => (performance.now() - stepStartedAt) / 1000;
    try {
      await work();
      print(`✓ ${name} ${seconds().toFixed(1)} s`);
    } catch (reason) {
      if (!isLong || !independentSteps.includes(name)) throw reason;
      reportSkipped(reason);
    } finally {
      stepTimes.push({ name, seconds: seconds(), budget: budget[isLong ? 1 : 0] });
    }
  }
} catch (reason) {
  reportSkipped(reason);
}
rmSync(reportsFolder, { recursive: true, force: true });
printTimes();
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(error ? 1 : 0);

function reportSkipped(reason) {
  error = reason;
  print(reason instanceof SetupError ? reason.message : String(reason?.stack ?? reason));
  if (total.failed === 0) total.failed = 1;
}

function printTimes() {
  if (stepTimes.length === 0) return;
  const row = (name, seconds, suffix = '') => print(`  ${name.padEnd(48)} ${seconds.toFixed(1).padStart(7)} s${suffix}`);
  print('\nSteps');
  for (const { name, seconds, budget } of stepTimes)
    row(name, seconds, `  of ${budget}${seconds > budget ? '  over budget' : ''}`);
  row('all', (performance.now() - startedAt) / 1000);
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  if (slowest.length > 0) print('\nSlowest files');
  for (const { name, seconds } of slowest) row(name, seconds);
}

/** In parallel. */
async function installStep() {
  const isNew = !existsSync(join(root, 'node_modules'));
  const [packagesResult] = await Promise.allSettled([ensurePackages(), isNew && prepareBrowser()]);
  if (packagesResult.status === 'rejected') throw packagesResult.reason;
}

async function findBrowser() {
  browser = await ensureBrowser();
  process.env.CHROMIUM_PATH = browser;
}

async function runTool(bin, args) {
  // The default collects garbage twice as often.
  const { code, output } = await runBin(bin, args, { env: { GOGC: '200' } });
  if (code !== 0) throw new SetupError(output);
}

async function size() {
  const { code } = await run(process.execPath, ['scripts/size.mjs'], { show: true });
  if (code !== 0) throw new SetupError('The build is larger than its budget.');
}

/** Every state must be reachable. */
async function runScreenshots() {
  const folder = join(root, '.cache', 'screens');
  const { code } = await runBin('tsx', ['scripts/pictures/screenshots.ts', '--all', folder, '--look', '.'], { show: true }); // leaves README's pictures
  if (code !== 0) throw new SetupError('Some screens couldn’t be shown in every state.');
  print(`Screenshots are in ${folder}.`);
}

async function runVitest(project) {
  if (project === 'components' && !browser) await findBrowser();
  const report = join(reportsFolder, `${project}.json`);
  const { code } = await runBin(
    'vitest',
    [
      'run',
      ...(changedTests?.[project] ?? []),
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
  const brokenFileCount = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const skippedCount = result.numPendingTests + (result.numTodoTests ?? 0);
  finishStep(project, code, result.numPassedTests, result.numFailedTests + brokenFileCount, skippedCount);
}

async function runPlaywright() {
  if (!browser) await findBrowser();
  const report = join(reportsFolder, 'e2e.json');
  const { code } = await runBin('playwright', ['test', ...(changedTests?.e2e ?? []), '--reporter=list,json'], {
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(changedTests && { E2E_LONG: 'on' }) },
  });
  const { stats, errors, suites } = readReport(report);
  for (const suite of suites) files.push({ name: `e2e/${suite.file}`, seconds: secondsOf(suite) });
  finishStep('e2e', code, stats.expected + stats.flaky, stats.unexpected + errors.length, stats.skipped);
  if (stats.flaky) print(`${stats.flaky} of them passed only on retry (listed above as flaky). Fix each at its cause.`);
}

/** Includes retries. */
function secondsOf({ specs = [], suites = [] }) {
  const ownSeconds = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000)));
  return [...ownSeconds, ...suites.map(secondsOf)].reduce((sum, seconds) => sum + seconds, 0);
}

function readReport(file) {
  if (!existsSync(file)) throw new SetupError('The test run wrote no report.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A skipped test counts as failed. */
function finishStep(name, code, passed, failed, skippedCount) {
  total.passed += passed;
  total.failed += failed + skippedCount;
  if (skippedCount) print(`${skippedCount} ${name} tests were skipped.`);
  if (passed === 0) throw new SetupError(`No ${name} test passed.`);
  if (code !== 0 || failed + skippedCount > 0) throw new SetupError(`The ${name} tests failed.`);
}
