import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { alarms } from '../alarms/tables.ts';
import { checkAlarms } from '../alarms/watch.ts';
import { accountChanges, administrators } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { createStore } from '../../testing/factories/store.ts';
import { depositBlocks } from './tables.ts';
import { mints } from '../mints/tables.ts';

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const receiver = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const { url, outputs } = await startFakeEsplora();

let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
let services: Services;
beforeAll(async () => {
  const names = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
  app = await createTestApp(
    {
      COBO_WEBHOOK_KEY: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
      ESPLORA_URLS: url,
      CUSTODY_ADDRESSES: custodyAddress,
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      MINTER_KEY: `0x${'22'.repeat(32)}`,
      ALARM_MAIL: 'custody@example.com',
      ...Object.fromEntries(names.map((name, index) => [`${name}_ADDRESS`, `0x${String(index + 1).repeat(40)}`])),
    },
    { jobs: false },
  );
  services = {
    config: app.config,
    database: app.database,
    log: createLogger({ level: 'silent' }),
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  [operator, approver, adminSession] = await Promise.all([
    signInAs(app, 'operator'),
    signInAs(app, 'approver'),
    signInAs(app, 'all'),
  ]);
});
beforeEach(() => app.database.pool.query('truncate deposits, deposit_blocks, mails, alarms, account_changes cascade'));

let nextTxid = 1;
async function recordDeposit(session = operator, overrides: Partial<DepositFields> = {}): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, 'e');
  outputs.set(txid, { address: custodyAddress, value: 50_000_000, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress } as const;
  return session.api.deposits.add({ ...depositFields, userAddress: receiver, amount: '50000000', txid, ...overrides });
}
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
const confirmDeposit = ({ id, version, hash }: DepositRow, session = approver) =>
  idempotentApi(session).deposits.confirm({ id, version, hash });
async function readDeposit({ id }: { id: string }, session = operator): Promise<DepositRow> {
  const [row] = await session.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
}
async function unblockDeposit(deposit: { id: string }, session: TestSession, reason = 'Cobo cleared it'): Promise<DepositRow> {
  const { id, version, block } = await readDeposit(deposit, session);
  return idempotentApi(session).deposits.unblock({ id, version, reason, block: block?.id ?? newId() });
}
const moneyRefusalOf = (reason: string, data: object = {}) => ({ code: 'MONEY_REFUSED', data: { reason, ...data } });

let events = 0;
async function deliverRejection(
  { txid, vout = 0 }: { txid: string; vout?: number },
  delivery: { status?: string; at?: number } = {},
) {
  const body = JSON.stringify({
    event_id: `e${++events}`,
    type: 'wallets.transaction.failed',
    data: {
      transaction_id: txid.slice(-8),
      type: 'Deposit',
      status: delivery.status ?? 'Rejected',
      sub_status: 'RejectedByCoboKYT',
      chain_id: 'BTC',
      transaction_hash: txid,
      updated_timestamp: delivery.at ?? 2000 + events,
      destination: { address: custodyAddress, amount: '0.5', tx_info: { vout_n: vout } },
    },
  });
  const bodyHash = createHash('sha256').update(`${body}|1700000000000`).digest();
  const signature = sign(null, createHash('sha256').update(bodyHash).digest(), privateKey).toString('hex');
  const headers = { 'content-type': 'application/json', biz_timestamp: '1700000000000', biz_resp_signature: signature };
  expect((await send(app, 'POST', '/public/cobo/webhook', body, headers)).status).toBe(200);
}
const readMails = async () => (await app.database.db.select().from(mails)).map(({ recipient, subject }) => [recipient, subject]);

