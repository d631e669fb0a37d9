import type { Browser, BrowserContext, Page } from 'playwright';
import { closePalette, openOnce, settledRows, typeAll, typeAtPace, words } from './press.ts';
import { percentile, report, reportTimes } from './report.ts';
import { workOf, type Work } from './work.ts';

export interface Pages {
  browser: Browser;
  context: BrowserContext;
  ours: Page;
  peer: Page;
}

/** Lets each of two pages do something in turn, so that what else the machine does falls on both. */
export async function inTurn<Found>({ ours, peer }: Pages, runs: number, act: (page: Page) => Promise<Found>) {
  const found: { ours: Found[]; peer: Found[] } = { ours: [], peer: [] };
  for (let run = -1; run < runs; run++) {
    for (const [side, page] of [
      ['ours', ours],
      ['peer', peer],
    ] as const) {
      await page.bringToFront(); // a page in the back gets one frame a second
      const one = await act(page);
      if (run >= 0) found[side].push(one); // the first ones warm up
    }
  }
  return found;
}

/** From the key to the frame with its answer, the palette's opening and what is typed. */
export async function measureWaits(
  pages: Pages,
  name: string,
  runs: number,
  rates: readonly number[],
  limits: { open: number | null; key: number | null },
) {
  const settled = new Map<Page, ReadonlyMap<string, string>>();
  for (const page of [pages.ours, pages.peer]) {
    await page.bringToFront();
    settled.set(page, await settledRows(page));
  }
  for (const rate of rates) {
    const at = rate === 1 ? '' : ` at ${rate}× CPU`;
    for (const page of [pages.ours, pages.peer])
      await (await pages.context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
    const opened = await inTurn(pages, runs, openOnce);
    reportTimes(`palette open beside ${name}${at}`, opened.ours, opened.peer, limits.open);
    const typed = await inTurn(pages, Math.ceil(runs / 8), (page) => typeAll(page, settled.get(page) ?? new Map()));
    reportTimes(`palette key → rows beside ${name}${at}`, typed.ours.flat(), typed.peer.flat(), limits.key);
  }
}

/** What the main thread does for an opening and for a key typed at a usual pace, until it is quiet again. */
export async function measureWork(pages: Pages, name: string, runs: number): Promise<void> {
  const opened = await inTurn(pages, runs, async (page) => {
    const work = await workOf(pages.browser, page, async () => {
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(600);
    });
    await closePalette(page);
    await page.waitForTimeout(100);
    return work;
  });
  reportWork(`palette open: main thread beside ${name}`, opened, 1, null);
  for (const word of words) {
    const typed = await inTurn(pages, runs, async (page) => {
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(500);
      const work = await workOf(pages.browser, page, () => typeAtPace(page, word));
      await closePalette(page);
      return work;
    });
    reportWork(`palette “${word}”: main thread per key beside ${name}`, typed, word.length, 1);
  }
}

/** Medians; by kinds in the last column. */
export function reportWork(
  what: string,
  { ours, peer }: { ours: Work[]; peer: Work[] },
  times: number,
  limit: number | null,
): void {
  const median = (all: readonly Work[], kind: keyof Work) =>
    percentile(
      all.map((work) => work[kind] / times),
      50,
    );
  const kinds = ['script', 'style', 'layout', 'paint', 'other'] as const;
  const detail = kinds.map((kind) => `${kind} ${median(ours, kind).toFixed(1)}/${median(peer, kind).toFixed(1)}`).join(' ');
  report({ what, ours: median(ours, 'total'), peer: median(peer, 'total'), unit: 'ms', limit, detail });
}
