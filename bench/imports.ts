import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { toChecksumAddress } from '../api/evm.ts';
import type { ImportDetails } from '../api/imports/contract.ts';
import { recordCount, report } from './report.ts';

/** Beside COPY of the same rows into a table with the same indexes. */
export async function measureImport(
  origin: string,
  { authorization = '', cookie = '' }: Record<string, string>,
  database: pg.Client,
  dataDir: string,
): Promise<void> {
  const post = async (path: string, body: FormData | string) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers: { authorization, cookie, ...type }, body });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const run = async (rows: number) => {
    const form = new FormData();
    form.set('file', new File([pointsCsv(rows)], 'bench.csv', { type: 'text/csv' }));
    const started = performance.now();
    const { row } = (await post('/api/points/imports', form)) as ImportDetails;
    await post('/api/points/imports/start', JSON.stringify({ id: row.id, version: row.version, again: null }));
    for (;;) {
      const found = await database.query<{ state: string; imported: number }>(
        'select state, imported from imports where id = $1',
        [row.id],
      );
      const { state, imported } = found.rows[0] ?? { state: 'missing', imported: 0 };
      if (state === 'done') return { id: row.id, imported, ms: performance.now() - started };
      if (state !== 'running') throw new Error(`The import is ${state}.`);
      await sleep(20);
    }
  };
  await run(2_000);
  const { id, imported, ms } = await run(100_000);
  const file = join(dataDir, 'postgres', 'bench-copy');
  await database.query(`copy (select * from points where import_id = '${id}') to '${file}'`);
  await database.query('create table points_copy (like points including all)');
  const started = performance.now();
  await database.query(`copy points_copy from '${file}'`);
  const copyMs = performance.now() - started;
  await database.query('drop table points_copy');
  report(
    'import of 100,000 rows, beside COPY',
    `${recordCount(imported)} rows in ${(ms / 1000).toFixed(1)} s, COPY ${(copyMs / 1000).toFixed(1)} s: ${(ms / copyMs).toFixed(1)} ×`,
    '≤ 10 ×',
    imported === 100_000 && ms <= 10 * copyMs,
  );
}

function pointsCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const hash = createHash('sha256').update(`${rows} ${at}`).digest('hex');
    return `${toChecksumAddress(`0x${hash.slice(0, 40)}`)},${1 + (at % 1000)},Season ${at % 7}`;
  });
  return `Address,Berries,Reason\r\n${lines.join('\r\n')}\r\n`;
}
