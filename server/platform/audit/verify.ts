import { createReadStream } from 'node:fs';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { ChainCheck, parseRemovedRows, type ChainRow, type ChainFinding, type RemovedRows } from './chain.ts';
import { readHeads } from './heads.ts';
import { readCsv } from '../core/csv.ts';

export interface AuditVerdict {
  rows: number;
  heads: number;
  problems: ChainFinding[];
  notes: ChainFinding[];
}

export const formatFinding = ({ seq, text }: ChainFinding): string => (seq === null ? text : `row ${seq} ${text}`);

interface HeadsLocation {
  headsFile: string;
  keys: readonly KeyObject[];
}

export async function verifyDatabase(client: pg.Client, headsLocation: HeadsLocation): Promise<AuditVerdict> {
  // First, so that every anchored row is in the snapshot.
  const heads = await readHeads(headsLocation.headsFile, headsLocation.keys);
  await client.query('begin isolation level repeatable read read only');
  try {
    const { rows: removedRows } = await client.query<{ payload: string }>(
      `select payload from audit where entity = 'audit' and action = 'detach' order by seq desc limit 1`,
    );
    const verdict = await verifyChain(readDatabaseRows(client), heads, {
      gone: parseRemovedRows(removedRows[0]?.payload ?? '') ?? [],
    });
    const { rows: pendingRows } = await client.query<{ payload: string }>('select payload from audit_inbox');
    const unchainedFindings = pendingRows.map(({ payload }) => ({
      seq: null,
      text: `recorded outside the chain: ${payload.slice(0, 200)}`,
    }));
    return { ...verdict, problems: [...verdict.problems, ...unchainedFindings] };
  } finally {
    await client.query('rollback');
  }
}

/** `part`: a filtered export. */
export async function verifyExport(
  file: string,
  headsLocation: HeadsLocation,
  { part: isPartial }: { part: boolean },
): Promise<AuditVerdict> {
  const heads = await readHeads(headsLocation.headsFile, headsLocation.keys);
  let removedRows: RemovedRows[] = [];
  for await (const { payload } of readExportRows(file)) removedRows = parseRemovedRows(payload) ?? removedRows;
  return verifyChain(readExportRows(file), heads, { part: isPartial, gone: removedRows });
}

async function verifyChain(
  rows: AsyncIterable<ChainRow>,
  heads: Awaited<ReturnType<typeof readHeads>>,
  options: { part?: boolean; gone: readonly RemovedRows[] },
): Promise<AuditVerdict> {
  const chain = new ChainCheck(heads.anchors, options);
  for await (const row of rows) chain.add(row);
  chain.end();
  return {
    rows: chain.rows,
    heads: heads.anchors.length,
    problems: [...heads.problems, ...chain.problems],
    notes: [...heads.notes, ...chain.notes],
  };
}

type RowColumns = Record<string, string | null>;

/** Includes detached months whose tables exist. */
async function* readDatabaseRows(client: pg.Client): AsyncGenerator<ChainRow> {
  const { rows: otherTables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
     where relkind = 'r' and not relispartition and pg_table_is_visible(oid) and relname ~ '^audit_\\d{4,}_\\d{2}$'`);
  await client.query(`declare chain no scroll cursor for
    select seq::text, prev_hash, hash, payload, id::text,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      actor_id::text as "actorId", actor_email as "actorEmail", command, route, permission, action, entity,
      entity_id as "entityId", before, after, result, request_id as "requestId", ip, idempotency_key as "idempotencyKey"
    from (${['audit', ...otherTables.map(({ name }) => name)].map((table) => `select * from ${table}`).join(' union all ')}) as audit
    order by audit.seq, audit.id`);
  for (;;) {
    const { rows } = await client.query<RowColumns>('fetch 1000 from chain');
    if (rows.length === 0) return;
    for (const { seq, prev_hash: prevHash, hash, payload, ...columns } of rows)
      yield { seq: Number(seq), prevHash: prevHash ?? '', hash: hash ?? '', payload: payload ?? '', columns };
  }
}

// Text escaped for spreadsheets cannot be compared.
const comparedColumns = ['at', 'command', 'route', 'entity', 'result'] as const;

async function* readExportRows(file: string): AsyncGenerator<ChainRow> {
  let names: string[] | null = null;
  for await (const csvRecord of readCsv(createReadStream(file, 'utf8'))) {
    if (names === null) {
      names = csvRecord;
      const missingColumns = ['seq', 'prev_hash', 'hash', 'payload'].filter((name) => !csvRecord.includes(name));
      if (missingColumns.length > 0)
        throw new NotAuditExportError(`${file} isn’t an audit export: the column ${missingColumns.join(', ')} is missing`);
      continue;
    }
    const cellsByName: RowColumns = Object.fromEntries(names.map((name, index) => [name, csvRecord[index] ?? '']));
    const columns = Object.fromEntries(
      comparedColumns.filter((name) => name in cellsByName).map((name) => [name, cellsByName[name] || null]),
    );
    yield {
      seq: Number(cellsByName['seq']),
      prevHash: cellsByName['prev_hash'] ?? '',
      hash: cellsByName['hash'] ?? '',
      payload: cellsByName['payload'] ?? '',
      columns,
    };
  }
}

export class NotAuditExportError extends Error {}
