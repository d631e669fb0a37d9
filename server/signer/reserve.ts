import { sql } from 'drizzle-orm';
import type { Address } from 'viem';
import { toSafeInteger } from '../../api/integers.ts';
import type { ReserveProblem, ReserveReport, SignedReserve } from '../../api/custody/reserve.ts';
import { SignerStateError } from '../authority/signer-state.ts';
import { LogError, type Authority } from '../authority/replay.ts';
import { serializeReserve, reserveTypedData } from '../authority/shared/reserve.ts';
import { reserveProofs } from '../custody/tables.ts';
import { fetchBalance, fetchTip } from '../platform/bitcoin/esplora.ts';
import type { Services } from '../platform/services/context.ts';
import type { Attester } from '../platform/evm/mint.ts';
import { NodesDisagreeError, type ChainNodes } from '../platform/evm/read.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { readSettledSupply } from '../platform/evm/supply.ts';
import { ClockError, type SignerClock } from './clock.ts';

// Signs the bitcoin of all custody addresses and the supply if all own sources and nodes agree. Otherwise reports why not.

/** Concurrent addresses per source. */
const maxConcurrency = 4;

export interface ReserveContext {
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

class UnprovenError extends Error {
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
export async function proveReserve(reserveContext: ReserveContext): Promise<boolean> {
  const { services, signer } = reserveContext;
  const { db } = services.database;
  try {
    const report = await createReport(reserveContext);
    const signature = await signer.signTypedData(reserveTypedData(report));
    const signed: SignedReserve = { report, signer: signer.address, signature };
    const row = { signed: serializeReserve(signed), at: new Date(report.at), problem: null, details: null, problemAt: null };
    await db.insert(reserveProofs).values(row).onConflictDoUpdate({ target: reserveProofs.id, set: row });
    loggedProblems.delete(services);
    return true;
  } catch (error) {
    const reserveError = error instanceof ClockError ? new UnprovenError('CLOCK', error.message) : error;
    if (!(reserveError instanceof UnprovenError)) throw error;
    const { reason: problem, message } = reserveError;
    if (loggedProblems.get(services) !== problem)
      services.log.warn({ problem, details: message }, 'could not sign a proof of reserve');
    loggedProblems.set(services, problem);
    // Falls back to the database's clock if its own is not trusted.
    const problemTime = await reserveContext.clock.trustedNow().catch(() => null);
    const row = {
      problem,
      details: message.slice(0, 500),
      problemAt: problemTime === null ? sql`clock_timestamp()` : new Date(problemTime),
    };
    // Keeps the start of a continuing problem.
    const problemSince = sql`case when ${reserveProofs.problem} = ${problem} then ${reserveProofs.problemAt} else excluded.problem_at end`;
    const problemFields = { problem, details: row.details, problemAt: problemSince };
    await db.insert(reserveProofs).values(row).onConflictDoUpdate({ target: reserveProofs.id, set: problemFields });
    return false;
  }
}

async function createReport({
  clock,
  authority: readAuthorityState,
  esploraUrls,
  nodes,
  token,
  depth,
  signer,
  signal,
}: ReserveContext): Promise<ReserveReport> {
  const authority = await withReserveProblem(
    'LOG',
    readAuthorityState,
    (error) => error instanceof LogError || error instanceof SignerStateError,
  );
  const { genesis, genesisHash, head } = authority;
  const now = await clock.trustedNow();
  const addresses = [...authority.custody].flatMap(([address, from]) => (from <= now ? [address] : [])).toSorted();
  const minter = authority.minters.findLast(({ from }) => from <= now)?.address ?? '';
  if (minter.toLowerCase() !== signer.address.toLowerCase())
    throw new UnprovenError('LOG', `the log names ${minter} as the minter, and this key is of ${signer.address}`);
  if (addresses.length === 0) throw new UnprovenError('NO_CUSTODY', 'the log names no custody address yet');
  const [{ name: onlyNode }] = nodes;
  if (nodes.length < 2)
    throw new UnprovenError('ONE_NODE', `the signer has one RPC node, ${onlyNode}, and nothing to compare it with`);
  // Bitcoin first: anything minted afterwards was paid before, and anything burned is paid out later.
  const { bitcoin, custody } = await readUnspent(esploraUrls, addresses, signal);
  const settledAmount = await readSettledSupply(nodes, token, depth).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    if (error instanceof NodesDisagreeError) throw new UnprovenError('NODES', error.message);
    throw new UnprovenError('CHAIN', describeRpcError(error));
  });
  if (!settledAmount) throw new UnprovenError('CHAIN', 'the chain is too young');
  return {
    network: genesis.network,
    chainId: genesis.chainId,
    token,
    custody,
    satoshi: custody.reduce((sum, { satoshi }) => sum + BigInt(satoshi), 0n).toString(),
    bitcoin,
    supply: settledAmount.supply.toString(),
    evm: { block: toSafeInteger(settledAmount.block), hash: settledAmount.hash },
    authority: { genesis: genesisHash, number: head.number, hash: head.hash },
    at: new Date(await clock.trustedNow()).toISOString(),
  };
}

