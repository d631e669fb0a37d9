import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Pool } from 'undici';
import { openDatabase } from '../server/platform/db/db.ts';
import { createLog } from '../server/platform/core/log.ts';
import { generateVisits } from '../server/statistics/generate.ts';

const dayMs = 86_400_000;
const batch = 100;
const side = 4; // batches that are under way at once

/** Visits a second through the public route: batches of a hundred, four at once, each new. */
export async function measureIngest(http: Pool, batches: number): Promise<number> {
  const bodies = Array.from({ length: batches }, (_, number) => JSON.stringify({ events: events(number) }));
  const started = performance.now();
  await Promise.all(
    Array.from({ length: side }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const answer = await http.request({
          path: '/public/visits',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const { taken } = (await answer.body.json()) as { taken: number };
        if (taken !== batch) throw new Error(`a batch of ${batch} was taken as ${taken} (${answer.statusCode})`);
      }
    }),
  );
  return (batches * batch) / ((performance.now() - started) / 1000);
}

const events = (number: number) =>
  Array.from({ length: batch }, (_, index) => ({
    id: randomUUID(),
    at: new Date(Date.now() - ((number * batch + index) % 3_600) * 1000).toISOString(),
    page: ['/', '/mint', '/vault'][index % 3],
    chainId: 200901,
    ...(index % 10 === 0
      ? { address: '0x52908400098527886E0F7030069857D2E4169EE7', btcDeposited: '1000', vaultId: String(index) }
      : {}),
  }));

/** As many rows of the same table, with the same indexes, by COPY from a file: what the machine can do at most. */
export async function measureVisitsCopy(database: pg.Client, rows: number, dataDir: string): Promise<number> {
  const file = join(dataDir, 'visits.csv');
  const lines = Array.from({ length: rows / batch }, (_, number) =>
    events(number)
      .map(({ id, at, page, address = '', vaultId = '' }) => `${id},${at},${page},,200901,0,0,${address},${vaultId}\n`)
      .join(''),
  );
  writeFileSync(file, lines.join(''), { mode: 0o644 });
  await database.query('create table visits_copied (like visits including all)');
  const started = performance.now();
  await database.query(`copy visits_copied from '${file}' with (format csv)`);
  const seconds = (performance.now() - started) / 1000;
  await database.query('drop table visits_copied');
  return rows / seconds;
}

/** Visits of a year, until there are so many. */
export async function fillVisits(url: string, have: number, count: number): Promise<number> {
  const database = openDatabase({ url, log: createLog({ level: 'silent' }) });
  const to = new Date();
  const started = performance.now();
  await generateVisits(database, {
    count: count - have,
    from: new Date(to.getTime() - 365 * dayMs),
    to,
    name: `bench ${have}`,
  });
  await database.close();
  return (count - have) / ((performance.now() - started) / 1000);
}

export const visitReads = {
  'list page 1': ['list', { sort: 'at', direction: 'desc', filter: {}, cursor: null, limit: 50 }],
  'list page 1 of a country': ['list', { sort: 'at', direction: 'desc', filter: { country: 'DE' }, cursor: null, limit: 50 }],
  'list page 1 of two countries in 30 days': [
    'list',
    { sort: 'at', direction: 'desc', filter: { country: 'DE,FR', ...since(30) }, cursor: null, limit: 50 },
  ],
  'chart of a year by day, UTC': ['series', year('UTC', 'day')],
  'chart of a year by week, Shanghai': ['series', year('Asia/Shanghai', 'week')],
  'chart of a year by week, Shanghai, of a country': [
    'series',
    { ...year('Asia/Shanghai', 'week'), filter: { ...since(365), country: 'DE' } },
  ],
  'chart of a year by day, UTC, of a page and a chain': [
    'series',
    { ...year('UTC', 'day'), filter: { ...since(365), page: '/mint', chainId: '200901' } },
  ],
  'chart of 30 days by day, Shanghai': ['series', { ...year('Asia/Shanghai', 'day'), filter: since(30) }],
  'totals of all': ['totals', { filter: {} }],
  'top countries of a year': ['top', { filter: since(365), by: 'country', metric: 'visits', limit: 10 }],
} as const;

function year(zone: string, unit: string) {
  return { filter: since(365), unit, zone, compare: false };
}

function since(days: number) {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  return { time: `${new Date(today - days * dayMs).toISOString()}..${new Date(today).toISOString()}` };
}
