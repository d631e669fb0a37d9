import { and, asc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { formatBtc } from '../../api/money.ts';
import { authorsOfOne } from './authors.ts';
import type { Deposit } from './rows.ts';
import { stillAllowed } from '../platform/auth/still-allowed.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Config } from '../platform/core/config.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { failure } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { administratorRoles, depositApprovals, deposits, mintPolicies, moneyFreezes, roles } from '../tables.ts';

const dayMs = 86_400_000;

export type MintRule = typeof mintPolicies.$inferSelect & { role: string | null };

/** MONEY_REFUSED, with why. */
export const refuse = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
  failure('MONEY_REFUSED', { ...data, reason });

/** Every rule, by amount. */
export async function rulesOf(queries: Queries): Promise<MintRule[]> {
  const found = await queries
    .select({ rule: mintPolicies, role: roles.name })
    .from(mintPolicies)
    .leftJoin(roles, eq(roles.id, mintPolicies.roleId))
    .orderBy(asc(mintPolicies.from));
  return found.map(({ rule, role }) => ({ ...rule, role }));
}

/** The rule an amount (satoshi) falls under; the strictest where two do. Null: it is not minted. */
export const ruleFor = (rules: readonly MintRule[], amount: bigint): MintRule | null =>
  rules
    .filter(({ from, below }) => from <= amount && (below === null || amount < below))
    .toSorted((one, other) => other.approvals - one.approvals)[0] ?? null;

/** Satoshi confirmed under a rule in the last 24 hours. */
export async function usedOf(queries: Queries, { from, below }: Pick<MintRule, 'from' | 'below'>, now: number): Promise<bigint> {
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

/** Whether deposited, minted and supply disagree, and nobody has said why. */
export const isFrozen = async (queries: Queries): Promise<boolean> =>
  (await queries.select({ id: moneyFreezes.id }).from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt)).limit(1)).length > 0;

/** Whether nobody holds a key of an address (any case): the zero address, and every contract that the server knows. */
export function isNobodys(address: string, { evm }: Config): boolean {
  const contracts = Object.values(evm?.contracts ?? {}).map((each) => each?.toLowerCase());
  return /^0x0{40}$/.test(address) || contracts.includes(address.toLowerCase());
}

/**
 * Throws MONEY_REFUSED unless this person may confirm this deposit now, for its transaction alone: its row is locked, and
 * here its rule, so that two confirmations under one rule cannot both fit into what is left of the day.
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
  const rule = ruleFor(await rulesOf(tx), row.amount);
  if (!rule) throw refuse('NO_POLICY', { id: row.id });

  const yes = await tx
    .select({ id: depositApprovals.administratorId })
    .from(depositApprovals)
    .where(and(eq(depositApprovals.depositId, row.id), eq(depositApprovals.contentHash, hash)));
  const others = new Set([...yes.map(({ id }) => id), actor].filter(isOther));
  const approvers = await stillAllowed(
    tx,
    context,
    [...others].filter((id) => id !== actor),
    'deposits.approve',
  );
  const able = await ableOf(tx, [...approvers, actor], rule.roleId);
  if (rule.roleId !== null && !able.has(actor)) throw refuse('ROLE', { id: row.id, role: [rule.role ?? ''] });
  const have = [...others].filter((id) => able.has(id)).length;
  if (have < rule.approvals) throw refuse('APPROVALS', { id: row.id, need: [String(rule.approvals)], have: [String(have)] });

  if (rule.perDay !== null) {
    const used = await usedOf(tx, rule, context.services.now());
    if (used + row.amount > rule.perDay)
      throw refuse('DAY_LIMIT', { id: row.id, limit: [formatBtc(rule.perDay)], used: [formatBtc(used)] });
  }
}

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
 * The rules a new installation starts with: below 1 BTC nobody is asked besides who confirms (another than who wrote it, by
 * FOUR_EYES_FROM), from 1 BTC one other person, from 10 BTC two; each with what may be confirmed in a day. From 100 BTC on there is none: nothing is minted until somebody makes one.
 */
export const seededRules = (at: Date): (typeof mintPolicies.$inferInsert)[] =>
  [
    { from: 0n, below: btc(1n), approvals: 0, perDay: btc(10n) },
    { from: btc(1n), below: btc(10n), approvals: 1, perDay: btc(50n) },
    { from: btc(10n), below: btc(100n), approvals: 2, perDay: btc(200n) },
  ].map((rule) => ({ ...rule, id: newId(at.getTime()), createdAt: at, updatedAt: at }));
