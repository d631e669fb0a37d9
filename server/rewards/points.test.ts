import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { pointsFields, type PointsFilter, type PointsRow } from '../../api/rewards/points.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { createApi, send, signInAs, createTestApp, type TestApi } from '../testing/support.ts';
import { appendEntries } from './shared/points-ledger.ts';
import { createStore } from '../../testing/factories/store.ts';

fc.configureGlobal({ seed: 20_260_101 });

const app = await createTestApp({ WRITES_PER_MINUTE: '1000000', READS_PER_MINUTE: '1000000' });
const adminSession = await signInAs(app, 'all');
const analystSession = await signInAs(app, 'analyst');
const editorSession = await signInAs(app, 'editor');

/** A new key per client. */
const idempotentApi = (key: string = newId()): TestApi => createApi(app, { ...adminSession.headers, 'idempotency-key': key });
const createAddress = (number: number) => toChecksumAddress(`0x${number.toString(16).padStart(40, 'a')}`);
let nextNumber = 1_000;
const newAddress = () => createAddress(nextNumber++);

const adjustPoints = (ownerAddress: string, berries: number | string, reason = 'test') =>
  idempotentApi().points.adjust({ address: ownerAddress, berries: String(berries), reason });
const reverseEntries = (...ids: string[]) => idempotentApi().points.reverse({ ids, reason: 'mistake' });

