// npm run bench:ui [-- --runs 40 --rows 10000]: what a person waits for, in a real Chromium against the build in dist/,
// on a server and a database of its own. Times are from the key going down to the frame with its answer being painted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import { build, type Rolldown } from 'vite';
import { allNames as names } from '../api/all-names.ts';
import { startPostgres } from '../server/platform/db/postgres.ts';
import { startServer } from '../server/testing/process.ts';
import { launchBrowser } from '../scripts/suite/browser.mjs';
import { signInDemo } from '../scripts/command/signed-in.ts';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '40' }, rows: { type: 'string', default: '10000' } },
});
const runs = Number(options.runs);
const rowCount = Number(options.rows);

/** A usual "fast 3G": 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const fast3g = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };

interface Line {
  what: string;
  measured: string;
  promise: string;
  kept: boolean | null;
}
const table: Line[] = [];

const dataDir = await mkdtemp(join(tmpdir(), 'bench-ui-'));
const postgres = await startPostgres({ dataDir, durable: false });
const server = startServer(join(dataDir, 'files'), { DATABASE_URL: postgres.url });
const browser = await launchBrowser();
try {
  const url = (await server.ready).replace('127.0.0.1', 'localhost');
  await fill(rowCount);
  await measureKeys(browser, url);
  await measureLoads(browser, url);
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await server.ended;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
print();

// ── Keys ───────────────────────────────────────────────────────────────────

async function measureKeys(on: Browser, url: string): Promise<void> {
  const context = await signedIn(on, url);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.goto(`${url}/news`);
  await page.locator('[role="row"]').nth(1).waitFor();
  await page.waitForFunction(() => 'admin' in window); // from here on keys are listened to
  await loadAll(page);
  const peer = await openPeer(context);
  const peerCdp = await context.newCDPSession(peer);

  for (const rate of [1, 4]) {
    const at = rate === 1 ? '' : ` at ${rate}× CPU`;
    await throttle(cdp, rate);
    await throttle(peerCdp, rate);
    await page.bringToFront(); // a page in the back gets one frame a second
    const opened = await measureOpen(page);
    const typed = await measureTyping(page);
    report(`palette open, warm${at}`, opened, rate === 1 ? 24 : 60);
    report(
      `palette key → rows${at}: ${Object.keys(names).length} commands, ${rowCount} records in the list`,
      typed,
      rate === 1 ? 16 : 40,
    );
    await peer.bringToFront();
    report(`  peer: cmdk as it comes, ${Object.keys(names).length} items, open${at}`, await measureOpen(peer), null);
    report(`  peer: cmdk as it comes, key → rows${at}`, await measureTyping(peer), null);
  }
  await throttle(cdp, 1);
  await page.bringToFront();
  report(`row move (j, k) in a list of ${rowCount}`, await measureRows(page), 16);
  report('view switch, warm (g n, to rows)', await measureSwitch(page), 60);
  await context.close();
}

async function measureOpen(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs + 3; run++) {
    const painted = await whenPainted(page, 'k', { selector: '[data-palette] [cmdk-item]' });
    await page.keyboard.press('Control+k');
    const time = await painted();
    if (run >= 3) times.push(time); // the first ones warm up
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => !document.querySelector('[data-palette] [cmdk-item]'));
  }
  return times;
}

/** Types what people type, letter by letter, and takes it back. */
async function measureTyping(page: Page): Promise<number[]> {
  const times: number[] = [];
  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').waitFor();
  const words = ['delete news', 'go to', 'theme'];
  for (let run = 0; run * words.join('').length < runs * 3; run++) {
    for (const word of words) {
      for (let length = 1; length <= word.length; length++) {
        const key = word.charAt(length - 1);
        const painted = await whenPainted(page, key, { selector: '[data-palette-input]', value: word.slice(0, length) });
        await page.keyboard.press(key === ' ' ? 'Space' : key);
        times.push(await painted());
      }
      await page.locator('[data-palette-input]').fill('');
    }
  }
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => !document.querySelector('[data-palette] [cmdk-item]'));
  return times;
}

async function measureRows(page: Page): Promise<number[]> {
  const times: number[] = [];
  await page.keyboard.press('Home');
  for (const key of ['j', 'k']) {
    for (let step = 0; step < runs * 2; step++) {
      const before = await page.locator('[data-cursor]').getAttribute('aria-rowindex');
      const painted = await whenPainted(page, key, {
        selector: '[data-cursor]',
        not: { name: 'aria-rowindex', value: before ?? '' },
      });
      await page.keyboard.press(key);
      times.push(await painted());
    }
  }
  return times;
}

async function measureSwitch(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await page.keyboard.press('g');
    await page.keyboard.press('h'); // home has no list
    await page.waitForFunction(() => location.pathname === '/' && !document.querySelector('[role="row"]'));
    await page.keyboard.press('g');
    const painted = await whenPainted(page, 'n', { selector: '[role="row"]:nth-child(2)' });
    await page.keyboard.press('n');
    times.push(await painted());
  }
  return times;
}

interface Wanted {
  selector: string;
  /** Of an input. */
  value?: string;
  /** An attribute that must have changed. */
  not?: { name: string; value: string };
}

