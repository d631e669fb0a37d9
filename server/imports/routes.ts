import { createHash } from 'node:crypto';
import { and, asc, count, eq, inArray, sql, sum } from 'drizzle-orm';
import {
  importColumns,
  importLimit,
  type DecimalMark,
  waitingLimit,
  type FileRow,
  type ImportDetails,
  type ImportKind,
  type ImportQuestion,
  type ImportRow,
  type EditRowsInput,
  type ImportReading,
  type RereadInput,
} from '../../api/imports/contract.ts';
import { checkFile, screenRows } from './check-rows.ts';
import type { Encoding } from '../../api/encodings.ts';
import { decodeStrictly } from '../platform/core/encoding.ts';
import { findEncoding, refuseOtherFiles, type FoundEncoding } from './encoding.ts';
import { provenDecimal } from './numbers.ts';
import { headerCells, csvRows, type CsvFile, type CsvLine } from './file.ts';
import { importHandlers } from './import-handlers.ts';
import {
  earlierImportOf,
  presentImport,
  presentImports,
  presentForAudit,
  presentLine,
  readingOf,
  type RowPreview,
} from './present.ts';
import { readBytes, readEdits, readFile } from './read-file.ts';
import { findReading, hasKnownHeader } from './reading.ts';
import { checkForImports } from './worker.ts';
import { actorOf, personOf, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countUpload } from '../platform/http/rate-limit.ts';
import { inRequestedOrder, listRows } from '../platform/records/list.ts';
import { lockRow, type ItemVersion } from '../platform/records/versions.ts';
import { writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { importEdits, importFiles, importRows, imports as table } from './tables.ts';

type Import = typeof table.$inferSelect;

const importsOf = (kind: ImportKind) => {
  const routes = guardedApi[`${kind}Imports` as const];
  return {
    list: routes.list.handler(async ({ input, context }) => {
      const page = await listRows(context, input, {
        table,
        id: table.id,
        sorts: { createdAt: table.createdAt },
        where: eq(table.kind, kind),
        present: (row) => row,
      });
      return { ...page, rows: await presentImports(context.db, page.rows) };
    }),

    many: routes.many.handler(async ({ input, context }) => {
      const rows = await context.db
        .select()
        .from(table)
        .where(and(eq(table.kind, kind), inArray(table.id, input.ids)));
      return inRequestedOrder(input.ids, await presentImports(context.db, rows));
    }),

    add: routes.add.handler(({ input, context }) => addImport(context, kind, input.file)),

    details: routes.details.handler(async ({ input, context }) => detailsOf(context.db, await find(context.db, kind, input.id))),

    reread: routes.reread.handler(({ input, context }) => rereadImport(context, kind, input)),

    editRows: routes.editRows.handler(({ input, context }) => editRows(context, kind, input)),

    start: routes.start.handler(async ({ input, context }) => {
      const row = await writeOnce(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state !== 'checked') throw conflict(before);
        const again = await seenBefore(tx, before, input.again);
        if (before.good === 0) throw appError('INCOMPLETE', { fields: ['file'] });
        const questions = JSON.parse(before.questions) as ImportQuestion[];
        if (questions.length > 0) throw appError('INCOMPLETE', { fields: questions });
        return change(tx, note, before, { state: 'running', again, startedAt: nowOf(context), ...startedBy(context) });
      });
      checkForImports(context.services);
      return row;
    }),

    cancel: routes.cancel.handler(({ input, context }) =>
      writeOnce(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state === 'checked') {
          await tx.delete(table).where(eq(table.id, before.id));
          note({ entity, id: before.id, before: presentForAudit(before) });
          return { row: null };
        }
        if (before.state !== 'running') throw conflict(before);
        return { row: await change(tx, note, before, { state: 'canceled', endedAt: nowOf(context), ...unleased }) };
      }),
    ),

    resume: routes.resume.handler(async ({ input, context }) => {
      const row = await writeOnce(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state !== 'canceled' && before.state !== 'failed') throw conflict(before);
        await seenBefore(tx, before, before.again); // the same file may have been imported since
        // The administrator who resumes an import owns the remaining entries.
        return change(tx, note, before, { state: 'running', endedAt: null, ...startedBy(context), ...unleased });
      });
      checkForImports(context.services);
      return row;
    }),

    undo: routes.undo.handler(({ input, context }) =>
      writeOnce(context, input, async (tx, note) => {
        const before = await lock(tx, kind, input);
        if (before.state === 'checked' || before.state === 'undone') throw conflict(before);
        const by = { id: personOf(context)?.id ?? null, email: actorOf(context).email };
        const undone = await importHandlers[kind].undo(tx, before, { ...by, at: nowOf(context) });
        await tx.delete(importFiles).where(eq(importFiles.importId, before.id));
        return change(tx, note, before, { state: 'undone', endedAt: nowOf(context), ...unleased }, { taken: undone });
      }),
    ),

    badRows: routes.badRows.handler(async ({ input, context }) => {
      return context.db.transaction(
        async (tx) => {
          const row = await find(tx, kind, input.id);
          const { headed } = readingOf(row);
          const head = JSON.parse(row.head) as string[];
          const mapping = JSON.parse(row.mapping) as CsvFile['mapping'];
          const rows = row.state === 'checked' ? await badRowsOfFile(tx, row) : await badRowsSoFar(tx, row);
          return { headed, head, mapping, rows };
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      );
    }),
  };
};

