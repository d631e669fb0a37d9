import { and, desc, eq, sql } from 'drizzle-orm';
import { formatGwei, type Address, type Hex } from 'viem';
import { lockFreezesShared, isFrozen } from '../custody/shared/freezes.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { hashTransaction, isSignedBy, type Fees, type MintReceipt, type MintChain } from '../platform/evm/mint.ts';
import { dueCondition } from '../platform/db/due.ts';
import { NodesDisagreeError } from '../platform/evm/read.ts';
import { describeRpcError, classifyRpcError } from '../platform/evm/rpc-problem.ts';
import { isBlocked, isBlockedRow } from '../deposits/shared/blocks.ts';
import { deposits } from '../deposits/tables.ts';
import { mints, mintTransactions, signerNonces } from './tables.ts';
import { isOfDeployment } from './deployment.ts';

// queued → signed (bytes and nonce stored) → sent → mined → final. After a crash the same bytes
// continue. The contract refuses a second mint of a deposit. What it shows counts as minted.
// Nothing is signed or sent while money is frozen.

export type Mint = typeof mints.$inferSelect;

export interface MintContext {
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
  readHalt: () => Promise<MintHalt | null>;
  /** Why nothing may happen: the clock is not trusted. */
  readClockHalt?: () => Promise<MintHalt | null>;
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

export async function stepMints(mintContext: MintContext): Promise<void> {
  const clockHalt = await mintContext.readClockHalt?.();
  if (clockHalt) return recordHalt(mintContext, clockHalt);
  while (!mintContext.signal?.aborted) {
    const mint = await leaseMint(mintContext);
    if (!mint) return;
    try {
      await stepMint(mintContext, mint);
    } catch (error) {
      if (mintContext.signal?.aborted) return postpone(mintContext, mint);
      const { problem, details } = describeRpcProblem(error);
      mintContext.services.log.warn(
        { mint: mint.id, state: mint.state, problem, err: details },
        'mint not processed yet, will retry',
      );
      await postpone(mintContext, mint, { problem, details });
    }
  }
}

function describeRpcProblem(error: unknown): { problem: string; details: string | null } {
  if (error instanceof NotSignedError) return error;
  const problem = error instanceof NodesDisagreeError ? 'NODES' : 'RPC';
  return { problem, details: error instanceof NodesDisagreeError ? error.message.slice(0, 500) : describeRpcError(error) };
}

/** Writes no time, because the clock is not trusted. */
async function recordHalt({ services, chain }: MintContext, halt: MintHalt): Promise<void> {
  const haltProblem = authorityProblem(halt);
  await services.database.db
    .update(mints)
    .set(haltProblem)
    .where(
      and(
        isOfDeployment(chain),
        sql`${mints.state} in ('queued', 'signed', 'sent', 'mined')`,
        sql`${mints.details} is distinct from ${haltProblem.details}`,
      ),
    );
}

class NotSignedError extends Error {
  override name = 'NotSigned';
  readonly problem: 'FROZEN' | 'BLOCKED' | 'FEES' | 'AUTHORITY';
  readonly details: string | null;
  constructor(problem: NotSignedError['problem'], details: string | null = null) {
    super(problem);
    this.problem = problem;
    this.details = details;
  }
}

const runTestHook = async (mintContext: MintContext, name: string) => mintContext.at?.(name);
const currentTime = ({ services }: MintContext) => new Date(services.now());
const dateAfter = (mintContext: MintContext, ms: number) => new Date(mintContext.services.now() + ms);

/** Another process can take the mint after the lease. */
async function leaseMint(mintContext: MintContext): Promise<Mint | null> {
  const currentMs = mintContext.services.now();
  const dueMint = sql`select ${mints.id} from ${mints} where ${isOfDeployment(mintContext.chain)} and ${mints.state} in ('queued', 'signed', 'sent', 'mined')
    and ${dueCondition(mints.nextAt, currentMs, maxRetryDelayMs)} and (${mints.leasedUntil} is null or ${dueCondition(mints.leasedUntil, currentMs, leaseMs)})
    order by ${mints.nextAt}, ${mints.id} limit 1 for update skip locked`;
  const [mint] = await mintContext.services.database.db
    .update(mints)
    .set({ leasedUntil: dateAfter(mintContext, leaseMs), attempts: sql`${mints.attempts} + 1` })
    .where(sql`${mints.id} in (${dueMint})`)
    .returning();
  return mint ?? null;
}

/** WHERE clause: only while this process still holds the lease. */
const isStillLeased = ({ id, attempts, state }: Mint) =>
  and(eq(mints.id, id), eq(mints.attempts, attempts), eq(mints.state, state));

type MintChange = Partial<Omit<typeof mints.$inferInsert, 'id'>>;

/** Exponential backoff, capped at what `leaseMint` accepts, because a later stamp would count as due. */
async function postpone(
  mintContext: MintContext,
  mint: Mint,
  { nextAt, ...change }: MintChange & { nextAt?: Date } = {},
): Promise<void> {
  const maxDelayMs = nodeProblems.has(change.problem ?? '') ? maxNodeRetryDelayMs : maxRetryDelayMs;
  const retryWaitMs = change.problem ? Math.min(maxDelayMs, retryDelayMs * 2 ** Math.min(mint.attempts, 10)) : retryDelayMs;
  const requestedMs = nextAt ? nextAt.getTime() - mintContext.services.now() : retryWaitMs;
  await mintContext.services.database.db
    .update(mints)
    .set({ nextAt: dateAfter(mintContext, Math.min(requestedMs, maxRetryDelayMs)), leasedUntil: null, ...change })
    .where(isStillLeased(mint));
}

/** Null: it may be signed and sent. */
async function haltReason(mintContext: MintContext, { depositId }: Mint) {
  const { db } = mintContext.services.database;
  if (await isFrozen(db)) return frozenProblem;
  if (await isBlocked(db, depositId)) return blockedProblem;
  const halt = await mintContext.readHalt();
  return halt && authorityProblem(halt);
}

/** Changes the state together with the deposit and the audit. */
export async function transitionTo(
  mintContext: MintContext,
  mint: Mint,
  state: Mint['state'],
  mintChange: MintChange,
  writeAlso?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const now = currentTime(mintContext);
  await mintContext.services.database.db.transaction(async (tx) => {
    const [updatedMint] = await tx
      .update(mints)
      .set({ state, attempts: 0, nextAt: now, leasedUntil: null, problem: null, details: null, updatedAt: now, ...mintChange })
      .where(isStillLeased(mint))
      .returning();
    if (!updatedMint) return;
    await writeAlso?.(tx);
    const depositState = depositStates[state];
    if (depositState !== depositStates[mint.state])
      await tx
        .update(deposits)
        .set({ mintStatus: depositState, version: sql`${deposits.version} + 1`, updatedAt: now })
        .where(eq(deposits.id, mint.depositId));
    const record = (row: Mint) => ({ state: row.state, nonce: row.nonce, hash: row.hash, problem: row.problem });
    await recordSystemAudit(tx, mintContext.services, {
      entity: 'mint',
      id: mint.depositId,
      action: state,
      before: record(mint),
      after: record(updatedMint),
    });
    await runTestHook(mintContext, `${state}: before commit`);
  });
  await runTestHook(mintContext, `${state}: committed`);
}

const depositStates = {
  queued: 'queued',
  signed: 'sent',
  sent: 'sent',
  mined: 'sent',
  final: 'done',
  failed: 'failed',
  canceled: 'canceled',
  closed: 'closed',
} as const satisfies Record<Mint['state'], unknown>;

function stepMint(mintContext: MintContext, mint: Mint): Promise<void> {
  if (mint.state === 'queued') return signMint(mintContext, mint);
  if (mint.state === 'signed') return broadcastMint(mintContext, mint);
  if (mint.state === 'sent') return trackMint(mintContext, mint);
  return finalizeMint(mintContext, mint);
}

async function signMint(mintContext: MintContext, mint: Mint): Promise<void> {
  const { chain, services } = mintContext;
  const halt = await haltReason(mintContext, mint);
  if (halt) return postpone(mintContext, mint, halt);
  // An earlier transaction may be on chain. Checked before Bitcoin, whose output may have been spent
  // since.
  if (await adoptExternalMint(mintContext, mint)) return;
  if (await isMinted(mintContext, mint)) return;
  if (mint.signFrom && mint.signFrom > currentTime(mintContext))
    return postpone(mintContext, mint, { nextAt: mint.signFrom, ...noProblem });
  const permitHalt = await mintContext.permit(mint, false);
  if (permitHalt)
    return postpone(mintContext, mint, {
      ...authorityProblem(permitHalt),
      ...(permitHalt.until && { nextAt: permitHalt.until }),
    });
  const { verdict, details } = await mintContext.evidence(mint);
  if (verdict === 'unknown') return postpone(mintContext, mint, { problem: 'EVIDENCE', details });
  if (verdict === 'broken') return transitionTo(mintContext, mint, 'failed', { problem: 'EVIDENCE', details });
  if ((await chain.minted(mint.depositHash as Hex, mintContext.depth)) !== 0n)
    throw new Error('a settled block has a mint of this deposit, and the newest block has none');
  const [fees, chainNonce] = [await chain.fees(), await readAgreedNonce(mintContext)];
  await runTestHook(mintContext, 'queued: asked');
  const db = services.database.db;
  const nonce = await db.transaction(async (tx) => {
    const key = { chainId: chain.chainId, address: chain.signer.address };
    await tx
      .insert(signerNonces)
      .values({ ...key, next: chainNonce })
      .onConflictDoNothing();
    const where = and(eq(signerNonces.chainId, key.chainId), eq(signerNonces.address, key.address));
    const [nonceCounter] = await tx.select().from(signerNonces).where(where).for('update');
    const [leasedMint] = await tx.select().from(mints).where(isStillLeased(mint)).for('update');
    if (!nonceCounter || !leasedMint) return null;
    const nextNonce = Math.max(nonceCounter.next, chainNonce);
    await tx
      .update(signerNonces)
      .set({ next: nextNonce + 1 })
      .where(where);
    await signAndStore(mintContext, tx, mint, nextNonce, fees);
    await tx
      .update(mints)
      .set({
        state: 'signed',
        nonce: nextNonce,
        attempts: 0,
        leasedUntil: null,
        problem: null,
        details: null,
        updatedAt: currentTime(mintContext),
      })
      .where(eq(mints.id, mint.id));
    await tx
      .update(deposits)
      .set({ mintStatus: 'sent', version: sql`${deposits.version} + 1`, updatedAt: currentTime(mintContext) })
      .where(eq(deposits.id, mint.depositId));
    await recordSystemAudit(tx, services, { entity: 'mint', id: mint.depositId, action: 'signed', after: { nonce: nextNonce } });
    await runTestHook(mintContext, 'signed: before commit');
    return nextNonce;
  });
  if (nonce !== null) await runTestHook(mintContext, 'signed: committed');
}

/** Asks twice, because a wrong nonce leaves a gap that blocks all later transactions. */
async function readAgreedNonce({ chain }: MintContext): Promise<number> {
  const [firstNonce, secondNonce] = [await chain.nonce(), await chain.nonce()];
  if (firstNonce !== secondNonce) throw new Error(`the RPC reported two different nonces, ${firstNonce} and ${secondNonce}`);
  return firstNonce;
}

/**
 * The only place that signs. Throws NotSigned if money is frozen, the deposit is blocked,
 * signatures are missing or fees too high. A freeze that comes now waits for the commit.
 */
async function signAndStore(mintContext: MintContext, tx: Tx, mint: Mint, nonce: number, fees: Fees): Promise<Hex> {
  const { chain } = mintContext;
  const feeLimitProblem = exceedsFeeLimits(mintContext, fees);
  if (feeLimitProblem !== null) throw new NotSignedError('FEES', feeLimitProblem);
  await lockFreezesShared(tx);
  if (await isFrozen(tx)) throw new NotSignedError('FROZEN');
  if (await isBlocked(tx, mint.depositId)) throw new NotSignedError('BLOCKED');
  const permitHalt = await mintContext.permit(mint, true);
  if (permitHalt) throw new NotSignedError('AUTHORITY', authorityProblem(permitHalt).details);
  for (let offeredFees = fees; ; offeredFees = { ...offeredFees, maxFeePerGas: offeredFees.maxFeePerGas + 1n }) {
    const rawTransaction = await chain.signer.sign({ chainId: chain.chainId, nonce, ...mintCall(chain, mint), ...offeredFees });
    const row = {
      hash: hashTransaction(rawTransaction),
      mintId: mint.id,
      nonce,
      raw: chain.signer.seal(rawTransaction),
      ...offeredFees,
      createdAt: currentTime(mintContext),
    };
    const [insertedTransaction] = await tx
      .insert(mintTransactions)
      .values(row)
      .onConflictDoNothing()
      .returning({ hash: mintTransactions.hash });
    if (insertedTransaction || (await isStoredTransaction(mintContext, tx, rawTransaction))) return rawTransaction;
    // The stored bytes of this hash were changed and rows cannot be overwritten, so one more wei makes another transaction.
  }
}

async function isStoredTransaction({ chain }: MintContext, tx: Tx, rawTransaction: Hex): Promise<boolean> {
  const [row] = await tx
    .select({ raw: mintTransactions.raw })
    .from(mintTransactions)
    .where(eq(mintTransactions.hash, hashTransaction(rawTransaction)));
  return row !== undefined && chain.signer.open(row.raw) === rawTransaction;
}

function exceedsFeeLimits({ limits }: MintContext, fees: Fees): string | null {
  const describeExcess = (name: string, offered: bigint, maxFee: bigint) =>
    offered > maxFee ? [`${name} ${formatGwei(offered)} > ${formatGwei(maxFee)} gwei`] : [];
  const exceededLimits = [
    ...describeExcess('fee', fees.maxFeePerGas, limits.maxFeePerGas),
    ...describeExcess('tip', fees.maxPriorityFeePerGas, limits.maxPriorityFeePerGas),
  ];
  return exceededLimits.length > 0 ? exceededLimits.join(', ') : null;
}

const authorityProblem = ({ reason, details }: MintHalt) => ({
  problem: 'AUTHORITY',
  details: details === null ? reason : `${reason}: ${details}`,
});
const frozenProblem = { problem: 'FROZEN', details: null };
const blockedProblem = { problem: 'BLOCKED', details: null };
const noProblem = { problem: null, details: null };

async function broadcastMint(mintContext: MintContext, mint: Mint): Promise<void> {
  const halt = await haltReason(mintContext, mint);
  if (halt) return postpone(mintContext, mint, halt);
  const [newestTransaction] = await readOwnTransactions(mintContext, mint);
  if (!newestTransaction) return requeueUnsent(mintContext, mint);
  await runTestHook(mintContext, 'signed: sending');
  const broadcastError = await broadcastRaw(mintContext, newestTransaction.raw);
  await runTestHook(mintContext, 'signed: handed over');
  const offerFields = { sentAt: currentTime(mintContext), nextAt: dateAfter(mintContext, retryDelayMs) };
  if (broadcastError === null) return transitionTo(mintContext, mint, 'sent', offerFields);
  const problem = { problem: 'RPC', details: broadcastError };
  // If the node keeps refusing, treat it as sent so that its fee is raised. Later nonces wait for it.
  if (mintContext.services.now() - mint.updatedAt.getTime() <= feeBumpDelayOf(mintContext))
    return postpone(mintContext, mint, problem);
  await transitionTo(mintContext, mint, 'sent', { ...offerFields, ...problem });
}

const feeBumpDelayOf = ({ bumpMs = defaultBumpMs }: MintContext) => bumpMs;

/** Null: accepted, or the nonce is used; the chain shows by which transaction. */
async function broadcastRaw({ chain }: MintContext, rawTransaction: Hex): Promise<string | null> {
  try {
    await chain.send(rawTransaction);
    return null;
  } catch (error) {
    return classifyRpcError(error) === 'nonceTooLow' ? null : describeRpcError(error);
  }
}

async function trackMint(mintContext: MintContext, mint: Mint): Promise<void> {
  if (await adoptExternalMint(mintContext, mint)) return;
  const { chain } = mintContext;
  const ownTransactions = await readOwnTransactions(mintContext, mint);
  const [newestTransaction] = ownTransactions;
  if (!newestTransaction) return requeueUnsent(mintContext, mint);
  for (const { hash } of ownTransactions) {
    const minedReceipt = await chain.mined(hash as Hex);
    if (minedReceipt && !minedReceipt.success) return markMintReverted(mintContext, mint, minedReceipt);
  }
  const nonce = mint.nonce ?? 0;
  // The nonce is used beyond any reorganization, and not by our transactions.
  if ((await chain.nonce(mintContext.depth)) > nonce)
    return (await isMinted(mintContext, mint))
      ? undefined
      : transitionTo(mintContext, mint, 'failed', { problem: 'NONCE_TAKEN' });
  const halt = await haltReason(mintContext, mint);
  if (halt) return postpone(mintContext, mint, halt);
  if (await fillNonceGap(mintContext, mint)) return;
  let { raw } = newestTransaction;
  if (mintContext.services.now() - (mint.sentAt?.getTime() ?? 0) > feeBumpDelayOf(mintContext)) {
    const fees = bumpFees(newestTransaction, await chain.fees());
    const feeLimitProblem = exceedsFeeLimits(mintContext, fees);
    if (feeLimitProblem !== null) {
      const broadcastError = await broadcastRaw(mintContext, raw);
      return postpone(
        mintContext,
        mint,
        broadcastError === null ? { problem: 'FEES', details: feeLimitProblem } : { problem: 'RPC', details: broadcastError },
      );
    }
    try {
      raw = await mintContext.services.database.db.transaction((tx) => signAndStore(mintContext, tx, mint, nonce, fees));
    } catch (error) {
      // Sign nothing new without approval, but keep offering the bytes that were sent.
      if (error instanceof NotSignedError && error.problem === 'AUTHORITY') await broadcastRaw(mintContext, raw);
      throw error;
    }
    await runTestHook(mintContext, 'sent: bumped');
    const broadcastError = await broadcastRaw(mintContext, raw);
    return postpone(
      mintContext,
      mint,
      broadcastError === null ? { sentAt: currentTime(mintContext) } : { problem: 'RPC', details: broadcastError },
    );
  }
  const broadcastError = await broadcastRaw(mintContext, raw);
  await postpone(mintContext, mint, broadcastError === null ? {} : { problem: 'RPC', details: broadcastError });
}

/** Newest first. Checked in the bytes, because anyone with the database can write any row. */
async function readOwnTransactions(mintContext: MintContext, mint: Mint) {
  const { chain } = mintContext;
  const mintTransactionCall = { chainId: chain.chainId, nonce: mint.nonce ?? -1, ...mintCall(chain, mint) };
  const ownTransactions: (Fees & { hash: string; raw: Hex })[] = [];
  for (const { raw: sealedTransaction, hash, maxFeePerGas, maxPriorityFeePerGas } of await readTransactions(mintContext, mint)) {
    const rawTransaction = chain.signer.open(sealedTransaction);
    if (rawTransaction !== null && (await isSignedBy(rawTransaction, chain.signer.address, mintTransactionCall)))
      ownTransactions.push({ hash, raw: rawTransaction, maxFeePerGas, maxPriorityFeePerGas });
  }
  return ownTransactions;
}

/** Without own bytes it starts over, which checks Bitcoin and approvals again. */
const requeueUnsent = (mintContext: MintContext, mint: Mint) =>
  transitionTo(mintContext, mint, 'queued', { nonce: null, sentAt: null });

const mintCall = (chain: MintChain, { depositHash, recipient, amount }: Mint) =>
  chain.callData({ depositHash: depositHash as Hex, recipient: recipient as Address, amount });

/**
 * A lower nonce of a failed mint would block this one, so this mint takes it. The contract lets
 * only one of the two mint.
 */
async function fillNonceGap(mintContext: MintContext, mint: Mint): Promise<boolean> {
  const { chain } = mintContext;
  const nextNonce = await readAgreedNonce(mintContext);
  if (mint.nonce === null || nextNonce >= mint.nonce) return false;
  const fees = await chain.fees();
  return mintContext.services.database.db.transaction(async (tx) => {
    const where = and(eq(signerNonces.chainId, chain.chainId), eq(signerNonces.address, chain.signer.address));
    await tx.select().from(signerNonces).where(where).for('update');
    const nonceOwners = await tx
      .select()
      .from(mints)
      .where(
        and(
          isOfDeployment(chain),
          eq(mints.nonce, nextNonce),
          sql`${mints.state} in ('signed', 'sent', 'mined', 'final')`,
          sql`(${mints.state} <> 'sent' or ${mints.problem} is distinct from 'AUTHORITY')`,
          // A blocked mint must not hold up others.
          sql`(${mints.state} in ('mined', 'final') or not exists (
            select 1 from ${deposits} where ${deposits.id} = ${mints.depositId} and ${isBlockedRow}))`,
        ),
      );
    const [leasedMint] = await tx.select().from(mints).where(isStillLeased(mint)).for('update');
    if (!leasedMint) return false;
    for (const owner of nonceOwners) if ((await readOwnTransactions(mintContext, owner)).length > 0) return false;
    await signAndStore(mintContext, tx, mint, nextNonce, fees);
    await tx
      .update(mints)
      .set({
        state: 'signed',
        nonce: nextNonce,
        attempts: 0,
        leasedUntil: null,
        problem: null,
        details: null,
        updatedAt: currentTime(mintContext),
      })
      .where(eq(mints.id, mint.id));
    const auditEntry = { entity: 'mint', id: mint.depositId, action: 'signed' } as const;
    await recordSystemAudit(tx, mintContext.services, {
      ...auditEntry,
      before: { nonce: mint.nonce },
      after: { nonce: nextNonce },
    });
    return true;
  });
}

/** Nodes accept a replacement only with both fees raised by an eighth. */
function bumpFees(previousFees: Fees, currentFees: Fees): Fees {
  const increaseFee = (value: bigint) => value + value / 8n + 1n;
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = larger(increaseFee(previousFees.maxPriorityFeePerGas), currentFees.maxPriorityFeePerGas);
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: larger(larger(increaseFee(previousFees.maxFeePerGas), currentFees.maxFeePerGas), maxPriorityFeePerGas),
  };
}

