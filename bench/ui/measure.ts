import type { BrowserContext, Page } from 'playwright';
import { computePercentile, addMeasurement } from '../report.ts';
import { keysPerRound, measurePaletteOpening, readSettledRows, measureKeyTimes, startPaintTimer } from './press.ts';

export interface BenchPages {
  context: BrowserContext;
  ours: Page;
  peer: Page;
}

async function measureAlternately<Result>(
  { ours, peer }: BenchPages,
  runs: number,
  measurePage: (page: Page) => Promise<Result>,
) {
  const results: { ours: Result[]; peer: Result[] } = { ours: [], peer: [] };
  for (let runNumber = -1; runNumber < runs; runNumber++) {
    for (const [side, page] of [
      ['ours', ours],
      ['peer', peer],
    ] as const) {
      await page.bringToFront(); // a page in the background gets one frame a second
      const result = await measurePage(page);
      if (runNumber >= 0) results[side].push(result);
    }
  }
  return results;
}

function reportComparison(
  description: string,
  panelValues: readonly number[],
  peerValues: readonly number[],
  limits: { p95: number | null; ratio: number },
) {
  for (const percent of [50, 95]) {
    const [panelMs, peerMs] = [computePercentile(panelValues, percent), computePercentile(peerValues, percent)];
    const ratio = panelMs / peerMs;
    const measuredText = `p${percent} ${panelMs.toFixed(1)} of ${peerMs.toFixed(1)} ms: ${ratio.toFixed(2)} × (${panelValues.length} samples)`;
    addMeasurement(`${description}, beside the peer`, measuredText, `≤ ${limits.ratio} ×`, ratio <= limits.ratio);
  }
  if (limits.p95 !== null) {
    const panelMs = computePercentile(panelValues, 95);
    addMeasurement(description, `p95 ${panelMs.toFixed(1)} ms`, `≤ ${limits.p95} ms`, panelMs <= limits.p95);
  }
}

export async function measurePalette(pages: BenchPages, runs: number, keys: number): Promise<void> {
  const settledRowsByPage = new Map<Page, ReadonlyMap<string, string>>();
  for (const page of [pages.ours, pages.peer]) {
    await page.bringToFront();
    settledRowsByPage.set(page, await readSettledRows(page));
  }
  for (const cpuRate of [1, 4]) {
    for (const page of [pages.ours, pages.peer])
      await (await pages.context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: cpuRate });
    const limits = { p95: cpuRate === 1 ? 50 : null, ratio: 1.5 };
    const openTimes = await measureAlternately(pages, runs, measurePaletteOpening);
    reportComparison(`palette open at ${cpuRate}× CPU`, openTimes.ours, openTimes.peer, limits);
    const keyTimes = await measureAlternately(pages, Math.ceil(keys / keysPerRound), (page) =>
      measureKeyTimes(page, settledRowsByPage.get(page) ?? new Map()),
    );
    reportComparison(`palette key → rows at ${cpuRate}× CPU`, keyTimes.ours.flat(), keyTimes.peer.flat(), limits);
  }
}

export async function measureRows(page: Page, runs: number, rows: number): Promise<void> {
  await page.bringToFront();
  await page.keyboard.press('Home');
  const times: number[] = [];
  for (const key of ['j', 'k']) {
    for (let stepNumber = 0; stepNumber < runs * 2; stepNumber++) {
      const previousRowIndex = (await page.locator('[data-cursor]').getAttribute('aria-rowindex')) ?? '';
      const waitForPaint = await startPaintTimer(page, key, {
        selector: '[data-cursor]',
        changed: { name: 'aria-rowindex', from: previousRowIndex },
      });
      await page.keyboard.press(key);
      times.push(await waitForPaint());
    }
  }
  const p95 = computePercentile(times, 95);
  const measuredText = `p50 ${computePercentile(times, 50).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  addMeasurement(`row move in ${rows} rows`, measuredText, 'p95 ≤ 16.7 ms', p95 <= 16.7);
}

export async function measureSwitch(pages: BenchPages, runs: number): Promise<void> {
  const navLink = (page: Page, path: string) => page.locator(`nav a[href="${path}"]`).first();
  const switchTimes = await measureAlternately(pages, runs, async (page) => {
    await navLink(page, '/').click();
    await page.waitForFunction(() => !document.querySelector('[role="row"], tbody tr'));
    await page.waitForTimeout(300);
    const waitForPaint = await startPaintTimer(page, null, { selector: '[role="row"]:nth-child(2), tbody tr' });
    await navLink(page, '/news').click();
    return waitForPaint();
  });
  reportComparison('view switch by click, warm', switchTimes.ours, switchTimes.peer, { p95: 100, ratio: 1.5 });
}
