import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { formatBtc, parseBtc } from '../../api/money.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { newId } from '../platform/core/ids.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { startFakeEsplora, tipHeight, type Output } from '../testing/esplora.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApi } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from './tables.ts';
import { mints } from '../mints/tables.ts';

const { url: esploraUrl, outputs, state: bitcoinState } = await startFakeEsplora();
const coboCustodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const app = await createTestApp(
  {
    ESPLORA_URLS: esploraUrl,
    CUSTODY_ADDRESSES: coboCustodyAddress,
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
const operatorSession = await signInAs(app, 'operator');
const approver = await signInAs(app, 'approver');
const adminSession = await signInAs(app, 'all');
const analystSession = await signInAs(app, 'analyst');

const idempotentApi = ({ headers }: TestSession, key: string = newId()): TestApi =>
  createApi(app, { ...headers, 'idempotency-key': key });
const user = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const toSatoshi = (text: string) => String(parseBtc(text));
let nextTxid = 1;

function createFields(amount: string, overrides: Partial<DepositFields> = {}): DepositFields {
  const txid = (nextTxid++).toString(16).padStart(64, '7');
  outputs.set(txid, { address: coboCustodyAddress, value: Number(toSatoshi(amount)), height: tipHeight - 9 });
  const commonFields = {
    userAddress: user,
    coboAddress: coboCustodyAddress,
    type: 'cobo',
    vout: 0,
    lockTime: null,
    remarks: '',
  } as const;
  return { ...commonFields, amount: toSatoshi(amount), txid, ...overrides };
}
const addDeposit = (amount: string, session: TestSession = operatorSession, overrides: Partial<DepositFields> = {}) =>
  session.api.deposits.add(createFields(amount, overrides));
const depositVersion = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const confirmDeposit = (row: DepositRow, session: TestSession, key?: string) =>
  idempotentApi(session, key).deposits.confirm(depositVersion(row));
const moneyRefusalOf = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });
const readMints = (id: string) => db.select().from(mints).where(eq(mints.depositId, id));
const rereadDeposit = async ({ id }: DepositRow, session: TestSession = operatorSession) => {
  const [row] = await session.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
};

/** One signature below 10 BTC, two below 100. */
const createBand = (
  from: string,
  below: string | null,
  approvals: number,
  overrides: Partial<AuthorityBand> = {},
): AuthorityBand => ({
  from: toSatoshi(from),
  below: below && toSatoshi(below),
  approvals,
  role: null,
  perDay: null,
  delaySeconds: 0,
  ...overrides,
});
const bands = [createBand('0', '10', 1), createBand('10', '100', 2)];
const rule = (...now: AuthorityBand[]) =>
  idempotentApi(adminSession).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: now, refundBands: [] });

beforeEach(async () => {
  bitcoinState.isUp = true;
  await rule(...bands);
});

