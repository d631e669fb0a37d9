import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { allNames } from '../../api/all-names.ts';
import type { Reserve } from '../../api/custody/reserve.ts';
import type { Name } from '../../api/naming.ts';
import { crsms } from '../crsm/tables.ts';
import { parseRefunds } from '../custody/shared/refund-freeze.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { isBlockedRow, readOpenBlocks } from '../deposits/shared/blocks.ts';
import { mintStageOf } from '../deposits/shared/block-texts.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, serviceAccounts, serviceTokens } from '../platform/auth/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { crsmChainOf } from '../crsm/shared/chain-of.ts';
import { readFiguresAge, isOutdatedAt } from '../crsm/shared/figures-age.ts';
import { isFigureOutdated } from '../crsm/shared/near-trigger.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import { bridgeRefunds } from '../withdrawals/tables.ts';
import type { AlarmKind } from './alarm-texts.ts';
import { toPlainText, type AlarmFacts, type AlarmSubject } from './facts.ts';
import { alarmSubjects } from './tables.ts';

// Conditions are read from tables, so that alarms do not depend on the code that caused them.

const dayMs = 86_400_000;
/** Per kind and pass. */
const max = 500;

/** Open now, or opened in the last day. */
export async function readOpenedFreezes(tx: Tx, now: Date): Promise<AlarmSubject<'freezeOpened'>[]> {
  const rows = await tx
    .select()
    .from(moneyFreezes)
    .where(or(isNull(moneyFreezes.resolvedAt), gt(moneyFreezes.at, new Date(now.getTime() - dayMs))))
    .limit(max);
  return rows.map((row) => ({
    key: `freeze:${row.id}`,
    facts: {
      cause: row.kind === 'manual' ? 'manual' : parseRefunds(row).length > 0 ? 'refund' : 'difference',
      at: row.at.toISOString(),
      by: row.openedEmail === null ? null : toPlainText(row.openedEmail),
      reason: row.openedReason === null ? null : toPlainText(row.openedReason),
      supplyOff: row.supplyOff.toString(),
      ledgerOff: row.ledgerOff.toString(),
    },
  }));
}

export async function readLiftedFreezes(tx: Tx, now: Date): Promise<AlarmSubject<'freezeLifted'>[]> {
  const rows = await tx
    .select({ id: moneyFreezes.id, at: moneyFreezes.resolvedAt, reason: moneyFreezes.reason, by: administrators.email })
    .from(moneyFreezes)
    .leftJoin(administrators, eq(administrators.id, moneyFreezes.resolvedBy))
    .where(gt(moneyFreezes.resolvedAt, new Date(now.getTime() - dayMs)))
    .limit(max);
  return rows.map(({ id, at, reason, by }) => ({
    key: `lifted:${id}:${at?.getTime()}`,
    facts: {
      at: (at ?? now).toISOString(),
      by: by === null ? null : toPlainText(by),
      reason: reason === null ? null : toPlainText(reason),
    },
  }));
}

/** Reported in the last day. */
export async function readLeakedTokens(tx: Tx, now: Date): Promise<AlarmSubject<'tokenLeaked'>[]> {
  const rows = await readTokens(tx, and(eq(serviceTokens.revokedReason, 'leaked'), gt(serviceTokens.revokedAt, dayBefore(now))));
  return rows.map((row) => ({ key: `token:leaked:${row.id}`, facts: tokenFactsOf(row, row.revokedAt ?? now) }));
}

/** Once a day for each rotated token. */
export async function readTokensUsedLate(tx: Tx, now: Date): Promise<AlarmSubject<'tokenUsedLate'>[]> {
  const rows = await readTokens(tx, gt(serviceTokens.lateUseAt, dayBefore(now)));
  return rows.map((row) => {
    const at = row.lateUseAt ?? now;
    return { key: `token:late:${row.id}:${at.toISOString().slice(0, 10)}`, facts: tokenFactsOf(row, at) };
  });
}

/** Once a day, and immediately after a start with ROLE_NETWORKS=off. */
export const findIgnoredNetworks = ({ config }: Services, now: Date): AlarmSubject<'networksIgnored'>[] =>
  config.roleNetworks ? [] : [{ key: `networks:ignored:${now.toISOString().slice(0, 10)}`, facts: { at: now.toISOString() } }];

const dayBefore = (now: Date): Date => new Date(now.getTime() - dayMs);

