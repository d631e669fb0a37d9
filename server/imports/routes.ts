import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, sql, sum } from 'drizzle-orm';
import {
  importColumns,
  importLimit,
  waitingLimit,
  type FileRow,
  type ImportDetails,
  type ImportKind,
  type ImportRow,
} from '../../api/imports/contract.ts';
import { checkFile, screened } from './check.ts';
import { decodeCsv, headOf, readHead, type CsvFile } from './file.ts';
import { kinds } from './kinds.ts';
import { earlierOf, present, presentAll, presentForAudit } from './present.ts';
import { lookForImports } from './worker.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, failure } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { on } from '../platform/http/router.ts';
import { countUpload } from '../platform/http/rate-limit.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { lockRow, type Item } from '../platform/records/versions.ts';
import { write, type Note } from '../platform/records/write.ts';
import { importFiles, importRows, imports as table } from './tables.ts';

type Import = typeof table.$inferSelect;

const importsOf = (kind: ImportKind) => {
  const routes = on[`${kind}Imports` as const];
  return {
    list: routes.list.handler(async ({ input, context }) => {
      const page = await listRows(context, input, {
        table,
        id: table.id,
        sorts: { createdAt: table.createdAt },
        where: eq(table.kind, kind),
        present: (row) => row,
      });
      return { ...page, rows: await presentAll(context.db, page.rows) };
    }),

    many: routes.many.handler(async ({ input, context }) => {
      const rows = await context.db
        .select()
        .from(table)
        .where(and(eq(table.kind, kind), inArray(table.id, input.ids)));
      return inAskedOrder(input.ids, await presentAll(context.db, rows));
    }),

    add: routes.add.handler(({ input, context }) => addImport(context, kind, input.file)),

    details: routes.details.handler(async ({ input, context }) => detailsOf(context.db, await find(context.db, kind, input.id))),

    map: routes.map.handler(async ({ input, context }) => {
      const file = await readFile(context.db, await find(context.db, kind, input.id));
      const wanted = { ...file, headed: input.headed, mapping: knownFields(kind, input.mapping, headOf(file).length) };
      const checked = await checkInto(context.db, kind, wanted);
      return write(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state !== 'checked') throw conflict(before);
        const [after] = await tx
          .update(table)
          .set({ ...checked, ...nextVersion })
          .where(eq(table.id, input.id))
          .returning();
        if (!after) throw failure('NOT_FOUND');
        note({ entity, id: after.id, before: presentForAudit(before), after: presentForAudit(after) });
        return detailsOf(tx, after);
      });
    }),

    start: routes.start.handler(async ({ input, context }) => {
      const row = await write(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state !== 'checked') throw conflict(before);
        const again = await seenBefore(tx, before, input.again);
        if (before.good === 0) throw failure('INCOMPLETE', { fields: ['file'] });
        return change(tx, note, before, { state: 'running', again, startedAt: nowOf(context), ...startedBy(context) });
      });
      lookForImports(context.services);
      return row;
    }),

    cancel: routes.cancel.handler(({ input, context }) =>
      write(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state === 'checked') {
          await tx.delete(table).where(eq(table.id, before.id));
          note({ entity, id: before.id, before: presentForAudit(before) });
          return { row: null };
        }
        if (before.state !== 'running') throw conflict(before);
        return { row: await change(tx, note, before, { state: 'canceled', endedAt: nowOf(context), ...free }) };
      }),
    ),

    resume: routes.resume.handler(async ({ input, context }) => {
      const row = await write(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state !== 'canceled' && before.state !== 'failed') throw conflict(before);
        await seenBefore(tx, before, before.again); // the same file may have gone in while it stood still
        // Who goes on with it is whose entries the rest are.
        return change(tx, note, before, { state: 'running', endedAt: null, ...startedBy(context), ...free });
      });
      lookForImports(context.services);
      return row;
    }),

    undo: routes.undo.handler(({ input, context }) =>
      write(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state === 'checked' || before.state === 'undone') throw conflict(before);
        const { id, email } = actorOf(context);
        const taken = await kinds[kind].undo(tx, before, { id, email, at: nowOf(context) });
        await tx.delete(importFiles).where(eq(importFiles.importId, before.id));
        return change(tx, note, before, { state: 'undone', endedAt: nowOf(context), ...free }, { taken });
      }),
    ),

    badRows: routes.badRows.handler(async ({ input, context }) => {
      const { db } = context;
      const row = await find(db, kind, input.id);
      const { headed } = row;
      const head = JSON.parse(row.head) as string[];
      const rows = row.state === 'checked' ? await badRowsOfFile(db, row, input) : await badRowsSoFar(db, input);
      const mapping = JSON.parse(row.mapping) as CsvFile['mapping'];
      return { headed, head, mapping, rows, next: rows.length < input.limit ? null : (rows.at(-1)?.line ?? null) };
    }),
  };
};

