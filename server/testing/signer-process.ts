import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { toHex } from 'viem';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { signerBundle } from '../../scripts/setup.mjs';
import { atEnd } from './end.ts';

export const minterKey = toHex(devnetAccounts.minter.getHdKey().privateKey ?? new Uint8Array());

/** See die-at.mjs. `by` can stop it instead. */
export interface Death {
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

export function startSignerProcess(options: SignerOptions, death: Death | null = null): SignerProcess {
  const child = fork(signerBundle, {
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
      ...(death && { DIE_AT: String(death.at), DIE_HOW: death.how, DIE_FROM: death.from ?? '', DIE_BY: death.by ?? 'SIGKILL' }),
    },
  });
  atEnd(async () => void child.kill('SIGKILL'));
  return {
    child,
    signing: new Promise((resolve) => child.once('message', () => resolve())),
    ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal }))),
  };
}
