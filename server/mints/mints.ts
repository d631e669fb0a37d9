import { and, desc, eq, sql } from 'drizzle-orm';
import { formatGwei, type Address, type Hex } from 'viem';
import { lockFreezesShared, isFrozen } from '../custody/shared/freezes.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { transactionHash, isSignedBy, type Fees, type MintReceipt, type MintChain } from '../platform/evm/mint.ts';
import { isDue } from '../platform/db/due.ts';
import { NodesDisagree } from '../platform/evm/read.ts';
import { describeRpcError, rpcProblemOf } from '../platform/evm/rpc-problem.ts';
import { isBlocked, isBlockedRow } from '../deposits/shared/blocks.ts';
import { deposits } from '../deposits/tables.ts';
import { mints, mintTransactions, signerNonces } from './tables.ts';
import { forDeployment } from './deployment.ts';

// queued → signed (bytes and nonce stored) → sent → mined → final. After a crash the same bytes
// continue. The contract refuses a second mint of a deposit. What it shows counts as minted.
// Nothing is signed or sent while money is frozen.

export type Mint = typeof mints.$inferSelect;

export interface MintWork {
  services: Pick<Services, 'log' | 'database' | 'now'>;
  chain: MintChain;
  depth: bigint;
  limits: Fees;
  /** 'unknown': the Bitcoin sources fail or disagree. */
  evidence: (mint: Mint) => Promise<MintEvidence>;
  /**
   * Null: people signed for exactly this mint. `signing`: records the check before the signature.
   */
  permit: (mint: Mint, signing: boolean) => Promise<MintHalt | null>;
  /** Why all mints stop, including signed ones. */
  standstill: () => Promise<MintHalt | null>;
  /** Why nothing may happen: the clock is not trusted. */
  halted?: () => Promise<MintHalt | null>;
  signal?: AbortSignal | undefined;
  bumpMs?: number;
  at?: (point: string) => void | Promise<void>;
}

const leaseMs = 30_000;
const retryDelayMs = 1_000;
const maxRetryDelayMs = 60_000;
/** Short, so that mints resume soon after nodes and sources recover. */
export const maxNodeRetryDelayMs = 3_000;
const nodeProblems: ReadonlySet<string> = new Set(['RPC', 'NODES', 'EVIDENCE']);
const defaultBumpMs = 45_000;

export interface MintEvidence {
  readonly verdict: 'holds' | 'broken' | 'unknown';
  readonly details: string | null;
}

export interface MintHalt {
  readonly reason: string;
  readonly details: string | null;
  readonly until?: Date;
}

export async function stepMints(work: MintWork): Promise<void> {
  const halted = await work.halted?.();
  if (halted) return recordHalt(work, halted);
  while (!work.signal?.aborted) {
    const mint = await leaseMint(work);
    if (!mint) return;
    try {
      await step(work, mint);
    } catch (error) {
      if (work.signal?.aborted) return postpone(work, mint);
      const { problem, details } = reasonOf(error);
      work.services.log.warn({ mint: mint.id, state: mint.state, problem, err: details }, 'mint not processed yet, will retry');
      await postpone(work, mint, { problem, details });
    }
  }
}

function reasonOf(error: unknown): { problem: string; details: string | null } {
  if (error instanceof NotSigned) return error;
  const problem = error instanceof NodesDisagree ? 'NODES' : 'RPC';
  return { problem, details: error instanceof NodesDisagree ? error.message.slice(0, 500) : describeRpcError(error) };
}

/** Writes no time, because the clock is not trusted. */
async function recordHalt({ services, chain }: MintWork, halted: MintHalt): Promise<void> {
  const why = authorityProblem(halted);
  await services.database.db
    .update(mints)
    .set(why)
    .where(
      and(
        forDeployment(chain),
        sql`${mints.state} in ('queued', 'signed', 'sent', 'mined')`,
        sql`${mints.details} is distinct from ${why.details}`,
      ),
    );
}

class NotSigned extends Error {
  override name = 'NotSigned';
  readonly problem: 'FROZEN' | 'BLOCKED' | 'FEES' | 'AUTHORITY';
  readonly details: string | null;
  constructor(problem: NotSigned['problem'], details: string | null = null) {
    super(problem);
    this.problem = problem;
    this.details = details;
  }
}

