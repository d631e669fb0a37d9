import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import type { Db } from '../platform/db/db.ts';
import { isFirstInInterval } from '../platform/http/rate-limit.ts';
import { rateLimits } from '../platform/http/tables.ts';
import { pictures } from '../platform/content/tables.ts';

const dayMs = 86_400_000;
/** Pictures per day. */
const max = 2_000;
const sweepJobName = 'picture sweep';

/**
 * Deletes pictures last sent PICTURES_KEEP_DAYS ago without a reference in records, history or drafts (thirty days in browsers),
 * then files without a row. Daily, because it reads the whole audit. Row first: after a crash the next run deletes the file.
 */
export async function sweepPictures(services: Services): Promise<void> {
  const { config, database, now } = services;
  if (config.picturesKeepDays === 0 || !(await isFirstInInterval(database.db, sweepJobName, now(), dayMs - 600_000))) return;
  try {
    await deleteUnreferenced(services);
  } catch (error) {
    // Retries in the next hour.
    await database.db
      .delete(rateLimits)
      .where(eq(rateLimits.key, sweepJobName))
      .catch(() => {});
    throw error;
  }
}

async function deleteUnreferenced({ config, database: { db }, now, pictures: store, log }: Services): Promise<void> {
  const cutoff = new Date(now() - config.picturesKeepDays * dayMs);
  const oldRows = await db
    .select({ id: pictures.id })
    .from(pictures)
    .where(lt(pictures.sentAt, cutoff))
    .orderBy(sql`random()`) // random, because referenced ones would always come first
    .limit(max);
  const referencedIds = oldRows.length === 0 ? new Set<string>() : await readReferencedPictures(db);
  const ids = oldRows.map(({ id }) => id).filter((id) => !referencedIds.has(id));
  // Checked again in the same statement, in case it was sent again.
  const deletedPictures =
    ids.length === 0
      ? []
      : await db
          .delete(pictures)
          .where(and(inArray(pictures.id, ids), lt(pictures.sentAt, cutoff)))
          .returning({ id: pictures.id });
  for (const { id } of deletedPictures) await store.remove(id);
  const files = await findFilesWithoutRow({ db, store, before: cutoff.getTime() });
  for (const id of files) await store.remove(id);
  if (deletedPictures.length + files.length > 0)
    log.info({ pictures: deletedPictures.length, files: files.length }, 'deleted unused pictures');
}

async function findFilesWithoutRow({
  db,
  store,
  before,
}: {
  db: Db;
  store: Services['pictures'];
  before: number;
}): Promise<string[]> {
  const files = await store.writtenBefore(before);
  const filesWithoutRows: string[] = [];
  for (let from = 0; from < files.length; from += max) {
    const fileBatch = files.slice(from, from + max);
    const rows = await db.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, fileBatch));
    const knownIds = new Set(rows.map(({ id }) => id));
    filesWithoutRows.push(...fileBatch.filter((id) => !knownIds.has(id)));
  }
  return filesWithoutRows;
}

/** Tables without references, or where they do not count. */
const skippedTables = [
  'pictures',
  'idempotency',
  'rate_limits',
  'sessions',
  'visits',
  'visit_hours',
  'visit_days',
  'visit_deltas',
];

interface TextColumn {
  name: string;
  column: string;
  isId: boolean;
}

/** Searches every text column, so that no future resource is forgotten. Detached audit months are not history. */
async function readReferencedPictures(db: Db): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '60s'`); // reads the whole audit
    const { rows: columns } = await tx.execute<TextColumn & Record<string, unknown>>(
      sql`select c.table_name as name, c.column_name as column, c.data_type = 'uuid' as "isId" from information_schema.columns c
        join pg_class t on t.relname = c.table_name and t.relnamespace = c.table_schema::regnamespace
        where c.table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition and c.table_name !~ '^(audit|visits)_\\d{4,}_\\d{2}$'
          and not c.table_name = any (${sql.param(skippedTables)})
          and (c.data_type in ('text', 'character varying', 'json', 'jsonb') or (c.data_type = 'uuid' and c.column_name = 'picture_id'))`,
    );
    const referencedIds = new Set<string>();
    for (const { name, column, isId } of columns) {
      const [columnIdentifier, from] = [sql.identifier(column), sql.identifier(name)];
      const { rows } = await tx.execute<{ id: string }>(
        isId
          ? sql`select distinct ${columnIdentifier}::text as id from ${from} where ${columnIdentifier} is not null`
          : sql`select distinct found[1] as id from (select regexp_matches(${columnIdentifier}::text, ${`/pictures/(${uuidPattern})`}, 'g') as found
              from ${from} where ${columnIdentifier}::text like '%/pictures/%') s`,
      );
      for (const { id } of rows) referencedIds.add(id);
    }
    return referencedIds;
  });
}

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
