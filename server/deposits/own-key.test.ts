import { beforeAll, expect, test } from 'vitest';
import type { Proposal } from '../../api/authority/signing.ts';
import type { Genesis, LogLine } from '../../api/authority/statements.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { createPasskeyPerson } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { createStore } from '../../testing/factories/store.ts';

// Confirming and lifting with a personal passkey, outside the log's screen.

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url, outputs } = await startFakeEsplora();
const passkey = createPasskeyPerson('approver@demo.local');
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
let genesis: Genesis;
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  app = await createTestApp(
    { ...buildChainEnv('http://127.0.0.1:9'), ESPLORA_URLS: url, CUSTODY_ADDRESSES: custodyAddress },
    { jobs: false },
  );
  [operator, approver, adminSession] = await Promise.all([
    signInAs(app, 'operator'),
    signInAs(app, 'approver'),
    signInAs(app, 'all'),
  ]);
  const [genesisLine] = await readLogLines();
  if (genesisLine?.kind !== 'genesis') throw new Error('no genesis');
  genesis = genesisLine.content;
  const { id, statement } = await idempotentApi(approver).authority.enrol({ key: passkey.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await idempotentApi(approver).authority.sign({ id, proof: passkey.prove(statement, genesis) });
  await idempotentApi(adminSession).authority.sign({ id, heard: true });
  await app.database.pool.query(
    `delete from role_nodes where role_id = (select id from roles where seed = 'approver')
      and node_id in (select id from permission_nodes where identifier like '%authority%')`,
  );
  approver = await signInAs(app, 'approver');
});

const readLogLines = async (): Promise<LogLine[]> =>
  (await app.database.pool.query<{ line: string }>('select line from authority_lines order by number')).rows.map(
    ({ line }) => JSON.parse(line) as LogLine,
  );
const readLastProof = async () =>
  (await readLogLines()).flatMap((line) => (line.kind === 'genesis' ? [] : [line.proof.type])).at(-1);

let nextTxid = 1;
async function recordDeposit(): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, '9');
  outputs.set(txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress, txid } as const;
  return operator.api.deposits.add({
    ...depositFields,
    userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: '75000000',
  });
}
const depositVersion = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
function signProposal(proposal: Proposal) {
  if (!proposal) throw new Error('the server would sign');
  return { statement: proposal.hash, proof: passkey.prove(proposal.statement, genesis) };
}

test('a proposal without a signature is not in the log', async () => {
  const linesBefore = await readLogLines();
  const row = await recordDeposit();
  for (let attempt = 0; attempt < 3; attempt++) await idempotentApi(approver).deposits.propose(depositVersion(row));
  expect(await readLogLines()).toHaveLength(linesBefore.length);
});