describe('a deposit that the custodian rejects', () => {
  test('is shown as blocked with the custodian’s reason, and is found by that', async () => {
    const row = await recordDeposit();
    await recordDeposit();
    await deliverRejection(row);
    expect((await readDeposit(row)).block).toMatchObject({ reason: 'Rejected: RejectedByCoboKYT', signed: [], missing: 2 });
    const page = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 } as const;
    const blockedPage = await operator.api.deposits.list({ ...page, filter: { blocked: 'true' } });
    expect(blockedPage.rows.map(({ id }) => id)).toEqual([row.id]);
    expect((await operator.api.deposits.list({ ...page, filter: { blocked: 'false' } })).rows).toHaveLength(1);
  });

  test('cannot be confirmed, and the review says why before the button is pressed', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    await expect(confirmDeposit(await readDeposit(row))).rejects.toMatchObject(
      moneyRefusalOf('BLOCKED', { said: ['Rejected: RejectedByCoboKYT'] }),
    );
    expect((await approver.api.deposits.evidence({ id: row.id })).refusal).toMatchObject({ reason: 'BLOCKED' });
  });

  test('cannot be confirmed from a form opened before the block', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    await expect(confirmDeposit(row)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('stays blocked when it is deleted and recorded again', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    const { id, version } = await readDeposit(row);
    await idempotentApi(operator).deposits.remove({ items: [{ id, version }] });
    const secondRecord = await recordDeposit(operator, { txid: row.txid });
    expect(secondRecord.block).toMatchObject({ missing: 2 });
    await expect(confirmDeposit(secondRecord)).rejects.toMatchObject(moneyRefusalOf('BLOCKED'));
  });

  test('is blocked when it is recorded only after the rejection', async () => {
    const txid = 'f'.repeat(64);
    await deliverRejection({ txid });
    expect((await recordDeposit(operator, { txid })).block).not.toBeNull();
  });

  test('cannot be retried when its mint failed', async () => {
    const row = await confirmDeposit(await recordDeposit());
    await app.database.db.update(mints).set({ state: 'failed', problem: 'REVERTED' }).where(eq(mints.depositId, row.id));
    await deliverRejection(row);
    const { id, version } = await readDeposit(row);
    await expect(idempotentApi(approver).deposits.retryMint({ id, version })).rejects.toMatchObject(moneyRefusalOf('BLOCKED'));
  });

  test('is blocked once for repeated and late deliveries', async () => {
    const row = await recordDeposit();
    await Promise.all([deliverRejection(row), deliverRejection(row, { status: 'Failed' }), deliverRejection(row)]);
    expect(await app.database.db.select().from(depositBlocks)).toHaveLength(1);
    await deliverRejection(row, { at: 1 });
    expect(await app.database.db.select().from(depositBlocks)).toHaveLength(1);
  });

  test('is reported by mail in both languages to its recorder and confirmers, and by an alarm', async () => {
    const row = await confirmDeposit(await recordDeposit());
    await app.database.db.delete(mails);
    await deliverRejection(row);
    const subject = '托管方拒绝了一笔存款 / The custodian rejected a deposit';
    expect((await readMails()).toSorted()).toEqual([
      ['approver@demo.local', subject],
      ['operator@demo.local', subject],
    ]);
    const [{ body } = { body: '' }] = await app.database.db.select().from(mails);
    for (const hiddenText of ['0.5', receiver, row.txid, 'RejectedByCoboKYT', '解除拦截前不会签名', 'nothing is signed'])
      expect(body).toContain(hiddenText);
    await checkAlarms(services);
    const [alarm] = await app.database.db.select().from(alarms).where(eq(alarms.kind, 'depositBlocked'));
    expect(JSON.parse(alarm?.subjects ?? '[]')).toMatchObject([{ deposit: row.id, stage: 'unsigned' }]);
  });

  test('is reported with the stage of its mint', async () => {
    const [sentDeposit, mintedDeposit] = [
      await confirmDeposit(await recordDeposit()),
      await confirmDeposit(await recordDeposit()),
    ];
    await app.database.db.update(mints).set({ state: 'sent' }).where(eq(mints.depositId, sentDeposit.id));
    await app.database.db.update(mints).set({ state: 'final' }).where(eq(mints.depositId, mintedDeposit.id));
    await app.database.db.delete(mails);
    await deliverRejection(sentDeposit);
    expect((await app.database.db.select().from(mails))[0]?.body).toContain('already sent');
    await app.database.db.delete(mails);
    await deliverRejection(mintedDeposit);
    expect((await app.database.db.select().from(mails))[0]?.body).toContain('already minted');
    await checkAlarms(services);
    const blockedAlarms = await app.database.db.select().from(alarms).where(eq(alarms.kind, 'depositBlocked'));
    expect(
      blockedAlarms.flatMap(({ subjects }) => JSON.parse(subjects) as { stage: string }[]).map(({ stage }) => stage),
    ).toEqual(['sent', 'minted']);
  });
});