export const pointsImports = importsOf('points');
export const airdropsImports = importsOf('airdrops');
export const teamsImports = importsOf('teams');
export const drawsImports = importsOf('draws');

const entity = 'import';
const nextVersion = { version: sql`${table.version} + 1` };
const unleased = { runner: null, leasedUntil: null, attempts: 0 };
const nowOf = ({ services }: RequestContext) => new Date(services.now());

/** The administrator who starts an import owns its entries. */
function startedBy(context: RequestContext) {
  return { administratorId: personOf(context)?.id ?? null, administratorEmail: actorOf(context).email };
}

const conflict = (row: Import) => appError('CONFLICT', { current: presentImport(row) });

async function find(queries: Queries, kind: ImportKind, id: string): Promise<Import> {
  const [row] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.kind, kind)));
  if (!row) throw appError('NOT_FOUND');
  return row;
}

async function lock(tx: Tx, kind: ImportKind, { id, version }: ItemVersion): Promise<Import> {
  const row = await lockRow(tx, table, { id, version }, presentImport);
  if (row.kind !== kind) throw appError('NOT_FOUND');
  return row;
}

/** Id of an earlier import of the same file. Throws ALREADY_IMPORTED unless `seen` confirms it. */
async function seenBefore(tx: Tx, row: Import, seenSha256: string | null): Promise<string | null> {
  // The lock makes concurrent imports of one file see each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${row.kind} ${row.sha256}`}, 0))`);
  const earlier = await earlierImportOf(tx, row);
  if (earlier && earlier.id !== seenSha256) throw appError('ALREADY_IMPORTED', { by: [earlier.by], at: earlier.at });
  return earlier?.id ?? null;
}

async function change(
  tx: Tx,
  note: RecordAudit,
  before: Import,
  to: Partial<typeof table.$inferInsert>,
  more: Record<string, unknown> = {},
): Promise<ImportRow> {
  const [after] = await tx
    .update(table)
    .set({ ...to, ...nextVersion })
    .where(eq(table.id, before.id))
    .returning();
  if (!after) throw appError('NOT_FOUND');
  note({ entity, id: after.id, before: presentForAudit(before), after: { ...presentForAudit(after), ...more } });
  return presentImport(after);
}

// ── Files ──────────────────────────────────────────────────────────────────