test('a person signs a deposit with their own key on its screen, and only what was proposed', async () => {
  await expect(approver.api.authority.summary()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const row = await recordDeposit();
  const proposal = await idempotentApi(approver).deposits.propose(depositVersion(row));
  expect(proposal).toMatchObject({
    statement: { kind: 'mint.approve', content: { txid: row.txid, satoshi: '75000000', receiver: row.userAddress } },
    keys: expect.arrayContaining([passkey.key]),
    place: { rpId: genesis.rpId, chainId: genesis.chainId },
  });
  expect(await idempotentApi(approver).deposits.propose(depositVersion(row))).toMatchObject({ hash: proposal?.hash });
  const otherSignature = signProposal(await idempotentApi(approver).deposits.propose(depositVersion(await recordDeposit())));
  await expect(
    idempotentApi(approver).deposits.confirm({ ...depositVersion(row), signed: otherSignature }),
  ).rejects.toMatchObject({
    data: { reason: 'CHANGED' },
  });
  const forgedSignature = { statement: signProposal(proposal).statement, proof: otherSignature.proof };
  await expect(
    idempotentApi(approver).deposits.confirm({ ...depositVersion(row), signed: forgedSignature }),
  ).rejects.toMatchObject({
    data: { reason: 'LOG', problem: ['CHALLENGE'] },
  });
  const confirmResult = await idempotentApi(approver).deposits.confirm({
    ...depositVersion(row),
    signed: signProposal(proposal),
  });
  expect(confirmResult).toMatchObject({
    status: 'confirmed',
    missing: 0,
    approvals: [{ email: 'approver@demo.local', own: true }],
  });
  expect(await readLastProof()).toBe('passkey');
});

test('nothing is proposed where the server has the key', async () => {
  const linesBefore = await readLogLines();
  expect(await idempotentApi(adminSession).deposits.propose(depositVersion(await recordDeposit()))).toBeNull();
  expect(await readLogLines()).toHaveLength(linesBefore.length);
});

test('canceling a mint is signed with the person’s own key and holds regardless of the ledger', async () => {
  const [row, otherDeposit] = [await recordDeposit(), await recordDeposit()];
  const approvalSignature = signProposal(await idempotentApi(approver).deposits.propose(depositVersion(row)));
  const { version, mint } = await idempotentApi(approver).deposits.confirm({ ...depositVersion(row), signed: approvalSignature });
  expect(mint).toMatchObject({ state: 'queued', cancelSigns: true });
  const cancelResult = await idempotentApi(approver).deposits.cancelMint({ id: row.id, version, reason: 'Not theirs' });
  expect(cancelResult).toMatchObject({
    mintStatus: 'canceled',
    waits: true,
    proposal: {
      statement: { kind: 'mint.cancel', content: { network: row.network, txid: row.txid, vout: 0, reason: 'Not theirs' } },
      keys: expect.arrayContaining([passkey.key]),
    },
  });
  const state = async () => (await adminSession.api.authority.many({ ids: [cancelResult.proposal?.hash ?? ''] }))[0]?.state;
  expect(await state()).toBe('draft');
  const cancelSignature = signProposal(cancelResult.proposal);
  const moneyRefusalOf = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });
  await expect(
    idempotentApi(approver).deposits.signCancel({ id: otherDeposit.id, signed: cancelSignature }),
  ).rejects.toMatchObject(moneyRefusalOf('CHANGED'));
  await expect(idempotentApi(approver).deposits.signCancel({ id: row.id, signed: approvalSignature })).rejects.toMatchObject(
    moneyRefusalOf('CHANGED'),
  );
  await expect(idempotentApi(approver).deposits.signCancel({ id: newId(), signed: cancelSignature })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const analystSession = await signInAs(app, 'analyst');
  await expect(idempotentApi(analystSession).deposits.signCancel({ id: row.id, signed: cancelSignature })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await state()).toBe('draft');
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await idempotentApi(approver).deposits.signCancel({ id: row.id, signed: cancelSignature })).toMatchObject({
      id: row.id,
      mintStatus: 'canceled',
    });
  expect(await state()).toBe('inForce');
  expect(await readLastProof()).toBe('passkey');
  // The server has this key, so it signs immediately.
  const depositVersionOfMine = depositVersion(await recordDeposit());
  const confirmResult = await idempotentApi(adminSession).deposits.confirm(depositVersionOfMine);
  expect(
    await idempotentApi(operator).deposits.cancelMint({
      id: depositVersionOfMine.id,
      version: confirmResult.version,
      reason: 'Not theirs',
    }),
  ).toMatchObject({
    proposal: null,
    waits: false,
  });
});

test('voiding a mint waits for an approver if the person does not count for money yet', async () => {
  const row = depositVersion(await recordDeposit());
  const { version } = await idempotentApi(adminSession).deposits.confirm(row);
  const readCancelSigns = async () => (await operator.api.deposits.many({ ids: [row.id] }))[0]?.mint?.cancelSigns;
  expect(await readCancelSigns()).toBe(true);
  await createStore(app.database.db).accountChange({ of: 'operator@demo.local', at: new Date() });
  expect(await readCancelSigns()).toBe(false);
  expect(await idempotentApi(operator).deposits.cancelMint({ id: row.id, version, reason: 'Not theirs' })).toMatchObject({
    proposal: null,
    waits: true,
  });
  await app.database.pool.query(`delete from account_changes where administrator_id in
    (select id from administrators where email = 'operator@demo.local')`);
});

