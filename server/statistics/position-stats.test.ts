import { expect, test } from 'vitest';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { send, signInAs, createTestApp } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';
import { crsmEvents, troves } from '../crsm/tables.ts';

const { troveManager } = devnetContracts;
const app = await createTestApp(buildChainEnv('http://127.0.0.1:9'), { jobs: false });
const { api, headers } = await signInAs(app, 'all');
const [firstAddress, secondAddress] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
];
const zeroAddress = '0x0000000000000000000000000000000000000000';
const weiPerToken = 10n ** 18n;
const dayTime = (day: number) => new Date(Date.UTC(2026, 9, day, 12));
const troveKeyOf = (troveNumber: bigint) => `${troveManager}-${troveNumber}`;

const createTrove = (troveId: bigint, overrides: Partial<typeof troves.$inferInsert>) => ({
  id: troveKeyOf(troveId),
  troveManager,
  troveId,
  owner: firstAddress,
  openedAt: dayTime(1),
  collateral: 2n * weiPerToken,
  totalDebt: 1_000n * weiPerToken,
  icr: (150n * weiPerToken) / 100n,
  liquidationPrice: 600n * weiPerToken,
  readAt: dayTime(20),
  ...overrides,
});
await app.database.db.insert(troves).values([
  createTrove(1n, {}),
  createTrove(2n, {
    owner: secondAddress,
    openedAt: dayTime(2),
    collateral: 5n * weiPerToken,
    icr: (109n * weiPerToken) / 100n,
  }),
  createTrove(3n, { owner: secondAddress, openedAt: dayTime(2), totalDebt: 0n, icr: noDebtRatio }),
  createTrove(4n, { readAt: null }),
]);
const createTransfer = (index: number, id: bigint, from: string, to: string, day: number) => ({
  id: `0x${index}-0`,
  trove: troveKeyOf(id),
  name: 'Transfer',
  args: JSON.stringify({ from, to, tokenId: String(id) }),
  hash: `0x${index}`,
  logIndex: 0,
  block: BigInt(index),
  blockHash: '0x',
  at: dayTime(day),
});
await app.database.db
  .insert(crsmEvents)
  .values([
    createTransfer(1, 1n, zeroAddress, firstAddress, 1),
    createTransfer(2, 9n, zeroAddress, firstAddress, 3),
    createTransfer(3, 9n, firstAddress, secondAddress, 4),
    createTransfer(4, 9n, secondAddress, zeroAddress, 5),
  ]);

const page = { sort: 'collateral', direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;

test('the vault list has open positions that were read', async () => {
  const { rows, count } = await api.vaults.list(page);
  expect(rows.map(({ vaultId, owner, icr, chainId }) => [vaultId, owner, icr, chainId])).toEqual([
    ['2', secondAddress, ((109n * weiPerToken) / 100n).toString(), 31337],
    ['3', secondAddress, null, 31337],
    ['1', firstAddress, ((150n * weiPerToken) / 100n).toString(), 31337],
  ]);
  expect(count).toEqual({ value: 3, kind: 'exact' });
  expect(await api.vaults.many({ ids: [troveKeyOf(1n), troveKeyOf(4n), troveKeyOf(77n)] })).toMatchObject([{ vaultId: '1' }]);
  const totals = await api.vaults.totals({ filter: { address: secondAddress } });
  expect(totals).toMatchObject({
    rows: '2',
    sums: { collateral: (7n * weiPerToken).toString(), debt: (1_000n * weiPerToken).toString() },
  });
  expect(await api.vaults.totals({ filter: { address: '3' } })).toMatchObject({ rows: '1' });
  expect(await api.vaults.totals({ filter: { chainId: '1' } })).toMatchObject({ rows: '0' });
  const { bars } = await api.vaults.bars({ filter: {}, of: 'icr', zone: 'UTC' });
  expect(bars[0]).toEqual({ from: null, to: ((110n * weiPerToken) / 100n).toString(), rows: '1' });
  expect(bars.reduce((sum, { rows: found }) => sum + Number(found), 0)).toBe(2);
  expect(await api.vaults.follower()).toMatchObject({ state: expect.toBeOneOf(['off', 'behind']) });
});

test('the position list also has closed ones, with zero figures', async () => {
  const { rows } = await api.positionStats.list({ ...page, sort: 'createdAt', direction: 'asc' });
  expect(rows.map(({ positionId, address, status, collateral }) => [positionId, address, status, collateral])).toEqual([
    ['1', firstAddress, 'open', (2n * weiPerToken).toString()],
    ['2', secondAddress, 'open', (5n * weiPerToken).toString()],
    ['3', secondAddress, 'open', (2n * weiPerToken).toString()],
    ['9', secondAddress, 'closed', '0'],
  ]);
  expect(rows[3]).toMatchObject({ createdAt: dayTime(3).toISOString(), icr: null, liquidationPrice: null });
  const seenIds: string[] = [];
  for (let cursor: string | null = null, pageIndex = 0; pageIndex < 4; pageIndex++) {
    const nextPage: Awaited<ReturnType<typeof api.positionStats.list>> = await api.positionStats.list({
      ...page,
      sort: 'icr',
      cursor,
      limit: 1,
    });
    seenIds.push(...nextPage.rows.map(({ positionId }) => positionId));
    cursor = nextPage.nextCursor;
  }
  expect(seenIds.toSorted()).toEqual(['1', '2', '3', '9']);
  expect(await api.positionStats.totals({ filter: { status: 'closed' } })).toMatchObject({ rows: '1' });
  expect((await api.positionStats.top({ filter: {}, by: 'status', metric: 'opened', limit: 5 })).top).toEqual([
    { key: 'open', value: '3' },
    { key: 'closed', value: '1' },
  ]);
  const { points } = await api.positionStats.series({
    filter: { time: `..${dayTime(4).toISOString()}` },
    unit: 'day',
    zone: 'Asia/Shanghai',
    compare: false,
  });
  expect(points.map(({ label, values }) => [label, values.opened])).toEqual([
    ['2026-10-01', '1'],
    ['2026-10-02', '2'],
    ['2026-10-03', '1'],
    ['2026-10-04', '0'],
  ]);
  const { id } = await api.positionStats.export({ ...sortInputOf(page), filter: { status: 'open' }, locale: 'zh-CN' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/statistics/dataCdp/export/${id}`, undefined, headers)).text();
  expect(text.trim().split('\r\n')).toHaveLength(4);
  expect(text).toContain('未关闭');
});

const sortInputOf = ({ sort, direction }: typeof page) => ({ sort, direction });
