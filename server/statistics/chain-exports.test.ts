import { beforeAll, expect, test } from 'vitest';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { crsmEvents, troves } from '../crsm/tables.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { writeExports } from '../testing/exports.ts';
import { send, signInAs, createTestApp, type TestApp, type TestSession } from '../testing/support.ts';
import { overviewDays, teams } from './tables.ts';

// CSV files of lists with chain data, cell by cell: amounts in human units and exact in base units, names with their codes, and
// local times with their UTC instants.

let app: TestApp;
let analyst: TestSession;

const owner = '0x52908400098527886E0F7030069857D2E4169EE7';
const { troveManager } = devnetContracts;
const openedAt = new Date('2026-03-08T06:59:59.123Z');
const row = {
  troveManager,
  owner,
  openedAt,
  collateral: 2_500_000_000_000_000_001n,
  totalDebt: 212_000_000_000_000_000_000_001n,
  icr: 1_600_000_000_000_000_001n,
  liquidationPrice: 61_234_567_890_123_456_789_012n,
  readAt: openedAt,
};

beforeAll(async () => {
  app = await createTestApp(buildChainEnv('http://127.0.0.1:9'), { jobs: false });
  analyst = await signInAs(app, 'analyst');
  const { db } = app.database;
  await db.insert(troves).values([
    { ...row, id: `${troveManager}-7`, troveId: 7n },
    { ...row, id: `${troveManager}-8`, troveId: 8n, collateral: 1n, totalDebt: 0n, icr: noDebtRatio, liquidationPrice: 0n },
  ]);
  const event = { trove: `${troveManager}-9`, name: 'Transfer', logIndex: 0, blockHash: '0x' };
  const zero = `0x${'0'.repeat(40)}`;
  await db.insert(crsmEvents).values([
    {
      ...event,
      id: '0x1-0',
      hash: '0x1',
      block: 1n,
      at: openedAt,
      args: JSON.stringify({ from: zero, to: owner, tokenId: '9' }),
    },
    {
      ...event,
      id: '0x2-0',
      hash: '0x2',
      block: 2n,
      at: openedAt,
      args: JSON.stringify({ from: owner, to: zero, tokenId: '9' }),
    },
  ]);
  await db.delete(teams);
  await db
    .insert(teams)
    .values({ id: newId(), captain: owner, yuMinted: row.totalDebt, size: 12, current: true, updatedAt: openedAt });
  await db.delete(overviewDays);
  await db.insert(overviewDays).values([
    {
      day: '2026-03-08',
      bridgeBtc: 2_099_999_999_999_999n,
      mintYu: row.totalDebt,
      userCount: 1_234n,
      vaultBtc: row.collateral,
      at: openedAt,
      block: 19_876_543n,
    },
    { day: '2026-03-09', bridgeBtc: null, mintYu: null, userCount: null, vaultBtc: 0n, at: openedAt, block: null },
  ]);
});

const inChinese = { direction: 'asc', filter: {}, locale: 'zh-CN', zone: 'Asia/Shanghai' } as const;
const inEnglish = { direction: 'asc', filter: {}, locale: 'en-US', zone: 'America/New_York' } as const;
const shanghai = '2026-03-08 14:59:59';
const newYork = '2026-03-08 01:59:59';
const instant = '2026-03-08T06:59:59.123Z';

async function cellsOf(path: string, started: Promise<{ id: string }>): Promise<string[][]> {
  const { id } = await started;
  await writeExports(app);
  const answer = await send(app, 'GET', `/api${path}/export/${id}`, undefined, analyst.headers);
  expect(answer.status).toBe(200);
  // text() would drop the byte order mark.
  const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  async function* once() {
    yield text.slice(1);
  }
  const lines = [];
  for await (const line of readCsv(once())) lines.push(line);
  return lines;
}

const debt = ['212000.000000000000000001', '212000000000000000000001'] as const;
const collateral = ['2.500000000000000001', '2500000000000000001'] as const;
const icr = ['160.0000000000000001', '1600000000000000001'] as const;
const price = ['61234.567890123456789012', '61234567890123456789012'] as const;

