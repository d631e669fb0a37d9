import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { toChecksumAddress } from '../api/evm.ts';
import type { ImportDetails } from '../api/imports/contract.ts';
import { formatCount, addMeasurement } from './report.ts';

/** Beside COPY of the same rows into a table with the same indexes. */
export async function measureImport(
  origin: string,
  { authorization = '', cookie = '' }: Record<string, string>,
  database: pg.Client,
  dataDir: string,
): Promise<void> {
  const postRequest = async (path: string, body: FormData | string) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers: { authorization, cookie, ...type }, body });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const runImport = async (rows: number) => {
    const form = new FormData();
    form.set('file', new File([buildPointsCsv(rows)], 'bench.csv', { type: 'text/csv' }));
    const startTime = performance.now();
    const { row } = (await postRequest('/api/points/imports', form)) as ImportDetails;
    await postRequest('/api/points/imports/start', JSON.stringify({ id: row.id, version: row.version, again: null }));
    for (;;) {
      const jobRows = await database.query<{ state: string; imported: number }>(
        'select state, imported from imports where id = $1',
        [row.id],
      );
      const { state, imported } = jobRows.rows[0] ?? { state: 'missing', imported: 0 };
      if (state === 'done') return { id: row.id, imported, ms: performance.now() - startTime };
      if (state !== 'running') throw new Error(`The import is ${state}.`);
      await sleep(20);
    }
  };
  await runImport(2_000);
  const { id, imported, ms: durationMs } = await runImport(100_000);
  const file = join(dataDir, 'postgres', 'bench-copy');
  await database.query(`copy (select * from points where import_id = '${id}') to '${file}'`);
  await database.query('create table points_copy (like points including all)');
  const startTime = performance.now();
  await database.query(`copy points_copy from '${file}'`);
  const copyMs = performance.now() - startTime;
  await database.query('drop table points_copy');
  addMeasurement(
    'import of 100,000 rows, beside COPY',
    `${formatCount(imported)} rows in ${(durationMs / 1000).toFixed(1)} s, COPY ${(copyMs / 1000).toFixed(1)} s: ${(durationMs / copyMs).toFixed(1)} ×`,
    '≤ 10 ×',
    imported === 100_000 && durationMs <= 10 * copyMs,
  );
}

function buildPointsCsv(rows: number): string {
  const csvLines = Array.from({ length: rows }, (_, index) => {
    const hash = createHash('sha256').update(`${rows} ${index}`).digest('hex');
    return `${toChecksumAddress(`0x${hash.slice(0, 40)}`)},${1 + (index % 1000)},Season ${index % 7}`;
  });
  return `Address,Berries,Reason\r\n${csvLines.join('\r\n')}\r\n`;
}