async function markMintReverted(mintContext: MintContext, mint: Mint, { blockNumber, blockHash }: MintReceipt): Promise<void> {
  const head = await mintContext.chain.head();
  if (head < blockNumber + mintContext.depth) return postpone(mintContext, mint); // a reorganization may still change the result
  if ((await mintContext.chain.nonce(mintContext.depth)) <= (mint.nonce ?? 0))
    return postpone(mintContext, mint, { problem: 'RPC', details: 'a node shows a transaction whose nonce is not used yet' });
  if (!(await isMinted(mintContext, mint)))
    await transitionTo(mintContext, mint, 'failed', { problem: 'REVERTED', blockNumber, blockHash });
}

async function adoptExternalMint(mintContext: MintContext, mint: Mint): Promise<boolean> {
  const ownTransactions = await readOwnMint(mintContext, mint);
  if (!ownTransactions) return false;
  await transitionTo(mintContext, mint, 'mined', ownTransactions);
  return true;
}

export async function readOwnMint(mintContext: MintContext, mint: Mint): Promise<MintedAt | null> {
  for (const { hash } of await readTransactions(mintContext, mint)) {
    const minedReceipt = await mintContext.chain.mined(hash as Hex);
    if (minedReceipt?.success && isReceiptOfMint(mint, minedReceipt))
      return { hash, blockNumber: minedReceipt.blockNumber, blockHash: minedReceipt.blockHash };
  }
  return null;
}

