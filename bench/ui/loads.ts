import type { Browser, Page } from 'playwright';
import { signedIn } from './pages.ts';
import { percentile, report } from './report.ts';

/** A usual "fast 3G": 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const fast3g = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };

const loads = [
  { name: 'sign-in page', path: '/login', lcp: 2.1, budget: 85, isKnown: false },
  { name: 'list page', path: '/news', lcp: 2.8, budget: 140, isKnown: false },
  { name: 'list page that was opened before', path: '/news', lcp: 2.8, budget: 140, isKnown: true },
] as const;

/** The sign-in page and a list, from nothing, on a slow line and a slow machine. */
export async function measureLoads(on: Browser, url: string): Promise<void> {
  for (const { name, path, lcp, budget, isKnown } of loads) {
    const paints: number[] = [];
    const blocked: number[] = [];
    let bytes = 0;
    for (let run = 0; run < 3; run++) {
      const context = path === '/login' ? await on.newContext({ locale: 'zh-CN' }) : await signedIn(on, url);
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      if (isKnown) await visit(page, url + path, path);
      if (isKnown) await cdp.send('Network.clearBrowserCache'); // what the page remembers is left, its files come again
      await page.addInitScript({ content: noteLongTasks });
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
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await visit(page, url + path, path);
      await page.waitForTimeout(1500); // what comes after the page is usable could still be its largest paint
      const painted = await firstPaint(page);
      bytes = [...scripts.values()].filter(({ asked }) => asked <= painted).reduce((sum, script) => sum + script.bytes, 0);
      paints.push(await largestPaint(page));
      blocked.push(await blockingTime(page));
      await context.close();
    }
    const own = { ours: percentile(paints, 50) / 1000, peer: null };
    report({ what: `${name}: LCP at 4× CPU and fast 3G`, ...own, unit: 's', limit: lcp });
    report({ what: `${name}: blocking time`, ours: percentile(blocked, 50), peer: null, unit: 'ms', limit: null });
    const asked = { ours: bytes / 1000, peer: null };
    report({ what: `${name}: JavaScript asked for before the first paint, as sent`, ...asked, unit: 'kB', limit: budget });
  }
}

async function visit(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url);
  await page
    .locator(path === '/login' ? 'form' : '[role="row"]:nth-child(2)')
    .first()
    .waitFor();
}

const noteLongTasks = `window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });`;

/** As Lighthouse has it: of each task after the first paint what is beyond 50 ms. */
const blockingTime = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const { longTasks } = window as unknown as { longTasks: PerformanceEntry[] };
    const after = longTasks.filter(({ startTime }) => startTime >= (paint?.startTime ?? 0));
    return after.reduce((sum, { duration }) => sum + duration - 50, 0);
  });

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
