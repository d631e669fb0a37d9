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
import { detectEncoding, assertCsvFile, type DetectedEncoding } from './encoding.ts';
import { detectDecimalMark } from './numbers.ts';
import { headerCells, csvRows, type CsvFile, type CsvRow } from './file.ts';
import { importHandlers } from './import-handlers.ts';
import {
  earlierImportOf,
  presentImport,
  presentImports,
  presentForAudit,
  presentRow,
  parseReading,
  type RowPreview,
} from './present.ts';
import { readBytes, readEdits, readFile } from './read-file.ts';
import { detectReading, hasKnownHeader } from './reading.ts';
import { checkForImports } from './worker.ts';
import { requireActor, personOf, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countUpload } from '../platform/http/rate-limit.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import { lockRow, type ItemVersion } from '../platform/records/versions.ts';
import { writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { importEdits, importFiles, importRows, imports as table } from './tables.ts';

type Import = typeof table.$inferSelect;

const createImportRoutes = (kind: ImportKind) => {
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
      return sortByRequestedIds(input.ids, await presentImports(context.db, rows));
    }),

    add: routes.add.handler(({ input, context }) => addImport(context, kind, input.file)),

    details: routes.details.handler(async ({ input, context }) =>
      presentDetails(context.db, await findImport(context.db, kind, input.id)),
    ),

    reread: routes.reread.handler(({ input, context }) => rereadImport(context, kind, input)),

    editRows: routes.editRows.handler(({ input, context }) => editRows(context, kind, input)),

    start: routes.start.handler(async ({ input, context }) => {
      const row = await writeOnce(context, input, async (tx, recordAudit) => {
        const previous = await lockImport(tx, kind, input);
        if (previous.state !== 'checked') throw conflict(previous);
        const repeatOfId = await checkDuplicate(tx, previous, input.again);
        if (previous.good === 0) throw createAppError('INCOMPLETE', { fields: ['file'] });
        const questions = JSON.parse(previous.questions) as ImportQuestion[];
        if (questions.length > 0) throw createAppError('INCOMPLETE', { fields: questions });
        return updateImport(tx, recordAudit, previous, {
          state: 'running',
          again: repeatOfId,
          startedAt: nowOf(context),
          ...startedBy(context),
        });
      });
      checkForImports(context.services);
      return row;
    }),

    cancel: routes.cancel.handler(({ input, context }) =>
      writeOnce(context, input, async (tx, recordAudit) => {
        const previous = await lockImport(tx, kind, input);
        if (previous.state === 'checked') {
          await tx.delete(table).where(eq(table.id, previous.id));
          recordAudit({ entity, id: previous.id, before: presentForAudit(previous) });
          return { row: null };
        }
        if (previous.state !== 'running') throw conflict(previous);
        return {
          row: await updateImport(tx, recordAudit, previous, { state: 'canceled', endedAt: nowOf(context), ...clearedLease }),
        };
      }),
    ),

    resume: routes.resume.handler(async ({ input, context }) => {
      const row = await writeOnce(context, input, async (tx, recordAudit) => {
        const previous = await lockImport(tx, kind, input);
        if (previous.state !== 'canceled' && previous.state !== 'failed') throw conflict(previous);
        await checkDuplicate(tx, previous, previous.again); // the same file may have been imported since
        // The administrator who resumes an import owns the remaining entries.
        return updateImport(tx, recordAudit, previous, {
          state: 'running',
          endedAt: null,
          ...startedBy(context),
          ...clearedLease,
        });
      });
      checkForImports(context.services);
      return row;
    }),

    undo: routes.undo.handler(({ input, context }) =>
      writeOnce(context, input, async (tx, recordAudit) => {
        const previous = await lockImport(tx, kind, input);
        if (previous.state === 'checked' || previous.state === 'undone') throw conflict(previous);
        const by = { id: personOf(context)?.id ?? null, email: requireActor(context).email };
        const undoneCounts = await importHandlers[kind].undo(tx, previous, { ...by, at: nowOf(context) });
        await tx.delete(importFiles).where(eq(importFiles.importId, previous.id));
        return updateImport(
          tx,
          recordAudit,
          previous,
          { state: 'undone', endedAt: nowOf(context), ...clearedLease },
          { taken: undoneCounts },
        );
      }),
    ),

    badRows: routes.badRows.handler(async ({ input, context }) => {
      return context.db.transaction(
        async (tx) => {
          const row = await findImport(tx, kind, input.id);
          const { headed } = parseReading(row);
          const headerNames = JSON.parse(row.head) as string[];
          const mapping = JSON.parse(row.mapping) as CsvFile['mapping'];
          const rows = row.state === 'checked' ? await readInvalidRowsOfFile(tx, row) : await readStoredInvalidRows(tx, row);
          return { headed, head: headerNames, mapping, rows };
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      );
    }),
  };
};