async function addImport(context: RequestContext, kind: ImportKind, upload: File): Promise<ImportDetails> {
  countUpload(context, actorOf(context), 'import');
  if (upload.size > importLimit.bytes) throw badField('file', 'fileTooLarge');
  const content = Buffer.from(await upload.arrayBuffer());
  const sha256 = createHash('sha256').update(content).digest('hex');
  const found = encodingOf(content, kind);
  const encoding = 'certain' in found ? found.certain : found.possible[0];
  if (!encoding) throw badField('file', 'encoding');
  const text = textOf(content, encoding);
  const { reading, mapping, doubts } = findReading(text, importColumns[kind]);
  const file: CsvFile = {
    text,
    reading: { ...reading, encoding, decimal: '.', zone: 'UTC' },
    mapping,
    fills: {},
    edits: new Map(),
  };
  const proven = provenDecimal(kind, file);
  if (proven) file.reading.decimal = proven;
  const checked = await checkInto(context.db, kind, file, { content, found, doubts, proven, answers: [] });
  return writeOnce(context, { kind, sha256 }, async (tx, note) => {
    await refuseTooMuch(tx, context, content.byteLength);
    const [row] = await tx
      .insert(table)
      .values({
        id: newId(),
        kind,
        name: fileName(upload.name),
        sha256,
        bytes: content.byteLength,
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

function encodingOf(content: Uint8Array, kind: ImportKind): FoundEncoding {
  refuseOtherFiles(content);
  return findEncoding(content, (text) => hasKnownHeader(text, importColumns[kind]));
}

function textOf(content: Uint8Array, encoding: Encoding): string {
  const text = decodeStrictly(content, encoding);
  if (text === null) throw badField('encoding', 'notReadableSo');
  return text;
}

/** Discards repairs, which belong to the old reading. */
async function rereadImport(context: RequestContext, kind: ImportKind, input: RereadInput): Promise<ImportDetails> {
  const row = await find(context.db, kind, input.id);
  if (row.version !== input.version) throw conflict(row);
  const content = await bytesOf(context.db, row);
  const before = readingOf(row);
  const text = textOf(content, input.encoding);
  const { reading: found, mapping: byName, doubts } = findReading(text, importColumns[kind], input);
  const { encoding, zone } = input;
  const reading: ImportReading = { ...found, encoding, decimal: input.decimal ?? '.', zone };
  const mapping = input.mapping ? knownFields(kind, input.mapping, headerCells({ text, reading }).length) : byName;
  const fills = Object.fromEntries(Object.entries(input.fills).filter(([field]) => mapping[field] === null));
  const proven = provenDecimal(kind, { text, reading, mapping, fills, edits: new Map() });
  if (proven && input.decimal === null) reading.decimal = proven;
  const isOtherText = reading.encoding !== before.encoding || reading.delimiter !== before.delimiter;
  const isOtherTable = isOtherText || reading.firstLine !== before.firstLine || reading.headed !== before.headed;
  const isOtherMapping = isOtherTable || JSON.stringify(mapping) !== row.mapping;
  const isOtherRows = isOtherMapping || reading.comments !== before.comments;
  const isOtherValues = isOtherRows || JSON.stringify(fills) !== row.fills;

  // Changes reopen the questions that depend on them.
  const reopened = new Set<ImportQuestion>([
    ...(reading.encoding === before.encoding ? [] : (['encoding'] as const)),
    ...(isOtherText ? (['delimiter'] as const) : []),
    ...(isOtherTable ? (['header'] as const) : []),
    ...(isOtherRows ? (['shortRows', 'joinedRows'] as const) : []),
    ...(isOtherValues || reading.decimal !== before.decimal ? (['numbers'] as const) : []),
    ...(isOtherValues || reading.zone !== before.zone ? (['zone'] as const) : []),
  ]);
  const remainingAnswers = (JSON.parse(row.answers) as ImportQuestion[]).filter((answer) => !reopened.has(answer));
  const answers = [...new Set([...remainingAnswers, ...input.answers])];

  const was = { mapping: JSON.parse(row.mapping) as CsvFile['mapping'], fills: JSON.parse(row.fills) as CsvFile['fills'] };
  const moved = Object.keys(mapping).filter(
    (field) => mapping[field] !== was.mapping[field] || fills[field] !== was.fills[field],
  );
  const edits: CsvFile['edits'] = isOtherText ? new Map() : keptEdits(await readEdits(context.db, row.id), mapping, moved);
  const file: CsvFile = { text, reading, mapping, fills, edits };
  const uncertainty = { content, found: encodingOf(content, kind), doubts, proven, answers };
  const checked = await checkInto(context.db, kind, file, uncertainty);
  return saveCheck(context, kind, input, checked, async (tx) => {
    if (isOtherText || moved.length > 0) {
      await tx.delete(importEdits).where(eq(importEdits.importId, row.id));
      await putEdits(tx, row.id, edits);
    }
    return {};
  });
}

/** Drops repairs of moved fields. The repair of a malformed row goes completely, because its cells never matched fields. */
function keptEdits(edits: CsvFile['edits'], mapping: CsvFile['mapping'], moved: readonly string[]): CsvFile['edits'] {
  if (moved.length === 0) return edits;
  const fields = Object.keys(mapping).length;
  const remainingAnswers = [...edits].flatMap(([line, texts]) => {
    if (Object.keys(texts).length === fields) return [];
    const others = Object.entries(texts).filter(([field]) => !moved.includes(field));
    return others.length > 0 ? [[line, Object.fromEntries(others)] as const] : [];
  });
  return new Map(remainingAnswers);
}

async function putEdits(tx: Tx, importId: string, edits: CsvFile['edits']): Promise<void> {
  const rows = [...edits].map(([line, texts]) => ({ importId, line, texts: JSON.stringify(texts) }));
  if (rows.length > 0) await tx.insert(importEdits).values(rows);
}

async function editRows(context: RequestContext, kind: ImportKind, input: EditRowsInput): Promise<ImportDetails> {
  const row = await find(context.db, kind, input.id);
  if (row.version !== input.version) throw conflict(row);
  const content = await bytesOf(context.db, row);
  const file = await readFile(context.db, row);
  if (!file) throw appError('NOT_FOUND');
  const edits = new Map(file.edits);
  const lines = new Set(input.rows.map(({ line }) => line));
  const unrepaired = new Map<number, CsvLine>();
  for (const found of csvRows({ ...file, edits: new Map() })) if (lines.has(found.line)) unrepaired.set(found.line, found);
  for (const { line, texts } of input.rows) {
    const found = unrepaired.get(line);
    if (!found) throw badField('rows');
    // Unchanged fields follow later changes of the column.
    const typed = Object.keys(file.mapping)
      .map((field) => [field, texts?.[field] ?? ''] as const)
      .filter(([field, text]) => found.malformed !== null || text !== found.texts[field]);
    if (texts === null || typed.length === 0) edits.delete(line);
    else edits.set(line, Object.fromEntries(typed));
  }
  if (edits.size > importLimit.edits) throw badField('rows', 'tooManyEdits');
  const { doubts } = findReading(file.text, importColumns[kind], file.reading);
  const answers = JSON.parse(row.answers) as ImportQuestion[];
  const uncertainty = { content, found: encodingOf(content, kind), doubts, proven: provenDecimal(kind, file), answers };
  const checked = await checkInto(context.db, kind, { ...file, edits }, uncertainty);
  return saveCheck(context, kind, input, checked, async (tx) => {
    await tx.delete(importEdits).where(and(eq(importEdits.importId, row.id), inArray(importEdits.line, [...lines])));
    await putEdits(tx, row.id, new Map([...edits].filter(([line]) => lines.has(line))));
    return { repairs: input.rows.map(({ line, texts }) => [line, ...Object.values(texts ?? {})].join(' · ')) };
  });
}

async function bytesOf(queries: Queries, { id }: Import): Promise<Uint8Array> {
  const content = await readBytes(queries, id);
  if (!content) throw appError('NOT_FOUND');
  return content;
}

/** Only if the row is unchanged. */
function saveCheck(
  context: RequestContext,
  kind: ImportKind,
  input: ItemVersion,
  checked: Partial<typeof table.$inferInsert>,
  more: (tx: Tx) => Promise<Record<string, unknown>>,
): Promise<ImportDetails> {
  return writeOnce(context, input, async (tx, note) => {
    const before = await lock(tx, kind, input);
    if (before.state !== 'checked') throw conflict(before);
    const noted = await more(tx);
    const [edits] = await tx.select({ rows: count() }).from(importEdits).where(eq(importEdits.importId, before.id));
    const [after] = await tx
      .update(table)
      .set({ ...checked, edited: edits?.rows ?? 0, ...nextVersion })
      .where(eq(table.id, before.id))
      .returning();
    if (!after) throw appError('NOT_FOUND');
    note({ entity, id: after.id, before: presentForAudit(before), after: { ...presentForAudit(after), ...noted } });
    return detailsOf(tx, after);
  });
}

/** Throws BAD_REQUEST above `waitingLimit` for unfinished imports. */
async function refuseTooMuch(tx: Tx, context: RequestContext, more: number): Promise<void> {
  const { id, email } = actorOf(context);
  const isOwn = personOf(context) ? eq(table.administratorId, id) : eq(table.administratorEmail, email);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`imports of ${id}`}, 0))`);
  const [kept] = await tx
    .select({ bytes: sum(table.bytes) })
    .from(table)
    .where(and(isOwn, inArray(table.state, ['checked', 'canceled', 'failed'])));
  if (Number(kept?.bytes ?? 0) + more > waitingLimit) throw badField('file', 'tooMuchWaiting');
}

interface Uncertainty {
  content: Uint8Array;
  found: FoundEncoding;
  doubts: readonly ImportQuestion[];
  proven: DecimalMark | null;
  answers: readonly ImportQuestion[];
}

async function checkInto(queries: Queries, kind: ImportKind, file: CsvFile, uncertainty: Uncertainty) {
  const { content, found: encoding, doubts, proven, answers } = uncertainty;
  const { total, good, bad, totals, ...found } = await checkFile(queries, kind, file, proven);
  const raised: ImportQuestion[] = [
    ...('possible' in encoding ? (['encoding'] as const) : []),
    ...doubts,
    ...(found.shortRows > 0 ? (['shortRows'] as const) : []),
    ...(found.joinedRows > 0 ? (['joinedRows'] as const) : []),
    ...(found.unclearNumbers > 0 ? (['numbers'] as const) : []),
    ...(found.timesWithoutZone > 0 ? (['zone'] as const) : []),
  ];
  const samples = 'possible' in encoding ? samplesOf(content, encoding.possible) : [];
  return {
    reading: JSON.stringify(file.reading),
    head: JSON.stringify(headerCells(file)),
    mapping: JSON.stringify(file.mapping),
    fills: JSON.stringify(file.fills),
    answers: JSON.stringify(answers),
    questions: JSON.stringify(raised.filter((question) => !answers.includes(question))),
    totals: JSON.stringify(totals),
    preview: JSON.stringify({ ...found, samples } satisfies RowPreview),
    total,
    good,
    bad,
  };
}

const lineEnds = new Set(Buffer.from('\r\n'));
const cellEnds = new Set(Buffer.from('\r\n,;\t|"'));

/** The first text outside ASCII in each possible encoding, without repetitions. */
function samplesOf(content: Uint8Array, possible: readonly Encoding[]): RowPreview['samples'] {
  const at = content.findIndex((byte) => byte >= 0x80);
  const before = content.subarray(0, at).findLastIndex((byte) => cellEnds.has(byte)) + 1;
  const after = content.findIndex((byte, index) => index > at && lineEnds.has(byte));
  const piece = content.subarray(Math.max(before, at - 40), Math.min(after < 0 ? content.length : after, at + 200));
  const samples = possible.map((encoding) => ({ encoding, text: new TextDecoder(encoding).decode(piece).slice(0, 80) }));
  return samples.filter(({ text }, index) => samples.findIndex((one) => one.text === text) === index);
}

/** One line of at most 200 characters. */
const fileName = (name: string): string => [...name.replace(/[\p{C}\s]+/gu, ' ').trim()].slice(0, 200).join('') || 'import.csv';

function knownFields(kind: ImportKind, requested: CsvFile['mapping'], columns: number): CsvFile['mapping'] {
  const entries = Object.keys(importColumns[kind]).map((field) => {
    const at = requested[field] ?? null;
    if (at !== null && at >= columns) throw badField(`mapping.${field}`);
    return [field, at] as const;
  });
  return Object.fromEntries(entries);
}

async function detailsOf(queries: Queries, row: Import): Promise<ImportDetails> {
  const [shown] = await presentImports(queries, [row]);
  if (!shown) throw appError('NOT_FOUND');
  return {
    row: shown,
    reading: readingOf(row),
    head: JSON.parse(row.head) as string[],
    mapping: JSON.parse(row.mapping) as ImportDetails['mapping'],
    fills: JSON.parse(row.fills) as ImportDetails['fills'],
    ...(JSON.parse(row.preview) as RowPreview),
    ...(row.state !== 'checked' && { badRows: await badRowsSoFar(queries, row, 100) }),
  };
}

// ── Bad rows ───────────────────────────────────────────────────────────────

async function badRowsSoFar(queries: Queries, { id }: Import, limit: number = importLimit.rows): Promise<FileRow[]> {
  const rows = await queries
    .select()
    .from(importRows)
    .where(eq(importRows.importId, id))
    .orderBy(asc(importRows.line))
    .limit(limit);
  const edits = await readEdits(queries, id);
  return rows.map(({ line, cells, texts, issues }) => ({
    line,
    cells: JSON.parse(cells) as string[],
    texts: JSON.parse(texts) as FileRow['texts'],
    values: null,
    edited: edits.has(line),
    issues: JSON.parse(issues) as FileRow['issues'],
  }));
}

async function badRowsOfFile(queries: Queries, row: Import): Promise<FileRow[]> {
  const file = await readFile(queries, row);
  if (!file) throw appError('NOT_FOUND');
  const found: FileRow[] = [];
  for await (const { bad } of screenRows(queries, row.kind, file)) {
    found.push(...bad.map((one) => presentLine(row.kind, one, one.issues)));
  }
  return found;
}