const testHook = async (work: MintWork, name: string) => work.at?.(name);
const clock = ({ services }: MintWork) => new Date(services.now());
const dateAfter = (work: MintWork, ms: number) => new Date(work.services.now() + ms);

/** Another process can take the mint after the lease. */
async function leaseMint(work: MintWork): Promise<Mint | null> {
  const at = work.services.now();
  const dueMints = sql`select ${mints.id} from ${mints} where ${forDeployment(work.chain)} and ${mints.state} in ('queued', 'signed', 'sent', 'mined')
    and ${isDue(mints.nextAt, at, maxRetryDelayMs)} and (${mints.leasedUntil} is null or ${isDue(mints.leasedUntil, at, leaseMs)})
    order by ${mints.nextAt}, ${mints.id} limit 1 for update skip locked`;
  const [mint] = await work.services.database.db
    .update(mints)
    .set({ leasedUntil: dateAfter(work, leaseMs), attempts: sql`${mints.attempts} + 1` })
    .where(sql`${mints.id} in (${dueMints})`)
    .returning();
  return mint ?? null;
}

/** WHERE clause: only while this process still holds the lease. */
const stillLeased = ({ id, attempts, state }: Mint) =>
  and(eq(mints.id, id), eq(mints.attempts, attempts), eq(mints.state, state));

type Change = Partial<Omit<typeof mints.$inferInsert, 'id'>>;

/** Exponential backoff, capped at what `take` accepts, because a later stamp would count as due. */
async function postpone(work: MintWork, mint: Mint, { nextAt, ...change }: Change & { nextAt?: Date } = {}): Promise<void> {
  const maxDelayMs = nodeProblems.has(change.problem ?? '') ? maxNodeRetryDelayMs : maxRetryDelayMs;
  const wait = change.problem ? Math.min(maxDelayMs, retryDelayMs * 2 ** Math.min(mint.attempts, 10)) : retryDelayMs;
  const requestedMs = nextAt ? nextAt.getTime() - work.services.now() : wait;
  await work.services.database.db
    .update(mints)
    .set({ nextAt: dateAfter(work, Math.min(requestedMs, maxRetryDelayMs)), leasedUntil: null, ...change })
    .where(stillLeased(mint));
}

/** Null: it may be signed and sent. */
async function haltReason(work: MintWork, { depositId }: Mint) {
  const { db } = work.services.database;
  if (await isFrozen(db)) return frozenProblem;
  if (await isBlocked(db, depositId)) return blockedProblem;
  const stopped = await work.standstill();
  return stopped && authorityProblem(stopped);
}

/** Changes the state together with the deposit and the audit. */
export async function transitionTo(
  work: MintWork,
  mint: Mint,
  state: Mint['state'],
  change: Change,
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const now = clock(work);
  await work.services.database.db.transaction(async (tx) => {
    const [after] = await tx
      .update(mints)
      .set({ state, attempts: 0, nextAt: now, leasedUntil: null, problem: null, details: null, updatedAt: now, ...change })
      .where(stillLeased(mint))
      .returning();
    if (!after) return;
    await also?.(tx);
    const shown = depositStateOf[state];
    if (shown !== depositStateOf[mint.state])
      await tx
        .update(deposits)
        .set({ mintStatus: shown, version: sql`${deposits.version} + 1`, updatedAt: now })
        .where(eq(deposits.id, mint.depositId));
    const record = (row: Mint) => ({ state: row.state, nonce: row.nonce, hash: row.hash, problem: row.problem });
    await recordSystemAudit(tx, work.services, {
      entity: 'mint',
      id: mint.depositId,
      action: state,
      before: record(mint),
      after: record(after),
    });
    await testHook(work, `${state}: before commit`);
  });
  await testHook(work, `${state}: committed`);
}

const depositStateOf = {
  queued: 'queued',
  signed: 'sent',
  sent: 'sent',
  mined: 'sent',
  final: 'done',
  failed: 'failed',
  canceled: 'canceled',
  closed: 'closed',
} as const satisfies Record<Mint['state'], unknown>;

function step(work: MintWork, mint: Mint): Promise<void> {
  if (mint.state === 'queued') return signMint(work, mint);
  if (mint.state === 'signed') return broadcastMint(work, mint);
  if (mint.state === 'sent') return trackMint(work, mint);
  return finalizeMint(work, mint);
}

