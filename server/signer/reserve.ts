import { sql } from 'drizzle-orm';
import type { Address } from 'viem';
import { integerOf } from '../../api/integers.ts';
import type { ReserveProblem, ReserveReport, SignedReserve } from '../../api/custody/reserve.ts';
import { SignerStateError } from '../authority/signer-state.ts';
import { LogError, type Authority } from '../authority/replay.ts';
import { reserveText, reserveTypedData } from '../authority/shared/reserve.ts';
import { reserveProofs } from '../custody/tables.ts';
import { fetchBalance, fetchTip } from '../platform/bitcoin/esplora.ts';
import type { Services } from '../platform/services/context.ts';
import type { Attester } from '../platform/evm/mint.ts';
import { NodesDisagree, type ChainNodes } from '../platform/evm/read.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { settledSupply } from '../platform/evm/supply.ts';
import { ClockError, type SignerClock } from './clock.ts';

// Signs the bitcoin of all custody addresses and the supply if all own sources and nodes agree. Otherwise reports why not.

/** Concurrent addresses per source. */
const maxConcurrency = 4;

export interface ReserveWork {
  readonly services: Pick<Services, 'log' | 'database'>;
  readonly clock: Pick<SignerClock, 'trustedNow'>;
  readonly authority: () => Promise<Authority>;
  readonly esploraUrls: readonly string[];
  readonly nodes: ChainNodes;
  readonly token: Address;
  readonly depth: bigint;
  readonly signer: Attester;
  readonly signal?: AbortSignal | undefined;
}

class Unproven extends Error {
  override name = 'Unproven';
  readonly reason: ReserveProblem;
  constructor(reason: ReserveProblem, details: string) {
    super(details);
    this.reason = reason;
  }
}

/** A continuing problem is logged once. */
const loggedProblems = new WeakMap<object, string>();

/** Writes the signed report or the problem. True: signed. */
export async function proveReserve(work: ReserveWork): Promise<boolean> {
  const { services, signer } = work;
  const { db } = services.database;
  try {
    const report = await reportOf(work);
    const signature = await signer.signTypedData(reserveTypedData(report));
    const signed: SignedReserve = { report, signer: signer.address, signature };
    const row = { signed: reserveText(signed), at: new Date(report.at), problem: null, details: null, problemAt: null };
    await db.insert(reserveProofs).values(row).onConflictDoUpdate({ target: reserveProofs.id, set: row });
    loggedProblems.delete(services);
    return true;
  } catch (error) {
    const unproven = error instanceof ClockError ? new Unproven('CLOCK', error.message) : error;
    if (!(unproven instanceof Unproven)) throw error;
    const { reason: problem, message } = unproven;
    if (loggedProblems.get(services) !== problem)
      services.log.warn({ problem, details: message }, 'could not sign a proof of reserve');
    loggedProblems.set(services, problem);
    // Falls back to the database's clock if its own is not trusted.
    const at = await work.clock.trustedNow().catch(() => null);
    const row = { problem, details: message.slice(0, 500), problemAt: at === null ? sql`clock_timestamp()` : new Date(at) };
    // Keeps the start of a continuing problem.
    const since = sql`case when ${reserveProofs.problem} = ${problem} then ${reserveProofs.problemAt} else excluded.problem_at end`;
    const set = { problem, details: row.details, problemAt: since };
    await db.insert(reserveProofs).values(row).onConflictDoUpdate({ target: reserveProofs.id, set });
    return false;
  }
}