type MintedAt = Pick<MintReceipt, 'blockNumber' | 'blockHash'> & { hash: string };

/**
 * Minted by any signer. 'other': another amount or receiver. 'unseen': the node lacks the
 * transaction.
 */
export async function readExternalMint({ chain }: MintContext, mint: Mint): Promise<MintedAt | 'other' | 'unseen' | null> {
  const mintedAmount = await chain.minted(mint.depositHash as Hex);
  if (mintedAmount === 0n) return null;
  if (mintedAmount !== mint.amount) return 'other';
  const mintReceipt = await chain.mintOf(mint.depositHash as Hex);
  if (!mintReceipt) return 'unseen';
  const { hash, blockNumber, blockHash } = mintReceipt;
  return isReceiptOfMint(mint, mintReceipt) ? { hash, blockNumber, blockHash } : 'other';
}

async function isMinted(mintContext: MintContext, mint: Mint): Promise<boolean> {
  const externalMintResult = await readExternalMint(mintContext, mint);
  if (externalMintResult === null) return false;
  if (externalMintResult === 'other' && (await mintContext.chain.minted(mint.depositHash as Hex, mintContext.depth)) === 0n)
    await postpone(mintContext, mint); // a reorganization may still undo it
  else if (externalMintResult === 'other') await transitionTo(mintContext, mint, 'failed', { problem: 'ALREADY_MINTED' });
  else if (externalMintResult === 'unseen')
    await postpone(mintContext, mint, { problem: 'ALREADY_MINTED', details: 'the node shows no transaction' });
  else await transitionTo(mintContext, mint, 'mined', externalMintResult);
  return true;
}