describe('recording a deposit', () => {
  test('keeps every satoshi, the canonical addresses and the recorder', async () => {
    const row = await addDeposit('20999999.97690001', operatorSession, { coboAddress: coboCustodyAddress.toUpperCase() });
    expect(row).toMatchObject({
      amount: '2099999997690001',
      userAddress: user,
      coboAddress: coboCustodyAddress,
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
    expect((await rereadDeposit(row, approver)).own).toBe(false);
  });

  test('refuses other networks, typing errors, zero and too large amounts', async () => {
    const invalidCases: [Partial<DepositFields>, string, string][] = [
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
    for (const [invalidFields, path, rule] of invalidCases)
      await expect(addDeposit('1', operatorSession, invalidFields), path).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: expect.arrayContaining([{ path, rule }]) },
      });
    for (const address of ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', coboCustodyAddress])
      expect(parseBitcoinAddress(address, 'mainnet')).toBe(address);
  });

  test('refuses an output that another deposit has, naming it, also concurrently and when edited', async () => {
    const input = createFields('2');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => operatorSession.api.deposits.add(input)));
    const addedDeposits = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(addedDeposits).toHaveLength(1);
    const knownError = { code: 'DEPOSIT_KNOWN', data: { ids: addedDeposits.map(({ id }) => id) } };
    await expect(adminSession.api.deposits.add(input)).rejects.toMatchObject(knownError);
    const secondDeposit = await addDeposit('2');
    await expect(
      operatorSession.api.deposits.edit({
        ...createFields('2'),
        txid: input.txid,
        id: secondDeposit.id,
        version: secondDeposit.version,
      }),
    ).rejects.toMatchObject(knownError);
    expect(await adminSession.api.deposits.evidence({ ...evidenceInputOf(input), except: null })).toMatchObject({
      known: addedDeposits[0]?.id,
    });
    expect(
      await adminSession.api.deposits.evidence({ ...evidenceInputOf(input), except: addedDeposits[0]?.id ?? null }),
    ).toMatchObject({ known: null });
    await expect(addDeposit('2', operatorSession, { txid: input.txid, vout: 1 })).resolves.toMatchObject({ vout: 1 });
  });

  test('refuses edits after confirmation, and analysts and approvers', async () => {
    const row = await confirmDeposit(await addDeposit('0.5'), approver);
    await expect(
      operatorSession.api.deposits.edit({ ...createFields('0.6'), id: row.id, version: row.version }),
    ).rejects.toMatchObject(moneyRefusalOf('CONFIRMED'));
    await expect(
      operatorSession.api.deposits.remove({ items: [row].map(({ id, version }) => ({ id, version })) }),
    ).rejects.toMatchObject(moneyRefusalOf('CONFIRMED'));
    const openDeposit = await addDeposit('0.5');
    const bothVersions = [row, openDeposit].map(({ id, version }) => ({ id, version }));
    expect(await operatorSession.api.deposits.remove({ items: bothVersions })).toEqual({
      done: [{ id: openDeposit.id }],
      failed: [{ id: row.id, code: 'INCOMPLETE' }],
    });
    for (const session of [analystSession, approver])
      await expect(addDeposit('1', session)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const session of [analystSession, operatorSession])
      await expect(confirmDeposit(await addDeposit('1'), session)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('makes it findable by status, address and hash, and sortable by amount', async () => {
    const row = await addDeposit('7.00000001');
    const list = (filter: object, sort: 'amount' | 'createdAt' = 'createdAt') =>
      analystSession.api.deposits.list({ sort, direction: 'desc', filter, cursor: null, limit: 200 });
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
    expect(amounts).toEqual([...amounts].sort((left, right) => (left < right ? 1 : -1)));
  });
});

const evidenceInputOf = ({ txid, vout, coboAddress, amount }: DepositFields) => ({ txid, vout, coboAddress, amount });

describe('evidence', () => {
  test('compares each field with Bitcoin, for a draft and for a record', async () => {
    const input = createFields('1');
    expect(await analystSession.api.deposits.evidence({ ...evidenceInputOf(input), except: null })).toMatchObject({
      verdict: 'holds',
      required: 6,
      claim: { coboAddress: coboCustodyAddress, amount: toSatoshi('1') },
      sources: [
        { state: 'found', address: coboCustodyAddress, amount: toSatoshi('1'), confirmations: 10, height: tipHeight - 9 },
      ],
    });
    const partialEvidence = await analystSession.api.deposits.evidence({
      ...evidenceInputOf(input),
      coboAddress: 'bc1q',
      amount: '1.',
      except: null,
    });
    expect(partialEvidence).toMatchObject({ verdict: 'mismatch', claim: { coboAddress: null, amount: null } });
    const row = await operatorSession.api.deposits.add(input);
    expect(await analystSession.api.deposits.evidence({ id: row.id })).toMatchObject({ verdict: 'holds', known: null });
    await expect(analystSession.api.deposits.evidence({ id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each<[string, (output: Output) => Output | null, string]>([
    ['another amount', (output) => ({ ...output, value: output.value - 1 }), 'mismatch'],
    ['another address', (output) => ({ ...output, address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }), 'mismatch'],
    ['five of six confirmations', (output) => ({ ...output, height: tipHeight - 4 }), 'unconfirmed'],
    ['no block yet', (output) => ({ ...output, height: null }), 'unconfirmed'],
    ['no such transaction', () => null, 'unverified'],
  ])('%s: confirming is refused', async (_, changeOutput, verdict) => {
    const row = await addDeposit('0.5');
    const output = outputs.get(row.txid);
    const changedOutput = output && changeOutput(output);
    if (changedOutput) outputs.set(row.txid, changedOutput);
    else outputs.delete(row.txid);
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'EVIDENCE', verdict: [verdict] },
    });
    expect(await readMints(row.id)).toEqual([]);
    if (output) outputs.set(row.txid, output);
    expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'confirmed', mintStatus: 'queued' });
  });

  test('is unverified for another output of the transaction, and when a source is down', async () => {
    const row = await addDeposit('0.5', operatorSession, { vout: 1 });
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject({ data: { reason: 'EVIDENCE', verdict: ['mismatch'] } });
    const validDeposit = await addDeposit('0.5');
    bitcoinState.isUp = false;
    await expect(confirmDeposit(validDeposit, approver)).rejects.toMatchObject({
      data: { reason: 'EVIDENCE', verdict: ['unverified'] },
    });
  });
});

describe('four eyes and rules', () => {
  test('one confirmation queues exactly one mint for this amount and user', async () => {
    const row = await confirmDeposit(await addDeposit('1.5'), approver);
    expect(row).toMatchObject({ status: 'confirmed', mintStatus: 'queued', confirmedEmail: 'approver@demo.local' });
    expect(row.mint).toMatchObject({ state: 'queued', nonce: null, hash: null });
    expect(await readMints(row.id)).toMatchObject([
      {
        state: 'queued',
        depositHash: depositHash('mainnet', row.txid, 0),
        chainId: 31_337,
        recipient: user,
        amount: 1_500_000_000_000_000_000n,
      },
    ]);
    const { entries } = await analystSession.api.deposits.history({ id: row.id });
    expect(entries[0]).toMatchObject({ actorEmail: 'approver@demo.local', after: { confirmedHash: row.hash } });
  });

  test('an author cannot confirm, whatever the amount', async () => {
    const ownDeposit = await addDeposit('1', adminSession);
    await expect(confirmDeposit(ownDeposit, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
    const changedDeposit = await addDeposit('1');
    const { txid, vout, coboAddress, type, lockTime } = changedDeposit;
    const modifiedDeposit = await adminSession.api.deposits.edit({
      txid,
      vout,
      coboAddress,
      type,
      lockTime,
      userAddress: user,
      amount: changedDeposit.amount,
      remarks: 'now mine',
      id: changedDeposit.id,
      version: changedDeposit.version,
    });
    await expect(confirmDeposit(modifiedDeposit, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
    expect(await confirmDeposit(ownDeposit, approver)).toMatchObject({ status: 'confirmed' });
    await expect(confirmDeposit(await addDeposit('0.00000001', adminSession), adminSession)).rejects.toMatchObject(
      moneyRefusalOf('FOUR_EYES'),
    );
  });

  test('two people sign from 10 BTC, the last one queues the mint, and a repeated signature counts once', async () => {
    const row = await addDeposit('10');
    expect(row).toMatchObject({ missing: 2, rule: { approvals: 2 } });
    const outcomes = await Promise.allSettled([confirmDeposit(row, approver), confirmDeposit(row, approver)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toMatchObject([{ value: { status: 'created', missing: 1 } }]);
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject({ data: { reason: 'SIGNATURES', missing: ['1'] } });
    expect(await rereadDeposit(row)).toMatchObject({ missing: 1, approvals: [{ email: 'approver@demo.local', own: false }] });
    expect((await rereadDeposit(row, approver)).approvals).toMatchObject([{ own: true }]);
    expect(await readMints(row.id)).toEqual([]);
    expect(await confirmDeposit(row, adminSession)).toMatchObject({
      status: 'confirmed',
      missing: 0,
      approvals: [{ email: 'approver@demo.local' }, { email: 'admin@demo.local' }],
    });
    expect(await readMints(row.id)).toHaveLength(1);
    const { entries } = await analystSession.api.deposits.history({ id: row.id });
    expect(entries.map(({ route, actorEmail, after }) => [route, actorEmail, (after as { missing?: number }).missing])).toEqual([
      ['deposits.confirm', 'admin@demo.local', undefined],
      ['deposits.confirm', 'approver@demo.local', 1],
      ['deposits.add', 'operator@demo.local', undefined],
    ]);
  });

  test('refuses a signature that would be the last although the review said otherwise, and keeps nothing', async () => {
    const row = await addDeposit('10');
    const signOnly = (session: TestSession) =>
      idempotentApi(session).deposits.confirm({ ...depositVersion(row), onlySigns: true });
    expect(await signOnly(approver)).toMatchObject({ status: 'created', missing: 1 });
    await expect(signOnly(adminSession)).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
    expect(await rereadDeposit(row)).toMatchObject({
      status: 'created',
      missing: 1,
      approvals: [{ email: 'approver@demo.local' }],
    });
    expect(await readMints(row.id)).toEqual([]);
    expect(await idempotentApi(adminSession).deposits.confirm({ ...depositVersion(row), onlySigns: false })).toMatchObject({
      status: 'confirmed',
    });
  });

  test('tells a person before they sign why their signature would be refused', async () => {
    const readRefusal = async (row: DepositRow, session: TestSession) =>
      (await session.api.deposits.evidence({ id: row.id })).refusal;
    const row = await addDeposit('1');
    expect(await readRefusal(row, approver)).toBeNull();
    expect(await readRefusal(row, analystSession)).toBeNull();
    expect(await readRefusal(await addDeposit('1', adminSession), adminSession)).toMatchObject({ reason: 'FOUR_EYES' });
    expect(await readRefusal(await addDeposit('150'), approver)).toMatchObject({ reason: 'NO_POLICY' });
    await rule(createBand('0', '10', 1, { role: 'Nobody has it' }));
    expect(await readRefusal(row, approver)).toMatchObject({ reason: 'ROLE', role: ['Nobody has it'] });
    await rule(createBand('0', '10', 1, { perDay: toSatoshi('0.5') }));
    expect(await readRefusal(row, approver)).toMatchObject({ reason: 'DAY_LIMIT', limit: ['0.50000000'] });
    await rule(createBand('0', '10', 2, { perDay: toSatoshi('0.5') }));
    expect(await readRefusal(row, approver)).toBeNull(); // only the last signature confirms
    await rule(...bands);
    await db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date(), supplyOff: 5n });
    try {
      expect(await readRefusal(row, approver)).toMatchObject({ reason: 'FROZEN' });
    } finally {
      await db.delete(moneyFreezes);
    }
    expect(await readRefusal(await confirmDeposit(row, approver), approver)).toBeNull();
  });

  test('the last of two signers sees limit and used amount if the deposit exceeds the daily limit', async () => {
    const readRefusal = async (row: DepositRow, session: TestSession) =>
      (await session.api.deposits.evidence({ id: row.id })).refusal;
    const readUsedAmount = async () =>
      BigInt((await analystSession.api.authority.summary()).rules.find(({ inForce }) => inForce)?.used?.[0] ?? '0');
    await rule(createBand('0', '10', 2));
    const usedBefore = await readUsedAmount();
    await rule(createBand('0', '10', 2, { perDay: String(usedBefore + BigInt(toSatoshi('3'))) }));
    const [firstDeposit, secondDeposit] = [await addDeposit('2'), await addDeposit('2')];
    await confirmDeposit(firstDeposit, approver);
    await confirmDeposit(secondDeposit, approver);
    expect(await readRefusal(secondDeposit, adminSession)).toBeNull();
    await confirmDeposit(firstDeposit, adminSession);
    const limit = [formatBtc(usedBefore + BigInt(toSatoshi('3')))];
    const dayLimitRefusal = { reason: 'DAY_LIMIT', limit, used: [formatBtc(usedBefore + BigInt(toSatoshi('2')))] };
    expect(await readRefusal(secondDeposit, adminSession)).toMatchObject(dayLimitRefusal);
    await expect(confirmDeposit(secondDeposit, adminSession)).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: dayLimitRefusal,
    });
    await rule(...bands);
  });

  test('an edit voids signatures, even if the fields become the same again', async () => {
    const row = await addDeposit('10');
    await confirmDeposit(row, adminSession);
    const { txid, vout, coboAddress, type, lockTime, userAddress, amount } = row;
    const unchangedFields = { txid, vout, coboAddress, type, lockTime, userAddress, amount, id: row.id };
    expect(await operatorSession.api.deposits.edit({ ...unchangedFields, remarks: '', version: row.version })).toMatchObject({
      version: row.version,
      approvals: [{ email: 'admin@demo.local' }], // unchanged fields void nothing
    });
    const editedDeposit = await operatorSession.api.deposits.edit({ ...unchangedFields, remarks: 'x', version: row.version });
    const revertedDeposit = await operatorSession.api.deposits.edit({
      ...unchangedFields,
      remarks: '',
      version: editedDeposit.version,
    });
    expect(revertedDeposit).toMatchObject({ hash: row.hash, approvals: [], missing: 2 });
    expect(await confirmDeposit(revertedDeposit, approver)).toMatchObject({ status: 'created', missing: 1 });
    await expect(confirmDeposit(row, adminSession)).rejects.toMatchObject({ code: 'CONFLICT' }); // a form left open
    await expect(
      idempotentApi(adminSession).deposits.confirm({ ...depositVersion(revertedDeposit), hash: editedDeposit.hash }),
    ).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
  });

  test('a signature of a disabled person does not count', async () => {
    const row = await addDeposit('10');
    await confirmDeposit(row, adminSession);
    const setEnabled = (enabled: boolean) =>
      db.execute(sql`update administrators set enabled = ${enabled} where email = 'admin@demo.local'`);
    await setEnabled(false);
    try {
      expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'created', missing: 1 });
    } finally {
      await setEnabled(true);
    }
    expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('an amount without a rule can be neither signed nor proposed', async () => {
    const row = await addDeposit('100');
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject(moneyRefusalOf('NO_POLICY'));
    await expect(idempotentApi(approver).deposits.propose(depositVersion(row))).rejects.toMatchObject(
      moneyRefusalOf('NO_POLICY'),
    );
  });

  test('signed rules apply immediately to what is shown, counted and confirmed, and old signatures are given again', async () => {
    const row = await addDeposit('150');
    await expect(
      idempotentApi(operatorSession).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands, refundBands: [] }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await rule(...bands, createBand('100', null, 2, { perDay: toSatoshi('120'), delaySeconds: 900 }));
    expect(await rereadDeposit(row)).toMatchObject({
      missing: 2,
      rule: { approvals: 2, perDay: toSatoshi('120'), delaySeconds: 900 },
    });
    expect(await confirmDeposit(row, approver)).toMatchObject({ missing: 1 });
    await expect(confirmDeposit(row, adminSession)).rejects.toMatchObject(moneyRefusalOf('DAY_LIMIT'));
    await rule(...bands, createBand('100', null, 2, { delaySeconds: 900 }));
    expect(await rereadDeposit(row)).toMatchObject({ missing: 2, approvals: [] });
    expect(await confirmDeposit(row, approver)).toMatchObject({ missing: 1 });
    const timeBefore = app.clock.now;
    const { mint } = await confirmDeposit(row, adminSession);
    expect(Date.parse(mint?.signFrom ?? '') - timeBefore).toBeGreaterThanOrEqual(900_000);
    await rule(...bands);
    expect(await rereadDeposit(row)).toMatchObject({ rule: null, approvals: [{}, {}] });
  });

  test('a rule may ask for a role', async () => {
    const row = await addDeposit('0.5');
    await rule(createBand('0', null, 1, { role: '超级管理员 Full access' }));
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject({
      data: { reason: 'ROLE', role: ['超级管理员 Full access'] },
    });
    expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'confirmed' });
  });

  test('two concurrent confirmations cannot both use the rest of the daily limit', async () => {
    const { rules } = await analystSession.api.authority.summary();
    const usedAmount = BigInt(rules.find(({ inForce }) => inForce)?.used?.[1] ?? '0');
    await rule(createBand('0', '10', 1), createBand('10', '100', 1, { perDay: String(usedAmount + BigInt(toSatoshi('25'))) }));
    const rows = [await addDeposit('20'), await addDeposit('20'), await addDeposit('20')];
    const outcomes = await Promise.allSettled(
      rows.map((row, index) => confirmDeposit(row, index % 2 === 0 ? approver : adminSession)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(moneyRefusalOf('DAY_LIMIT'));
    expect((await analystSession.api.authority.summary()).rules).toMatchObject([
      { used: [expect.any(String), String(usedAmount + BigInt(toSatoshi('20')))] },
    ]);
    await db.update(deposits).set({ confirmedAt: sql`${deposits.confirmedAt} - interval '24 hours 1 second'` });
    const rejectedDeposit = rows.find((_, index) => outcomes[index]?.status === 'rejected');
    expect(rejectedDeposit && (await confirmDeposit(rejectedDeposit, approver))).toMatchObject({ status: 'confirmed' });
  });

  test('nothing is confirmed while figures differ', async () => {
    const row = await addDeposit('0.5');
    await db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date() });
    try {
      await expect(confirmDeposit(row, approver)).rejects.toMatchObject(moneyRefusalOf('FROZEN'));
    } finally {
      await db.delete(moneyFreezes);
    }
    expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'confirmed' });
  });
});

