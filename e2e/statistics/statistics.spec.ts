import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Page } from 'playwright/test';
import { readCsv } from '../../server/platform/core/csv.ts';
import { expect, test } from '../fixtures.ts';
import { pickCsv } from '../support/exports.ts';

const statisticsRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const total = (page: Page, id: string) => page.locator(`[data-total="${id}"] dd`);
const cell = (page: Page, column: string) => statisticsRows(page).first().locator(`[data-column="${column}"]`);

/** Debt is rounded up, everything else down. */
function formatAmount(baseUnits: string, places: number, decimals: number, unit: string, isDebt = false): string {
  const step = 10n ** BigInt(places - decimals);
  const digits = `${(BigInt(baseUnits) + (isDebt ? step - 1n : 0n)) / step}`.padStart(decimals + 1, '0');
  return `${Number(digits.slice(0, -decimals)).toLocaleString('en')}.${digits.slice(-decimals)} ${unit}`;
}
const count = (value: string | number) => Number(value).toLocaleString('en');

const readOne = async (db: pg.Client, sql: string, values: unknown[] = []): Promise<Record<string, string>> =>
  (await db.query(sql, values)).rows[0] ?? {};

async function readCsvFile(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8');
  async function* fileChunks() {
    yield text.replace(/^\uFEFF/, '');
  }
  const records: string[][] = [];
  for await (const record of readCsv(fileChunks())) records.push(record);
  return records;
}

/** In the zone of Shanghai, as SQL and the panel write it. */
function readMonthsAgo(number: number) {
  const shanghaiOffsetMs = 8 * 3_600_000; // no daylight saving
  const today = new Date(Date.now() + shanghaiOffsetMs);
  const monthStart = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - number));
  return {
    key: monthStart.toISOString().slice(0, 7),
    label: `${monthStart.getUTCFullYear()}年${monthStart.getUTCMonth() + 1}月`,
    from: new Date(monthStart.getTime() - shanghaiOffsetMs).toISOString(),
  };
}

const owner = '0x52908400098527886E0F7030069857D2E4169EE7';
const managerAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** This server has no chain to read them from. */
async function addVaults(db: pg.Client): Promise<void> {
  await db.query(
    `insert into troves (id, trove_manager, trove_id, owner, opened_at, collateral, total_debt, icr, liquidation_price, read_at)
     select $1 || '-' || n, $1, n, $2, '2026-10-01T12:00:00Z'::timestamptz + n::int * interval '1 hour',
       n * 1500000000000000000, n * 40000000000000000000001, 1500000000000000000 + n, 600000000000000000000, now()
     from unnest(array[901, 902]::numeric[]) as n on conflict do nothing`,
    [managerAddress, owner],
  );
  const insertTransfer = `insert into crsm_events (id, trove, name, args, hash, log_index, block, block_hash, at)
    values ($1, $2, 'Transfer', $3, $1, 0, $4, '0x', $5) on conflict do nothing`;
  const zeroAddress = '0x0000000000000000000000000000000000000000';
  for (const [id, trove, from, toAddress, block] of [
    ['0xa1', 901, zeroAddress, owner, 1],
    ['0xa2', 902, zeroAddress, owner, 2],
    ['0xa3', 903, zeroAddress, owner, 3],
    ['0xa4', 903, owner, zeroAddress, 4],
  ] as const) {
    const args = JSON.stringify({ from, to: toAddress, tokenId: String(trove) });
    await db.query(insertTransfer, [id, `${managerAddress}-${trove}`, args, block, `2026-10-0${block}T12:00:00Z`]);
  }
}

