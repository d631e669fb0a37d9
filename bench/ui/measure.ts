import type { BrowserContext, Page } from 'playwright';
import { percentile, report } from '../report.ts';
import { keysPerRound, openOnce, settledRows, timeKeys, whenPainted } from './press.ts';

export interface Pages {
  context: BrowserContext;
  ours: Page;
  peer: Page;
}

async function inSequence<Result>({ ours, peer }: Pages, runs: number, act: (page: Page) => Promise<Result>) {
  const results: { ours: Result[]; peer: Result[] } = { ours: [], peer: [] };
  for (let run = -1; run < runs; run++) {
    for (const [side, page] of [
      ['ours', ours],
      ['peer', peer],
    ] as const) {
      await page.bringToFront(); // a page in the background gets one frame a second
      const result = await act(page);
      if (run >= 0) results[side].push(result);
    }
  }
  return results;
}

function compare(what: string, ours: readonly number[], peer: readonly number[], limits: { p95: number | null; ratio: number }) {
  for (const percent of [50, 95]) {
    const [own, other] = [percentile(ours, percent), percentile(peer, percent)];
    const ratio = own / other;
    const measured = `p${percent} ${own.toFixed(1)} of ${other.toFixed(1)} ms: ${ratio.toFixed(2)} × (${ours.length} samples)`;
    report(`${what}, beside the peer`, measured, `≤ ${limits.ratio} ×`, ratio <= limits.ratio);
  }
  if (limits.p95 !== null) {
    const own = percentile(ours, 95);
    report(what, `p95 ${own.toFixed(1)} ms`, `≤ ${limits.p95} ms`, own <= limits.p95);
  }
}

export async function measurePalette(pages: Pages, runs: number, keys: number): Promise<void> {
  const settled = new Map<Page, ReadonlyMap<string, string>>();
  for (const page of [pages.ours, pages.peer]) {
    await page.bringToFront();
    settled.set(page, await settledRows(page));
  }
  for (const rate of [1, 4]) {
    for (const page of [pages.ours, pages.peer])
      await (await pages.context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
    const limits = { p95: rate === 1 ? 50 : null, ratio: 1.5 };
    const opened = await inSequence(pages, runs, openOnce);
    compare(`palette open at ${rate}× CPU`, opened.ours, opened.peer, limits);
    const typed = await inSequence(pages, Math.ceil(keys / keysPerRound), (page) =>
      timeKeys(page, settled.get(page) ?? new Map()),
    );
    compare(`palette key → rows at ${rate}× CPU`, typed.ours.flat(), typed.peer.flat(), limits);
  }
}

export async function measureRows(page: Page, runs: number, rows: number): Promise<void> {
  await page.bringToFront();
  await page.keyboard.press('Home');
  const times: number[] = [];
  for (const key of ['j', 'k']) {
    for (let step = 0; step < runs * 2; step++) {
      const from = (await page.locator('[data-cursor]').getAttribute('aria-rowindex')) ?? '';
      const painted = await whenPainted(page, key, { selector: '[data-cursor]', changed: { name: 'aria-rowindex', from } });
      await page.keyboard.press(key);
      times.push(await painted());
    }
  }
  const p95 = percentile(times, 95);
  const measured = `p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  report(`row move in ${rows} rows`, measured, 'p95 ≤ 16.7 ms', p95 <= 16.7);
}

export async function measureSwitch(pages: Pages, runs: number): Promise<void> {
  const link = (page: Page, path: string) => page.locator(`nav a[href="${path}"]`).first();
  const switched = await inSequence(pages, runs, async (page) => {
    await link(page, '/').click();
    await page.waitForFunction(() => !document.querySelector('[role="row"], tbody tr'));
    await page.waitForTimeout(300);
    const painted = await whenPainted(page, null, { selector: '[role="row"]:nth-child(2), tbody tr' });
    await link(page, '/news').click();
    return painted();
  });
  compare('view switch by click, warm', switched.ours, switched.peer, { p95: 100, ratio: 1.5 });
}
