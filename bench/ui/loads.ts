import type { Browser, Page } from 'playwright';
import { computePercentile, addMeasurement } from '../report.ts';
import { openSignedInContext } from './pages.ts';

/** "Fast 3G": 1.6 Mbit/s down, 0.75 up, 150 ms round trip. */
const fast3g = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };

const pageLoads = [
  { name: 'sign-in page', path: '/login', limit: 2.1, content: 'form' },
  { name: 'list page', path: '/news', limit: 2.8, content: '[role="row"]:nth-child(2)' },
];

export async function measureLoads(browser: Browser, url: string): Promise<void> {
  for (const { name, path, limit, content: contentSelector } of pageLoads) {
    const paintTimes: number[] = [];
    for (let runNumber = 0; runNumber < 3; runNumber++) {
      const context = path === '/login' ? await browser.newContext({ locale: 'zh-CN' }) : await openSignedInContext(browser, url);
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.clearBrowserCache');
      await cdp.send('Network.emulateNetworkConditions', fast3g);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto(url + path);
      await page.locator(contentSelector).first().waitFor();
      await page.waitForTimeout(1500);
      paintTimes.push((await readLargestPaint(page)) / 1000);
      await context.close();
    }
    const medianPaint = computePercentile(paintTimes, 50);
    addMeasurement(`${name}: LCP at 4× CPU and fast 3G`, `${medianPaint.toFixed(2)} s`, `≤ ${limit} s`, medianPaint <= limit);
  }
}

function readLargestPaint(page: Page): Promise<number> {
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
