import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { getAbiItem, type Address, type Hex, type PublicClient } from 'viem';
import type { UnknownMint, Freeze, OpenFreeze, Reconciliation } from '../../api/custody/contract.ts';
import { satoshiToWei } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { createLogReader, type LogReader } from '../platform/evm/logs.ts';
import { readAgreed, ChainReorganizedError, mapInGroups, openNodes, type ChainNodes } from '../platform/evm/read.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { readTokenFigures } from '../platform/evm/supply.ts';
import { runRecordedPass } from '../platform/evm/watches.ts';
import { newId } from '../platform/core/ids.ts';
import { runAfterCurrent, type SingleFlight } from '../platform/core/single-flight.ts';
import { describeError } from '../platform/core/log.ts';
import { moneyFreezes } from './tables.ts';
import { mints } from '../mints/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import { lockFreezes, readOpenFreezes, type MoneyFreeze } from './shared/freezes.ts';
import { parseRefunds } from './shared/refund-freeze.ts';

// Compares bitcoin deposited, YBTC minted and supply at a settled block. Pending mints are asked for separately. Unreadable or
// changing data proves nothing. Only a difference seen by two reads opens a freeze.

const intervalMs = 60_000;
/** After a first difference. */
const retryMs = 5_000;
/** Two reads need different blocks or this distance. */
const minGapMs = 3_000;
const maxCallsPerBatch = 500;
/** A lying node can claim any number of refunds. */
const maxRefundsAgeMs = 120_000;
/** How far back to search for unknown mints. */
const unknownMintBlocks = 5_000n;
const maxUnknownMints = 10;

interface ReconciliationState extends SingleFlight<Reconciliation> {
  nodes: ChainNodes | null;
  logs: LogReader;
  /** A first difference that awaits confirmation. */
  first: { block: bigint; at: number } | null;
  /** By nonce and node: burned wei of refunds that can no longer change. */
  refunds: WeakMap<PublicClient, Map<bigint, bigint>>;
}

const stateOf = memoizePerServer(({ config, stopping }): ReconciliationState => ({
  nodes: config.evm && openNodes(config.evm, { signal: stopping }),
  logs: createLogReader(),
  running: null,
  next: null,
  first: null,
  refunds: new WeakMap(),
}));

/** Shares one comparison among callers. Opens a freeze if two reads differ. */
export function reconcile(services: Services): Promise<Reconciliation> {
  const reconciliationState = stateOf(services);
  const runComparison = () => compareLedgerWithChain(services, reconciliationState);
  return runAfterCurrent(reconciliationState, () =>
    reconciliationState.nodes ? runRecordedPass(services, 'reconciliation', runComparison, failureReasonOf) : runComparison(),
  );
}

const failureReasonOf = ({ state }: Reconciliation) => (state === 'unreachable' || state === 'unsettled' ? state : null);

export function startReconciliation(services: Services): () => Promise<void> {
  const reconciliationState = stateOf(services);
  if (!reconciliationState.nodes) return async () => {};
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const scheduleNext = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      void reconcile(services)
        .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'reconciliation failed, will retry'))
        .finally(() => scheduleNext(reconciliationState.first ? retryMs : intervalMs));
    }, ms);
    timer.unref();
  };
  scheduleNext(retryMs);
  return async () => {
    isStopped = true;
    if (timer) clearTimeout(timer);
    await (reconciliationState.next ?? reconciliationState.running)?.catch(() => {});
  };
}

export const presentFreeze = (freeze: MoneyFreeze): Freeze => ({
  ...presentOpening(freeze),
  supplyOff: freeze.supplyOff.toString(),
  ledgerOff: freeze.ledgerOff.toString(),
  aliens: parseUnknownMints(freeze),
  refunds: parseRefunds(freeze),
});

