import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../chain/free-port.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import type { Granted, Wish } from '../../server/testing/panels.ts';

/** A panel running on its own port, database and data folder. */
export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** Panels in a process that is kept from one to the next. */
export class Panels {
  #process: ChildProcess | null = null;
  #output = '';

  /** Starts the server as tests want it, at a free port unless `env` names one, once the one before is stopped; resolves when it is ready. Its last words are in the error when it is not. */
  async start(databaseUrl: string, env: Record<string, string> = {}): Promise<TestServer> {
    const place = await placeOf(databaseUrl, env);
    const { DATABASE_URL: _url, ...inherited } = process.env;
    await this.#ask({ ...inherited, NODE_ENV: 'development', LOG_LEVEL: 'warn', DATA_DIR: place.dataDir, ...place.env });
    return {
      url: place.url,
      stop: async () => {
        await this.#ask(null);
        await place.remove();
      },
    };
  }

  async close(): Promise<void> {
    if (this.#process?.connected) {
      const ended = once(this.#process, 'exit');
      this.#process.disconnect();
      await ended;
    }
    this.#process = null;
  }

  /** Rejects when it cannot be done, and when the process ends over it; the next wish then has another. */
  async #ask(wish: Wish): Promise<void> {
    const child = this.#process?.connected ? this.#process : this.#fork();
    this.#output = '';
    await new Promise<void>((resolve, reject) => {
      const onGranted = ({ error }: Granted) => {
        child.off('exit', onExit);
        if (error === null) resolve();
        else reject(new Error(`the panel did not ${wish ? 'start' : 'stop'}: ${error}\n${this.#output}`));
      };
      const onExit = () => {
        child.off('message', onGranted);
        reject(new Error(`the panel's process ended: ${this.#output}`));
      };
      child.once('message', onGranted).once('exit', onExit);
      child.send(wish as object);
    });
  }

  #fork(): ChildProcess {
    const child = fork(bundleOf('test-panels'), { execArgv: [], silent: true });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    return (this.#process = child);
  }
}

/** Where a test's panel is: its folder, its address, and what it is told. */
async function placeOf(databaseUrl: string, env: Record<string, string>) {
  const port = env['PORT'] ?? String(await freePort());
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-'));
  return {
    dataDir,
    url: `http://localhost:${port}`,
    remove: () => rm(dataDir, { recursive: true, force: true }),
    env: {
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
    },
  };
}
