import { and, desc, eq, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { recordSystemAudit } from '../platform/audit/audit.ts';
import type { Services } from '../platform/core/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { hashOf, type Mined, type MintChain } from '../platform/evm/mint.ts';
import { describeError } from '../platform/core/log.ts';
import { isFrozen } from './mint-policy.ts';
import { deposits, mints, mintTransactions, signerNonces } from './tables.ts';

// The life of a mint: queued → signed (the bytes and their nonce are stored) → sent → mined → final. Whatever happens between
// two lines, the next process finds in the database how far it came, and sends the same bytes. The contract itself refuses a
// second mint of a deposit: that is the guarantee, and everything here only keeps it from being needed.

export type Mint = typeof mints.$inferSelect;

export interface MintWork {
  services: Services;
  chain: MintChain;
  /** Blocks on top of a mint until it counts as final. */
  depth: bigint;
  /** Whether Bitcoin still says what was confirmed: 'unknown' when it cannot be asked. */
  evidence: (depositId: string) => Promise<'holds' | 'broken' | 'unknown'>;
  /** Milliseconds until a transaction nobody takes is offered more. */
  bumpMs?: number;
  /** Called between the lines; tests end the process there. */
  at?: (point: string) => void | Promise<void>;
}

const leaseMs = 30_000;
const pauseMs = 1_000;
const recheckMs = 60_000;
const longestPauseMs = 60_000;
const defaultBumpMs = 45_000;

/** Takes every mint that is due one step further, until none is. Any number of processes may do it at once. */
export async function stepMints(work: MintWork): Promise<void> {
  for (;;) {
    const mint = await take(work);
    if (!mint) return;
    try {
      await step(work, mint);
    } catch (error) {
      const { message } = describeError(error);
      work.services.log.warn({ mint: mint.id, state: mint.state, err: message }, 'a mint waits for the chain');
      await rest(work, mint, { problem: 'RPC', details: message.slice(0, 500) });
    }
  }
}

/** Steps until stopped, and looks after those that were final now and then. */
export function startMints(work: MintWork): () => Promise<void> {
  let running: Promise<void> | null = null;
  let recheckAt = 0;
  const tick = () => {
    const both = async () => {
      if (work.services.now() >= recheckAt) {
        await recheckFinalMints(work, recheckAt === 0 ? 1000 : 20);
        recheckAt = work.services.now() + recheckMs;
      }
      await stepMints(work);
    };
    running ??= both()
      .catch((error: unknown) => work.services.log.warn({ err: describeError(error) }, 'minting failed; tried again soon'))
      .finally(() => (running = null));
  };
  const timer = setInterval(tick, pauseMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const point = async (work: MintWork, name: string) => work.at?.(name);
const clock = ({ services }: MintWork) => new Date(services.now());
const later = (work: MintWork, ms: number) => new Date(work.services.now() + ms);

/** The one that is due longest, leased: another process takes it over when the lease has ended. */
async function take(work: MintWork): Promise<Mint | null> {
  const at = clock(work).toISOString();
  const due = sql`select ${mints.id} from ${mints} where ${mints.state} in ('queued', 'signed', 'sent', 'mined')
    and ${mints.nextAt} <= ${at}::timestamptz and (${mints.leasedUntil} is null or ${mints.leasedUntil} <= ${at}::timestamptz)
    order by ${mints.nextAt}, ${mints.id} limit 1 for update skip locked`;
  const [mint] = await work.services.database.db
    .update(mints)
    .set({ leasedUntil: later(work, leaseMs), attempts: sql`${mints.attempts} + 1` })
    .where(sql`${mints.id} in (${due})`)
    .returning();
  return mint ?? null;
}

/** Still as it was taken: whoever took it over since has the say. */
const mine = ({ id, attempts, state }: Mint) => and(eq(mints.id, id), eq(mints.attempts, attempts), eq(mints.state, state));

type Change = Partial<Omit<typeof mints.$inferInsert, 'id'>>;

/** Puts it down for a while, longer each time. */
async function rest(work: MintWork, mint: Mint, change: Change = {}): Promise<void> {
  const wait = Math.min(longestPauseMs, pauseMs * 2 ** Math.min(mint.attempts, 10));
  await work.services.database.db
    .update(mints)
    .set({ nextAt: later(work, change.problem ? wait : pauseMs), leasedUntil: null, ...change })
    .where(mine(mint));
}

/** Goes on to another state, with what its deposit shows and the audit has. */
async function become(
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
      .where(mine(mint))
      .returning();
    if (!after) return;
    await also?.(tx);
    const shown = shownAs[state];
    if (shown !== shownAs[mint.state])
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
    await point(work, `${state}: before commit`);
  });
  await point(work, `${state}: committed`);
}

const shownAs = {
  queued: 'queued',
  signed: 'sent',
  sent: 'sent',
  mined: 'sent',
  final: 'done',
  failed: 'failed',
} as const satisfies Record<Mint['state'], unknown>;

function step(work: MintWork, mint: Mint): Promise<void> {
  if (mint.state === 'queued') return signIt(work, mint);
  if (mint.state === 'signed') return sendIt(work, mint);
  if (mint.state === 'sent') return followIt(work, mint);
  return settleIt(work, mint);
}

// ── queued ─────────────────────────────────────────────────────────────────

async function signIt(work: MintWork, mint: Mint): Promise<void> {
  const { chain, services } = work;
  if (await isFrozen(services.database.db)) return rest(work, mint, { problem: 'FROZEN', details: null });
  const evidence = await work.evidence(mint.depositId);
  if (evidence === 'unknown') return rest(work, mint, { problem: 'EVIDENCE', details: 'unknown' });
  if (evidence === 'broken') return become(work, mint, 'failed', { problem: 'EVIDENCE', details: 'broken' });
  // After a retry: one of the transactions of before may have come through after all.
  if (await adopt(work, mint)) return;
  if ((await chain.minted(mint.depositHash as Hex)) !== 0n) return become(work, mint, 'failed', { problem: 'ALREADY_MINTED' });
  const [fees, onChain] = [await chain.fees(), await agreedNonce(work)];
  await point(work, 'queued: asked');
  const db = services.database.db;
  const nonce = await db.transaction(async (tx) => {
    const key = { chainId: chain.chainId, address: chain.signer.address };
    await tx
      .insert(signerNonces)
      .values({ ...key, next: onChain })
      .onConflictDoNothing();
    const where = and(eq(signerNonces.chainId, key.chainId), eq(signerNonces.address, key.address));
    const [counter] = await tx.select().from(signerNonces).where(where).for('update');
    const [still] = await tx.select().from(mints).where(mine(mint)).for('update');
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
    await point(work, 'signed: before commit');
    return next;
  });
  if (nonce !== null) await point(work, 'signed: committed');
}

/** The signer's next nonce by the chain, asked twice: a wrong one would leave a gap that nothing after it gets past. */
async function agreedNonce({ chain }: MintWork): Promise<number> {
  const [first, second] = [await chain.nonce(), await chain.nonce()];
  if (first !== second) throw new Error(`the RPC says two nonces, ${first} and ${second}`);
  return first;
}

/** Signs a transaction of the mint and keeps its bytes. */
async function storeSigned(
  work: MintWork,
  tx: Tx,
  mint: Mint,
  nonce: number,
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
): Promise<Hex> {
  const { chain } = work;
  const call = chain.callData({
    depositHash: mint.depositHash as Hex,
    recipient: mint.recipient as Address,
    amount: mint.amount,
  });
  const raw = await chain.signer.sign({ chainId: chain.chainId, nonce, ...call, ...fees });
  await tx
    .insert(mintTransactions)
    .values({ hash: hashOf(raw), mintId: mint.id, nonce, raw, ...fees, createdAt: clock(work) })
    .onConflictDoNothing();
  return raw;
}

// ── signed, sent ───────────────────────────────────────────────────────────

async function sendIt(work: MintWork, mint: Mint): Promise<void> {
  const [newest] = await transactionsOf(work, mint);
  if (!newest) throw new Error('a signed mint without its transaction');
  await point(work, 'signed: sending');
  const refused = await handOver(work, newest.raw as Hex);
  await point(work, 'signed: handed over');
  if (refused !== null) return rest(work, mint, { problem: 'RPC', details: refused });
  await become(work, mint, 'sent', { sentAt: clock(work), nextAt: later(work, pauseMs) });
}

/** Offers bytes to the node. Answers why not, except where their nonce is used: what used it is found out from the chain. */
async function handOver({ chain }: MintWork, raw: Hex): Promise<string | null> {
  try {
    await chain.send(raw);
    return null;
  } catch (error) {
    const { message } = describeError(error);
    return /nonce too low|nonce is too low|lower than the current nonce/i.test(String(error)) ? null : message.slice(0, 500);
  }
}

async function followIt(work: MintWork, mint: Mint): Promise<void> {
  if (await adopt(work, mint)) return;
  const { chain } = work;
  const transactions = await transactionsOf(work, mint);
  const own = transactions.filter(({ nonce }) => nonce === mint.nonce);
  for (const { hash } of own) {
    const mined = await chain.mined(hash as Hex);
    if (mined && !mined.success) return giveUp(work, mint, mined);
  }
  const nonce = mint.nonce ?? 0;
  // The nonce is gone for as long as the chain can change its mind, and none of ours had it.
  if ((await chain.nonce(work.depth)) > nonce) return become(work, mint, 'failed', { problem: 'NONCE_TAKEN' });
  if (await fillGap(work, mint)) return;
  const [newest] = own;
  if (!newest) throw new Error('a sent mint without its transaction');
  let raw = newest.raw as Hex;
  if (work.services.now() - (mint.sentAt?.getTime() ?? 0) > (work.bumpMs ?? defaultBumpMs)) {
    const now = await chain.fees();
    raw = await work.services.database.db.transaction((tx) => storeSigned(work, tx, mint, nonce, dearer(newest, now)));
    await point(work, 'sent: bumped');
    const refused = await handOver(work, raw);
    return rest(work, mint, refused === null ? { sentAt: clock(work) } : { problem: 'RPC', details: refused });
  }
  const refused = await handOver(work, raw);
  await rest(work, mint, refused === null ? {} : { problem: 'RPC', details: refused });
}

/**
 * A transaction waits for all lower nonces. When the next one is nobody's any more (its mint was given up), this mint takes
 * it: a second transaction for the same deposit, of which the contract lets one through.
 */
async function fillGap(work: MintWork, mint: Mint): Promise<boolean> {
  const { chain } = work;
  const next = await agreedNonce(work);
  if (mint.nonce === null || next >= mint.nonce) return false;
  const fees = await chain.fees();
  return work.services.database.db.transaction(async (tx) => {
    const where = and(eq(signerNonces.chainId, chain.chainId), eq(signerNonces.address, chain.signer.address));
    await tx.select().from(signerNonces).where(where).for('update');
    const [owner] = await tx
      .select({ id: mints.id })
      .from(mints)
      .where(and(eq(mints.nonce, next), sql`${mints.state} in ('signed', 'sent', 'mined', 'final')`));
    const [still] = await tx.select().from(mints).where(mine(mint)).for('update');
    if (owner || !still) return false;
    await storeSigned(work, tx, mint, next, fees);
    await tx
      .update(mints)
      .set({ state: 'signed', nonce: next, attempts: 0, leasedUntil: null, problem: null, details: null, updatedAt: clock(work) })
      .where(eq(mints.id, mint.id));
    const note = { entity: 'mint', id: mint.depositId, action: 'signed' };
    await recordSystemAudit(tx, work.services, { ...note, before: { nonce: mint.nonce }, after: { nonce: next } });
    return true;
  });
}

/** What a replacement must offer at least: an eighth more, of both. */
function dearer(before: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }, now: typeof before) {
  const more = (value: bigint) => value + value / 8n + 1n;
  const max = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = max(more(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxPriorityFeePerGas, maxFeePerGas: max(max(more(before.maxFeePerGas), now.maxFeePerGas), maxPriorityFeePerGas) };
}

/** It ran and was refused: because the deposit is minted already, or for another reason. */
async function giveUp(work: MintWork, mint: Mint, { blockNumber, blockHash }: Mined): Promise<void> {
  const head = await work.chain.head();
  if (head < blockNumber + work.depth) return rest(work, mint); // it may yet run otherwise
  const problem = (await work.chain.minted(mint.depositHash as Hex)) === 0n ? 'REVERTED' : 'ALREADY_MINTED';
  await become(work, mint, 'failed', { problem, blockNumber, blockHash });
}

/** Whether any transaction ever signed for it is in the chain and did what it was for. */
async function adopt(work: MintWork, mint: Mint): Promise<boolean> {
  for (const { hash } of await transactionsOf(work, mint)) {
    const mined = await work.chain.mined(hash as Hex);
    if (!mined?.success || !isFor(mint, mined)) continue;
    await become(work, mint, 'mined', { hash, blockNumber: mined.blockNumber, blockHash: mined.blockHash });
    return true;
  }
  return false;
}

const isFor = (mint: Mint, { minted }: Mined): boolean =>
  minted !== null &&
  minted.depositHash === mint.depositHash &&
  minted.recipient.toLowerCase() === mint.recipient.toLowerCase() &&
  minted.amount === mint.amount;

const transactionsOf = ({ services }: MintWork, mint: Mint) =>
  services.database.db
    .select()
    .from(mintTransactions)
    .where(eq(mintTransactions.mintId, mint.id))
    .orderBy(desc(mintTransactions.nonce), desc(mintTransactions.maxFeePerGas));

// ── mined ──────────────────────────────────────────────────────────────────

async function settleIt(work: MintWork, mint: Mint): Promise<void> {
  const mined = await work.chain.mined(mint.hash as Hex);
  // Out of the chain again, or in another block: followed anew, with the same bytes.
  if (!mined?.success || !isFor(mint, mined))
    return become(work, mint, 'sent', { hash: null, blockNumber: null, blockHash: null });
  const { blockNumber, blockHash } = mined;
  if (blockHash !== mint.blockHash) return rest(work, mint, { blockNumber, blockHash });
  const isDeep = async () => (await work.chain.head()) >= blockNumber + work.depth;
  if (!(await isDeep())) return rest(work, mint);
  // Asked once more, and otherwise: one wrong answer makes nothing final.
  if (!(await isDeep()) || (await work.chain.minted(mint.depositHash as Hex)) !== mint.amount)
    return rest(work, mint, { problem: 'RPC', details: null });
  await become(work, mint, 'final', {});
}

/** Puts a failed mint back to the start, in the caller's transaction. Whether it was minted after all is looked at first. */
export async function requeueMint(tx: Tx, depositId: string, now: Date): Promise<Mint | null> {
  const [mint] = await tx
    .update(mints)
    .set({ state: 'queued', attempts: 0, nextAt: now, leasedUntil: null, problem: null, details: null, updatedAt: now })
    .where(and(eq(mints.depositId, depositId), eq(mints.state, 'failed')))
    .returning();
  return mint ?? null;
}

/**
 * Looks whether the last mints that counted as final are in the chain still. One that is not goes on as sent: a chain that
 * forgot its last blocks (a devnet that was killed, a reorganisation beyond the depth) gets the same bytes again.
 */
export async function recheckFinalMints(work: MintWork, most: number): Promise<number> {
  const { db } = work.services.database;
  const finals = await db.select().from(mints).where(eq(mints.state, 'final')).orderBy(desc(mints.nonce)).limit(most);
  let lost = 0;
  for (const mint of finals.reverse()) {
    const mined = await work.chain.mined(mint.hash as Hex);
    if (mined?.success && isFor(mint, mined)) continue;
    work.services.log.error({ mint: mint.id, hash: mint.hash }, 'a final mint is no longer in the chain: it is sent again');
    await become(work, mint, 'sent', { hash: null, blockNumber: null, blockHash: null });
    lost++;
  }
  return lost;
}