const readTokens = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({
      id: serviceTokens.id,
      account: serviceAccounts.id,
      name: serviceAccounts.name,
      token: serviceTokens.name,
      lastFour: serviceTokens.lastFour,
      revokedAt: serviceTokens.revokedAt,
      lateUseAt: serviceTokens.lateUseAt,
    })
    .from(serviceTokens)
    .leftJoin(serviceAccounts, eq(serviceAccounts.id, serviceTokens.serviceAccountId))
    .where(where)
    .limit(max);

const tokenFactsOf = ({ account, name, token, lastFour }: Omit<AlarmFacts['tokenLeaked'], 'at'>, at: Date) => ({
  account,
  name,
  token: toPlainText(token),
  lastFour,
  at: at.toISOString(),
});

/** First pass of this server. Watchers get a grace period after it. */
const firstPassAt = memoizePerServer(({ now }) => now());

/** Watchers that failed or are missing since `before`. */
export async function readSilentWatches(tx: Tx, services: Services, cutoff: Date): Promise<AlarmSubject<'watchSilent'>[]> {
  const { evm } = services.config;
  const firstPass = firstPassAt(services);
  if (!evm || firstPass >= cutoff.getTime()) return [];
  const rows = new Map((await tx.select().from(chainWatches)).map((row) => [row.name, row]));
  const names = ['reconciliation', 'bridge', ...(crsmChainOf(services) ? (['crsm'] as const) : [])] as const;
  return names.flatMap((name) => {
    const row = rows.get(name);
    const { at, state } = row ?? { at: new Date(firstPass), state: null };
    if (at >= cutoff) return [];
    return {
      key: `watch:silent:${name}:${row ? at.getTime() : 'never'}`,
      facts: { watch: name, since: at.toISOString(), state },
    };
  });
}

/** A stranger wrote the receiver, so it is repeated only if it can be an address. */
const plainReceiver = (receiver: string) => (/^[a-zA-Z0-9]{14,90}$/.test(receiver) ? receiver : null);

export async function readUnmatchedRefunds(tx: Tx): Promise<AlarmSubject<'refundUnmatched'>[]> {
  const rows = await tx
    .select()
    .from(bridgeRefunds)
    .where(eq(bridgeRefunds.alarming, true))
    .orderBy(sql`${bridgeRefunds.seenAt} desc`)
    .limit(max);
  return rows.map(({ chainId, bridge, nonce, srcHash, from, receiver, amount }) => ({
    key: `refund:${chainId}:${bridge}:${nonce}:${srcHash}:${from}:${amount}:${receiver.slice(0, 100)}`,
    facts: {
      chainId,
      nonce,
      amount: amount.toString(),
      from,
      receiver: plainReceiver(receiver),
      receiverLength: receiver.length,
      deposit: srcHash,
    },
  }));
}

/** A condition that lasts: each pass reports new subjects and forgets ended ones. */
interface OngoingCondition<K extends AlarmKind> {
  fresh: AlarmSubject<K>[];
  /** All current keys, as a query. */
  keys: SQL;
}

/** SQL for a row's key, and for whether it was reported. */
const subjectKeyOf = (prefix: string, id: AnyPgColumn) => {
  const key = sql`${`${prefix}:`}::text || ${id}`;
  return { key, isFresh: sql`not exists (select 1 from ${alarmSubjects} where ${alarmSubjects.key} = ${key})` };
};

export async function readFailedMints(tx: Tx): Promise<OngoingCondition<'mintFailed'>> {
  return readOngoingMints(tx, 'mint:failed', eq(mints.state, 'failed'), mintFacts);
}

/** Signable since before `before`, counted from the request or the last retry, and not done. */
export async function readStuckMints(tx: Tx, cutoff: Date): Promise<OngoingCondition<'mintStuck'>> {
  const isInProgress = inArray(mints.state, unfinishedStates);
  // A mint found on chain only needs to settle.
  const isOverdue = and(
    lt(sql`greatest(${mints.createdAt}, ${mints.signFrom})`, cutoff),
    or(ne(mints.state, 'mined'), lt(mints.updatedAt, cutoff)),
  );
  return readOngoingMints(tx, 'mint:stuck', and(isInProgress, isOverdue), (mint) => ({
    ...mintFacts(mint),
    state: unfinishedStates.find((state) => state === mint.state) ?? 'queued',
    since: new Date(Math.max(mint.createdAt.getTime(), mint.signFrom?.getTime() ?? 0)).toISOString(),
  }));
}