for (const [locale, titles] of [
  ['zh-CN', ['页面统计', '钱包连接统计', '仓位统计', '仓位列表', '团队列表', '抽奖统计']],
  [
    'en-US',
    [
      'Page statistics',
      'Wallet connection statistics',
      'Position statistics',
      'Position list',
      'Team list',
      'Lottery statistics',
    ],
  ],
] as const) {
  test.describe(locale, locale === 'zh-CN' ? {} : { tag: '@long' }, () => {
    test.use({ locale });
    const screenName = (index: number) => ({ name: titles[index] ?? '' });

    test('page statistics show rows and totals that equal SQL', async ({ admin, page, db }) => {
      await admin.signIn('all', '/statistics/dataView');
      await expect(page.getByRole('heading', { level: 1, ...screenName(0) })).toBeVisible();
      const totals = await readOne(db, 'select count(*) as n, sum(btc_deposited) as btc, sum(yu_minted) as yu from visits');
      await expect(total(page, 'rows')).toHaveText(count(totals['n'] ?? ''));
      await expect(total(page, 'btcDeposited')).toHaveText(formatAmount(totals['btc'] ?? '', 8, 8, 'BTC'));
      await expect(total(page, 'yuMinted')).toHaveText(formatAmount(totals['yu'] ?? '', 18, 2, 'YU'));
      const firstRow = await readOne(db, 'select page from visits order by at desc, id desc limit 1');
      await expect(cell(page, 'page')).toHaveText(firstRow['page'] ?? '');
    });

    test('wallet connections equal SQL', { tag: '@long' }, async ({ admin, page, db }) => {
      await admin.signIn('all', '/statistics/dataWallet');
      await expect(page.getByRole('heading', { level: 1, ...screenName(1) })).toBeVisible();
      const totals = await readOne(db, 'select count(*) as n, sum(times) as times from wallet_connections');
      await expect(total(page, 'rows')).toHaveText(count(totals['n'] ?? ''));
      await expect(total(page, 'times')).toHaveText(count(totals['times'] ?? ''));
      const firstRow = await readOne(db, 'select address, wallet from wallet_connections order by last_at desc, id desc limit 1');
      await expect(cell(page, 'address')).toContainText(firstRow['address'] ?? '');
      await expect(cell(page, 'wallet')).toHaveText(firstRow['wallet'] ?? '');
    });

    test('vaults and positions equal SQL, and the missing chain is reported', { tag: '@long' }, async ({ admin, page, db }) => {
      await addVaults(db);
      await admin.signIn('all', '/statistics/dataVault');
      await expect(page.getByRole('heading', { level: 1, ...screenName(2) })).toBeVisible();
      const vaultTotals = await readOne(
        db,
        'select count(*) as n, sum(collateral) as btc, sum(total_debt) as yu from troves where read_at is not null',
      );
      await expect(total(page, 'rows')).toHaveText(count(vaultTotals['n'] ?? ''));
      await expect(total(page, 'collateral')).toHaveText(formatAmount(vaultTotals['btc'] ?? '', 18, 8, 'BTC'));
      await expect(total(page, 'debt')).toHaveText(formatAmount(vaultTotals['yu'] ?? '', 18, 2, 'YU', true));
      await expect(cell(page, 'vaultId')).toContainText('902');
      await expect(page.locator('[data-chain="off"]')).toBeVisible();

      await admin.open('/statistics/dataCdp');
      await expect(page.getByRole('heading', { level: 1, ...screenName(3) })).toBeVisible();
      const positions = await readOne(db, 'select count(*) as n, sum(collateral) as btc from positions');
      await expect(total(page, 'rows')).toHaveText(count(positions['n'] ?? ''));
      await expect(total(page, 'collateral')).toHaveText(formatAmount(positions['btc'] ?? '', 18, 8, 'BTC'));
      await admin.open('/statistics/dataCdp?status=closed');
      await expect(statisticsRows(page)).toHaveCount(1);
      await expect(total(page, 'rows')).toHaveText('1');
    });

    test('teams equal SQL', { tag: '@long' }, async ({ admin, page, db }) => {
      await admin.signIn('all', '/statistics/datacaptain');
      await expect(page.getByRole('heading', { level: 1, ...screenName(4) })).toBeVisible();
      const totals = await readOne(db, 'select count(*) as n, sum(yu_minted) as yu, sum(size) as size from teams where current');
      await expect(total(page, 'rows')).toHaveText(count(totals['n'] ?? ''));
      await expect(total(page, 'yuMinted')).toHaveText(formatAmount(totals['yu'] ?? '', 18, 2, 'YU'));
      await expect(total(page, 'size')).toHaveText(count(totals['size'] ?? ''));
      const firstRow = await readOne(db, 'select captain from teams where current order by yu_minted desc, id desc limit 1');
      await expect(cell(page, 'captain')).toContainText(firstRow['captain'] ?? '');
    });

    test('draws open at the address with the zero', { tag: '@long' }, async ({ admin, page, db }) => {
      await admin.signIn('all', '/statistics/data0penBox');
      await expect(page.getByRole('heading', { level: 1, ...screenName(5) })).toBeVisible();
      const totals = await readOne(
        db,
        'select count(*) as n, sum(captain_berries) as own, sum(total_berries) as berries from draws',
      );
      await expect(total(page, 'rows')).toHaveText(count(totals['n'] ?? ''));
      await expect(total(page, 'captainBerries')).toHaveText(count(totals['own'] ?? ''));
      await expect(total(page, 'totalBerries')).toHaveText(count(totals['berries'] ?? ''));
      const firstRow = await readOne(db, 'select total_berries as berries from draws order by time desc, id desc limit 1');
      await expect(cell(page, 'totalBerries')).toHaveText(count(firstRow['berries'] ?? ''));
    });
  });
}