export const pointsImports = createImportRoutes('points');
export const airdropsImports = createImportRoutes('airdrops');
export const teamsImports = createImportRoutes('teams');
export const drawsImports = createImportRoutes('draws');

const entity = 'import';
const nextVersion = { version: sql`${table.version} + 1` };
const clearedLease = { runner: null, leasedUntil: null, attempts: 0 };
const nowOf = ({ services }: RequestContext) => new Date(services.now());

/** The administrator who starts an import owns its entries. */
function startedBy(context: RequestContext) {
  return { administratorId: personOf(context)?.id ?? null, administratorEmail: requireActor(context).email };
}

const conflict = (row: Import) => createAppError('CONFLICT', { current: presentImport(row) });

async function findImport(queries: Queries, kind: ImportKind, id: string): Promise<Import> {
  const [row] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.kind, kind)));
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

async function lockImport(tx: Tx, kind: ImportKind, { id, version }: ItemVersion): Promise<Import> {
  const row = await lockRow(tx, table, { id, version }, presentImport);
  if (row.kind !== kind) throw createAppError('NOT_FOUND');
  return row;
}

/** ID of an earlier import of the same file. Throws ALREADY_IMPORTED unless `acknowledgedId` names it. */
async function checkDuplicate(tx: Tx, row: Import, acknowledgedId: string | null): Promise<string | null> {
  // The lock makes concurrent imports of one file see each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${row.kind} ${row.sha256}`}, 0))`);
  const earlier = await earlierImportOf(tx, row);
  if (earlier && earlier.id !== acknowledgedId) throw createAppError('ALREADY_IMPORTED', { by: [earlier.by], at: earlier.at });
  return earlier?.id ?? null;
}

async function updateImport(
  tx: Tx,
  recordAudit: RecordAudit,
  previous: Import,
  changes: Partial<typeof table.$inferInsert>,
  auditDetails: Record<string, unknown> = {},
): Promise<ImportRow> {
  const [updatedRow] = await tx
    .update(table)
    .set({ ...changes, ...nextVersion })
    .where(eq(table.id, previous.id))
    .returning();
  if (!updatedRow) throw createAppError('NOT_FOUND');
  recordAudit({
    entity,
    id: updatedRow.id,
    before: presentForAudit(previous),
    after: { ...presentForAudit(updatedRow), ...auditDetails },
  });
  return presentImport(updatedRow);
}

// ── Files ──────────────────────────────────────────────────────────────────

