import { sql } from 'drizzle-orm';
import { recordSystemAudit } from './audit.ts';
import { mergeGone, type GoneRows } from './audit-chain.ts';
import type { Services } from './context.ts';
import type { Queries } from './db.ts';
import { describeError } from './log.ts';

const everyMs = 3_600_000;

/**
 * Takes the months out of the audit that end before `keepMonths` ago, oldest first: their tables stay beside it, append-only still, to be
 * dumped and dropped. What went is recorded in the audit itself, by numbers and hashes, so that the chain can be checked
 * without it. Answers their tables' names. A month that a reader holds is left for the next time.
 */
export async function detachAuditMonths(services: Services, keepMonths: number): Promise<string[]> {
  const { database, log, now } = services;
  const today = new Date(now());
  const oldest = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - keepMonths, 1)).toISOString().slice(0, 7);
  const gone: string[] = [];
  for (const month of (await monthsOf(database.db)).filter((one) => one < oldest)) {
    try {
      await database.db.transaction(async (tx) => {
        const went = await rowsOf(tx, month);
        const last = went.at(-1)?.last ?? null;
        await tx.execute(sql`select audit_detach_month(${`${month}-01`}::date, ${last}::bigint)`);
        const rows = mergeGone([...(await goneFrom(tx)), ...went]);
        await recordSystemAudit(tx, services, { entity: 'audit', id: month, action: 'detach', after: { rows } });
      });
      gone.push(tableOf(month));
    } catch (error) {
      log.warn({ err: describeError(error), month }, 'a month of the audit was not taken out; tried again later');
      break;
    }
  }
  return gone;
}

/** Takes old months out every hour until the returned function is called; never, where none is to go. */
export function startAuditMonths(services: Services): () => Promise<void> {
  const { auditKeepMonths } = services.config;
  if (auditKeepMonths === 0) return () => Promise.resolve();
  let running: Promise<unknown> | null = null;
  const run = () => {
    running ??= detachAuditMonths(services, auditKeepMonths)
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'months of the audit could not be looked at'))
      .finally(() => (running = null));
  };
  run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const tableOf = (month: string) => `audit_${month.replace('-', '_')}`;

/** The months that are in the audit: '2026-11'. */
async function monthsOf(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ name: string }>(
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass order by 1`,
  );
  return rows.map(({ name }) => name.replace('audit_', '').replace('_', '-'));
}

/** The stretches of the chain that stand in a month: one, and more where clocks differed around midnight of its last day. */
async function rowsOf(queries: Queries, month: string): Promise<GoneRows[]> {
  const table = sql.identifier(tableOf(month));
  const { rows } = await queries.execute<{ first: string; last: string; prevHash: string; hash: string }>(sql`
    with stretches as (select min(seq) as first, max(seq) as last from (select seq, seq - row_number() over (order by seq) as stretch from ${table}) as numbered group by stretch)
    select first, last, a.prev_hash as "prevHash", z.hash from stretches join ${table} a on a.seq = first join ${table} z on z.seq = last order by first`);
  return rows.map(({ first, last, prevHash, hash }) => ({ first: Number(first), last: Number(last), prevHash, hash }));
}

/** What went before, as the last of these records says. */
async function goneFrom(queries: Queries): Promise<GoneRows[]> {
  const { rows } = await queries.execute<{ after: string }>(
    sql`select after from audit where entity = 'audit' and action = 'detach' order by seq desc limit 1`,
  );
  return rows[0] ? (JSON.parse(rows[0].after) as { rows: GoneRows[] }).rows : [];
}