/** Public part of a freeze: time, and for one by hand who and why. */
export const presentOpening = ({
  id,
  kind,
  openedEmail,
  openedReason,
  at,
}: MoneyFreeze): Omit<OpenFreeze, 'lifting' | 'others'> => ({
  id,
  kind,
  by: openedEmail,
  reason: openedReason,
  at: at.toISOString(),
});

/** As of the opening. */
export const parseUnknownMints = ({ figures }: MoneyFreeze): UnknownMint[] =>
  (JSON.parse(figures) as { aliens?: UnknownMint[] }).aliens ?? [];

async function compareLedgerWithChain(services: Services, reconciliationState: ReconciliationState): Promise<Reconciliation> {
  const { config, database, now } = services;
  const { evm } = config;
  const ledgerFields = async (ledger: Ledger) => ({
    readAt: new Date(now()).toISOString(),
    deposited: ledger.deposited.toString(),
    withdrawn: ledger.withdrawn.toString(),
    minted: ledger.minted.toString(),
    underWay: ledger.underWay.toString(),
    ledgerOff: ledger.off.toString(),
    ...(await readFreezeState(database.db)),
    ...unknownChain,
  });
  const { nodes } = reconciliationState;
  if (!evm || !nodes) return { state: 'off', ...(await ledgerFields(await readLedger(database.db, null, null))) };

  /** Read once for all nodes, after choosing the block, so that it includes all mints of the block. */
  let ledgerRead: Promise<Ledger> | null = null;
  const readLedgerAt = (block: bigint) => (ledgerRead ??= readLedger(database.db, evm.chainId, block));
  const comparison = await nullOnFailure(services, async () => ({
    settled: await readAgreed(nodes, evm.mintDepth, async (client, block) =>
      readChain(evm, client, block, await readLedgerAt(block), refundCacheOf(reconciliationState, client)),
    ).catch((error: unknown) => {
      if (error instanceof ChainReorganizedError) return null;
      throw error;
    }),
  }));
  const ledger = await (ledgerRead ?? readLedger(database.db, evm.chainId, null));
  if (!comparison) return { state: 'unreachable', ...(await ledgerFields(ledger)) };
  if (!comparison.settled) return { state: 'unsettled', ...(await ledgerFields(ledger)) };

  const { block, figures } = comparison.settled;
  const { 'the supply': supply, 'the burned amount': burnt, 'the amount that arrived': arrived } = figures;
  const expected = ledger.settled + arrived - burnt;
  const difference: Difference = { supply: supply - expected, ledger: ledger.off };
  const result = {
    ...(await ledgerFields(ledger)),
    block: block.toString(),
    ...toFigureTexts({ supply, burnt, expected, supplyOff: difference.supply }),
  };
  if (isZero(difference)) {
    reconciliationState.first = null;
    await clearAcceptance(services);
    return { state: 'agrees', ...result };
  }
  if (isSameDifference(difference, await acceptedDifference(database.db))) {
    reconciliationState.first = null;
    return { state: 'accepted', ...result };
  }
  // The chain may have been replaced.
  reconciliationState.refunds = new WeakMap();
  const hasLostMint = await nullOnFailure(services, async () => hasLostMints(services, evm, await nodes[0].client(), block));
  if (hasLostMint === null) return { state: 'unreachable', ...result, ...unknownChain };
  if (hasLostMint) return { state: 'unsettled', ...result };

  const aliens =
    (await nullOnFailure(services, async () =>
      readUnknownMints(services, evm, await nodes[0].client(), block, reconciliationState.logs),
    )) ?? [];
  const { first } = reconciliationState;
  if (!first) reconciliationState.first = { block, at: now() };
  const isConfirmedDifference = first !== null && (block > first.block || now() - first.at >= minGapMs);
  if (isConfirmedDifference) await openDifferenceFreeze(services, difference, { ...result, aliens });
  return { state: 'differs', ...result, aliens, ...(isConfirmedDifference ? await readFreezeState(database.db) : {}) };
}

const unknownChain = { block: null, burnt: null, supply: null, expected: null, supplyOff: null, aliens: [] };

