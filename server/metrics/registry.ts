import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorStatus } from '../../api/errors.ts';
import { tokenOutcomes, type Meter } from '../platform/core/meter.ts';
import type { Database } from '../platform/db/db.ts';
import { createChainReader, type ChainBlock } from '../platform/evm/read.ts';
import { cacheFor } from '../platform/core/cache-for.ts';
import { readMetricFigures } from './figures.ts';
import { registerFigureGauges } from './figure-gauges.ts';
import { registerStatisticsGauges } from './statistics-gauges.ts';

interface MetricsOptions {
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
  'session.answerSso',
  'session.confirmSsoLink',
  'cli.exchange',
  'wallet.challenge',
  'wallet.signIn',
]);

/** Minimum interval for the database and node, however often it is scraped. */
const refreshIntervalMs = 5_000;
const nodeTimeoutMs = 1_500;

/** Names that promtool mistakes for counters. The same figures exist by type. */
const misnamedMetrics = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Labels come from closed lists: routes, error codes, states. */
export function createMetrics({ database, evm, build }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registries = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedMetrics) registry.removeSingleMetric(name);
  const meter = createMeter(registries);

  const { pool, counts, replica } = database;
  new Gauge({
    name: 'admin_panel_database_connections',
    help: 'Database pool connections, used or idle.',
    labelNames: ['state'],
    registers: registries,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'admin_panel_database_waiting',
    help: 'Queries waiting for a pool connection.',
    registers: registries,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  registerFigureGauges(
    registries,
    cacheFor(refreshIntervalMs, () => readMetricFigures({ counts })),
  );

  const offset = cacheFor(refreshIntervalMs, () => database.clockOffset());
  new Gauge({
    name: 'admin_panel_clock_offset_seconds',
    help: 'Seconds that the clock of this server is ahead of the clock of the database. Negative: behind.',
    registers: registries,
    async collect() {
      this.remove();
      const offsetMs = await offset();
      if (offsetMs !== null) this.set(offsetMs / 1000);
    },
  });
  if (replica)
    new Gauge({
      name: 'admin_panel_replica_age_seconds',
      help: 'Age in seconds of the data in the replica. Missing while statistics are read from the primary.',
      registers: registries,
      collect() {
        this.remove();
        const currentReplica = replica.current();
        if (currentReplica) this.set(currentReplica.ageMs / 1000);
      },
    });

  registerStatisticsGauges(registries, database.statistics);

  if (evm) {
    const reader = createChainReader(evm, { timeoutMs: nodeTimeoutMs });
    const readHead = cacheFor(refreshIntervalMs, async () => (await reader.client()).getBlockNumber());
    new Gauge({
      name: 'admin_panel_chain_head_block',
      help: 'Newest block of the chain node. Missing when the node does not respond.',
      registers: registries,
      async collect() {
        this.remove();
        const block = await readHead();
        if (block !== null) this.set(Number(block));
      },
    });
  }
  if (build !== null)
    new Gauge({
      name: 'admin_panel_build_info',
      help: 'Build that this server serves.',
      labelNames: ['build'],
      registers: registries,
    }).set({ build }, 1);
  return { meter, registry };
}

function createMeter(registries: Registry[]): Meter {
  const requests = new Counter({
    name: 'admin_panel_requests_total',
    help: 'Requests, by route and by OK or error code.',
    labelNames: ['route', 'outcome'],
    registers: registries,
  });
  const durationHistogram = new Histogram({
    name: 'admin_panel_request_seconds',
    help: 'Request duration in seconds, by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: registries,
  });
  const refusedCounter = new Counter({
    name: 'admin_panel_sign_ins_refused_total',
    help: 'Refused sign-ins, by error code.',
    labelNames: ['reason'],
    registers: registries,
  });
  const tokenCounter = new Counter({
    name: 'admin_panel_token_calls_total',
    help: 'Calls with a service token, by outcome.',
    labelNames: ['outcome'],
    registers: registries,
  });
  for (const outcome of tokenOutcomes) tokenCounter.inc({ outcome }, 0);
  const mailCounter = new Counter({
    name: 'admin_panel_mails_total',
    help: 'Emails by outcome: sent, retried or failed.',
    labelNames: ['outcome'],
    registers: registries,
  });
  for (const outcome of ['sent', 'retried', 'failed']) mailCounter.inc({ outcome }, 0);
  const unsignedAuditGauge = new Gauge({
    name: 'admin_panel_audit_head_age_seconds',
    help: 'Seconds for which audit rows have had no signed head. 0 if every row has one.',
    registers: registries,
  });
  return {
    request(route, outcome, durationSeconds) {
      requests.inc({ route, outcome });
      durationHistogram.observe({ route }, durationSeconds);
      if (outcome !== 'OK' && errorStatus[outcome] < 500 && signInRoutes.has(route)) refusedCounter.inc({ reason: outcome });
    },
    tokenCall: (outcome) => tokenCounter.inc({ outcome }),
    mail: (outcome) => mailCounter.inc({ outcome }),
    unsignedAudit: (seconds) => unsignedAuditGauge.set(seconds),
  };
}