async function addImport(context: RequestContext, kind: ImportKind, upload: File): Promise<ImportDetails> {
  countUpload(context, requireActor(context), 'import');
  if (upload.size > importLimit.bytes) throw createFieldError('file', 'fileTooLarge');
  const content = Buffer.from(await upload.arrayBuffer());
  const sha256 = createHash('sha256').update(content).digest('hex');
  const detectedEncoding = detectContentEncoding(content, kind);
  const encoding = 'certain' in detectedEncoding ? detectedEncoding.certain : detectedEncoding.possible[0];
  if (!encoding) throw createFieldError('file', 'encoding');
  const text = decodeContent(content, encoding);
  const { reading, mapping, doubts } = detectReading(text, importColumns[kind]);
  const file: CsvFile = {
    text,
    reading: { ...reading, encoding, decimal: '.', zone: 'UTC' },
    mapping,
    fills: {},
    edits: new Map(),
  };
  const detectedDecimal = detectDecimalMark(kind, file);
  if (detectedDecimal) file.reading.decimal = detectedDecimal;
  const checkColumns = await buildCheckColumns(context.db, kind, file, {
    content,
    found: detectedEncoding,
    doubts,
    proven: detectedDecimal,
    answers: [],
  });
  return writeOnce(context, { kind, sha256 }, async (tx, recordAudit) => {
    await enforceStorageQuota(tx, context, content.byteLength);
    const [row] = await tx
      .insert(table)
      .values({
        id: newId(),
        kind,
        name: sanitizeFileName(upload.name),
        sha256,
        bytes: content.byteLength,
        state: 'checked',
        createdAt: nowOf(context),
        ...startedBy(context),
        ...checkColumns,
      })
      .returning();
    if (!row) throw new Error('the insert returned no row');
    await tx.insert(importFiles).values({ importId: row.id, content });
    recordAudit({ entity, id: row.id, after: presentForAudit(row) });
    return presentDetails(tx, row);
  });
}

function detectContentEncoding(content: Uint8Array, kind: ImportKind): DetectedEncoding {
  assertCsvFile(content);
  return detectEncoding(content, (text) => hasKnownHeader(text, importColumns[kind]));
}

function decodeContent(content: Uint8Array, encoding: Encoding): string {
  const text = decodeStrictly(content, encoding);
  if (text === null) throw createFieldError('encoding', 'notReadableSo');
  return text;
}

/** Discards repairs, which belong to the old reading. */
async function rereadImport(context: RequestContext, kind: ImportKind, input: RereadInput): Promise<ImportDetails> {
  const row = await findImport(context.db, kind, input.id);
  if (row.version !== input.version) throw conflict(row);
  const content = await readContent(context.db, row);
  const previousReading = parseReading(row);
  const text = decodeContent(content, input.encoding);
  const { reading: detectedReading, mapping: mappingByName, doubts } = detectReading(text, importColumns[kind], input);
  const { encoding, zone } = input;
  const reading: ImportReading = { ...detectedReading, encoding, decimal: input.decimal ?? '.', zone };
  const mapping = input.mapping ? keepKnownFields(kind, input.mapping, headerCells({ text, reading }).length) : mappingByName;
  const fills = Object.fromEntries(Object.entries(input.fills).filter(([field]) => mapping[field] === null));
  const detectedDecimal = detectDecimalMark(kind, { text, reading, mapping, fills, edits: new Map() });
  if (detectedDecimal && input.decimal === null) reading.decimal = detectedDecimal;
  const hasTextChanged = reading.encoding !== previousReading.encoding || reading.delimiter !== previousReading.delimiter;
  const hasTableChanged =
    hasTextChanged || reading.firstLine !== previousReading.firstLine || reading.headed !== previousReading.headed;
  const hasMappingChanged = hasTableChanged || JSON.stringify(mapping) !== row.mapping;
  const haveRowsChanged = hasMappingChanged || reading.comments !== previousReading.comments;
  const haveValuesChanged = haveRowsChanged || JSON.stringify(fills) !== row.fills;

  // Changes reopen the questions that depend on them.
  const reopenedQuestions = new Set<ImportQuestion>([
    ...(reading.encoding === previousReading.encoding ? [] : (['encoding'] as const)),
    ...(hasTextChanged ? (['delimiter'] as const) : []),
    ...(hasTableChanged ? (['header'] as const) : []),
    ...(haveRowsChanged ? (['shortRows', 'joinedRows'] as const) : []),
    ...(haveValuesChanged || reading.decimal !== previousReading.decimal ? (['numbers'] as const) : []),
    ...(haveValuesChanged || reading.zone !== previousReading.zone ? (['zone'] as const) : []),
  ]);
  const remainingAnswers = (JSON.parse(row.answers) as ImportQuestion[]).filter((answer) => !reopenedQuestions.has(answer));
  const answers = [...new Set([...remainingAnswers, ...input.answers])];

  const previousColumns = {
    mapping: JSON.parse(row.mapping) as CsvFile['mapping'],
    fills: JSON.parse(row.fills) as CsvFile['fills'],
  };
  const changedFields = Object.keys(mapping).filter(
    (field) => mapping[field] !== previousColumns.mapping[field] || fills[field] !== previousColumns.fills[field],
  );
  const edits: CsvFile['edits'] = hasTextChanged
    ? new Map()
    : editsOfUnchangedFields(await readEdits(context.db, row.id), mapping, changedFields);
  const file: CsvFile = { text, reading, mapping, fills, edits };
  const checkContext = { content, found: detectContentEncoding(content, kind), doubts, proven: detectedDecimal, answers };
  const checkColumns = await buildCheckColumns(context.db, kind, file, checkContext);
  return saveCheck(context, kind, input, checkColumns, async (tx) => {
    if (hasTextChanged || changedFields.length > 0) {
      await tx.delete(importEdits).where(eq(importEdits.importId, row.id));
      await insertEdits(tx, row.id, edits);
    }
    return {};
  });
}

