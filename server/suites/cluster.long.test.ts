import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { addNews, addPoints, signInAt, startWriters, written } from '../testing/callers.ts';
import { atEnd } from '../testing/end.ts';
import { startServer, until } from '../testing/process.ts';
import { onServer, withDatabase } from '../testing/run-postgres.ts';

async function startCluster() {
  const { NODE_ENV: _, ...env } = process.env; // as a person starts it: the panel of a test's environment is another build
  const child = spawn('node_modules/.bin/tsx', ['scripts/cluster.ts'], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let isOver = false;
  void ended.then(() => (isOver = true));
  atEnd(async () => {
    child.kill('SIGINT');
    await ended;
  });
  await until(() => isOver || said.includes('Ctrl-C'));
  expect(isOver, said).toBe(false);
  const place = (name: string) => new RegExp(`^  ${name} +(\\S+)`, 'm').exec(said)?.[1] ?? '';
  const pids = [...said.matchAll(/\(process (\d+)\)/g)].map(([, pid]) => Number(pid));
  return { child, ended, place, pids, primary: Number(/kill -9 (\d+)/.exec(said)?.[1]) };
}

/** Whether a signer holds its lock on this database, and has looked whether it can prove the reserve: it has one node, and says so. */
async function isSignerAtWork(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and objid = 42800032 and granted)
       and exists (select from reserve_proofs where problem = 'ONE_NODE') as is`,
  );
  return rows[0]?.is ?? false;
}

// 300 s of them for who must install its programs first.
test('npm run cluster: everything at once, through a failover behind poolers and balancer', { timeout: 720_000 }, async () => {
  const { child, ended, place, pids, primary } = await startCluster();
  const panel = place('Panel');
  const session = await signInAt(panel, 'all');
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png');
  const key = { 'idempotency-key': randomUUID() };
  const uploaded = await fetch(`${panel}/api/pictures`, { method: 'POST', headers: { ...session, ...key }, body });
  const { url: shown } = (await uploaded.json()) as { url: string };
  const first = new pg.Client({ connectionString: place('Primary') });
  await first.connect();
  await until(() => isSignerAtWork(first));
  await first.end();

  const writers = startWriters([panel], session, [addNews, addNews, addPoints, addPoints], 'cluster');
  await until(() => writers.acknowledged() > 100);
  const died = Date.now();
  process.kill(primary, 'SIGKILL');
  const standby = new pg.Client({ connectionString: place('Standby') });
  await standby.connect();
  await standby.query('select pg_promote(true, 30)');
  const promotedMs = Date.now() - died;
  const then = writers.acknowledged();
  await until(() => writers.acknowledged() > then + 100);
  const { sent, acknowledged, refused, silenceMs } = await writers.stop();
  const there = [
    ...(await written(place('Standby'), 'news.title', 'cluster ')),
    ...(await written(place('Standby'), 'points.reason', 'cluster ')),
  ];
  const known = new Set(there);
  const lost = acknowledged.filter((text) => !known.has(text));
  console.log(
    `cluster: ${sent.length} sent, ${acknowledged.length} acknowledged, ${lost.length} lost, ${there.length - known.size} doubled, ` +
      `${refused.length} refused and sent again; promoted after ${promotedMs} ms, longest silence ${silenceMs} ms`,
  );
  expect({ lost, doubled: there.length - known.size }).toEqual({ lost: [], doubled: 0 });
  expect((await fetch(shown)).status).toBe(200);
  await until(() => isSignerAtWork(standby)); // by the new primary
  await standby.end();

  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

// As parts of one process, in every run: server/platform/db/recovery.long.test.ts.
test('three servers at once on an empty database: one makes what it begins with, the others find it', async () => {
  const name = `cluster_${newId().replaceAll('-', '')}`;
  await onServer(inject('postgresUrl'), `create database ${name} template template0`);
  const url = withDatabase(inject('postgresUrl'), name);
  const folder = mkdtempSync(join(tmpdir(), 'cluster-test-'));
  const servers = ['a', 'b', 'c'].map((own) => startServer(join(folder, own), { DATABASE_URL: url }));
  atEnd(async () => {
    for (const { child, ended } of servers) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  for (const { ready } of servers) expect((await fetch(`${await ready}/readyz`)).status).toBe(200);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ genesis: number; accounts: number }>(
    `select (select count(*)::int from authority_lines where number = 0) as genesis,
      (select count(*)::int from administrators where email = 'admin@demo.local') as accounts`,
  );
  await client.end();
  expect(rows).toEqual([{ genesis: 1, accounts: 1 }]);
});