/** Excess of supply, and of minted over deposited, in wei. */
interface Difference {
  supply: bigint;
  ledger: bigint;
}
const isZero = ({ supply, ledger }: Difference) => supply === 0n && ledger === 0n;
const isSameDifference = (a: Difference, b: Difference | null) => b !== null && a.supply === b.supply && a.ledger === b.ledger;

const toFigureTexts = (figures: Record<'burnt' | 'supply' | 'expected' | 'supplyOff', bigint>) => ({
  burnt: figures.burnt.toString(),
  supply: figures.supply.toString(),
  expected: figures.expected.toString(),
  supplyOff: figures.supplyOff.toString(),
});

/** Null: a failed read, which is not a difference. */
async function nullOnFailure<T>({ log }: Services, runRequest: () => Promise<T>): Promise<T | null> {
  try {
    return await runRequest();
  } catch (error) {
    log.info({ err: describeRpcError(error) }, 'could not read the chain for reconciliation');
    return null;
  }
}

function refundCacheOf({ refunds }: ReconciliationState, client: PublicClient): Map<bigint, bigint> {
  const knownRefunds = refunds.get(client) ?? new Map<bigint, bigint>();
  refunds.set(client, knownRefunds);
  return knownRefunds;
}

/** Compared between nodes. */
async function readChain(
  { contracts }: EvmConfig,
  client: PublicClient,
  blockNumber: bigint,
  { moving }: Ledger,
  refunds: Map<bigint, bigint>,
) {
  const mintedForCall = { address: contracts.ybtc, abi: ybtcAbi, functionName: 'mintedFor', blockNumber } as const;
  const [token, burnt, minted] = await Promise.all([
    readTokenFigures(client, contracts.ybtc, blockNumber),
    readBurnedAmount(client, contracts, blockNumber, refunds),
    mapInGroups(moving, maxCallsPerBatch, ({ hash }) => client.readContract({ ...mintedForCall, args: [hash] })),
  ]);
  const arrived = moving.reduce((sum, { amount }, index) => (minted[index] === 0n ? sum : sum + amount), 0n);
  return { ...token, 'the burned amount': burnt, 'the amount that arrived': arrived };
}

const [requestedStatus, confirmedStatus, completedStatus, canceledStatus] = [1, 2, 3, 4];

/**
 * Wei burned by confirmed refunds. Rereads all that can still change without a limit, so that many open requests by strangers
 * cannot hide a difference.
 */
