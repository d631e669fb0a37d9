import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { addNews, addPoints, signInAt, startWriters, readWrittenTexts } from '../testing/callers.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { requirePatroni, startPatroni } from '../testing/patroni.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';

const etcdStoppedMs = 60_000;
const slotName = 'warehouse';

beforeAll(() => requirePatroni(), 300_000);

test(
  'the Patroni recipe loses and repeats no write through a switchover, a killed leader and a stopped etcd',
  { timeout: 900_000 },
  async () => {
    const cluster = await startPatroni();
    const { pooledUrl, listUrl, readUrl } = cluster;
    const dataDir = createTemporaryFolder();
    const env = { DEVNET: 'off', LOG_LEVEL: 'warn', DATABASE_READ_URL: readUrl };
    const servers: ServerProcess[] = [];
    const startPanel = (urls: Record<string, string>) => {
      const server = startServer(dataDir, { ...env, ...urls });
      servers.push(server);
      onCleanup(async () => {
        server.child.kill('SIGKILL');
        await server.ended;
      });
      return server.ready;
    };
    const origins = {
      pooled: await startPanel({ DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: listUrl }),
      list: await startPanel({ DATABASE_URL: listUrl }),
    };
    await cluster.addSlot(slotName);
    const session = await signInAt(origins.pooled, 'all');
    const acknowledged: string[] = [];

    /** Writes through both servers during an event, until all machines are healthy. */
    const runDuring = async (event: string, causeEvent: () => Promise<void>) => {
      const sendFunctions = [addNews, addPoints];
      const writersByWay = (['pooled', 'list'] as const).map((originName) =>
        startWriters([origins[originName]], session, sendFunctions, `${event} ${originName}`),
      );
      const areBothWriting = async () => {
        const acknowledgedBefore = writersByWay.map((writers) => writers.acknowledged());
        await waitUntil(() =>
          writersByWay.every((writers, index) => writers.acknowledged() > (acknowledgedBefore[index] ?? 0) + 20),
        );
      };
      await areBothWriting();
      await causeEvent();
      await areBothWriting();
      await waitUntil(cluster.isHealthy);
      await waitUntil(async () => cluster.hasSlot(await cluster.leader(), slotName));
      await areBothWriting();
      const [poolerOutcome, listOutcome] = await Promise.all(writersByWay.map((writers) => writers.stop()));
      if (!poolerOutcome || !listOutcome) throw new Error('both servers have writers');
      const outcomes = [poolerOutcome, listOutcome];
      acknowledged.push(...outcomes.flatMap((outcome) => outcome.acknowledged));
      const count = (outcomeKind: 'sent' | 'acknowledged' | 'refused') =>
        outcomes.reduce((total, outcome) => total + outcome[outcomeKind].length, 0);
      console.log(
        `Patroni, ${event}: ${count('sent')} sent, ${count('acknowledged')} acknowledged, ${count('refused')} refused and sent again; ` +
          `longest time without a write ${poolerOutcome.silenceMs} ms (pgbouncer), ${listOutcome.silenceMs} ms (list of hosts)`,
      );
    };

    await runDuring('calm', () => sleep(5_000));

    const firstLeader = await cluster.leader();
    await runDuring('switchover', async () => {
      await cluster.patronictl('switchover', '--force');
    });
    const second = await cluster.leader();
    expect(second).not.toBe(firstLeader);

    await runDuring('leader killed', async () => {
      await cluster.killNode(second);
      await waitUntil(async () => (await cluster.leader().catch(() => second)) !== second);
      cluster.startNode(second);
    });
    const thirdLeader = await cluster.leader();
    expect(thirdLeader).not.toBe(second);

    await runDuring('etcd stopped', async () => {
      await cluster.stopEtcd();
      await sleep(etcdStoppedMs);
      cluster.startEtcd();
    });
    expect(await cluster.leader()).toBe(thirdLeader);
    expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null]);

    const storedTexts = (
      await Promise.all(
        ['calm', 'switchover', 'leader killed', 'etcd stopped'].flatMap((event) => [
          readWrittenTexts(cluster.urlOf(thirdLeader), 'news.title', `${event} `),
          readWrittenTexts(cluster.urlOf(thirdLeader), 'points.reason', `${event} `),
        ]),
      )
    ).flat();
    const storedTextSet = new Set(storedTexts);
    const auditedKeySet = await readAuditedKeys(cluster.urlOf(thirdLeader));
    const toSortedKeys = (texts: readonly string[]) => texts.map((text) => text.replaceAll(' ', '-')).toSorted();
    console.log(
      `Patroni, all: ${acknowledged.length} acknowledged, ${storedTexts.length} there, ${auditedKeySet.length} audited`,
    );
    expect({
      lost: acknowledged.filter((text) => !storedTextSet.has(text)),
      doubled: storedTexts.length - storedTextSet.size,
    }).toEqual({
      lost: [],
      doubled: 0,
    });
    expect(auditedKeySet).toEqual(toSortedKeys(storedTexts));

    for (const { child, ended } of servers) {
      child.kill('SIGTERM');
      await ended;
    }

    const verifyProcess = spawnSync(join(root, 'node_modules/.bin/tsx'), ['server/audit/verify.ts'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir, DATABASE_URL: listUrl },
    });
    expect([verifyProcess.status, verifyProcess.stderr]).toEqual([0, '']);
  },
);

/** With repetitions. */
async function readAuditedKeys(url: string): Promise<string[]> {
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