/** Starts a watch that the next press of `key` begins; answers how to wait for its milliseconds. */
async function whenPainted(page: Page, key: string, wanted: Wanted): Promise<() => Promise<number>> {
  await page.evaluate(
    ([pressed, { selector, value, not }]) => {
      const isThere = () => {
        const found = document.querySelector(selector);
        if (!found) return false;
        if (value !== undefined) return found instanceof HTMLInputElement && found.value === value;
        return not === undefined || found.getAttribute(not.name) !== not.value;
      };
      Object.assign(window, {
        painted: new Promise<number>((resolve) => {
          const onKey = (event: KeyboardEvent) => {
            if (event.key !== pressed) return;
            removeEventListener('keydown', onKey, true);
            const look = () =>
              requestAnimationFrame(() => {
                if (!isThere()) return look();
                const { port1, port2 } = new MessageChannel(); // runs after the frame is painted
                port1.onmessage = () => resolve(performance.now() - event.timeStamp);
                port2.postMessage(null);
              });
            look();
          };
          addEventListener('keydown', onKey, true);
        }),
      });
    },
    [key, wanted] as const,
  );
  return () => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}

/** Ends at the end until there is no more. */
async function loadAll(page: Page): Promise<void> {
  await page.keyboard.press('j');
  const last = () => page.evaluate(() => Number(document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex')) - 1);
  for (let before = 0, stuck = 0; (await last()) < rowCount && stuck < 200; before = await last()) {
    await page.keyboard.press('End');
    await page.waitForTimeout(20);
    stuck = (await last()) === before ? stuck + 1 : 0;
  }
  if ((await last()) !== rowCount) throw new Error(`${await last()} rows were loaded, not ${rowCount}`);
}

async function openPeer(context: BrowserContext): Promise<Page> {
  const result = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('peer.tsx', import.meta.url)), formats: ['iife'], name: 'peer' },
    },
  })) as Rolldown.RolldownOutput[];
  const code = result[0]?.output[0].code ?? '';
  const page = await context.newPage();
  await page.setContent('<!doctype html><title>peer</title>');
  await page.evaluate(
    (items) => {
      window.peerItems = items;
    },
    Object.values(names).map(({ en }) => en),
  );
  await page.addScriptTag({ content: code });
  return page;
}

// ── First load ─────────────────────────────────────────────────────────────

async function measureLoads(on: Browser, url: string): Promise<void> {
  for (const [name, path, lcp, budget] of [
    ['sign-in page', '/login', 2.1, 85],
    ['list page', '/news', 2.8, 140],
  ] as const) {
    const paints: number[] = [];
    let bytes = 0;
    for (let run = 0; run < 3; run++) {
      const context = path === '/login' ? await on.newContext({ locale: 'zh-CN' }) : await signedIn(on, url);
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      const scripts = new Map<string, { asked: number; bytes: number }>();
      cdp.on('Network.requestWillBeSent', ({ requestId, wallTime, request }) => {
        if (request.url.endsWith('.js')) scripts.set(requestId, { asked: wallTime * 1000, bytes: 0 });
      });
      cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const script = scripts.get(requestId);
        if (script) script.bytes = encodedDataLength;
      });
      await cdp.send('Network.emulateNetworkConditions', fast3g);
      await throttle(cdp, 4);
      await page.goto(url + path);
      await page
        .locator(path === '/login' ? 'form' : '[role="row"]:nth-child(2)')
        .first()
        .waitFor();
      await page.waitForTimeout(1500); // what comes after the page is usable could still be its largest paint
      const painted = await firstPaint(page);
      bytes = [...scripts.values()].filter(({ asked }) => asked <= painted).reduce((sum, script) => sum + script.bytes, 0);
      paints.push(await largestPaint(page));
      await context.close();
    }
    const median = percentile(paints, 50) / 1000;
    table.push({
      what: `${name}: LCP at 4× CPU and fast 3G`,
      measured: `${median.toFixed(2)} s`,
      promise: `≤ ${lcp} s`,
      kept: median <= lcp,
    });
    const kilobytes = bytes / 1000;
    table.push({
      what: `${name}: JavaScript asked for before the first paint`,
      measured: `${kilobytes.toFixed(1)} kB as sent, with headers`,
      promise: `≤ ${budget} kB`,
      kept: kilobytes <= budget,
    });
  }
}

/** In milliseconds since 1970. */
function firstPaint(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return performance.timeOrigin + (paint?.startTime ?? 0);
  });
}

function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
}

// ── Means ──────────────────────────────────────────────────────────────────

async function throttle(cdp: CDPSession, rate: number): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}

async function signedIn(on: Browser, url: string): Promise<BrowserContext> {
  const context = await on.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  // tsx gives every function its name by a helper, which the functions sent into the page need there.
  await context.addInitScript({ content: 'globalThis.__name = (value) => value' });
  const page = await context.newPage();
  await signInDemo(page, url);
  await page.close();
  return context;
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

function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

function report(what: string, times: readonly number[], limit: number | null): void {
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
  table.push({
    what,
    measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${times.length})`,
    promise: limit === null ? '' : `p95 ≤ ${limit} ms`,
    kept: limit === null ? null : p95 <= limit,
  });
}

function print(): void {
  const width = (of: (line: Line) => string) => Math.max(...table.map((line) => of(line).length));
  const [wide, measuredWide] = [width(({ what }) => what), width(({ measured }) => measured)];
  console.log();
  for (const { what, measured, promise, kept } of table) {
    const verdict = kept === null ? '' : kept ? '✓' : '✗';
    console.log(`${what.padEnd(wide)}  ${measured.padEnd(measuredWide)}  ${promise} ${verdict}`.trimEnd());
  }
}
