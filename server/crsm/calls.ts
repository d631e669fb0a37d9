import { and, desc, eq, gt, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { presentCall, crsmState, type CrsmCallRow } from './rows.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { CrsmChain, FoundTransaction } from './chain.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { crsmCalls, crsmEvents } from './tables.ts';

// Outcomes of calls made by wallets. The chain decides, not the browser: a settled transaction counts if it equals the prepared
// call.

export interface CallContext {
  services: Services;
  chain: CrsmChain;
  /** Events are read up to this block. */
  head: bigint;
}

/** A transaction unknown to all nodes for this long counts as lost. It is still accepted within a day. */
const lostAfterMs = 15 * 60_000;
const abandonAfterMs = 24 * 3_600_000;
/** How long to search for the transaction of a call without a hash. */
const maxSearchMs = 7 * 24 * 3_600_000;
/** Blocks read again, because a reorganization may add events. */
const blockOverlap = 64n;

const searchedBlocks = memoizePerServer(() => new Map<string, bigint>());

/** Idempotent, also with several servers. */
export async function followCalls(callContext: CallContext): Promise<void> {
  const { services } = callContext;
  const timeBefore = (ms: number) => new Date(services.now() - ms);
  const openCalls = await services.database.db
    .select()
    .from(crsmCalls)
    .where(
      or(
        eq(crsmCalls.state, 'sent'),
        and(eq(crsmCalls.state, 'lost'), gt(crsmCalls.sentAt, timeBefore(abandonAfterMs))),
        and(eq(crsmCalls.state, 'prepared'), gt(crsmCalls.createdAt, timeBefore(maxSearchMs))),
      ),
    )
    .orderBy(crsmCalls.createdAt, crsmCalls.id);
  for (const call of openCalls) {
    if (call.state === 'prepared') await searchTransaction(callContext, call);
    else await followCall(callContext, call);
  }
}

async function followCall(callContext: CallContext, call: CrsmCallRow): Promise<void> {
  const { services, chain, head } = callContext;
  if (call.hash === null) return;
  const transaction = await chain.transaction(call.hash as Hex);
  if (!transaction) {
    if (await searchTransaction(callContext, call)) return; // a wallet that raises the fee changes the hash
    const isLost = services.now() - (call.sentAt ?? call.createdAt).getTime() > lostAfterMs;
    if (isLost && call.state === 'sent') await changeState(callContext, call, { state: 'lost' });
    return;
  }
  const confirmationDepth = services.config.evm?.mintDepth ?? 0n;
  if (!transaction.mined || head < transaction.mined.block + confirmationDepth) {
    if (call.state === 'lost') await changeState(callContext, call, { state: 'sent' });
    return;
  }
  if (!matchesPreparedCall(call, transaction)) return changeState(callContext, call, { state: 'different' });
  if (!transaction.mined.success) return changeState(callContext, call, { state: 'failed' });
  await changeState(callContext, call, {
    state: 'done',
    ...(call.action === 'create' && { crsm: await readCreatedCrsm(callContext, call.hash) }),
  });
}

/** The block must be later than that of the preparation, because an earlier identical call was another one. */
const matchesPreparedCall = (call: CrsmCallRow, { from, to, data, value, chainId, mined }: FoundTransaction): boolean =>
  from === call.from &&
  to === call.to &&
  data === call.data &&
  value === 0n &&
  (chainId ?? call.chainId) === call.chainId &&
  (mined === null || mined.block > call.block);

async function readCreatedCrsm({ services }: CallContext, hash: string): Promise<string | null> {
  const [event] = await services.database.db
    .select({ crsm: crsmEvents.crsm })
    .from(crsmEvents)
    .where(and(eq(crsmEvents.name, 'NewCRSMDeployment'), eq(crsmEvents.hash, hash)));
  return event?.crsm ?? null;
}

/** Without a reported hash (closed tab, lost response), searches the transactions that left events. */
async function searchTransaction(callContext: CallContext, call: CrsmCallRow): Promise<boolean> {
  const { services, chain, head } = callContext;
  const { db } = services.database;
  const searchedUntil = searchedBlocks(services);
  const from =
    (searchedUntil.get(call.id) ?? 0n) > call.block + blockOverlap
      ? (searchedUntil.get(call.id) ?? 0n) - blockOverlap
      : call.block;
  const minedHashes = db
    .select({ hash: sql<string>`${crsmCalls.hash}` })
    .from(crsmCalls)
    .where(
      and(inArray(crsmCalls.state, ['sent', 'done', 'failed']), gt(crsmCalls.updatedAt, call.createdAt), sql`hash is not null`),
    );
  const candidateEvents = await db
    .selectDistinct({ hash: crsmEvents.hash, block: crsmEvents.block })
    .from(crsmEvents)
    .where(
      and(
        gt(crsmEvents.block, from),
        call.crsm === null ? eq(crsmEvents.name, 'NewCRSMDeployment') : eq(crsmEvents.crsm, call.crsm),
        notInArray(crsmEvents.hash, minedHashes),
      ),
    )
    .orderBy(desc(crsmEvents.block))
    .limit(200);
  for (const { hash } of candidateEvents.toReversed()) {
    const transaction = await chain.transaction(hash as Hex);
    if (!transaction?.mined || !matchesPreparedCall(call, transaction)) continue;
    await changeState(callContext, call, { state: 'sent', hash, sentAt: new Date(services.now()) });
    return true;
  }
  if (searchedUntil.size > 10_000) searchedUntil.clear();
  searchedUntil.set(call.id, head);
  return false;
}

type CallChange = Partial<Pick<CrsmCallRow, 'state' | 'hash' | 'sentAt' | 'crsm'>>;

/** Only if the row is unchanged. Adds to the audit. */
async function changeState(callContext: CallContext, call: CrsmCallRow, change: CallChange): Promise<void> {
  const { services } = callContext;
  try {
    await services.database.db.transaction(async (tx) => {
      const [updatedCall] = await tx
        .update(crsmCalls)
        .set({ ...change, updatedAt: new Date(services.now()) })
        .where(
          and(
            eq(crsmCalls.id, call.id),
            eq(crsmCalls.state, call.state),
            call.hash === null ? isNull(crsmCalls.hash) : eq(crsmCalls.hash, call.hash),
          ),
        )
        .returning();
      if (!updatedCall) return;
      await recordSystemAudit(tx, services, {
        entity: 'crsm',
        id: crsmState(updatedCall),
        action: updatedCall.state,
        before: presentCall(call),
        after: presentCall(updatedCall),
      });
    });
  } catch (error) {
    if (getDatabaseErrorCode(error) !== '23505' || change.state === 'different') throw error;
    // Another identical call already has this transaction.
    await changeState(callContext, call, { state: 'different' });
  }
}