async function listEntries(filter: PointsFilter, direction: 'asc' | 'desc' = 'desc'): Promise<PointsRow[]> {
  const rows: PointsRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<TestApi['points']['list']>> = await adminSession.api.points.list({
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
const readBalance = async (ownerAddress: string) =>
  (await adminSession.api.points.balancesOf({ addresses: [ownerAddress] }))[0]?.berries ?? '0';

async function readInvariants() {
  const { rows } = await app.database.pool.query<{ wrong: string; low: string; twice: string }>(`
    select
      (select count(*) from (select address, sum(berries) s, count(*) n from points group by address) l
        full join point_balances b using (address)
        where l.s is distinct from b.berries or l.n is distinct from b.entries) as wrong,
      (select count(*) from point_balances where berries < 0) as low,
      (select count(*) from (select reverses from points where reverses is not null group by reverses having count(*) > 1) t) as twice`);
  return rows[0];
}
const expectedInvariants = { wrong: '0', low: '0', twice: '0' };

async function parseCsv(text: string): Promise<string[][]> {
  async function* yieldOnce() {
    yield text;
  }
  const records = [];
  for await (const record of readCsv(yieldOnce())) records.push(record);
  return records;
}

describe('an adjustment of points', () => {
  test('adds an entry with its author and changes the balance', async () => {
    const ownerAddress = newAddress();
    const { entry, balance } = await adjustPoints(ownerAddress.toLowerCase(), '1,200', '活动奖励');
    expect(entry).toMatchObject({
      address: ownerAddress,
      berries: '1200',
      reason: '活动奖励',
      source: 'adjustment',
      actorEmail: 'admin@demo.local',
      reverses: null,
      reversedBy: null,
    });
    expect(balance).toMatchObject({ address: ownerAddress, berries: '1200', entries: 1 });
    expect((await adjustPoints(ownerAddress, -200)).balance).toMatchObject({ berries: '1000', entries: 2 });
    expect((await adminSession.api.points.many({ ids: [newId(), entry.id] })).map(({ id }) => id)).toEqual([entry.id]);
  });

  test('is refused at its field for a negative balance, and changes nothing', async () => {
    const ownerAddress = newAddress();
    await expect(adjustPoints(ownerAddress, -1)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'berries', rule: 'balance' }] },
    });
    expect(await adminSession.api.points.balancesOf({ addresses: [ownerAddress] })).toEqual([]);
    await adjustPoints(ownerAddress, 5);
    await expect(adjustPoints(ownerAddress, -6)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await readBalance(ownerAddress)).toBe('5');
  });

  test('needs an Idempotency-Key; the same one twice is one entry', async () => {
    const ownerAddress = newAddress();
    const input = { address: ownerAddress, berries: '7', reason: 'once' };
    await expect(adminSession.api.points.adjust(input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'Idempotency-Key', rule: 'required' }] },
    });
    await expect(adminSession.api.points.reverse({ ids: [newId()], reason: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const key = newId();
    const responses = await Promise.all([1, 2, 3].map(() => idempotentApi(key).points.adjust(input)));
    expect(new Set(responses.map(({ entry }) => entry.id)).size).toBe(1);
    expect(await readBalance(ownerAddress)).toBe('7');
    await expect(idempotentApi(key).points.adjust({ ...input, berries: '8' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });

  test('requires its permission, and is audited with both balances', async () => {
    const ownerAddress = newAddress();
    const input = { address: ownerAddress, berries: '3', reason: 'r' };
    for (const { headers } of [analystSession, editorSession])
      await expect(createApi(app, { ...headers, 'idempotency-key': newId() }).points.adjust(input)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    await expect(
      editorSession.api.points.list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 1 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await adjustPoints(ownerAddress, 3);
    const { entry } = await adjustPoints(ownerAddress, 4);
    const [row] = (
      await adminSession.api.audit.list({
        sort: 'time',
        direction: 'desc',
        filter: { entityId: entry.id },
        cursor: null,
        limit: 1,
      })
    ).rows;
    expect(await adminSession.api.audit.details({ id: row?.id ?? '' })).toMatchObject({
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
  ])('takes the address %j: %s', (inputText, rule) => {
    const parseResult = pointsFields.safeParse({ address: inputText, berries: '1', reason: 'r' });
    expect(parseResult.success ? null : parseResult.error.issues[0]?.message).toBe(rule);
    if (parseResult.success) expect(parseResult.data.address).toBe('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
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
  ])('takes the number %j as %s', (inputText, expected) => {
    const parseResult = pointsFields.safeParse({ address: createAddress(1), berries: inputText, reason: 'r' });
    expect(parseResult.success ? parseResult.data.berries : parseResult.error.issues[0]?.message).toBe(expected);
  });
});

describe('a reversal of points', () => {
  test('adds an opposite entry, once per entry', async () => {
    const ownerAddress = newAddress();
    const { entry } = await adjustPoints(ownerAddress, 10);
    const { entries, balances } = await reverseEntries(entry.id);
    expect(entries).toMatchObject([
      { address: ownerAddress, berries: '-10', source: 'reversal', reverses: entry.id, reason: 'mistake' },
    ]);
    expect(balances).toMatchObject([{ address: ownerAddress, berries: '0', entries: 2 }]);
    expect(await adminSession.api.points.many({ ids: [entry.id] })).toMatchObject([{ reversedBy: entries[0]?.id }]);
    await expect(reverseEntries(entry.id)).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });
    await expect(reverseEntries(entries[0]?.id ?? '')).rejects.toMatchObject({ code: 'NOT_REVERSIBLE' });
    await expect(reverseEntries(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is refused for spent berries, all or none of many', async () => {
    const [firstAddress, secondAddress] = [newAddress(), newAddress()];
    const spentEntry = (await adjustPoints(firstAddress, 10)).entry;
    await adjustPoints(firstAddress, -4);
    const unspentEntry = (await adjustPoints(secondAddress, 3)).entry;
    await expect(reverseEntries(unspentEntry.id, spentEntry.id)).rejects.toMatchObject({
      code: 'BALANCE_TOO_LOW',
      data: { addresses: [firstAddress] },
    });
    expect(await readBalance(secondAddress)).toBe('3');
    expect(await listEntries({ address: secondAddress })).toHaveLength(1);
  });

  test('counts positive and negative entries together', async () => {
    const ownerAddress = newAddress();
    const creditEntry = (await adjustPoints(ownerAddress, 10)).entry;
    const debitEntry = (await adjustPoints(ownerAddress, -10)).entry;
    await expect(reverseEntries(creditEntry.id)).rejects.toMatchObject({ code: 'BALANCE_TOO_LOW' });
    expect((await reverseEntries(creditEntry.id, debitEntry.id, creditEntry.id)).balances).toMatchObject([
      { berries: '0', entries: 4 },
    ]);
  });
});

describe('concurrent changes of points', () => {
  test('let one of twenty adjustments empty the balance', async () => {
    const ownerAddress = newAddress();
    await adjustPoints(ownerAddress, 10);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => adjustPoints(ownerAddress, -10)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readBalance(ownerAddress)).toBe('0');
    expect(await readInvariants()).toEqual(expectedInvariants);
  });

  test('reverse an entry once in ten attempts', async () => {
    const ownerAddress = newAddress();
    await adjustPoints(ownerAddress, 100);
    const { entry } = await adjustPoints(ownerAddress, 10);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => reverseEntries(entry.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: string }).code] : []))).toEqual(
      Array.from({ length: 9 }, () => 'NOT_REVERSIBLE'),
    );
    expect(await readBalance(ownerAddress)).toBe('100');
  });

  test('do not lose entries or deadlock on new addresses in opposite orders', async () => {
    const owners = Array.from({ length: 30 }, newAddress);
    const entry = (ownerAddress: string) => ({
      address: ownerAddress,
      berries: 2n,
      reason: 'batch',
      source: 'adjustment' as const,
      administratorId: null,
      administratorEmail: 'batch@x.y',
      createdAt: new Date(app.clock.now),
    });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        app.database.db.transaction((tx) => appendEntries(tx, (index % 2 === 0 ? owners : owners.toReversed()).map(entry))),
      ),
    );
    for (const ownerAddress of owners) expect(await readBalance(ownerAddress)).toBe('16');
    expect(await readInvariants()).toEqual(expectedInvariants);
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
  let reversedCount = 0;
  let refusedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      async (operationRounds) => {
        const ownerAddresses = [newAddress(), newAddress(), newAddress()];
        const entryIds: string[] = [];
        for (const operationRound of operationRounds) {
          const results = await Promise.allSettled(
            operationRound.map(async (operation) => {
              if (operation.do === 'adjust') {
                const { entry } = await adjustPoints(ownerAddresses[operation.to] ?? '', operation.berries);
                return [entry.id];
              }
              const ids = operation.of.flatMap((index) => entryIds[index] ?? []);
              if (ids.length === 0) return [];
              const { entries } = await reverseEntries(...ids);
              reversedCount += entries.length;
              return entries.map(({ id }) => id);
            }),
          );
          for (const result of results) {
            if (result.status === 'fulfilled') entryIds.push(...result.value);
            else {
              refusedCount++;
              expect(['BAD_REQUEST', 'BALANCE_TOO_LOW', 'NOT_REVERSIBLE']).toContain((result.reason as { code: string }).code);
            }
          }
          expect(await readInvariants()).toEqual(expectedInvariants);
        }
      },
    ),
    { numRuns: 25 },
  );
  expect(reversedCount).toBeGreaterThan(0);
  expect(refusedCount).toBeGreaterThan(0);
});