test('an address is searched, totals follow, the row opens and its address is copied by keyboard', async ({
  admin,
  page,
  db,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await admin.signIn('all', '/statistics/dataWallet');
  const { address = '' } = await readOne(db, 'select address from wallet_connections order by times desc, id desc limit 1');
  const { keyboard } = page;
  await expect(statisticsRows(page).first()).toBeVisible();
  await keyboard.press('/');
  await keyboard.insertText(address.toLowerCase());
  await keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`address=${address.toLowerCase()}`));
  const totals = await readOne(db, 'select count(*) as n, sum(times) as times from wallet_connections where address = $1', [
    address,
  ]);
  await expect(total(page, 'rows')).toHaveText(count(totals['n'] ?? ''));
  await expect(total(page, 'times')).toHaveText(count(totals['times'] ?? ''));
  await expect(statisticsRows(page)).toHaveCount(Number(totals['n']));
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(page.locator('[data-record] [data-field="address"]')).toContainText(address);
  await page.reload();
  await expect(page.locator('[data-record] [data-field="address"]')).toContainText(address);
  await admin.ready();
  await admin.key('walletConnections.copyAddress');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await keyboard.press('Escape');
  await expect(page.locator('[data-record]')).toHaveCount(0);
  await expect(page).toHaveURL(/address=/);
});

test(
  'Germany last month is filtered with eight key presses, and invalid input is ignored',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/statistics/dataView');
    await expect(statisticsRows(page).first()).toBeVisible();
    for (const key of ['f', 'd', 'e']) await page.keyboard.press(key);
    await expect(page.locator('[data-filter-menu]').getByRole('option').first()).toContainText('德国');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/country=DE$/);
    for (const key of ['f', 'l', 'm', 'Enter']) await page.keyboard.press(key);
    await expect(page).toHaveURL(/country=DE&time=last-month$/);
    await expect(page.locator('[data-filter]')).toHaveText([/国家.*是.*德国/, /日期.*上月/]);
    const countryChip = page.locator('[data-filter="country"] button').first();
    await countryChip.focus();
    await page.keyboard.press('!');
    await expect(page).toHaveURL(/country=!DE&/);
    await page.keyboard.press('Backspace');
    await expect(page.locator('[data-filter]')).toHaveCount(1);

    await admin.open('/statistics/dataView?country=-');
    const unknownCount = await readOne(db, 'select count(*) as n from visits where country is null');
    await expect(total(page, 'rows')).toHaveText(count(unknownCount['n'] ?? ''));
    await admin.open('/statistics/dataView?country=Atlantis&chainId=abc');
    const totalCount = await readOne(db, 'select count(*) as n from visits');
    await expect(total(page, 'rows')).toHaveText(count(totalCount['n'] ?? ''));
  },
);