test('the export of positions has BTC, YU and percent, the status in words, and exact values in columns of their own', async () => {
  const { api } = analyst;
  expect(
    await cellsOf('/statistics/dataCdp', api.positionStats.export({ ...inChinese, sort: 'collateral', direction: 'desc' })),
  ).toEqual([
    [
      '仓位 ID',
      '地址',
      '链 ID',
      '抵押品（BTC）',
      '债务（YU）',
      '抵押率（%）',
      '清算价格（YU）',
      '状态',
      '创建时间（Asia/Shanghai）',
      '抵押品（wei）',
      '债务（wei）',
      '抵押率（1e18 = 100%）',
      '清算价格（1e18 = 1 YU）',
      '状态（代码）',
      '创建时间（ISO 8601 UTC）',
    ],
    [
      '7',
      owner,
      '31337',
      collateral[0],
      debt[0],
      icr[0],
      price[0],
      '未关闭',
      shanghai,
      collateral[1],
      debt[1],
      icr[1],
      price[1],
      'open',
      instant,
    ],
    ['8', owner, '31337', '0.000000000000000001', '0', '', '', '未关闭', shanghai, '1', '0', '', '', 'open', instant],
    ['9', owner, '31337', '0', '0', '', '', '已关闭', shanghai, '0', '0', '', '', 'closed', instant],
  ]);
  const english = await cellsOf('/statistics/dataCdp', api.positionStats.export({ ...inEnglish, sort: 'createdAt' }));
  expect(english[0]).toEqual([
    'Position ID',
    'Address',
    'Chain ID',
    'Collateral (BTC)',
    'Debt (YU)',
    'ICR (%)',
    'Liquidation price (YU)',
    'Status',
    'Created (America/New_York)',
    'Collateral (wei)',
    'Debt (wei)',
    'ICR (1e18 = 100%)',
    'Liquidation price (1e18 = 1 YU)',
    'Status (code)',
    'Created (ISO 8601 UTC)',
  ]);
  expect(english.find(([id]) => id === '7')?.slice(7, 9)).toEqual(['Open', newYork]);
  expect(english.find(([id]) => id === '9')?.slice(7, 9)).toEqual(['Closed', newYork]);
});

test('the export of vaults has only open positions, with the same units', async () => {
  const started = analyst.api.vaults.export({ ...inEnglish, sort: 'collateral', direction: 'desc' });
  expect(await cellsOf('/statistics/dataVault', started)).toEqual([
    [
      'Position ID',
      'Chain ID',
      'Address',
      'Collateral (BTC)',
      'Debt (YU)',
      'ICR (%)',
      'Created (America/New_York)',
      'Collateral (wei)',
      'Debt (wei)',
      'ICR (1e18 = 100%)',
      'Created (ISO 8601 UTC)',
    ],
    ['7', '31337', owner, collateral[0], debt[0], icr[0], newYork, collateral[1], debt[1], icr[1], instant],
    ['8', '31337', owner, '0.000000000000000001', '0', '', newYork, '1', '0', '', instant],
  ]);
});

test('the export of the overview has deposits in satoshi and BTC, minted YU, and blanks for what was not measured', async () => {
  expect(await cellsOf('/overview', analyst.api.overview.export({ ...inChinese, sort: 'day' }))).toEqual([
    [
      '日期（UTC）',
      '跨链量（BTC）',
      '铸造量（YU）',
      '用户数',
      '金库（BTC）',
      '采集时间（Asia/Shanghai）',
      '区块高度',
      '跨链量（satoshi）',
      '铸造量（wei）',
      '金库（wei）',
      '采集时间（ISO 8601 UTC）',
    ],
    [
      '2026-03-08',
      '20999999.99999999',
      debt[0],
      '1234',
      collateral[0],
      shanghai,
      '19876543',
      '2099999999999999',
      debt[1],
      collateral[1],
      instant,
    ],
    ['2026-03-09', '', '', '', '0', shanghai, '', '', '', '0', instant],
  ]);
});

test('the export of teams has minted YU in both units', async () => {
  expect(await cellsOf('/statistics/datacaptain', analyst.api.teams.export({ ...inEnglish, sort: 'size' }))).toEqual([
    [
      "Captain's address",
      'Team total YU minted (YU)',
      'Team size',
      'Updated (America/New_York)',
      'Team total YU minted (wei)',
      'Updated (ISO 8601 UTC)',
    ],
    [owner, debt[0], '12', newYork, debt[1], instant],
  ]);
});
