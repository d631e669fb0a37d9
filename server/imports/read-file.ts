import { eq } from 'drizzle-orm';
import type { Queries } from '../platform/db/db.ts';
import { decodeStrictly } from '../platform/core/encoding.ts';
import { assertCsvFile } from './encoding.ts';
import type { CsvFile } from './file.ts';
import { parseReading } from './present.ts';
import { importEdits, importFiles, type imports } from './tables.ts';

type Import = typeof imports.$inferSelect;

/** Null: deleted. */
export async function readBytes(queries: Queries, id: string): Promise<Uint8Array | null> {
  const [file] = await queries.select().from(importFiles).where(eq(importFiles.importId, id));
  return file?.content ?? null;
}

export async function readEdits(queries: Queries, id: string): Promise<CsvFile['edits']> {
  const rows = await queries.select().from(importEdits).where(eq(importEdits.importId, id));
  return new Map(rows.map(({ line, texts }) => [line, JSON.parse(texts) as Record<string, string>]));
}

/** Null: deleted. */
export async function readFile(queries: Queries, row: Import): Promise<CsvFile | null> {
  const bytes = await readBytes(queries, row.id);
  if (!bytes) return null;
  assertCsvFile(bytes);
  const reading = parseReading(row);
  const text = decodeStrictly(bytes, reading.encoding);
  if (text === null) throw new Error(`the file isn’t ${reading.encoding}`);
  return {
    text,
    reading,
    mapping: JSON.parse(row.mapping) as CsvFile['mapping'],
    fills: JSON.parse(row.fills) as CsvFile['fills'],
    edits: await readEdits(queries, row.id),
  };
}
