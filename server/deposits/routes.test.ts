import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { formatBtc, parseBtc } from '../../api/money.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { newId } from '../platform/core/ids.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { fakeEsplora, tipHeight, type Output } from '../testing/esplora.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApi } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from './tables.ts';
import { mints } from '../mints/tables.ts';

const { url: esploraUrl, outputs, state: bitcoin } = await fakeEsplora();
const cobo = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const app = await testApp(
  {
    ESPLORA_URLS: esploraUrl,
    CUSTODY_ADDRESSES: cobo,
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '31337',
    MINTER_KEY: `0x${'22'.repeat(32)}`,
    WRITES_PER_MINUTE: '1000000',
    READS_PER_MINUTE: '1000000',
    ...Object.fromEntries(
      ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'].map((name, index) => [
        `${name}_ADDRESS`,
        `0x${String(index + 1).repeat(40)}`,
      ]),
    ),
    CUSTODY_BRIDGE_ADDRESS: `0x${'12'.repeat(20)}`,
  },
  { jobs: false },
);
const { db } = app.database;
const operator = await signInAs(app, 'operator');
const approver = await signInAs(app, 'approver');
const all = await signInAs(app, 'all');
const analyst = await signInAs(app, 'analyst');

const keyed = ({ headers }: TestSession, key: string = newId()): TestApi => apiOf(app, { ...headers, 'idempotency-key': key });
const user = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const btc = (text: string) => String(parseBtc(text));
let next = 1;

function fields(amount: string, change: Partial<DepositFields> = {}): DepositFields {
  const txid = (next++).toString(16).padStart(64, '7');
  outputs.set(txid, { address: cobo, value: Number(btc(amount)), height: tipHeight - 9 });
  const typed = { userAddress: user, coboAddress: cobo, type: 'cobo', vout: 0, lockTime: null, remarks: '' } as const;
  return { ...typed, amount: btc(amount), txid, ...change };
}
const add = (amount: string, by: TestSession = operator, change: Partial<DepositFields> = {}) =>
  by.api.deposits.add(fields(amount, change));
const seen = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const confirm = (row: DepositRow, by: TestSession, key?: string) => keyed(by, key).deposits.confirm(seen(row));
const refused = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });
const mintsOf = (id: string) => db.select().from(mints).where(eq(mints.depositId, id));
const again = async ({ id }: DepositRow, by: TestSession = operator) => {
  const [row] = await by.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
};

/** One signature below 10 BTC, two below 100. */
const band = (from: string, below: string | null, approvals: number, more: Partial<AuthorityBand> = {}): AuthorityBand => ({
  from: btc(from),
  below: below && btc(below),
  approvals,
  role: null,
  perDay: null,
  delaySeconds: 0,
  ...more,
});
const bands = [band('0', '10', 1), band('10', '100', 2)];
const rule = (...now: AuthorityBand[]) =>
  keyed(all).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: now, refundBands: [] });

beforeEach(async () => {
  bitcoin.isUp = true;
  await rule(...bands);
});

