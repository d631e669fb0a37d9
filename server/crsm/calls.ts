import { and, desc, eq, gt, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { presentCall, crsmState, type CrsmCallRow } from './rows.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { CrsmChain, FoundTransaction } from './chain.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { crsmCalls, crsmEvents } from './tables.ts';

// Outcomes of calls made by wallets. The chain decides, not the browser: a settled transaction counts if it equals the prepared
// call.

export interface CallsWork {
  services: Services;
  chain: CrsmChain;
  /** Events are read up to this block. */
  head: bigint;
}

/** A transaction unknown to all nodes for this long counts as lost. It is still accepted within a day. */
const lostMs = 15 * 60_000;
const givenUpMs = 24 * 3_600_000;
/** How long to search for the transaction of a call without a hash. */
const maxSearchMs = 7 * 24 * 3_600_000;
/** Blocks read again, because a reorganization may add events. */
const overlap = 64n;

const searchedBlocksOf = memoizePerServer(() => new Map<string, bigint>());

/** Idempotent, also with several servers. */
export async function followCalls(work: CallsWork): Promise<void> {
  const { services } = work;
  const since = (ms: number) => new Date(services.now() - ms);
  const open = await services.database.db
    .select()
    .from(crsmCalls)
    .where(
      or(
        eq(crsmCalls.state, 'sent'),
        and(eq(crsmCalls.state, 'lost'), gt(crsmCalls.sentAt, since(givenUpMs))),
        and(eq(crsmCalls.state, 'prepared'), gt(crsmCalls.createdAt, since(maxSearchMs))),
      ),
    )
    .orderBy(crsmCalls.createdAt, crsmCalls.id);
  for (const call of open) {
    if (call.state === 'prepared') await searchTransaction(work, call);
    else await followCall(work, call);
  }
}

async function followCall(work: CallsWork, call: CrsmCallRow): Promise<void> {
  const { services, chain, head } = work;
  if (call.hash === null) return;
  const found = await chain.transaction(call.hash as Hex);
  if (!found) {
    if (await searchTransaction(work, call)) return; // a wallet that raises the fee changes the hash
    const isLost = services.now() - (call.sentAt ?? call.createdAt).getTime() > lostMs;
    if (isLost && call.state === 'sent') await changeState(work, call, { state: 'lost' });
    return;
  }
  const depth = services.config.evm?.mintDepth ?? 0n;
  if (!found.mined || head < found.mined.block + depth) {
    if (call.state === 'lost') await changeState(work, call, { state: 'sent' });
    return;
  }
  if (!isWhatWasPrepared(call, found)) return changeState(work, call, { state: 'different' });
  if (!found.mined.success) return changeState(work, call, { state: 'failed' });
  await changeState(work, call, { state: 'done', ...(call.action === 'create' && { crsm: await createdCrsm(work, call.hash) }) });
}

/** The block must be later than that of the preparation, because an earlier identical call was another one. */
const isWhatWasPrepared = (call: CrsmCallRow, { from, to, data, value, chainId, mined }: FoundTransaction): boolean =>
  from === call.from &&
  to === call.to &&
  data === call.data &&
  value === 0n &&
  (chainId ?? call.chainId) === call.chainId &&
  (mined === null || mined.block > call.block);

async function createdCrsm({ services }: CallsWork, hash: string): Promise<string | null> {
  const [event] = await services.database.db
    .select({ crsm: crsmEvents.crsm })
    .from(crsmEvents)
    .where(and(eq(crsmEvents.name, 'NewCRSMDeployment'), eq(crsmEvents.hash, hash)));
  return event?.crsm ?? null;
}

/** Without a reported hash (closed tab, lost response), searches the transactions that left events. */
async function searchTransaction(work: CallsWork, call: CrsmCallRow): Promise<boolean> {
  const { services, chain, head } = work;
  const { db } = services.database;
  const watchedCalls = searchedBlocksOf(services);
  const from =
    (watchedCalls.get(call.id) ?? 0n) > call.block + overlap ? (watchedCalls.get(call.id) ?? 0n) - overlap : call.block;
  const minedElsewhere = db
    .select({ hash: sql<string>`${crsmCalls.hash}` })
    .from(crsmCalls)
    .where(
      and(inArray(crsmCalls.state, ['sent', 'done', 'failed']), gt(crsmCalls.updatedAt, call.createdAt), sql`hash is not null`),
    );
  const candidates = await db
    .selectDistinct({ hash: crsmEvents.hash, block: crsmEvents.block })
    .from(crsmEvents)
    .where(
      and(
        gt(crsmEvents.block, from),
        call.crsm === null ? eq(crsmEvents.name, 'NewCRSMDeployment') : eq(crsmEvents.crsm, call.crsm),
        notInArray(crsmEvents.hash, minedElsewhere),
      ),
    )
    .orderBy(desc(crsmEvents.block))
    .limit(200);
  for (const { hash } of candidates.toReversed()) {
    const found = await chain.transaction(hash as Hex);
    if (!found?.mined || !isWhatWasPrepared(call, found)) continue;
    await changeState(work, call, { state: 'sent', hash, sentAt: new Date(services.now()) });
    return true;
  }
  if (watchedCalls.size > 10_000) watchedCalls.clear();
  watchedCalls.set(call.id, head);
  return false;
}

type Change = Partial<Pick<CrsmCallRow, 'state' | 'hash' | 'sentAt' | 'crsm'>>;

/** Only if the row is unchanged. Adds to the audit. */
async function changeState(work: CallsWork, call: CrsmCallRow, change: Change): Promise<void> {
  const { services } = work;
  try {
    await services.database.db.transaction(async (tx) => {
      const [after] = await tx
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
      if (!after) return;
      await recordSystemAudit(tx, services, {
        entity: 'crsm',
        id: crsmState(after),
        action: after.state,
        before: presentCall(call),
        after: presentCall(after),
      });
    });
  } catch (error) {
    if (codeOf(error) !== '23505' || change.state === 'different') throw error;
    // Another identical call already has this transaction.
    await changeState(work, call, { state: 'different' });
  }
}