const unfinishedStates = ['queued', 'signed', 'sent', 'mined'] as const;

type Mint = typeof mints.$inferSelect;

const mintFacts = ({ depositId, recipient, amount, problem }: Mint) => ({
  deposit: depositId,
  recipient,
  amount: amount.toString(),
  problem,
});

async function readOngoingMints<K extends 'mintFailed' | 'mintStuck'>(
  tx: Tx,
  prefix: string,
  where: SQL | undefined,
  factsOf: (mint: Mint) => AlarmFacts[K],
): Promise<OngoingCondition<K>> {
  const { key, isFresh } = subjectKeyOf(prefix, mints.id);
  const rows = await tx.select().from(mints).where(and(where, isFresh)).orderBy(asc(mints.id)).limit(max);
  const newSubjects = rows.map((mint) => ({ key: `${prefix}:${mint.id}`, facts: factsOf(mint) }));
  return { fresh: newSubjects, keys: sql`select ${key} from ${mints} where ${where}` };
}

export async function readWaitingDeposits(tx: Tx, cutoff: Date): Promise<OngoingCondition<'depositWaits'>> {
  const where = and(eq(deposits.status, 'created'), lt(deposits.createdAt, cutoff));
  const { key, isFresh } = subjectKeyOf('deposit:waits', deposits.id);
  const rows = await tx
    .select()
    .from(deposits)
    .where(and(where, isFresh))
    .orderBy(asc(deposits.createdAt), asc(deposits.id))
    .limit(max);
  const newSubjects = rows.map(({ id, userAddress, amount, modifiedEmail, createdAt }) => ({
    key: `deposit:waits:${id}`,
    facts: {
      deposit: id,
      recipient: userAddress,
      satoshi: amount.toString(),
      by: toPlainText(modifiedEmail),
      since: createdAt.toISOString(),
    },
  }));
  return { fresh: newSubjects, keys: sql`select ${key} from ${deposits} where ${where}` };
}

export async function readBlockedDeposits(tx: Tx): Promise<OngoingCondition<'depositBlocked'>> {
  const where = and(ne(deposits.mintStatus, 'closed'), isBlockedRow);
  const { key, isFresh } = subjectKeyOf('deposit:blocked', deposits.id);
  const rows = await tx
    .select({ deposit: deposits, state: mints.state })
    .from(deposits)
    .leftJoin(mints, eq(mints.depositId, deposits.id))
    .where(and(where, isFresh))
    .orderBy(asc(deposits.createdAt), asc(deposits.id))
    .limit(max);
  const blocks = await readOpenBlocks(
    tx,
    rows.map(({ deposit }) => deposit),
  );
  const newSubjects = rows.flatMap(({ deposit: { id, userAddress, amount, txid, vout }, state }) => {
    const block = blocks.get(id);
    if (!block) return [];
    const depositFacts = { deposit: id, recipient: userAddress, satoshi: amount.toString(), output: `${txid}:${vout}` };
    const facts = {
      ...depositFacts,
      reason: toPlainText(block.reason),
      at: block.blockedAt.toISOString(),
      stage: mintStageOf(state),
    };
    return { key: `deposit:blocked:${id}`, facts };
  });
  return { fresh: newSubjects, keys: sql`select ${key} from ${deposits} where ${where}` };
}

/** By the last reading. Outdated figures are marked. */
export async function readTriggerableCrsms(tx: Tx, services: Services): Promise<OngoingCondition<'crsmTrigger'>> {
  const where = and(isNotNull(crsms.block), eq(crsms.isTrovesOwner, true), sql`${crsms.icr} <= ${crsms.TRGCR}`);
  const { key, isFresh } = subjectKeyOf('crsm:trigger', crsms.id);
  const rows = await tx.select().from(crsms).where(and(where, isFresh)).orderBy(asc(crsms.id)).limit(max);
  const figuresAge = await readFiguresAge(services, tx);
  const newSubjects = rows.map(({ id, owner, icr, TRGCR, block }) => ({
    key: `crsm:trigger:${id}`,
    facts: {
      crsm: id,
      owner,
      icr: icr.toString(),
      trigger: TRGCR.toString(),
      block: Number(block),
      isStale: isOutdatedAt(figuresAge, block),
    },
  }));
  return { fresh: newSubjects, keys: sql`select ${key} from ${crsms} where ${where}` };
}

