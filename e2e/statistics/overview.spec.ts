import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright/test';
import type pg from 'pg';
import { expect, test } from '../fixtures.ts';

const screenPath = '/overview';
const chartSection = (page: Page) => page.locator('[data-chart]');
const plotElement = (page: Page) => page.getByRole('application');
const announcement = (page: Page) => page.locator('[data-chart-said]');
const figureElement = (page: Page, metric: string) => page.locator(`[data-figures] [data-figure="${metric}"]`);

const cells = (page: Page) =>
  page
    .locator('[data-chart-table] tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')));

/** Independent of the panel's code; truncated to the shown decimals. */
function formatFigure(baseUnits: string | null, places: number, unknownText: string, shownPlaces = places): string {
  if (baseUnits === null) return unknownText;
  const digits = baseUnits.padStart(places + 1, '0');
  const integerPart = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = places === 0 ? '' : digits.slice(-places).slice(0, shownPlaces).replace(/0+$/, '');
  return fraction ? `${integerPart}.${fraction}` : integerPart;
}

/** Of UTC. Null: none. */
async function readSnapshots(
  db: pg.Client,
  column: string,
  fromDaysAgo: number,
  toDaysAgo: number,
  unit = 'day',
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ value: string | null }>(
    `with days as (select (now() at time zone 'utc')::date - n as day from generate_series($2::int + 1, $1::int) n),
          slots as (select date_trunc('${unit}', day::timestamp) as slot, max(day) as until, min(day) as since from days group by 1)
     select (select ${column}::text from overview_days o where o.day between since and until order by o.day desc limit 1) as value
     from slots order by slot`,
    [fromDaysAgo, toDaysAgo],
  );
  return rows.map(({ value }) => value);
}

const readDownload = async (download: Download) => readFile(await download.path(), 'utf8');

test(
  'the overview’s table equals chart and database, and each point is announced, by keyboard in Chinese',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('analyst', screenPath);
    await expect(chartSection(page).locator('canvas')).toBeVisible();
    for (const name of ['bridgeBtc', 'mintYu', 'userCount', 'vaultBtc'])
      await expect(page.locator(`[data-figure="${name}"]`)).toContainText(name);
    const days = await readSnapshots(db, 'bridge_btc', 90, 0);
    expect(new Set(days).size).toBeGreaterThan(60);

    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table]')).toBeVisible();
    expect((await cells(page)).map(([, value]) => value)).toEqual(days.map((value) => formatFigure(value, 8, '未知')));

    await page.keyboard.press('Shift+B');
    await expect(page).toHaveURL(/compare=true/);
    await expect(page.getByRole('columnheader', { name: '跨链 BTC（上一周期）' })).toBeVisible();
    const previousDays = await readSnapshots(db, 'bridge_btc', 180, 90);
    expect((await cells(page)).map(([, , , value]) => value)).toEqual(
      previousDays.map((value) => formatFigure(value, 8, '未知')),
    );

    await admin.palette('chart.unit');
    await page.locator('[data-palette] [data-row="option:month"]').click();
    await expect(page).toHaveURL(/unit=month/);
    const monthlyValues = await readSnapshots(db, 'bridge_btc', 90, 0, 'month');
    await expect
      .poll(async () => (await cells(page)).map(([, value]) => value))
      .toEqual(monthlyValues.map((value) => formatFigure(value, 8, '未知')));

    await page.reload();
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(monthlyValues.length);
    await admin.ready();
    await admin.run('chart.unit', { params: { unit: 'day' } });
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(days.length);
    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table]')).toHaveCount(0);
    await expect(chartSection(page).locator('canvas')).toBeVisible();
    await plotElement(page).focus();
    await page.keyboard.press('End');
    await expect(announcement(page)).toContainText(`跨链 BTC ${formatFigure(days.at(-1) ?? null, 8, '未知')} BTC`);
    await page.keyboard.press('ArrowLeft');
    await expect(announcement(page)).toContainText(formatFigure(days.at(-2) ?? null, 8, '未知'));
    await expect(announcement(page)).toContainText(formatFigure(previousDays.at(-2) ?? null, 8, '未知'));
    await expect(chartSection(page).locator('[data-value]')).toHaveText(`${formatFigure(days.at(-2) ?? null, 8, '未知')} BTC`);
    await page.keyboard.press('Home');
    await expect(announcement(page)).toContainText(formatFigure(days[0] ?? null, 8, '未知'));
    await page.keyboard.press('Shift+B');
    await expect(chartSection(page).locator('[data-before]')).toHaveCount(0);
    await expect(chartSection(page).locator('[data-value]')).toHaveText(`${formatFigure(days[0] ?? null, 8, '未知')} BTC`);
    const plotBox = await chartSection(page).locator('.u-over').boundingBox();
    if (!plotBox) throw new Error('the chart is not drawn');
    await page.mouse.move(plotBox.x + 1, plotBox.y + plotBox.height / 2);
    await admin.run('chart.unit', { params: { unit: 'month' } });
    await expect(chartSection(page).locator('[data-value]')).toHaveText(
      `${formatFigure(monthlyValues[0] ?? null, 8, '未知')} BTC`,
    );
  },
);

