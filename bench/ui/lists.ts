import type { Page } from 'playwright';
import { inTurn, reportWork, type Pages } from './palette.ts';
import { whenPainted } from './press.ts';
import { percentile, report, reportTimes } from './report.ts';
import { workOf } from './work.ts';

/** The cursor from row to row by j and k. */
export async function measureRows({ browser, ours: page }: Pages, runs: number): Promise<void> {
  await page.bringToFront();
  await page.keyboard.press('Home');
  const times: number[] = [];
  for (const key of ['j', 'k']) {
    for (let step = 0; step < runs * 2; step++) {
      const before = (await page.locator('[data-cursor]').getAttribute('aria-rowindex')) ?? '';
      const painted = await whenPainted(page, key, { selector: '[data-cursor]', not: { name: 'aria-rowindex', value: before } });
      await page.keyboard.press(key);
      times.push(await painted());
    }
  }
  report({ what: 'row move (j, k), p50', ours: percentile(times, 50), peer: null, unit: 'ms', limit: null });
  report({ what: 'row move (j, k), p95', ours: percentile(times, 95), peer: null, unit: 'ms', limit: 16.7 });
  const works: number[] = [];
  const kinds: string[] = [];
  for (let run = 0; run < Math.ceil(runs / 8); run++) {
    const moves = 20;
    const work = await workOf(browser, page, async () => {
      for (let move = 0; move < moves; move++) {
        await page.keyboard.press(run % 2 === 0 ? 'j' : 'k');
        await page.waitForTimeout(60);
      }
      await page.waitForTimeout(200);
    });
    works.push(work.total / moves);
    kinds.push(
      Object.entries(work)
        .map(([kind, spent]) => `${kind} ${((spent as number) / moves).toFixed(1)}`)
        .join(' '),
    );
  }
  report({
    what: 'row move: main thread',
    ours: percentile(works, 50),
    peer: null,
    unit: 'ms',
    limit: 4,
    detail: kinds.at(-1) ?? '',
  });
}

/** From a place without a list to one with, by the sidebar: ours asks for a page of 50 rows and draws those in sight, the peer draws 10 that it has. */
export async function measureSwitch(pages: Pages, runs: number): Promise<void> {
  const isOurs = (page: Page) => page === pages.ours;
  const away = async (page: Page) => {
    await (isOurs(page) ? page.locator('nav a[href="/"]').first().click() : page.getByRole('link', { name: 'Home' }).click());
    await page.waitForFunction(() => !document.querySelector('[role="row"], tbody tr'));
    await page.waitForTimeout(300);
  };
  const link = (page: Page) =>
    isOurs(page) ? page.locator('nav a[href="/news"]').first() : page.getByRole('link', { name: 'Tasks' });
  const switched = await inTurn(pages, runs, async (page) => {
    await away(page);
    const painted = await whenPainted(page, null, { selector: '[role="row"]:nth-child(2), tbody tr' });
    await link(page).click();
    return painted();
  });
  reportTimes('view switch by click, warm', switched.ours, switched.peer, 0.5);
  const worked = await inTurn(pages, Math.ceil(runs / 3), async (page) => {
    await away(page);
    return workOf(pages.browser, page, async () => {
      await link(page).click();
      await page.waitForTimeout(800);
    });
  });
  reportWork('view switch: main thread', worked, 1, 0.5);
}