/** Drops repairs of moved fields. The repair of a malformed row goes completely, because its cells never matched fields. */
function editsOfUnchangedFields(
  edits: CsvFile['edits'],
  mapping: CsvFile['mapping'],
  changedFields: readonly string[],
): CsvFile['edits'] {
  if (changedFields.length === 0) return edits;
  const fieldCount = Object.keys(mapping).length;
  const remainingEdits = [...edits].flatMap(([line, texts]) => {
    if (Object.keys(texts).length === fieldCount) return [];
    const unchangedTexts = Object.entries(texts).filter(([field]) => !changedFields.includes(field));
    return unchangedTexts.length > 0 ? [[line, Object.fromEntries(unchangedTexts)] as const] : [];
  });
  return new Map(remainingEdits);
}

async function insertEdits(tx: Tx, importId: string, edits: CsvFile['edits']): Promise<void> {
  const rows = [...edits].map(([line, texts]) => ({ importId, line, texts: JSON.stringify(texts) }));
  if (rows.length > 0) await tx.insert(importEdits).values(rows);
}

async function editRows(context: RequestContext, kind: ImportKind, input: EditRowsInput): Promise<ImportDetails> {
  const row = await findImport(context.db, kind, input.id);
  if (row.version !== input.version) throw conflict(row);
  const content = await readContent(context.db, row);
  const file = await readFile(context.db, row);
  if (!file) throw createAppError('NOT_FOUND');
  const edits = new Map(file.edits);
  const lines = new Set(input.rows.map(({ line }) => line));
  const originalRows = new Map<number, CsvRow>();
  for (const csvRow of csvRows({ ...file, edits: new Map() })) if (lines.has(csvRow.line)) originalRows.set(csvRow.line, csvRow);
  for (const { line, texts } of input.rows) {
    const originalRow = originalRows.get(line);
    if (!originalRow) throw createFieldError('rows');
    // Unchanged fields follow later changes of the column.
    const changedTexts = Object.keys(file.mapping)
      .map((field) => [field, texts?.[field] ?? ''] as const)
      .filter(([field, text]) => originalRow.malformed !== null || text !== originalRow.texts[field]);
    if (texts === null || changedTexts.length === 0) edits.delete(line);
    else edits.set(line, Object.fromEntries(changedTexts));
  }
  if (edits.size > importLimit.edits) throw createFieldError('rows', 'tooManyEdits');
  const { doubts } = detectReading(file.text, importColumns[kind], file.reading);
  const answers = JSON.parse(row.answers) as ImportQuestion[];
  const checkContext = {
    content,
    found: detectContentEncoding(content, kind),
    doubts,
    proven: detectDecimalMark(kind, file),
    answers,
  };
  const checkColumns = await buildCheckColumns(context.db, kind, { ...file, edits }, checkContext);
  return saveCheck(context, kind, input, checkColumns, async (tx) => {
    await tx.delete(importEdits).where(and(eq(importEdits.importId, row.id), inArray(importEdits.line, [...lines])));
    await insertEdits(tx, row.id, new Map([...edits].filter(([line]) => lines.has(line))));
    return { repairs: input.rows.map(({ line, texts }) => [line, ...Object.values(texts ?? {})].join(' · ')) };
  });
}