test.each([
  ['update points set berries = berries + 1'],
  ["update points set reason = 'other'"],
  ['update points set address = upper(address)'],
  ['delete from points'],
  ['truncate points cascade'],
])('the database itself refuses: %s', async (statement) => {
  await adjustPoints(newAddress(), 1);
  await expect(app.database.pool.query(statement)).rejects.toThrow('append-only');
});

test('the database refuses negative balances, empty entries and second reversals', async () => {
  const ownerAddress = newAddress();
  const { entry } = await adjustPoints(ownerAddress, 1);
  await expect(
    app.database.pool.query('update point_balances set berries = -1 where address = $1', [ownerAddress]),
  ).rejects.toThrow('point_balances_positive');
  const testStore = createStore(app.database.db);
  const constraintError = (constraint: string) => ({ cause: { constraint } });
  await expect(testStore.points({ address: ownerAddress, berries: 0n })).rejects.toMatchObject(constraintError('points_berries'));
  const secondReversal = { address: ownerAddress, berries: -1n, source: 'reversal' } as const;
  await expect(testStore.points(secondReversal)).rejects.toMatchObject(constraintError('points_reversal'));
  await reverseEntries(entry.id);
  await expect(testStore.points({ ...secondReversal, reverses: entry.id })).rejects.toMatchObject(
    constraintError('points_reverses_unique'),
  );
});

