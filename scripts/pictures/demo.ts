// npm run demo [-- --only hide,undo --frames folder]: jobs of a usual day, played in a real browser by keyboard alone and
// then by mouse, on a server and a database of its own. Prints how many presses and clicks each takes and the time; with
// --frames every frame the browser drew is kept as a picture, named by job, way and millisecond.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { startServer } from '../../server/testing/process.ts';
import { launchBrowser } from '../suite/browser.mjs';
import { signInDemo } from '../command/signed-in.ts';
import { Hands, type Job } from './hands.ts';
import { jobs } from './jobs.ts';
import { lookingJobs } from './looking-jobs.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, frames: { type: 'string' } } });

const asked = options.only?.split(',');
const chosen = Object.entries({ ...jobs, ...lookingJobs }).filter(([name]) => asked?.includes(name) ?? true);
const browser = await launchBrowser();
const table: Record<string, string | number>[] = [];
try {
  // Jobs that need no chain do not wait for one.
  for (const onChain of [undefined, true] as const) {
    const some = chosen.filter(([, job]) => job.onChain === onChain);
    if (some.length > 0)
      await playAll(some, onChain ? { DEVNET: 'on', DEMO_WALLET: 'on', DEVNET_BLOCK_SECONDS: '1' } : { DEVNET: 'off' });
  }
} finally {
  await browser.close();
}
const heads = Object.keys(table[0] ?? {});
console.log(`| ${heads.join(' | ')} |\n|${heads.map((_, at) => (at === 0 ? '---' : '---:')).join('|')}|`);
for (const line of table) console.log(`| ${Object.values(line).join(' | ')} |`);

/** Plays jobs by keyboard and by mouse on a server of their own. */
async function playAll(some: readonly [string, Job][], env: Record<string, string>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  const server = startServer(dataDir, env);
  try {
    const url = (await server.ready).replace('127.0.0.1', 'localhost');
    for (const [name, job] of some) {
      const keyboard = await play(url, name, job, 'keyboard');
      const mouse = await play(url, name, job, 'mouse');
      table.push({
        job: job.what,
        'keys pressed': keyboard.presses,
        'by mouse: clicks': mouse.clicks,
        'and keys': mouse.presses,
        'letters typed (keyboard, mouse)': `${keyboard.letters}, ${mouse.letters}`,
        'by keyboard, s': keyboard.seconds.toFixed(1),
        'by mouse, s': mouse.seconds.toFixed(1),
        'mouse ÷ keyboard': (mouse.seconds / keyboard.seconds).toFixed(1),
        'panel at work, s (keyboard, mouse)': `${(keyboard.waited / 1000).toFixed(1)}, ${(mouse.waited / 1000).toFixed(1)}`,
      });
    }
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Plays one job from Home on, signed in anew; answers what the hands did and how long it took without pauses. */
async function play(url: string, name: string, job: Job, way: 'keyboard' | 'mouse'): Promise<Hands & { waited: number }> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Shanghai',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await signInDemo(page, url);
  await page.goto(url);
  await page.waitForFunction(() => window.admin !== undefined);
  if (job.onChain) await page.waitForFunction(hasYield, null, { polling: 1000, timeout: 180_000 });
  const stop = options.frames ? await keepFrames(page, options.frames, `${name}.${way}`) : async () => {};
  const hands = new Hands(page, way);
  const began = performance.now();
  try {
    await job[way](hands);
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), `demo-${name}-${way}.png`) });
    throw new Error(`${name} by ${way} went wrong`, { cause: error });
  }
  const waited = performance.now() - began;
  if (way === 'keyboard' && hands.clicks > 0) throw new Error(`${name} took the mouse`);
  await stop();
  await context.close();
  return Object.assign(hands, { waited });
}

/** In the page: whether every CRSM of the demo has some yield to claim. */
async function hasYield(): Promise<boolean> {
  const answer = await fetch('/rpc/crsm/list', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: localStorage.getItem('Authorization') ?? '' },
    body: JSON.stringify({ json: { sort: 'distance', direction: 'asc', filter: {}, cursor: null, limit: 10 } }),
  });
  const { json } = (await answer.json()) as { json: { rows: { yieldGains: string }[] } };
  return json.rows.length > 2 && json.rows.every(({ yieldGains }) => yieldGains !== '0');
}

/** Writes every frame the browser draws, until stopped. */
async function keepFrames(page: Page, folder: string, name: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const cdp = await page.context().newCDPSession(page);
  const writes: Promise<void>[] = [];
  const began = performance.now();
  cdp.on('Page.screencastFrame', ({ data, sessionId }) => {
    const at = String(Math.round(performance.now() - began)).padStart(6, '0');
    writes.push(writeFile(join(folder, `${name}.${at}.jpg`), Buffer.from(data, 'base64')));
    void cdp.send('Page.screencastFrameAck', { sessionId });
  });
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 70 });
  return async () => {
    await page.waitForTimeout(500); // the last frame
    await cdp.send('Page.stopScreencast');
    await Promise.all(writes);
  };
}