async function signMint(work: MintWork, mint: Mint): Promise<void> {
  const { chain, services } = work;
  const halt = await haltReason(work, mint);
  if (halt) return postpone(work, mint, halt);
  // An earlier transaction may be on chain. Checked before Bitcoin, whose output may have been spent
  // since.
  if (await adoptMint(work, mint)) return;
  if (await isMinted(work, mint)) return;
  if (mint.signFrom && mint.signFrom > clock(work)) return postpone(work, mint, { nextAt: mint.signFrom, ...noProblem });
  const refused = await work.permit(mint, false);
  if (refused) return postpone(work, mint, { ...authorityProblem(refused), ...(refused.until && { nextAt: refused.until }) });
  const { verdict, details } = await work.evidence(mint);
  if (verdict === 'unknown') return postpone(work, mint, { problem: 'EVIDENCE', details });
  if (verdict === 'broken') return transitionTo(work, mint, 'failed', { problem: 'EVIDENCE', details });
  if ((await chain.minted(mint.depositHash as Hex, work.depth)) !== 0n)
    throw new Error('a settled block has a mint of this deposit, and the newest block has none');
  const [fees, onChain] = [await chain.fees(), await agreedNonce(work)];
  await testHook(work, 'queued: asked');
  const db = services.database.db;
  const nonce = await db.transaction(async (tx) => {
    const key = { chainId: chain.chainId, address: chain.signer.address };
    await tx
      .insert(signerNonces)
      .values({ ...key, next: onChain })
      .onConflictDoNothing();
    const where = and(eq(signerNonces.chainId, key.chainId), eq(signerNonces.address, key.address));
    const [counter] = await tx.select().from(signerNonces).where(where).for('update');
    const [still] = await tx.select().from(mints).where(stillLeased(mint)).for('update');
    if (!counter || !still) return null;
    const next = Math.max(counter.next, onChain);
    await tx
      .update(signerNonces)
      .set({ next: next + 1 })
      .where(where);
    await storeSigned(work, tx, mint, next, fees);
    await tx
      .update(mints)
      .set({ state: 'signed', nonce: next, attempts: 0, leasedUntil: null, problem: null, details: null, updatedAt: clock(work) })
      .where(eq(mints.id, mint.id));
    await tx
      .update(deposits)
      .set({ mintStatus: 'sent', version: sql`${deposits.version} + 1`, updatedAt: clock(work) })
      .where(eq(deposits.id, mint.depositId));
    await recordSystemAudit(tx, services, { entity: 'mint', id: mint.depositId, action: 'signed', after: { nonce: next } });
    await testHook(work, 'signed: before commit');
    return next;
  });
  if (nonce !== null) await testHook(work, 'signed: committed');
}

/** Asks twice, because a wrong nonce leaves a gap that blocks all later transactions. */
async function agreedNonce({ chain }: MintWork): Promise<number> {
  const [first, second] = [await chain.nonce(), await chain.nonce()];
  if (first !== second) throw new Error(`the RPC reported two different nonces, ${first} and ${second}`);
  return first;
}

/**
 * The only place that signs. Throws NotSigned if money is frozen, the deposit is blocked,
 * signatures are missing or fees too high. A freeze that comes now waits for the commit.
 */
async function storeSigned(work: MintWork, tx: Tx, mint: Mint, nonce: number, fees: Fees): Promise<Hex> {
  const { chain } = work;
  const dear = exceedsFeeLimits(work, fees);
  if (dear !== null) throw new NotSigned('FEES', dear);
  await lockFreezesShared(tx);
  if (await isFrozen(tx)) throw new NotSigned('FROZEN');
  if (await isBlocked(tx, mint.depositId)) throw new NotSigned('BLOCKED');
  const refused = await work.permit(mint, true);
  if (refused) throw new NotSigned('AUTHORITY', authorityProblem(refused).details);
  for (let offered = fees; ; offered = { ...offered, maxFeePerGas: offered.maxFeePerGas + 1n }) {
    const raw = await chain.signer.sign({ chainId: chain.chainId, nonce, ...mintCall(chain, mint), ...offered });
    const row = {
      hash: transactionHash(raw),
      mintId: mint.id,
      nonce,
      raw: chain.signer.seal(raw),
      ...offered,
      createdAt: clock(work),
    };
    const [added] = await tx
      .insert(mintTransactions)
      .values(row)
      .onConflictDoNothing()
      .returning({ hash: mintTransactions.hash });
    if (added || (await isStored(work, tx, raw))) return raw;
    // The stored bytes of this hash were changed and rows cannot be overwritten, so one more wei makes another transaction.
  }
}

