import { findFreePort } from './free-port.ts';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devnetMnemonic } from './accounts.ts';

export interface Anvil {
  /** JSON-RPC on a loopback port. */
  url: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface AnvilOptions {
  /** Without it the state is lost. */
  stateFile?: string;
  /** Seconds. Without it only transactions make blocks. */
  blockTime?: number;
  port?: number;
}

export const devnetChainId = 31_337;

/** No anvil for this platform. */
export class AnvilMissingError extends Error {
  override name = 'NoAnvil';
}

/** Ends with this process. Throws AnvilMissingError, or anvil's error. */
export async function startAnvil({ stateFile, blockTime, port: requestedPort }: AnvilOptions = {}): Promise<Anvil> {
  const anvilPath = findAnvil();
  const port = requestedPort ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const options = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(devnetChainId), '--silent'];
  options.push('--mnemonic', devnetMnemonic, '--accounts', '12', '--slots-in-an-epoch', '1'); // final after two blocks
  if (stateFile) options.push('--state', stateFile, '--state-interval', '5');
  if (blockTime) options.push('--block-time', String(blockTime), '--mixed-mining');

  // The shell detects the end of this process by the end of its input.
  const script = '"$0" "$@" </dev/null & child=$!; read -r word; kill -"${word:-TERM}" $child; wait $child';
  const anvilProcess = spawn('sh', ['-c', script, anvilPath, ...options], { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  let stderrText = '';
  anvilProcess.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderrText = (stderrText + chunk).slice(-2000)));
  anvilProcess.stdin.on('error', () => {});
  const exitPromise = new Promise<void>((resolve) => anvilProcess.once('close', () => resolve()));
  const terminate = (signalName: string) => async () => {
    anvilProcess.stdin.end(signalName);
    await exitPromise;
  };
  const stop = terminate('');
  if (!(await isListening(url))) {
    await stop();
    throw new Error(`anvil didn’t start: ${stderrText.trim()}`);
  }
  return { url, stop, kill: terminate('KILL\n') };
}

async function isListening(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
      () => null,
    );
    if (response?.ok) return true;
    await sleep(100);
  }
  return false;
}

/** The platform package's, otherwise an installed one. */
function findAnvil(): string {
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(require.resolve('@foundry-rs/anvil-linux-amd64/package.json'));
    return join(folder, 'bin', 'anvil');
  } catch {
    const pathInstallation = (process.env['PATH'] ?? '')
      .split(':')
      .map((folder) => join(folder, 'anvil'))
      .find((path) => existsSync(path));
    if (pathInstallation) return pathInstallation;
    throw new AnvilMissingError('There is no anvil for this platform. Install Foundry or set EVM_RPC_URL.');
  }
}
