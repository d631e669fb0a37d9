import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signInAs, createTestApp } from '../testing/support.ts';
import { insertConnections } from './ingest.ts';

const app = await createTestApp({}, { jobs: false });
const { db } = app.database;
const { api } = await signInAs(app, 'all');
const addresses = ['0x52908400098527886E0F7030069857D2E4169EE7', '0xde709f2102306220921060314715629080e2fb77'];

describe('wallet connections', () => {
  test('are listed, summed and charted by last and first time', async () => {
    const dayTime = (day: number) => new Date(Date.UTC(2026, 5, day, 12));
    const events = [1, 3, 3, 9].flatMap((day, n) =>
      addresses.map((address, index) => ({
        id: randomUUID(),
        at: dayTime(day + index),
        address,
        wallet: n === 2 ? 'UniSat' : 'OKX',
        chainId: 1,
        country: index === 0 ? 'DE' : null,
      })),
    );
    expect(await insertConnections(db, events)).toBe(8);
    const { rows } = await api.walletConnections.list({ sort: 'times', direction: 'desc', filter: {}, cursor: null, limit: 10 });
    expect(rows.map(({ wallet, times: connectionCount, country }) => [wallet, connectionCount, country])).toEqual(
      [
        ['OKX', 3, expect.anything()],
        ['OKX', 3, null],
        ['UniSat', 1, expect.anything()],
        ['UniSat', 1, null],
      ].map(([wallet, connectionCount]) => [wallet, connectionCount, expect.toBeOneOf(['DE', null])]),
    );
    const filter = { wallet: 'OKX', time: '2026-06-01T00:00:00.000Z..2026-06-12T00:00:00.000Z' };
    expect(await api.walletConnections.totals({ filter })).toMatchObject({ rows: '2', sums: { times: '6' } });
    const { points } = await api.walletConnections.series({ filter, unit: 'day', zone: 'UTC', compare: false });
    const encodedPoints = points
      .filter(({ values }) => values.wallets !== '0' || values.new !== '0')
      .map(({ label, values }) => [label, values.wallets, values.new]);
    expect(encodedPoints).toEqual([
      ['2026-06-01', '0', '1'],
      ['2026-06-02', '0', '1'],
      ['2026-06-09', '1', '0'],
      ['2026-06-10', '1', '0'],
    ]);
    expect((await api.walletConnections.top({ filter: {}, by: 'country', metric: 'wallets', limit: 5 })).top).toEqual([
      { key: 'DE', value: '2' },
      { key: null, value: '2' },
    ]);
    const { bars } = await api.walletConnections.bars({ filter: {}, of: 'times', zone: 'UTC' });
    expect(bars.slice(0, 3)).toEqual([
      { from: null, to: '2', rows: '2' },
      { from: '2', to: '3', rows: '0' },
      { from: '3', to: '5', rows: '2' },
    ]);
  });
});
