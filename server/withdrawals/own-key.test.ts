import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Proposal } from '../../api/authority/signing.ts';
import type { Genesis } from '../../api/authority/statements.ts';
import type { WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { createPasskeyPerson, payoutAddressOfA, payoutAddressOfB } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { withdrawals } from './tables.ts';
import { createStore } from '../../testing/factories/store.ts';

const user = devnetAccounts.operators[0]?.address ?? '0x';
const passkey = createPasskeyPerson('approver@demo.local');
let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let genesis: Genesis;
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  chain = await startTestChain();
  app = await createTestApp({ ...buildChainEnv(chain.url), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  const adminSession = await signInAs(app, 'all');
  [operator, approver] = [await signInAs(app, 'operator'), await signInAs(app, 'approver')];
  const { rows } = await app.database.pool.query<{ line: string }>('select line from authority_lines where number = 0');
  genesis = (JSON.parse(rows[0]?.line ?? '{}') as { content: Genesis }).content;
  const entry = { address: user, institution: 'Alpha Bank', custody: [], payout: [payoutAddressOfA, payoutAddressOfB] };
  const addedReceiver = await idempotentApi(adminSession).authority.addReceiver(entry);
  await idempotentApi(approver).authority.sign({ id: addedReceiver.id });
  const { id, statement } = await idempotentApi(approver).authority.enrol({ key: passkey.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await idempotentApi(approver).authority.sign({ id, proof: passkey.prove(statement, genesis) });
  await idempotentApi(adminSession).authority.sign({ id, heard: true });
});
afterAll(() => chain.stop());

async function addWithdrawal(): Promise<WithdrawalRow> {
  const testStore = createStore(app.database.db);
  const { id: depositId } = await testStore.deposit({
    userAddress: user,
    amount: 5_000n,
    status: 'confirmed',
    mintStatus: 'done',
    createdAt: new Date(app.clock.now),
  });
  return idempotentApi(operator).withdrawals.add({ depositId, receiver: payoutAddressOfA });
}
const withdrawalVersion = ({ id, version }: WithdrawalRow) => ({ id, version });
function signProposal(proposal: Proposal) {
  if (!proposal) throw new Error('the server would sign');
  return { statement: proposal.hash, proof: passkey.prove(proposal.statement, genesis) };
}
const changedRefusal = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };

test('a refund is signed with the person’s own passkey, and a proposal alone signs nothing', async () => {
  const row = await addWithdrawal();
  const proposal = await idempotentApi(approver).withdrawals.propose(withdrawalVersion(row));
  expect(proposal?.statement).toMatchObject({
    kind: 'refund.approve',
    content: { txid: row.txid, satoshi: '5000', account: user, payout: payoutAddressOfA },
  });
  expect(await idempotentApi(approver).withdrawals.propose(withdrawalVersion(row))).toMatchObject({ hash: proposal?.hash });
  const unsignedRefusal = { data: { reason: 'UNSIGNED' } };
  await expect(idempotentApi(operator).withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject(unsignedRefusal);
  const otherSignature = signProposal(
    await idempotentApi(approver).withdrawals.propose(withdrawalVersion(await addWithdrawal())),
  );
  await expect(
    idempotentApi(approver).withdrawals.signRefund({ ...withdrawalVersion(row), signed: otherSignature }),
  ).rejects.toMatchObject(changedRefusal);
  expect(
    await idempotentApi(approver).withdrawals.signRefund({ ...withdrawalVersion(row), signed: signProposal(proposal) }),
  ).toMatchObject({ missing: 0 });
  await idempotentApi(operator).withdrawals.prepareRequest(withdrawalVersion(row));
});

test('a signature no longer counts after the withdrawal has changed', async () => {
  const row = await addWithdrawal();
  const refundSignature = signProposal(await idempotentApi(approver).withdrawals.propose(withdrawalVersion(row)));
  await app.database.db.update(withdrawals).set({ receiver: payoutAddressOfB }).where(eq(withdrawals.id, row.id));
  await expect(
    idempotentApi(approver).withdrawals.signRefund({ ...withdrawalVersion(row), signed: refundSignature }),
  ).rejects.toMatchObject(changedRefusal);
  await expect(idempotentApi(operator).withdrawals.prepareRequest(withdrawalVersion(row))).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
  });
});
