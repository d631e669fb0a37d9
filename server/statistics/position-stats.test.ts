import { expect, test } from 'vitest';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { chainEnv } from '../testing/crsm.ts';
import { send, signInAs, testApp } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';
import { crsmEvents, troves } from '../crsm/tables.ts';

const { troveManager } = devnetContracts;
const app = await testApp(chainEnv('http://127.0.0.1:9'), { jobs: false });
const { api, headers } = await signInAs(app, 'all');
const [one, two] = ['0x52908400098527886E0F7030069857D2E4169EE7', '0xde709f2102306220921060314715629080e2fb77'];
const zero = '0x0000000000000000000000000000000000000000';
const unit = 10n ** 18n;
const at = (day: number) => new Date(Date.UTC(2026, 9, day, 12));
const idOf = (trove: bigint) => `${troveManager}-${trove}`;

const trove = (troveId: bigint, more: Partial<typeof troves.$inferInsert>) => ({
  id: idOf(troveId),
  troveManager,
  troveId,
  owner: one,
  openedAt: at(1),
  collateral: 2n * unit,
  totalDebt: 1_000n * unit,
  icr: (150n * unit) / 100n,
  liquidationPrice: 600n * unit,
  readAt: at(20),
  ...more,
});
await app.database.db
  .insert(troves)
  .values([
    trove(1n, {}),
    trove(2n, { owner: two, openedAt: at(2), collateral: 5n * unit, icr: (109n * unit) / 100n }),
    trove(3n, { owner: two, openedAt: at(2), totalDebt: 0n, icr: noDebtRatio }),
    trove(4n, { readAt: null }),
  ]);
const transfer = (index: number, id: bigint, from: string, to: string, day: number) => ({
  id: `0x${index}-0`,
  trove: idOf(id),
  name: 'Transfer',
  args: JSON.stringify({ from, to, tokenId: String(id) }),
  hash: `0x${index}`,
  logIndex: 0,
  block: BigInt(index),
  blockHash: '0x',
  at: at(day),
});
await app.database.db
  .insert(crsmEvents)
  .values([
    transfer(1, 1n, zero, one, 1),
    transfer(2, 9n, zero, one, 3),
    transfer(3, 9n, one, two, 4),
    transfer(4, 9n, two, zero, 5),
  ]);

const page = { sort: 'collateral', direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;

test('the vault list has open positions that were read', async () => {
  const { rows, count } = await api.vaults.list(page);
  expect(rows.map(({ vaultId, owner, icr, chainId }) => [vaultId, owner, icr, chainId])).toEqual([
    ['2', two, ((109n * unit) / 100n).toString(), 31337],
    ['3', two, null, 31337],
    ['1', one, ((150n * unit) / 100n).toString(), 31337],
  ]);
  expect(count).toEqual({ value: 3, kind: 'exact' });
  expect(await api.vaults.many({ ids: [idOf(1n), idOf(4n), idOf(77n)] })).toMatchObject([{ vaultId: '1' }]);
  const totals = await api.vaults.totals({ filter: { address: two } });
  expect(totals).toMatchObject({ rows: '2', sums: { collateral: (7n * unit).toString(), debt: (1_000n * unit).toString() } });
  expect(await api.vaults.totals({ filter: { address: '3' } })).toMatchObject({ rows: '1' });
  expect(await api.vaults.totals({ filter: { chainId: '1' } })).toMatchObject({ rows: '0' });
  const { bars } = await api.vaults.bars({ filter: {}, of: 'icr', zone: 'UTC' });
  expect(bars[0]).toEqual({ from: null, to: ((110n * unit) / 100n).toString(), rows: '1' });
  expect(bars.reduce((sum, { rows: found }) => sum + Number(found), 0)).toBe(2);
  expect(await api.vaults.follower()).toMatchObject({ state: expect.toBeOneOf(['off', 'behind']) });
});

test('the position list also has closed ones, with zero figures', async () => {
  const { rows } = await api.positionStats.list({ ...page, sort: 'createdAt', direction: 'asc' });
  expect(rows.map(({ positionId, address, status, collateral }) => [positionId, address, status, collateral])).toEqual([
    ['1', one, 'open', (2n * unit).toString()],
    ['2', two, 'open', (5n * unit).toString()],
    ['3', two, 'open', (2n * unit).toString()],
    ['9', two, 'closed', '0'],
  ]);
  expect(rows[3]).toMatchObject({ createdAt: at(3).toISOString(), icr: null, liquidationPrice: null });
  const seen: string[] = [];
  for (let cursor: string | null = null, turn = 0; turn < 4; turn++) {
    const next: Awaited<ReturnType<typeof api.positionStats.list>> = await api.positionStats.list({
      ...page,
      sort: 'icr',
      cursor,
      limit: 1,
    });
    seen.push(...next.rows.map(({ positionId }) => positionId));
    cursor = next.nextCursor;
  }
  expect(seen.toSorted()).toEqual(['1', '2', '3', '9']);
  expect(await api.positionStats.totals({ filter: { status: 'closed' } })).toMatchObject({ rows: '1' });
  expect((await api.positionStats.top({ filter: {}, by: 'status', metric: 'opened', limit: 5 })).top).toEqual([
    { key: 'open', value: '3' },
    { key: 'closed', value: '1' },
  ]);
  const { points } = await api.positionStats.series({
    filter: { time: `..${at(4).toISOString()}` },
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
  const { id } = await api.positionStats.export({ ...pick(page), filter: { status: 'open' }, locale: 'zh-CN' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/statistics/dataCdp/export/${id}`, undefined, headers)).text();
  expect(text.trim().split('\r\n')).toHaveLength(4);
  expect(text).toContain('未关闭');
});

const pick = ({ sort, direction }: typeof page) => ({ sort, direction });
