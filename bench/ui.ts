// npm run bench:ui [-- --only palette,work,rows,switch,load --runs 40 --rows 10000 --json --strict]: what a person waits for, and what
// the main thread does for it, in a real Chromium against the build in dist/, on a server and a database of its own. A peer in
// the same browser does the same in turn: ratios are what counts. Times are from the key going down to the frame with its answer.
// `--strict` ends with 1 when a promise is not kept.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../server/platform/db/postgres.ts';
import { startServer } from '../server/testing/process.ts';
import { fail, SetupError } from '../scripts/setup.mjs';
import { launchBrowser } from '../scripts/suite/browser.mjs';
import { measureRows, measureSwitch } from './ui/lists.ts';
import { measureLoads } from './ui/loads.ts';
import { openPanel, openPeer, signedIn } from './ui/pages.ts';
import { measureWaits, measureWork, type Pages } from './ui/palette.ts';
import { printReport } from './ui/report.ts';

const partNames = ['palette', 'work', 'rows', 'switch', 'load'];
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: partNames.join(',') },
    runs: { type: 'string', default: '40' },
    rows: { type: 'string', default: '10000' },
    rates: { type: 'string', default: '1,4' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const [runs, rowCount] = [Number(options.runs), Number(options.rows)];
const asked = new Set(options.only.split(','));
const unknown = [...asked].filter((name) => !partNames.includes(name));
if (unknown.length > 0) fail(new SetupError(`Unknown part ${unknown.join(', ')}. Available parts: ${partNames.join(', ')}`));
const rates = options.rates.split(',').map(Number);

const dataDir = await mkdtemp(join(tmpdir(), 'bench-ui-'));
const postgres = await startPostgres({ dataDir, durable: false });
const server = startServer(join(dataDir, 'files'), { DATABASE_URL: postgres.url });
try {
  const url = (await server.ready).replace('127.0.0.1', 'localhost');
  await fill(rowCount);
  if (asked.has('palette'))
    await beside('plain', false, url, (pages) => measureWaits(pages, 'plain cmdk', runs, rates, { open: 1, key: 1 }));
  if (['palette', 'work', 'rows', 'switch'].some((one) => asked.has(one))) {
    // Without the pace of the screen, so that what is measured is the work and not the wait for a frame.
    await beside('styled', true, url, async (pages) => {
      if (asked.has('palette')) await measureWaits(pages, 'the styled one, no frame cap', runs, [1], { open: 0.5, key: 1 });
      if (asked.has('work')) await measureWork(pages, 'the styled one', Math.ceil(runs / 8));
      if (asked.has('rows')) await measureRows(pages, runs);
      // Ours with the page of 50 that it asks for, the peer with its hundred rows in memory.
      if (asked.has('switch'))
        await measureSwitch(
          { ...pages, ours: await openPanel(pages.context, url, null), peer: await openPeer(pages.context, 'styled', 100) },
          runs,
        );
    });
  }
  if (asked.has('load')) {
    const browser = await launchBrowser();
    try {
      await measureLoads(browser, url);
    } finally {
      await browser.close();
    }
  }
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
const isKept = printReport(options.json);
if (options.strict && !isKept) process.exitCode = 1;

/** The panel and a peer, side by side in one browser. */
async function beside(
  peer: 'plain' | 'styled',
  uncapped: boolean,
  url: string,
  measure: (pages: Pages) => Promise<void>,
): Promise<void> {
  const browser = await launchBrowser({ uncapped });
  try {
    const context = await signedIn(browser, url);
    const pages = {
      browser,
      context,
      ours: await openPanel(context, url, rowCount),
      peer: await openPeer(context, peer, rowCount),
    };
    await measure(pages);
  } finally {
    await browser.close();
  }
}

async function fill(rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('delete from news');
  await client.query(
    `insert into news (id, title, description, image, time, link, shown, created_at, updated_at)
     select gen_random_uuid(), '新闻 News ' || n, repeat('What happened and why it matters. ', 4), null,
            now() - n * interval '1 hour', 'https://example.com/news/' || n, false, now(), now()
       from generate_series(1, $1::int) as n`,
    [rows],
  );
  await client.query('vacuum analyze news');
  await client.end();
}
