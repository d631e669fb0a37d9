import { and, eq, isNull, max, sql } from 'drizzle-orm';
import { canonical } from '../../api/authority/canonical.ts';
import type { GenesisLine, LogStatement } from '../../api/authority/statements.ts';
import type { Queries } from '../platform/db/db.ts';
import type { Authority, StatementStatus } from './authority.ts';
import { authorityStatements as table } from './tables.ts';

const batchSize = 500;

export async function indexStatements(queries: Queries, authority: Authority, hashes: Iterable<string>): Promise<void> {
  const rows = [...hashes].flatMap((hash) => {
    const status = authority.statements.get(hash);
    return status ? [createIndexRow(authority, status)] : [];
  });
  for (let from = 0; from < rows.length; from += batchSize) {
    const updateColumns = Object.fromEntries(
      (['position', 'number', 'line', 'passedAt', 'countsFrom', 'draftedBy', 'draftedAt', 'ownerProof', 'text'] as const).map(
        (name) => [name, sql.raw(`excluded."${table[name].name}"`)],
      ),
    );
    await queries
      .insert(table)
      .values(rows.slice(from, from + batchSize))
      .onConflictDoUpdate({ target: table.id, set: updateColumns });
  }
}

/** Adds rows for lines that were inserted without `indexStatements`. */
export async function completeIndex(queries: Queries, authority: Authority): Promise<void> {
  const [lastIndexed] = await queries.select({ line: max(table.line) }).from(table);
  if (lastIndexed?.line === authority.head.number) return;
  await indexStatements(queries, authority, authority.statements.keys());
}

export const deleteExpiredDrafts = (queries: Queries, now: number) =>
  queries.delete(table).where(and(isNull(table.number), sql`${table.expires} < ${new Date(now)}`));

export async function findDraft(queries: Queries, hash: string): Promise<typeof table.$inferSelect | null> {
  const [row] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, hash), isNull(table.number)));
  return row ?? null;
}

function createIndexRow(
  authority: Authority,
  { statement, hash, number, loggedAt, signed, passedAt, from }: StatementStatus,
): typeof table.$inferInsert {
  const lines = [...signed.values()].map(({ line }) => line);
  return {
    id: hash,
    position: number,
    number,
    line: Math.max(number, ...lines),
    kind: statement.kind,
    statement: canonical(statement),
    text: searchText(
      statement,
      hash,
      [...signed.keys()].map((person) => authority.names.get(person) ?? ''),
    ),
    expires: new Date(statement.kind === 'genesis' ? loggedAt : Date.parse(statement.expires)),
    passedAt: toDate(passedAt),
    countsFrom: toDate(from),
    draftedBy: null,
    draftedAt: null,
    ownerProof: null,
  };
}

export const searchText = (statement: LogStatement | GenesisLine, hash: string, names: readonly string[]): string =>
  [hash, canonical(statement.content), ...names].join(' ');

const toDate = (at: number | null): Date | null => (at === null || Math.abs(at) === Infinity ? null : new Date(at));
