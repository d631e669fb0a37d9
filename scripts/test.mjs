// npm test: every check, cheapest first, stopping at the first that fails.
// Names after it run only those: npm test -- types lint
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { checkNode, ensureBuild, ensurePackages, fail, root, run, runBin, say, SetupError } from './setup.mjs';

const reports = mkdtempSync(join(tmpdir(), 'panel-test-'));
const total = { passed: 0, failed: 0 };
let browser = '';

const steps = {
  packages: () => ensurePackages(),
  browser: async () => (browser = await ensureBrowser()),
  types: () => tool('typescript:tsc', ['-p', '.']),
  lint: () => tool('oxlint', ['--type-aware', '--deny-warnings']),
  format: () => tool('oxfmt', ['--check']),
  unused: () => tool('knip', ['--no-progress']),
  unit: () => vitest('unit'),
  components: () => vitest('components'),
  server: () => vitest('server'),
  build: () => ensureBuild(),
  size: () => size(),
  e2e: () => playwright(),
};

const picked = process.argv.slice(2);
const unknown = picked.find((name) => !(name in steps));
if (unknown) fail(new SetupError(`No step is named ${unknown}; there are: ${Object.keys(steps).join(', ')}`));

let error = null;
try {
  checkNode();
  for (const [name, step] of Object.entries(steps)) {
    if (picked.length && !picked.includes(name)) continue;
    const started = performance.now();
    say(`▸ ${name}`);
    await step();
    say(`✓ ${name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
} catch (reason) {
  error = reason;
  say(reason instanceof SetupError ? reason.message : String(reason?.stack ?? reason));
  if (total.failed === 0) total.failed = 1;
}
rmSync(reports, { recursive: true, force: true });
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(error ? 1 : 0);

async function tool(bin, args) {
  const { code, output } = await runBin(bin, args);
  if (code !== 0) throw new SetupError(output);
}

async function size() {
  const { code } = await run(process.execPath, ['scripts/size.mjs'], { show: true });
  if (code !== 0) throw new SetupError('The build is over its budget.');
}

async function vitest(project) {
  const report = join(reports, `${project}.json`);
  const { code } = await runBin(
    'vitest',
    ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      show: true,
    },
  );
  const result = readReport(report);
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const left = result.numPendingTests + (result.numTodoTests ?? 0);
  conclude(project, code, result.numPassedTests, result.numFailedTests + broken, left);
}

async function playwright() {
  if (!existsSync(join(root, 'playwright.config.ts'))) return say('  no playwright.config.ts yet');
  const report = join(reports, 'e2e.json');
  const { code } = await runBin('playwright', ['test', '--reporter=list,json'], {
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHROMIUM_PATH: browser || (await ensureBrowser()) },
  });
  const { stats, errors } = readReport(report);
  conclude('e2e', code, stats.expected + stats.flaky, stats.unexpected + errors.length, stats.skipped);
  if (stats.flaky)
    say(`${stats.flaky} of them passed at the second try only (listed above as flaky): each is to be mended at its cause.`);
}

function readReport(file) {
  if (!existsSync(file)) throw new SetupError('The tests ended without a report.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A test left out proves nothing, so it counts as one that failed. */
function conclude(name, code, passed, failed, left) {
  total.passed += passed;
  total.failed += failed + left;
  if (left) say(`${left} tests of ${name} were left out.`);
  if (passed === 0) throw new SetupError(`No test of ${name} passed.`);
  if (code !== 0 || failed + left > 0) throw new SetupError(`The ${name} tests failed.`);
}