/** The panel would not notice these CRSMs reach their trigger. */
export async function readOutdatedCrsms(tx: Tx, services: Services, cutoff: Date): Promise<OngoingCondition<'crsmStale'>> {
  const where = and(eq(crsms.isTrovesOwner, true), isFigureOutdated(services), lt(crsms.readAt, cutoff));
  const { key, isFresh } = subjectKeyOf('crsm:stale', crsms.id);
  const rows = await tx.select().from(crsms).where(and(where, isFresh)).orderBy(asc(crsms.id)).limit(max);
  const newSubjects = rows.map(({ id, owner, block, readAt }) => ({
    key: `crsm:stale:${id}`,
    facts: { crsm: id, owner, block: Number(block), since: (readAt ?? cutoff).toISOString() },
  }));
  return { fresh: newSubjects, keys: sql`select ${key} from ${crsms} where ${where}` };
}

/** By the signer's report. Another amount is another alarm. */
export function findReserveShortfall({ surplus, signed }: Reserve): AlarmSubject<'reserveShort'>[] {
  if (surplus === null || !signed || BigInt(surplus) >= 0n) return [];
  const { satoshi, bitcoin, supply, evm } = signed.report;
  return [
    {
      key: `reserve:short:${surplus}`,
      facts: { satoshi, bitcoinHeight: bitcoin.height, supply, block: evm.block, shortfall: (-BigInt(surplus)).toString() },
    },
  ];
}

/** No proof since `before`, or an invalid one. */
export function findUnprovenReserve({ state, signed, problem }: Reserve, cutoff: Date): AlarmSubject<'reserveUnproven'>[] {
  const isOutdated = signed !== null && Date.parse(signed.report.at) < cutoff.getTime();
  const isAbsent = state === 'none' && problem !== null && Date.parse(problem.at) < cutoff.getTime();
  if (!isOutdated && !isAbsent && state !== 'invalid') return [];
  return [
    {
      key: `reserve:unproven:${state}`,
      facts: {
        state: state === 'invalid' ? 'invalid' : signed ? 'old' : 'none',
        at: signed?.report.at ?? null,
        problem: problem?.reason ?? null,
      },
    },
  ];
}

/** Audit entries after `seq`, and the last one checked. */
export async function readChangesAfter(tx: Tx, seq: number): Promise<{ subjects: AlarmSubject<'rulesChanged'>[]; seq: number }> {
  const rows = await tx
    .select({ row: audit, email: administrators.email })
    .from(audit)
    .leftJoin(administrators, and(eq(audit.entity, 'administrator'), sql`${administrators.id}::text = ${audit.entityId}`))
    .where(gt(audit.seq, seq))
    .orderBy(asc(audit.seq))
    .limit(max);
  const subjects = rows.flatMap(({ row, email }) => {
    const { result, entity, route } = row;
    const isRuleChange = (ruleEntities.has(entity) && route !== 'authority.sign') || route.startsWith('administrators.');
    if (result !== 'done' || !isRuleChange) return [];
    const [previousRecord, currentRecord] = [parseRecorded(row.before), parseRecorded(row.after)];
    const { number } = currentRecord;
    const facts = {
      audit: row.id,
      at: row.at.toISOString(),
      by: toPlainText(row.actorEmail),
      command: nameOf(row),
      entity,
      record: row.entityId,
      name: recordNameOf(email, { ...previousRecord, ...currentRecord }),
      statement: entity === 'statement' && typeof number === 'number' ? number : null,
    };
    return { key: `audit:${row.seq}`, facts };
  });
  return { subjects, seq: rows.at(-1)?.row.seq ?? seq };
}

const ruleEntities: ReadonlySet<string> = new Set(['statement', 'role', 'permission']);

const parseRecorded = (text: string | null) => (JSON.parse(text ?? 'null') ?? {}) as Readonly<Record<string, unknown>>;

/** An administrator's email, a role's name, a permission's names. */
function recordNameOf(
  email: string | null,
  { email: auditedEmail, name, zh, en }: Readonly<Record<string, unknown>>,
): Name | null {
  const firstText = [email, auditedEmail, name].find(isText);
  if (firstText !== undefined) return { zh: toPlainText(firstText), en: toPlainText(firstText) };
  return isText(zh) && isText(en) ? { zh: toPlainText(zh), en: toPlainText(en) } : null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The command, permission or route. */
function nameOf({ command, permission, route }: typeof audit.$inferSelect): Name {
  const names: Readonly<Record<string, Name>> = allNames;
  return names[command ?? ''] ?? names[permission ?? ''] ?? { zh: route, en: route };
}
