import { eq, sql } from 'drizzle-orm';
import { keccak256, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { inTier } from '../../scripts/suite/tier.ts';
import { recheckFinalMints } from './mint-loop.ts';
import { requeueMint, stepMints, type MintWork } from './mints.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/core/context.ts';
import { evmChain, type MintChain, type Signer } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { createLog } from '../platform/core/log.ts';
import { openOutside } from '../platform/core/services.ts';
import { testDatabase } from '../testing/support.ts';
import { deposits, mints, mintTransactions } from './tables.ts';

/** Seeds of this run: CHAOS_SEEDS of them from CHAOS_SEED on. One that fails is run again alone with CHAOS_SEED=… CHAOS_SEEDS=1. */
const first = Number(process.env['CHAOS_SEED'] ?? 1);
const seeds = Number(process.env['CHAOS_SEEDS'] ?? inTier(20, 200));

let world: ChaosWorld;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test' });
  const log = createLog({ level: 'silent' });
  const database = await testDatabase(log);
  const clock = { now: Date.now() };
  world = { clock, chain, services: { config, log, database, now: () => clock.now, ...openOutside(config) } };
});
afterAll(() => chain.stop());

test(`each confirmed deposit is minted exactly once, whatever happens (${seeds} seeds)`, async () => {
  const sums = { crashes: 0, faults: 0, reorgs: 0 };
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await runChaos(world, seed);
    expect(result.broken, `seed ${seed}`).toEqual([]);
    for (const key of ['crashes', 'faults', 'reorgs'] as const) sums[key] += result[key];
  }
  // What must be survived happened.
  expect(sums.crashes).toBeGreaterThan(seeds / 2);
  expect(sums.faults).toBeGreaterThan(seeds);
  expect(sums.reorgs).toBeGreaterThan(seeds / 2);
}, 1_200_000);

// ── The storm ──────────────────────────────────────────────────────────────

/** A life of several mints among crashes, two servers, a chain that reorganises and an RPC that fails, lies and repeats. */
interface ChaosResult {
  seed: number;
  crashes: number;
  faults: number;
  reorgs: number;
  /** What does not hold at the end; empty is what is promised. */
  broken: string[];
}

interface ChaosWorld {
  services: Services;
  /** The services' own clock, to be turned. */
  clock: { now: number };
  chain: TestChain;
}

class Crash extends Error {
  override name = 'Crash';
}

const depth = 8n; // more than any reorganisation here
const depositsPerSeed = 3;

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const signer: Signer = {
  address: devnetAccounts.minter.address,
  sign: (transaction) => devnetAccounts.minter.signTransaction({ ...transaction, type: 'eip1559', gas: 300_000n, value: 0n }),
};

