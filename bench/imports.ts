import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { checksummed } from '../api/evm.ts';
import type { ImportDetails } from '../api/imports/contract.ts';

interface Measured {
  rows: number;
  imported: number;
  bad: number;
  /** Milliseconds: until the file was checked and the preview there; until it was all in. */
  checkMs: number;
  takeMs: number;
}

/** A CSV of points as the panel takes it: every address is another one, `bad` rows of it are wrong, evenly spread. */
export function pointsCsv(rows: number, bad = 0): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const isBad = bad > 0 && Math.floor((at * bad) / rows) !== Math.floor(((at + 1) * bad) / rows);
    const hash = createHash('sha256').update(`${rows} ${at}`).digest('hex');
    return isBad
      ? `0x${hash.slice(0, 12)},many,`
      : `${checksummed(`0x${hash.slice(0, 40)}`)},${1 + (at % 1000)},Season ${at % 7}`;
  });
  return `Address,Berries,Reason\r\n${lines.join('\r\n')}\r\n`;
}

/** Sends a file, starts it and waits until it is in. */
export async function measureImport(
  origin: string,
  headers: Record<string, string>,
  database: pg.Client,
  csv: string,
): Promise<Measured & { id: string }> {
  const form = new FormData();
  form.set('file', new File([csv], 'bench.csv', { type: 'text/csv' }));
  const begun = performance.now();
  const { authorization = '', cookie = '' } = headers;
  const sent = await fetch(`${origin}/api/points/imports`, { method: 'POST', headers: { authorization, cookie }, body: form });
  if (!sent.ok) throw new Error(`the file was answered ${sent.status}: ${await sent.text()}`);
  const { row } = (await sent.json()) as ImportDetails;
  const checked = performance.now();
  const started = await fetch(`${origin}/api/points/imports/start`, {
    method: 'POST',
    headers: { authorization, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ id: row.id, version: row.version, again: null }),
  });
  if (!started.ok) throw new Error(`the start was answered ${started.status}: ${await started.text()}`);
  for (;;) {
    const { rows } = await database.query<{ state: string; imported: number; worked: number }>(
      'select state, imported, worked from imports where id = $1',
      [row.id],
    );
    const [now] = rows;
    if (now?.state === 'done') {
      const ended = performance.now();
      return {
        id: row.id,
        rows: row.total,
        imported: now.imported,
        bad: now.worked - now.imported,
        checkMs: checked - begun,
        takeMs: ended - checked,
      };
    }
    if (now?.state !== 'running') throw new Error(`the import is ${now?.state}`);
    await sleep(20);
  }
}

/** How long PostgreSQL's own COPY takes for the same rows into a table with the same indexes: the machine's limit. */
export async function measureCopy(database: pg.Client, importId: string, folder: string): Promise<number> {
  const file = join(folder, 'postgres', 'bench-copy');
  await database.query(`copy (select * from points where import_id = '${importId}') to '${file}'`);
  await database.query('create table points_copy (like points including all)');
  const begun = performance.now();
  await database.query(`copy points_copy from '${file}'`);
  const ms = performance.now() - begun;
  await database.query('drop table points_copy');
  return ms;
}
