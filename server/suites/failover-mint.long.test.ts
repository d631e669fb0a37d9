import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { addPoints, postAs, signInAt, startWriters } from '../testing/callers.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { custodyAddresses, startDepositors } from '../testing/depositors.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora } from '../testing/esplora.ts';
import { readOpenMintStates, checkBooks, type BooksInput } from '../testing/mint-books.ts';
import { findDebianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { isFrozen, startServer, waitUntil } from '../testing/process.ts';
import { seededRandom } from '../testing/random.ts';
import { minterKey, startSignerProcess, type DeathPoint } from '../testing/signer-process.ts';

// People confirm and cancel on two servers while a signer mints. At a chosen moment the signer is stopped and the primary dies or
// is disconnected. The standby takes over, another signer continues, and the first may wake too late.

/** Per database. Repeat a failed run with its FAILOVER_SEED. */
const roundCount = Number(process.env['FAILOVER_ROUNDS'] ?? 8);
const seed = Number(process.env['FAILOVER_SEED'] ?? 1);

/**
 * Where the signer stops: before or after a side effect, counted from the first that contains `startName`, or a random one. The last
 * entry is the state that a mint must have then.
 */
const deathMoments: readonly (readonly [from: string, act: number | { of: number }, how: DeathPoint['how'], wanted?: string])[] =
  [
    ['insert into "signer_nonces"', 1, 'before', 'queued'], // nothing is stored
    ['eth_sendRawTransaction', 1, 'before', 'stored, not broadcast'], // no server has it
    ['eth_sendRawTransaction', 2, 'before', 'broadcast, not recorded'], // the node has it, the ledger does not
    ['eth_getTransactionReceipt', { of: 20 }, 'before', 'followed'],
    ['insert into "mint_transactions"', { of: 4 }, 'after'], // being stored
    ['insert into "mint_transactions"', 5, 'after'], // its commit is on the way
    ['eth_sendRawTransaction', { of: 4 }, 'after'],
    ['eth_getTransactionReceipt', { of: 20 }, 'after'],
  ];
type DeathMoment = (typeof deathMoments)[number];

beforeAll(() => findDebianPostgres(), 300_000); // installs it if missing

/** Signers are excluded: each has its own record and key. */
async function startEnvironment() {
  const pair = await startPostgresPair();
  onCleanup(pair.stop);
  const chain = await startTestChain();
  onCleanup(chain.stop);
  const { url: esploraUrl, outputs } = await startFakeEsplora();
  const dataDir = createTemporaryFolder();
  const unlimitedEnv = {
    WRITES_PER_MINUTE: '0',
    READS_PER_MINUTE: '0',
    SIGN_IN_PER_NETWORK: '100000',
    SESSION_IDLE_MINUTES: '720',
  };
  const env = {
    ...buildChainEnv(chain.url),
    ...unlimitedEnv,
    NODE_ENV: 'test',
    DATABASE_URL: pair.url,
    ESPLORA_URLS: esploraUrl,
    CUSTODY_ADDRESSES: custodyAddresses,
    DEMO_NEWS: 'off',
  };
  const origins: string[] = [];
  // The first server seeds the database.
  for (let serverIndex = 0; serverIndex < 2; serverIndex++) {
    const server = startServer(dataDir, env);
    onCleanup(async () => {
      server.child.kill('SIGKILL');
      await server.ended;
    });
    origins.push(await server.ready);
  }
  const [origin = ''] = origins;
  const fullSession = await signInAt(origin, 'all');
  const amountBand = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  const rules = { root: 1, coolingSeconds: 0, receivers: 'any', bands: [amountBand], refundBands: [] };
  const menu = '/api/selfCustody/authority';
  expect((await postAs(origin, fullSession, `${menu}/rules`, 'rules', rules)).status).toBe(200);
  const minter = { address: privateKeyToAddress(minterKey), reason: 'its signer' };
  expect((await postAs(origin, fullSession, `${menu}/minter`, 'minter', minter)).status).toBe(200);
  const { genesis } = (await (await fetch(`${origin}${menu}`, { headers: fullSession })).json()) as { genesis: string };
  const signer = { databaseUrl: pair.url, dir: createTemporaryFolder(), genesis, chainUrl: chain.url, esploraUrl };
  return { pair, chain, dataDir, origins, all: fullSession, outputs, signer };
}

type TestEnvironment = Awaited<ReturnType<typeof startEnvironment>>;

/** Restarts it like a supervisor. */
function keepSignerRunning({ signer }: TestEnvironment) {
  let isStopped = false;
  let signerProcess = startSignerProcess(signer);
  const pendingWork = (async () => {
    for (;;) {
      await signerProcess.ended;
      if (!isStopped) await sleep(200);
      if (isStopped) return;
      signerProcess = startSignerProcess(signer);
    }
  })();
  return async () => {
    isStopped = true;
    signerProcess.child.kill('SIGTERM');
    await pendingWork;
  };
}

/** Stops a signer at a moment with another waiting. Returns where the mints are; one of them must be in the wanted state. */
async function freezeSigner(
  environment: TestEnvironment,
  [startName, effectChoice, timing, expectedState]: DeathMoment,
  random: () => number,
) {
  const { pair, chain, signer } = environment;
  for (;;) {
    const effectNumber = typeof effectChoice === 'number' ? effectChoice : 1 + Math.floor(random() * effectChoice.of);
    const frozenSigner = startSignerProcess(signer, { from: startName, at: effectNumber, how: timing, by: 'SIGSTOP' });
    await frozenSigner.signing;
    const stopSecond = keepSignerRunning(environment);
    await waitUntil(() => isFrozen(frozenSigner.child));
    const mintStates = await readOpenMintStates(pair.primary, chain);
    if (expectedState === undefined || mintStates.includes(expectedState))
      return { first: frozenSigner, stopSecond, met: mintStates };
    frozenSigner.child.kill('SIGKILL');
    await stopSecond();
  }
}

async function runFailover(
  environment: TestEnvironment,
  failure: 'killed' | 'frozen',
  deathMoment: DeathMoment,
  random: () => number,
): Promise<string[]> {
  const { pair } = environment;
  const { first: frozenSigner, stopSecond, met } = await freezeSigner(environment, deathMoment, random);
  const [isLate, primaryReturns] = [random() < 0.5, random() < 0.5];
  if (failure === 'killed') await pair.primary.kill();
  else pair.primary.freeze();
  if (!isLate) frozenSigner.child.kill('SIGCONT');
  await sleep(random() * 1_500);
  await pair.promote();
  const finalCountBefore = await countFinalMints(pair.standby);
  if (isLate) await waitUntil(async () => (await countFinalMints(pair.standby)) > finalCountBefore); // another signer takes over
  if (primaryReturns && failure === 'frozen') pair.primary.thaw();
  if (primaryReturns && failure === 'killed') await pair.primary.start({ synchronous_standby_names: '' });
  frozenSigner.child.kill('SIGCONT');
  expect(await frozenSigner.ended, 'who lost the database ends').toMatchObject({ signal: null });
  const newestIdBefore = await readNewestMintId(pair.standby);
  await waitUntil(async () => (await countOpenMintsUntil(pair.standby, newestIdBefore)) === 0);
  await stopSecond();
  await pair.rejoin();
  return met;
}

type PostgresHostOfPair = PostgresPair['primary'];
const countRows = async (host: PostgresHostOfPair, sql: string) => Number((await host.query<{ count: string }>(sql))[0]?.count);
const countFinalMints = (host: PostgresHostOfPair) => countRows(host, `select count(*) from mints where state = 'final'`);
const readNewestMintId = async (host: PostgresHostOfPair) =>
  (await host.query<{ id: string }>('select max(id::text) as id from mints'))[0]?.id ?? '';
const countOpenMintsUntil = (host: PostgresHostOfPair, id: string) =>
  countRows(host, `select count(*) from mints where state in ('queued', 'signed', 'sent', 'mined') and id::text <= '${id}'`);

/** Mines regularly, like a chain with other users. */
function startBlocks({ client }: TestChain) {
  let isStopped = false;
  const pendingWork = (async () => {
    for (; !isStopped; await sleep(250)) await client.mine({ blocks: 1 });
  })();
  return async () => {
    isStopped = true;
    await pendingWork;
  };
}

test.each(['killed', 'frozen'] as const)(
  `the primary is %s during ${roundCount} mints, and each is made at most once, as reported to its people`,
  { timeout: 1_800_000 },
  async (failure) => {
    const environment = await startEnvironment();
    const { pair, chain, origins, outputs, all: fullSession, dataDir, signer } = environment;
    const random = seededRandom(seed);
    const stopBlocks = startBlocks(chain);
    const depositors = await startDepositors({ origins, outputs, random: seededRandom(seed + 1) });
    const writers = startWriters(origins, fullSession, [addPoints], `${failure} mint`);
    const stateCounts = new Map<string, number>();
    for (let roundNumber = 0; roundNumber < roundCount; roundNumber++) {
      const deathMoment = deathMoments[roundNumber % deathMoments.length] ?? ['', 1, 'before'];
      for (const reachedState of await runFailover(environment, failure, deathMoment, random))
        stateCounts.set(reachedState, (stateCounts.get(reachedState) ?? 0) + 1);
    }
    const failedDeposits = await depositors.stop();
    const pointsOutcome = await writers.stop();
    const stopSigner = keepSignerRunning(environment);
    await waitUntil(async () => (await countOpenMintsUntil(pair.primary, 'z')) === 0);
    await stopSigner();
    await stopBlocks();
    const { confirmed: confirmedDeposits } = depositors;
    const signerRecordFile = join(signer.dir, 'signer.json');
    const booksInput: BooksInput = {
      pair,
      chain,
      confirmed: confirmedDeposits,
      record: signerRecordFile,
      genesis: signer.genesis,
      dataDir,
      points: pointsOutcome.acknowledged,
    };
    const { wrong: violations, minted: mintedCount, satoshi: mintedSatoshi } = await checkBooks(booksInput);
    console.log(
      `${failure}: ${roundCount} failovers, ${confirmedDeposits.length} confirmed, ${mintedCount} minted (${mintedSatoshi} satoshi), ` +
        `${confirmedDeposits.filter(({ canceled: isCanceled }) => isCanceled).length} canceled, ${failedDeposits} sent again; ` +
        `at the failovers: ${[...stateCounts].map(([reachedState, count]) => `${count} ${reachedState}`).join(', ')}; ` +
        `${pointsOutcome.acknowledged.length} points, longest silence ${pointsOutcome.silenceMs} ms`,
    );
    expect(violations).toEqual([]);
    expect(mintedCount).toBeGreaterThan(roundCount);
    if (roundCount >= 4)
      expect([...stateCounts.keys()].toSorted()).toEqual([
        'broadcast, not recorded',
        'followed',
        'queued',
        'stored, not broadcast',
      ]);
  },
);
