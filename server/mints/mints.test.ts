import { eq, sql } from 'drizzle-orm';
import { join } from 'node:path';
import { keccak256, toFunctionSelector, toHex, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../../api/authority/statements.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { inTier } from '../../scripts/suite/tier.ts';
import { recheckFinalMints } from './loop.ts';
import { requeueMint, stepMints, type MintWork } from './mints.ts';
import { openSignerState } from '../authority/signer-state.ts';
import { authorityLines } from '../authority/tables.ts';
import type { MintChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { statementsOf } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { temporaryFolder } from '../testing/end.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type Faults, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { randomOf } from '../testing/random.ts';
import { testSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { deposits } from '../deposits/tables.ts';
import { mints, mintTransactions } from './tables.ts';

/** To repeat a seed: CHAOS_SEED=… CHAOS_SEEDS=1. */
const first = Number(process.env['CHAOS_SEED'] ?? 1);
const seeds = Number(process.env['CHAOS_SEEDS'] ?? inTier(2, 200));

const { url: esploraUrl, outputs } = await fakeEsplora();
let world: ChaosWorld;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  const nodes = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
  const env = { MINTER_KEY: minterKey, MINT_DEPTH: String(depth), ESPLORA_URLS: esploraUrl, CUSTODY_ADDRESSES: custody };
  const hours = { SESSION_IDLE_MINUTES: '720', SESSION_HOURS: '72', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' };
  const app = await testApp({ ...chainEnv(...nodes.map(({ url }) => url)), ...env, ...hours }, { jobs: false });
  const all = await signInAs(app, 'all', { 'idempotency-key': newId() });
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  await all.api.authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
  const log = await app.database.db.select().from(authorityLines);
  world = { app, chain, nodes, log };
});
afterAll(() => chain.stop());

test(`each confirmed deposit is minted exactly once under faults (${seeds} seeds)`, async () => {
  const sums = { crashes: 0, faults: 0, reorgs: 0, hostile: 0 };
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await runChaos(world, seed);
    expect(result.broken, `seed ${seed}`).toEqual([]);
    for (const key of ['crashes', 'faults', 'reorgs', 'hostile'] as const) sums[key] += result[key];
  }
  expect(sums.crashes).toBeGreaterThan(seeds / 2);
  expect(sums.faults).toBeGreaterThan(seeds);
  expect(sums.reorgs).toBeGreaterThan(seeds / 2);
  expect(sums.hostile).toBeGreaterThan(seeds * 2);
}, 7_200_000);

interface ChaosResult {
  seed: number;
  crashes: number;
  faults: number;
  reorgs: number;
  hostile: number;
  broken: string[];
}

interface ChaosWorld {
  app: TestApp;
  chain: TestChain;
  nodes: readonly HostileNode[];
  log: (typeof authorityLines.$inferSelect)[];
}

class Crash extends Error {
  override name = 'Crash';
}

const depth = 8n;
const depositsPerSeed = 3;
const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

async function runChaos({ app, chain, nodes, log }: ChaosWorld, seed: number): Promise<ChaosResult> {
  const random = randomOf(seed);
  const chance = (p: number) => random() < p;
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const { clock } = app;
  const { db } = app.database;
  const result: ChaosResult = { seed, crashes: 0, faults: 0, reorgs: 0, hostile: 0, broken: [] };
  for (const node of nodes) node.be();

  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`); // the log is append-only
    await tx.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits, authority_lines cascade`);
    await tx.insert(authorityLines).values(log);
  });
  const ids = await addDeposits(app, seed, random);
  await chain.client.setAutomine(false);
  await chain.client.mine({ blocks: 10 });
  const supplyOf = () => chain.client.readContract({ address: devnetContracts.ybtc, abi: ybtcAbi, functionName: 'totalSupply' });
  const supplyBefore = await supplyOf();

  const dir = temporaryFolder();
  const startSigner = () =>
    testSigner(
      app,
      { dir, limits: { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 15n } },
      { limits: { timeoutMs: 1_500, restMs: 500 } },
    );
  let signer = await startSigner();
  const { chain: calm } = signer;
  const work = (faulty: boolean): MintWork => ({
    ...signer,
    chain: faulty ? stormy(calm) : calm,
    evidence: async (mint) => (faulty && chance(0.1) ? { verdict: 'unknown', details: null } : signer.evidence(mint)),
    permit: async (mint, signing) => {
      at();
      const refused = await signer.permit(mint, signing);
      if (refused) result.broken.push(`the signer does not sign what people signed for: ${refused.reason} ${refused.details}`);
      at();
      return refused;
    },
    bumpMs: 10_000,
    at,
  });
  let weather: 'storm' | 'calm' = 'storm';
  let crashed = false;
  function at(): void {
    if (weather === 'calm' || !chance(0.06)) return;
    result.crashes++;
    crashed = true;
    throw new Crash();
  }

  /** Fails before or after the call, or answers late, twice or wrongly. */
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

  let forks: { id: Hex; block: bigint }[] = [];
  const height = () => chain.client.getBlockNumber();
  async function reorganise(): Promise<boolean> {
    const now = await height();
    const fork = forks.find(({ block }) => now - block >= 1n && now - block <= 6n);
    if (!fork) return false;
    forks = forks.filter(({ block }) => block < fork.block);
    await chain.client.revert({ id: fork.id });
    await chain.client.mine({ blocks: Number(now - fork.block) + 1 });
    return true;
  }

  /** One hostile node at a time: of two that agree, one is honest. */
  function befall(): void {
    for (const node of nodes) node.be();
    if (!chance(0.4)) return;
    result.hostile++;
    nodes[between(0, nodes.length - 1)]?.be(hostilities[between(0, hostilities.length - 1)]?.(random));
  }

  for (let round = 0; round < 14; round++) {
    befall();
    forks.push({ id: await chain.client.snapshot(), block: await height() });
    const servers = Array.from({ length: chance(0.5) ? 2 : 1 }, () => stepMints(work(true)).catch(isCrash));
    await Promise.all(servers);
    if (crashed) signer = await startSigner();
    crashed = false;
    clock.now += between(500, 45_000);
    if (chance(0.7)) await chain.client.mine({ blocks: between(1, 3) });
    if (chance(0.5) && (await reorganise())) result.reorgs++;
    if (chance(0.3)) await retryFailed();
    if (chance(0.3)) await secondMintRefused(ids[between(0, ids.length - 1)] ?? '');
  }

  weather = 'calm';
  for (const node of nodes) node.be();
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
    const used = await db
      .insert(mints)
      .values(again)
      .then(() => true)
      .catch(() => false);
    if (used) result.broken.push(`a second mint of ${depositId} was taken`);
  }

  async function checkLog(shown: readonly (typeof deposits.$inferSelect)[], claim: (holds: boolean, what: string) => void) {
    const lines = (await db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const claims = statementsOf(lines).flatMap((one) => (one.kind === 'mint.approve' ? [one.content] : []));
    const reported = claims.map(({ txid, satoshi, receiver }) => `${txid} ${satoshi} ${receiver}`).toSorted();
    const stands = shown.map(({ txid, amount, userAddress }) => `${txid} ${amount} ${userAddress}`).toSorted();
    claim(reported.join() === stands.join(), `the log has ${reported.join()} for ${stands.join()}`);
    const { signed } = openSignerState(join(dir, 'signer.json'), log[0]?.hash ?? '');
    const stored = signed.map(({ depositHash: hash, satoshi }) => `${hash} ${satoshi}`).toSorted();
    const minted = shown.map(({ txid, amount }) => `${depositHash('mainnet', txid, 0)} ${amount}`).toSorted();
    claim(stored.join() === minted.join(), `the signer's record has ${stored.join()} for ${minted.join()}`);
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
      const raw = stored && calm.signer.open(stored.raw);
      claim(raw != null && keccak256(raw) === mint.hash, 'a mint on chain whose bytes are not stored');
    }
    for (const deposit of shown) claim(deposit.mintStatus === 'done', `deposit ${deposit.id} shows ${deposit.mintStatus}`);
    const logs = await chain.client.getContractEvents({
      address: devnetContracts.ybtc,
      abi: ybtcAbi,
      eventName: 'DepositMinted',
      fromBlock: 0n,
    });
    const hashes = new Set(rows.map((mint) => mint.depositHash));
    const ours = new Set<string>();
    for (const { args, blockNumber, blockHash, transactionHash } of logs) {
      if (!hashes.has(args.depositHash ?? '')) continue;
      if ((await chain.client.getBlock({ blockNumber })).hash === blockHash) ours.add(transactionHash);
    }
    claim(ours.size === depositsPerSeed, `${ours.size} mints on chain for ${depositsPerSeed} deposits`);
    const supply = (await supplyOf()) - supplyBefore;
    claim(supply === sum, `supply ${supply}, ledger ${sum}`);
    await checkLog(shown, claim);
  }
}

