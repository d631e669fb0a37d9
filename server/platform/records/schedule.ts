import { and, gt, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Condition } from '../../../api/filter.ts';
import { phases, type Phase } from '../../../api/schedule.ts';
import type { QueryContext } from '../services/context.ts';
import { selectedValues } from './filter.ts';

/** Null is unbounded. */
interface PeriodColumns {
  startsAt: PgColumn;
  endsAt: PgColumn;
}
type Scheduled = PgTable & PeriodColumns & { shown: PgColumn };

export const createPhaseCondition =
  (table: PeriodColumns) =>
  (condition: Condition, { services }: QueryContext): SQL | undefined => {
    const now = new Date(services.now());
    return or(...selectedValues(condition, phases).map((phase) => phaseConditionOf(table, phase, now))) ?? sql`false`;
  };

export function phaseConditionOf({ startsAt, endsAt }: PeriodColumns, phase: Phase, now: Date): SQL | undefined {
  if (phase === 'over') return lte(endsAt, now);
  const isOpen = or(isNull(endsAt), gt(endsAt, now));
  return phase === 'scheduled' ? and(isOpen, gt(startsAt, now)) : and(isOpen, or(isNull(startsAt), lte(startsAt, now)));
}

/** Last and next time that a shown row starts or ends. Needs partial indexes on both columns. */
export const scheduledChangeTimes =
  (table: Scheduled) =>
  (now: Date): { last: SQL; next: SQL } => ({
    last: sql`greatest(${boundarySql(table, 'max', table.startsAt, '<=', now)}, ${boundarySql(table, 'max', table.endsAt, '<=', now)})`,
    next: sql`least(${boundarySql(table, 'min', table.startsAt, '>', now)}, ${boundarySql(table, 'min', table.endsAt, '>', now)})`,
  });

const boundarySql = (table: Scheduled, aggregate: 'min' | 'max', column: PgColumn, comparison: '<=' | '>', now: Date): SQL =>
  sql`(select ${sql.raw(aggregate)}(${column}) from ${table} where ${table.shown} and ${column} ${sql.raw(comparison)} ${now.toISOString()}::timestamptz)`;
