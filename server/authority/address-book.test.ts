import { afterAll, beforeAll, expect, test } from 'vitest';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

const [own, noted] = ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'];
const receiver = devnetAccounts.borrower.address;

let chain: TestChain;
let app: TestApp;
let all: TestSession;
let other: TestSession;
beforeAll(async () => {
  chain = await startTestChain();
  app = await testApp({ ...chainEnv(chain.url), CUSTODY_ADDRESSES: own }, { jobs: false });
  [all, other] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver')]);
}, 60_000);
afterAll(() => chain.stop());

const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });
const names = async (who: TestSession, ...addresses: string[]) => who.api.authority.names({ addresses });

test('names a receiver and its custody address after its institution once two people signed, other addresses after their note', async () => {
  const entry = await keyed(all).authority.addReceiver({
    address: receiver,
    institution: 'Alpha Bank',
    custody: [own],
    payout: [],
  });
  expect(await names(all, receiver)).toEqual([]);
  await keyed(other).authority.sign({ id: entry.id });
  await keyed(all).authority.addCustody({ address: noted, note: 'cold' });
  app.clock.now += 1000;
  expect(await names(other, receiver.toLowerCase(), receiver, own, noted, devnetAccounts.minter.address, 'nothing', '')).toEqual([
    { address: receiver.toLowerCase(), name: 'Alpha Bank' },
    { address: receiver, name: 'Alpha Bank' },
    { address: own, name: 'Alpha Bank' },
    { address: noted, name: 'cold' },
  ]);
});

test('returns no names to people whose screens show no such addresses', async () => {
  const [editor, operator, analyst] = await Promise.all([
    signInAs(app, 'editor'),
    signInAs(app, 'operator'),
    signInAs(app, 'analyst'),
  ]);
  expect(await names(editor, receiver)).toEqual([]);
  for (const who of [operator, analyst]) expect(await names(who, receiver)).toEqual([{ address: receiver, name: 'Alpha Bank' }]);
  await expect(apiOf(app).authority.names({ addresses: [receiver] })).rejects.toThrow();
});

test('has no name for removed entries', async () => {
  await keyed(all).authority.removeCustody({ address: noted, reason: 'closed' });
  const entry = await keyed(all).authority.removeReceiver({ address: receiver, reason: 'closed' });
  await keyed(other).authority.sign({ id: entry.id });
  expect(await names(all, receiver, own, noted)).toEqual([]);
});
