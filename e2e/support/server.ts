import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../chain/free-port.ts';
import { startServer } from '../../server/testing/process.ts';

/** A panel running on its own port, database and data folder. */
export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the server as tests want it, on a database of its own, at a free port unless `env` names one; resolves when it is ready. Its last words are in the error when it is not. */
export async function startPanel(databaseUrl: string, env: Record<string, string> = {}): Promise<TestServer> {
  const port = env['PORT'] ?? String(await freePort());
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-'));
  const server = startServer(dataDir, {
    DATABASE_URL: databaseUrl,
    PORT: port,
    DEVNET: 'off', // a file that needs a chain says so
    DEMO_WALLET: 'off', // so does the one that tries it
    DEVNET_BLOCK_SECONDS: '1', // sooner its clock would run ahead: no two blocks share a second
    SIGN_IN_FREE: '1000',
    SIGN_IN_PER_NETWORK: '100000',
    READS_PER_MINUTE: '0',
    WRITES_PER_MINUTE: '0',
    FEEDBACK_PER_NETWORK: '100000',
    ...env,
  });
  await server.ready;
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      server.child.kill('SIGTERM');
      await server.ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
