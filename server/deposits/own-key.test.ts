import { beforeAll, expect, test } from 'vitest';
import type { Proposal } from '../../api/authority/signing.ts';
import type { Genesis, LogLine } from '../../api/authority/statements.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { passkeyPerson } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { storeIn } from '../../testing/factories/store.ts';

// Confirming and lifting with a personal passkey, outside the log's screen.

const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url, outputs } = await fakeEsplora();
const passkey = passkeyPerson('approver@demo.local');
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let all: TestSession;
let genesis: Genesis;
const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  app = await testApp({ ...chainEnv('http://127.0.0.1:9'), ESPLORA_URLS: url, CUSTODY_ADDRESSES: custody }, { jobs: false });
  [operator, approver, all] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver'), signInAs(app, 'all')]);
  const [first] = await logLines();
  if (first?.kind !== 'genesis') throw new Error('no genesis');
  genesis = first.content;
  const { id, statement } = await keyed(approver).authority.enrol({ key: passkey.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await keyed(approver).authority.sign({ id, proof: passkey.prove(statement, genesis) });
  await keyed(all).authority.sign({ id, heard: true });
  await app.database.pool.query(
    `delete from role_nodes where role_id = (select id from roles where seed = 'approver')
      and node_id in (select id from permission_nodes where identifier like '%authority%')`,
  );
  approver = await signInAs(app, 'approver');
});

const logLines = async (): Promise<LogLine[]> =>
  (await app.database.pool.query<{ line: string }>('select line from authority_lines order by number')).rows.map(
    ({ line }) => JSON.parse(line) as LogLine,
  );
const lastProof = async () => (await logLines()).flatMap((line) => (line.kind === 'genesis' ? [] : [line.proof.type])).at(-1);

let next = 1;
async function recorded(): Promise<DepositRow> {
  const txid = (next++).toString(16).padStart(64, '9');
  outputs.set(txid, { address: custody, value: 75_000_000, height: tipHeight - 9 });
  const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custody, txid } as const;
  return operator.api.deposits.add({ ...typed, userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: '75000000' });
}
const seen = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
function given(proposal: Proposal) {
  if (!proposal) throw new Error('the server would sign');
  return { statement: proposal.hash, proof: passkey.prove(proposal.statement, genesis) };
}

test('a proposal without a signature is not in the log', async () => {
  const before = await logLines();
  const row = await recorded();
  for (let times = 0; times < 3; times++) await keyed(approver).deposits.propose(seen(row));
  expect(await logLines()).toHaveLength(before.length);
});

test('a person signs a deposit with their own key on its screen, and only what was proposed', async () => {
  await expect(approver.api.authority.summary()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const row = await recorded();
  const proposal = await keyed(approver).deposits.propose(seen(row));
  expect(proposal).toMatchObject({
    statement: { kind: 'mint.approve', content: { txid: row.txid, satoshi: '75000000', receiver: row.userAddress } },
    keys: expect.arrayContaining([passkey.key]),
    place: { rpId: genesis.rpId, chainId: genesis.chainId },
  });
  expect(await keyed(approver).deposits.propose(seen(row))).toMatchObject({ hash: proposal?.hash });
  const other = given(await keyed(approver).deposits.propose(seen(await recorded())));
  await expect(keyed(approver).deposits.confirm({ ...seen(row), signed: other })).rejects.toMatchObject({
    data: { reason: 'CHANGED' },
  });
  const forged = { statement: given(proposal).statement, proof: other.proof };
  await expect(keyed(approver).deposits.confirm({ ...seen(row), signed: forged })).rejects.toMatchObject({
    data: { reason: 'LOG', problem: ['CHALLENGE'] },
  });
  const done = await keyed(approver).deposits.confirm({ ...seen(row), signed: given(proposal) });
  expect(done).toMatchObject({ status: 'confirmed', missing: 0, approvals: [{ email: 'approver@demo.local', own: true }] });
  expect(await lastProof()).toBe('passkey');
});

test('nothing is proposed where the server has the key', async () => {
  const before = await logLines();
  expect(await keyed(all).deposits.propose(seen(await recorded()))).toBeNull();
  expect(await logLines()).toHaveLength(before.length);
});

test('canceling a mint is signed with the person’s own key and holds regardless of the ledger', async () => {
  const [row, other] = [await recorded(), await recorded()];
  const approval = given(await keyed(approver).deposits.propose(seen(row)));
  const { version, mint } = await keyed(approver).deposits.confirm({ ...seen(row), signed: approval });
  expect(mint).toMatchObject({ state: 'queued', cancelSigns: true });
  const answer = await keyed(approver).deposits.cancelMint({ id: row.id, version, reason: 'Not theirs' });
  expect(answer).toMatchObject({
    mintStatus: 'canceled',
    waits: true,
    proposal: {
      statement: { kind: 'mint.cancel', content: { network: row.network, txid: row.txid, vout: 0, reason: 'Not theirs' } },
      keys: expect.arrayContaining([passkey.key]),
    },
  });
  const state = async () => (await all.api.authority.many({ ids: [answer.proposal?.hash ?? ''] }))[0]?.state;
  expect(await state()).toBe('draft');
  const signed = given(answer.proposal);
  const refusal = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });
  await expect(keyed(approver).deposits.signCancel({ id: other.id, signed })).rejects.toMatchObject(refusal('CHANGED'));
  await expect(keyed(approver).deposits.signCancel({ id: row.id, signed: approval })).rejects.toMatchObject(refusal('CHANGED'));
  await expect(keyed(approver).deposits.signCancel({ id: newId(), signed })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const analyst = await signInAs(app, 'analyst');
  await expect(keyed(analyst).deposits.signCancel({ id: row.id, signed })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await state()).toBe('draft');
  for (let times = 0; times < 2; times++)
    expect(await keyed(approver).deposits.signCancel({ id: row.id, signed })).toMatchObject({
      id: row.id,
      mintStatus: 'canceled',
    });
  expect(await state()).toBe('inForce');
  expect(await lastProof()).toBe('passkey');
  // The server has this key, so it signs immediately.
  const mine = seen(await recorded());
  const confirmed = await keyed(all).deposits.confirm(mine);
  expect(
    await keyed(operator).deposits.cancelMint({ id: mine.id, version: confirmed.version, reason: 'Not theirs' }),
  ).toMatchObject({
    proposal: null,
    waits: false,
  });
});

