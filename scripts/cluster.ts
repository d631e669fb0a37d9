import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnet } from '../chain/devnet.ts';
import { freePort } from '../chain/free-port.ts';
import { demoAccounts, demoPassword } from '../server/seed/roles.ts';
import { chainEnv } from '../server/testing/crsm.ts';
import { startObjectStore } from '../server/testing/object-store.ts';
import { startPgbouncer } from '../server/testing/pgbouncer.ts';
import { startPostgresPair } from '../server/testing/postgres-pair.ts';
import { startServer } from '../server/testing/process.ts';
import { startHaproxy } from '../server/testing/proxies.ts';
import { ensureBuild, SetupError } from './setup.mjs';

const ends: (() => Promise<unknown>)[] = [];

/** npm run cluster: all of an installation of several machines on this one, with data that goes with it. */
async function main(): Promise<void> {
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));

  const pair = await startPostgresPair();
  ends.push(pair.stop);
  const poolers = [];
  for (const { url } of [pair.primary, pair.standby]) {
    const pooler = await startPgbouncer(url, { default_pool_size: '20' });
    ends.push(pooler.stop);
    poolers.push(new URL(pooler.url));
  }
  const pooled = new URL(poolers[0] ?? '');
  const database = `postgres://${pooled.username}:${pooled.password}@${poolers.map(({ host }) => host).join(',')}${pooled.pathname}`;
  const storage = await startObjectStore();
  ends.push(storage.stop);
  const chain = await startDevnet(folder, 2);
  ends.push(chain.stop);

  const front = Number(process.env['PORT'] ?? (await freePort()));
  const env = {
    ...chainEnv(chain.url),
    ...storage.env,
    NODE_ENV: 'test', // a chain of this machine's own, that each server is told of: a demo all the same
    DATABASE_URL: `${database}?target_session_attrs=read-write`,
    DATABASE_DIRECT_URL: pair.url,
    DEMO_NEWS: 'on',
    DRAIN_SECONDS: '2',
    MINTER_KEY: chain.minterKey, // both have a signer beside them: one signs, the other waits until it is gone
    PUBLIC_URL: `http://localhost:${front}`,
    TRUST_PROXY: '1',
  };
  const servers = [];
  // The first makes what a database begins with.
  for (let at = 0; at < 2; at++) {
    const server = startServer(join(folder, 'data'), env);
    ends.push(async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    });
    servers.push({ origin: await server.ready, pid: server.child.pid });
  }
  const proxy = await startHaproxy(
    servers.map(({ origin }) => origin),
    front,
  );
  ends.push(proxy.stop);

  const lines: [string, string][] = [
    ['Panel', `http://localhost:${front} (haproxy)`],
    ...servers.map(({ origin, pid }, at): [string, string] => [`Server ${at + 1}`, `${origin} (process ${pid}, with a signer)`]),
    ['Primary', `${pair.primary.url} (process ${pair.primary.pid()})`],
    ['Standby', `${pair.standby.url} (process ${pair.standby.pid()}), synchronous`],
    ...poolers.map(({ host }, at): [string, string] => [`Pooler ${at + 1}`, `${host} (pgbouncer, pool_mode = transaction)`]),
    ['Objects', `${storage.s3.endpoint}/${storage.s3.bucket} (OpenStack Swift, S3 API)`],
    ['Chain', chain.url],
  ];
  console.log(`\n${lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`).join('\n')}\n`);
  console.log(`  ${demoAccounts[0].email}, ${demoPassword}`);
  console.log(`  To try a failover: kill -9 ${pair.primary.pid()}, then psql <standby> -c 'select pg_promote()'`);
  console.log('  Press Ctrl-C to stop everything.\n');
}

let stopping = false;
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const end of ends.splice(0).reverse()) await end().catch((error: unknown) => console.error(error));
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

try {
  await main();
} catch (error) {
  if (!stopping) {
    console.error(error instanceof SetupError ? error.message : error);
    await stop(1);
  }
}
