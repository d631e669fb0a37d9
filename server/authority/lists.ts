import { and, gte, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { StatementRow } from '../../api/authority/contract.ts';
import { statementFilters } from '../../api/authority/filters.ts';
import { administrators } from '../platform/auth/tables.ts';
import { requireActor, type QueryContext } from '../platform/services/context.ts';
import { selectedValues, createFilter } from '../platform/records/filter.ts';
import { isDraftFor, presentDraft, presentStatement, awaitingSignatureOf } from './present.ts';
import type { Authority } from './authority.ts';
import { authorityStatements as table } from './tables.ts';

type StatementIndexRow = typeof table.$inferSelect;

/** `ownHashes`: hashes of statements that wait for the person. */
export function statementFilter(ownHashes: readonly string[], voidedHashes: readonly string[], now: number) {
  // A literal, because GROUP BY treats two parameters as different expressions.
  const nowSql = sql.raw(`'${new Date(now).toISOString()}'::timestamptz`);
  const voidedSql = sql.raw(`(${[`''`, ...voidedHashes.map(quoteHash)].join(', ')})`);
  const state = sql`case when ${table.number} is null then 'draft'
    when ${table.id} in ${voidedSql} then 'voided'
    when ${table.passedAt} is null then case when ${table.expires} < ${nowSql} then 'expired' else 'open' end
    when ${table.countsFrom} > ${nowSql} then 'cooling' else 'inForce' end`;
  return createFilter({
    table,
    fields: statementFilters,
    filterConditions: {
      q: { part: table.text, in: table },
      state: { of: state },
      kind: table.kind,
      mine: (requestedTexts) => {
        const isMine = ownHashes.length > 0 ? inArray(table.id, [...ownHashes]) : sql`false`;
        const requestedValues = selectedValues(requestedTexts, ['true', 'false']);
        return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? isMine : sql`not (${isMine})`;
      },
    },
    only: isLiveAt(nowSql),
  });
}

function quoteHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`expected a SHA-256 hash, got ${hash}`);
  return `'${hash}'`;
}

const isLiveAt = (nowSql: SQL): SQL => sql`(${table.number} is not null or ${table.expires} >= ${nowSql})`;

export async function readOwnStatementHashes(context: QueryContext, authority: Authority): Promise<string[]> {
  const { id: person } = requireActor(context);
  const now = context.services.now();
  const drafts = await context.db
    .select()
    .from(table)
    .where(and(isNull(table.number), gte(table.expires, new Date(now))));
  const ownDraftIds = drafts.filter((draft) => isDraftFor(authority, draft, person, now)).map(({ id }) => id);
  return [...awaitingSignatureOf(authority, person, now), ...ownDraftIds];
}

export async function presentRows(
  context: QueryContext,
  authority: Authority,
  rows: readonly StatementIndexRow[],
): Promise<StatementRow[]> {
  const { id: person } = requireActor(context);
  const now = context.services.now();
  const drafterIds = [
    ...new Set(rows.flatMap(({ number, draftedBy }) => (number === null && draftedBy !== null ? [draftedBy] : []))),
  ];
  const administratorRows =
    drafterIds.length === 0
      ? []
      : await context.db
          .select({ id: administrators.id, email: administrators.email })
          .from(administrators)
          .where(inArray(administrators.id, drafterIds));
  const emails = new Map(administratorRows.map(({ id, email }) => [id, email]));
  return rows.flatMap((row) => {
    if (row.number === null) return [presentDraft(authority, row, emails.get(row.draftedBy ?? '') ?? null, person, now)];
    const status = authority.statements.get(row.id);
    return status ? [presentStatement(authority, status, person, now)] : [];
  });
}
