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
import { listStatements } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { readMintsOnChain } from '../testing/minted.ts';
import { minterKey, startSignerProcess, type DeathPoint } from '../testing/signer-process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

// Kills the real signer at each of its side effects while it mints. For storms of chain and nodes see
// server/mints/mints.test.ts.

/** Approximate side effects of one run, each a point to die before and after. */
const actCount = 250;
const killCount = Number(process.env['SIGNER_KILLS'] ?? inTier(3, 2 * actCount));

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url: esploraUrl, outputs } = await startFakeEsplora();
const dir = createTemporaryFolder();
let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let genesis: string;
beforeAll(async () => {
  chain = await startTestChain();
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: esploraUrl, CUSTODY_ADDRESSES: custodyAddress, WRITES_PER_MINUTE: '0' };
  const longSessionEnv = { SESSION_IDLE_MINUTES: '720', SESSION_HOURS: '72' }; // a long run on a busy machine
  app = await createTestApp({ ...buildChainEnv(chain.url), ...env, ...longSessionEnv }, { jobs: false });
  [operator, approver] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver')]);
  const adminSession = await signInAs(app, 'all', { 'idempotency-key': newId() });
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  await adminSession.api.authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
  genesis = (await adminSession.api.authority.summary()).genesis;
}, 60_000);
afterAll(() => chain.stop());

async function confirmDeposit(number: number): Promise<DepositRow> {
  app.clock.now = Date.now();
  const txid = `c${number.toString(16).padStart(63, '0')}`;
  const amount = 1_000_000 + number;
  outputs.set(txid, { address: custodyAddress, value: amount, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress, txid } as const;
  const userAddress = devnetAccounts.borrower.address;
  const { id, version, hash } = await operator.api.deposits.add({ ...depositFields, userAddress, amount: String(amount) });
  return createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}

const signerEnvironment = () => ({ databaseUrl: app.database.url, dir, genesis, chainUrl: chain.url, esploraUrl });

/** Until it dies or nothing is left. Returns the signal. */
async function runSigner(killPoint: DeathPoint | null): Promise<NodeJS.Signals | null> {
  const { child, ended } = startSignerProcess(signerEnvironment(), killPoint);
  let hasExited = false;
  void ended.then(() => (hasExited = true));
  while (!hasExited) {
    await Promise.race([sleep(100), ended]);
    await chain.client.mine({ blocks: 1 });
    if (!killPoint && (await countOpenMints()) === 0) child.kill('SIGTERM');
  }
  return (await ended).signal;
}

const countOpenMints = () => app.database.db.$count(mints, sql`${mints.state} <> 'final'`);

test('a signer whose parent is gone before it starts exits', async () => {
  const { child, ended } = startSignerProcess(signerEnvironment());
  child.disconnect();
  expect(await ended).toEqual({ code: 0, signal: null });
});

longTest(
  `each confirmed deposit is minted exactly once by a signer that is killed ${killCount} times`,
  async () => {
    const rows: DepositRow[] = [];
    const observedStates = new Set<string>();
    for (let killIndex = 0; killIndex < killCount; killIndex++) {
      if ((await countOpenMints()) < 3) rows.push(await confirmDeposit(rows.length));
      // All points, or in a short run a few spread over it.
      const halfStep = Math.floor((killIndex * 2 * actCount) / killCount);
      const killPoint = { at: 1 + (halfStep >> 1), how: halfStep % 2 === 0 ? 'before' : 'after' } as const;
      expect(await runSigner(killPoint), `killed ${killPoint.how} act ${killPoint.at}`).toBe('SIGKILL');
      const unfinishedMints = await app.database.db.select({ state: mints.state }).from(mints);
      for (const { state } of unfinishedMints) observedStates.add(state);
      // Ends the lease of the killed signer.
      await app.database.db.execute(sql`update mints set leased_until = null, next_at = now() where state <> 'final'`);
    }
    await runSigner(null);
    expect(observedStates).toContain('queued');
    if (killCount >= actCount) expect(observedStates.size, [...observedStates].join()).toBeGreaterThan(2); // some died during a mint

    const ledger = await app.database.db.select().from(mints);
    expect(ledger.map(({ state }) => state)).toEqual(rows.map(() => 'final'));
    const events = await readMintsOnChain(chain);
    const depositHashOfRow = ({ txid }: DepositRow) => depositHash('mainnet', txid, 0);
    const sortedLines = (unsortedLines: readonly string[]) => unsortedLines.toSorted();
    const expectedMints = sortedLines(rows.map((row) => `${depositHashOfRow(row)} ${row.amount}`));
    const chainMints = events.map(({ hash, satoshi }) => `${hash} ${satoshi}`);
    expect(sortedLines(chainMints), 'the chain').toEqual(expectedMints);
    expect(sortedLines(ledger.map((mint) => `${mint.depositHash} ${mint.amount / 10_000_000_000n}`)), 'the ledger').toEqual(
      expectedMints,
    );
    const lines = (await app.database.db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const claims = listStatements(lines).flatMap((statement) => (statement.kind === 'mint.approve' ? [statement.content] : []));
    expect(sortedLines(claims.map(({ txid, satoshi }) => `${depositHash('mainnet', txid, 0)} ${satoshi}`)), 'the log').toEqual(
      expectedMints,
    );
    const { signed } = openSignerState(join(dir, 'signer.json'), genesis);
    expect(sortedLines(signed.map(({ depositHash: hash, satoshi }) => `${hash} ${satoshi}`)), 'the signer’s record').toEqual(
      expectedMints,
    );
    // All signed bytes are in the ledger, one mint per nonce.
    const bytes = await app.database.db.select().from(mintTransactions);
    const nonceOwners = new Set(bytes.map(({ nonce, mintId }) => `${nonce} ${mintId}`));
    expect(nonceOwners.size).toBe(new Set(bytes.map(({ nonce }) => nonce)).size);
  },
  7_200_000,
);