describe('recording a deposit', () => {
  test('keeps every satoshi, the canonical addresses and the recorder', async () => {
    const row = await add('20999999.97690001', operator, { coboAddress: cobo.toUpperCase() });
    expect(row).toMatchObject({
      amount: '2099999997690001',
      userAddress: user,
      coboAddress: cobo,
      network: 'mainnet',
      status: 'created',
      mintStatus: 'none',
      createdEmail: 'operator@demo.local',
      own: true,
      approvals: [],
      missing: 0,
      rule: null,
      mint: null,
    });
    expect((await again(row, approver)).own).toBe(false);
  });

  test('refuses other networks, typing errors, zero and too large amounts', async () => {
    const cases: [Partial<DepositFields>, string, string][] = [
      [{ coboAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, 'coboAddress', 'bitcoin'],
      [{ coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5' }, 'coboAddress', 'bitcoin'],
      [{ coboAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3' }, 'coboAddress', 'bitcoin'],
      [{ coboAddress: 'bc1pfeessrawgf' }, 'coboAddress', 'bitcoin'], // an anchor: anyone may spend it
      [{ userAddress: user.replace('5aA', '5AA') }, 'userAddress', 'checksum'],
      [{ amount: '0' }, 'amount', 'amount'],
      [{ amount: '1.5' }, 'amount', 'amount'],
      [{ amount: '2100000000000001' }, 'amount', 'amount'],
      [{ txid: 'ab' }, 'txid', 'txid'],
      [{ vout: -1 }, 'vout', 'range'],
    ];
    for (const [change, path, rule] of cases)
      await expect(add('1', operator, change), path).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: expect.arrayContaining([{ path, rule }]) },
      });
    for (const address of ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', cobo])
      expect(parseBitcoinAddress(address, 'mainnet')).toBe(address);
  });

  test('refuses an output that another deposit has, naming it, also concurrently and when edited', async () => {
    const input = fields('2');
    const answers = await Promise.allSettled([1, 2, 3].map(() => operator.api.deposits.add(input)));
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(made).toHaveLength(1);
    const known = { code: 'DEPOSIT_KNOWN', data: { ids: made.map(({ id }) => id) } };
    await expect(all.api.deposits.add(input)).rejects.toMatchObject(known);
    const other = await add('2');
    await expect(
      operator.api.deposits.edit({ ...fields('2'), txid: input.txid, id: other.id, version: other.version }),
    ).rejects.toMatchObject(known);
    expect(await all.api.deposits.evidence({ ...pick(input), except: null })).toMatchObject({ known: made[0]?.id });
    expect(await all.api.deposits.evidence({ ...pick(input), except: made[0]?.id ?? null })).toMatchObject({ known: null });
    await expect(add('2', operator, { txid: input.txid, vout: 1 })).resolves.toMatchObject({ vout: 1 });
  });

  test('refuses edits after confirmation, and analysts and approvers', async () => {
    const row = await confirm(await add('0.5'), approver);
    await expect(operator.api.deposits.edit({ ...fields('0.6'), id: row.id, version: row.version })).rejects.toMatchObject(
      refused('CONFIRMED'),
    );
    await expect(
      operator.api.deposits.remove({ items: [row].map(({ id, version }) => ({ id, version })) }),
    ).rejects.toMatchObject(refused('CONFIRMED'));
    const open = await add('0.5');
    const both = [row, open].map(({ id, version }) => ({ id, version }));
    expect(await operator.api.deposits.remove({ items: both })).toEqual({
      done: [{ id: open.id }],
      failed: [{ id: row.id, code: 'INCOMPLETE' }],
    });
    for (const by of [analyst, approver]) await expect(add('1', by)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const by of [analyst, operator]) await expect(confirm(await add('1'), by)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('makes it findable by status, address and hash, and sortable by amount', async () => {
    const row = await add('7.00000001');
    const list = (filter: object, sort: 'amount' | 'createdAt' = 'createdAt') =>
      analyst.api.deposits.list({ sort, direction: 'desc', filter, cursor: null, limit: 200 });
    for (const q of [row.txid, `${row.txid}:0`, row.txid.slice(0, 64).toUpperCase()])
      expect(
        (await list({ q })).rows.map(({ id }) => id),
        q,
      ).toEqual([row.id]);
    expect((await list({ q: `${row.txid}:1` })).rows).toEqual([]);
    expect((await list({ q: user.slice(0, 12) })).rows.length).toBeGreaterThan(0);
    expect((await list({ q: '%' })).rows).toEqual([]);
    expect((await list({ status: 'confirmed', mintStatus: 'none' })).rows).toEqual([]);
    const amounts = (await list({}, 'amount')).rows.map(({ amount }) => BigInt(amount));
    expect(amounts).toEqual([...amounts].sort((one, other) => (one < other ? 1 : -1)));
  });
});

const pick = ({ txid, vout, coboAddress, amount }: DepositFields) => ({ txid, vout, coboAddress, amount });

describe('evidence', () => {
  test('compares each field with Bitcoin, for a draft and for a record', async () => {
    const input = fields('1');
    expect(await analyst.api.deposits.evidence({ ...pick(input), except: null })).toMatchObject({
      verdict: 'holds',
      required: 6,
      claim: { coboAddress: cobo, amount: btc('1') },
      sources: [{ state: 'found', address: cobo, amount: btc('1'), confirmations: 10, height: tipHeight - 9 }],
    });
    const half = await analyst.api.deposits.evidence({ ...pick(input), coboAddress: 'bc1q', amount: '1.', except: null });
    expect(half).toMatchObject({ verdict: 'mismatch', claim: { coboAddress: null, amount: null } });
    const row = await operator.api.deposits.add(input);
    expect(await analyst.api.deposits.evidence({ id: row.id })).toMatchObject({ verdict: 'holds', known: null });
    await expect(analyst.api.deposits.evidence({ id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each<[string, (output: Output) => Output | null, string]>([
    ['another amount', (output) => ({ ...output, value: output.value - 1 }), 'mismatch'],
    ['another address', (output) => ({ ...output, address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }), 'mismatch'],
    ['five of six confirmations', (output) => ({ ...output, height: tipHeight - 4 }), 'unconfirmed'],
    ['no block yet', (output) => ({ ...output, height: null }), 'unconfirmed'],
    ['no such transaction', () => null, 'unverified'],
  ])('%s: confirming is refused', async (_, change, verdict) => {
    const row = await add('0.5');
    const output = outputs.get(row.txid);
    const changed = output && change(output);
    if (changed) outputs.set(row.txid, changed);
    else outputs.delete(row.txid);
    await expect(confirm(row, approver)).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'EVIDENCE', verdict: [verdict] },
    });
    expect(await mintsOf(row.id)).toEqual([]);
    if (output) outputs.set(row.txid, output);
    expect(await confirm(row, approver)).toMatchObject({ status: 'confirmed', mintStatus: 'queued' });
  });

  test('is unverified for another output of the transaction, and when a source is down', async () => {
    const row = await add('0.5', operator, { vout: 1 });
    await expect(confirm(row, approver)).rejects.toMatchObject({ data: { reason: 'EVIDENCE', verdict: ['mismatch'] } });
    const good = await add('0.5');
    bitcoin.isUp = false;
    await expect(confirm(good, approver)).rejects.toMatchObject({ data: { reason: 'EVIDENCE', verdict: ['unverified'] } });
  });
});

describe('four eyes and rules', () => {
  test('one confirmation queues exactly one mint for this amount and user', async () => {
    const row = await confirm(await add('1.5'), approver);
    expect(row).toMatchObject({ status: 'confirmed', mintStatus: 'queued', confirmedEmail: 'approver@demo.local' });
    expect(row.mint).toMatchObject({ state: 'queued', nonce: null, hash: null });
    expect(await mintsOf(row.id)).toMatchObject([
      {
        state: 'queued',
        depositHash: depositHash('mainnet', row.txid, 0),
        chainId: 31_337,
        recipient: user,
        amount: 1_500_000_000_000_000_000n,
      },
    ]);
    const { entries } = await analyst.api.deposits.history({ id: row.id });
    expect(entries[0]).toMatchObject({ actorEmail: 'approver@demo.local', after: { confirmedHash: row.hash } });
  });

  test('an author cannot confirm, whatever the amount', async () => {
    const own = await add('1', all);
    await expect(confirm(own, all)).rejects.toMatchObject(refused('FOUR_EYES'));
    const changed = await add('1');
    const { txid, vout, coboAddress, type, lockTime } = changed;
    const modified = await all.api.deposits.edit({
      txid,
      vout,
      coboAddress,
      type,
      lockTime,
      userAddress: user,
      amount: changed.amount,
      remarks: 'now mine',
      id: changed.id,
      version: changed.version,
    });
    await expect(confirm(modified, all)).rejects.toMatchObject(refused('FOUR_EYES'));
    expect(await confirm(own, approver)).toMatchObject({ status: 'confirmed' });
    await expect(confirm(await add('0.00000001', all), all)).rejects.toMatchObject(refused('FOUR_EYES'));
  });

  test('two people sign from 10 BTC, the last one queues the mint, and a repeated signature counts once', async () => {
    const row = await add('10');
    expect(row).toMatchObject({ missing: 2, rule: { approvals: 2 } });
    const answers = await Promise.allSettled([confirm(row, approver), confirm(row, approver)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toMatchObject([{ value: { status: 'created', missing: 1 } }]);
    await expect(confirm(row, approver)).rejects.toMatchObject({ data: { reason: 'SIGNATURES', missing: ['1'] } });
    expect(await again(row)).toMatchObject({ missing: 1, approvals: [{ email: 'approver@demo.local', own: false }] });
    expect((await again(row, approver)).approvals).toMatchObject([{ own: true }]);
    expect(await mintsOf(row.id)).toEqual([]);
    expect(await confirm(row, all)).toMatchObject({
      status: 'confirmed',
      missing: 0,
      approvals: [{ email: 'approver@demo.local' }, { email: 'admin@demo.local' }],
    });
    expect(await mintsOf(row.id)).toHaveLength(1);
    const { entries } = await analyst.api.deposits.history({ id: row.id });
    expect(entries.map(({ route, actorEmail, after }) => [route, actorEmail, (after as { missing?: number }).missing])).toEqual([
      ['deposits.confirm', 'admin@demo.local', undefined],
      ['deposits.confirm', 'approver@demo.local', 1],
      ['deposits.add', 'operator@demo.local', undefined],
    ]);
  });

  test('refuses a signature that would be the last although the review said otherwise, and keeps nothing', async () => {
    const row = await add('10');
    const onlySigns = (by: TestSession) => keyed(by).deposits.confirm({ ...seen(row), onlySigns: true });
    expect(await onlySigns(approver)).toMatchObject({ status: 'created', missing: 1 });
    await expect(onlySigns(all)).rejects.toMatchObject(refused('CHANGED'));
    expect(await again(row)).toMatchObject({ status: 'created', missing: 1, approvals: [{ email: 'approver@demo.local' }] });
    expect(await mintsOf(row.id)).toEqual([]);
    expect(await keyed(all).deposits.confirm({ ...seen(row), onlySigns: false })).toMatchObject({ status: 'confirmed' });
  });

  test('tells a person before they sign why their signature would be refused', async () => {
    const refusalFor = async (row: DepositRow, by: TestSession) => (await by.api.deposits.evidence({ id: row.id })).refusal;
    const row = await add('1');
    expect(await refusalFor(row, approver)).toBeNull();
    expect(await refusalFor(row, analyst)).toBeNull();
    expect(await refusalFor(await add('1', all), all)).toMatchObject({ reason: 'FOUR_EYES' });
    expect(await refusalFor(await add('150'), approver)).toMatchObject({ reason: 'NO_POLICY' });
    await rule(band('0', '10', 1, { role: 'Nobody has it' }));
    expect(await refusalFor(row, approver)).toMatchObject({ reason: 'ROLE', role: ['Nobody has it'] });
    await rule(band('0', '10', 1, { perDay: btc('0.5') }));
    expect(await refusalFor(row, approver)).toMatchObject({ reason: 'DAY_LIMIT', limit: ['0.50000000'] });
    await rule(band('0', '10', 2, { perDay: btc('0.5') }));
    expect(await refusalFor(row, approver)).toBeNull(); // only the last signature confirms
    await rule(...bands);
    await db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date(), supplyOff: 5n });
    try {
      expect(await refusalFor(row, approver)).toMatchObject({ reason: 'FROZEN' });
    } finally {
      await db.delete(moneyFreezes);
    }
    expect(await refusalFor(await confirm(row, approver), approver)).toBeNull();
  });

  test('the last of two signers sees limit and used amount if the deposit exceeds the daily limit', async () => {
    const refusalFor = async (row: DepositRow, by: TestSession) => (await by.api.deposits.evidence({ id: row.id })).refusal;
    const used = async () =>
      BigInt((await analyst.api.authority.summary()).rules.find(({ inForce }) => inForce)?.used?.[0] ?? '0');
    await rule(band('0', '10', 2));
    const usedBefore = await used();
    await rule(band('0', '10', 2, { perDay: String(usedBefore + BigInt(btc('3'))) }));
    const [first, second] = [await add('2'), await add('2')];
    await confirm(first, approver);
    await confirm(second, approver);
    expect(await refusalFor(second, all)).toBeNull();
    await confirm(first, all);
    const limit = [formatBtc(usedBefore + BigInt(btc('3')))];
    const refusal = { reason: 'DAY_LIMIT', limit, used: [formatBtc(usedBefore + BigInt(btc('2')))] };
    expect(await refusalFor(second, all)).toMatchObject(refusal);
    await expect(confirm(second, all)).rejects.toMatchObject({ code: 'MONEY_REFUSED', data: refusal });
    await rule(...bands);
  });

  test('an edit voids signatures, even if the fields become the same again', async () => {
    const row = await add('10');
    await confirm(row, all);
    const { txid, vout, coboAddress, type, lockTime, userAddress, amount } = row;
    const same = { txid, vout, coboAddress, type, lockTime, userAddress, amount, id: row.id };
    expect(await operator.api.deposits.edit({ ...same, remarks: '', version: row.version })).toMatchObject({
      version: row.version,
      approvals: [{ email: 'admin@demo.local' }], // unchanged fields void nothing
    });
    const other = await operator.api.deposits.edit({ ...same, remarks: 'x', version: row.version });
    const back = await operator.api.deposits.edit({ ...same, remarks: '', version: other.version });
    expect(back).toMatchObject({ hash: row.hash, approvals: [], missing: 2 });
    expect(await confirm(back, approver)).toMatchObject({ status: 'created', missing: 1 });
    await expect(confirm(row, all)).rejects.toMatchObject({ code: 'CONFLICT' }); // a form left open
    await expect(keyed(all).deposits.confirm({ ...seen(back), hash: other.hash })).rejects.toMatchObject(refused('CHANGED'));
  });

  test('a signature of a disabled person does not count', async () => {
    const row = await add('10');
    await confirm(row, all);
    const enable = (enabled: boolean) =>
      db.execute(sql`update administrators set enabled = ${enabled} where email = 'admin@demo.local'`);
    await enable(false);
    try {
      expect(await confirm(row, approver)).toMatchObject({ status: 'created', missing: 1 });
    } finally {
      await enable(true);
    }
    expect(await confirm(row, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('an amount without a rule can be neither signed nor proposed', async () => {
    const row = await add('100');
    await expect(confirm(row, approver)).rejects.toMatchObject(refused('NO_POLICY'));
    await expect(keyed(approver).deposits.propose(seen(row))).rejects.toMatchObject(refused('NO_POLICY'));
  });

  test('signed rules apply immediately to what is shown, counted and confirmed, and old signatures are given again', async () => {
    const row = await add('150');
    await expect(
      keyed(operator).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands, refundBands: [] }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await rule(...bands, band('100', null, 2, { perDay: btc('120'), delaySeconds: 900 }));
    expect(await again(row)).toMatchObject({ missing: 2, rule: { approvals: 2, perDay: btc('120'), delaySeconds: 900 } });
    expect(await confirm(row, approver)).toMatchObject({ missing: 1 });
    await expect(confirm(row, all)).rejects.toMatchObject(refused('DAY_LIMIT'));
    await rule(...bands, band('100', null, 2, { delaySeconds: 900 }));
    expect(await again(row)).toMatchObject({ missing: 2, approvals: [] });
    expect(await confirm(row, approver)).toMatchObject({ missing: 1 });
    const before = app.clock.now;
    const { mint } = await confirm(row, all);
    expect(Date.parse(mint?.signFrom ?? '') - before).toBeGreaterThanOrEqual(900_000);
    await rule(...bands);
    expect(await again(row)).toMatchObject({ rule: null, approvals: [{}, {}] });
  });

  test('a rule may ask for a role', async () => {
    const row = await add('0.5');
    await rule(band('0', null, 1, { role: '超级管理员 Full access' }));
    await expect(confirm(row, approver)).rejects.toMatchObject({ data: { reason: 'ROLE', role: ['超级管理员 Full access'] } });
    expect(await confirm(row, all)).toMatchObject({ status: 'confirmed' });
  });

  test('two concurrent confirmations cannot both use the rest of the daily limit', async () => {
    const { rules } = await analyst.api.authority.summary();
    const used = BigInt(rules.find(({ inForce }) => inForce)?.used?.[1] ?? '0');
    await rule(band('0', '10', 1), band('10', '100', 1, { perDay: String(used + BigInt(btc('25'))) }));
    const rows = [await add('20'), await add('20'), await add('20')];
    const answers = await Promise.allSettled(rows.map((row, at) => confirm(row, at % 2 === 0 ? approver : all)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refused('DAY_LIMIT'));
    expect((await analyst.api.authority.summary()).rules).toMatchObject([
      { used: [expect.any(String), String(used + BigInt(btc('20')))] },
    ]);
    await db.update(deposits).set({ confirmedAt: sql`${deposits.confirmedAt} - interval '24 hours 1 second'` });
    const left = rows.find((_, at) => answers[at]?.status === 'rejected');
    expect(left && (await confirm(left, approver))).toMatchObject({ status: 'confirmed' });
  });

  test('nothing is confirmed while figures differ', async () => {
    const row = await add('0.5');
    await db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date() });
    try {
      await expect(confirm(row, approver)).rejects.toMatchObject(refused('FROZEN'));
    } finally {
      await db.delete(moneyFreezes);
    }
    expect(await confirm(row, approver)).toMatchObject({ status: 'confirmed' });
  });
});

describe('confirming exactly once', () => {
  test('treats a double click as one confirmation, with the same answer', async () => {
    const row = await add('2');
    const key = newId();
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(row, approver, key)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    bitcoin.isUp = false; // a repeated key returns the first answer without asking Bitcoin
    expect(await confirm(row, approver, key)).toEqual(answers[0]);
    expect(await mintsOf(row.id)).toHaveLength(1);
  });

  test('makes at most one mint of the reviewed fields for two people, many tabs and an editing colleague', async () => {
    for (let round = 0; round < 5; round++) {
      const row = await add('3');
      const edit = operator.api.deposits.edit({ ...fields('4'), id: row.id, version: row.version });
      const answers = await Promise.allSettled([...[approver, all, approver, all].map((by) => confirm(row, by)), edit]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'CONFLICT' });
      const now = await again(row);
      const made = await mintsOf(row.id);
      expect(made).toHaveLength(now.status === 'confirmed' ? 1 : 0);
      for (const { amount } of made) expect(amount).toBe(3_000_000_000_000_000_000n);
    }
  });

  test('needs an Idempotency-Key', async () => {
    const row = await add('0.5');
    await expect(approver.api.deposits.confirm(seen(row))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'Idempotency-Key', rule: 'required' }] },
    });
  });

  test('retries a failed mint as the same one, and no other', async () => {
    const row = await confirm(await add('0.5'), approver);
    const retry = (by: TestSession, { id, version }: DepositRow) => keyed(by).deposits.retryMint({ id, version });
    await expect(retry(approver, row)).rejects.toMatchObject(refused('NOT_FAILED'));
    await db.update(mints).set({ state: 'failed', problem: 'REVERTED' }).where(eq(mints.depositId, row.id));
    await db.update(deposits).set({ mintStatus: 'failed' }).where(eq(deposits.id, row.id));
    await expect(retry(operator, row)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const answers = await Promise.allSettled([retry(approver, row), retry(all, row), retry(approver, row)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await mintsOf(row.id)).toMatchObject([{ state: 'queued', problem: null }]);
    expect(await again(row)).toMatchObject({ mintStatus: 'queued' });
  });

  test('records a refusal with its reason in the audit', async () => {
    const row = await add('100');
    await expect(confirm(row, approver)).rejects.toMatchObject(refused('NO_POLICY'));
    const { rows } = await app.database.pool.query<{ after: string }>(
      `select after from audit where result = 'refused' and entity_id = $1`,
      [row.id],
    );
    expect(rows.map(({ after }) => JSON.parse(after))).toMatchObject([{ reason: 'NO_POLICY' }]);
  });
});
