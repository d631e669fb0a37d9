import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, EvmConfig } from '../platform/core/config.ts';
import type { Log } from '../platform/core/log.ts';

const retryMs = 2_000;

interface ChildOptions {
  readonly config: Config & { evm: EvmConfig & { minterKey: NonNullable<EvmConfig['minterKey']> } };
  readonly databaseUrl: string;
  readonly genesis: string;
  readonly log: Log;
  /** Clock offset in milliseconds. */
  readonly aheadMs: number;
}

/** Restarts it when it dies. The returned function ends it. */
export function startSignerChild({ config, databaseUrl, genesis, log, aheadMs }: ChildOptions): () => Promise<void> {
  let child: ChildProcess | null = null;
  let isStopped = false;
  let restartTimer: NodeJS.Timeout | null = null;
  const run = () => {
    const bundledFile = join(import.meta.dirname, 'signer.js');
    const isBundled = existsSync(bundledFile);
    const file = isBundled ? bundledFile : join(import.meta.dirname, 'main.ts');
    const { evm } = config;
    child = fork(file, {
      execArgv: isBundled ? ['--enable-source-maps'] : ['--import', 'tsx'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: process.env['NODE_ENV'],
        LOG_LEVEL: config.logLevel,
        SIGNER_DATABASE_URL: databaseUrl,
        SIGNER_DIR: join(config.dataDir, 'signer'),
        AUTHORITY_GENESIS: genesis,
        MINTER_KEY: evm.minterKey,
        EVM_RPC_URLS: evm.urls.join(','),
        EVM_CHAIN_ID: String(evm.chainId),
        YBTC_ADDRESS: evm.contracts.ybtc,
        CUSTODY_BRIDGE_ADDRESS: evm.contracts.custodyBridge,
        CHAIN_START_BLOCK: String(evm.startBlock),
        MINT_DEPTH: String(evm.mintDepth),
        BITCOIN_NETWORK: config.bitcoinNetwork,
        BITCOIN_CONFIRMATIONS: String(config.bitcoinConfirmations),
        SIGNER_ESPLORA_URLS: config.esploraUrls.join(','),
        SIGNER_SECONDS_AHEAD: aheadMs > 0 ? String(Math.floor(aheadMs / 1000)) : '',
      },
    });
    child.once('exit', (code) => {
      child = null;
      if (isStopped) return;
      log.error({ code }, 'signer stopped, restarting it');
      restartTimer = setTimeout(run, retryMs);
      restartTimer.unref();
    });
  };
  run();
  return async () => {
    isStopped = true;
    if (restartTimer) clearTimeout(restartTimer);
    const runningChild = child;
    if (!runningChild) return;
    const childExit = new Promise((resolve) => runningChild.once('exit', resolve));
    runningChild.kill('SIGTERM');
    const killTimer = setTimeout(() => runningChild.kill('SIGKILL'), 10_000);
    await childExit;
    clearTimeout(killTimer);
  };
}
