import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { parseBtc } from '../../api/money.ts';
import { newId } from '../platform/core/ids.ts';
import { eq } from 'drizzle-orm';
import { mints } from '../mints/tables.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { createTestSigner } from '../testing/signer.ts';
import { createStore } from '../../testing/factories/store.ts';

// Each test is an attempt to get YBTC without bitcoin in custody.

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const foreignAddress = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const victimAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const thiefAddress = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const ybtc = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const bridge = '0xde709f2102306220921060314715629080e2fb77';
const otherContract = '0x52908400098527886E0F7030069857D2E4169EE7';

const { url, outputs, state: bitcoinState } = await startFakeEsplora();
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
beforeAll(async () => {
  app = await createTestApp(
    {
      ESPLORA_URLS: url,
      CUSTODY_ADDRESSES: custodyAddress,
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      MINTER_KEY: `0x${'22'.repeat(32)}`,
      YBTC_ADDRESS: ybtc,
      CUSTODY_BRIDGE_ADDRESS: bridge,
      ...Object.fromEntries(
        ['YU', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS'].map((name) => [`${name}_ADDRESS`, otherContract]),
      ),
    },
    { jobs: false },
  );
  operator = await signInAs(app, 'operator');
  approver = await signInAs(app, 'approver');
  adminSession = await signInAs(app, 'all');
});
afterEach(() => {
  bitcoinState.held = null;
});

let nextTxid = 1;
const toSatoshi = (text: string) => String(parseBtc(text));
function createFields(amount: string, overrides: Partial<DepositFields> = {}): DepositFields {
  const txid = (nextTxid++).toString(16).padStart(64, 'a');
  const commonFields = {
    userAddress: victimAddress,
    coboAddress: custodyAddress,
    type: 'cobo',
    vout: 0,
    lockTime: null,
    remarks: '',
  } as const;
  const depositFields = { ...commonFields, amount: toSatoshi(amount), txid, ...overrides };
  outputs.set(txid, { address: depositFields.coboAddress, value: Number(depositFields.amount), height: tipHeight - 9 });
  return depositFields;
}
const recordDeposit = (amount: string, session = operator, overrides: Partial<DepositFields> = {}) =>
  session.api.deposits.add(createFields(amount, overrides));
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
const depositVersion = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const confirmDeposit = (row: DepositRow, session: TestSession) => idempotentApi(session).deposits.confirm(depositVersion(row));
const moneyRefusalOf = (reason: string, data: object = {}) => ({ code: 'MONEY_REFUSED', data: { reason, ...data } });
const evidenceRefusalOf = (verdict: string) => moneyRefusalOf('EVIDENCE', { verdict: [verdict] });
const countMints = async () => (await app.database.pool.query('select from mints')).rows.length;

describe('bitcoin that is not in custody', () => {
  test('is refused when a stranger’s output is recorded and confirmed', async () => {
    const mintCountBefore = await countMints();
    for (let time = 0; time < 3; time++) {
      const row = await recordDeposit('0.99', operator, { coboAddress: foreignAddress, userAddress: thiefAddress });
      expect((await approver.api.deposits.evidence({ id: row.id })).verdict).toBe('notOurs');
      await expect(confirmDeposit(row, approver)).rejects.toMatchObject(evidenceRefusalOf('notOurs'));
    }
    expect(await countMints()).toBe(mintCountBefore);
  });

  test('is already reported in the form', async () => {
    const { txid, vout, amount } = createFields('1', { coboAddress: foreignAddress });
    const typedEvidence = await operator.api.deposits.evidence({ txid, vout, amount, coboAddress: foreignAddress, except: null });
    expect(typedEvidence).toMatchObject({ verdict: 'notOurs', effect: null });
  });

  test('is refused when it is an old output of ours that was spent', async () => {
    const row = await recordDeposit('0.5', operator, { userAddress: thiefAddress });
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    const evidence = await approver.api.deposits.evidence({ id: row.id });
    expect(evidence.effect).toEqual({ chainId: 31_337, amount: '500000000000000000', supply: null, balance: null });
    expect(evidence).toMatchObject({ verdict: 'spent', sources: [{ state: 'found', spent: true }] });
    await expect(confirmDeposit(row, approver)).rejects.toMatchObject(evidenceRefusalOf('spent'));
  });

  test('is refused at signing when it is spent after the confirmation', async () => {
    const row = await confirmDeposit(await recordDeposit('0.5'), approver);
    const signer = await createTestSigner(app);
    const [mint] = await app.database.db.select().from(mints).where(eq(mints.depositId, row.id));
    if (!mint) throw new Error('nothing was queued');
    expect(await signer.evidence(mint)).toMatchObject({ verdict: 'holds' });
    const output = outputs.get(row.txid);
    if (output) outputs.set(row.txid, { ...output, spent: true });
    expect(await signer.evidence(mint)).toMatchObject({ verdict: 'broken' });
  });
});

describe('one person acting as two', () => {
  const editDeposit = (row: DepositRow, session: TestSession, overrides: Partial<DepositFields>) => {
    const { id, version, txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks } = row;
    const previousFields = { txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks };
    return session.api.deposits.edit({ ...previousFields, ...overrides, id, version });
  };

  test('an author of any version of a deposit cannot confirm it', async () => {
    const ownEdit = await editDeposit(await recordDeposit('5'), adminSession, { userAddress: thiefAddress });
    const colleagueEdit = await editDeposit(ownEdit, operator, { remarks: 'typo mended' });
    expect(colleagueEdit).toMatchObject({ modifiedEmail: 'operator@demo.local' });
    expect((await adminSession.api.deposits.many({ ids: [colleagueEdit.id] }))[0]).toMatchObject({ own: true });
    await expect(confirmDeposit(colleagueEdit, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
    await expect(idempotentApi(adminSession).deposits.propose(depositVersion(colleagueEdit))).rejects.toMatchObject(
      moneyRefusalOf('FOUR_EYES'),
    );
    expect(await confirmDeposit(colleagueEdit, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('the author of an edit that was undone cannot confirm the deposit', async () => {
    const ownChange = await editDeposit(await recordDeposit('5'), adminSession, { remarks: 'mine' });
    const revertedChange = await editDeposit(ownChange, operator, { remarks: '' });
    await expect(confirmDeposit(revertedChange, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
  });

  test('the author of a deleted deposit cannot confirm another one of the same output', async () => {
    const ownDeposit = await recordDeposit('5', adminSession, { userAddress: thiefAddress });
    await operator.api.deposits.remove({ items: [{ id: ownDeposit.id, version: ownDeposit.version }] });
    const { txid, vout, coboAddress, type, lockTime, userAddress, amount, remarks } = ownDeposit;
    const secondRecord = await operator.api.deposits.add({
      txid,
      vout,
      coboAddress,
      type,
      lockTime,
      userAddress,
      amount,
      remarks,
    });
    await expect(confirmDeposit(secondRecord, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
  });

  test('the signature of an author is not counted', async () => {
    const row = await recordDeposit('10');
    const signatureRows = await app.database.pool.query<{ statement: string }>(
      'update deposits set statement = statement where id = $1 returning statement',
      [(await confirmDeposit(row, adminSession)).id],
    );
    const ownChange = await editDeposit(row, adminSession, { remarks: 'x' });
    const revertedChange = await editDeposit(ownChange, operator, { remarks: '' });
    // Simulates a statement that survived the edits: it has the same fields.
    await app.database.pool.query('update deposits set statement = $2 where id = $1', [
      revertedChange.id,
      signatureRows.rows[0]?.statement,
    ]);
    expect(await confirmDeposit(revertedChange, approver)).toMatchObject({ status: 'created', missing: 1 });
  });

  test('authors cannot be removed, not even in the database', async () => {
    for (const statement of ['delete from deposit_authors', 'update deposit_authors set vout = 9', 'truncate deposit_authors'])
      await expect(app.database.pool.query(statement)).rejects.toThrow('who wrote a deposit has written it');
  });

  test('no amount is minted by a single person', async () => {
    const row = await recordDeposit('0.00001', adminSession);
    expect(row).toMatchObject({ own: true });
    await expect(confirmDeposit(row, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
    expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'confirmed' });
  });
});

describe('a colleague with fewer permissions by now', () => {
  /** Runs `runMeanwhile` while the confirmation waits for Bitcoin. */
  async function confirmDuring(row: DepositRow, session: TestSession, runMeanwhile: () => Promise<unknown>) {
    let releaseBitcoin = () => {};
    bitcoinState.held = new Promise((resolve) => (releaseBitcoin = resolve));
    const requestsBefore = bitcoinState.asked;
    const confirmation = confirmDeposit(row, session).then(
      () => ({ code: 'CONFIRMED' }),
      (error: unknown) => error,
    );
    await expect.poll(() => bitcoinState.asked).toBeGreaterThan(requestsBefore);
    await runMeanwhile();
    releaseBitcoin();
    bitcoinState.held = null;
    return confirmation;
  }
  const query = (statement: string) => app.database.pool.query(statement);
  const setRight = (name: string, isGranted: boolean) =>
    isGranted
      ? createStore(app.database.db).grant('approver', name)
      : query(
          `delete from role_nodes where (role_id, node_id) in (select r.id, n.id from roles r, permission_nodes n
           where r.seed = 'approver' and n.identifier = '${name}')`,
        );
  const readMissing = async ({ id }: DepositRow, session: TestSession = adminSession) =>
    (await session.api.deposits.many({ ids: [id] }))[0]?.missing;
  const expectUnconfirmed = async (row: DepositRow) =>
    expect((await operator.api.deposits.many({ ids: [row.id] }))[0]).toMatchObject({ status: 'created', mint: null });

  test('confirms nothing if disabled between click and commit', async () => {
    const row = await recordDeposit('0.5');
    const accountPage = await adminSession.api.administrators.list({
      filter: {},
      sort: 'createdAt',
      direction: 'asc',
      cursor: null,
      limit: 50,
    });
    const items = accountPage.rows
      .filter(({ email }) => email === 'approver@demo.local')
      .map(({ id, version }) => ({ id, version }));
    const confirmResult = await confirmDuring(row, approver, () => adminSession.api.administrators.disable({ items }));
    try {
      expect(confirmResult).toMatchObject({ code: 'UNAUTHORIZED' });
      await expectUnconfirmed(row);
    } finally {
      await query(`update administrators set enabled = true where email = 'approver@demo.local'`);
      approver = await signInAs(app, 'approver');
    }
  });

  test('confirms nothing if signed out, or without the permission, between click and commit', async () => {
    const row = await recordDeposit('0.5');
    const confirmResult = await confirmDuring(row, approver, () =>
      query(
        `update sessions set revoked_at = now() where administrator_id = (select id from administrators where email = 'approver@demo.local')`,
      ),
    );
    approver = await signInAs(app, 'approver');
    expect(confirmResult).toMatchObject({ code: 'UNAUTHORIZED' });
    const resultWithoutPermission = await confirmDuring(row, approver, () => setRight('deposits.confirm', false));
    await setRight('deposits.confirm', true);
    expect(resultWithoutPermission).toMatchObject({ code: 'FORBIDDEN' });
    await expectUnconfirmed(row);
    expect(await confirmDeposit(row, approver)).toMatchObject({ status: 'confirmed' });
  });

  test('has a signature that does not count until the permission returns', async () => {
    const row = await recordDeposit('12');
    await confirmDeposit(row, approver);
    expect(await readMissing(row)).toBe(1);
    await setRight('deposits.confirm', false);
    try {
      expect(await readMissing(row)).toBe(2);
      expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'created', missing: 1 });
      await expectUnconfirmed(row);
    } finally {
      await setRight('deposits.confirm', true);
    }
    expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'confirmed' });
  });

  test('is shown as one missing signature if two signers may not count together', async () => {
    const row = await recordDeposit('12');
    await confirmDeposit(row, approver);
    const days = 24 * 3_600_000;
    await createStore(app.database.db).accountChange({
      of: 'approver@demo.local',
      by: 'admin@demo.local',
      at: new Date(Date.now() - 90 * days),
    });
    try {
      expect([await readMissing(row), await readMissing(row, approver)]).toEqual([2, 1]);
      expect(await idempotentApi(adminSession).deposits.confirm({ ...depositVersion(row), onlySigns: true })).toMatchObject({
        status: 'created',
        missing: 1,
      });
    } finally {
      await query(`delete from account_changes where created_at < now() - interval '80 days'`);
    }
  });

  test('counts one signature of two people whom one colleague vouched for', async () => {
    const row = await recordDeposit('12');
    await confirmDeposit(row, approver);
    const store = createStore(app.database.db);
    const at = new Date(Date.now() - 90 * 24 * 3_600_000);
    for (const of of ['approver@demo.local', 'admin@demo.local'])
      await store.accountChange({ of, by: 'access@demo.local', at, vouches: true });
    try {
      expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'created', missing: 1 });
      await expectUnconfirmed(row);
    } finally {
      await query(`delete from account_changes where created_at < now() - interval '80 days'`);
    }
    expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'confirmed' });
  });

  test('does not count a signer whose second factor no one vouched for', async () => {
    const row = await recordDeposit('12');
    await confirmDeposit(row, approver);
    const setFactor = (secret: string, vouchedAt: string) =>
      query(
        `update administrators set totp_secret = ${secret}, factor_vouched_at = ${vouchedAt} where email = 'approver@demo.local'`,
      );
    await setFactor(`'sealed'`, 'null');
    try {
      expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'created', missing: 1 });
    } finally {
      await setFactor('null', 'now()');
    }
    expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'confirmed' });
  });

  test('has a signature that waits if a colleague has since chosen the password', async () => {
    const row = await recordDeposit('12');
    await confirmDeposit(row, approver);
    const setLockTime = (lockTimeText: string) =>
      query(`update administrators set password_expires_at = ${lockTimeText} where email = 'approver@demo.local'`);
    await setLockTime(`now() + interval '1 day'`);
    try {
      expect(await confirmDeposit(row, adminSession)).toMatchObject({ status: 'created', missing: 1 });
    } finally {
      await setLockTime('null');
    }
  });
});