test(
  'the chart follows the filter, and its table with the previous period equals SQL',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/statistics/dataView');
    const [twoMonthsAgo, lastMonth, fourMonthsAgo, threeMonthsAgo] = [
      readMonthsAgo(2),
      readMonthsAgo(1),
      readMonthsAgo(4),
      readMonthsAgo(3),
    ];
    const { from } = twoMonthsAgo;
    const { from: to } = readMonthsAgo(0);
    await admin.open(`/statistics/dataView?country=US&time=${from}..${to}&unit=month&compare=true`);
    await expect(page.locator('[data-chart="visits-visits"]')).toBeVisible();
    await expect(statisticsRows(page).first()).toBeVisible();
    const shownTotals = await page.locator('[data-period-totals] dd').allTextContents();
    await admin.key('chart.table');
    const lines = page.locator('[data-chart-table] tbody tr');
    await expect(lines).toHaveCount(2);
    const { rows } = await db.query<{ month: string; n: string }>(
      `select to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM') as month, count(*) as n from visits
     where country = 'US' and at >= $1 and at < $2 group by 1`,
      [fourMonthsAgo.from, to],
    );
    const countVisits = (...months: { key: string }[]) =>
      months.reduce((sum, { key }) => sum + Number(rows.find(({ month }) => month === key)?.n ?? 0), 0);
    const formatVisits = (month: { key: string }) => count(countVisits(month));
    expect(shownTotals.slice(0, 2)).toEqual([
      count(countVisits(twoMonthsAgo, lastMonth)),
      count(countVisits(fourMonthsAgo, threeMonthsAgo)),
    ]);
    await expect(lines.nth(0).locator('td')).toHaveText([
      formatVisits(twoMonthsAgo),
      fourMonthsAgo.label,
      formatVisits(fourMonthsAgo),
    ]);
    await expect(lines.nth(1).locator('td')).toHaveText([
      formatVisits(lastMonth),
      threeMonthsAgo.label,
      formatVisits(threeMonthsAgo),
    ]);
    expect(formatVisits(twoMonthsAgo)).not.toBe('0');

    await page.getByRole('combobox', { name: '图表内容' }).selectOption('top-country');
    await page.getByRole('combobox', { name: '指标' }).selectOption('btcDeposited');
    await expect(page).toHaveURL(/chart=top-country.*metric=btcDeposited/);
    const sum = await readOne(db, `select sum(btc_deposited) as btc from visits where country = 'US' and at >= $1 and at < $2`, [
      from,
      to,
    ]);
    await expect(lines).toHaveCount(1);
    const btcText = formatAmount(sum['btc'] ?? '', 8, 8, '')
      .trim()
      .replace(/\.?0+$/, '');
    await expect(lines.locator('td')).toHaveText(btcText);

    const link = page.url();
    await admin.signIn('analyst', '/');
    await page.goto(link);
    await expect(lines.locator('td')).toHaveText(btcText);
  },
);

test('the largest rows and the distributions equal SQL', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/statistics/data0penBox?chart=top-captain&metric=totalBerries');
  const { rows } = await db.query<{ berries: string }>(
    'select sum(total_berries) as berries from draws group by captain order by 1 desc limit 8',
  );
  const captainBars = page.locator('[data-chart="draws-top-captain"] [data-bar]');
  await expect(captainBars).toHaveCount(8);
  for (const [index, { berries }] of rows.entries()) await expect(captainBars.nth(index)).toContainText(count(berries));
  const { berries: totalCount = '' } = await readOne(db, 'select sum(total_berries) as berries from draws');
  const remainingBerries = rows.reduce((left, { berries }) => left - BigInt(berries), BigInt(totalCount));
  await expect(page.locator('[data-rest]')).toContainText(count(String(remainingBerries)));

  await admin.open('/statistics/data0penBox?chart=bars-members&table=true');
  const spreadCount = await db.query<{ n: string }>(
    `select count(d.id) as n from unnest(array[0,1,2,5,10,20,50,100], array[1,2,5,10,20,50,100,100000000]) as e (low, high)
     left join draws d on d.members >= e.low and d.members < e.high group by e.low order by e.low`,
  );
  await expect(page.locator('[data-chart-table] tbody td')).toHaveText(spreadCount.rows.map(({ n }) => count(n)));
});

test('an export contains exactly the filtered rows in order and is recorded', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/statistics/data0penBox');
  const { captain = '' } = await readOne(
    db,
    'select captain from draws group by captain order by count(*) desc, captain limit 1',
  );
  await admin.open(`/statistics/data0penBox?address=${captain}&sort=totalBerries`);
  await expect(statisticsRows(page).first()).toBeVisible();
  const { rows } = await db.query<{ berries: string; members: string }>(
    'select total_berries as berries, members from draws where captain = $1 order by total_berries, id',
    [captain],
  );
  const download = page.waitForEvent('download');
  await admin.palette('draws.export');
  await pickCsv(page);
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^draws-\d{4}-\d\d-\d\d\.csv$/);
  const [headerRow, ...lines] = await readCsvFile(await file.path());
  expect(headerRow).toEqual([
    '抽奖时间（Asia/Shanghai）',
    '队长地址',
    '团队人数（不含队长）',
    '队长积分',
    '奖励总积分',
    '抽奖时间（ISO 8601 UTC）',
  ]);
  expect(lines.map((line) => [line[1], line[4]])).toEqual(rows.map(({ berries }) => [captain, berries]));
  await expect(page.getByText(`已导出 ${rows.length} 行`)).toBeVisible();
  const { n } = await readOne(db, `select count(*) as n from audit where command = 'draws.export'`);
  expect(Number(n)).toBeGreaterThan(0);
});