async function isStored({ chain }: MintWork, tx: Tx, raw: Hex): Promise<boolean> {
  const [row] = await tx
    .select({ raw: mintTransactions.raw })
    .from(mintTransactions)
    .where(eq(mintTransactions.hash, transactionHash(raw)));
  return row !== undefined && chain.signer.open(row.raw) === raw;
}

function exceedsFeeLimits({ limits }: MintWork, fees: Fees): string | null {
  const say = (name: string, offered: bigint, max: bigint) =>
    offered > max ? [`${name} ${formatGwei(offered)} > ${formatGwei(max)} gwei`] : [];
  const over = [
    ...say('fee', fees.maxFeePerGas, limits.maxFeePerGas),
    ...say('tip', fees.maxPriorityFeePerGas, limits.maxPriorityFeePerGas),
  ];
  return over.length > 0 ? over.join(', ') : null;
}

const authorityProblem = ({ reason, details }: MintHalt) => ({
  problem: 'AUTHORITY',
  details: details === null ? reason : `${reason}: ${details}`,
});
const frozenProblem = { problem: 'FROZEN', details: null };
const blockedProblem = { problem: 'BLOCKED', details: null };
const noProblem = { problem: null, details: null };

async function broadcastMint(work: MintWork, mint: Mint): Promise<void> {
  const halt = await haltReason(work, mint);
  if (halt) return postpone(work, mint, halt);
  const [newest] = await ownTransaction(work, mint);
  if (!newest) return requeue(work, mint);
  await testHook(work, 'signed: sending');
  const refused = await broadcastRaw(work, newest.raw);
  await testHook(work, 'signed: handed over');
  const offered = { sentAt: clock(work), nextAt: dateAfter(work, retryDelayMs) };
  if (refused === null) return transitionTo(work, mint, 'sent', offered);
  const problem = { problem: 'RPC', details: refused };
  // If the node keeps refusing, treat it as sent so that its fee is raised. Later nonces wait for it.
  if (work.services.now() - mint.updatedAt.getTime() <= bumpAfter(work)) return postpone(work, mint, problem);
  await transitionTo(work, mint, 'sent', { ...offered, ...problem });
}

const bumpAfter = ({ bumpMs = defaultBumpMs }: MintWork) => bumpMs;

/** Null: accepted, or the nonce is used; the chain shows by which transaction. */
async function broadcastRaw({ chain }: MintWork, raw: Hex): Promise<string | null> {
  try {
    await chain.send(raw);
    return null;
  } catch (error) {
    return rpcProblemOf(error) === 'nonceTooLow' ? null : describeRpcError(error);
  }
}

async function trackMint(work: MintWork, mint: Mint): Promise<void> {
  if (await adoptMint(work, mint)) return;
  const { chain } = work;
  const ownTransactions = await ownTransaction(work, mint);
  const [newest] = ownTransactions;
  if (!newest) return requeue(work, mint);
  for (const { hash } of ownTransactions) {
    const mined = await chain.mined(hash as Hex);
    if (mined && !mined.success) return markReverted(work, mint, mined);
  }
  const nonce = mint.nonce ?? 0;
  // The nonce is used beyond any reorganization, and not by our transactions.
  if ((await chain.nonce(work.depth)) > nonce)
    return (await isMinted(work, mint)) ? undefined : transitionTo(work, mint, 'failed', { problem: 'NONCE_TAKEN' });
  const halt = await haltReason(work, mint);
  if (halt) return postpone(work, mint, halt);
  if (await fillGap(work, mint)) return;
  let { raw } = newest;
  if (work.services.now() - (mint.sentAt?.getTime() ?? 0) > bumpAfter(work)) {
    const fees = bumpFees(newest, await chain.fees());
    const dear = exceedsFeeLimits(work, fees);
    if (dear !== null) {
      const refused = await broadcastRaw(work, raw);
      return postpone(work, mint, refused === null ? { problem: 'FEES', details: dear } : { problem: 'RPC', details: refused });
    }
    try {
      raw = await work.services.database.db.transaction((tx) => storeSigned(work, tx, mint, nonce, fees));
    } catch (error) {
      // Sign nothing new without approval, but keep offering the bytes that were sent.
      if (error instanceof NotSigned && error.problem === 'AUTHORITY') await broadcastRaw(work, raw);
      throw error;
    }
    await testHook(work, 'sent: bumped');
    const refused = await broadcastRaw(work, raw);
    return postpone(work, mint, refused === null ? { sentAt: clock(work) } : { problem: 'RPC', details: refused });
  }
  const refused = await broadcastRaw(work, raw);
  await postpone(work, mint, refused === null ? {} : { problem: 'RPC', details: refused });
}

