import { and, gte, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { StatementRow } from '../../api/authority/contract.ts';
import { statementFilters } from '../../api/authority/filters.ts';
import { administrators } from '../platform/auth/tables.ts';
import { actorOf, type QueryContext } from '../platform/services/context.ts';
import { chosenValues, createFilter } from '../platform/records/filter.ts';
import { isDraftFor, presentDraft, presentStatement, awaitingSignatureOf } from './present.ts';
import type { Authority } from './authority.ts';
import { authorityStatements as table } from './tables.ts';

type Row = typeof table.$inferSelect;

/** `mine`: hashes of statements that wait for the person. */
export function statementFilter(mine: readonly string[], now: number) {
  // A literal, because GROUP BY treats two parameters as different expressions.
  const at = sql.raw(`'${new Date(now).toISOString()}'::timestamptz`);
  const state = sql`case when ${table.number} is null then 'draft'
    when ${table.passedAt} is null then case when ${table.expires} < ${at} then 'expired' else 'open' end
    when ${table.countsFrom} > ${at} then 'cooling' else 'inForce' end`;
  return createFilter({
    table,
    fields: statementFilters,
    filterConditions: {
      q: { part: table.text, in: table },
      state: { of: state },
      kind: table.kind,
      mine: (requested) => {
        const isMine = mine.length > 0 ? inArray(table.id, [...mine]) : sql`false`;
        const requestedValues = chosenValues(requested, ['true', 'false']);
        return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? isMine : sql`not (${isMine})`;
      },
    },
    only: live(at),
  });
}

const live = (at: SQL): SQL => sql`(${table.number} is not null or ${table.expires} >= ${at})`;

export async function ownStatementHashes(context: QueryContext, authority: Authority): Promise<string[]> {
  const { id: person } = actorOf(context);
  const now = context.services.now();
  const drafts = await context.db
    .select()
    .from(table)
    .where(and(isNull(table.number), gte(table.expires, new Date(now))));
  const own = drafts.filter((draft) => isDraftFor(authority, draft, person, now)).map(({ id }) => id);
  return [...awaitingSignatureOf(authority, person, now), ...own];
}

export async function presentRows(context: QueryContext, authority: Authority, rows: readonly Row[]): Promise<StatementRow[]> {
  const { id: person } = actorOf(context);
  const now = context.services.now();
  const drafters = [
    ...new Set(rows.flatMap(({ number, draftedBy }) => (number === null && draftedBy !== null ? [draftedBy] : []))),
  ];
  const found =
    drafters.length === 0
      ? []
      : await context.db
          .select({ id: administrators.id, email: administrators.email })
          .from(administrators)
          .where(inArray(administrators.id, drafters));
  const emails = new Map(found.map(({ id, email }) => [id, email]));
  return rows.flatMap((row) => {
    if (row.number === null) return [presentDraft(authority, row, emails.get(row.draftedBy ?? '') ?? null, person, now)];
    const status = authority.statements.get(row.id);
    return status ? [presentStatement(authority, status, person, now)] : [];
  });
}