const isReceiptOfMint = (mint: Mint, { minted }: MintReceipt): boolean =>
  minted.some(
    ({ depositHash, recipient, amount }) =>
      depositHash === mint.depositHash && recipient.toLowerCase() === mint.recipient.toLowerCase() && amount === mint.amount,
  );

const readTransactions = ({ services }: MintContext, mint: Mint) =>
  services.database.db
    .select()
    .from(mintTransactions)
    .where(eq(mintTransactions.mintId, mint.id))
    .orderBy(desc(mintTransactions.nonce), desc(mintTransactions.maxFeePerGas));

async function finalizeMint(mintContext: MintContext, mint: Mint): Promise<void> {
  const minedReceipt = await mintContext.chain.mined(mint.hash as Hex);
  // Reorganized out, or into another block: send the same bytes again.
  if (!minedReceipt?.success || !isReceiptOfMint(mint, minedReceipt)) return resendFinalMint(mintContext, mint);
  const { blockNumber, blockHash } = minedReceipt;
  if (blockHash !== mint.blockHash) return postpone(mintContext, mint, { blockNumber, blockHash });
  if ((await mintContext.chain.head()) < blockNumber + mintContext.depth) return postpone(mintContext, mint);
  // A second kind of query at a settled block, so that one wrong answer makes nothing final.
  if ((await mintContext.chain.minted(mint.depositHash as Hex, mintContext.depth)) !== mint.amount)
    return postpone(mintContext, mint, { problem: 'RPC', details: null });
  await transitionTo(mintContext, mint, 'final', {});
}

/** A transaction by another signer starts from the beginning. */
export const resendFinalMint = (mintContext: MintContext, mint: Mint): Promise<void> => {
  const clearedBlock = { hash: null, blockNumber: null, blockHash: null };
  if (mint.nonce === null) return transitionTo(mintContext, mint, 'queued', clearedBlock);
  return transitionTo(mintContext, mint, 'sent', { ...clearedBlock, sentAt: currentTime(mintContext) });
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
