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
import { requeueMint, stepMints, type MintContext } from './mints.ts';
import { openSignerState } from '../authority/signer-state.ts';
import { authorityLines } from '../authority/tables.ts';
import type { MintChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { listStatements } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type Faults, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { seededRandom } from '../testing/random.ts';
import { createTestSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { deposits } from '../deposits/tables.ts';
import { mints, mintTransactions } from './tables.ts';

/** To repeat a seed: CHAOS_SEED=… CHAOS_SEEDS=1. */
const firstSeed = Number(process.env['CHAOS_SEED'] ?? 1);
const seedCount = Number(process.env['CHAOS_SEEDS'] ?? inTier(2, 200));

const { url: esploraUrl, outputs } = await startFakeEsplora();
let chaosWorld: ChaosWorld;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  const nodes = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
  const env = {
    MINTER_KEY: minterKey,
    MINT_DEPTH: String(confirmationDepth),
    ESPLORA_URLS: esploraUrl,
    CUSTODY_ADDRESSES: custodyAddress,
  };
  const longSessionEnv = { SESSION_IDLE_MINUTES: '720', SESSION_HOURS: '72', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' };
  const app = await createTestApp(
    { ...buildChainEnv(...nodes.map(({ url }) => url)), ...env, ...longSessionEnv },
    { jobs: false },
  );
  const adminSession = await signInAs(app, 'all', { 'idempotency-key': newId() });
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  await adminSession.api.authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
  const log = await app.database.db.select().from(authorityLines);
  chaosWorld = { app, chain, nodes, log };
});
afterAll(() => chain.stop());

test(`each confirmed deposit is minted exactly once under faults (${seedCount} seeds)`, async () => {
  const totals = { crashes: 0, faults: 0, reorgs: 0, hostile: 0 };
  for (let seed = firstSeed; seed < firstSeed + seedCount; seed++) {
    const result = await runChaos(chaosWorld, seed);
    expect(result.broken, `seed ${seed}`).toEqual([]);
    for (const key of ['crashes', 'faults', 'reorgs', 'hostile'] as const) totals[key] += result[key];
  }
  expect(totals.crashes).toBeGreaterThan(seedCount / 2);
  expect(totals.faults).toBeGreaterThan(seedCount);
  expect(totals.reorgs).toBeGreaterThan(seedCount / 2);
  expect(totals.hostile).toBeGreaterThan(seedCount * 2);
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

class SimulatedCrash extends Error {
  override name = 'Crash';
}

const confirmationDepth = 8n;
const depositsPerSeed = 3;
const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

async function runChaos({ app, chain, nodes, log }: ChaosWorld, seed: number): Promise<ChaosResult> {
  const random = seededRandom(seed);
  const happensWithProbability = (probability: number) => random() < probability;
  const randomBetween = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
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
  const readSupply = () =>
    chain.client.readContract({ address: devnetContracts.ybtc, abi: ybtcAbi, functionName: 'totalSupply' });
  const supplyBefore = await readSupply();

  const dir = createTemporaryFolder();
  const startSigner = () =>
    createTestSigner(
      app,
      { dir, limits: { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 15n } },
      { limits: { timeoutMs: 1_500, restMs: 500 } },
    );
  let signer = await startSigner();
  const { chain: reliableChain } = signer;
  const createMintContext = (isFaulty: boolean): MintContext => ({
    ...signer,
    chain: isFaulty ? withFaults(reliableChain) : reliableChain,
    evidence: async (mint) =>
      isFaulty && happensWithProbability(0.1) ? { verdict: 'unknown', details: null } : signer.evidence(mint),
    permit: async (mint, signing) => {
      crashAtRandom();
      const halt = await signer.permit(mint, signing);
      if (halt) result.broken.push(`the signer does not sign what people signed for: ${halt.reason} ${halt.details}`);
      crashAtRandom();
      return halt;
    },
    bumpMs: 10_000,
    at: crashAtRandom,
  });
  let chaosMode: 'storm' | 'calm' = 'storm';
  let hasCrashed = false;
  function crashAtRandom(): void {
    if (chaosMode === 'calm' || !happensWithProbability(0.06)) return;
    result.crashes++;
    hasCrashed = true;
    throw new SimulatedCrash();
  }

  /** Fails before or after the call, or answers late, twice or wrongly. */
  function withFaults(realChain: MintChain): MintChain {
    const callWithFaults = async <T>(runCall: () => Promise<T>, wrongResult?: () => T): Promise<T> => {
      if (happensWithProbability(0.08)) await new Promise((resolve) => setTimeout(resolve, randomBetween(1, 5)));
      if (happensWithProbability(0.05)) return throwFault();
      if (wrongResult && happensWithProbability(0.06)) {
        result.faults++;
        return wrongResult();
      }
      const callResult = await runCall();
      return happensWithProbability(0.05) ? throwFault() : callResult;
    };
    const throwFault = (): never => {
      result.faults++;
      throw new Error('the RPC does not answer');
    };
    return {
      ...realChain,
      fees: () => callWithFaults(() => realChain.fees()),
      minted: (hash, blocks) =>
        callWithFaults(
          () => realChain.minted(hash, blocks),
          () => 0n,
        ),
      nonce: (blocks) =>
        callWithFaults(
          () => realChain.nonce(blocks),
          () => (blocks ? 0 : randomBetween(0, 40)),
        ),
      mined: (hash) =>
        callWithFaults(
          () => realChain.mined(hash),
          () => null,
        ),
      mintOf: (hash) =>
        callWithFaults(
          () => realChain.mintOf(hash),
          () => null,
        ),
      head: () =>
        callWithFaults(
          () => realChain.head(),
          () => BigInt(randomBetween(0, 3000)),
        ),
      send: (rawTransaction) =>
        callWithFaults(async () => {
          await realChain.send(rawTransaction);
          if (happensWithProbability(0.2)) await realChain.send(rawTransaction).catch(() => {});
        }),
    };
  }

  let snapshots: { id: Hex; block: bigint }[] = [];
  const height = () => chain.client.getBlockNumber();
  async function reorganizeChain(): Promise<boolean> {
    const now = await height();
    const snapshot = snapshots.find(({ block }) => now - block >= 1n && now - block <= 6n);
    if (!snapshot) return false;
    snapshots = snapshots.filter(({ block }) => block < snapshot.block);
    await chain.client.revert({ id: snapshot.id });
    await chain.client.mine({ blocks: Number(now - snapshot.block) + 1 });
    return true;
  }

  /** One hostile node at a time: of two that agree, one is honest. */
  function makeRandomNodeHostile(): void {
    for (const node of nodes) node.be();
    if (!happensWithProbability(0.4)) return;
    result.hostile++;
    nodes[randomBetween(0, nodes.length - 1)]?.be(hostileBehaviors[randomBetween(0, hostileBehaviors.length - 1)]?.(random));
  }

  for (let round = 0; round < 14; round++) {
    makeRandomNodeHostile();
    snapshots.push({ id: await chain.client.snapshot(), block: await height() });
    const concurrentSigners = Array.from({ length: happensWithProbability(0.5) ? 2 : 1 }, () =>
      stepMints(createMintContext(true)).catch(ignoreCrash),
    );
    await Promise.all(concurrentSigners);
    if (hasCrashed) signer = await startSigner();
    hasCrashed = false;
    clock.now += randomBetween(500, 45_000);
    if (happensWithProbability(0.7)) await chain.client.mine({ blocks: randomBetween(1, 3) });
    if (happensWithProbability(0.5) && (await reorganizeChain())) result.reorgs++;
    if (happensWithProbability(0.3)) await retryFailed();
    if (happensWithProbability(0.3)) await expectSecondMintRefused(ids[randomBetween(0, ids.length - 1)] ?? '');
  }

  chaosMode = 'calm';
  for (const node of nodes) node.be();
  const readOpenMints = () =>
    db
      .select({ id: mints.id })
      .from(mints)
      .where(sql`${mints.state} <> 'final'`);
  for (let attempt = 0; attempt < 120; attempt++) {
    clock.now += 61_000;
    await chain.client.mine({ blocks: 3 });
    await stepMints(createMintContext(false));
    await retryFailed();
    if ((await recheckFinalMints(createMintContext(false), depositsPerSeed)) === 0 && (await readOpenMints()).length === 0) break;
  }
  await checkInvariants();
  return result;

  function ignoreCrash(error: unknown): void {
    if (!(error instanceof SimulatedCrash) && !(error instanceof Error && error.cause instanceof SimulatedCrash)) throw error;
  }

  async function retryFailed(): Promise<void> {
    for (const id of ids) await db.transaction((tx) => requeueMint(tx, id, new Date(clock.now)));
  }

  async function expectSecondMintRefused(depositId: string): Promise<void> {
    const [mint] = await db.select().from(mints).where(eq(mints.depositId, depositId));
    if (!mint) return;
    const duplicateMint = { ...mint, id: newId(), state: 'queued' as const };
    const isInserted = await db
      .insert(mints)
      .values(duplicateMint)
      .then(() => true)
      .catch(() => false);
    if (isInserted) result.broken.push(`a second mint of ${depositId} was taken`);
  }

  async function checkLog(
    depositRows: readonly (typeof deposits.$inferSelect)[],
    expectThat: (isTrue: boolean, failureText: string) => void,
  ) {
    const lines = (await db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const claims = listStatements(lines).flatMap((statement) => (statement.kind === 'mint.approve' ? [statement.content] : []));
    const loggedMints = claims.map(({ txid, satoshi, receiver }) => `${txid} ${satoshi} ${receiver}`).toSorted();
    const expectedMints = depositRows.map(({ txid, amount, userAddress }) => `${txid} ${amount} ${userAddress}`).toSorted();
    expectThat(loggedMints.join() === expectedMints.join(), `the log has ${loggedMints.join()} for ${expectedMints.join()}`);
    const { signed } = openSignerState(join(dir, 'signer.json'), log[0]?.hash ?? '');
    const recordedMints = signed.map(({ depositHash: hash, satoshi }) => `${hash} ${satoshi}`).toSorted();
    const expectedRecord = depositRows.map(({ txid, amount }) => `${depositHash('mainnet', txid, 0)} ${amount}`).toSorted();
    expectThat(
      recordedMints.join() === expectedRecord.join(),
      `the signer's record has ${recordedMints.join()} for ${expectedRecord.join()}`,
    );
  }

  async function checkInvariants(): Promise<void> {
    const rows = await db.select().from(mints);
    const depositRows = await db.select().from(deposits);
    const expectThat = (isTrue: boolean, failureText: string) => void (isTrue || result.broken.push(failureText));
    const [firstDeposit] = depositRows;
    expectThat(depositRows.length === depositsPerSeed && firstDeposit !== undefined, 'a deposit is gone');
    let sum = 0n;
    for (const mint of rows) {
      sum += mint.amount;
      expectThat(mint.state === 'final', `mint ${mint.id} is ${mint.state}: ${mint.problem} ${mint.details}`);
      const mintedAmount = await reliableChain.minted(mint.depositHash as Hex);
      expectThat(mintedAmount === mint.amount, `the chain has ${mintedAmount} for ${mint.amount}`);
      const minedReceipt = mint.hash ? await reliableChain.mined(mint.hash as Hex) : null;
      expectThat(
        minedReceipt?.success === true && minedReceipt.blockHash === mint.blockHash,
        `mint ${mint.id} names another block`,
      );
      const [transactionRow] = await db
        .select()
        .from(mintTransactions)
        .where(eq(mintTransactions.hash, mint.hash ?? ''));
      const rawTransaction = transactionRow && reliableChain.signer.open(transactionRow.raw);
      expectThat(rawTransaction != null && keccak256(rawTransaction) === mint.hash, 'a mint on chain whose bytes are not stored');
    }
    for (const deposit of depositRows)
      expectThat(deposit.mintStatus === 'done', `deposit ${deposit.id} shows ${deposit.mintStatus}`);
    const logs = await chain.client.getContractEvents({
      address: devnetContracts.ybtc,
      abi: ybtcAbi,
      eventName: 'DepositMinted',
      fromBlock: 0n,
    });
    const hashes = new Set(rows.map((mint) => mint.depositHash));
    const ledgerHashes = new Set<string>();
    for (const { args, blockNumber, blockHash, transactionHash } of logs) {
      if (!hashes.has(args.depositHash ?? '')) continue;
      if ((await chain.client.getBlock({ blockNumber })).hash === blockHash) ledgerHashes.add(transactionHash);
    }
    expectThat(ledgerHashes.size === depositsPerSeed, `${ledgerHashes.size} mints on chain for ${depositsPerSeed} deposits`);
    const supply = (await readSupply()) - supplyBefore;
    expectThat(supply === sum, `supply ${supply}, ledger ${sum}`);
    await checkLog(depositRows, expectThat);
  }
}

type HostileBehavior = (random: () => number) => Partial<Faults>;

const lieAbout =
  (matchesCall: (rpcCall: RpcCall) => boolean, wrongResult: (random: () => number) => unknown): HostileBehavior =>
  (random) => ({ lie: (rpcCall, actualResult) => (matchesCall(rpcCall) && random() < 0.7 ? wrongResult(random) : actualResult) });
const toWord = (value: bigint) => toHex(value, { size: 32 });
const isCall = (rpcCall: RpcCall, name: string): boolean =>
  rpcCall.method === 'eth_call' && (rpcCall.params[0] as { data: string }).data.startsWith(toFunctionSelector(name));

const hostileBehaviors: readonly HostileBehavior[] = [
  () => ({ mode: 'drip', dripMs: 100 }),
  () => ({ mode: 'hang' }),
  () => ({ mode: 'down' }),
  () => ({ status: { code: 429, body: 'Too Many Requests' } }),
  () => ({ batchLimit: 1 }),
  () => ({ logsLimit: 3n }),
  (random) => ({ drop: () => random() < 0.3 }),
  lieAbout(
    (rpcCall) => isCall(rpcCall, 'mintedFor(bytes32)'),
    () => toWord(0n),
  ),
  lieAbout(
    (rpcCall) => isCall(rpcCall, 'mintedFor(bytes32)'),
    (random) => toWord(BigInt(1 + Math.floor(random() * 1e9))),
  ),
  lieAbout(
    (rpcCall) => isCall(rpcCall, 'totalSupply()'),
    (random) => toWord(BigInt(Math.floor(random() * 1e9))),
  ),
  lieAbout(
    ({ method }) => method === 'eth_getTransactionReceipt',
    () => null,
  ),
  lieAbout(
    ({ method }) => method === 'eth_getTransactionCount',
    (random) => toHex(Math.floor(random() * 40)),
  ),
  lieAbout(
    ({ method }) => method === 'eth_blockNumber',
    (random) => toHex(Math.floor(random() * 3_000)),
  ),
  lieAbout(
    ({ method }) => method === 'eth_getCode',
    () => '0x',
  ),
  lieAbout(
    ({ method }) => method === 'eth_sendRawTransaction',
    () => toWord(1n),
  ),
  (random) => ({
    refuse: ({ method }) =>
      method === 'eth_sendRawTransaction' && random() < 0.7
        ? { code: -32_000, message: random() < 0.5 ? 'nonce too low' : 'AlreadyKnown' }
        : null,
  }),
];

let cachedSessions: { at: number; operator: TestSession; approver: TestSession } | null = null;
async function readStaffSessions(app: TestApp) {
  const currentTime = app.clock.now;
  if (!cachedSessions || currentTime - cachedSessions.at > 6 * 3_600_000)
    cachedSessions = { at: currentTime, operator: await signInAs(app, 'operator'), approver: await signInAs(app, 'approver') };
  return cachedSessions;
}

async function addDeposits(app: TestApp, seed: number, random: () => number): Promise<string[]> {
  const ids: string[] = [];
  const { operator, approver } = await readStaffSessions(app);
  for (let n = 0; n < depositsPerSeed; n++) {
    const txid = keccak256(`0x${seed.toString(16).padStart(6, '0')}${n.toString(16).padStart(2, '0')}`).slice(2);
    const amount = 1 + Math.floor(random() * 1_000_000_000);
    outputs.set(txid, { address: custodyAddress, value: amount, height: tipHeight - 9 });
    const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress } as const;
    const userAddress = devnetAccounts.operators[n]?.address ?? devnetAccounts.borrower.address;
    const row = await operator.api.deposits.add({ ...depositFields, userAddress, amount: String(amount), txid });
    const { id, version, hash } = row;
    await createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
    ids.push(id);
  }
  return ids;
}