test('voiding a mint waits for an approver if the person does not count for money yet', async () => {
  const row = seen(await recorded());
  const { version } = await keyed(all).deposits.confirm(row);
  const reported = async () => (await operator.api.deposits.many({ ids: [row.id] }))[0]?.mint?.cancelSigns;
  expect(await reported()).toBe(true);
  await storeIn(app.database.db).accountChange({ of: 'operator@demo.local', at: new Date() });
  expect(await reported()).toBe(false);
  expect(await keyed(operator).deposits.cancelMint({ id: row.id, version, reason: 'Not theirs' })).toMatchObject({
    proposal: null,
    waits: true,
  });
  await app.database.pool.query(`delete from account_changes where administrator_id in
    (select id from administrators where email = 'operator@demo.local')`);
});

test('two people lift a freeze with their own keys from the data panel', async () => {
  const { id } = await keyed(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  const lift = { freeze: id, reason: 'Looked at' };
  const lifting = async () => (await approver.api.dataPanel.freeze()).open?.lifting;
  const unsigned = { signed: [], needed: 2, missing: 2, own: false };
  expect(await lifting()).toEqual(unsigned);
  const proposal = await keyed(approver).dataPanel.proposeResolve(lift);
  expect(proposal).toMatchObject({ statement: { kind: 'unfreeze', content: { freeze: id, difference: '' } } });
  expect(await lifting()).toEqual(unsigned); // a proposal is no signature
  expect(await keyed(approver).dataPanel.resolve({ ...lift, signed: given(proposal), onlySigns: true })).toMatchObject({
    id,
    missing: 1,
  });
  const signed = { signed: ['approver@demo.local'], needed: 2, missing: 1 };
  expect(await lifting()).toEqual({ ...signed, own: true });
  expect((await all.api.dataPanel.freeze()).open?.lifting).toEqual({ ...signed, own: false });
  expect(await lastProof()).toBe('passkey');
  expect(await keyed(all).dataPanel.resolve(lift)).toMatchObject({ id, missing: 0 });
  expect((await approver.api.dataPanel.freeze()).open).toBeNull();
});

test('a signature to lift a freeze is refused if it would be the last although the review said it is one of two', async () => {
  const { id } = await keyed(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  const lift = { freeze: id, reason: 'Looked at', onlySigns: true };
  await keyed(approver).dataPanel.resolve({
    ...lift,
    signed: given(await keyed(approver).dataPanel.proposeResolve({ freeze: id, reason: 'Looked at' })),
  });
  const before = await logLines();
  await expect(keyed(all).dataPanel.resolve(lift)).rejects.toMatchObject({ code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } });
  expect(await logLines()).toHaveLength(before.length);
  expect((await all.api.dataPanel.freeze()).open).toMatchObject({ id, lifting: { missing: 1 } });
  expect(await keyed(all).dataPanel.resolve({ ...lift, onlySigns: false })).toMatchObject({ missing: 0 });
});

test('the review of a freeze lists the other freezes of ledger and log that remain', async () => {
  const { id } = await keyed(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  await app.database.db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date(), supplyOff: 5n });
  const { number } = await keyed(all).authority.freeze({ reason: 'Looked at' });
  const { open } = await all.api.dataPanel.freeze();
  expect(open).toMatchObject({ kind: 'difference', others: { ledger: 1, log: 1 } });
  const lift = { freeze: open?.id ?? '', reason: 'Looked at' };
  await keyed(approver).dataPanel.resolve({ ...lift, signed: given(await keyed(approver).dataPanel.proposeResolve(lift)) });
  expect(await keyed(all).dataPanel.resolve(lift)).toMatchObject({ missing: 0, others: { ledger: 1, log: 1 } });
  expect((await all.api.dataPanel.freeze()).open).toMatchObject({ id, others: { ledger: 0, log: 1 } });
  expect(number).not.toBeNull();
});

test('a new key requires the second factor first, and excludes existing keys', async () => {
  const { keys, place } = await keyed(all).authority.enrolment();
  expect(place).toMatchObject({ rpId: genesis.rpId });
  expect(keys).toEqual([expect.objectContaining({ type: 'software' })]);
});
