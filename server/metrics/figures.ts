import { sql } from 'drizzle-orm';
import { alarmDeliveries } from '../alarms/tables.ts';
import { moneyFreezes, reserveProofs } from '../custody/tables.ts';
import { mints } from '../mints/tables.ts';
import { imports } from '../imports/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { mails } from '../platform/content/tables.ts';
import type { Database } from '../platform/db/db.ts';
import { maintenanceRuns } from '../platform/db/tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';

/** Equal on all servers of a database. */
export interface MetricFigures {
  /** Age of the oldest in seconds. */
  readonly waiting: readonly { readonly queue: string; readonly count: number; readonly age: number }[];
  /** Given up within a day and an hour. */
  readonly failed: readonly { readonly queue: string; readonly count: number }[];
  readonly mints: readonly { readonly state: string; readonly count: number }[];
  readonly freezes: readonly { readonly kind: string; readonly count: number }[];
  readonly auditRows: number;
  /** Last block read by each watcher. */
  readonly blocks: readonly { readonly watcher: string; readonly block: number }[];
  /** Seconds since the newest proof. Null: none. */
  readonly reserveAge: number | null;
  /** Seconds since the last success. Kinds that never succeeded are absent. */
  readonly maintenance: readonly { readonly kind: string; readonly age: number }[];
}

type FigureRow = { figure: string; label: string; value: number | null; age: number | null };

const ageSql = (timeColumn: unknown) => sql`extract(epoch from now() - min(${timeColumn}))::float8`;
const lastDaySql = sql`now() - interval '1 day'`;

const figureQuery = sql`
  select 'waiting' as figure, 'mail' as label, count(*)::float8 as value, ${ageSql(mails.createdAt)} as age
    from ${mails} where ${mails.state} = 'queued'
  union all select 'waiting', 'alarm', count(*), ${ageSql(alarmDeliveries.createdAt)}
    from ${alarmDeliveries} where ${alarmDeliveries.state} = 'queued'
  union all select 'waiting', 'import', count(*), ${ageSql(imports.startedAt)} from ${imports} where ${imports.state} = 'running'
  union all select 'waiting', 'mint', count(*), ${ageSql(mints.createdAt)}
    from ${mints} where ${mints.state} in ('queued', 'signed', 'sent', 'mined')
  union all select 'failed', 'mail', count(*), null
    from ${mails} where ${mails.state} = 'failed' and ${mails.nextAt} > ${lastDaySql}
  union all select 'failed', 'alarm', count(*), null
    from ${alarmDeliveries} where ${alarmDeliveries.state} = 'failed' and ${alarmDeliveries.nextAt} > ${lastDaySql}
  union all select 'mints', ${mints.state}, count(*), null from ${mints} group by ${mints.state}
  union all select 'freezes', ${moneyFreezes.kind}, count(*), null
    from ${moneyFreezes} where ${moneyFreezes.resolvedAt} is null group by ${moneyFreezes.kind}
  union all select 'audit', '', coalesce(max(${audit.seq}), 0), null from ${audit}
  union all select 'blocks', split_part(${chainCursors.name}, ':', 1), max(${chainCursors.block}), null
    from ${chainCursors} group by 2
  union all select 'reserve', '', null, ${ageSql(reserveProofs.at)} from ${reserveProofs}
  union all select 'maintenance', ${maintenanceRuns.kind}, null, ${ageSql(maintenanceRuns.at)}
    from ${maintenanceRuns} where ${maintenanceRuns.succeeded} group by ${maintenanceRuns.kind}`;

/** Uses the short timeout for counts. */
export async function readMetricFigures({ counts }: Pick<Database, 'counts'>): Promise<MetricFigures> {
  const { rows } = await counts.execute<FigureRow>(figureQuery);
  const rowsOf = (figure: string) =>
    rows.filter((row) => row.figure === figure).map(({ label, value, age }) => ({ label, count: value ?? 0, age: age ?? 0 }));
  return {
    waiting: rowsOf('waiting').map(({ label, count, age }) => ({ queue: label, count, age })),
    failed: rowsOf('failed').map(({ label, count }) => ({ queue: label, count })),
    mints: rowsOf('mints').map(({ label, count }) => ({ state: label, count })),
    freezes: rowsOf('freezes').map(({ label, count }) => ({ kind: label, count })),
    auditRows: rowsOf('audit')[0]?.count ?? 0,
    blocks: rowsOf('blocks').map(({ label, count }) => ({ watcher: label, block: count })),
    maintenance: rowsOf('maintenance').map(({ label, age }) => ({ kind: label, age })),
    reserveAge: rows.find(({ figure }) => figure === 'reserve')?.age ?? null,
  };
}
