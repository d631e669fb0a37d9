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
import { loadAll, openPanel, openPeer, signedIn } from './ui/pages.ts';
import { seedNews } from './seed.ts';

const partNames = ['palette', 'rows', 'switch', 'load'];
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: partNames.join(',') },
    runs: { type: 'string', default: '40' },
    keys: { type: 'string', default: '105' },
    rows: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const [runs, keys, rows] = [Number(options.runs), Number(options.keys), Number(options.rows)];
const asked = new Set(options.only.split(','));
const unknown = [...asked].filter((name) => !partNames.includes(name));
if (unknown.length > 0)
  exitWithError(new SetupError(`Unknown part ${unknown.join(', ')}. Available parts: ${partNames.join(', ')}`));

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

  if (asked.has('palette'))
    await inBrowser(url, false, async (context) => {
      const pages = { context, ours: await openPanel(context, url), peer: await openPeer(context, 0) };
      await measurePalette(pages, runs, keys);
    });
  // Without the frame rate limit: the work is measured, not the wait for the next frame.
  if (asked.has('rows'))
    await inBrowser(url, true, async (context) => {
      const page = await openPanel(context, url);
      await loadAll(page, rows);
      await measureRows(page, runs, rows);
    });
  if (asked.has('switch'))
    await inBrowser(url, true, async (context) => {
      const ours = await openPanel(context, url);
      const drawn = (await ours.locator('[role="row"]').count()) - 1;
      await measureSwitch({ context, ours, peer: await openPeer(context, drawn) }, runs);
    });
  if (asked.has('load')) await inBrowser(url, false, (_, browser) => measureLoads(browser, url));
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
printReport(options);

async function inBrowser(
  url: string,
  uncapped: boolean,
  measure: (context: BrowserContext, browser: Browser) => Promise<void>,
): Promise<void> {
  const browser = await launchBrowser({ uncapped });
  try {
    await measure(await signedIn(browser, url), browser);
  } finally {
    await browser.close();
  }
}
