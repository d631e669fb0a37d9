import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, notExists } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { HistoryEntry, RecordedRow, RecordedState, RecordedVersion } from '../../../api/history.ts';
import { audit } from '../audit/tables.ts';
import type { RequestContext } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { createAppError, isRecord } from '../core/errors.ts';

const pageSize = 30;

export async function readHistory(
  { db }: RequestContext,
  entity: string,
  { id, from: fromSeq }: { id: string; from?: number | undefined },
): Promise<{ entries: HistoryEntry[]; next: number | null }> {
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.entity, entity),
        eq(audit.entityId, id),
        eq(audit.result, 'done'),
        fromSeq === undefined ? undefined : lt(audit.seq, fromSeq),
      ),
    )
    .orderBy(desc(audit.seq))
    .limit(pageSize + 1);
  const page = rows.slice(0, pageSize);
  return {
    entries: page.map((row) => ({
      id: row.id,
      seq: row.seq,
      at: row.at.toISOString(),
      actorEmail: row.actorEmail,
      action: row.action,
      command: row.command,
      route: row.route,
      before: parseRecordedRow(row.before),
      after: parseRecordedRow(row.after),
    })),
    next: rows.length > pageSize ? (page.at(-1)?.seq ?? null) : null,
  };
}

/** `<entry>:<state>`, each with the current record. */
export async function readVersions(
  { db }: RequestContext,
  entity: string,
  ids: readonly string[],
  readCurrent: (ids: string[]) => Promise<readonly (RecordedRow & { id: string })[]>,
): Promise<RecordedVersion[]> {
  const requestedVersions = ids.map((id) => {
    const [entry = '', state] = id.split(':');
    return { id, entry, state: state === 'before' ? ('before' as const) : ('after' as const) };
  });
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.entity, entity),
        eq(audit.result, 'done'),
        inArray(audit.id, [...new Set(requestedVersions.map(({ entry }) => entry))]),
      ),
    );
  const byEntry = new Map(rows.map((row) => [row.id, row]));
  const currentRows = new Map((await readCurrent(rows.flatMap(({ entityId }) => entityId ?? []))).map((row) => [row.id, row]));
  return requestedVersions.flatMap(({ id, entry, state }) => {
    const row = byEntry.get(entry);
    const record = row ? parseRecordedRow(row[state]) : null;
    if (!row?.entityId || !record) return [];
    const { entityId: recordId, actorEmail } = row;
    return { id, entity, recordId, at: row.at.toISOString(), actorEmail, record, current: currentRows.get(recordId) ?? null };
  });
}

/** Records whose last entry is their deletion, the last deleted first. */
export async function readBin(
  { db }: RequestContext,
  entity: string,
  { from: fromSeq }: { from?: number | undefined },
): Promise<{ versions: RecordedVersion[]; next: number | null }> {
  const laterEntry = alias(audit, 'later');
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.entity, entity),
        eq(audit.result, 'done'),
        isNotNull(audit.before),
        isNull(audit.after),
        fromSeq === undefined ? undefined : lt(audit.seq, fromSeq),
        notExists(
          db
            .select({ seq: laterEntry.seq })
            .from(laterEntry)
            .where(
              and(
                eq(laterEntry.entity, audit.entity),
                eq(laterEntry.entityId, audit.entityId),
                gt(laterEntry.seq, audit.seq),
                eq(laterEntry.result, 'done'),
              ),
            ),
        ),
      ),
    )
    .orderBy(desc(audit.seq))
    .limit(pageSize + 1);
  const page = rows.slice(0, pageSize);
  return {
    versions: page.flatMap((row) => {
      const record = parseRecordedRow(row.before);
      if (!record || row.entityId === null) return [];
      const { id, entityId: recordId, at, actorEmail } = row;
      return [{ id: `${id}:before`, entity, recordId, at: at.toISOString(), actorEmail, record, current: null }];
    }),
    next: rows.length > pageSize ? (page.at(-1)?.seq ?? null) : null,
  };
}

/** Throws NOT_FOUND. */
export async function readRecordedState(
  queries: Queries,
  entity: string,
  { entry, state }: { entry: string; state: RecordedState },
): Promise<{ id: string; record: RecordedRow }> {
  const [row] = await queries
    .select()
    .from(audit)
    .where(and(eq(audit.id, entry), eq(audit.entity, entity), eq(audit.result, 'done')));
  const record = row ? parseRecordedRow(row[state]) : null;
  if (!row?.entityId || !record) throw createAppError('NOT_FOUND');
  return { id: row.entityId, record };
}

/** Throws NOT_FOUND. */
export async function readLastState(queries: Queries, entity: string, id: string): Promise<RecordedRow> {
  const row = await readLastEntry(queries, entity, id);
  const record = parseRecordedRow(row?.after ?? row?.before ?? null);
  if (!record) throw createAppError('NOT_FOUND');
  return record;
}

/** A restored record continues from it. */
export async function readLastVersion(queries: Queries, entity: string, id: string): Promise<number> {
  const row = await readLastEntry(queries, entity, id);
  const versions = [row?.before, row?.after].map((text) => Number(parseRecordedRow(text ?? null)?.['version'] ?? 0));
  return Math.max(...versions);
}

/** The last change that was made. */
export async function readLastEntry(
  queries: Queries,
  entity: string,
  id: string,
): Promise<typeof audit.$inferSelect | undefined> {
  const [row] = await queries
    .select()
    .from(audit)
    .where(and(eq(audit.entity, entity), eq(audit.entityId, id), eq(audit.result, 'done')))
    .orderBy(desc(audit.seq))
    .limit(1);
  return row;
}

/** Null if unreadable. */
export function parseRecordedRow(text: string | null): RecordedRow | null {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isRecord(value) && !Array.isArray(value) ? value : null;
}
