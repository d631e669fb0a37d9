import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { pointsFields, type PointsFilter, type PointsRow } from '../../api/rewards/points.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { apiOf, send, signInAs, testApp, type TestApi } from '../testing/support.ts';
import { appendEntries } from './shared/points-ledger.ts';
import { storeIn } from '../../testing/factories/store.ts';

fc.configureGlobal({ seed: 20_260_101 });

const app = await testApp({ WRITES_PER_MINUTE: '1000000', READS_PER_MINUTE: '1000000' });
const all = await signInAs(app, 'all');
const analyst = await signInAs(app, 'analyst');
const editor = await signInAs(app, 'editor');

/** A new key per client. */
const keyed = (key: string = newId()): TestApi => apiOf(app, { ...all.headers, 'idempotency-key': key });
const address = (number: number) => toChecksumAddress(`0x${number.toString(16).padStart(40, 'a')}`);
let next = 1_000;
const fresh = () => address(next++);

const adjust = (to: string, berries: number | string, reason = 'test') =>
  keyed().points.adjust({ address: to, berries: String(berries), reason });
const reverse = (...ids: string[]) => keyed().points.reverse({ ids, reason: 'mistake' });

async function entriesOf(filter: PointsFilter, direction: 'asc' | 'desc' = 'desc'): Promise<PointsRow[]> {
  const rows: PointsRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<TestApi['points']['list']>> = await all.api.points.list({
      sort: 'createdAt',
      direction,
      filter,
      cursor,
      limit: 3,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}
const balanceOf = async (of: string) => (await all.api.points.balancesOf({ addresses: [of] }))[0]?.berries ?? '0';

async function invariants() {
  const { rows } = await app.database.pool.query<{ wrong: string; low: string; twice: string }>(`
    select
      (select count(*) from (select address, sum(berries) s, count(*) n from points group by address) l
        full join point_balances b using (address)
        where l.s is distinct from b.berries or l.n is distinct from b.entries) as wrong,
      (select count(*) from point_balances where berries < 0) as low,
      (select count(*) from (select reverses from points where reverses is not null group by reverses having count(*) > 1) t) as twice`);
  return rows[0];
}
const sound = { wrong: '0', low: '0', twice: '0' };

async function read(text: string): Promise<string[][]> {
  async function* once() {
    yield text;
  }
  const records = [];
  for await (const record of readCsv(once())) records.push(record);
  return records;
}

describe('an adjustment of points', () => {
  test('adds an entry with its author and changes the balance', async () => {
    const to = fresh();
    const { entry, balance } = await adjust(to.toLowerCase(), '1,200', '活动奖励');
    expect(entry).toMatchObject({
      address: to,
      berries: '1200',
      reason: '活动奖励',
      source: 'adjustment',
      actorEmail: 'admin@demo.local',
      reverses: null,
      reversedBy: null,
    });
    expect(balance).toMatchObject({ address: to, berries: '1200', entries: 1 });
    expect((await adjust(to, -200)).balance).toMatchObject({ berries: '1000', entries: 2 });
    expect((await all.api.points.many({ ids: [newId(), entry.id] })).map(({ id }) => id)).toEqual([entry.id]);
  });

  test('is refused at its field for a negative balance, and changes nothing', async () => {
    const to = fresh();
    await expect(adjust(to, -1)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'berries', rule: 'balance' }] },
    });
    expect(await all.api.points.balancesOf({ addresses: [to] })).toEqual([]);
    await adjust(to, 5);
    await expect(adjust(to, -6)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await balanceOf(to)).toBe('5');
  });

  test('needs an Idempotency-Key; the same one twice is one entry', async () => {
    const to = fresh();
    const input = { address: to, berries: '7', reason: 'once' };
    await expect(all.api.points.adjust(input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'Idempotency-Key', rule: 'required' }] },
    });
    await expect(all.api.points.reverse({ ids: [newId()], reason: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const key = newId();
    const answers = await Promise.all([1, 2, 3].map(() => keyed(key).points.adjust(input)));
    expect(new Set(answers.map(({ entry }) => entry.id)).size).toBe(1);
    expect(await balanceOf(to)).toBe('7');
    await expect(keyed(key).points.adjust({ ...input, berries: '8' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('requires its permission, and is audited with both balances', async () => {
    const to = fresh();
    const input = { address: to, berries: '3', reason: 'r' };
    for (const { headers } of [analyst, editor])
      await expect(apiOf(app, { ...headers, 'idempotency-key': newId() }).points.adjust(input)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    await expect(
      editor.api.points.list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 1 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await adjust(to, 3);
    const { entry } = await adjust(to, 4);
    const [row] = (
      await all.api.audit.list({ sort: 'time', direction: 'desc', filter: { entityId: entry.id }, cursor: null, limit: 1 })
    ).rows;
    expect(await all.api.audit.details({ id: row?.id ?? '' })).toMatchObject({
      before: { balance: '3' },
      after: { id: entry.id, berries: '4', balance: '7' },
    });
  });

  test.each([
    ['', 'required'],
    ['0x12', 'address'],
    ['bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'address'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', null],
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', null],
    ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', null],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed', 'checksum'],
  ])('takes the address %j: %s', (provided, rule) => {
    const parsed = pointsFields.safeParse({ address: provided, berries: '1', reason: 'r' });
    expect(parsed.success ? null : parsed.error.issues[0]?.message).toBe(rule);
    if (parsed.success) expect(parsed.data.address).toBe('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  });

  test.each([
    ['1', '1'],
    ['+1,234,567', '1234567'],
    ['−5', '-5'],
    ['１２３', '123'],
    ['007', '7'],
    ['1000000000000', '1000000000000'],
    ['1000000000001', 'range'],
    ['-1000000000001', 'range'],
    ['99999999999999999999999999', 'range'],
    ['0', 'zero'],
    ['-0', 'zero'],
    ['', 'required'],
    ['1.5', 'whole'],
    ['1e3', 'whole'],
    ['0x10', 'whole'],
    ['12,34', 'whole'],
    ['九', 'whole'],
  ])('takes the number %j as %s', (provided, expected) => {
    const parsed = pointsFields.safeParse({ address: address(1), berries: provided, reason: 'r' });
    expect(parsed.success ? parsed.data.berries : parsed.error.issues[0]?.message).toBe(expected);
  });
});

describe('a reversal of points', () => {
  test('adds an opposite entry, once per entry', async () => {
    const to = fresh();
    const { entry } = await adjust(to, 10);
    const { entries, balances } = await reverse(entry.id);
    expect(entries).toMatchObject([{ address: to, berries: '-10', source: 'reversal', reverses: entry.id, reason: 'mistake' }]);
    expect(balances).toMatchObject([{ address: to, berries: '0', entries: 2 }]);
    expect(await all.api.points.many({ ids: [entry.id] })).toMatchObject([{ reversedBy: entries[0]?.id }]);
    await expect(reverse(entry.id)).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });
    await expect(reverse(entries[0]?.id ?? '')).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });
    await expect(reverse(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is refused for spent berries, all or none of many', async () => {
    const [one, two] = [fresh(), fresh()];
    const spent = (await adjust(one, 10)).entry;
    await adjust(one, -4);
    const whole = (await adjust(two, 3)).entry;
    await expect(reverse(whole.id, spent.id)).rejects.toMatchObject({ code: 'BALANCE_TOO_LOW', data: { addresses: [one] } });
    expect(await balanceOf(two)).toBe('3');
    expect(await entriesOf({ address: two })).toHaveLength(1);
  });

  test('counts positive and negative entries together', async () => {
    const to = fresh();
    const plus = (await adjust(to, 10)).entry;
    const minus = (await adjust(to, -10)).entry;
    await expect(reverse(plus.id)).rejects.toMatchObject({ code: 'BALANCE_TOO_LOW' });
    expect((await reverse(plus.id, minus.id, plus.id)).balances).toMatchObject([{ berries: '0', entries: 4 }]);
  });
});

describe('concurrent changes of points', () => {
  test('let one of twenty adjustments empty the balance', async () => {
    const to = fresh();
    await adjust(to, 10);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => adjust(to, -10)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(to)).toBe('0');
    expect(await invariants()).toEqual(sound);
  });

  test('reverse an entry once in ten attempts', async () => {
    const to = fresh();
    await adjust(to, 100);
    const { entry } = await adjust(to, 10);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => reverse(entry.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: string }).code] : []))).toEqual(
      Array.from({ length: 9 }, () => 'NOT_REVERSIBLE'),
    );
    expect(await balanceOf(to)).toBe('100');
  });

  test('do not lose entries or deadlock on new addresses in opposite orders', async () => {
    const many = Array.from({ length: 30 }, fresh);
    const entry = (to: string) => ({
      address: to,
      berries: 2n,
      reason: 'batch',
      source: 'adjustment' as const,
      administratorId: null,
      administratorEmail: 'batch@x.y',
      createdAt: new Date(app.clock.now),
    });
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        app.database.db.transaction((tx) => appendEntries(tx, (at % 2 === 0 ? many : many.toReversed()).map(entry))),
      ),
    );
    for (const to of many) expect(await balanceOf(to)).toBe('16');
    expect(await invariants()).toEqual(sound);
  });
});