describe('the points list', () => {
  const ownerAddress = createAddress(0xbeef);
  beforeEach(async () => {
    if ((await listEntries({ address: ownerAddress })).length > 0) return;
    for (const [berries, reason] of [
      [100, '签到奖励 100%_'],
      [50, 'Referral bonus'],
      [-30, '=1+1 deducted'],
    ] as const) {
      await adjustPoints(ownerAddress, berries, reason);
      app.clock.now += 1_000;
    }
    const [lastEntry] = await listEntries({ address: ownerAddress });
    await reverseEntries(lastEntry?.id ?? '');
    app.clock.now += 1_000;
  });
  const listBerries = async (filter: PointsFilter) =>
    (await listEntries({ address: ownerAddress, ...filter })).map((row) => row.berries);

  test('can be filtered by address, source, reason, sign and time', async () => {
    expect(await listBerries({})).toEqual(['30', '-30', '50', '100']);
    expect(await listEntries({ address: ownerAddress.slice(0, 39).toUpperCase().replace('0X', '0x') })).toHaveLength(4);
    expect(await listEntries({ address: '%' })).toEqual([]);
    expect(await listBerries({ sign: 'minus' })).toEqual(['-30']);
    expect(await listBerries({ sign: 'plus' })).toEqual(['30', '50', '100']);
    expect(await listBerries({ q: 'REFERRAL' })).toEqual(['50']);
    expect(await listBerries({ q: '奖励' })).toEqual(['100']);
    expect(await listBerries({ q: '%_' })).toEqual(['100']);
    expect(await listBerries({ source: 'reversal' })).toEqual(['30']);
    expect(await listBerries({ source: '!reversal', berries: '50..100' })).toEqual(['50', '100']);
    expect(await listBerries({ berries: '..-1' })).toEqual(['-30']);
    const [, lastEntry] = await listEntries({ address: ownerAddress });
    expect(await listBerries({ createdAt: `${lastEntry?.createdAt}..` })).toEqual(['30', '-30']);
    expect(await listBerries({ createdAt: `..${lastEntry?.createdAt}` })).toEqual(['50', '100']);
  });

  test('sorts numerically by berries and pages in both directions', async () => {
    const page = await adminSession.api.points.list({
      sort: 'berries',
      direction: 'asc',
      filter: { address: ownerAddress },
      cursor: null,
      limit: 2,
    });
    expect(page.rows.map((row) => row.berries)).toEqual(['-30', '30']);
    expect(page.count).toEqual({ value: 4, kind: 'exact' });
    const secondPage = await adminSession.api.points.list({
      sort: 'berries',
      direction: 'asc',
      filter: { address: ownerAddress },
      cursor: page.nextCursor,
      limit: 2,
    });
    expect(secondPage.rows.map((row) => row.berries)).toEqual(['50', '100']);
  });

  test('sorts and pages balances by address too', async () => {
    const addresses: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<TestApi['points']['balances']>> = await adminSession.api.points.balances({
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
    const singlePage = await adminSession.api.points.balances({
      sort: 'address',
      direction: 'asc',
      filter: { address: ownerAddress.toLowerCase() },
      cursor: null,
      limit: 5,
    });
    expect(singlePage.rows).toMatchObject([{ id: ownerAddress, berries: '150', entries: 4 }]);
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
  ] as const)('is exported as it is filtered and sorted, in %s', async (locale, headerRow, source, reversal) => {
    const listedEntries = await listEntries({ address: ownerAddress }, 'asc');
    const exportInput = {
      sort: 'createdAt',
      direction: 'asc',
      filter: { address: ownerAddress },
      locale,
      zone: 'Asia/Shanghai',
    } as const;
    const { id, rows } = await adminSession.api.points.export(exportInput);
    const response = await send(app, 'GET', `/api/points/export/${id}`, undefined, adminSession.headers);
    expect(rows).toBe(listedEntries.length);
    expect(response.headers.get('x-rows')).toBe(String(listedEntries.length));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    expect(text.startsWith('\uFEFF')).toBe(true);
    expect(text.split('\n').every((line, index, lines) => index === lines.length - 1 || line.endsWith('\r'))).toBe(true);
    expect(await parseCsv(text)).toEqual([
      headerRow,
      ...listedEntries.map((row) => [
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
    const exportInput = { sort: 'createdAt', direction: 'desc', filter: { address: ownerAddress }, locale: 'zh-CN' } as const;
    const { id } = await adminSession.api.points.export(exportInput);
    await expect(editorSession.api.points.export(exportInput)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await send(app, 'GET', `/api/points/export/${id}`, undefined, editorSession.headers)).status).toBe(403);
    expect((await send(app, 'GET', `/api/points/export/${id}`, undefined, analystSession.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, adminSession.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/export/${newId()}`, undefined, adminSession.headers)).status).toBe(404);
    const [entry] = (
      await adminSession.api.audit.list({ sort: 'time', direction: 'desc', filter: { entityId: id }, cursor: null, limit: 1 })
    ).rows;
    expect((await adminSession.api.audit.details({ id: entry?.id ?? '' })).after).toEqual({ ...exportInput, rows: 4 });
  });

  test('of balances can be exported too', async () => {
    const { id } = await adminSession.api.points.exportBalances({
      sort: 'berries',
      direction: 'desc',
      filter: { address: ownerAddress },
      locale: 'en-US',
    });
    const response = await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, adminSession.headers);
    const records = await parseCsv(await response.text());
    expect(records[0]).toEqual(['Address', 'Balance', 'Entries', 'Last change (UTC)', 'Last change (ISO 8601 UTC)']);
    expect(records.slice(1).map(([rowAddress, balance, entries]) => [rowAddress, balance, entries])).toEqual([
      [ownerAddress, '150', '4'],
    ]);
  });
});