test('two people lift a freeze with their own keys from the data panel', async () => {
  const { id } = await idempotentApi(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  const liftInput = { freeze: id, reason: 'Looked at' };
  const readLifting = async () => (await approver.api.dataPanel.freeze()).open?.lifting;
  const unsignedLifting = { signed: [], needed: 2, missing: 2, own: false };
  expect(await readLifting()).toEqual(unsignedLifting);
  const proposal = await idempotentApi(approver).dataPanel.proposeResolve(liftInput);
  expect(proposal).toMatchObject({ statement: { kind: 'unfreeze', content: { freeze: id, difference: '' } } });
  expect(await readLifting()).toEqual(unsignedLifting); // a proposal is no signature
  expect(
    await idempotentApi(approver).dataPanel.resolve({ ...liftInput, signed: signProposal(proposal), onlySigns: true }),
  ).toMatchObject({
    id,
    missing: 1,
  });
  const signedLifting = { signed: ['approver@demo.local'], needed: 2, missing: 1 };
  expect(await readLifting()).toEqual({ ...signedLifting, own: true });
  expect((await adminSession.api.dataPanel.freeze()).open?.lifting).toEqual({ ...signedLifting, own: false });
  expect(await readLastProof()).toBe('passkey');
  expect(await idempotentApi(adminSession).dataPanel.resolve(liftInput)).toMatchObject({ id, missing: 0 });
  expect((await approver.api.dataPanel.freeze()).open).toBeNull();
});

test('a signature to lift a freeze is refused if it would be the last although the review said it is one of two', async () => {
  const { id } = await idempotentApi(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  const liftInput = { freeze: id, reason: 'Looked at', onlySigns: true };
  await idempotentApi(approver).dataPanel.resolve({
    ...liftInput,
    signed: signProposal(await idempotentApi(approver).dataPanel.proposeResolve({ freeze: id, reason: 'Looked at' })),
  });
  const linesBefore = await readLogLines();
  await expect(idempotentApi(adminSession).dataPanel.resolve(liftInput)).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
    data: { reason: 'CHANGED' },
  });
  expect(await readLogLines()).toHaveLength(linesBefore.length);
  expect((await adminSession.api.dataPanel.freeze()).open).toMatchObject({ id, lifting: { missing: 1 } });
  expect(await idempotentApi(adminSession).dataPanel.resolve({ ...liftInput, onlySigns: false })).toMatchObject({ missing: 0 });
});

test('the review of a freeze lists the other freezes of ledger and log that remain', async () => {
  const { id } = await idempotentApi(operator).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
  await app.database.db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: new Date(), supplyOff: 5n });
  const { number } = await idempotentApi(adminSession).authority.freeze({ reason: 'Looked at' });
  const { open } = await adminSession.api.dataPanel.freeze();
  expect(open).toMatchObject({ kind: 'difference', others: { ledger: 1, log: 1 } });
  const liftInput = { freeze: open?.id ?? '', reason: 'Looked at' };
  await idempotentApi(approver).dataPanel.resolve({
    ...liftInput,
    signed: signProposal(await idempotentApi(approver).dataPanel.proposeResolve(liftInput)),
  });
  expect(await idempotentApi(adminSession).dataPanel.resolve(liftInput)).toMatchObject({
    missing: 0,
    others: { ledger: 1, log: 1 },
  });
  expect((await adminSession.api.dataPanel.freeze()).open).toMatchObject({ id, others: { ledger: 0, log: 1 } });
  expect(number).not.toBeNull();
});

test('a new key requires the second factor first, and excludes existing keys', async () => {
  const { keys, place } = await idempotentApi(adminSession).authority.enrolment();
  expect(place).toMatchObject({ rpId: genesis.rpId });
  expect(keys).toEqual([expect.objectContaining({ type: 'software' })]);
});