test('every screen exports its rows', { tag: '@long' }, async ({ admin, db }) => {
  await addVaults(db);
  await admin.signIn('all', '/statistics/dataView');
  const { address = '' } = await readOne(db, 'select address from visits where address is not null limit 1');
  await admin.open(`/statistics/dataView?address=${address}&country=-`);
  const visitCount = await readOne(db, 'select count(*) as n from visits where address = $1 and country is null', [address]);
  expect((await admin.run('visits.export')).value).toMatchObject({ rows: Number(visitCount['n']) });
  for (const [command, table] of [
    ['walletConnections.export', 'wallet_connections'],
    ['vaults.export', 'troves'],
    ['positionStats.export', 'positions'],
    ['teams.export', 'teams'],
  ] as const) {
    const { n } = await readOne(db, `select count(*) as n from ${table}`);
    expect((await admin.run(command)).value, command).toMatchObject({ rows: Number(n) });
  }
});

test('new data appears in rows, totals and chart when the list is refreshed', { tag: '@long' }, async ({ admin, page, db }) => {
  const captain = '0x0000000000000000000000000000000000000041';
  await admin.signIn('all', `/statistics/data0penBox?address=${captain}&table=true&unit=month&time=2026-09-30T16:00:00.000Z..`);
  await expect(total(page, 'rows')).toHaveText('0');
  await db.query(
    `insert into draws (id, time, captain, members, captain_berries, total_berries)
     values (gen_random_uuid(), '2026-10-05T00:00:00Z', $1, 3, 150, 1000)`,
    [captain],
  );
  await admin.run('list.refresh');
  await expect(statisticsRows(page)).toHaveCount(1);
  await expect(total(page, 'totalBerries')).toHaveText('1,000');
  await expect(page.locator('[data-chart-table] tbody tr').first().locator('td')).toHaveText('1');
});

test('teams are imported from a file and removed again', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/statistics/datacaptain');
  const captain = '0x00000000000000000000000000000000000AbcDE';
  const lowerCaseCaptain = captain.toLowerCase();
  const file = `captain,yuMinted,size\n${lowerCaseCaptain},1500000000000000000,7`;
  const {
    done: [row],
  } = await admin.run('teams.import', { params: { file } });
  await admin.run('teams.startImport', { targets: [row.id], confirm: true });
  await admin.open(`/statistics/datacaptain?address=${lowerCaseCaptain}`);
  await expect(async () => {
    await admin.run('list.refresh');
    await expect(cell(page, 'yuMinted')).toHaveText('1.50', { timeout: 1_000 });
  }).toPass();
  await expect(total(page, 'size')).toHaveText('7');
  await admin.run('teams.undoImport', { targets: [row.id], confirm: true });
  await expect(total(page, 'rows')).toHaveText('0');
});

test('only figures from a chain show how current they are', { tag: '@long' }, async ({ admin, page }) => {
  const requestUrls: string[] = [];
  page.on('request', (request) => void requestUrls.push(new URL(request.url()).pathname));
  await admin.signIn('all', '/statistics/datacaptain');
  await expect(page.locator('[data-totals] dd').first()).toBeVisible();
  await admin.open('/statistics/dataVault');
  await expect.poll(() => requestUrls.filter((path) => path.endsWith('/follower'))).toEqual(['/rpc/vaults/follower']);
});

test('a viewer sees statistics, and a person without permission does not', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('analyst', '/statistics/datacaptain');
  await expect(total(page, 'rows')).toHaveText(/\d/);
  await expect(statisticsRows(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: '导出团队列表' })).toBeVisible();
  await expect(page.getByRole('button', { name: '导入团队' })).toHaveCount(0);
  expect(await admin.assess('teams.import')).toEqual({ state: 'hidden' });

  await admin.signIn('editor', '/news');
  expect(await admin.assess('go.dataView')).toEqual({ state: 'hidden' });
  await page.goto(`${admin.url}/statistics/dataView`);
  await expect(page).toHaveURL(/\/404/);
});
