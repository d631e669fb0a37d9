import { once } from 'node:events';
import { createServer } from 'node:http';
import { atEnd } from './end.ts';

/** `height` null: unconfirmed. */
export interface Output {
  address: string;
  value: number;
  height: number | null;
  spent?: boolean;
}

export const tipHeight = 900_000;
const blockHash = (height: number) => height.toString(16).padStart(64, '0');

/** An Esplora API over outputs by transaction. Fails while `isUp` is false, and waits for `held`. */
export async function fakeEsplora() {
  const state = { isUp: true, held: null as Promise<void> | null, asked: 0, tip: tipHeight };
  const outputs = new Map<string, Output>();
  const statsOf = (address: string) => {
    const funded = [...outputs.values()].filter((output) => output.address === address && output.height !== null);
    const spent = funded.filter((output) => output.spent);
    const sumOf = (some: Output[]) => some.reduce((sum, { value }) => sum + value, 0);
    return {
      funded_txo_count: funded.length,
      funded_txo_sum: sumOf(funded),
      spent_txo_count: spent.length,
      spent_txo_sum: sumOf(spent),
    };
  };
  const answer = (url: string): string | null => {
    const [, kind, id = ''] = /^\/(tx|block-height|blocks|address)\/([^/]+)/.exec(url) ?? [];
    if (kind === 'blocks') return String(state.tip);
    if (kind === 'block-height') return blockHash(Number(id));
    if (kind === 'address') return JSON.stringify({ address: id, chain_stats: statsOf(id) });
    const output = outputs.get(id);
    if (!output) return null;
    const { address, value, height, spent = false } = output;
    if (url.includes('/outspend/')) return JSON.stringify({ spent });
    const status =
      height === null ? { confirmed: false } : { confirmed: true, block_height: height, block_hash: blockHash(height) };
    return JSON.stringify({ txid: id, vin: [{}], vout: [{ scriptpubkey_address: address, value }], status });
  };
  const server = createServer((request, response) => {
    state.asked++;
    void (state.held ?? Promise.resolve()).then(() => {
      const body = answer(request.url ?? '');
      response.writeHead(!state.isUp ? 500 : body === null ? 404 : 200).end(body ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${place.port}`, outputs, state };
}