export const pointsImports = importsOf('points');
export const airdropsImports = importsOf('airdrops');
export const teamsImports = importsOf('teams');
export const drawsImports = importsOf('draws');

const entity = 'import';
const nextVersion = { version: sql`${table.version} + 1` };
const free = { runner: null, leasedUntil: null, attempts: 0 };
const nowOf = ({ services }: RequestContext) => new Date(services.now());

/** Who starts it is whose entries they are. */
function startedBy(context: RequestContext) {
  const { id, email } = actorOf(context);
  return { administratorId: id, administratorEmail: email };
}

const conflict = (row: Import) => failure('CONFLICT', { current: present(row) });

async function find(queries: Queries, kind: ImportKind, id: string): Promise<Import> {
  const [row] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.kind, kind)));
  if (!row) throw failure('NOT_FOUND');
  return row;
}

async function lock(tx: Tx, kind: ImportKind, { id, version }: Item): Promise<Import> {
  const row = await lockRow(tx, table, { id, version }, present);
  if (row.kind !== kind) throw failure('NOT_FOUND');
  return row;
}

/** The id of the import that the same file is in by: the one that was seen, else ALREADY_IMPORTED. Null where it is in by none. */
async function seenBefore(tx: Tx, row: Import, seen: string | null): Promise<string | null> {
  // Two that begin with the same file, each checked alone, must see each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${row.kind} ${row.sha256}`}, 0))`);
  const earlier = await earlierOf(tx, row);
  if (earlier && earlier.id !== seen) throw failure('ALREADY_IMPORTED', { by: [earlier.by], at: earlier.at });
  return earlier?.id ?? null;
}

/** A step of an import, with its one line in the audit. */
async function change(
  tx: Tx,
  note: Note,
  before: Import,
  to: Partial<typeof table.$inferInsert>,
  more: Record<string, unknown> = {},
): Promise<ImportRow> {
  const [after] = await tx
    .update(table)
    .set({ ...to, ...nextVersion })
    .where(eq(table.id, before.id))
    .returning();
  if (!after) throw failure('NOT_FOUND');
  note({ entity, id: after.id, before: presentForAudit(before), after: { ...presentForAudit(after), ...more } });
  return present(after);
}

// ── Files ──────────────────────────────────────────────────────────────────

async function addImport(context: RequestContext, kind: ImportKind, upload: File): Promise<ImportDetails> {
  countUpload(context, actorOf(context), 'import');
  if (upload.size > importLimit.bytes) throw badField('file', 'fileTooLarge');
  const content = Buffer.from(await upload.arrayBuffer());
  const sha256 = createHash('sha256').update(content).digest('hex');
  const decoded = decodeCsv(content);
  const file: CsvFile = { ...decoded, ...readHead(decoded.text, importColumns[kind]) };
  const checked = await checkInto(context.db, kind, file);
  return write(context, { kind, sha256 }, async (tx, note) => {
    await refuseTooMuch(tx, context, content.byteLength);
    const [row] = await tx
      .insert(table)
      .values({
        id: newId(),
        kind,
        name: fileName(upload.name),
        sha256,
        bytes: content.byteLength,
        encoding: file.encoding,
        delimiter: file.delimiter,
        state: 'checked',
        createdAt: nowOf(context),
        ...startedBy(context),
        ...checked,
      })
      .returning();
    if (!row) throw new Error('the insert returned no row');
    await tx.insert(importFiles).values({ importId: row.id, content });
    note({ entity, id: row.id, after: presentForAudit(row) });
    return detailsOf(tx, row);
  });
}

