import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../../api/authority/statements.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { inTier } from '../../scripts/suite/tier.ts';
import { openSignerState } from '../authority/signer-state.ts';
import { authorityLines } from '../authority/tables.ts';
import { mints, mintTransactions } from '../mints/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { statementsOf } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { temporaryFolder } from '../testing/end.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { mintedOn } from '../testing/minted.ts';
import { minterKey, startSignerProcess, type Death } from '../testing/signer-process.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

// Kills the real signer at each of its side effects while it mints. For storms of chain and nodes see
// server/mints/mints.test.ts.

/** Approximate side effects of one run, each a point to die before and after. */
const acts = 250;
const kills = Number(process.env['SIGNER_KILLS'] ?? inTier(3, 2 * acts));

const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url: esploraUrl, outputs } = await fakeEsplora();
const dir = temporaryFolder();
let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let genesis: string;
beforeAll(async () => {
  chain = await startTestChain();
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: esploraUrl, CUSTODY_ADDRESSES: custody, WRITES_PER_MINUTE: '0' };
  const hours = { SESSION_IDLE_MINUTES: '720', SESSION_HOURS: '72' }; // a long run on a busy machine
  app = await testApp({ ...chainEnv(chain.url), ...env, ...hours }, { jobs: false });
  [operator, approver] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver')]);
  const all = await signInAs(app, 'all', { 'idempotency-key': newId() });
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  await all.api.authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
  genesis = (await all.api.authority.summary()).genesis;
}, 60_000);
afterAll(() => chain.stop());

async function confirmed(number: number): Promise<DepositRow> {
  app.clock.now = Date.now();
  const txid = `c${number.toString(16).padStart(63, '0')}`;
  const amount = 1_000_000 + number;
  outputs.set(txid, { address: custody, value: amount, height: tipHeight - 9 });
  const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custody, txid } as const;
  const userAddress = devnetAccounts.borrower.address;
  const { id, version, hash } = await operator.api.deposits.add({ ...typed, userAddress, amount: String(amount) });
  return apiOf(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}

const place = () => ({ databaseUrl: app.database.url, dir, genesis, chainUrl: chain.url, esploraUrl });

/** Until it dies or nothing is left. Returns the signal. */
async function run(death: Death | null): Promise<NodeJS.Signals | null> {
  const { child, ended } = startSignerProcess(place(), death);
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    await Promise.race([sleep(100), ended]);
    await chain.client.mine({ blocks: 1 });
    if (!death && (await open()) === 0) child.kill('SIGTERM');
  }
  return (await ended).signal;
}

const open = () => app.database.db.$count(mints, sql`${mints.state} <> 'final'`);

test('a signer whose parent is gone before it starts exits', async () => {
  const { child, ended } = startSignerProcess(place());
  child.disconnect();
  expect(await ended).toEqual({ code: 0, signal: null });
});

longTest(
  `each confirmed deposit is minted exactly once by a signer that is killed ${kills} times`,
  async () => {
    const rows: DepositRow[] = [];
    const met = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      if ((await open()) < 3) rows.push(await confirmed(rows.length));
      // All points, or in a short run a few spread over it.
      const point = Math.floor((kill * 2 * acts) / kills);
      const death = { at: 1 + (point >> 1), how: point % 2 === 0 ? 'before' : 'after' } as const;
      expect(await run(death), `killed ${death.how} act ${death.at}`).toBe('SIGKILL');
      const left = await app.database.db.select({ state: mints.state }).from(mints);
      for (const { state } of left) met.add(state);
      // Ends the lease of the killed signer.
      await app.database.db.execute(sql`update mints set leased_until = null, next_at = now() where state <> 'final'`);
    }
    await run(null);
    expect(met).toContain('queued');
    if (kills >= acts) expect(met.size, [...met].join()).toBeGreaterThan(2); // some died during a mint

    const ledger = await app.database.db.select().from(mints);
    expect(ledger.map(({ state }) => state)).toEqual(rows.map(() => 'final'));
    const events = await mintedOn(chain);
    const ofRow = ({ txid }: DepositRow) => depositHash('mainnet', txid, 0);
    const words = (all: readonly string[]) => all.toSorted();
    const requested = words(rows.map((row) => `${ofRow(row)} ${row.amount}`));
    const onChain = events.map(({ hash, satoshi }) => `${hash} ${satoshi}`);
    expect(words(onChain), 'the chain').toEqual(requested);
    expect(words(ledger.map((mint) => `${mint.depositHash} ${mint.amount / 10_000_000_000n}`)), 'the ledger').toEqual(requested);
    const lines = (await app.database.db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const claims = statementsOf(lines).flatMap((one) => (one.kind === 'mint.approve' ? [one.content] : []));
    expect(words(claims.map(({ txid, satoshi }) => `${depositHash('mainnet', txid, 0)} ${satoshi}`)), 'the log').toEqual(
      requested,
    );
    const { signed } = openSignerState(join(dir, 'signer.json'), genesis);
    expect(words(signed.map(({ depositHash: hash, satoshi }) => `${hash} ${satoshi}`)), 'the signer’s record').toEqual(requested);
    // All signed bytes are in the ledger, one mint per nonce.
    const bytes = await app.database.db.select().from(mintTransactions);
    const owners = new Set(bytes.map(({ nonce, mintId }) => `${nonce} ${mintId}`));
    expect(owners.size).toBe(new Set(bytes.map(({ nonce }) => nonce)).size);
  },
  7_200_000,
);