/** Newest first. Checked in the bytes, because anyone with the database can write any row. */
async function ownTransaction(work: MintWork, mint: Mint) {
  const { chain } = work;
  const call = { chainId: chain.chainId, nonce: mint.nonce ?? -1, ...mintCall(chain, mint) };
  const ownTransactions: (Fees & { hash: string; raw: Hex })[] = [];
  for (const { raw: stored, hash, maxFeePerGas, maxPriorityFeePerGas } of await transactionsOf(work, mint)) {
    const raw = chain.signer.open(stored);
    if (raw !== null && (await isSignedBy(raw, chain.signer.address, call)))
      ownTransactions.push({ hash, raw, maxFeePerGas, maxPriorityFeePerGas });
  }
  return ownTransactions;
}

/** Without own bytes it starts over, which checks Bitcoin and approvals again. */
const requeue = (work: MintWork, mint: Mint) => transitionTo(work, mint, 'queued', { nonce: null, sentAt: null });

const mintCall = (chain: MintChain, { depositHash, recipient, amount }: Mint) =>
  chain.callData({ depositHash: depositHash as Hex, recipient: recipient as Address, amount });

/**
 * A lower nonce of a failed mint would block this one, so this mint takes it. The contract lets
 * only one of the two mint.
 */
async function fillGap(work: MintWork, mint: Mint): Promise<boolean> {
  const { chain } = work;
  const next = await agreedNonce(work);
  if (mint.nonce === null || next >= mint.nonce) return false;
  const fees = await chain.fees();
  return work.services.database.db.transaction(async (tx) => {
    const where = and(eq(signerNonces.chainId, chain.chainId), eq(signerNonces.address, chain.signer.address));
    await tx.select().from(signerNonces).where(where).for('update');
    const owners = await tx
      .select()
      .from(mints)
      .where(
        and(
          forDeployment(chain),
          eq(mints.nonce, next),
          sql`${mints.state} in ('signed', 'sent', 'mined', 'final')`,
          sql`(${mints.state} <> 'sent' or ${mints.problem} is distinct from 'AUTHORITY')`,
          // A blocked mint must not hold up others.
          sql`(${mints.state} in ('mined', 'final') or not exists (
            select 1 from ${deposits} where ${deposits.id} = ${mints.depositId} and ${isBlockedRow}))`,
        ),
      );
    const [still] = await tx.select().from(mints).where(stillLeased(mint)).for('update');
    if (!still) return false;
    for (const owner of owners) if ((await ownTransaction(work, owner)).length > 0) return false;
    await storeSigned(work, tx, mint, next, fees);
    await tx
      .update(mints)
      .set({ state: 'signed', nonce: next, attempts: 0, leasedUntil: null, problem: null, details: null, updatedAt: clock(work) })
      .where(eq(mints.id, mint.id));
    const note = { entity: 'mint', id: mint.depositId, action: 'signed' } as const;
    await recordSystemAudit(tx, work.services, { ...note, before: { nonce: mint.nonce }, after: { nonce: next } });
    return true;
  });
}

