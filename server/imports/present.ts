import { and, desc, eq, gt, inArray, ne, or } from 'drizzle-orm';
import {
  numberFields,
  timeFields,
  type FileRow,
  type ImportDetails,
  type ImportKind,
  type ImportRow,
  type ImportReading,
} from '../../api/imports/contract.ts';
import type { Queries } from '../platform/db/db.ts';
import type { CsvRow } from './file.ts';
import type { ValidRow } from './import-handlers.ts';
import { imports } from './tables.ts';

type Import = typeof imports.$inferSelect;
type Earlier = NonNullable<ImportRow['earlier']>;

export const parseReading = ({ reading }: Import): ImportReading => JSON.parse(reading) as ImportReading;

export const presentImport = (row: Import, earlier: Earlier | null = null): ImportRow => ({
  id: row.id,
  version: row.version,
  name: row.name,
  sha256: row.sha256,
  bytes: row.bytes,
  encoding: parseReading(row).encoding,
  delimiter: parseReading(row).delimiter,
  state: row.state,
  total: row.total,
  good: row.good,
  bad: row.bad,
  edited: row.edited,
  questions: JSON.parse(row.questions) as ImportRow['questions'],
  totals: JSON.parse(row.totals) as ImportRow['totals'],
  worked: row.worked,
  imported: row.imported,
  earlier,
  by: row.administratorEmail,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
});

export function presentForAudit({ kind, name, sha256, bytes, state, total, edited, worked, imported, version }: Import) {
  return { kind, name, sha256, bytes, state, total, edited, worked, imported, refused: worked - imported, version };
}

export type RowPreview = Pick<
  ImportDetails,
  | 'missing'
  | 'skipped'
  | 'samples'
  | 'shortRows'
  | 'joinedRows'
  | 'unclearNumbers'
  | 'timesWithoutZone'
  | 'uncertain'
  | 'first'
  | 'badRows'
  | 'repaired'
>;

export const presentRow = (kind: ImportKind, row: CsvRow | ValidRow, issues: FileRow['issues']): FileRow => ({
  line: row.line,
  cells: row.cells,
  texts: row.texts,
  values: 'values' in row ? presentValues(kind, row.values) : null,
  edited: row.edited,
  issues,
});

const presentValues = (kind: ImportKind, values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {})
      .filter(([field]) => numberFields[kind].includes(field) || timeFields[kind].includes(field))
      .map(([field, value]) => [field, String(value)]),
  );

/** The last complete, partial or running import of this file. */
export async function earlierImportOf(queries: Queries, { id, kind, sha256 }: Import): Promise<Earlier | null> {
  const wasImported = or(
    inArray(imports.state, ['running', 'done']),
    and(inArray(imports.state, ['canceled', 'failed']), gt(imports.imported, 0)),
  );
  const [earlierImport] = await queries
    .select()
    .from(imports)
    .where(and(eq(imports.kind, kind), eq(imports.sha256, sha256), ne(imports.id, id), wasImported))
    .orderBy(desc(imports.startedAt))
    .limit(1);
  if (!earlierImport) return null;
  const { startedAt, createdAt, imported, administratorEmail } = earlierImport;
  return { id: earlierImport.id, by: administratorEmail, at: (startedAt ?? createdAt).toISOString(), imported };
}

/** Looks up earlier imports only for rows that are not started. */
export async function presentImports(queries: Queries, rows: readonly Import[]): Promise<ImportRow[]> {
  return Promise.all(
    rows.map(async (row) => presentImport(row, row.state === 'checked' ? await earlierImportOf(queries, row) : null)),
  );
}
