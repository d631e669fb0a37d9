import { and, asc, eq, gt, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { formatBtc, formatUnits } from '../../api/money.ts';
import type { Reserve } from '../../api/custody/reserve.ts';
import { crsms } from '../crsm/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits, mints } from '../deposits/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { crsmChainOf } from '../crsm/shared/chain-of.ts';
import { figuresAt, isStaleAt } from '../crsm/shared/staleness.ts';
import { isUnread } from '../crsm/shared/near.ts';
import { perServer, type Services } from '../platform/core/context.ts';
import { bridgeRefunds } from '../withdrawals/tables.ts';
import { plain } from './message.ts';
import type { Subject } from './raise.ts';
import { alarmSubjects } from './tables.ts';

// What is an alarm, read from the tables alone: whichever code made it so, by whatever way, is heard of.

const dayMs = 86_400_000;
/** Of each kind at one look; the next look goes on. */
const most = 500;

/** Freezes that are open, or were opened in the last day. */
export async function freezesOpened(tx: Tx, now: Date): Promise<Subject[]> {
  const rows = await tx
    .select()
    .from(moneyFreezes)
    .where(or(isNull(moneyFreezes.resolvedAt), gt(moneyFreezes.at, new Date(now.getTime() - dayMs))))
    .limit(most);
  return rows.map(({ id, at, supplyOff, ledgerOff }) => ({
    key: `freeze:${id}`,
    line: `freeze ${id}, ${at.toISOString()}, supply off ${formatUnits(supplyOff, 18)} YBTC, ledger off ${formatUnits(ledgerOff, 18)} YBTC`,
  }));
}

export async function freezesLifted(tx: Tx, now: Date): Promise<Subject[]> {
  const rows = await tx
    .select({ id: moneyFreezes.id, at: moneyFreezes.resolvedAt, by: administrators.email })
    .from(moneyFreezes)
    .leftJoin(administrators, eq(administrators.id, moneyFreezes.resolvedBy))
    .where(gt(moneyFreezes.resolvedAt, new Date(now.getTime() - dayMs)))
    .limit(most);
  return rows.map(({ id, at, by }) => ({
    key: `lifted:${id}:${at?.getTime()}`,
    line: `freeze ${id}, by ${plain(by ?? 'nobody who is still there')}`,
  }));
}

/** This server's first look: for a while after it nothing is silent, however long it was down. */
const begunOf = perServer(({ now }) => now());

/** Watchers of the chain that have come to nothing since `before`, or not come back: nobody would see what is amiss. */
export async function watchesSilent(tx: Tx, services: Services, before: Date): Promise<Subject[]> {
  const { evm } = services.config;
  const begun = begunOf(services);
  if (!evm || begun >= before.getTime()) return [];
  const rows = new Map((await tx.select().from(chainWatches)).map((row) => [row.name, row]));
  const names = ['reconciliation', 'bridge', ...(crsmChainOf(services) ? (['crsm'] as const) : [])] as const;
  return names.flatMap((name) => {
    const row = rows.get(name);
    const { at, state } = row ?? { at: new Date(begun), state: null };
    if (at >= before) return [];
    return {
      key: `watch:silent:${name}:${row ? at.getTime() : 'never'}`,
      line: `${name}, since ${at.toISOString()}, ${state ?? 'no answer'}`,
    };
  });
}

/** The receiver is a stranger's text, unless it can be nothing but an address. */
const receiverOf = (receiver: string) =>
  /^[a-zA-Z0-9]{14,90}$/.test(receiver) ? receiver : `no address (${receiver.length} characters)`;

export async function refundsUnmatched(tx: Tx): Promise<Subject[]> {
  const rows = await tx
    .select()
    .from(bridgeRefunds)
    .where(eq(bridgeRefunds.alarming, true))
    .orderBy(sql`${bridgeRefunds.seenAt} desc`)
    .limit(most);
  return rows.map(({ chainId, bridge, nonce, srcHash, from, receiver, amount }) => ({
    key: `refund:${chainId}:${bridge}:${nonce}:${srcHash}:${from}:${amount}:${receiver.slice(0, 100)}`,
    line: `chain ${chainId}, nonce ${nonce}, ${formatUnits(amount, 18)} YBTC from ${from} to ${receiverOf(receiver)}, deposit ${srcHash}`,
  }));
}

/** What stands until it is over: each look takes what was not told yet, and forgets what is no more. */
interface Standing {
  fresh: Subject[];
  /** The keys of all that stand, however many, as a query. */
  keys: SQL;
}

/** The key of a row that stands, and whether it was told, both in SQL. */
const keyOf = (prefix: string, id: AnyPgColumn) => {
  const key = sql`${`${prefix}:`}::text || ${id}`;
  return { key, isFresh: sql`not exists (select 1 from ${alarmSubjects} where ${alarmSubjects.key} = ${key})` };
};

export async function mintsFailed(tx: Tx): Promise<Standing> {
  return standingMints(tx, 'mint:failed', eq(mints.state, 'failed'), () => '');
}

/** Mints that could have been signed since then, when first asked for or when tried again last, and are not done. */
export async function mintsStuck(tx: Tx, before: Date): Promise<Standing> {
  const isUnderWay = sql`${mints.state} in ('queued', 'signed', 'sent', 'mined')`;
  // One that was found on the chain after all has only to be settled.
  const isLong = and(
    lt(sql`greatest(${mints.createdAt}, ${mints.signFrom})`, before),
    or(ne(mints.state, 'mined'), lt(mints.updatedAt, before)),
  );
  return standingMints(tx, 'mint:stuck', and(isUnderWay, isLong), ({ state }) => `, ${state}`);
}

async function standingMints(
  tx: Tx,
  prefix: string,
  where: SQL | undefined,
  how: (mint: typeof mints.$inferSelect) => string,
): Promise<Standing> {
  const { key, isFresh } = keyOf(prefix, mints.id);
  const rows = await tx.select().from(mints).where(and(where, isFresh)).orderBy(asc(mints.id)).limit(most);
  const fresh = rows.map((mint) => ({
    key: `${prefix}:${mint.id}`,
    line: `deposit ${mint.depositId}, ${formatUnits(mint.amount, 18)} YBTC${how(mint)}`,
  }));
  return { fresh, keys: sql`select ${key} from ${mints} where ${where}` };
}

/** Deposits nobody has confirmed. */
export async function depositsWaiting(tx: Tx, before: Date): Promise<Standing> {
  const where = and(eq(deposits.status, 'created'), lt(deposits.createdAt, before));
  const { key, isFresh } = keyOf('deposit:waits', deposits.id);
  const rows = await tx
    .select({
      id: deposits.id,
      amount: deposits.amount,
      createdAt: deposits.createdAt,
    })
    .from(deposits)
    .where(and(where, isFresh))
    .orderBy(asc(deposits.createdAt), asc(deposits.id))
    .limit(most);
  const fresh = rows.map(({ id, amount, createdAt }) => ({
    key: `deposit:waits:${id}`,
    line: `deposit ${id}, ${formatBtc(amount)} BTC, since ${createdAt.toISOString()}`,
  }));
  return { fresh, keys: sql`select ${key} from ${deposits} where ${where}` };
}

/** At their trigger by what was read last: figures that could not be refreshed since say so, and calm nobody. */
export async function crsmsAtTrigger(tx: Tx, services: Services): Promise<Standing> {
  const where = and(isNotNull(crsms.block), eq(crsms.isTrovesOwner, true), sql`${crsms.icr} <= ${crsms.TRGCR}`);
  const { key, isFresh } = keyOf('crsm:trigger', crsms.id);
  const rows = await tx.select().from(crsms).where(and(where, isFresh)).orderBy(asc(crsms.id)).limit(most);
  const figures = await figuresAt(services, tx);
  const fresh = rows.map(({ id, icr, TRGCR, block }) => ({
    key: `crsm:trigger:${id}`,
    line: `CRSM ${id}, ICR ${formatUnits(icr, 16)} percent, trigger ${formatUnits(TRGCR, 16)} percent, block ${block}${isStaleAt(figures, block) ? ', not refreshed since' : ''}`,
  }));
  return { fresh, keys: sql`select ${key} from ${crsms} where ${where}` };
}

/** CRSMs whose figures could not be refreshed since `before`: nobody would see them come to their trigger. */
export async function crsmsUnread(tx: Tx, services: Services, before: Date): Promise<Standing> {
  const where = and(eq(crsms.isTrovesOwner, true), isUnread(services), lt(crsms.readAt, before));
  const { key, isFresh } = keyOf('crsm:stale', crsms.id);
  const rows = await tx.select().from(crsms).where(and(where, isFresh)).orderBy(asc(crsms.id)).limit(most);
  const fresh = rows.map(({ id, block, readAt }) => ({
    key: `crsm:stale:${id}`,
    line: `CRSM ${id}, block ${block}, since ${readAt?.toISOString()}`,
  }));
  return { fresh, keys: sql`select ${key} from ${crsms} where ${where}` };
}

/** Supply that no bitcoin stands behind, as the signer signed it: told anew when the amount is another. */
export function reserveShort({ surplus, signed }: Reserve): Subject[] {
  if (surplus === null || !signed || BigInt(surplus) >= 0n) return [];
  const { report } = signed;
  return [
    {
      key: `reserve:short:${surplus}`,
      line: `${formatUnits(-BigInt(surplus), 18)} YBTC short: ${formatBtc(BigInt(report.satoshi))} BTC at block ${report.bitcoin.height}, ${formatUnits(BigInt(report.supply), 18)} YBTC at block ${report.evm.block}`,
    },
  ];
}

/** No proof since `before`, or one that is not the minter's. */
export function reserveUnproven({ state, signed, problem }: Reserve, before: Date): Subject[] {
  const isOld = signed !== null && Date.parse(signed.report.at) < before.getTime();
  const isMissing = state === 'none' && problem !== null && Date.parse(problem.at) < before.getTime();
  if (!isOld && !isMissing && state !== 'invalid') return [];
  const since = signed ? `the last is of ${signed.report.at}` : state;
  return [{ key: `reserve:unproven:${state}`, line: plain(`${since}, ${problem?.reason ?? 'the signer says nothing'}`) }];
}

/** Changes of rules and of who may do what, in the audit after `seq`; and the last number that was looked at. */
export async function changesAfter(tx: Tx, seq: number): Promise<{ subjects: Subject[]; seq: number }> {
  const rows = await tx.select().from(audit).where(gt(audit.seq, seq)).orderBy(asc(audit.seq)).limit(most);
  const subjects = rows
    .filter(
      ({ result, entity, route }) =>
        result === 'done' && ((entities.has(entity) && route !== 'authority.sign') || route.startsWith('administrators.')),
    )
    .map((row) => ({
      key: `audit:${row.seq}`,
      line: plain(`#${row.seq} ${row.entity} ${row.action}, by ${row.actorEmail || 'the server'}, ${row.entityId ?? ''}`),
    }));
  return { subjects, seq: rows.at(-1)?.seq ?? seq };
}

const entities: ReadonlySet<string> = new Set(['statement', 'role', 'permission']);
