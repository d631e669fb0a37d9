import { Gauge, type Registry } from 'prom-client';
import { cacheFor } from '../platform/core/cache-for.ts';
import type { StatisticsDatabase } from '../platform/db/db.ts';

const refreshIntervalMs = 5_000;

/** Of a separate statistics database. The panel's own database has gauges of its own. */
export function registerStatisticsGauges(registries: Registry[], { isSeparate, pool, counts }: StatisticsDatabase): void {
  if (!isSeparate) return;
  const readQueued = cacheFor(refreshIntervalMs, async () => {
    const { rows } = await counts.execute<{ queued: number }>('select count(*)::int as queued from visit_deltas');
    return rows[0]?.queued ?? 0;
  });
  new Gauge({
    name: 'admin_panel_statistics_up',
    help: '1 if the statistics database responds.',
    registers: registries,
    async collect() {
      this.set((await readQueued()) === null ? 0 : 1);
    },
  });
  new Gauge({
    name: 'admin_panel_statistics_queue',
    help: 'Sums of visits that wait for the roll-up. Missing while the statistics database does not respond.',
    registers: registries,
    async collect() {
      this.remove();
      const queuedCount = await readQueued();
      if (queuedCount !== null) this.set(queuedCount);
    },
  });
  new Gauge({
    name: 'admin_panel_statistics_connections',
    help: 'Pool connections to the statistics database, used or idle.',
    labelNames: ['state'],
    registers: registries,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
}