describe('confirming exactly once', () => {
  test('treats a double click as one confirmation, with the same answer', async () => {
    const row = await addDeposit('2');
    const key = newId();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => confirmDeposit(row, approver, key)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    bitcoinState.isUp = false; // a repeated key returns the first answer without asking Bitcoin
    expect(await confirmDeposit(row, approver, key)).toEqual(outcomes[0]);
    expect(await readMints(row.id)).toHaveLength(1);
  });

  test('makes at most one mint of the reviewed fields for two people, many tabs and an editing colleague', async () => {
    for (let round = 0; round < 5; round++) {
      const row = await addDeposit('3');
      const pendingEdit = operatorSession.api.deposits.edit({ ...createFields('4'), id: row.id, version: row.version });
      const outcomes = await Promise.allSettled([
        ...[approver, adminSession, approver, adminSession].map((session) => confirmDeposit(row, session)),
        pendingEdit,
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
      const now = await rereadDeposit(row);
      const mintRows = await readMints(row.id);
      expect(mintRows).toHaveLength(now.status === 'confirmed' ? 1 : 0);
      for (const { amount } of mintRows) expect(amount).toBe(3_000_000_000_000_000_000n);
    }
  });

  test('needs an Idempotency-Key', async () => {
    const row = await addDeposit('0.5');
    await expect(approver.api.deposits.confirm(depositVersion(row))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'Idempotency-Key', rule: 'required' }] },
    });
  });

  test('retries a failed mint as the same one, and no other', async () => {
    const row = await confirmDeposit(await addDeposit('0.5'), approver);
    const retryMint = (session: TestSession, { id, version }: DepositRow) =>
      idempotentApi(session).deposits.retryMint({ id, version });
    await expect(retryMint(approver, row)).rejects.toMatchObject(moneyRefusalOf('NOT_FAILED'));
    await db.update(mints).set({ state: 'failed', problem: 'REVERTED' }).where(eq(mints.depositId, row.id));
    await db.update(deposits).set({ mintStatus: 'failed' }).where(eq(deposits.id, row.id));
    await expect(retryMint(operatorSession, row)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const outcomes = await Promise.allSettled([retryMint(approver, row), retryMint(adminSession, row), retryMint(approver, row)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readMints(row.id)).toMatchObject([{ state: 'queued', problem: null }]);
    expect(await rereadDeposit(row)).toMatchObject({ mintStatus: 'queued' });
  });

  test('records a refusal with its reason in the audit', async () => {
    const row = await addDeposit('100');
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject(moneyRefusalOf('NO_POLICY'));
    const { rows } = await app.database.pool.query<{ after: string }>(
      `select after from audit where result = 'refused' and entity_id = $1`,
      [row.id],
    );
    expect(rows.map(({ after }) => JSON.parse(after))).toMatchObject([{ reason: 'NO_POLICY' }]);
  });
});
