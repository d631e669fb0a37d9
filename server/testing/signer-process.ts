import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { toHex } from 'viem';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { signerBundle } from '../../scripts/setup.mjs';
import { onCleanup } from './cleanup.ts';

export const minterKey = toHex(devnetAccounts.minter.getHdKey().privateKey ?? new Uint8Array());

/** See die-at.mjs. `by` can stop it instead. */
export interface DeathPoint {
  readonly at: number;
  readonly how: 'before' | 'after';
  readonly from?: string;
  readonly by?: 'SIGSTOP';
}

interface SignerOptions {
  readonly databaseUrl: string;
  readonly dir: string;
  readonly genesis: string;
  readonly chainUrl: string;
  readonly esploraUrl: string;
}

interface SignerProcess {
  readonly child: ChildProcess;
  readonly signing: Promise<void>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startSignerProcess(options: SignerOptions, deathPoint: DeathPoint | null = null): SignerProcess {
  const signerChild = fork(signerBundle, {
    execArgv: ['--import', join(import.meta.dirname, 'die-at.mjs')],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      LOG_LEVEL: 'silent',
      SIGNER_DATABASE_URL: options.databaseUrl,
      SIGNER_DIR: options.dir,
      AUTHORITY_GENESIS: options.genesis,
      MINTER_KEY: minterKey,
      EVM_RPC_URL: options.chainUrl,
      EVM_CHAIN_ID: '31337',
      YBTC_ADDRESS: devnetContracts.ybtc,
      CUSTODY_BRIDGE_ADDRESS: devnetContracts.custodyBridge,
      MINT_DEPTH: '1',
      SIGNER_ESPLORA_URLS: options.esploraUrl,
      ...(deathPoint && {
        DIE_AT: String(deathPoint.at),
        DIE_HOW: deathPoint.how,
        DIE_FROM: deathPoint.from ?? '',
        DIE_BY: deathPoint.by ?? 'SIGKILL',
      }),
    },
  });
  onCleanup(async () => void signerChild.kill('SIGKILL'));
  return {
    child: signerChild,
    signing: new Promise((resolve) => signerChild.once('message', () => resolve())),
    ended: new Promise((resolve) => signerChild.once('exit', (code, signal) => resolve({ code, signal }))),
  };
}
