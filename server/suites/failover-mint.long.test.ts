import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { addPoints, postAs, signInAt, startWriters } from '../testing/callers.ts';
import { chainEnv } from '../testing/crsm.ts';
import { custodyAddresses, startDepositors } from '../testing/depositors.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { fakeEsplora } from '../testing/esplora.ts';
import { openMintStates, checkBooks, type BooksInput } from '../testing/mint-books.ts';
import { debianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { isStill, startServer, waitUntil } from '../testing/process.ts';
import { randomOf } from '../testing/random.ts';
import { minterKey, startSignerProcess, type Death } from '../testing/signer-process.ts';

// People confirm and cancel on two servers while a signer mints. At a chosen moment the signer is stopped and the primary dies or
// is disconnected. The standby takes over, another signer continues, and the first may wake too late.

/** Per database. Repeat a failed run with its FAILOVER_SEED. */
const rounds = Number(process.env['FAILOVER_ROUNDS'] ?? 8);
const seed = Number(process.env['FAILOVER_SEED'] ?? 1);

/**
 * Where the signer stops: before or after a side effect, counted from the first that contains `from`, or a random one. The last
 * entry is the state that a mint must have then.
 */
const moments: readonly (readonly [from: string, act: number | { of: number }, how: Death['how'], wanted?: string])[] = [
  ['insert into "signer_nonces"', 1, 'before', 'queued'], // nothing is stored
  ['eth_sendRawTransaction', 1, 'before', 'stored, not broadcast'], // no server has it
  ['eth_sendRawTransaction', 2, 'before', 'broadcast, not recorded'], // the node has it, the ledger does not
  ['eth_getTransactionReceipt', { of: 20 }, 'before', 'followed'],
  ['insert into "mint_transactions"', { of: 4 }, 'after'], // being stored
  ['insert into "mint_transactions"', 5, 'after'], // its commit is on the way
  ['eth_sendRawTransaction', { of: 4 }, 'after'],
  ['eth_getTransactionReceipt', { of: 20 }, 'after'],
];
type Moment = (typeof moments)[number];

beforeAll(() => debianPostgres(), 300_000); // installs it if missing

/** Signers are excluded: each has its own record and key. */
async function startWorld() {
  const pair = await startPostgresPair();
  atEnd(pair.stop);
  const chain = await startTestChain();
  atEnd(chain.stop);
  const { url: esploraUrl, outputs } = await fakeEsplora();
  const dataDir = temporaryFolder();
  const unbound = { WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', SIGN_IN_PER_NETWORK: '100000', SESSION_IDLE_MINUTES: '720' };
  const env = {
    ...chainEnv(chain.url),
    ...unbound,
    NODE_ENV: 'test',
    DATABASE_URL: pair.url,
    ESPLORA_URLS: esploraUrl,
    CUSTODY_ADDRESSES: custodyAddresses,
    DEMO_NEWS: 'off',
  };
  const origins: string[] = [];
  // The first server seeds the database.
  for (let at = 0; at < 2; at++) {
    const server = startServer(dataDir, env);
    atEnd(async () => {
      server.child.kill('SIGKILL');
      await server.ended;
    });
    origins.push(await server.ready);
  }
  const [origin = ''] = origins;
  const all = await signInAt(origin, 'all');
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
  const rules = { root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] };
  const menu = '/api/selfCustody/authority';
  expect((await postAs(origin, all, `${menu}/rules`, 'rules', rules)).status).toBe(200);
  const minter = { address: privateKeyToAddress(minterKey), reason: 'its signer' };
  expect((await postAs(origin, all, `${menu}/minter`, 'minter', minter)).status).toBe(200);
  const { genesis } = (await (await fetch(`${origin}${menu}`, { headers: all })).json()) as { genesis: string };
  const signer = { databaseUrl: pair.url, dir: temporaryFolder(), genesis, chainUrl: chain.url, esploraUrl };
  return { pair, chain, dataDir, origins, all, outputs, signer };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** Restarts it like a supervisor. */
function keepSigner({ signer }: World) {
  let over = false;
  let running = startSignerProcess(signer);
  const work = (async () => {
    for (;;) {
      await running.ended;
      if (!over) await sleep(200);
      if (over) return;
      running = startSignerProcess(signer);
    }
  })();
  return async () => {
    over = true;
    running.child.kill('SIGTERM');
    await work;
  };
}

/** Stops a signer at a moment with another waiting. Returns where the mints are; one of them must be in the wanted state. */
async function standStill(world: World, [from, act, stop, wanted]: Moment, random: () => number) {
  const { pair, chain, signer } = world;
  for (;;) {
    const at = typeof act === 'number' ? act : 1 + Math.floor(random() * act.of);
    const first = startSignerProcess(signer, { from, at, how: stop, by: 'SIGSTOP' });
    await first.signing;
    const stopSecond = keepSigner(world);
    await waitUntil(() => isStill(first.child));
    const met = await openMintStates(pair.primary, chain);
    if (wanted === undefined || met.includes(wanted)) return { first, stopSecond, met };
    first.child.kill('SIGKILL');
    await stopSecond();
  }
}

async function failOver(world: World, how: 'killed' | 'frozen', moment: Moment, random: () => number): Promise<string[]> {
  const { pair } = world;
  const { first, stopSecond, met } = await standStill(world, moment, random);
  const [isLate, returns] = [random() < 0.5, random() < 0.5];
  if (how === 'killed') await pair.primary.kill();
  else pair.primary.freeze();
  if (!isLate) first.child.kill('SIGCONT');
  await sleep(random() * 1_500);
  await pair.promote();
  const final = await finalOf(pair.standby);
  if (isLate) await waitUntil(async () => (await finalOf(pair.standby)) > final); // another signer takes over
  if (returns && how === 'frozen') pair.primary.thaw();
  if (returns && how === 'killed') await pair.primary.start({ synchronous_standby_names: '' });
  first.child.kill('SIGCONT');
  expect(await first.ended, 'who lost the database ends').toMatchObject({ signal: null });
  const seen = await newestOf(pair.standby);
  await waitUntil(async () => (await openUntil(pair.standby, seen)) === 0);
  await stopSecond();
  await pair.rejoin();
  return met;
}

type Host = PostgresPair['primary'];
const countOf = async (host: Host, sql: string) => Number((await host.query<{ count: string }>(sql))[0]?.count);
const finalOf = (host: Host) => countOf(host, `select count(*) from mints where state = 'final'`);
const newestOf = async (host: Host) => (await host.query<{ id: string }>('select max(id::text) as id from mints'))[0]?.id ?? '';
const openUntil = (host: Host, id: string) =>
  countOf(host, `select count(*) from mints where state in ('queued', 'signed', 'sent', 'mined') and id::text <= '${id}'`);

/** Mines regularly, like a chain with other users. */
function startBlocks({ client }: TestChain) {
  let over = false;
  const work = (async () => {
    for (; !over; await sleep(250)) await client.mine({ blocks: 1 });
  })();
  return async () => {
    over = true;
    await work;
  };
}

test.each(['killed', 'frozen'] as const)(
  `the primary is %s during ${rounds} mints, and each is made at most once, as reported to its people`,
  { timeout: 1_800_000 },
  async (how) => {
    const world = await startWorld();
    const { pair, chain, origins, outputs, all, dataDir, signer } = world;
    const random = randomOf(seed);
    const stopBlocks = startBlocks(chain);
    const depositors = await startDepositors({ origins, outputs, random: randomOf(seed + 1) });
    const writers = startWriters(origins, all, [addPoints], `${how} mint`);
    const met = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const moment = moments[round % moments.length] ?? ['', 1, 'before'];
      for (const where of await failOver(world, how, moment, random)) met.set(where, (met.get(where) ?? 0) + 1);
    }
    const again = await depositors.stop();
    const points = await writers.stop();
    const stopSigner = keepSigner(world);
    await waitUntil(async () => (await openUntil(pair.primary, 'z')) === 0);
    await stopSigner();
    await stopBlocks();
    const { confirmed } = depositors;
    const record = join(signer.dir, 'signer.json');
    const books: BooksInput = { pair, chain, confirmed, record, genesis: signer.genesis, dataDir, points: points.acknowledged };
    const { wrong, minted, satoshi } = await checkBooks(books);
    console.log(
      `${how}: ${rounds} failovers, ${confirmed.length} confirmed, ${minted} minted (${satoshi} satoshi), ` +
        `${confirmed.filter(({ canceled }) => canceled).length} canceled, ${again} sent again; ` +
        `at the failovers: ${[...met].map(([where, times]) => `${times} ${where}`).join(', ')}; ` +
        `${points.acknowledged.length} points, longest silence ${points.silenceMs} ms`,
    );
    expect(wrong).toEqual([]);
    expect(minted).toBeGreaterThan(rounds);
    if (rounds >= 4)
      expect([...met.keys()].toSorted()).toEqual(['broadcast, not recorded', 'followed', 'queued', 'stored, not broadcast']);
  },
);