test('another figure, range, tooltip and CSV file work by mouse in English', { tag: '@long' }, async ({ admin, page, db }) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('all', screenPath);
  await figureElement(page, 'mintYu').click();
  await expect(page.getByRole('heading', { name: 'YU minted' })).toBeVisible();
  await page.getByRole('radio', { name: '30 days', exact: true }).click();
  await expect(page).toHaveURL(/range=30/);
  const days = await readSnapshots(db, 'mint_yu', 30, 0);
  const box = await chartSection(page).locator('.u-over').boundingBox();
  if (!box) throw new Error('the chart is not drawn');
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await expect(chartSection(page).locator('[data-value]')).toHaveText(`${formatFigure(days[0] ?? null, 18, 'unknown', 2)} YU`);

  await page.getByRole('button', { name: 'Previous period' }).click();
  await expect(chartSection(page).locator('[data-before]')).toBeVisible();
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  const file = await downloadPromise;
  expect(file.suggestedFilename()).toMatch(/^overview-mintYu-\d{4}-\d\d-\d\d\.csv$/);
  const [headerRow, ...lines] = (await readDownload(file)).replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(headerRow).toBe('"Day","YU minted","Previous period","YU minted, previous period"');
  const previousDays = await readSnapshots(db, 'mint_yu', 60, 30);
  const formatWithoutCommas = (value: string | null | undefined) => formatFigure(value ?? null, 18, '').replaceAll(',', '');
  expect(lines.map((line) => line.slice(1, -1).split('","')).map(([, value, , previousValue]) => [value, previousValue])).toEqual(
    days.map((value, index) => [formatWithoutCommas(value), formatWithoutCommas(previousDays[index])]),
  );
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(lines.length);
  expect((await cells(page)).map(([, value]) => value)).toEqual(days.map((value) => formatFigure(value, 18, '', 2)));
});

