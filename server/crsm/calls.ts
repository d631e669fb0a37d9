import { and, desc, eq, gt, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { presentCall, recordOf, type Call } from './rows.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { perServer, type Services } from '../platform/core/context.ts';
import type { CrsmChain, FoundTransaction } from './chain.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { crsmCalls, crsmEvents } from './tables.ts';

// What becomes of the calls that wallets were asked for. The chain is believed, not the browser: a transaction counts once it is
// settled, and is the call's only when it is the call to the last byte.

export interface CallsWork {
  services: Services;
  chain: CrsmChain;
  /** The block up to which events have been read. */
  head: bigint;
}

/** A transaction that no node knows of for this long will not come; one that comes all the same within a day is taken. */
const lostMs = 15 * 60_000;
const givenUpMs = 24 * 3_600_000;
/** For this long the transaction of a call whose hash nobody told is looked for. */
const soughtMs = 7 * 24 * 3_600_000;
/** Blocks looked through again: events may have come with a reorganisation. */
const overlap = 64n;

/** Up to which block the transaction of a call has been looked for. */
const soughtOf = perServer(() => new Map<string, bigint>());

/** One look at every call that is not over. Looking twice, or two servers at once, changes nothing twice. */
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
        and(eq(crsmCalls.state, 'prepared'), gt(crsmCalls.createdAt, since(soughtMs))),
      ),
    )
    .orderBy(crsmCalls.createdAt, crsmCalls.id);
  for (const call of open) {
    if (call.state === 'prepared') await seek(work, call);
    else await follow(work, call);
  }
}

async function follow(work: CallsWork, call: Call): Promise<void> {
  const { services, chain, head } = work;
  if (call.hash === null) return;
  const found = await chain.transaction(call.hash as Hex);
  if (!found) {
    if (await seek(work, call)) return; // sent anew at a higher fee, it has another hash
    const isLost = services.now() - (call.sentAt ?? call.createdAt).getTime() > lostMs;
    if (isLost && call.state === 'sent') await move(work, call, { state: 'lost' });
    return;
  }
  const depth = services.config.evm?.mintDepth ?? 0n;
  if (!found.mined || head < found.mined.block + depth) {
    if (call.state === 'lost') await move(work, call, { state: 'sent' });
    return;
  }
  if (!isWhatWasPrepared(call, found)) return move(work, call, { state: 'different' });
  if (!found.mined.success) return move(work, call, { state: 'failed' });
  await move(work, call, { state: 'done', ...(call.action === 'create' && { crsm: await madeBy(work, call.hash) }) });
}

/** Field by field, and in a block after the one it was prepared at: an older one of the same bytes was another call. */
const isWhatWasPrepared = (call: Call, { from, to, data, value, chainId, mined }: FoundTransaction): boolean =>
  from === call.from &&
  to === call.to &&
  data === call.data &&
  value === 0n &&
  (chainId ?? call.chainId) === call.chainId &&
  (mined === null || mined.block > call.block);

async function madeBy({ services }: CallsWork, hash: string): Promise<string | null> {
  const [event] = await services.database.db
    .select({ crsm: crsmEvents.crsm })
    .from(crsmEvents)
    .where(and(eq(crsmEvents.name, 'NewCRSMDeployment'), eq(crsmEvents.hash, hash)));
  return event?.crsm ?? null;
}

/** Nobody told the hash that counts (a closed tab, a lost answer): the transaction is looked for among those that left events. */
async function seek(work: CallsWork, call: Call): Promise<boolean> {
  const { services, chain, head } = work;
  const { db } = services.database;
  const sought = soughtOf(services);
  const from = (sought.get(call.id) ?? 0n) > call.block + overlap ? (sought.get(call.id) ?? 0n) - overlap : call.block;
  const taken = db
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
        notInArray(crsmEvents.hash, taken),
      ),
    )
    .orderBy(desc(crsmEvents.block))
    .limit(200);
  for (const { hash } of candidates.toReversed()) {
    const found = await chain.transaction(hash as Hex);
    if (!found?.mined || !isWhatWasPrepared(call, found)) continue;
    await move(work, call, { state: 'sent', hash, sentAt: new Date(services.now()) });
    return true;
  }
  if (sought.size > 10_000) sought.clear();
  sought.set(call.id, head);
  return false;
}

type Change = Partial<Pick<Call, 'state' | 'hash' | 'sentAt' | 'crsm'>>;

/** Changes a call that still is as it was seen, with the audit. */
async function move(work: CallsWork, call: Call, change: Change): Promise<void> {
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
        id: recordOf(after),
        action: after.state,
        before: presentCall(call),
        after: presentCall(after),
      });
    });
  } catch (error) {
    if (codeOf(error) !== '23505' || change.state === 'different') throw error;
    // The transaction is another call's already, of the same bytes.
    await move(work, call, { state: 'different' });
  }
}
