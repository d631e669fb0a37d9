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
import { chainEnv } from '../testing/crsm.ts';
import { temporaryFolder } from '../testing/end.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode } from '../testing/hostile-node.ts';
import { testSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { chainClocks, databaseClock, openClock, type ReferenceClock } from './clock.ts';

const year = 365 * 86_400_000;
const minute = 60_000;
const log = createLogger({ level: 'silent' });
const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const { url, outputs } = await fakeEsplora();

let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let all: TestSession;
let genesis: string;
beforeAll(async () => {
  chain = await startTestChain();
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: url, CUSTODY_ADDRESSES: custody };
  app = await testApp({ ...chainEnv(chain.url), ...env }, { jobs: false });
  [operator, approver, all] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver'), signInAs(app, 'all')]);
  genesis = (await all.api.authority.summary()).genesis;
  await chain.client.mine({ blocks: 20 });
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  app.clock.now = Date.now();
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits cascade`);
});

let next = 1;
async function confirmed(): Promise<DepositRow> {
  const txid = (next++).toString(16).padStart(64, 'e');
  outputs.set(txid, { address: custody, value: 75_000_000, height: tipHeight - 9 });
  const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custody } as const;
  const userAddress = devnetAccounts.borrower.address;
  const { id, version, hash } = await operator.api.deposits.add({ ...typed, userAddress, amount: '75000000', txid });
  return apiOf(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}
const mintOf = async ({ id }: DepositRow) => (await operator.api.deposits.many({ ids: [id] }))[0]?.mint;

describe('the signer compares its clock with others', () => {
  const own = { now: 0 };
  const reference = (at: () => number | null, aheadMs = 2 * minute): ReferenceClock => ({
    name: 'another',
    aheadMs,
    behindMs: 2 * minute,
    read: async () => at(),
  });

  test.each([
    ['a year ahead', year, /365 d .*ahead of another/],
    ['a year behind', -year, /365 d .*behind another/],
    ['five minutes ahead', 5 * minute, /5 min ahead of another/],
  ])('%s it is wrong, and right again once it was corrected', async (_name, jump, says) => {
    own.now = Date.now();
    const truth = own.now;
    const clock = openClock({ now: () => own.now, log }, [reference(() => truth)]);
    expect(await clock.trustedNow()).toBe(truth);
    own.now = truth + jump;
    await expect(clock.trustedNow()).rejects.toThrow(says);
    expect(clock.isRight).toBe(false);
    own.now = truth;
    expect(await clock.trustedNow()).toBe(truth);
    expect(clock.isRight).toBe(true);
  });

  test('and detects a jump at the next check, right after the last one', async () => {
    let reads = 0;
    own.now = Date.now();
    const truth = own.now;
    const clock = openClock({ now: () => own.now, log }, [reference(() => (reads++, truth))]);
    await clock.trustedNow();
    await clock.trustedNow();
    expect(reads).toBe(1);
    own.now += 3 * minute;
    await expect(clock.trustedNow()).rejects.toThrow('3 min ahead');
  });

  test('and ignores a clock that cannot be read', async () => {
    own.now = Date.now();
    const clock = openClock({ now: () => own.now, log }, [reference(() => null), reference(() => own.now)]);
    expect(await clock.trustedNow()).toBe(own.now);
  });

  test('including the database’s clock and the nodes’ newest blocks', async () => {
    const node = await startHostileNode(chain.url);
    const nodes = openNodes({ urls: [chain.url, node.url], chainId: 31_337 });
    const [database] = [databaseClock(app, 0)];
    expect(Math.abs(((await database.read()) ?? 0) - Date.now())).toBeLessThan(10 * minute);
    const { timestamp } = await chain.client.getBlock();
    const [first, second] = chainClocks({ log }, nodes, false);
    expect(await first?.read()).toBe(Number(timestamp) * 1000);
    // A wrong machine clock affects its database, but no chain.
    const jumped = openClock({ now: () => Date.now() + year, log }, [
      { ...database, read: async () => Date.now() + year },
      ...chainClocks({ log }, nodes, false),
    ]);
    await expect(jumped.trustedNow()).rejects.toThrow(/ahead of the newest block of 127\.0\.0\.1/);
    node.be({ mode: 'down' });
    expect(await second?.read()).toBeNull();
  });
});

describe('a signer with a wrong clock', () => {
  test('signs nothing, reports it on every mint, and resumes after a correction', async () => {
    const row = await confirmed();
    let jump = year;
    const work = await testSigner(app, {}, { now: () => app.clock.now + jump });
    await stepMints(work);
    expect(await mintOf(row)).toMatchObject({
      state: 'queued',
      problem: 'AUTHORITY',
      details: expect.stringMatching(/^CLOCK: .*365 d .*ahead/) as unknown,
      attempts: 0,
    });
    jump = 0;
    for (let round = 0; round < 6; round++) {
      await stepMints(work);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    expect(await mintOf(row)).toMatchObject({ state: 'final', problem: null });
  });

  test('signs nothing when the clock jumps between the check and the signature', async () => {
    const row = await confirmed();
    let jump = 0;
    const work = await testSigner(app, {}, { now: () => app.clock.now + jump });
    await stepMints({ ...work, at: (point) => void (point === 'queued: asked' && (jump = year)) });
    expect(await app.database.pool.query('select from mint_transactions')).toMatchObject({ rows: [] });
    expect((await mintOf(row))?.details).toMatch(/^CLOCK: /);
    jump = 0;
    for (let round = 0; round < 6; round++) {
      await stepMints(work);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
  });

  test('stores no times, so later signatures count immediately', async () => {
    const dir = temporaryFolder();
    let jump = 0;
    const work = await testSigner(app, { dir }, { now: () => app.clock.now + jump });
    await work.look();
    const before = await confirmed(); // first seen with a wrong clock
    jump = year;
    await expect(work.look()).rejects.toThrow(/ahead/);
    expect(await work.standstill()).toMatchObject({ reason: 'CLOCK' });
    jump = 0;
    const row = await confirmed();
    await work.look();
    const { seen } = JSON.parse(readFileSync(join(dir, 'signer.json'), 'utf8')) as { seen: { at: number }[] };
    expect(Math.max(...seen.map(({ at }) => at))).toBeLessThanOrEqual(app.clock.now);
    for (let round = 0; round < 6; round++) {
      await stepMints(work);
      await chain.client.mine({ blocks: 20 });
      app.clock.now += 6_000;
    }
    for (const one of [before, row]) expect(await mintOf(one)).toMatchObject({ state: 'final' });
  });
});

test('corrects times of an older record to the present', () => {
  const file = join(temporaryFolder(), 'signer.json');
  const hashes = [genesis, 'b'.repeat(64), 'c'.repeat(64)];
  const now = Date.now();
  const memory = openSignerState(file, genesis);
  memory.see(hashes.slice(0, 2), now + year);
  memory.remember({ depositHash: '0x1', satoshi: '5', at: now + year });
  expect(memory.correct(now)).toBe(true);
  memory.see(hashes, now);
  expect([1, 2].map((line) => memory.timeOf(now)(line, 0))).toEqual([now, now]);
  expect(memory.signed).toEqual([{ depositHash: '0x1', satoshi: '5', at: now }]);
});