async function reportOf({
  clock,
  authority: read,
  esploraUrls,
  nodes,
  token,
  depth,
  signer,
  signal,
}: ReserveWork): Promise<ReserveReport> {
  const authority = await withReserveProblem(
    'LOG',
    read,
    (error) => error instanceof LogError || error instanceof SignerStateError,
  );
  const { genesis, genesisHash, head } = authority;
  const now = await clock.trustedNow();
  const addresses = [...authority.custody].flatMap(([address, from]) => (from <= now ? [address] : [])).toSorted();
  const minter = authority.minters.findLast(({ from }) => from <= now)?.address ?? '';
  if (minter.toLowerCase() !== signer.address.toLowerCase())
    throw new Unproven('LOG', `the log names ${minter} as the minter, and this key is of ${signer.address}`);
  if (addresses.length === 0) throw new Unproven('NO_CUSTODY', 'the log names no custody address yet');
  const [{ name: onlyNode }] = nodes;
  if (nodes.length < 2)
    throw new Unproven('ONE_NODE', `the signer has one RPC node, ${onlyNode}, and nothing to compare it with`);
  // Bitcoin first: anything minted afterwards was paid before, and anything burned is paid out later.
  const { bitcoin, custody } = await unspentOf(esploraUrls, addresses, signal);
  const settled = await settledSupply(nodes, token, depth).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    if (error instanceof NodesDisagree) throw new Unproven('NODES', error.message);
    throw new Unproven('CHAIN', describeRpcError(error));
  });
  if (!settled) throw new Unproven('CHAIN', 'the chain is too young');
  return {
    network: genesis.network,
    chainId: genesis.chainId,
    token,
    custody,
    satoshi: custody.reduce((sum, { satoshi }) => sum + BigInt(satoshi), 0n).toString(),
    bitcoin,
    supply: settled.supply.toString(),
    evm: { block: integerOf(settled.block), hash: settled.hash },
    authority: { genesis: genesisHash, number: head.number, hash: head.hash },
    at: new Date(await clock.trustedNow()).toISOString(),
  };
}

/** All sources at one block. Throws Unproven. */
async function unspentOf(
  urls: readonly string[],
  addresses: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Pick<ReserveReport, 'bitcoin' | 'custody'>> {
  const found = await Promise.all(
    urls.map(async (url) => {
      const name = new URL(url).host;
      const balances = await withReserveProblem(
        'SOURCE',
        () => askSource(url, addresses, signal),
        () => !signal?.aborted,
      ).catch((error: unknown) => {
        throw error instanceof Unproven ? new Unproven('SOURCE', `${name}: ${error.message}`) : error;
      });
      if (!balances) throw new Unproven('DISAGREE', `${name}: a block came while it was asked`);
      return { name, ...balances };
    }),
  );
  const [first, ...others] = found;
  if (!first) throw new Unproven('SOURCE', 'no Bitcoin source is configured');
  for (const { name, tip, balances } of others) {
    if (tip.hash !== first.tip.hash)
      throw new Unproven('DISAGREE', `${first.name} is at block ${first.tip.height}, ${name} at ${tip.height}`);
    const at = addresses.findIndex((_, index) => !isSame(balances[index], first.balances[index]));
    if (at !== -1) throw new Unproven('DISAGREE', `${first.name} and ${name} differ on ${addresses[at]}`);
  }
  return {
    bitcoin: first.tip,
    custody: addresses.map((address, index) => ({ address, satoshi: (first.balances[index]?.unspent ?? 0n).toString() })),
  };
}

type Balance = Awaited<ReturnType<typeof fetchBalance>>;
const isSame = (one: Balance | undefined, other: Balance | undefined): boolean =>
  one?.unspent === other?.unspent && one?.funded === other?.funded && one?.spent === other?.spent;

/** Null: the newest block changed. */
async function askSource(url: string, addresses: readonly string[], signal: AbortSignal | undefined) {
  const tip = await fetchTip(url, signal);
  const balances: Balance[] = [];
  for (let from = 0; from < addresses.length; from += maxConcurrency)
    balances.push(
      ...(await Promise.all(addresses.slice(from, from + maxConcurrency).map((address) => fetchBalance(url, address, signal)))),
    );
  const after = await fetchTip(url, signal);
  return after.hash === tip.hash ? { tip, balances } : null;
}

async function withReserveProblem<T>(
  reason: ReserveProblem,
  ask: () => Promise<T>,
  isExpected = (_error: unknown) => true,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw isExpected(error) ? new Unproven(reason, describeRpcError(error)) : error;
  }
}
