import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LogLine, StatementOf } from '../../api/authority/statements.ts';
import { integerOf } from '../../api/integers.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { replay } from '../authority/replay.ts';
import { createLog } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { openOutside } from '../platform/core/services.ts';
import { bridgeChain } from '../platform/evm/bridge.ts';
import { chainEnv } from '../testing/crsm.ts';
import { fund, insertIntent, insertWithdrawal } from '../testing/refunds.ts';
import { apiOf, signInAs, testApp, type SignedIn, type TestApp } from '../testing/support.ts';
import { watchBridge } from './bridge-watcher.ts';

// The intent of a refund is a line of the authority log: what the ledger alone says was intended is not.

const [user] = devnetAccounts.operators;
if (!user) throw new Error('the devnet has operators');
const { custodyBridge: bridge } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

let chain: TestChain;
let app: TestApp;
let operator: SignedIn;
let start = 0n;
let firstNonce = 0;
beforeAll(async () => {
  chain = await startTestChain();
  app = await testApp({ ...chainEnv(chain.url), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  operator = await signInAs(app, 'all');
  await fund(chain, [user]);
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  await app.database.pool.query('delete from bridge_refunds');
  await app.database.pool.query('delete from money_freezes');
  start = (await chain.client.getBlockNumber()) + 1n;
  firstNonce = integerOf(await there().count());
});

let salt = 0;
const add = () => {
  const txid = (++salt).toString(16).padStart(64, 'd');
  const given = { txid, address: user.address, receiver, amount: 5_000n };
  return insertWithdrawal(app.database.db, given, new Date(app.clock.now));
};
const ask = (row: { txid: string; amount: bigint }) =>
  chain.as(user).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${row.txid}`, receiver, weiOfSatoshi(row.amount)],
  });
const there = () => bridgeChain({ urls: [chain.url], chainId: 31_337, address: bridge });
async function look(): Promise<void> {
  const { config, database, clock } = app;
  clock.now += 5_000;
  const services = { config, database, log: createLog({ level: 'silent' }), now: () => clock.now, ...openOutside(config) };
  await watchBridge({ services, chain: there(), depth: 8n, settled: 2n, start, firstNonce });
}
const rows = async (text: string) => (await app.database.pool.query<Record<string, unknown>>(text)).rows;
const lines = async () =>
  (await rows('select line from authority_lines order by number')).map(({ line }) => JSON.parse(String(line)) as LogLine);

test('before a wallet is asked the log says for what; the request on chain is then the withdrawal’s', async () => {
  const row = await add();
  const keyed = apiOf(app, { ...operator.headers, 'idempotency-key': newId() });
  const { call } = await keyed.withdrawals.prepareRequest({ id: row.id, version: 1 });
  const said = (await lines()).at(-1) as StatementOf<'refund.intent'>;
  expect(said).toMatchObject({
    kind: 'refund.intent',
    content: {
      action: 'request',
      txid: row.txid,
      satoshi: '5000',
      account: user.address,
      receiver,
      chainId: 31_337,
      bridge: call.to,
      nonce: null,
    },
  });
  const [first] = await rows('select hash from authority_lines where number = 0');
  await replay(await lines(), { genesis: String(first?.['hash']) });

  await ask(row);
  await look();
  expect(await rows(`select status from withdrawals where id = '${row.id}'`)).toEqual([{ status: 'doing' }]);
  expect(await rows('select alarming from bridge_refunds')).toEqual([{ alarming: false }]);
  const [shown] = (
    await operator.api.authority.list({
      sort: 'number',
      direction: 'desc',
      filter: { kind: 'refund.intent' },
      cursor: null,
      limit: 1,
    })
  ).rows;
  expect(shown).toMatchObject({ state: 'inForce', needed: 0, mine: false });
});

test('an intent that somebody put into the ledger by hand is none: the refund is an alarm', async () => {
  const row = await add();
  await insertIntent(app.database.db, row, new Date(app.clock.now));
  await ask(row);
  await look();
  expect(await rows(`select status from withdrawals where id = '${row.id}'`)).toEqual([{ status: 'todo' }]);
  expect(await rows('select alarming from bridge_refunds')).toEqual([{ alarming: true }]);
  expect(await rows('select kind from money_freezes')).toEqual([{ kind: 'difference' }]);
});