test('random changes of points keep balances equal to the ledger, never negative, and reverse no entry twice', async () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('adjust' as const), to: fc.nat(2), berries: fc.integer({ min: -20, max: 30 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('reverse' as const), of: fc.array(fc.nat(15), { minLength: 1, maxLength: 3 }) }),
    },
  );
  let reversed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }), async (rounds) => {
      const people = [fresh(), fresh(), fresh()];
      const known: string[] = [];
      for (const round of rounds) {
        const results = await Promise.allSettled(
          round.map(async (one) => {
            if (one.do === 'adjust') {
              const { entry } = await adjust(people[one.to] ?? '', one.berries);
              return [entry.id];
            }
            const ids = one.of.flatMap((at) => known[at] ?? []);
            if (ids.length === 0) return [];
            const { entries } = await reverse(...ids);
            reversed += entries.length;
            return entries.map(({ id }) => id);
          }),
        );
        for (const result of results) {
          if (result.status === 'fulfilled') known.push(...result.value);
          else {
            refused++;
            expect(['BAD_REQUEST', 'BALANCE_TOO_LOW', 'NOT_REVERSIBLE']).toContain((result.reason as { code: string }).code);
          }
        }
        expect(await invariants()).toEqual(sound);
      }
    }),
    { numRuns: 25 },
  );
  expect(reversed).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

