import { eq, sql } from 'drizzle-orm';
import type { FactorGap } from '../../../../api/access/factor-gap.ts';
import { administrators } from '../tables.ts';
import type { Queries, Tx } from '../../db/db.ts';
import type { RequestContext } from '../../services/context.ts';
import { hasFactor } from './factors.ts';

// `a` is the table administrators.
const hasFactorSql = '(a.totp_secret is not null or exists (select from passkeys p where p.administrator_id = a.id))';
/** True if only a person with the password can set up a factor: no provider can open or change the account. */
const vouchesForItselfSql = `(a.password_hash is not null
  and not exists (select from identity_links l where l.administrator_id = a.id)
  and not exists (select from provisioned p where p.administrator_id = a.id))`;

/** A FactorGap, or null if the account needs no enrollment code. */
export const factorGapSql = `(case when ${hasFactorSql} then case when a.factor_vouched_at is null then 'VOUCH' end
  when not a.demo and not ${vouchesForItselfSql} then 'FACTOR' end)`;

export const factorGapColumn = sql.raw(factorGapSql);

export async function readFactorGaps(queries: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, FactorGap | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await queries.execute<{ id: string; gap: FactorGap | null }>(
    sql`select a.id, ${factorGapColumn} as gap from administrators a where a.id in ${[...ids]}`,
  );
  return new Map(rows.map(({ id, gap }) => [id, gap]));
}

export const readFactorGap = async (queries: Queries, administratorId: string): Promise<FactorGap | null> =>
  (await readFactorGaps(queries, [administratorId])).get(administratorId) ?? null;

/** A server of 1.0.0 stores a first factor as it is, so nothing may vouch for one in advance. */
export async function unvouchWithoutFactor(tx: Tx, administratorId: string): Promise<void> {
  if (await hasFactor(tx, administratorId)) return;
  await tx.update(administrators).set({ factorVouchedAt: null }).where(eq(administrators.id, administratorId));
}

/** Call before the first factor is stored. An enrollment code can vouch for the factor in the same transaction or later. */
export async function markFirstFactor(tx: Tx, { services }: RequestContext, administratorId: string): Promise<void> {
  if (await hasFactor(tx, administratorId)) return;
  const factorVouchedAt = (await readFactorGap(tx, administratorId)) === null ? new Date(services.now()) : null;
  await tx.update(administrators).set({ factorVouchedAt }).where(eq(administrators.id, administratorId));
}