/** All sources at one block. Throws Unproven. */
async function readUnspent(
  urls: readonly string[],
  addresses: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Pick<ReserveReport, 'bitcoin' | 'custody'>> {
  const sourceBalances = await Promise.all(
    urls.map(async (url) => {
      const name = new URL(url).host;
      const balances = await withReserveProblem(
        'SOURCE',
        () => readSource(url, addresses, signal),
        () => !signal?.aborted,
      ).catch((error: unknown) => {
        throw error instanceof UnprovenError ? new UnprovenError('SOURCE', `${name}: ${error.message}`) : error;
      });
      if (!balances) throw new UnprovenError('DISAGREE', `${name}: a block came while it was asked`);
      return { name, ...balances };
    }),
  );
  const [firstSource, ...otherSources] = sourceBalances;
  if (!firstSource) throw new UnprovenError('SOURCE', 'no Bitcoin source is configured');
  for (const { name, tip, balances } of otherSources) {
    if (tip.hash !== firstSource.tip.hash)
      throw new UnprovenError('DISAGREE', `${firstSource.name} is at block ${firstSource.tip.height}, ${name} at ${tip.height}`);
    const differingIndex = addresses.findIndex((_, index) => !isSameBalance(balances[index], firstSource.balances[index]));
    if (differingIndex !== -1)
      throw new UnprovenError('DISAGREE', `${firstSource.name} and ${name} differ on ${addresses[differingIndex]}`);
  }
  return {
    bitcoin: firstSource.tip,
    custody: addresses.map((address, index) => ({ address, satoshi: (firstSource.balances[index]?.unspent ?? 0n).toString() })),
  };
}

type Balance = Awaited<ReturnType<typeof fetchBalance>>;
const isSameBalance = (left: Balance | undefined, right: Balance | undefined): boolean =>
  left?.unspent === right?.unspent && left?.funded === right?.funded && left?.spent === right?.spent;

/** Null: the newest block changed. */
async function readSource(url: string, addresses: readonly string[], signal: AbortSignal | undefined) {
  const tip = await fetchTip(url, signal);
  const balances: Balance[] = [];
  for (let from = 0; from < addresses.length; from += maxConcurrency)
    balances.push(
      ...(await Promise.all(addresses.slice(from, from + maxConcurrency).map((address) => fetchBalance(url, address, signal)))),
    );
  const tipAfter = await fetchTip(url, signal);
  return tipAfter.hash === tip.hash ? { tip, balances } : null;
}

async function withReserveProblem<T>(
  reason: ReserveProblem,
  runQuery: () => Promise<T>,
  isExpected = (_error: unknown) => true,
): Promise<T> {
  try {
    return await runQuery();
  } catch (error) {
    throw isExpected(error) ? new UnprovenError(reason, describeRpcError(error)) : error;
  }
}
