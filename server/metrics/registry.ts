import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorStatus } from '../../api/errors.ts';
import type { Meter } from '../platform/core/meter.ts';
import type { Database } from '../platform/db/db.ts';
import { chainReader, type ChainBlock } from '../platform/evm/read.ts';
import { cacheFor } from '../platform/core/cache-for.ts';
import { readMetricFigures } from './figures.ts';
import { figureGauges } from './figure-gauges.ts';
import { statisticsGauges } from './statistics-gauges.ts';

interface MetricsParts {
  readonly database: Pick<Database, 'pool' | 'counts' | 'clockOffset' | 'replica' | 'statistics'>;
  readonly evm: ChainBlock | null;
  readonly build: string | null;
}

export interface Metrics {
  readonly meter: Meter;
  readonly registry: Registry;
}

/** Errors of these routes are refused sign-ins. */
export const signInRoutes: ReadonlySet<string> = new Set([
  'session.signIn',
  'session.giveCode',
  'session.passkey',
  'session.giveFactor',
  'session.usePasswordLink',
  'wallet.challenge',
  'wallet.signIn',
]);

/** Minimum interval for the database and node, however often it is scraped. */
const refreshIntervalMs = 5_000;
const nodeMs = 1_500;

/** Names that promtool mistakes for counters. The same figures exist by type. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Labels come from closed lists: routes, error codes, states. */
export function createMetrics({ database, evm, build }: MetricsParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const meter = createMeter(registers);

  const { pool, counts, replica } = database;
  new Gauge({
    name: 'admin_panel_database_connections',
    help: 'Database pool connections, used or idle.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'admin_panel_database_waiting',
    help: 'Queries waiting for a pool connection.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  figureGauges(
    registers,
    cacheFor(refreshIntervalMs, () => readMetricFigures({ counts })),
  );

  const offset = cacheFor(refreshIntervalMs, () => database.clockOffset());
  new Gauge({
    name: 'admin_panel_clock_offset_seconds',
    help: 'Seconds that the clock of this server is ahead of the clock of the database. Negative: behind.',
    registers,
    async collect() {
      this.remove();
      const ms = await offset();
      if (ms !== null) this.set(ms / 1000);
    },
  });
  if (replica)
    new Gauge({
      name: 'admin_panel_replica_age_seconds',
      help: 'Age in seconds of the data in the replica. Missing while statistics are read from the primary.',
      registers,
      collect() {
        this.remove();
        const current = replica.current();
        if (current) this.set(current.ageMs / 1000);
      },
    });

  statisticsGauges(registers, database.statistics);

  if (evm) {
    const reader = chainReader(evm, { timeoutMs: nodeMs });
    const head = cacheFor(refreshIntervalMs, async () => (await reader.client()).getBlockNumber());
    new Gauge({
      name: 'admin_panel_chain_head_block',
      help: 'Newest block of the chain node. Missing when the node does not respond.',
      registers,
      async collect() {
        this.remove();
        const block = await head();
        if (block !== null) this.set(Number(block));
      },
    });
  }
  if (build !== null)
    new Gauge({ name: 'admin_panel_build_info', help: 'Build that this server serves.', labelNames: ['build'], registers }).set(
      { build },
      1,
    );
  return { meter, registry };
}

function createMeter(registers: Registry[]): Meter {
  const requests = new Counter({
    name: 'admin_panel_requests_total',
    help: 'Requests, by route and by OK or error code.',
    labelNames: ['route', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'admin_panel_request_seconds',
    help: 'Request duration in seconds, by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refused = new Counter({
    name: 'admin_panel_sign_ins_refused_total',
    help: 'Refused sign-ins, by error code.',
    labelNames: ['reason'],
    registers,
  });
  const mails = new Counter({
    name: 'admin_panel_mails_total',
    help: 'Emails by outcome: sent, retried or failed.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['sent', 'retried', 'failed']) mails.inc({ outcome }, 0);
  const unsigned = new Gauge({
    name: 'admin_panel_audit_head_age_seconds',
    help: 'Seconds for which audit rows have had no signed head. 0 if every row has one.',
    registers,
  });
  return {
    request(route, outcome, took) {
      requests.inc({ route, outcome });
      seconds.observe({ route }, took);
      if (outcome !== 'OK' && errorStatus[outcome] < 500 && signInRoutes.has(route)) refused.inc({ reason: outcome });
    },
    mail: (outcome) => mails.inc({ outcome }),
    unsignedAudit: (seconds) => unsigned.set(seconds),
  };
}