async function readContent(queries: Queries, { id }: Import): Promise<Uint8Array> {
  const content = await readBytes(queries, id);
  if (!content) throw createAppError('NOT_FOUND');
  return content;
}

/** Only if the row is unchanged. */
function saveCheck(
  context: RequestContext,
  kind: ImportKind,
  input: ItemVersion,
  checkColumns: Partial<typeof table.$inferInsert>,
  writeEdits: (tx: Tx) => Promise<Record<string, unknown>>,
): Promise<ImportDetails> {
  return writeOnce(context, input, async (tx, recordAudit) => {
    const previous = await lockImport(tx, kind, input);
    if (previous.state !== 'checked') throw conflict(previous);
    const auditDetails = await writeEdits(tx);
    const [edits] = await tx.select({ rows: count() }).from(importEdits).where(eq(importEdits.importId, previous.id));
    const [updatedRow] = await tx
      .update(table)
      .set({ ...checkColumns, edited: edits?.rows ?? 0, ...nextVersion })
      .where(eq(table.id, previous.id))
      .returning();
    if (!updatedRow) throw createAppError('NOT_FOUND');
    recordAudit({
      entity,
      id: updatedRow.id,
      before: presentForAudit(previous),
      after: { ...presentForAudit(updatedRow), ...auditDetails },
    });
    return presentDetails(tx, updatedRow);
  });
}

