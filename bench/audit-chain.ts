import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { auditPayload } from '../server/platform/audit/chain.ts';
import { openDatabase } from '../server/platform/db/db.ts';
import { newId } from '../server/platform/core/ids.ts';
import { createLog } from '../server/platform/core/log.ts';
import { startPostgres } from '../server/platform/db/postgres.ts';

// What the chain costs: the same transaction (one row updated, one audit row) with a plain insert and with a chained one,
// by turns on one durable PostgreSQL. npx tsx bench/audit-chain.ts
const writers = 10;
const seconds = 4;

const folder = mkdtempSync(join(tmpdir(), 'panel-bench-'));
const postgres = await startPostgres({ dataDir: folder });
const database = openDatabase({ url: postgres.url, log: createLog({ level: 'silent' }) });
await database.migrate();
const pool = new pg.Pool({ connectionString: postgres.url, max: writers });
await pool.query('create table plain_audit (like audit including all)');
await pool.query('create sequence plain_seq');
await pool.query('create table work (id int primary key, value int not null)');
await pool.query('insert into work select at, 0 from generate_series(1, 1000) as at');

const payload = () =>
  auditPayload({
    id: newId(),
    at: new Date().toISOString(),
    actorId: newId(),
    actorEmail: 'admin@demo.local',
    command: 'news.edit',
    route: 'news.edit',
    permission: 'news.edit',
    action: 'edit',
    entity: 'news',
    entityId: newId(),
    before: { title: 'before', description: 'd'.repeat(400) },
    after: { title: 'after', description: 'e'.repeat(400) },
    result: 'done',
    requestId: newId(),
    ip: '127.0.0.1',
    idempotencyKey: null,
  });

const kinds = {
  plain: (client: pg.PoolClient, text: string) =>
    client.query(
      `insert into plain_audit (seq, id, at, actor_email, route, action, entity, before, after, result, request_id, ip, payload, prev_hash, hash)
       select nextval('plain_seq'), (f->>'id')::uuid, now(), f->>'actorEmail', f->>'route', f->>'action', f->>'entity', f->>'before', f->>'after',
         f->>'result', f->>'requestId', f->>'ip', '', '', '' from (select $1::json as f) as one`,
      [text],
    ),
  chained: (client: pg.PoolClient, text: string) => client.query('insert into audit_inbox values ($1, $2)', [newId(), text]),
};

async function measure(kind: keyof typeof kinds): Promise<{ rate: number; p99: number }> {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < until) {
        const started = performance.now();
        const client = await pool.connect();
        await client.query('begin');
        await client.query('update work set value = value + 1 where id = $1', [1 + Math.floor(Math.random() * 1000)]);
        await kinds[kind](client, payload());
        await client.query('commit');
        client.release();
        latencies.push(performance.now() - started);
      }
    }),
  );
  latencies.sort((a, b) => a - b);
  return { rate: latencies.length / seconds, p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0 };
}

const rounds = [];
await measure('plain'); // warm
for (let round = 0; round < 3; round++) rounds.push({ plain: await measure('plain'), chained: await measure('chained') });
console.table(
  rounds.map(({ plain, chained }) => ({
    'plain /s': Math.round(plain.rate),
    'p99 ms': Math.round(plain.p99),
    'chained /s': Math.round(chained.rate),
    'chained p99 ms': Math.round(chained.p99),
    ratio: (chained.rate / plain.rate).toFixed(2),
  })),
);
await pool.end();
await database.close();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
