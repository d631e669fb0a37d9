import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { decodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { satoshiToWei } from '../../api/money.ts';
import type { WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApi, type TestApp } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { depositBlocks, deposits } from '../deposits/tables.ts';
import { bridgeRefunds, refundIntents, withdrawals } from './tables.ts';
import { createStore } from '../../testing/factories/store.ts';

const user = devnetAccounts.operators[0]?.address ?? '0x';
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const { custodyBridge } = devnetContracts;

let chain: TestChain;
let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
let approver: TestSession;
let adminSession: TestSession;
const idempotentApi = (session: Pick<TestSession, 'headers'> = { headers }) =>
  createApi(app, { ...session.headers, 'idempotency-key': randomUUID() });

beforeAll(async () => {
  chain = await startTestChain();
  app = await createTestApp({ ...buildChainEnv(chain.url), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  ({ api: operator, headers } = await signInAs(app, 'operator'));
  [approver, adminSession] = [await signInAs(app, 'approver'), await signInAs(app, 'all')];
  const entry = { address: user, institution: 'Alpha Bank', custody: [], payout: [receiver] };
  const { id } = await idempotentApi(adminSession).authority.addReceiver(entry);
  await idempotentApi(approver).authority.sign({ id });
});
afterAll(() => chain.stop());

async function addDeposit(overrides: Partial<typeof deposits.$inferInsert> = {}): Promise<string> {
  const testStore = createStore(app.database.db);
  const mintedFields = { userAddress: user, amount: 5_000n, status: 'confirmed', mintStatus: 'done' } as const;
  return (await testStore.deposit({ ...mintedFields, createdAt: new Date(app.clock.now), ...overrides })).id;
}
const addWithdrawal = async () => idempotentApi().withdrawals.add({ depositId: await addDeposit(), receiver });
const withdrawalVersion = ({ id, version }: Pick<WithdrawalRow, 'id' | 'version'>) => ({ id, version });
async function addSigned(): Promise<WithdrawalRow> {
  return idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(await addWithdrawal()));
}
const request = ({ txid, amount }: WithdrawalRow): Promise<Hex> =>
  chain.as(devnetAccounts.operators[0] as never).writeContract({
    address: custodyBridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${txid}`, receiver, satoshiToWei(BigInt(amount))],
    gas: 500_000n,
  });
const readState = async (id: string) => {
  const [row] = await app.database.db.select().from(deposits).where(eq(deposits.id, id));
  return row?.withdrawStatus;
};

test('a withdrawal takes account, amount and output from its deposit', async () => {
  const row = await addWithdrawal();
  const [deposit] = await app.database.db.select().from(deposits).where(eq(deposits.id, row.depositId));
  expect(row).toMatchObject({ address: user, amount: '5000', txid: deposit?.txid, receiver, status: 'todo', nonce: null });
  expect(deposit?.withdrawStatus).toBe('requested');
  expect((await operator.withdrawals.history({ id: row.id })).entries).toHaveLength(1);
});

test('ten concurrent requests for a deposit add one withdrawal', async () => {
  const depositId = await addDeposit();
  const api = Array.from({ length: 10 }, idempotentApi);
  const results = await Promise.allSettled(api.map((session) => session.withdrawals.add({ depositId, receiver })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await app.database.db.select().from(withdrawals).where(eq(withdrawals.depositId, depositId))).toHaveLength(1);
});

test.each([
  ['of another network', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['mistyped', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081'],
  ['in mixed case', 'bcrt1Qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
  ['of Ethereum', user],
])('a receiving address %s is refused', async (_, wrongAddress) => {
  const depositId = await addDeposit();
  await expect(idempotentApi().withdrawals.add({ depositId, receiver: wrongAddress })).rejects.toMatchObject({
    data: { issues: [{ path: 'receiver', rule: 'bitcoin' }] },
  });
});

test('a receiver that is not a payout address of the institution is refused, whatever the permissions', async () => {
  const depositId = await addDeposit();
  const otherPayout = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  for (const session of [{ headers }, adminSession])
    await expect(idempotentApi(session).withdrawals.add({ depositId, receiver: otherPayout })).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'PAYOUT' },
    });
  const strayDepositId = await addDeposit({ userAddress: devnetAccounts.operators[1]?.address ?? '0x' }); // not in the address book
  await expect(idempotentApi(adminSession).withdrawals.add({ depositId: strayDepositId, receiver })).rejects.toMatchObject({
    data: { reason: 'PAYOUT' },
  });
  expect(await operator.withdrawals.payouts({ depositId })).toEqual({ institution: 'Alpha Bank', addresses: [receiver] });
  expect(await operator.withdrawals.payouts({ depositId: strayDepositId })).toEqual({ institution: null, addresses: [] });
  expect(await readState(depositId)).toBe('default');
});

test('candidates are found by hash, address, institution or id, and withdrawals by the hash of the deposit', async () => {
  const [one, other] = [await addDeposit(), await addDeposit()];
  const findCandidates = async (candidateInput: Parameters<typeof operator.withdrawals.candidates>[0]) =>
    (await operator.withdrawals.candidates(candidateInput)).map(({ id }) => id);
  const firstCandidate = (await operator.withdrawals.candidates({ id: one }))[0];
  expect(firstCandidate?.id).toBe(one);
  expect(await findCandidates({ q: firstCandidate?.txid.slice(0, 20).toUpperCase() })).toEqual([one]);
  expect(await findCandidates({ q: user })).toEqual(expect.arrayContaining([one, other]));
  expect(firstCandidate?.institution).toBe('Alpha Bank');
  expect(await findCandidates({ q: 'alpha' })).toEqual(expect.arrayContaining([one, other]));
  expect(await findCandidates({ q: 'alphabet' })).toEqual([]);
  expect(await findCandidates({ q: 'ff'.repeat(32), id: one })).toEqual([]);

  const { id, txid } = await idempotentApi().withdrawals.add({ depositId: one, receiver });
  const list = (hash: string) =>
    operator.withdrawals.list({ sort: 'createdAt', direction: 'desc', filter: { hash }, cursor: null, limit: 5 });
  for (const hash of [txid, `0x${txid.toUpperCase()}`]) expect((await list(hash)).rows.map((row) => row.id)).toEqual([id]);
  expect((await list('ff'.repeat(32))).rows).toEqual([]);
  expect((await list(`!${'ff'.repeat(32)}`)).rows.map((row) => row.id)).toContain(id);
  expect((await list(`!${txid}`)).rows.map((row) => row.id)).not.toContain(id);
});

test('an unminted deposit is not a candidate and cannot be withdrawn', async () => {
  const depositId = await addDeposit({ mintStatus: 'sent' });
  expect((await operator.withdrawals.candidates()).map(({ id }) => id)).not.toContain(depositId);
  await expect(idempotentApi().withdrawals.add({ depositId, receiver })).rejects.toMatchObject({
    data: { issues: [{ path: 'depositId', rule: 'withdrawn' }] },
  });
});

test('voiding frees the deposit, and a withdrawal with a sent request can’t be voided, requested or signed', async () => {
  const firstWithdrawal = await addWithdrawal();
  await idempotentApi().withdrawals.cancel(withdrawalVersion(firstWithdrawal));
  expect(await readState(firstWithdrawal.depositId)).toBe('default');
  await expect(idempotentApi().withdrawals.cancel(withdrawalVersion(firstWithdrawal))).rejects.toMatchObject({
    code: 'CONFLICT',
  });

  const secondWithdrawal = await idempotentApi(adminSession).withdrawals.add({ depositId: firstWithdrawal.depositId, receiver });
  const hash = await request(secondWithdrawal);
  const requestedRow = await idempotentApi().withdrawals.requestRefund({ id: secondWithdrawal.id, hash });
  expect(requestedRow).toMatchObject({ status: 'todo', requestHash: hash }); // only the chain moves it
  const now = withdrawalVersion(requestedRow);
  for (const actionName of ['cancel', 'prepareRequest'] as const)
    await expect(idempotentApi(adminSession).withdrawals[actionName](now)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(idempotentApi(approver).withdrawals.signRefund(now)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await readState(firstWithdrawal.depositId)).toBe('requested');
});

test('an unknown or different transaction is not recorded and blocks nothing', async () => {
  const [row, other] = [await addSigned(), await addSigned()];
  const unknownTransaction = { code: 'MONEY_REFUSED', data: { reason: 'UNKNOWN_TRANSACTION' } };
  for (const hash of [`0x${'a'.repeat(64)}`, await request(other)])
    await expect(idempotentApi().withdrawals.requestRefund({ id: row.id, hash })).rejects.toMatchObject(unknownTransaction);
  expect((await operator.withdrawals.many({ ids: [row.id] }))[0]).toMatchObject({ ...withdrawalVersion(row), requestHash: null });
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
  await idempotentApi().withdrawals.cancel(withdrawalVersion(row));
}, 30_000);

const moneyRefusalOf = (reason: string, data: object = {}) => ({ code: 'MONEY_REFUSED', data: { reason, ...data } });
const readIntents = ({ id }: WithdrawalRow) =>
  app.database.db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, id));

test('an unsigned refund is not offered to a wallet', async () => {
  const row = await addWithdrawal();
  expect(row).toMatchObject({
    missing: 1,
    approvals: [],
    rule: { approvals: 1 },
    refusal: { reason: 'UNSIGNED', missing: ['1'] },
  });
  for (const session of [{ headers }, adminSession])
    await expect(idempotentApi(session).withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
      moneyRefusalOf('UNSIGNED', { missing: ['1'] }),
    );
  expect(await readIntents(row)).toEqual([]);
});

test('the recorder of a withdrawal cannot sign its refund, even after a colleague recorded it again', async () => {
  const firstWithdrawal = await idempotentApi(adminSession).withdrawals.add({ depositId: await addDeposit(), receiver });
  expect((await adminSession.api.withdrawals.many({ ids: [firstWithdrawal.id] }))[0]).toMatchObject({
    own: true,
    recorded: true,
  });
  await expect(idempotentApi(adminSession).withdrawals.signRefund(withdrawalVersion(firstWithdrawal))).rejects.toMatchObject(
    moneyRefusalOf('REFUND_AUTHOR'),
  );
  await expect(idempotentApi(adminSession).withdrawals.propose(withdrawalVersion(firstWithdrawal))).rejects.toMatchObject(
    moneyRefusalOf('REFUND_AUTHOR'),
  );
  await idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(firstWithdrawal));
  const secondWithdrawal = await idempotentApi().withdrawals.add({ depositId: firstWithdrawal.depositId, receiver });
  expect((await adminSession.api.withdrawals.many({ ids: [secondWithdrawal.id] }))[0]).toMatchObject({
    own: true,
    recorded: false,
  });
  await expect(idempotentApi(adminSession).withdrawals.signRefund(withdrawalVersion(secondWithdrawal))).rejects.toMatchObject(
    moneyRefusalOf('REFUND_AUTHOR'),
  );
  await expect(idempotentApi().withdrawals.signRefund(withdrawalVersion(secondWithdrawal))).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(secondWithdrawal))).toMatchObject({
    missing: 0,
    refusal: null,
  });
});

test('a large refund needs two people, a repeated signature counts once, and the review names the last one', async () => {
  const row = await idempotentApi().withdrawals.add({ depositId: await addDeposit({ amount: 1_500_000_000n }), receiver });
  const firstSignature = await idempotentApi(approver).withdrawals.signRefund({ ...withdrawalVersion(row), onlySigns: true });
  expect(firstSignature).toMatchObject({
    version: row.version,
    missing: 1,
    approvals: [{ email: 'approver@demo.local', own: true }],
  });
  await expect(idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('SIGNATURES', { missing: ['1'] }),
  );
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('UNSIGNED'),
  );
  await expect(
    idempotentApi(adminSession).withdrawals.signRefund({ ...withdrawalVersion(row), onlySigns: true }),
  ).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
  expect((await operator.withdrawals.many({ ids: [row.id] }))[0]).toMatchObject({ missing: 1 });
  expect(await idempotentApi(adminSession).withdrawals.signRefund({ ...withdrawalVersion(row), onlySigns: false })).toMatchObject(
    {
      missing: 0,
      refusal: null,
    },
  );
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
});

test('two concurrent signatures both count, and a repeated request signs once', async () => {
  const row = await idempotentApi().withdrawals.add({ depositId: await addDeposit({ amount: 1_200_000_000n }), receiver });
  const key = randomUUID();
  const repeatedApi = createApi(app, { ...approver.headers, 'idempotency-key': key });
  const concurrentRequests = [...Array.from({ length: 10 }, () => repeatedApi), idempotentApi(adminSession)].map((session) =>
    session.withdrawals.signRefund(withdrawalVersion(row)),
  );
  for (const outcome of await Promise.allSettled(concurrentRequests))
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'IN_PROGRESS' });
  const [now] = await operator.withdrawals.many({ ids: [row.id] });
  expect(now?.approvals.map(({ email }) => email).toSorted()).toEqual(['admin@demo.local', 'approver@demo.local']);
  const { entries } = await operator.withdrawals.history({ id: row.id });
  expect(entries.filter(({ action }) => action === 'sign')).toHaveLength(2);
});

test('an outdated form signs nothing', async () => {
  const row = await addWithdrawal();
  const outdatedItem = { id: row.id, version: row.version + 1 };
  await expect(idempotentApi(approver).withdrawals.signRefund(outdatedItem)).rejects.toMatchObject({ code: 'CONFLICT' });
  await idempotentApi().withdrawals.cancel(withdrawalVersion(row));
  await expect(idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('a withdrawal changed in the database after signing is not offered to a wallet', async () => {
  const row = await addSigned();
  const otherPayout = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  await app.database.db.update(withdrawals).set({ receiver: otherPayout }).where(eq(withdrawals.id, row.id));
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('CHANGED'),
  );
  expect(await readIntents(row)).toEqual([]);
});

test('signatures of an earlier withdrawal of the deposit do not count for a later one', async () => {
  const firstWithdrawal = await addSigned();
  await idempotentApi().withdrawals.cancel(withdrawalVersion(firstWithdrawal));
  const secondWithdrawal = await idempotentApi().withdrawals.add({ depositId: firstWithdrawal.depositId, receiver });
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(secondWithdrawal))).rejects.toMatchObject(
    moneyRefusalOf('UNSIGNED'),
  );
});

test('a signer who lost the permission, or whose account a colleague changed, does not count', async () => {
  const row = await addSigned();
  await app.database.db.execute(sql`update administrators set enabled = false where email = 'approver@demo.local'`);
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('UNSIGNED'),
  );
  await app.database.db.execute(sql`update administrators set enabled = true where email = 'approver@demo.local'`);
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
  await createStore(app.database.db).accountChange({
    of: 'approver@demo.local',
    by: 'access@demo.local',
    at: new Date(app.clock.now),
  });
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('COOLING'),
  );
  await app.database.db.execute(sql`delete from account_changes where what = 'email'`);
});

test('two signers whom one colleague vouched for do not release a refund', async () => {
  const row = await addSigned();
  const at = new Date(app.clock.now - 1_000 * 3_600_000);
  const store = createStore(app.database.db);
  for (const of of ['approver@demo.local', 'operator@demo.local'])
    await store.accountChange({ of, by: 'access@demo.local', at, vouches: true });
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('TOGETHER'),
  );
  const cancelRequest = await idempotentApi(approver).withdrawals.cancel(withdrawalVersion(await addWithdrawal()));
  await store.accountChange({ of: 'admin@demo.local', by: 'access@demo.local', at, vouches: true });
  await expect(idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(cancelRequest))).rejects.toMatchObject(
    moneyRefusalOf('TOGETHER'),
  );
  await app.database.db.execute(sql`delete from account_changes where by_enrollment_code`);
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
});

test('a signer whose second factor no one vouched for does not count', async () => {
  const row = await addSigned();
  await app.database.db.execute(
    sql`update administrators set totp_secret = 'sealed', factor_vouched_at = null where email = 'approver@demo.local'`,
  );
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('UNSIGNED'),
  );
  await app.database.db.execute(
    sql`update administrators set totp_secret = null, factor_vouched_at = now() where email = 'approver@demo.local'`,
  );
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
});

test('expired signatures can be given again', async () => {
  const row = await addSigned();
  app.clock.now += 8 * 86_400_000;
  [operator, headers, approver, adminSession] = await signInAgain();
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('EXPIRED'),
  );
  await idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(row));
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
});

async function signInAgain(): Promise<[TestApi, Record<string, string>, TestSession, TestSession]> {
  const [one, approverSession, secondAdminSession] = [
    await signInAs(app, 'operator'),
    await signInAs(app, 'approver'),
    await signInAs(app, 'all'),
  ];
  return [one.api, one.headers, approverSession, secondAdminSession];
}

test('voiding a colleague’s withdrawal needs consent of its recorder or an approver', async () => {
  const row = await addWithdrawal();
  const cancelRequest = await idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(row));
  expect(cancelRequest).toMatchObject({ status: 'todo', cancelAsked: { email: 'admin@demo.local', own: true } });
  await expect(idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(cancelRequest))).rejects.toMatchObject(
    moneyRefusalOf('CANCEL_ASKED'),
  );
  expect(await readState(row.depositId)).toBe('requested');
  expect(await idempotentApi(approver).withdrawals.cancel(withdrawalVersion(cancelRequest))).toMatchObject({
    status: 'canceled',
  });

  const otherWithdrawal = await addWithdrawal();
  const repeatedCancel = await idempotentApi(approver).withdrawals.cancel(withdrawalVersion(otherWithdrawal));
  expect(await idempotentApi().withdrawals.cancel(withdrawalVersion(repeatedCancel))).toMatchObject({ status: 'canceled' });

  // Without the permission to sign refunds, a third person's consent does not count.
  const thirdWithdrawal = await idempotentApi(adminSession).withdrawals.add({ depositId: await addDeposit(), receiver });
  const pendingCancel = await idempotentApi(approver).withdrawals.cancel(withdrawalVersion(thirdWithdrawal));
  await expect(idempotentApi().withdrawals.cancel(withdrawalVersion(pendingCancel))).rejects.toMatchObject(
    moneyRefusalOf('CANCEL_ASKED'),
  );
});

test('a person who changed the requester’s account cannot consent', async () => {
  const row = await addWithdrawal();
  const cancelRequest = await idempotentApi(approver).withdrawals.cancel(withdrawalVersion(row));
  await createStore(app.database.db).accountChange({
    of: 'approver@demo.local',
    by: 'admin@demo.local',
    at: new Date(app.clock.now),
  });
  await expect(idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(cancelRequest))).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
  });
  await app.database.db.execute(sql`delete from account_changes where what = 'email'`);
  expect(await idempotentApi(adminSession).withdrawals.cancel(withdrawalVersion(cancelRequest))).toMatchObject({
    status: 'canceled',
  });
});

test('a refund is prepared only for the reviewed row, and confirmed only after cooling and as signed', async () => {
  const row = await addSigned();
  await expect(idempotentApi().withdrawals.prepareRequest({ id: row.id, version: 9 })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  const preparedCall = await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row));
  expect(preparedCall).toMatchObject({ ...withdrawalVersion(row), status: 'todo', missing: 0 });
  const [intent] = await readIntents(row);
  expect(intent).toMatchObject({ ...preparedCall.call, action: 'request', depositId: row.depositId, receiver, amount: 5_000n });
  const { args } = decodeFunctionData({ abi: custodyBridgeAbi, data: preparedCall.call.data as Hex });
  expect(args).toEqual([`0x${row.txid}`, receiver, satoshiToWei(5_000n)]);
  const coolsUntil = new Date(app.clock.now + 60_000);
  const { db } = app.database;
  await db.update(withdrawals).set({ status: 'doing', nonce: 7, coolsUntil }).where(eq(withdrawals.id, row.id));
  await expect(idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  app.clock.now += 60_000;
  await expect(idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).rejects.toMatchObject({ code: 'CONFLICT' }); // the nonce may belong to another
  await db.insert(bridgeRefunds).values({
    chainId: 31_337,
    bridge: custodyBridge,
    nonce: 7,
    srcHash: `0x${row.txid}`,
    from: user,
    receiver,
    amount: satoshiToWei(5_000n),
    withdrawalId: row.id,
    seenAt: new Date(app.clock.now),
  });
  await db
    .update(withdrawals)
    .set({ statement: 'f'.repeat(64) })
    .where(eq(withdrawals.id, row.id));
  await expect(idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('UNCOVERED'),
  );
  const [{ statement } = { statement: null }] = await db
    .execute<{ statement: string }>(
      sql`select id as statement from authority_statements where kind = 'refund.approve' order by position desc limit 1`,
    )
    .then(({ rows }) => rows);
  await db.update(withdrawals).set({ statement }).where(eq(withdrawals.id, row.id));
  await db.update(bridgeRefunds).set({ alarming: true }).where(eq(bridgeRefunds.nonce, 7));
  await expect(idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).rejects.toMatchObject(
    moneyRefusalOf('UNCOVERED'),
  );
  await db.update(bridgeRefunds).set({ alarming: false }).where(eq(bridgeRefunds.nonce, 7));
  expect(await idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).toMatchObject({ status: 'doing', nonce: 7 });
});

test('nothing begins while deposits and supply differ', async () => {
  const row = await addWithdrawal();
  const id = newId();
  await app.database.db.insert(moneyFreezes).values({ id, figures: '{}', at: new Date(app.clock.now) });
  await expect(addWithdrawal()).rejects.toMatchObject({ code: 'MONEY_FROZEN' });
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'MONEY_FROZEN',
  });
  await expect(idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'MONEY_FROZEN',
  });
  await app.database.db.delete(moneyFreezes).where(eq(moneyFreezes.id, id));
});

async function blockDeposit(depositId: string): Promise<() => Promise<unknown>> {
  const { db } = app.database;
  const [deposit] = await db.select().from(deposits).where(eq(deposits.id, depositId));
  if (!deposit) throw new Error('no such deposit');
  const { network, txid, vout } = deposit;
  const id = newId();
  const blockedAt = new Date(app.clock.now);
  await db.insert(depositBlocks).values({ id, network, txid, vout, transaction: id, reason: 'RejectedByCoboKYT', blockedAt });
  return () => db.update(depositBlocks).set({ liftedAt: blockedAt }).where(eq(depositBlocks.id, id));
}
const blockedRefusal = moneyRefusalOf('BLOCKED', { said: ['RejectedByCoboKYT'] });

test('a refund of a blocked deposit cannot be signed or requested', async () => {
  const [unsignedRow, signedRow] = [await addWithdrawal(), await addSigned()];
  const liftFunctions = [await blockDeposit(unsignedRow.depositId), await blockDeposit(signedRow.depositId)];
  for (const actionName of ['signRefund', 'propose'] as const)
    await expect(idempotentApi(approver).withdrawals[actionName](withdrawalVersion(unsignedRow))).rejects.toMatchObject(
      blockedRefusal,
    );
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(signedRow))).rejects.toMatchObject(blockedRefusal);
  const presentedRows = await operator.withdrawals.many({ ids: [unsignedRow.id, signedRow.id] });
  for (const row of presentedRows) expect(row).toMatchObject({ block: 'RejectedByCoboKYT', refusal: blockedRefusal.data });
  expect(presentedRows[0]).toMatchObject({ approvals: [], missing: 1 });
  expect(await readIntents(signedRow)).toEqual([]);
  for (const liftBlock of liftFunctions) await liftBlock();
  expect(await idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(unsignedRow))).toMatchObject({
    missing: 0,
    block: null,
    refusal: null,
  });
  await idempotentApi().withdrawals.prepareRequest(withdrawalVersion(signedRow));
});

test('a refund whose deposit is blocked during cooling cannot be confirmed', async () => {
  const row = await addSigned();
  const { db } = app.database;
  const [storedStatement] = await db
    .select({ statement: withdrawals.statement })
    .from(withdrawals)
    .where(eq(withdrawals.id, row.id));
  const cooledFields = { status: 'doing', nonce: 21, coolsUntil: new Date(app.clock.now), ...storedStatement } as const;
  await db.update(withdrawals).set(cooledFields).where(eq(withdrawals.id, row.id));
  await db.insert(bridgeRefunds).values({
    chainId: 31_337,
    bridge: custodyBridge,
    nonce: 21,
    srcHash: `0x${row.txid}`,
    from: user,
    receiver,
    amount: satoshiToWei(5_000n),
    withdrawalId: row.id,
    seenAt: new Date(app.clock.now),
  });
  const liftBlock = await blockDeposit(row.depositId);
  await expect(idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).rejects.toMatchObject(blockedRefusal);
  expect((await readIntents(row)).filter(({ action }) => action === 'confirm')).toEqual([]);
  await liftBlock();
  expect(await idempotentApi().withdrawals.prepareConfirm(withdrawalVersion(row))).toMatchObject({ status: 'doing', nonce: 21 });
});

test('a blocked deposit takes no withdrawal, and an earlier one can be voided', async () => {
  const [depositId, row] = [await addDeposit(), await addWithdrawal()];
  const liftBlock = await blockDeposit(depositId);
  await blockDeposit(row.depositId);
  expect((await operator.withdrawals.candidates()).map(({ id }) => id)).not.toContain(depositId);
  await expect(idempotentApi().withdrawals.add({ depositId, receiver })).rejects.toMatchObject(blockedRefusal);
  expect(await idempotentApi().withdrawals.cancel(withdrawalVersion(row))).toMatchObject({ status: 'canceled' });
  await liftBlock();
  expect(await idempotentApi().withdrawals.add({ depositId, receiver })).toMatchObject({ status: 'todo', block: null });
});

test('home counts the refunds that need the viewer’s signature, and its link lists only those', async () => {
  const { db } = app.database;
  await db.update(withdrawals).set({ status: 'canceled' }).where(eq(withdrawals.status, 'todo'));
  const countWaiting = async ({ api }: Pick<TestSession, 'api'>) => {
    const waitingCount = (await api.home.waiting()).find(({ kind }) => kind === 'refunds')?.count ?? 0;
    const page = { sort: 'createdAt', direction: 'asc', cursor: null, limit: 50 } as const;
    const waitingPages = await Promise.all(
      ['true', 'false'].map((toSign) => api.withdrawals.list({ ...page, filter: { toSign, status: 'todo' } })),
    );
    const [ownIds = [], otherIds = []] = waitingPages.map(({ rows }) => rows.map(({ id }) => id));
    expect(ownIds).toHaveLength(waitingCount);
    expect(ownIds.filter((id) => otherIds.includes(id))).toEqual([]);
    return ownIds.toSorted();
  };
  const smallRow = await addWithdrawal();
  const ownRow = await idempotentApi(adminSession).withdrawals.add({ depositId: await addDeposit(), receiver });
  const largeRow = await idempotentApi().withdrawals.add({ depositId: await addDeposit({ amount: 1_100_000_000n }), receiver });
  const rejectedRow = await addWithdrawal();
  await blockDeposit(rejectedRow.depositId);
  const ids = (...rows: WithdrawalRow[]) => rows.map(({ id }) => id).toSorted();
  expect(await countWaiting(approver)).toEqual(ids(smallRow, ownRow, largeRow));
  expect(await countWaiting(adminSession)).toEqual(ids(smallRow, largeRow));
  expect(await countWaiting({ api: operator })).toEqual([]);

  await idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(smallRow));
  await idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(largeRow));
  expect(await countWaiting(approver)).toEqual(ids(ownRow));
  expect(await countWaiting(adminSession)).toEqual(ids(largeRow));
  await idempotentApi(adminSession).withdrawals.signRefund(withdrawalVersion(largeRow));
  expect(await countWaiting(adminSession)).toEqual([]);
  await db
    .update(withdrawals)
    .set({ requestHash: `0x${'1'.repeat(64)}` })
    .where(eq(withdrawals.id, ownRow.id));
  expect(await countWaiting(approver)).toEqual([]);
});

test('the list is filtered by address, receiver and status, and sorted by amount', async () => {
  const listInput = { sort: 'amount', direction: 'asc', cursor: null, limit: 50 } as const;
  const allRows = await operator.withdrawals.list({ ...listInput, filter: {} });
  const filteredPage = await operator.withdrawals.list({
    ...listInput,
    filter: { address: user.slice(0, 8).toLowerCase(), receiver: receiver.toUpperCase(), status: 'todo' },
  });
  const expectedRows = allRows.rows.filter((row) => row.status === 'todo' && row.receiver === receiver);
  expect(filteredPage.rows.map(({ id }) => id)).toEqual(expectedRows.map(({ id }) => id));
  expect((await operator.withdrawals.list({ ...listInput, filter: { receiver: 'other' } })).rows).toEqual([]);
});

test('a withdrawal with an amount changed in the database is neither signed nor offered to a wallet', async () => {
  const row = await addSigned();
  await app.database.db.update(withdrawals).set({ amount: 5_001n }).where(eq(withdrawals.id, row.id));
  await expect(idempotentApi().withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(idempotentApi(adminSession).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await readIntents(row)).toEqual([]);
});

test('only a person can offer a missing request again, and it can’t be signed, requested or voided before', async () => {
  const row = await addSigned();
  await app.database.db.update(withdrawals).set({ status: 'gone', nonce: 3 }).where(eq(withdrawals.id, row.id));
  for (const actionName of ['prepareRequest', 'cancel'] as const)
    await expect(idempotentApi().withdrawals[actionName](withdrawalVersion(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(idempotentApi(adminSession).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('nothing is signed, recorded or offered again without an answer from the chain', async () => {
  const [row, goneRow] = [await addWithdrawal(), await addWithdrawal()];
  await app.database.db.update(withdrawals).set({ status: 'gone', nonce: 3 }).where(eq(withdrawals.id, goneRow.id));
  await chain.stop();
  const unavailableError = { code: 'UNAVAILABLE' };
  await expect(idempotentApi(approver).withdrawals.signRefund(withdrawalVersion(row))).rejects.toMatchObject(unavailableError);
  await expect(idempotentApi().withdrawals.requestRefund({ id: row.id, hash: `0x${'b'.repeat(64)}` })).rejects.toMatchObject(
    unavailableError,
  );
  await expect(idempotentApi().withdrawals.offerAgain(withdrawalVersion(goneRow))).rejects.toMatchObject(unavailableError);
});
