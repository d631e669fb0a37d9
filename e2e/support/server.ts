import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../chain/free-port.ts';
import { bundleOf } from '../../scripts/setup.mjs';
import type { StartResult, PanelEnvironment } from '../../server/testing/panels.ts';

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** Reuses one process. */
export class PanelServers {
  #process: ChildProcess | null = null;
  #output = '';

  /** Stops the previous panel. Rejects with the server's output. */
  async start(databaseUrl: string, env: Record<string, string> = {}): Promise<TestServer> {
    const serverOptions = await createServerOptions(databaseUrl, env);
    const { DATABASE_URL: _url, ...inherited } = process.env;
    await this.#ask({
      ...inherited,
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
      DATA_DIR: serverOptions.dataDir,
      ...serverOptions.env,
    });
    return {
      url: serverOptions.url,
      stop: async () => {
        await this.#ask(null);
        await serverOptions.remove();
      },
    };
  }

  async close(): Promise<void> {
    if (this.#process?.connected) {
      const exitPromise = once(this.#process, 'exit');
      this.#process.disconnect();
      await exitPromise;
    }
    this.#process = null;
  }

  async #ask(environmentChange: PanelEnvironment): Promise<void> {
    const child = this.#process?.connected ? this.#process : this.#fork();
    this.#output = '';
    await new Promise<void>((resolve, reject) => {
      const onGranted = ({ error }: StartResult) => {
        child.off('exit', onExit);
        if (error === null) resolve();
        else reject(new Error(`the panel did not ${environmentChange ? 'start' : 'stop'}: ${error}\n${this.#output}`));
      };
      const onExit = () => {
        child.off('message', onGranted);
        reject(new Error(`the panel's process ended: ${this.#output}`));
      };
      child.once('message', onGranted).once('exit', onExit);
      child.send(environmentChange as object);
    });
  }

  #fork(): ChildProcess {
    const child = fork(bundleOf('test-panels'), { execArgv: [], silent: true });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    return (this.#process = child);
  }
}

async function createServerOptions(databaseUrl: string, env: Record<string, string>) {
  const port = env['PORT'] ?? String(await findFreePort());
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-'));
  return {
    dataDir,
    url: `http://localhost:${port}`,
    remove: () => rm(dataDir, { recursive: true, force: true }),
    env: {
      DATABASE_URL: databaseUrl,
      PORT: port,
      DEVNET: 'off', // files that need it turn it on
      DEMO_WALLET: 'off', // files that need it turn it on
      DEVNET_BLOCK_SECONDS: '1', // blocks cannot share a second
      SIGN_IN_FREE: '1000',
      SIGN_IN_PER_NETWORK: '100000',
      READS_PER_MINUTE: '0',
      WRITES_PER_MINUTE: '0',
      FEEDBACK_PER_NETWORK: '100000',
      ...env,
    },
  };
}
