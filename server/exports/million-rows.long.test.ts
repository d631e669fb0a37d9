import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { ExportJobRow } from '../../api/exports/contract.ts';
import { fillTable, rowCountOf } from '../suites/million.ts';
import { postAs, signInAt } from '../testing/callers.ts';
import { startServer, waitUntil } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'million-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const maxGrowthMb = 50;

test('an export of a million points runs as a job, with every row once and bounded memory', { timeout: 290_000 }, async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('delete from points');
  await fillTable(client, 'points');
  const rows = rowCountOf('points');
  const { rows: sums } = await client.query<{ sum: string }>('select sum(berries) from points');
  await client.end();
  const server = startServer(join(folder, 'data'), { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: database.url });
  try {
    const origin = await server.ready;
    const session = await signInAt(origin, 'all');
    const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024;
    const startExport = async (key: string) => {
      const request = { sort: 'createdAt', direction: 'desc', filter: {}, locale: 'en-US', zone: 'Asia/Shanghai' };
      const answer = await postAs(origin, session, '/api/points/export', key, request);
      return (await answer.json()) as { id: string; rows: number };
    };
    const jobOf = async (exportId: string) =>
      ((await (await fetch(`${origin}/api/exports`, { headers: session })).json()) as ExportJobRow[]).find(
        ({ id }) => id === exportId,
      );
    const isEnded = (job: ExportJobRow | undefined) => job?.state !== 'queued' && job?.state !== 'running';
    const coldMb = memoryMb();
    // Compiled code and the size of the heap stay after the first export, so what a second one adds is held by its rows.
    const first = await startExport('first export');
    await waitUntil(async () => isEnded(await jobOf(first.id)));
    const before = memoryMb();
    let peak = before;
    const startedAt = performance.now();
    const started = await startExport('second export');
    expect(started.rows).toBe(rows);
    const own = () => jobOf(started.id);
    const progress = new Set<number>();
    await waitUntil(async () => {
      const job = await own();
      peak = Math.max(peak, memoryMb());
      progress.add(job?.rows ?? 0);
      return isEnded(job);
    });
    const writtenMs = performance.now() - startedAt;
    expect(await own()).toMatchObject({ state: 'done', rows, total: rows, problem: null });
    expect(progress.size).toBeGreaterThan(2);

    const answer = await fetch(`${origin}/api/points/export/${started.id}`, { headers: session });
    expect(answer.status).toBe(200);
    let lines = 0;
    let bytes = 0;
    let berries = 0n;
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.byteLength;
      const texts = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
      rest = texts.pop() ?? '';
      for (const text of texts) {
        if (lines++ > 0) berries += BigInt(text.split(',')[1]?.replaceAll('"', '') ?? '');
      }
      peak = Math.max(peak, memoryMb());
    }
    const totalMs = performance.now() - startedAt;
    console.log(
      `${lines - 1} rows, ${(bytes / 1e6).toFixed(0)} MB: written in ${(writtenMs / 1000).toFixed(1)} s, ` +
        `downloaded after ${(totalMs / 1000).toFixed(1)} s, memory ${coldMb.toFixed(0)} MB at the start, ${before.toFixed(0)} + ${(peak - before).toFixed(0)} MB`,
    );
    expect(rest).toBe('');
    expect(lines).toBe(rows + 1);
    expect(String(berries)).toBe(sums[0]?.sum);
    expect(peak - before).toBeLessThan(maxGrowthMb);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
