import type { Browser, Page } from 'playwright';
import { percentile, report } from '../report.ts';
import { signedIn } from './pages.ts';

/** "Fast 3G": 1.6 Mbit/s down, 0.75 up, 150 ms round trip. */
const fast3g = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };

const loads = [
  { name: 'sign-in page', path: '/login', limit: 2.1, content: 'form' },
  { name: 'list page', path: '/news', limit: 2.8, content: '[role="row"]:nth-child(2)' },
];

export async function measureLoads(browser: Browser, url: string): Promise<void> {
  for (const { name, path, limit, content } of loads) {
    const paints: number[] = [];
    for (let run = 0; run < 3; run++) {
      const context = path === '/login' ? await browser.newContext({ locale: 'zh-CN' }) : await signedIn(browser, url);
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.clearBrowserCache');
      await cdp.send('Network.emulateNetworkConditions', fast3g);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto(url + path);
      await page.locator(content).first().waitFor();
      await page.waitForTimeout(1500);
      paints.push((await largestPaint(page)) / 1000);
      await context.close();
    }
    const lcp = percentile(paints, 50);
    report(`${name}: LCP at 4× CPU and fast 3G`, `${lcp.toFixed(2)} s`, `≤ ${limit} s`, lcp <= limit);
  }
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
