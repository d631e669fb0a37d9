import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { addNews, addPoints, signInAt, startWriters, writtenReasons } from '../testing/callers.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { needPatroni, startPatroni } from '../testing/patroni.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';

const etcdStoppedMs = 60_000;
const slot = 'warehouse';

beforeAll(() => needPatroni(), 300_000);

test(
  'the Patroni recipe loses and repeats no write through a switchover, a killed leader and a stopped etcd',
  { timeout: 900_000 },
  async () => {
    const cluster = await startPatroni();
    const { pooledUrl, listUrl, readUrl } = cluster;
    const dataDir = temporaryFolder();
    const env = { DEVNET: 'off', LOG_LEVEL: 'warn', DATABASE_READ_URL: readUrl };
    const servers: ServerProcess[] = [];
    const start = (urls: Record<string, string>) => {
      const server = startServer(dataDir, { ...env, ...urls });
      servers.push(server);
      atEnd(async () => {
        server.child.kill('SIGKILL');
        await server.ended;
      });
      return server.ready;
    };
    const origins = {
      pooled: await start({ DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: listUrl }),
      list: await start({ DATABASE_URL: listUrl }),
    };
    await cluster.addSlot(slot);
    const session = await signInAt(origins.pooled, 'all');
    const acknowledged: string[] = [];

    /** Writes through both servers during an event, until all machines are healthy. */
    const during = async (event: string, happen: () => Promise<void>) => {
      const sends = [addNews, addPoints];
      const both = (['pooled', 'list'] as const).map((way) => startWriters([origins[way]], session, sends, `${event} ${way}`));
      const bothWrite = async () => {
        const before = both.map((writers) => writers.acknowledged());
        await waitUntil(() => both.every((writers, at) => writers.acknowledged() > (before[at] ?? 0) + 20));
      };
      await bothWrite();
      await happen();
      await bothWrite();
      await waitUntil(cluster.isHealthy);
      await waitUntil(async () => cluster.hasSlot(await cluster.leader(), slot));
      await bothWrite();
      const [throughPooler, throughList] = await Promise.all(both.map((writers) => writers.stop()));
      if (!throughPooler || !throughList) throw new Error('both servers have writers');
      const outcomes = [throughPooler, throughList];
      acknowledged.push(...outcomes.flatMap((outcome) => outcome.acknowledged));
      const count = (of: 'sent' | 'acknowledged' | 'refused') => outcomes.reduce((sum, outcome) => sum + outcome[of].length, 0);
      console.log(
        `Patroni, ${event}: ${count('sent')} sent, ${count('acknowledged')} acknowledged, ${count('refused')} refused and sent again; ` +
          `longest time without a write ${throughPooler.silenceMs} ms (pgbouncer), ${throughList.silenceMs} ms (list of hosts)`,
      );
    };

    await during('calm', () => sleep(5_000));

    const first = await cluster.leader();
    await during('switchover', async () => {
      await cluster.patronictl('switchover', '--force');
    });
    const second = await cluster.leader();
    expect(second).not.toBe(first);

    await during('leader killed', async () => {
      await cluster.killNode(second);
      await waitUntil(async () => (await cluster.leader().catch(() => second)) !== second);
      cluster.startNode(second);
    });
    const third = await cluster.leader();
    expect(third).not.toBe(second);

    await during('etcd stopped', async () => {
      await cluster.stopEtcd();
      await sleep(etcdStoppedMs);
      cluster.startEtcd();
    });
    expect(await cluster.leader()).toBe(third);
    expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null]);

    const there = (
      await Promise.all(
        ['calm', 'switchover', 'leader killed', 'etcd stopped'].flatMap((event) => [
          writtenReasons(cluster.urlOf(third), 'news.title', `${event} `),
          writtenReasons(cluster.urlOf(third), 'points.reason', `${event} `),
        ]),
      )
    ).flat();
    const known = new Set(there);
    const audited = await auditedKeys(cluster.urlOf(third));
    const inOrder = (texts: readonly string[]) => texts.map((text) => text.replaceAll(' ', '-')).toSorted();
    console.log(`Patroni, all: ${acknowledged.length} acknowledged, ${there.length} there, ${audited.length} audited`);
    expect({ lost: acknowledged.filter((text) => !known.has(text)), doubled: there.length - known.size }).toEqual({
      lost: [],
      doubled: 0,
    });
    expect(audited).toEqual(inOrder(there));

    for (const { child, ended } of servers) {
      child.kill('SIGTERM');
      await ended;
    }

    const verify = spawnSync(join(root, 'node_modules/.bin/tsx'), ['server/audit/verify.ts'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir, DATABASE_URL: listUrl },
    });
    expect([verify.status, verify.stderr]).toEqual([0, '']);
  },
);

/** With repetitions. */
async function auditedKeys(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await waitUntil(async () => (await client.query('select from audit_inbox')).rows.length === 0);
    const { rows } = await client.query<{ key: string }>(
      `select idempotency_key as key from audit where idempotency_key ~ '^(calm|switchover|leader-killed|etcd-stopped)-(pooled|list)-' and result = 'done'`,
    );
    return rows.map(({ key }) => key).toSorted();
  } finally {
    await client.end();
  }
}
