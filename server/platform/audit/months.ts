import { sql } from 'drizzle-orm';
import { recordSystemAudit } from './system-audit.ts';
import { parseRemovedRows, mergeRemovedRanges, type RemovedRows } from './chain.ts';
import type { Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { runEvery } from '../services/run-every.ts';
import { describeError } from '../core/log.ts';
import { addMonths, formatMonth, listMonthTables, monthTableName } from '../db/months.ts';

const hourMs = 3_600_000;

/**
 * Oldest first. Their tables stay append-only until they are dumped and dropped. The audit records numbers and hashes, so the
 * chain can be checked without them. Skips a month in use.
 */
export async function detachAuditMonths(services: Services, keepMonths: number): Promise<string[]> {
  const { database, log, now } = services;
  const oldestKeptMonth = formatMonth(addMonths(new Date(now()), -keepMonths));
  const detachedMonths: string[] = [];
  for (const month of (await listMonthTables(database.db, 'audit')).filter((candidate) => candidate < oldestKeptMonth)) {
    try {
      await database.db.transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout = '60s'`); // reads a whole month
        // The month may hold the record of earlier detachments.
        const alreadyRemoved = await readRemovedRows(tx);
        const monthRows = await readRangeOfMonth(tx, month);
        const lastSeq = monthRows.at(-1)?.last ?? null;
        await tx.execute(sql`select audit_detach_month(${`${month}-01`}::date, ${lastSeq}::bigint)`);
        const rows = mergeRemovedRanges([...alreadyRemoved, ...monthRows]);
        await recordSystemAudit(tx, services, { entity: 'audit', id: month, action: 'detach', after: { rows } });
      });
      detachedMonths.push(monthTableName('audit', month));
    } catch (error) {
      log.warn({ err: describeError(error), month }, 'could not archive an audit month, will retry');
      break;
    }
  }
  return detachedMonths;
}

export function startAuditMonths(services: Services): () => Promise<void> {
  const { auditKeepMonths } = services.config;
  if (auditKeepMonths === 0) return () => Promise.resolve();
  return runEvery(services, hourMs, 'archiving old audit months', () => detachAuditMonths(services, auditKeepMonths));
}

/** Several if clocks differed around midnight. Read through the parent, because the server may not read partitions. */
async function readRangeOfMonth(queries: Queries, month: string): Promise<RemovedRows[]> {
  const monthStart = new Date(`${month}-01T00:00:00Z`);
  const { rows } = await queries.execute<{ first: string; last: string; prevHash: string; hash: string }>(sql`
    with month as (select seq, prev_hash, hash from audit where at >= ${monthStart.toISOString()} and at < ${addMonths(monthStart, 1).toISOString()}),
      stretches as (select min(seq) as first, max(seq) as last from (select seq, seq - row_number() over (order by seq) as stretch from month) as numbered group by stretch)
    select first, last, a.prev_hash as "prevHash", z.hash from stretches join month a on a.seq = first join month z on z.seq = last order by first`);
  return rows.map(({ first: firstSeq, last: lastSeq, prevHash, hash }) => ({
    first: Number(firstSeq),
    last: Number(lastSeq),
    prevHash,
    hash,
  }));
}

/** The latest record covers earlier ones. */
async function readRemovedRows(queries: Queries): Promise<RemovedRows[]> {
  const { rows } = await queries.execute<{ payload: string }>(
    sql`select payload from audit where entity = 'audit' and action = 'detach' order by seq desc limit 1`,
  );
  return parseRemovedRows(rows[0]?.payload ?? '') ?? [];
}
