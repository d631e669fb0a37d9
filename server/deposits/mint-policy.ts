import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { formatBtc } from '../../api/money.ts';
import { authorsOfOne } from './authors.ts';
import type { Deposit } from './rows.ts';
import { countsForMoney, countTogether, type Doubt } from '../platform/auth/rights/counts-for-money.ts';
import { stillHolding } from '../platform/auth/rights/still-holding.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Config } from '../platform/core/config.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { failure } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { depositApprovals, deposits, mintPolicies } from './tables.ts';
import { administratorRoles, roles } from '../platform/auth/tables.ts';

const dayMs = 86_400_000;

export type MintPolicy = typeof mintPolicies.$inferSelect & { role: string | null };

/** MONEY_REFUSED, with why. */
export const refuse = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
  failure('MONEY_REFUSED', { ...data, reason });

/** Every policy, by amount. */
export async function policiesOf(queries: Queries): Promise<MintPolicy[]> {
  const found = await queries
    .select({ policy: mintPolicies, role: roles.name })
    .from(mintPolicies)
    .leftJoin(roles, eq(roles.id, mintPolicies.roleId))
    .orderBy(asc(mintPolicies.from));
  return found.map(({ policy, role }) => ({ ...policy, role }));
}

/** The policy an amount (satoshi) falls under; the strictest where two do. Null: it is not minted. */
export const policyFor = (policies: readonly MintPolicy[], amount: bigint): MintPolicy | null =>
  policies
    .filter(({ from, below }) => from <= amount && (below === null || amount < below))
    .toSorted((one, other) => other.approvals - one.approvals)[0] ?? null;

/** Satoshi confirmed under a policy in the last 24 hours. */
export async function usedOf(
  queries: Queries,
  { from, below }: Pick<MintPolicy, 'from' | 'below'>,
  now: number,
): Promise<bigint> {
  const [sum] = await queries
    .select({ used: sql<string>`coalesce(sum(${deposits.amount}), 0)` })
    .from(deposits)
    .where(
      and(
        eq(deposits.status, 'confirmed'),
        gte(deposits.confirmedAt, new Date(now - dayMs)),
        gte(deposits.amount, from),
        below === null ? undefined : lt(deposits.amount, below),
      ),
    );
  return BigInt(sum?.used ?? '0');
}

/** Whether nobody holds a key of an address (any case): the zero address, and every contract that the server knows. */
export function isNobodys(address: string, { evm }: Config): boolean {
  const contracts = Object.values(evm?.contracts ?? {}).map((each) => each?.toLowerCase());
  return /^0x0{40}$/.test(address) || contracts.includes(address.toLowerCase());
}

/**
 * Throws MONEY_REFUSED unless this person may confirm this deposit now, for its transaction alone: its row is locked, and
 * here its policy, so that two confirmations under one policy cannot both fit into what is left of the day.
 */
export async function requireAllowed(context: RequestContext, tx: Tx, row: Deposit, hash: string): Promise<void> {
  const { id: actor } = actorOf(context);
  const { fourEyesFrom } = context.services.config;
  if (await isFrozen(tx)) throw refuse('FROZEN');
  if (isNobodys(row.userAddress, context.services.config)) throw refuse('RECEIVER', { id: row.id });
  const authors = await authorsOfOne(tx, row);
  const isOther = (id: string) => !authors.has(id);
  if (!isOther(actor) && row.amount >= fourEyesFrom) throw refuse('FOUR_EYES', { id: row.id, from: [formatBtc(fourEyesFrom)] });

  await tx.select({ id: mintPolicies.id }).from(mintPolicies).orderBy(mintPolicies.id).for('update');
  const policy = policyFor(await policiesOf(tx), row.amount);
  if (!policy) throw refuse('NO_POLICY', { id: row.id });

  const yes = await tx
    .select({ id: depositApprovals.administratorId })
    .from(depositApprovals)
    .where(and(eq(depositApprovals.depositId, row.id), eq(depositApprovals.contentHash, hash)));
  const others = new Set([...yes.map(({ id }) => id), actor].filter(isOther));
  const approvers = await stillHolding(
    tx,
    context,
    [...others].filter((id) => id !== actor),
    'deposits.approve',
  );
  const able = await ableOf(tx, [...approvers, actor], policy.roleId);
  const asked = { at: new Date(context.services.now()), coolingMs: context.services.config.moneyCoolingMs };
  const { counting, doubts } = await countTogether(tx, [actor, ...able], { ...asked, besides: [...authors] });
  const doubt = doubts.get(actor);
  if (doubt) throw refuseFor(row.id, doubt);
  if (policy.roleId !== null && !able.has(actor)) throw refuse('ROLE', { id: row.id, role: [policy.role ?? ''] });
  const have = [...others].filter((id) => able.has(id) && counting.has(id)).length;
  const [missed] = doubts.values();
  if (have < policy.approvals && missed) throw refuseFor(row.id, missed);
  if (have < policy.approvals) throw refuse('APPROVALS', { id: row.id, need: [String(policy.approvals)], have: [String(have)] });

  if (policy.perDay !== null) {
    const used = await usedOf(tx, policy, context.services.now());
    if (used + row.amount > policy.perDay)
      throw refuse('DAY_LIMIT', { id: row.id, limit: [formatBtc(policy.perDay)], used: [formatBtc(used)] });
  }
}

/** Throws MONEY_REFUSED unless who acts counts for money beside who wrote this deposit. */
export async function requireCounting(context: RequestContext, tx: Tx, row: Deposit): Promise<void> {
  const { now, config } = context.services;
  const asked = { at: new Date(now()), coolingMs: config.moneyCoolingMs, besides: [...(await authorsOfOne(tx, row))] };
  const doubt = await countsForMoney(tx, actorOf(context).id, asked);
  if (doubt) throw refuseFor(row.id, doubt);
}

const refuseFor = (id: string, doubt: Doubt) =>
  refuse(doubt.reason, {
    id,
    who: [doubt.who],
    ...(doubt.reason === 'COOLING' && { until: [`${doubt.until.toISOString().slice(0, 16).replace('T', ' ')} UTC`] }),
  });

/** Those of these people who hold the role, when one is asked for. */
async function ableOf(tx: Tx, ids: readonly string[], roleId: string | null): Promise<Set<string>> {
  if (roleId === null) return new Set(ids);
  const holding = await tx
    .select({ id: administratorRoles.administratorId })
    .from(administratorRoles)
    .where(and(inArray(administratorRoles.administratorId, [...ids]), eq(administratorRoles.roleId, roleId)));
  return new Set(holding.map(({ id }) => id));
}

const btc = (amount: bigint) => amount * 100_000_000n;

/**
 * The policies a new installation starts with: below 1 BTC nobody is asked besides who confirms (another than who wrote it, by
 * FOUR_EYES_FROM), from 1 BTC one other person, from 10 BTC two; each with what may be confirmed in a day. From 100 BTC on there is none: nothing is minted until somebody makes one.
 */
export const seededPolicies = (at: Date): (typeof mintPolicies.$inferInsert)[] =>
  [
    { from: 0n, below: btc(1n), approvals: 0, perDay: btc(10n) },
    { from: btc(1n), below: btc(10n), approvals: 1, perDay: btc(50n) },
    { from: btc(10n), below: btc(100n), approvals: 2, perDay: btc(200n) },
  ].map((policy) => ({ ...policy, id: newId(at.getTime()), createdAt: at, updatedAt: at }));