describe('a receiver without an owner', () => {
  const invalidFieldError = (rule: string) => ({
    code: 'BAD_REQUEST',
    data: { issues: expect.arrayContaining([{ path: 'userAddress', rule }]) },
  });

  test.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the token itself', ybtc],
    ['the bridge', toChecksumAddress(bridge)],
    ['another contract of the protocol', otherContract],
  ])('%s is no receiver: refused while it is recorded, and when it came into the row otherwise', async (_, userAddress) => {
    await expect(recordDeposit('0.5', operator, { userAddress })).rejects.toMatchObject(invalidFieldError('receiver'));
    const row = await recordDeposit('0.5');
    await app.database.pool.query('update deposits set user_address = $2 where id = $1', [row.id, userAddress]);
    const [now] = await operator.api.deposits.many({ ids: [row.id] });
    if (!now) throw new Error('the deposit is gone');
    await expect(confirmDeposit(now, approver)).rejects.toMatchObject(moneyRefusalOf('RECEIVER'));
  });

  test('a receiver in lower or upper case is refused, because only the checksum reveals a wrong digit', async () => {
    for (const addressVariant of [victimAddress.toLowerCase(), `0x${victimAddress.slice(2).toUpperCase()}`])
      await expect(recordDeposit('0.5', operator, { userAddress: addressVariant })).rejects.toMatchObject(
        invalidFieldError('spelling'),
      );
    await expect(recordDeposit('0.5', operator, { userAddress: victimAddress.replace('5aA', '5AA') })).rejects.toMatchObject(
      invalidFieldError('checksum'),
    );
    expect(await recordDeposit('0.5')).toMatchObject({ userAddress: victimAddress });
  });
});

test('a signature under old rules can be given once more under the current rules', async () => {
  const row = await recordDeposit('15');
  const signDeposit = () => confirmDeposit(row, approver);
  const signatures = async () =>
    (await app.database.pool.query(`select from authority_lines where line like '%"signature"%'`)).rows.length;
  await signDeposit();
  const signaturesBefore = await signatures();
  await expect(signDeposit()).rejects.toMatchObject(moneyRefusalOf('SIGNATURES'));
  expect(await signatures()).toBe(signaturesBefore);
  const band = { from: '0', below: null, approvals: 2, role: null, perDay: null, delaySeconds: 1 };
  await idempotentApi(adminSession).authority.setRules({
    root: 1,
    coolingSeconds: 0,
    receivers: 'any',
    bands: [band],
    refundBands: [],
  });
  const changedSignatures = await signatures();
  await signDeposit();
  await expect(signDeposit()).rejects.toMatchObject(moneyRefusalOf('SIGNATURES'));
  expect(await signatures()).toBe(changedSignatures + 1);
});
