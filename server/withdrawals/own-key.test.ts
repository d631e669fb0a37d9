import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Proposal } from '../../api/authority/signing.ts';
import type { Genesis } from '../../api/authority/statements.ts';
import type { WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { passkeyPerson, payoutOfA, payoutOfB } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { withdrawals } from './tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

const user = devnetAccounts.operators[0]?.address ?? '0x';
const passkey = passkeyPerson('approver@demo.local');
let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let genesis: Genesis;
const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  chain = await startTestChain();
  app = await testApp({ ...chainEnv(chain.url), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  const all = await signInAs(app, 'all');
  [operator, approver] = [await signInAs(app, 'operator'), await signInAs(app, 'approver')];
  const { rows } = await app.database.pool.query<{ line: string }>('select line from authority_lines where number = 0');
  genesis = (JSON.parse(rows[0]?.line ?? '{}') as { content: Genesis }).content;
  const entry = { address: user, institution: 'Alpha Bank', custody: [], payout: [payoutOfA, payoutOfB] };
  const added = await keyed(all).authority.addReceiver(entry);
  await keyed(approver).authority.sign({ id: added.id });
  const { id, statement } = await keyed(approver).authority.enrol({ key: passkey.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await keyed(approver).authority.sign({ id, proof: passkey.prove(statement, genesis) });
  await keyed(all).authority.sign({ id, heard: true });
});
afterAll(() => chain.stop());

async function recorded(): Promise<WithdrawalRow> {
  const store = storeIn(app.database.db);
  const { id: depositId } = await store.deposit({
    userAddress: user,
    amount: 5_000n,
    status: 'confirmed',
    mintStatus: 'done',
    createdAt: new Date(app.clock.now),
  });
  return keyed(operator).withdrawals.add({ depositId, receiver: payoutOfA });
}
const seen = ({ id, version }: WithdrawalRow) => ({ id, version });
function given(proposal: Proposal) {
  if (!proposal) throw new Error('the server would sign');
  return { statement: proposal.hash, proof: passkey.prove(proposal.statement, genesis) };
}
const changed = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };

test('a refund is signed with the person’s own passkey, and a proposal alone signs nothing', async () => {
  const row = await recorded();
  const proposal = await keyed(approver).withdrawals.propose(seen(row));
  expect(proposal?.statement).toMatchObject({
    kind: 'refund.approve',
    content: { txid: row.txid, satoshi: '5000', account: user, payout: payoutOfA },
  });
  expect(await keyed(approver).withdrawals.propose(seen(row))).toMatchObject({ hash: proposal?.hash });
  const unsigned = { data: { reason: 'UNSIGNED' } };
  await expect(keyed(operator).withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(unsigned);
  const other = given(await keyed(approver).withdrawals.propose(seen(await recorded())));
  await expect(keyed(approver).withdrawals.signRefund({ ...seen(row), signed: other })).rejects.toMatchObject(changed);
  expect(await keyed(approver).withdrawals.signRefund({ ...seen(row), signed: given(proposal) })).toMatchObject({ missing: 0 });
  await keyed(operator).withdrawals.prepareRequest(seen(row));
});

test('a signature no longer counts after the withdrawal has changed', async () => {
  const row = await recorded();
  const signed = given(await keyed(approver).withdrawals.propose(seen(row)));
  await app.database.db.update(withdrawals).set({ receiver: payoutOfB }).where(eq(withdrawals.id, row.id));
  await expect(keyed(approver).withdrawals.signRefund({ ...seen(row), signed })).rejects.toMatchObject(changed);
  await expect(keyed(operator).withdrawals.prepareRequest(seen(row))).rejects.toMatchObject({ code: 'MONEY_REFUSED' });
});
