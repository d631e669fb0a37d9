import { afterAll, beforeAll, expect, test } from 'vitest';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const [custodyAddress, notedAddress] = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
];
const receiver = devnetAccounts.borrower.address;

let chain: TestChain;
let app: TestApp;
let adminSession: TestSession;
let otherSession: TestSession;
beforeAll(async () => {
  chain = await startTestChain();
  app = await createTestApp({ ...buildChainEnv(chain.url), CUSTODY_ADDRESSES: custodyAddress }, { jobs: false });
  [adminSession, otherSession] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver')]);
}, 60_000);
afterAll(() => chain.stop());

const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
const readNames = async (session: TestSession, ...addresses: string[]) => session.api.authority.names({ addresses });

test('names a receiver and its custody address after its institution once two people signed, other addresses after their note', async () => {
  const entry = await idempotentApi(adminSession).authority.addReceiver({
    address: receiver,
    institution: 'Alpha Bank',
    custody: [custodyAddress],
    payout: [],
  });
  expect(await readNames(adminSession, receiver)).toEqual([]);
  await idempotentApi(otherSession).authority.sign({ id: entry.id });
  await idempotentApi(adminSession).authority.addCustody({ address: notedAddress, note: 'cold' });
  app.clock.now += 1000;
  expect(
    await readNames(
      otherSession,
      receiver.toLowerCase(),
      receiver,
      custodyAddress,
      notedAddress,
      devnetAccounts.minter.address,
      'nothing',
      '',
    ),
  ).toEqual([
    { address: receiver.toLowerCase(), name: 'Alpha Bank' },
    { address: receiver, name: 'Alpha Bank' },
    { address: custodyAddress, name: 'Alpha Bank' },
    { address: notedAddress, name: 'cold' },
  ]);
});

test('returns no names to people whose screens show no such addresses', async () => {
  const [editor, operator, analyst] = await Promise.all([
    signInAs(app, 'editor'),
    signInAs(app, 'operator'),
    signInAs(app, 'analyst'),
  ]);
  expect(await readNames(editor, receiver)).toEqual([]);
  for (const session of [operator, analyst])
    expect(await readNames(session, receiver)).toEqual([{ address: receiver, name: 'Alpha Bank' }]);
  await expect(createApi(app).authority.names({ addresses: [receiver] })).rejects.toThrow();
});

test('has no name for removed entries', async () => {
  await idempotentApi(adminSession).authority.removeCustody({ address: notedAddress, reason: 'closed' });
  const entry = await idempotentApi(adminSession).authority.removeReceiver({ address: receiver, reason: 'closed' });
  await idempotentApi(otherSession).authority.sign({ id: entry.id });
  expect(await readNames(adminSession, receiver, custodyAddress, notedAddress)).toEqual([]);
});