type Hostility = (random: () => number) => Partial<Faults>;

const lying =
  (isKind: (call: RpcCall) => boolean, lie: (random: () => number) => unknown): Hostility =>
  (random) => ({ lie: (call, truth) => (isKind(call) && random() < 0.7 ? lie(random) : truth) });
const wordOf = (value: bigint) => toHex(value, { size: 32 });
const isCall = (call: RpcCall, name: string): boolean =>
  call.method === 'eth_call' && (call.params[0] as { data: string }).data.startsWith(toFunctionSelector(name));

const hostilities: readonly Hostility[] = [
  () => ({ mode: 'drip', dripMs: 100 }),
  () => ({ mode: 'hang' }),
  () => ({ mode: 'down' }),
  () => ({ status: { code: 429, body: 'Too Many Requests' } }),
  () => ({ batchLimit: 1 }),
  () => ({ logsLimit: 3n }),
  (random) => ({ drop: () => random() < 0.3 }),
  lying(
    (call) => isCall(call, 'mintedFor(bytes32)'),
    () => wordOf(0n),
  ),
  lying(
    (call) => isCall(call, 'mintedFor(bytes32)'),
    (random) => wordOf(BigInt(1 + Math.floor(random() * 1e9))),
  ),
  lying(
    (call) => isCall(call, 'totalSupply()'),
    (random) => wordOf(BigInt(Math.floor(random() * 1e9))),
  ),
  lying(
    ({ method }) => method === 'eth_getTransactionReceipt',
    () => null,
  ),
  lying(
    ({ method }) => method === 'eth_getTransactionCount',
    (random) => toHex(Math.floor(random() * 40)),
  ),
  lying(
    ({ method }) => method === 'eth_blockNumber',
    (random) => toHex(Math.floor(random() * 3_000)),
  ),
  lying(
    ({ method }) => method === 'eth_getCode',
    () => '0x',
  ),
  lying(
    ({ method }) => method === 'eth_sendRawTransaction',
    () => wordOf(1n),
  ),
  (random) => ({
    refuse: ({ method }) =>
      method === 'eth_sendRawTransaction' && random() < 0.7
        ? { code: -32_000, message: random() < 0.5 ? 'nonce too low' : 'AlreadyKnown' }
        : null,
  }),
];

let signedIn: { at: number; operator: TestSession; approver: TestSession } | null = null;
async function staff(app: TestApp) {
  const at = app.clock.now;
  if (!signedIn || at - signedIn.at > 6 * 3_600_000)
    signedIn = { at, operator: await signInAs(app, 'operator'), approver: await signInAs(app, 'approver') };
  return signedIn;
}

async function addDeposits(app: TestApp, seed: number, random: () => number): Promise<string[]> {
  const ids: string[] = [];
  const { operator, approver } = await staff(app);
  for (let n = 0; n < depositsPerSeed; n++) {
    const txid = keccak256(`0x${seed.toString(16).padStart(6, '0')}${n.toString(16).padStart(2, '0')}`).slice(2);
    const amount = 1 + Math.floor(random() * 1_000_000_000);
    outputs.set(txid, { address: custody, value: amount, height: tipHeight - 9 });
    const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custody } as const;
    const userAddress = devnetAccounts.operators[n]?.address ?? devnetAccounts.borrower.address;
    const row = await operator.api.deposits.add({ ...typed, userAddress, amount: String(amount), txid });
    const { id, version, hash } = row;
    await apiOf(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
    ids.push(id);
  }
  return ids;
}