/** BAD_REQUEST where a person's files that are kept for imports that are not done would be too much for the database's disk. */
async function refuseTooMuch(tx: Tx, context: RequestContext, more: number): Promise<void> {
  const { id } = actorOf(context);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`imports of ${id}`}, 0))`);
  const [kept] = await tx
    .select({ bytes: sum(table.bytes) })
    .from(table)
    .where(and(eq(table.administratorId, id), inArray(table.state, ['checked', 'canceled', 'failed'])));
  if (Number(kept?.bytes ?? 0) + more > waitingLimit) throw badField('file', 'tooMuchWaiting');
}

/** What a check of the file writes into its row. */
async function checkInto(queries: Queries, kind: ImportKind, file: CsvFile) {
  const { total, good, bad, ...preview } = await checkFile(queries, kind, file);
  return {
    headed: file.headed,
    head: JSON.stringify(headOf(file)),
    mapping: JSON.stringify(file.mapping),
    preview: JSON.stringify(preview),
    total,
    good,
    bad,
  };
}

/** A name that stands in lists and the audit: one line of at most 200 characters. */
const fileName = (name: string): string => [...name.replace(/[\p{C}\s]+/gu, ' ').trim()].slice(0, 200).join('') || 'import.csv';

/** Every field of the kind, each from a column the file has. */
function knownFields(kind: ImportKind, asked: CsvFile['mapping'], columns: number): CsvFile['mapping'] {
  const entries = Object.keys(importColumns[kind]).map((field) => {
    const at = asked[field] ?? null;
    if (at !== null && at >= columns) throw badField(`mapping.${field}`);
    return [field, at] as const;
  });
  return Object.fromEntries(entries);
}

async function readFile(queries: Queries, { id, delimiter, headed, mapping }: Import): Promise<CsvFile> {
  const [file] = await queries.select().from(importFiles).where(eq(importFiles.importId, id));
  if (!file) throw failure('NOT_FOUND');
  return { ...decodeCsv(file.content), delimiter, headed, mapping: JSON.parse(mapping) as CsvFile['mapping'] };
}

async function detailsOf(queries: Queries, row: Import): Promise<ImportDetails> {
  const [shown] = await presentAll(queries, [row]);
  if (!shown) throw failure('NOT_FOUND');
  const preview = JSON.parse(row.preview) as Pick<ImportDetails, 'missing' | 'first' | 'badRows'>;
  return {
    row: shown,
    headed: row.headed,
    head: JSON.parse(row.head) as string[],
    mapping: JSON.parse(row.mapping) as ImportDetails['mapping'],
    ...preview,
    ...(row.state !== 'checked' && { badRows: await badRowsSoFar(queries, { id: row.id, after: 0, limit: 100 }) }),
  };
}

// ── Bad rows ───────────────────────────────────────────────────────────────

interface Page {
  id: string;
  after: number;
  limit: number;
}

async function badRowsSoFar(queries: Queries, { id, after, limit }: Page): Promise<FileRow[]> {
  const rows = await queries
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, id), gt(importRows.line, after)))
    .orderBy(asc(importRows.line))
    .limit(limit);
  return rows.map(({ line, cells, issues }) => ({
    line,
    cells: JSON.parse(cells) as string[],
    issues: JSON.parse(issues) as FileRow['issues'],
  }));
}

async function badRowsOfFile(queries: Queries, row: Import, { after, limit }: Page): Promise<FileRow[]> {
  const found: FileRow[] = [];
  for await (const { bad } of screened(queries, row.kind, await readFile(queries, row))) {
    found.push(...bad.filter(({ line }) => line > after).map(({ line, cells, issues }) => ({ line, cells, issues })));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
