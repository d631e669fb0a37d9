import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { openSignerState } from '../authority/signer-state.ts';
import { stepMints } from '../mints/mints.ts';
import { createLogger } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { openNodes } from '../platform/evm/read.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode } from '../testing/hostile-node.ts';
import { createTestSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { chainClocks, databaseClock, openClock, type ReferenceClock } from './clock.ts';

const yearMs = 365 * 86_400_000;
const minuteMs = 60_000;
const log = createLogger({ level: 'silent' });
const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url, outputs } = await startFakeEsplora();

let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
let genesis: string;
beforeAll(async () => {
  chain = await startTestChain();
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: url, CUSTODY_ADDRESSES: custodyAddress };
  app = await createTestApp({ ...buildChainEnv(chain.url), ...env }, { jobs: false });
  [operator, approver, adminSession] = await Promise.all([
    signInAs(app, 'operator'),
    signInAs(app, 'approver'),
    signInAs(app, 'all'),
  ]);
  genesis = (await adminSession.api.authority.summary()).genesis;
  await chain.client.mine({ blocks: 20 });
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  app.clock.now = Date.now();
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits cascade`);
});

let nextTxid = 1;
async function confirmDeposit(): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, 'e');
  outputs.set(txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress } as const;
  const userAddress = devnetAccounts.borrower.address;
  const { id, version, hash } = await operator.api.deposits.add({ ...depositFields, userAddress, amount: '75000000', txid });
  return createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}
const readMint = async ({ id }: DepositRow) => (await operator.api.deposits.many({ ids: [id] }))[0]?.mint;

describe('the signer compares its clock with others', () => {
  const signerTime = { now: 0 };
  const createReferenceClock = (readTime: () => number | null, aheadMs = 2 * minuteMs): ReferenceClock => ({
    name: 'another',
    aheadMs,
    behindMs: 2 * minuteMs,
    read: async () => readTime(),
  });

  test.each([
    ['a year ahead', yearMs, /365 d .*ahead of another/],
    ['a year behind', -yearMs, /365 d .*behind another/],
    ['five minutes ahead', 5 * minuteMs, /5 min ahead of another/],
  ])('%s it is wrong, and right again once it was corrected', async (_name, clockShift, expectedMessage) => {
    signerTime.now = Date.now();
    const trueTime = signerTime.now;
    const clock = openClock({ now: () => signerTime.now, log }, [createReferenceClock(() => trueTime)]);
    expect(await clock.trustedNow()).toBe(trueTime);
    signerTime.now = trueTime + clockShift;
    await expect(clock.trustedNow()).rejects.toThrow(expectedMessage);
    expect(clock.isRight).toBe(false);
    signerTime.now = trueTime;
    expect(await clock.trustedNow()).toBe(trueTime);
    expect(clock.isRight).toBe(true);
  });

  test('and detects a jump at the next check, right after the last one', async () => {
    let readCount = 0;
    signerTime.now = Date.now();
    const trueTime = signerTime.now;
    const clock = openClock({ now: () => signerTime.now, log }, [createReferenceClock(() => (readCount++, trueTime))]);
    await clock.trustedNow();
    await clock.trustedNow();
    expect(readCount).toBe(1);
    signerTime.now += 3 * minuteMs;
    await expect(clock.trustedNow()).rejects.toThrow('3 min ahead');
  });

  test('and ignores a clock that cannot be read', async () => {
    signerTime.now = Date.now();
    const clock = openClock({ now: () => signerTime.now, log }, [
      createReferenceClock(() => null),
      createReferenceClock(() => signerTime.now),
    ]);
    expect(await clock.trustedNow()).toBe(signerTime.now);
  });

  test('including the database’s clock and the nodes’ newest blocks', async () => {
    const node = await startHostileNode(chain.url);
    const nodes = openNodes({ urls: [chain.url, node.url], chainId: 31_337 });
    const [database] = [databaseClock(app, 0)];
    expect(Math.abs(((await database.read()) ?? 0) - Date.now())).toBeLessThan(10 * minuteMs);
    const { timestamp } = await chain.client.getBlock();
    const [firstClock, secondClock] = chainClocks({ log }, nodes, false);
    expect(await firstClock?.read()).toBe(Number(timestamp) * 1000);
    // A wrong machine clock affects its database, but no chain.
    const jumpedClock = openClock({ now: () => Date.now() + yearMs, log }, [
      { ...database, read: async () => Date.now() + yearMs },
      ...chainClocks({ log }, nodes, false),
    ]);
    await expect(jumpedClock.trustedNow()).rejects.toThrow(/ahead of the newest block of 127\.0\.0\.1/);
    node.be({ mode: 'down' });
    expect(await secondClock?.read()).toBeNull();
  });
});

describe('a signer with a wrong clock', () => {
  test('signs nothing, reports it on every mint, and resumes after a correction', async () => {
    const row = await confirmDeposit();
    let clockShift = yearMs;
    const signerContext = await createTestSigner(app, {}, { now: () => app.clock.now + clockShift });
    await stepMints(signerContext);
    expect(await readMint(row)).toMatchObject({
      state: 'queued',
      problem: 'AUTHORITY',
      details: expect.stringMatching(/^CLOCK: .*365 d .*ahead/) as unknown,
      attempts: 0,
    });
    clockShift = 0;
    for (let round = 0; round < 6; round++) {
      await stepMints(signerContext);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    expect(await readMint(row)).toMatchObject({ state: 'final', problem: null });
  });

  test('signs nothing when the clock jumps between the check and the signature', async () => {
    const row = await confirmDeposit();
    let clockShift = 0;
    const signerContext = await createTestSigner(app, {}, { now: () => app.clock.now + clockShift });
    await stepMints({ ...signerContext, at: (point) => void (point === 'queued: asked' && (clockShift = yearMs)) });
    expect(await app.database.pool.query('select from mint_transactions')).toMatchObject({ rows: [] });
    expect((await readMint(row))?.details).toMatch(/^CLOCK: /);
    clockShift = 0;
    for (let round = 0; round < 6; round++) {
      await stepMints(signerContext);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    expect(await readMint(row)).toMatchObject({ state: 'final' });
  });

  test('stores no times, so later signatures count immediately', async () => {
    const dir = createTemporaryFolder();
    let clockShift = 0;
    const signerContext = await createTestSigner(app, { dir }, { now: () => app.clock.now + clockShift });
    await signerContext.look();
    const earlierDeposit = await confirmDeposit(); // first seen with a wrong clock
    clockShift = yearMs;
    await expect(signerContext.look()).rejects.toThrow(/ahead/);
    expect(await signerContext.readHalt()).toMatchObject({ reason: 'CLOCK' });
    clockShift = 0;
    const row = await confirmDeposit();
    await signerContext.look();
    const { seen } = JSON.parse(readFileSync(join(dir, 'signer.json'), 'utf8')) as { seen: { at: number }[] };
    expect(Math.max(...seen.map(({ at }) => at))).toBeLessThanOrEqual(app.clock.now);
    for (let round = 0; round < 6; round++) {
      await stepMints(signerContext);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    for (const deposit of [earlierDeposit, row]) expect(await readMint(deposit)).toMatchObject({ state: 'final' });
  });
});

test('corrects times of an older record to the present', () => {
  const file = join(createTemporaryFolder(), 'signer.json');
  const hashes = [genesis, 'b'.repeat(64), 'c'.repeat(64)];
  const now = Date.now();
  const signerState = openSignerState(file, genesis);
  signerState.see(hashes.slice(0, 2), now + yearMs);
  signerState.remember({ depositHash: '0x1', satoshi: '5', at: now + yearMs });
  expect(signerState.correct(now)).toBe(true);
  signerState.see(hashes, now);
  expect([1, 2].map((line) => signerState.timeOf(now)(line, 0))).toEqual([now, now]);
  expect(signerState.signed).toEqual([{ depositHash: '0x1', satoshi: '5', at: now }]);
});