async function readBurnedAmount(
  client: PublicClient,
  { custodyBridge, ybtc }: EvmConfig['contracts'],
  block: bigint,
  knownRefunds: Map<bigint, bigint>,
): Promise<bigint> {
  const bridge = { address: custodyBridge, abi: custodyBridgeAbi, blockNumber: block } as const;
  const count = await client.readContract({ ...bridge, functionName: 'nonce' });
  if ([...knownRefunds.keys()].some((nonce) => nonce >= count)) knownRefunds.clear();
  const deadline = performance.now() + maxRefundsAgeMs;
  const readRefunds = async (nonces: readonly bigint[]) => {
    if (performance.now() > deadline)
      throw new Error(`reading the refunds of the bridge (${count}) took longer than ${maxRefundsAgeMs} ms`);
    const refundRequests = await Promise.all(
      nonces.map((nonce) => client.readContract({ ...bridge, functionName: 'refundRequests', args: [nonce] })),
    );
    for (const [index, [, token, , amount, , , , status]] of refundRequests.entries()) {
      const nonce = nonces[index];
      if (nonce === undefined || status === requestedStatus) continue;
      const isBurned = (status === confirmedStatus || status === completedStatus) && token.toLowerCase() === ybtc.toLowerCase();
      if (isBurned || status === canceledStatus) knownRefunds.set(nonce, isBurned ? amount : 0n);
    }
  };
  let nonceBatch: bigint[] = [];
  for (let nonce = 0n; nonce < count; nonce++) {
    if (!knownRefunds.has(nonce)) nonceBatch.push(nonce);
    if (nonceBatch.length < maxCallsPerBatch) continue;
    await readRefunds(nonceBatch);
    nonceBatch = [];
  }
  await readRefunds(nonceBatch);
  return [...knownRefunds.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** A final mint was reorganized out. Totals are unreliable until it is sent again. */
async function hasLostMints({ database }: Services, { contracts, chainId }: EvmConfig, client: PublicClient, block: bigint) {
  const finalMints = await database.db
    .select({ hash: mints.depositHash })
    .from(mints)
    .where(and(eq(mints.state, 'final'), eq(mints.chainId, chainId), sql`${mints.blockNumber} <= ${block}`))
    .orderBy(desc(mints.blockNumber))
    .limit(200);
  const mintedAmounts = await Promise.all(
    finalMints.map(({ hash }) =>
      client.readContract({
        address: contracts.ybtc,
        abi: ybtcAbi,
        functionName: 'mintedFor',
        args: [hash as Hex],
        blockNumber: block,
      }),
    ),
  );
  return mintedAmounts.includes(0n);
}

/** The newest mints on chain that the ledger lacks or gave up. */
async function readUnknownMints(
  { database }: Services,
  { contracts }: EvmConfig,
  client: PublicClient,
  block: bigint,
  reader: LogReader,
): Promise<UnknownMint[]> {
  const event = getAbiItem({ abi: ybtcAbi, name: 'DepositMinted' });
  const search = (fromBlock: bigint, toBlock: bigint) =>
    client.getLogs({ address: contracts.ybtc, event, fromBlock, toBlock, strict: true });
  const logs = await reader.read(search, block > unknownMintBlocks ? block - unknownMintBlocks : 0n, block);
  const hashes = [...new Set(logs.map(({ args }) => args.depositHash))];
  const knownHashes = new Set<string>();
  for (let from = 0; from < hashes.length; from += 1000) {
    const hashBatch = hashes.slice(from, from + 1000);
    const rows = await database.db
      .select({ hash: mints.depositHash })
      .from(mints)
      .where(and(inArray(mints.depositHash, hashBatch), notInArray(mints.state, ['failed', 'canceled', 'closed'])));
    for (const { hash } of rows) knownHashes.add(hash);
  }
  return logs
    .filter(({ args }) => !knownHashes.has(args.depositHash))
    .slice(-maxUnknownMints)
    .map(({ transactionHash, blockNumber, args }) => ({
      transaction: transactionHash,
      depositHash: args.depositHash,
      to: args.to satisfies Address,
      amount: args.amount.toString(),
      block: blockNumber.toString(),
    }));
}

interface Ledger {
  /** Satoshi. */
  deposited: bigint;
  withdrawn: bigint;
  /** Wei: final, pending, and final in settled blocks. */
  minted: bigint;
  underWay: bigint;
  settled: bigint;
  /** Pending mints that must be asked for. */
  moving: { hash: Hex; amount: bigint }[];
  /** Minted minus deposited. */
  off: bigint;
}

/** One statement, so one moment, after choosing the block. */
async function readLedger(queries: Queries, chainId: number | null, block: bigint | null): Promise<Ledger> {
  const isOnChainSql = sql`(${chainId}::integer is null or m.chain_id = ${chainId}::integer)`;
  const isLaterSql = sql`coalesce(m.block_number, 0) > ${(block ?? 0n).toString()}::bigint`;
  const moving = sql`m.state in ('queued', 'signed', 'sent', 'mined')`;
  const { rows } = await queries.execute<
    Record<keyof Omit<Ledger, 'moving' | 'off'>, string> & { moving: [string, string][] }
  >(sql`
    select
      (select coalesce(sum(d.amount), 0)::text from deposits d left join mints m on m.deposit_id = d.id
        where d.mint_status = 'done' and (m.id is null or ${isOnChainSql})) as deposited,
      (select coalesce(sum(amount), 0)::text from withdrawals where status in ('withdrawable', 'done')) as withdrawn,
      coalesce(sum(m.amount) filter (where m.state = 'final'), 0)::text as minted,
      coalesce(sum(m.amount) filter (where ${moving}), 0)::text as "underWay",
      coalesce(sum(m.amount) filter (where m.state = 'final' and not (${isLaterSql})), 0)::text as settled,
      coalesce(json_agg(json_build_array(m.deposit_hash, m.amount::text))
        filter (where ${moving} or (m.state = 'final' and ${isLaterSql})), '[]') as moving
    from mints m where ${isOnChainSql}`);
  const [row] = rows;
  if (!row) throw new Error('the ledger query returned no row');
  const [deposited, minted] = [BigInt(row.deposited), BigInt(row.minted)];
  return {
    deposited,
    minted,
    withdrawn: BigInt(row.withdrawn),
    underWay: BigInt(row.underWay),
    settled: BigInt(row.settled),
    moving: row.moving.map(([hash, amount]) => ({ hash: hash as Hex, amount: BigInt(amount) })),
    off: minted - satoshiToWei(deposited),
  };
}

async function readFreezeState(queries: Queries): Promise<Pick<Reconciliation, 'freeze' | 'accepted'>> {
  const [openFreeze] = await readOpenFreezes(queries);
  const [acceptedFreeze] = await queries
    .select({ at: moneyFreezes.resolvedAt, by: administrators.email, reason: moneyFreezes.reason })
    .from(moneyFreezes)
    .leftJoin(administrators, eq(administrators.id, moneyFreezes.resolvedBy))
    .where(eq(moneyFreezes.standing, true));
  return {
    freeze: openFreeze ? presentFreeze(openFreeze) : null,
    accepted: acceptedFreeze?.at
      ? { at: acceptedFreeze.at.toISOString(), by: acceptedFreeze.by ?? '', reason: acceptedFreeze.reason ?? '' }
      : null,
  };
}

async function acceptedDifference(queries: Queries): Promise<Difference | null> {
  const [acceptedFreeze] = await queries
    .select({ supply: moneyFreezes.supplyOff, ledger: moneyFreezes.ledgerOff })
    .from(moneyFreezes)
    .where(eq(moneyFreezes.standing, true));
  return acceptedFreeze ?? null;
}

/** Forgets an acceptance when its difference ends: the same one later needs another. */
async function clearAcceptance(services: Services): Promise<void> {
  const { db } = services.database;
  if (!(await acceptedDifference(db))) return;
  await db.transaction(async (tx) => {
    await lockFreezes(tx);
    const clearedFreezes = await tx
      .update(moneyFreezes)
      .set({ standing: false })
      .where(eq(moneyFreezes.standing, true))
      .returning();
    for (const { id } of clearedFreezes)
      await recordSystemAudit(tx, services, {
        entity: 'freeze',
        id,
        action: 'gone',
        before: { standing: true },
        after: { standing: false },
      });
  });
}

async function openDifferenceFreeze(services: Services, difference: Difference, figures: object): Promise<void> {
  await services.database.db.transaction(async (tx) => {
    await lockFreezes(tx);
    // It may have been accepted since.
    if (
      isSameDifference(difference, await acceptedDifference(tx)) ||
      (await readOpenFreezes(tx)).some(({ kind }) => kind === 'difference')
    )
      return;
    const row = {
      id: newId(),
      figures: JSON.stringify(figures),
      at: new Date(services.now()),
      supplyOff: difference.supply,
      ledgerOff: difference.ledger,
    };
    await tx.insert(moneyFreezes).values(row);
    const auditedFigures = { supplyOff: difference.supply.toString(), ledgerOff: difference.ledger.toString(), ...figures };
    await recordSystemAudit(tx, services, { entity: 'freeze', id: row.id, action: 'freeze', after: auditedFigures });
    services.log.error({ freeze: row.id, ...auditedFigures }, 'deposits, mints and supply differ, money is frozen');
  });
}