/** Runs one seed from an empty ledger and the chain as it is; leaves both behind. No two seeds of a run may be the same. */
async function runChaos({ services, clock, chain }: ChaosWorld, seed: number): Promise<ChaosResult> {
  const random = randomOf(seed);
  const chance = (p: number) => random() < p;
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const { db } = services.database;
  const result: ChaosResult = { seed, crashes: 0, faults: 0, reorgs: 0, broken: [] };

  await db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits cascade`);
  const ids = await addDeposits(services, seed, random);
  // Blocks are made here alone: anvil's own making of them races with its going back.
  await chain.client.setAutomine(false);
  await chain.client.mine({ blocks: 10 }); // what was before is too deep for any reorganisation here
  const supplyOf = () => chain.client.readContract({ address: devnetContracts.ybtc, abi: ybtcAbi, functionName: 'totalSupply' });
  const supplyBefore = await supplyOf();

  const { ybtc, custodyBridge: bridge } = devnetContracts;
  const calm = evmChain({ url: chain.url, chainId: 31_337, ybtc, bridge, signer });
  const work = (faulty: boolean): MintWork => ({
    services,
    chain: faulty ? stormy(calm) : calm,
    depth,
    limits: { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 15n },
    evidence: async () => (faulty && chance(0.1) ? 'unknown' : 'holds'),
    permit: async () => null,
    bumpMs: 10_000,
    at: () => {
      if (!faulty || !chance(0.06)) return;
      result.crashes++;
      throw new Crash();
    },
  });

  /** Fails before or after what it was asked for, answers late, twice, or wrongly. */
  function stormy(real: MintChain): MintChain {
    const call = async <T>(does: () => Promise<T>, lie?: () => T): Promise<T> => {
      if (chance(0.08)) await new Promise((resolve) => setTimeout(resolve, between(1, 5)));
      if (chance(0.05)) return fault();
      if (lie && chance(0.06)) {
        result.faults++;
        return lie();
      }
      const answer = await does();
      return chance(0.05) ? fault() : answer;
    };
    const fault = (): never => {
      result.faults++;
      throw new Error('the RPC does not answer');
    };
    return {
      ...real,
      fees: () => call(() => real.fees()),
      minted: (hash, blocks) =>
        call(
          () => real.minted(hash, blocks),
          () => 0n,
        ),
      nonce: (blocks) =>
        call(
          () => real.nonce(blocks),
          () => (blocks ? 0 : between(0, 40)),
        ),
      mined: (hash) =>
        call(
          () => real.mined(hash),
          () => null,
        ),
      mintOf: (hash) =>
        call(
          () => real.mintOf(hash),
          () => null,
        ),
      head: () =>
        call(
          () => real.head(),
          () => BigInt(between(0, 3000)),
        ),
      send: (raw) =>
        call(async () => {
          await real.send(raw);
          if (chance(0.2)) await real.send(raw).catch(() => {});
        }),
    };
  }

  // Where another branch may begin: anvil's own reorganisation leaves receipts behind whose effects it took back.
  let forks: { id: Hex; block: bigint }[] = [];
  const height = () => chain.client.getBlockNumber({ cacheTime: 0 });
  async function reorganise(): Promise<boolean> {
    const now = await height();
    const fork = forks.find(({ block }) => now - block >= 1n && now - block <= 6n);
    if (!fork) return false;
    forks = forks.filter(({ block }) => block < fork.block);
    await chain.client.revert({ id: fork.id });
    await chain.client.mine({ blocks: Number(now - fork.block) + 1 });
    return true;
  }

  for (let round = 0; round < 14; round++) {
    forks.push({ id: await chain.client.snapshot(), block: await height() });
    const servers = Array.from({ length: chance(0.5) ? 2 : 1 }, () => stepMints(work(true)).catch(isCrash));
    await Promise.all(servers);
    clock.now += between(500, 45_000);
    if (chance(0.7)) await chain.client.mine({ blocks: between(1, 3) });
    if (chance(0.5) && (await reorganise())) result.reorgs++;
    if (chance(0.3)) await retryFailed();
    if (chance(0.3)) await secondMintRefused(ids[between(0, ids.length - 1)] ?? '');
  }

  // The weather clears: what was begun ends by itself, and what failed by the retry command.
  const open = () =>
    db
      .select({ id: mints.id })
      .from(mints)
      .where(sql`${mints.state} <> 'final'`);
  for (let tries = 0; tries < 120; tries++) {
    clock.now += 61_000;
    await chain.client.mine({ blocks: 3 });
    await stepMints(work(false));
    await retryFailed();
    if ((await recheckFinalMints(work(false), depositsPerSeed)) === 0 && (await open()).length === 0) break;
  }
  await check();
  return result;

  function isCrash(error: unknown): void {
    if (!(error instanceof Crash) && !(error instanceof Error && error.cause instanceof Crash)) throw error;
  }

  async function retryFailed(): Promise<void> {
    for (const id of ids) await db.transaction((tx) => requeueMint(tx, id, new Date(clock.now)));
  }

  async function secondMintRefused(depositId: string): Promise<void> {
    const [mint] = await db.select().from(mints).where(eq(mints.depositId, depositId));
    if (!mint) return;
    const again = { ...mint, id: newId(), state: 'queued' as const };
    const taken = await db
      .insert(mints)
      .values(again)
      .then(() => true)
      .catch(() => false);
    if (taken) result.broken.push(`a second mint of ${depositId} was taken`);
  }

  async function check(): Promise<void> {
    const rows = await db.select().from(mints);
    const shown = await db.select().from(deposits);
    const claim = (holds: boolean, what: string) => void (holds || result.broken.push(what));
    const [first] = shown;
    claim(shown.length === depositsPerSeed && first !== undefined, 'a deposit is gone');
    let sum = 0n;
    for (const mint of rows) {
      sum += mint.amount;
      claim(mint.state === 'final', `mint ${mint.id} is ${mint.state}: ${mint.problem} ${mint.details}`);
      const minted = await calm.minted(mint.depositHash as Hex);
      claim(minted === mint.amount, `the chain has ${minted} for ${mint.amount}`);
      const mined = mint.hash ? await calm.mined(mint.hash as Hex) : null;
      claim(mined?.success === true && mined.blockHash === mint.blockHash, `mint ${mint.id} names another block`);
      const [stored] = await db
        .select()
        .from(mintTransactions)
        .where(eq(mintTransactions.hash, mint.hash ?? ''));
      claim(stored !== undefined && keccak256(stored.raw as Hex) === mint.hash, 'a mint on chain whose bytes are not stored');
    }
    for (const deposit of shown) claim(deposit.mintStatus === 'done', `deposit ${deposit.id} shows ${deposit.mintStatus}`);
    const logs = await chain.client.getContractEvents({
      address: devnetContracts.ybtc,
      abi: ybtcAbi,
      eventName: 'DepositMinted',
      fromBlock: 0n,
    });
    const hashes = new Set(rows.map((mint) => mint.depositHash));
    // Anvil answers with logs of blocks it has thrown away, too.
    const ours = new Set<string>();
    for (const { args, blockNumber, blockHash, transactionHash } of logs) {
      if (!hashes.has(args.depositHash ?? '')) continue;
      if ((await chain.client.getBlock({ blockNumber })).hash === blockHash) ours.add(transactionHash);
    }
    claim(ours.size === depositsPerSeed, `${ours.size} mints on chain for ${depositsPerSeed} deposits`);
    const supply = (await supplyOf()) - supplyBefore;
    claim(supply === sum, `supply ${supply}, ledger ${sum}`);
  }
}

/** Confirmed deposits, each with its mint waiting. */
async function addDeposits({ database: { db }, now }: Services, seed: number, random: () => number): Promise<string[]> {
  const at = new Date(now());
  const ids: string[] = [];
  for (let n = 0; n < depositsPerSeed; n++) {
    const id = newId();
    const txid = keccak256(`0x${seed.toString(16).padStart(8, '0')}`).slice(2);
    const amount = BigInt(1 + Math.floor(random() * 1_000_000_000));
    const recipient = devnetAccounts.operators[n]?.address ?? devnetAccounts.borrower.address;
    await db.insert(deposits).values({
      id,
      userAddress: recipient,
      amount,
      coboAddress: 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      network: 'regtest',
      txid,
      vout: n,
      status: 'confirmed',
      mintStatus: 'queued',
      modifiedEmail: 'chaos@a.example',
      confirmedAt: at,
      createdAt: at,
      updatedAt: at,
    });
    await db.insert(mints).values({
      id: newId(),
      depositId: id,
      depositHash: depositHash('regtest', txid, n),
      chainId: 31_337,
      token: devnetContracts.ybtc,
      bridge: devnetContracts.custodyBridge,
      recipient,
      amount: amount * 10_000_000_000n,
      state: 'queued',
      nextAt: at,
      createdAt: at,
      updatedAt: at,
    });
    ids.push(id);
  }
  return ids;
}