test(
  'a script reads figures, daily table and export, and finds a day that was added later',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', screenPath);
    const { rows: ledgerRows } = await db.query<{ bridge: string; users: string }>(
      `select (coalesce((select sum(amount) from deposits where mint_status = 'done'), 0)
       - coalesce((select sum(amount) from withdrawals where status in ('withdrawable', 'done')), 0))::text as bridge,
       (select count(distinct address) from (select address from wallet_connections union all select address from institutions) a)::text as users`,
    );
    await expect(figureElement(page, 'bridgeBtc').locator('[data-value]')).toHaveText(
      `${formatFigure(ledgerRows[0]?.bridge ?? null, 8, '未知')} BTC`,
    );
    await expect(figureElement(page, 'userCount').locator('[data-value]')).toHaveText(
      formatFigure(ledgerRows[0]?.users ?? null, 0, '未知'),
    );
    const [previousValue] = await readSnapshots(db, 'user_count', 30, 29);
    const userChange = BigInt(ledgerRows[0]?.users ?? 0) - BigInt(previousValue ?? 0);
    await expect(figureElement(page, 'userCount').locator('[data-change]').last()).toContainText(
      `${userChange > 0n ? '+' : userChange < 0n ? '−' : ''}${userChange < 0n ? -userChange : userChange}`,
    );
    // Without a chain, no figure may be zero.
    await expect(page.locator('[data-delayed="off"]')).toBeVisible();
    await expect(figureElement(page, 'mintYu').locator('[data-value]')).toHaveText('未知');
    await expect(page.locator('[data-as-of]')).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);

    const firstRow = page.getByRole('grid').getByRole('row').nth(1);
    const [yesterdayVault] = await readSnapshots(db, 'vault_btc', 1, 0);
    await expect(firstRow.locator('[data-column="vaultBtc"]')).toHaveText(formatFigure(yesterdayVault ?? null, 18, '未知', 8));

    const count = async () => Number((await db.query('select count(*) as n from overview_days')).rows[0].n);
    const countBefore = await count();
    const { rows: earliestDays } = await db.query<{ day: string }>(`select (min(day) - 2)::text as day from overview_days`);
    const addedDay = earliestDays[0]?.day ?? '';
    await db.query(`insert into overview_days (day, bridge_btc, user_count, at) values ($1, 123456789012345678, 7, now())`, [
      addedDay,
    ]);
    await admin.run('overview.refresh');
    await expect(page.locator('[data-missing]')).toBeHidden(); // the gap is further back than 400 days
    await page.getByRole('radio', { name: '全部' }).click();
    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(countBefore + 2);
    const [firstCell, gapCell] = await cells(page);
    expect(firstCell?.[1]).toBe('1,234,567,890.12345678');
    expect(gapCell?.[1]).toBe('未知');
    expect(await admin.assess('chart.compare')).toMatchObject({ state: 'blocked' });

    const pictureDownload = page.waitForEvent('download');
    expect((await admin.run('overview.export')).value).toMatchObject({ rows: countBefore + 1 });
    const lines = (await readDownload(await pictureDownload)).trimEnd().split('\r\n');
    expect(lines).toHaveLength(countBefore + 2);
    expect(lines.at(-1)?.replaceAll('"', '')).toMatch(new RegExp(`^${addedDay},1234567890\\.12345678,,7,.*,123456789012345678,`));
  },
);

test(
  'arrow keys are mirrored from right to left, and the newest day is on the left',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'ar'));
    await admin.signIn('operator', `${screenPath}?range=30`);
    expect(await admin.assess('overview.export')).toEqual({ state: 'hidden' });
    await expect(chartSection(page).locator('canvas')).toBeVisible();
    const days = await readSnapshots(db, 'bridge_btc', 30, 0);
    await plotElement(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(announcement(page)).toContainText(formatFigure(days[1] ?? null, 8, '未知'));
    const box = await chartSection(page).locator('.u-over').boundingBox();
    if (!box) throw new Error('the chart is not drawn');
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await expect(chartSection(page).locator('[data-value]')).toHaveText(`${formatFigure(days.at(-1) ?? null, 8, '未知')} BTC`);
  },
);

test('Home shows a small overview with one key to the full one, if permitted', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('analyst', '/');
  const smallChart = page.locator('[data-overview-small]');
  await expect(smallChart.locator('polyline')).toHaveCount(4);
  const { rows } = await db.query<{ users: string }>(
    `select count(distinct address)::text as users from (select address from wallet_connections union all select address from institutions) a`,
  );
  await expect(smallChart.locator('[data-figure="userCount"]')).toContainText(formatFigure(rows[0]?.users ?? null, 0, '未知'));
  await admin.key('go.overview');
  await expect(page.getByRole('heading', { level: 1, name: '数据概览' })).toBeVisible();
  await admin.signIn('editor', '/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(smallChart).toHaveCount(0);
});

test('chart commands are blocked with a reason on screens without a chart', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  for (const id of ['chart.table', 'chart.unit', 'chart.compare', 'chart.saveCsv'] as const)
    expect(await admin.assess(id), id).toEqual({ state: 'blocked', reason: expect.any(String) });
  await page.keyboard.press('Shift+T');
  await expect(page).toHaveURL(/\/news$/);
});