test.each([
  ['update points set berries = berries + 1'],
  ["update points set reason = 'other'"],
  ['update points set address = upper(address)'],
  ['delete from points'],
  ['truncate points cascade'],
])('the database itself refuses: %s', async (statement) => {
  await adjust(fresh(), 1);
  await expect(app.database.pool.query(statement)).rejects.toThrow('append-only');
});

test('the database refuses negative balances, empty entries and second reversals', async () => {
  const to = fresh();
  const { entry } = await adjust(to, 1);
  await expect(app.database.pool.query('update point_balances set berries = -1 where address = $1', [to])).rejects.toThrow(
    'point_balances_positive',
  );
  const store = storeIn(app.database.db);
  const refused = (constraint: string) => ({ cause: { constraint } });
  await expect(store.points({ address: to, berries: 0n })).rejects.toMatchObject(refused('points_berries'));
  const second = { address: to, berries: -1n, source: 'reversal' } as const;
  await expect(store.points(second)).rejects.toMatchObject(refused('points_reversal'));
  await reverse(entry.id);
  await expect(store.points({ ...second, reverses: entry.id })).rejects.toMatchObject(refused('points_reverses_unique'));
});

describe('the points list', () => {
  const to = address(0xbeef);
  beforeEach(async () => {
    if ((await entriesOf({ address: to })).length > 0) return;
    for (const [berries, reason] of [
      [100, '签到奖励 100%_'],
      [50, 'Referral bonus'],
      [-30, '=1+1 deducted'],
    ] as const) {
      await adjust(to, berries, reason);
      app.clock.now += 1_000;
    }
    const [last] = await entriesOf({ address: to });
    await reverse(last?.id ?? '');
    app.clock.now += 1_000;
  });
  const berries = async (filter: PointsFilter) => (await entriesOf({ address: to, ...filter })).map((row) => row.berries);

  test('can be filtered by address, source, reason, sign and time', async () => {
    expect(await berries({})).toEqual(['30', '-30', '50', '100']);
    expect(await entriesOf({ address: to.slice(0, 39).toUpperCase().replace('0X', '0x') })).toHaveLength(4);
    expect(await entriesOf({ address: '%' })).toEqual([]);
    expect(await berries({ sign: 'minus' })).toEqual(['-30']);
    expect(await berries({ sign: 'plus' })).toEqual(['30', '50', '100']);
    expect(await berries({ q: 'REFERRAL' })).toEqual(['50']);
    expect(await berries({ q: '奖励' })).toEqual(['100']);
    expect(await berries({ q: '%_' })).toEqual(['100']);
    expect(await berries({ source: 'reversal' })).toEqual(['30']);
    expect(await berries({ source: '!reversal', berries: '50..100' })).toEqual(['50', '100']);
    expect(await berries({ berries: '..-1' })).toEqual(['-30']);
    const [, last] = await entriesOf({ address: to });
    expect(await berries({ createdAt: `${last?.createdAt}..` })).toEqual(['30', '-30']);
    expect(await berries({ createdAt: `..${last?.createdAt}` })).toEqual(['50', '100']);
  });

  test('sorts numerically by berries and pages in both directions', async () => {
    const page = await all.api.points.list({
      sort: 'berries',
      direction: 'asc',
      filter: { address: to },
      cursor: null,
      limit: 2,
    });
    expect(page.rows.map((row) => row.berries)).toEqual(['-30', '30']);
    expect(page.count).toEqual({ value: 4, kind: 'exact' });
    const second = await all.api.points.list({
      sort: 'berries',
      direction: 'asc',
      filter: { address: to },
      cursor: page.nextCursor,
      limit: 2,
    });
    expect(second.rows.map((row) => row.berries)).toEqual(['50', '100']);
  });

  test('sorts and pages balances by address too', async () => {
    const addresses: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<TestApi['points']['balances']>> = await all.api.points.balances({
        sort: 'berries',
        direction: 'desc',
        filter: {},
        cursor,
        limit: 40,
      });
      addresses.push(...page.rows.map((row) => row.address));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const { rows } = await app.database.pool.query<{ address: string }>(
      'select address from point_balances order by berries desc, address desc',
    );
    expect(addresses).toEqual(rows.map((row) => row.address));
    const one = await all.api.points.balances({
      sort: 'address',
      direction: 'asc',
      filter: { address: to.toLowerCase() },
      cursor: null,
      limit: 5,
    });
    expect(one.rows).toMatchObject([{ id: to, berries: '150', entries: 4 }]);
  });

  test.each([
    [
      'zh-CN',
      [
        '地址',
        '积分',
        '原因',
        '来源',
        '时间（Asia/Shanghai）',
        '操作人',
        '来源（代码）',
        '时间（ISO 8601 UTC）',
        'ID',
        '被冲销明细 ID',
      ],
      '调整',
      '冲销',
    ],
    [
      'en-US',
      [
        'Address',
        'Berries',
        'Reason',
        'Source',
        'Time (Asia/Shanghai)',
        'By',
        'Source (code)',
        'Time (ISO 8601 UTC)',
        'ID',
        'Reversed entry ID',
      ],
      'Adjustment',
      'Reversal',
    ],
  ] as const)('is exported as it is filtered and sorted, in %s', async (locale, head, source, reversal) => {
    const listed = await entriesOf({ address: to }, 'asc');
    const requested = { sort: 'createdAt', direction: 'asc', filter: { address: to }, locale, zone: 'Asia/Shanghai' } as const;
    const { id, rows } = await all.api.points.export(requested);
    const answer = await send(app, 'GET', `/api/points/export/${id}`, undefined, all.headers);
    expect(rows).toBe(listed.length);
    expect(answer.headers.get('x-rows')).toBe(String(listed.length));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    expect(text.startsWith('\uFEFF')).toBe(true);
    expect(text.split('\n').every((line, at, lines) => at === lines.length - 1 || line.endsWith('\r'))).toBe(true);
    expect(await read(text)).toEqual([
      head,
      ...listed.map((row) => [
        row.address,
        row.berries,
        row.reason.startsWith('=') ? `'${row.reason}` : row.reason,
        row.source === 'reversal' ? reversal : source,
        new Date(Date.parse(row.createdAt) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
        row.actorEmail,
        row.source,
        row.createdAt,
        row.id,
        row.reverses ?? '',
      ]),
    ]);
  });

  test('is exported only for the person who requested it, with the permission, and audited', async () => {
    const requested = { sort: 'createdAt', direction: 'desc', filter: { address: to }, locale: 'zh-CN' } as const;
    const { id } = await all.api.points.export(requested);
    await expect(editor.api.points.export(requested)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await send(app, 'GET', `/api/points/export/${id}`, undefined, editor.headers)).status).toBe(403);
    expect((await send(app, 'GET', `/api/points/export/${id}`, undefined, analyst.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, all.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/export/${newId()}`, undefined, all.headers)).status).toBe(404);
    const [entry] = (
      await all.api.audit.list({ sort: 'time', direction: 'desc', filter: { entityId: id }, cursor: null, limit: 1 })
    ).rows;
    expect((await all.api.audit.details({ id: entry?.id ?? '' })).after).toEqual({ ...requested, rows: 4 });
  });

  test('of balances can be exported too', async () => {
    const { id } = await all.api.points.exportBalances({
      sort: 'berries',
      direction: 'desc',
      filter: { address: to },
      locale: 'en-US',
    });
    const answer = await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, all.headers);
    const records = await read(await answer.text());
    expect(records[0]).toEqual(['Address', 'Balance', 'Entries', 'Last change (UTC)', 'Last change (ISO 8601 UTC)']);
    expect(records.slice(1).map(([of, balance, entries]) => [of, balance, entries])).toEqual([[to, '150', '4']]);
  });
});
