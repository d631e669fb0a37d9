import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright/test';
import type pg from 'pg';
import { expect, test } from '../fixtures.ts';

const place = '/overview';
const chart = (page: Page) => page.locator('[data-chart]');
const plot = (page: Page) => page.getByRole('application');
const said = (page: Page) => page.locator('[data-chart-said]');
const figure = (page: Page, metric: string) => page.locator(`[data-figures] [data-figure="${metric}"]`);

const cells = (page: Page) =>
  page
    .locator('[data-chart-table] tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')));

/** Independent of the panel's code; truncated to the shown decimals. */
function readable(base: string | null, places: number, unknown: string, show = places): string {
  if (base === null) return unknown;
  const digits = base.padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = places === 0 ? '' : digits.slice(-places).slice(0, show).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Of UTC. Null: none. */
async function taken(db: pg.Client, column: string, from: number, to: number, unit = 'day'): Promise<(string | null)[]> {
  const { rows } = await db.query<{ value: string | null }>(
    `with days as (select (now() at time zone 'utc')::date - n as day from generate_series($2::int + 1, $1::int) n),
          slots as (select date_trunc('${unit}', day::timestamp) as slot, max(day) as until, min(day) as since from days group by 1)
     select (select ${column}::text from overview_days o where o.day between since and until order by o.day desc limit 1) as value
     from slots order by slot`,
    [from, to],
  );
  return rows.map(({ value }) => value);
}

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

test(
  'the overview’s table equals chart and database, and each point is announced, by keyboard in Chinese',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('analyst', place);
    await expect(chart(page).locator('canvas')).toBeVisible();
    const days = await taken(db, 'bridge_btc', 90, 0);
    expect(new Set(days).size).toBeGreaterThan(60);

    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table]')).toBeVisible();
    expect((await cells(page)).map(([, value]) => value)).toEqual(days.map((value) => readable(value, 8, '未知')));

    await page.keyboard.press('Shift+B');
    await expect(page).toHaveURL(/compare=true/);
    await expect(page.getByRole('columnheader', { name: '跨链 BTC（上一周期）' })).toBeVisible();
    const before = await taken(db, 'bridge_btc', 180, 90);
    expect((await cells(page)).map(([, , , value]) => value)).toEqual(before.map((value) => readable(value, 8, '未知')));

    await admin.palette('chart.unit');
    await page.locator('[data-palette] [data-row="option:month"]').click();
    await expect(page).toHaveURL(/unit=month/);
    const months = await taken(db, 'bridge_btc', 90, 0, 'month');
    await expect
      .poll(async () => (await cells(page)).map(([, value]) => value))
      .toEqual(months.map((value) => readable(value, 8, '未知')));

    await page.reload();
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(months.length);
    await admin.ready();
    await admin.run('chart.unit', { params: { unit: 'day' } });
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(days.length);
    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table]')).toHaveCount(0);
    await expect(chart(page).locator('canvas')).toBeVisible();
    await plot(page).focus();
    await page.keyboard.press('End');
    await expect(said(page)).toContainText(`跨链 BTC ${readable(days.at(-1) ?? null, 8, '未知')} BTC`);
    await page.keyboard.press('ArrowLeft');
    await expect(said(page)).toContainText(readable(days.at(-2) ?? null, 8, '未知'));
    await expect(said(page)).toContainText(readable(before.at(-2) ?? null, 8, '未知'));
    await expect(chart(page).locator('[data-value]')).toHaveText(`${readable(days.at(-2) ?? null, 8, '未知')} BTC`);
    await page.keyboard.press('Home');
    await expect(said(page)).toContainText(readable(days[0] ?? null, 8, '未知'));
    await page.keyboard.press('Shift+B');
    await expect(chart(page).locator('[data-before]')).toHaveCount(0);
    await expect(chart(page).locator('[data-value]')).toHaveText(`${readable(days[0] ?? null, 8, '未知')} BTC`);
    const drawn = await chart(page).locator('.u-over').boundingBox();
    if (!drawn) throw new Error('the chart is not drawn');
    await page.mouse.move(drawn.x + 1, drawn.y + drawn.height / 2);
    await admin.run('chart.unit', { params: { unit: 'month' } });
    await expect(chart(page).locator('[data-value]')).toHaveText(`${readable(months[0] ?? null, 8, '未知')} BTC`);
  },
);

test('another figure, range, tooltip and CSV file work by mouse in English', { tag: '@long' }, async ({ admin, page, db }) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('all', place);
  await figure(page, 'mintYu').click();
  await expect(page.getByRole('heading', { name: 'YU minted' })).toBeVisible();
  await page.getByRole('radio', { name: '30 days', exact: true }).click();
  await expect(page).toHaveURL(/range=30/);
  const days = await taken(db, 'mint_yu', 30, 0);
  const box = await chart(page).locator('.u-over').boundingBox();
  if (!box) throw new Error('the chart is not drawn');
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await expect(chart(page).locator('[data-value]')).toHaveText(`${readable(days[0] ?? null, 18, 'unknown', 2)} YU`);

  await page.getByRole('button', { name: 'Previous period' }).click();
  await expect(chart(page).locator('[data-before]')).toBeVisible();
  const writing = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  const file = await writing;
  expect(file.suggestedFilename()).toMatch(/^overview-mintYu-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...lines] = (await textOf(file)).replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(head).toBe('"Day","YU minted","Previous period","YU minted, previous period"');
  const before = await taken(db, 'mint_yu', 60, 30);
  const bare = (value: string | null | undefined) => readable(value ?? null, 18, '').replaceAll(',', '');
  expect(lines.map((line) => line.slice(1, -1).split('","')).map(([, value, , then]) => [value, then])).toEqual(
    days.map((value, at) => [bare(value), bare(before[at])]),
  );
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(lines.length);
  expect((await cells(page)).map(([, value]) => value)).toEqual(days.map((value) => readable(value, 18, '', 2)));
});