describe('unblocking a deposit', () => {
  test('takes two people, after which it can be confirmed', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    expect((await unblockDeposit(row, approver)).block).toMatchObject({
      missing: 1,
      signed: [{ email: 'approver@demo.local', reason: 'Cobo cleared it', own: true }],
    });
    await expect(confirmDeposit(await readDeposit(row))).rejects.toMatchObject(moneyRefusalOf('BLOCKED'));
    expect((await unblockDeposit(row, adminSession)).block).toBeNull();
    expect(await confirmDeposit(await readDeposit(row))).toMatchObject({ status: 'confirmed' });
  });

  test('is refused to the same person twice, and to everyone who recorded or edited the deposit', async () => {
    const row = await recordDeposit(adminSession);
    await deliverRejection(row);
    await expect(unblockDeposit(row, adminSession)).rejects.toMatchObject(moneyRefusalOf('FOUR_EYES'));
    await unblockDeposit(row, approver);
    await expect(unblockDeposit(row, approver)).rejects.toMatchObject(moneyRefusalOf('SIGNATURES', { missing: ['1'] }));
    await expect(unblockDeposit(row, operator)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('does not count a signature of someone who edited the deposit afterwards', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    await unblockDeposit(row, adminSession);
    const { id, version, userAddress, amount, coboAddress, txid, vout, type, lockTime } = await readDeposit(row);
    const fields = { userAddress, amount, coboAddress, txid, vout, type, lockTime, remarks: 'edited' };
    await adminSession.api.deposits.edit({ ...fields, id, version });
    expect((await readDeposit(row)).block).toMatchObject({ missing: 2, signed: [] });
    expect((await unblockDeposit(row, approver)).block).toMatchObject({ missing: 1 });
  });

  test('does not count accounts that the other signer changed', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    await unblockDeposit(row, approver);
    const readId = async (email: string) =>
      (await app.database.db.select().from(administrators).where(eq(administrators.email, email)))[0]?.id ?? '';
    const [administratorId, changedBy] = [await readId('approver@demo.local'), await readId('admin@demo.local')];
    const createdAt = new Date(app.clock.now - 1_000 * 3_600_000);
    await app.database.db.insert(accountChanges).values({ id: newId(), administratorId, changedBy, what: 'email', createdAt });
    await expect(unblockDeposit(row, adminSession)).resolves.toMatchObject({ block: { missing: 1 } });
  });

  test('does not count two people whom one colleague vouched for', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    await unblockDeposit(row, approver);
    const at = new Date(app.clock.now - 1_000 * 3_600_000);
    for (const of of ['approver@demo.local', 'admin@demo.local'])
      await createStore(app.database.db).accountChange({ of, by: 'access@demo.local', at, vouches: true });
    await expect(unblockDeposit(row, adminSession)).resolves.toMatchObject({ block: { missing: 1 } });
  });

  test('counts two concurrent signatures, and a double click once', async () => {
    const row = await recordDeposit();
    await deliverRejection(row);
    const { id, version, block } = await readDeposit(row);
    const unblockInput = { id, version, reason: 'x', block: block?.id ?? '' };
    const outcomes = await Promise.allSettled(
      [approver, adminSession, approver].map((session) => idempotentApi(session).deposits.unblock(unblockInput)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await readDeposit(row)).block).toMatchObject({ missing: 1 });
  });

  test('is refused for another block than the one on screen, and for none', async () => {
    const row = await recordDeposit();
    await expect(unblockDeposit(row, approver)).rejects.toMatchObject(moneyRefusalOf('NOT_BLOCKED'));
    await deliverRejection(row);
    const currentDeposit = await readDeposit(row);
    await unblockDeposit(row, approver);
    await unblockDeposit(row, adminSession);
    await deliverRejection(row);
    const { id, version } = await readDeposit(row);
    const outdatedInput = { id, version, reason: 'x', block: currentDeposit.block?.id ?? '' };
    await expect(idempotentApi(approver).deposits.unblock(outdatedInput)).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
  });
});
