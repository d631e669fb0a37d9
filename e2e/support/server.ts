import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverBundle } from '../../scripts/setup.mjs';

/** A panel running on its own port, database and data folder. */
export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the real server on a database of its own, at a free port unless `env` names one; resolves when it is ready. Its last words are in the error when it is not. */
export async function startServer(databaseUrl: string, env: Record<string, string> = {}): Promise<TestServer> {
  const port = Number(env['PORT'] ?? (await freePort()));
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-'));
  const child = spawn(process.execPath, [serverBundle], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEVNET: 'off', // a file that needs a chain says so
      DEVNET_BLOCK_SECONDS: '1', // sooner its clock would run ahead: no two blocks share a second
      SIGN_IN_FREE: '1000',
      SIGN_IN_PER_NETWORK: '100000',
      READS_PER_MINUTE: '0',
      WRITES_PER_MINUTE: '0',
      FEEDBACK_PER_NETWORK: '100000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-8000)));
  const url = `http://localhost:${port}`;
  try {
    await ready(url, child);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the server did not start: ${words}`, { cause: error });
  }
  return {
    url,
    stop: async () => {
      if (child.exitCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error('not ready after a minute');
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