/** Throws BAD_REQUEST above `waitingLimit` for unfinished imports. */
async function enforceStorageQuota(tx: Tx, context: RequestContext, addedBytes: number): Promise<void> {
  const { id, email } = requireActor(context);
  const ownerCondition = personOf(context) ? eq(table.administratorId, id) : eq(table.administratorEmail, email);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`imports of ${id}`}, 0))`);
  const [storedTotal] = await tx
    .select({ bytes: sum(table.bytes) })
    .from(table)
    .where(and(ownerCondition, inArray(table.state, ['checked', 'canceled', 'failed'])));
  if (Number(storedTotal?.bytes ?? 0) + addedBytes > waitingLimit) throw createFieldError('file', 'tooMuchWaiting');
}

interface CheckContext {
  content: Uint8Array;
  found: DetectedEncoding;
  doubts: readonly ImportQuestion[];
  proven: DecimalMark | null;
  answers: readonly ImportQuestion[];
}

async function buildCheckColumns(queries: Queries, kind: ImportKind, file: CsvFile, checkContext: CheckContext) {
  const { content, found: encoding, doubts, proven, answers } = checkContext;
  const { total, good, bad, totals, ...preview } = await checkFile(queries, kind, file, proven);
  const raisedQuestions: ImportQuestion[] = [
    ...('possible' in encoding ? (['encoding'] as const) : []),
    ...doubts,
    ...(preview.shortRows > 0 ? (['shortRows'] as const) : []),
    ...(preview.joinedRows > 0 ? (['joinedRows'] as const) : []),
    ...(preview.unclearNumbers > 0 ? (['numbers'] as const) : []),
    ...(preview.timesWithoutZone > 0 ? (['zone'] as const) : []),
  ];
  const samples = 'possible' in encoding ? samplesOf(content, encoding.possible) : [];
  return {
    reading: JSON.stringify(file.reading),
    head: JSON.stringify(headerCells(file)),
    mapping: JSON.stringify(file.mapping),
    fills: JSON.stringify(file.fills),
    answers: JSON.stringify(answers),
    questions: JSON.stringify(raisedQuestions.filter((question) => !answers.includes(question))),
    totals: JSON.stringify(totals),
    preview: JSON.stringify({ ...preview, samples } satisfies RowPreview),
    total,
    good,
    bad,
  };
}

const lineTerminators = new Set(Buffer.from('\r\n'));
const cellDelimiters = new Set(Buffer.from('\r\n,;\t|"'));

/** The first text outside ASCII in each possible encoding, without repetitions. */
function samplesOf(content: Uint8Array, candidates: readonly Encoding[]): RowPreview['samples'] {
  const firstNonAsciiIndex = content.findIndex((byte) => byte >= 0x80);
  const excerptStart = content.subarray(0, firstNonAsciiIndex).findLastIndex((byte) => cellDelimiters.has(byte)) + 1;
  const lineEndIndex = content.findIndex((byte, index) => index > firstNonAsciiIndex && lineTerminators.has(byte));
  const excerpt = content.subarray(
    Math.max(excerptStart, firstNonAsciiIndex - 40),
    Math.min(lineEndIndex < 0 ? content.length : lineEndIndex, firstNonAsciiIndex + 200),
  );
  const samples = candidates.map((encoding) => ({ encoding, text: new TextDecoder(encoding).decode(excerpt).slice(0, 80) }));
  return samples.filter(({ text }, index) => samples.findIndex((entry) => entry.text === text) === index);
}

/** One line of at most 200 characters. */
const sanitizeFileName = (name: string): string =>
  [...name.replace(/[\p{C}\s]+/gu, ' ').trim()].slice(0, 200).join('') || 'import.csv';

function keepKnownFields(kind: ImportKind, requestedMapping: CsvFile['mapping'], columnCount: number): CsvFile['mapping'] {
  const entries = Object.keys(importColumns[kind]).map((field) => {
    const columnIndex = requestedMapping[field] ?? null;
    if (columnIndex !== null && columnIndex >= columnCount) throw createFieldError(`mapping.${field}`);
    return [field, columnIndex] as const;
  });
  return Object.fromEntries(entries);
}

async function presentDetails(queries: Queries, row: Import): Promise<ImportDetails> {
  const [presentedRow] = await presentImports(queries, [row]);
  if (!presentedRow) throw createAppError('NOT_FOUND');
  return {
    row: presentedRow,
    reading: parseReading(row),
    head: JSON.parse(row.head) as string[],
    mapping: JSON.parse(row.mapping) as ImportDetails['mapping'],
    fills: JSON.parse(row.fills) as ImportDetails['fills'],
    ...(JSON.parse(row.preview) as RowPreview),
    ...(row.state !== 'checked' && { badRows: await readStoredInvalidRows(queries, row, 100) }),
  };
}

// ── Bad rows ───────────────────────────────────────────────────────────────

async function readStoredInvalidRows(queries: Queries, { id }: Import, limit: number = importLimit.rows): Promise<FileRow[]> {
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

async function readInvalidRowsOfFile(queries: Queries, row: Import): Promise<FileRow[]> {
  const file = await readFile(queries, row);
  if (!file) throw createAppError('NOT_FOUND');
  const invalidRows: FileRow[] = [];
  for await (const { bad } of screenRows(queries, row.kind, file)) {
    invalidRows.push(...bad.map((entry) => presentRow(row.kind, entry, entry.issues)));
  }
  return invalidRows;
}