/** Nodes accept a replacement only with both fees raised by an eighth. */
function bumpFees(before: Fees, now: Fees): Fees {
  const more = (value: bigint) => value + value / 8n + 1n;
  const max = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = max(more(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxPriorityFeePerGas, maxFeePerGas: max(max(more(before.maxFeePerGas), now.maxFeePerGas), maxPriorityFeePerGas) };
}

async function markReverted(work: MintWork, mint: Mint, { blockNumber, blockHash }: MintReceipt): Promise<void> {
  const head = await work.chain.head();
  if (head < blockNumber + work.depth) return postpone(work, mint); // a reorganization may still change the result
  if ((await work.chain.nonce(work.depth)) <= (mint.nonce ?? 0))
    return postpone(work, mint, { problem: 'RPC', details: 'a node shows a transaction whose nonce is not used yet' });
  if (!(await isMinted(work, mint))) await transitionTo(work, mint, 'failed', { problem: 'REVERTED', blockNumber, blockHash });
}

async function adoptMint(work: MintWork, mint: Mint): Promise<boolean> {
  const ownTransactions = await ownMint(work, mint);
  if (!ownTransactions) return false;
  await transitionTo(work, mint, 'mined', ownTransactions);
  return true;
}

export async function ownMint(work: MintWork, mint: Mint): Promise<MintedAt | null> {
  for (const { hash } of await transactionsOf(work, mint)) {
    const mined = await work.chain.mined(hash as Hex);
    if (mined?.success && isFor(mint, mined)) return { hash, blockNumber: mined.blockNumber, blockHash: mined.blockHash };
  }
  return null;
}

type MintedAt = Pick<MintReceipt, 'blockNumber' | 'blockHash'> & { hash: string };

/**
 * Minted by any signer. 'other': another amount or receiver. 'unseen': the node lacks the
 * transaction.
 */
export async function externalMint({ chain }: MintWork, mint: Mint): Promise<MintedAt | 'other' | 'unseen' | null> {
  const minted = await chain.minted(mint.depositHash as Hex);
  if (minted === 0n) return null;
  if (minted !== mint.amount) return 'other';
  const found = await chain.mintOf(mint.depositHash as Hex);
  if (!found) return 'unseen';
  const { hash, blockNumber, blockHash } = found;
  return isFor(mint, found) ? { hash, blockNumber, blockHash } : 'other';
}

async function isMinted(work: MintWork, mint: Mint): Promise<boolean> {
  const found = await externalMint(work, mint);
  if (found === null) return false;
  if (found === 'other' && (await work.chain.minted(mint.depositHash as Hex, work.depth)) === 0n) await postpone(work, mint); // a reorganization may still undo it
  else if (found === 'other') await transitionTo(work, mint, 'failed', { problem: 'ALREADY_MINTED' });
  else if (found === 'unseen')
    await postpone(work, mint, { problem: 'ALREADY_MINTED', details: 'the node shows no transaction' });
  else await transitionTo(work, mint, 'mined', found);
  return true;
}

const isFor = (mint: Mint, { minted }: MintReceipt): boolean =>
  minted.some(
    ({ depositHash, recipient, amount }) =>
      depositHash === mint.depositHash && recipient.toLowerCase() === mint.recipient.toLowerCase() && amount === mint.amount,
  );

const transactionsOf = ({ services }: MintWork, mint: Mint) =>
  services.database.db
    .select()
    .from(mintTransactions)
    .where(eq(mintTransactions.mintId, mint.id))
    .orderBy(desc(mintTransactions.nonce), desc(mintTransactions.maxFeePerGas));

async function finalizeMint(work: MintWork, mint: Mint): Promise<void> {
  const mined = await work.chain.mined(mint.hash as Hex);
  // Reorganized out, or into another block: send the same bytes again.
  if (!mined?.success || !isFor(mint, mined)) return resend(work, mint);
  const { blockNumber, blockHash } = mined;
  if (blockHash !== mint.blockHash) return postpone(work, mint, { blockNumber, blockHash });
  if ((await work.chain.head()) < blockNumber + work.depth) return postpone(work, mint);
  // A second kind of query at a settled block, so that one wrong answer makes nothing final.
  if ((await work.chain.minted(mint.depositHash as Hex, work.depth)) !== mint.amount)
    return postpone(work, mint, { problem: 'RPC', details: null });
  await transitionTo(work, mint, 'final', {});
}

/** A transaction by another signer starts from the beginning. */
export const resend = (work: MintWork, mint: Mint): Promise<void> => {
  const nowhere = { hash: null, blockNumber: null, blockHash: null };
  if (mint.nonce === null) return transitionTo(work, mint, 'queued', nowhere);
  return transitionTo(work, mint, 'sent', { ...nowhere, sentAt: clock(work) });
};

/** The caller has checked that the chain has no such mint. */
export async function requeueMint(tx: Tx, depositId: string, now: Date, signFrom: Date | null = null): Promise<Mint | null> {
  const [mint] = await tx
    .update(mints)
    .set({
      state: 'queued',
      attempts: 0,
      nextAt: now,
      signFrom: signFrom ?? now,
      leasedUntil: null,
      problem: null,
      details: null,
      updatedAt: now,
    })
    .where(and(eq(mints.depositId, depositId), eq(mints.state, 'failed')))
    .returning();
  return mint ?? null;
}
