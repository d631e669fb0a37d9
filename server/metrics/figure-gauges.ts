import { Gauge, type Registry } from 'prom-client';
import type { MetricFigures } from './figures.ts';

type GaugeSample = readonly [labels: Readonly<Record<string, string>>, value: number];

interface GaugeDescription {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly of: (figures: MetricFigures) => readonly GaugeSample[];
}

const freezeKinds = ['difference', 'manual'];

const gaugeDescriptions: readonly GaugeDescription[] = [
  {
    name: 'jobs_waiting',
    help: 'Jobs waiting, by queue.',
    labels: ['queue'],
    of: ({ waiting }) => waiting.map(({ queue, count }) => [{ queue }, count]),
  },
  {
    name: 'jobs_oldest_seconds',
    help: 'Age of the oldest waiting job in seconds, by queue.',
    labels: ['queue'],
    of: ({ waiting }) => waiting.map(({ queue, age }) => [{ queue }, age]),
  },
  {
    name: 'jobs_failed',
    help: 'Jobs that failed for good in the last 24 hours, by queue.',
    labels: ['queue'],
    of: ({ failed }) => failed.map(({ queue, count }) => [{ queue }, count]),
  },
  {
    name: 'mints',
    help: 'Mints by state.',
    labels: ['state'],
    of: ({ mints }) => mints.map(({ state, count }) => [{ state }, count]),
  },
  {
    name: 'money_frozen',
    help: '1 while money is frozen, by kind of freeze.',
    labels: ['kind'],
    of: ({ freezes }) => freezeKinds.map((kind) => [{ kind }, freezes.some((freeze) => freeze.kind === kind) ? 1 : 0]),
  },
  {
    name: 'audit_rows',
    help: 'Number of the last audit row.',
    labels: [],
    of: ({ auditRows }) => [[{}, auditRows]],
  },
  {
    name: 'chain_read_block',
    help: 'Last block that each chain watcher has read.',
    labels: ['watcher'],
    of: ({ blocks }) => blocks.map(({ watcher, block }) => [{ watcher }, block]),
  },
  {
    name: 'maintenance_age_seconds',
    help: 'Seconds since maintenance last succeeded, by kind: backup or audit-verify. Missing if it never did.',
    labels: ['kind'],
    of: ({ maintenance }) => maintenance.map(({ kind, age }) => [{ kind }, age]),
  },
  {
    name: 'reserve_proof_age_seconds',
    help: 'Age of the newest proof of reserve in seconds. Missing without a proof.',
    labels: [],
    of: ({ reserveAge }) => (reserveAge === null ? [] : [[{}, reserveAge]]),
  },
];

/** Gauges from the database. Absent instead of outdated if the database does not respond in time. */
export function registerFigureGauges(registers: Registry[], figures: () => Promise<MetricFigures | null>): void {
  for (const { name, help, labels, of } of gaugeDescriptions)
    new Gauge({
      name: `admin_panel_${name}`,
      help,
      labelNames: [...labels],
      registers,
      async collect() {
        const currentFigures = await figures();
        this.reset();
        if (labels.length === 0) this.remove();
        for (const [labels, value] of currentFigures ? of(currentFigures) : []) this.set(labels, value);
      },
    });
  new Gauge({
    name: 'admin_panel_database_up',
    help: '1 if the database returned all figures above.',
    registers,
    async collect() {
      this.set((await figures()) ? 1 : 0);
    },
  });
}
