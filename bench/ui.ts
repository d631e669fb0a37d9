// npm run bench:ui [-- --only palette,rows,switch,load --runs 40 --keys 105 --rows 10000 --json
// --strict] From the key going down to the painted answer. `--strict` exits with 1 if a promise is
// broken.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Browser, BrowserContext } from 'playwright';
import { startPostgres } from '../server/platform/db/postgres.ts';
import { startServer } from '../server/testing/process.ts';
import { exitWithError, SetupError } from '../scripts/setup.mjs';
import { launchBrowser } from '../scripts/suite/browser.mjs';
import { printReport } from './report.ts';
import { measureLoads } from './ui/loads.ts';
import { measurePalette, measureRows, measureSwitch } from './ui/measure.ts';
import { loadAllRows, openPanel, openPeer, openSignedInContext } from './ui/pages.ts';
import { seedNews } from './seed.ts';

const benchmarkNames = ['palette', 'rows', 'switch', 'load'];
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: benchmarkNames.join(',') },
    runs: { type: 'string', default: '40' },
    keys: { type: 'string', default: '105' },
    rows: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const [runs, keyCount, rows] = [Number(options.runs), Number(options.keys), Number(options.rows)];
const selectedNames = new Set(options.only.split(','));
const unknownNames = [...selectedNames].filter((name) => !benchmarkNames.includes(name));
if (unknownNames.length > 0)
  exitWithError(new SetupError(`Unknown part ${unknownNames.join(', ')}. Available parts: ${benchmarkNames.join(', ')}`));

const dataDir = await mkdtemp(join(tmpdir(), 'bench-ui-'));
const postgres = await startPostgres({ dataDir, durable: false });
const server = startServer(join(dataDir, 'files'), { DATABASE_URL: postgres.url });
try {
  const url = (await server.ready).replace('127.0.0.1', 'localhost');
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query('delete from news');
  await seedNews(database, rows);
  await database.end();

  if (selectedNames.has('palette'))
    await runInBrowser(url, false, async (context) => {
      const benchPages = { context, ours: await openPanel(context, url), peer: await openPeer(context, 0) };
      await measurePalette(benchPages, runs, keyCount);
    });
  // Without the frame rate limit: the work is measured, not the wait for the next frame.
  if (selectedNames.has('rows'))
    await runInBrowser(url, true, async (context) => {
      const page = await openPanel(context, url);
      await loadAllRows(page, rows);
      await measureRows(page, runs, rows);
    });
  if (selectedNames.has('switch'))
    await runInBrowser(url, true, async (context) => {
      const panelPage = await openPanel(context, url);
      const renderedRows = (await panelPage.locator('[role="row"]').count()) - 1;
      await measureSwitch({ context, ours: panelPage, peer: await openPeer(context, renderedRows) }, runs);
    });
  if (selectedNames.has('load')) await runInBrowser(url, false, (_, browser) => measureLoads(browser, url));
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
printReport(options);

async function runInBrowser(
  url: string,
  isFrameRateUncapped: boolean,
  measure: (context: BrowserContext, browser: Browser) => Promise<void>,
): Promise<void> {
  const browser = await launchBrowser({ uncapped: isFrameRateUncapped });
  try {
    await measure(await openSignedInContext(browser, url), browser);
  } finally {
    await browser.close();
  }
}
