import { once } from 'node:events';
import { createServer } from 'node:http';
import { onCleanup } from './cleanup.ts';

/** `height` null: unconfirmed. */
export interface Output {
  address: string;
  value: number;
  height: number | null;
  spent?: boolean;
}

export const tipHeight = 900_000;
const blockHashOf = (height: number) => height.toString(16).padStart(64, '0');

/** An Esplora API over outputs by transaction. Fails while `isUp` is false, and waits for `held`. */
export async function startFakeEsplora() {
  const state = { isUp: true, held: null as Promise<void> | null, asked: 0, tip: tipHeight };
  const outputs = new Map<string, Output>();
  const computeStats = (address: string) => {
    const fundedOutputs = [...outputs.values()].filter((output) => output.address === address && output.height !== null);
    const spentOutputs = fundedOutputs.filter((output) => output.spent);
    const sumValues = (someOutputs: Output[]) => someOutputs.reduce((sum, { value }) => sum + value, 0);
    return {
      funded_txo_count: fundedOutputs.length,
      funded_txo_sum: sumValues(fundedOutputs),
      spent_txo_count: spentOutputs.length,
      spent_txo_sum: sumValues(spentOutputs),
    };
  };
  const buildResponse = (url: string): string | null => {
    const [, kind, id = ''] = /^\/(tx|block-height|blocks|address)\/([^/]+)/.exec(url) ?? [];
    if (kind === 'blocks') return String(state.tip);
    if (kind === 'block-height') return blockHashOf(Number(id));
    if (kind === 'address') return JSON.stringify({ address: id, chain_stats: computeStats(id) });
    const output = outputs.get(id);
    if (!output) return null;
    const { address, value, height, spent: isSpent = false } = output;
    if (url.includes('/outspend/')) return JSON.stringify({ spent: isSpent });
    const status =
      height === null ? { confirmed: false } : { confirmed: true, block_height: height, block_hash: blockHashOf(height) };
    return JSON.stringify({ txid: id, vin: [{}], vout: [{ scriptpubkey_address: address, value }], status });
  };
  const server = createServer((request, response) => {
    state.asked++;
    void (state.held ?? Promise.resolve()).then(() => {
      const body = buildResponse(request.url ?? '');
      response.writeHead(!state.isUp ? 500 : body === null ? 404 : 200).end(body ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serverAddress = server.address();
  if (serverAddress === null || typeof serverAddress === 'string') throw new Error('no port');
  onCleanup(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${serverAddress.port}`, outputs, state };
}