test(
  'a script reads figures, daily table and export, and finds a day that was added later',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', place);
    const { rows: ledger } = await db.query<{ bridge: string; users: string }>(
      `select (coalesce((select sum(amount) from deposits where mint_status = 'done'), 0)
       - coalesce((select sum(amount) from withdrawals where status in ('withdrawable', 'done')), 0))::text as bridge,
       (select count(distinct address) from (select address from wallet_connections union all select address from institutions) a)::text as users`,
    );
    await expect(figure(page, 'bridgeBtc').locator('[data-value]')).toHaveText(
      `${readable(ledger[0]?.bridge ?? null, 8, '未知')} BTC`,
    );
    await expect(figure(page, 'userCount').locator('[data-value]')).toHaveText(readable(ledger[0]?.users ?? null, 0, '未知'));
    const [then] = await taken(db, 'user_count', 30, 29);
    const change = BigInt(ledger[0]?.users ?? 0) - BigInt(then ?? 0);
    await expect(figure(page, 'userCount').locator('[data-change]').last()).toContainText(
      `${change > 0n ? '+' : change < 0n ? '−' : ''}${change < 0n ? -change : change}`,
    );
    // Without a chain, no figure may be zero.
    await expect(page.locator('[data-delayed="off"]')).toBeVisible();
    await expect(figure(page, 'mintYu').locator('[data-value]')).toHaveText('未知');
    await expect(page.locator('[data-as-of]')).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);

    const first = page.getByRole('grid').getByRole('row').nth(1);
    const [yesterday] = await taken(db, 'vault_btc', 1, 0);
    await expect(first.locator('[data-column="vaultBtc"]')).toHaveText(readable(yesterday ?? null, 18, '未知', 8));

    const count = async () => Number((await db.query('select count(*) as n from overview_days')).rows[0].n);
    const was = await count();
    const { rows: earliest } = await db.query<{ day: string }>(`select (min(day) - 2)::text as day from overview_days`);
    const added = earliest[0]?.day ?? '';
    await db.query(`insert into overview_days (day, bridge_btc, user_count, at) values ($1, 123456789012345678, 7, now())`, [
      added,
    ]);
    await admin.run('overview.refresh');
    await expect(page.locator('[data-missing]')).toBeHidden(); // the gap is further back than 400 days
    await page.getByRole('radio', { name: '全部' }).click();
    await page.keyboard.press('Shift+T');
    await expect(page.locator('[data-chart-table] tbody tr')).toHaveCount(was + 2);
    const [one, gap] = await cells(page);
    expect(one?.[1]).toBe('1,234,567,890.12345678');
    expect(gap?.[1]).toBe('未知');
    expect(await admin.assess('chart.compare')).toMatchObject({ state: 'blocked' });

    const saving = page.waitForEvent('download');
    expect((await admin.run('overview.export')).value).toMatchObject({ rows: was + 1 });
    const lines = (await textOf(await saving)).trimEnd().split('\r\n');
    expect(lines).toHaveLength(was + 2);
    expect(lines.at(-1)?.replaceAll('"', '')).toMatch(new RegExp(`^${added},1234567890\\.12345678,,7,.*,123456789012345678,`));
  },
);

test(
  'arrow keys are mirrored from right to left, and the newest day is on the left',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'ar'));
    await admin.signIn('operator', `${place}?range=30`);
    expect(await admin.assess('overview.export')).toEqual({ state: 'hidden' });
    await expect(chart(page).locator('canvas')).toBeVisible();
    const days = await taken(db, 'bridge_btc', 30, 0);
    await plot(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(said(page)).toContainText(readable(days[1] ?? null, 8, '未知'));
    const box = await chart(page).locator('.u-over').boundingBox();
    if (!box) throw new Error('the chart is not drawn');
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await expect(chart(page).locator('[data-value]')).toHaveText(`${readable(days.at(-1) ?? null, 8, '未知')} BTC`);
  },
);

test('Home shows a small overview with one key to the full one, if permitted', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('analyst', '/');
  const small = page.locator('[data-overview-small]');
  await expect(small.locator('polyline')).toHaveCount(4);
  const { rows } = await db.query<{ users: string }>(
    `select count(distinct address)::text as users from (select address from wallet_connections union all select address from institutions) a`,
  );
  await expect(small.locator('[data-figure="userCount"]')).toContainText(readable(rows[0]?.users ?? null, 0, '未知'));
  await admin.key('go.overview');
  await expect(page.getByRole('heading', { level: 1, name: '数据概览' })).toBeVisible();
  await admin.signIn('editor', '/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(small).toHaveCount(0);
});

test('chart commands are blocked with a reason on screens without a chart', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  for (const id of ['chart.table', 'chart.unit', 'chart.compare', 'chart.saveCsv'] as const)
    expect(await admin.assess(id), id).toEqual({ state: 'blocked', reason: expect.any(String) });
  await page.keyboard.press('Shift+T');
  await expect(page).toHaveURL(/\/news$/);
});
