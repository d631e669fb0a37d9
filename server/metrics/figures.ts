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

type Row = { figure: string; label: string; value: number | null; age: number | null };

const age = (moment: unknown) => sql`extract(epoch from now() - min(${moment}))::float8`;
const lastDay = sql`now() - interval '1 day'`;

const figureQuery = sql`
  select 'waiting' as figure, 'mail' as label, count(*)::float8 as value, ${age(mails.createdAt)} as age
    from ${mails} where ${mails.state} = 'queued'
  union all select 'waiting', 'alarm', count(*), ${age(alarmDeliveries.createdAt)}
    from ${alarmDeliveries} where ${alarmDeliveries.state} = 'queued'
  union all select 'waiting', 'import', count(*), ${age(imports.startedAt)} from ${imports} where ${imports.state} = 'running'
  union all select 'waiting', 'mint', count(*), ${age(mints.createdAt)}
    from ${mints} where ${mints.state} in ('queued', 'signed', 'sent', 'mined')
  union all select 'failed', 'mail', count(*), null
    from ${mails} where ${mails.state} = 'failed' and ${mails.nextAt} > ${lastDay}
  union all select 'failed', 'alarm', count(*), null
    from ${alarmDeliveries} where ${alarmDeliveries.state} = 'failed' and ${alarmDeliveries.nextAt} > ${lastDay}
  union all select 'mints', ${mints.state}, count(*), null from ${mints} group by ${mints.state}
  union all select 'freezes', ${moneyFreezes.kind}, count(*), null
    from ${moneyFreezes} where ${moneyFreezes.resolvedAt} is null group by ${moneyFreezes.kind}
  union all select 'audit', '', coalesce(max(${audit.seq}), 0), null from ${audit}
  union all select 'blocks', split_part(${chainCursors.name}, ':', 1), max(${chainCursors.block}), null
    from ${chainCursors} group by 2
  union all select 'reserve', '', null, ${age(reserveProofs.at)} from ${reserveProofs}
  union all select 'maintenance', ${maintenanceRuns.kind}, null, ${age(maintenanceRuns.at)}
    from ${maintenanceRuns} where ${maintenanceRuns.succeeded} group by ${maintenanceRuns.kind}`;

/** Uses the short timeout for counts. */
export async function readMetricFigures({ counts }: Pick<Database, 'counts'>): Promise<MetricFigures> {
  const { rows } = await counts.execute<Row>(figureQuery);
  const of = (figure: string) =>
    rows.filter((row) => row.figure === figure).map(({ label, value, age }) => ({ label, count: value ?? 0, age: age ?? 0 }));
  return {
    waiting: of('waiting').map(({ label, count, age }) => ({ queue: label, count, age })),
    failed: of('failed').map(({ label, count }) => ({ queue: label, count })),
    mints: of('mints').map(({ label, count }) => ({ state: label, count })),
    freezes: of('freezes').map(({ label, count }) => ({ kind: label, count })),
    auditRows: of('audit')[0]?.count ?? 0,
    blocks: of('blocks').map(({ label, count }) => ({ watcher: label, block: count })),
    maintenance: of('maintenance').map(({ label, age }) => ({ kind: label, age })),
    reserveAge: rows.find(({ figure }) => figure === 'reserve')?.age ?? null,
  };
}
