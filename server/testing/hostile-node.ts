import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { atEnd } from './end.ts';

export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface RpcFailure {
  code: number;
  message: string;
  data?: unknown;
}

export interface Faults {
  /** hang: never responds. drip: responds byte by byte. down: closes the connection. */
  mode: 'honest' | 'hang' | 'drip' | 'down';
  /** Between two bytes of a drip. */
  dripMs: number;
  /** Response to HTTP requests, or only to batches. */
  status: { code: number; body: string; ofBatches?: true } | null;
  /** 0: no batches. */
  batchLimit: number | null;
  logsLimit: bigint | null;
  /** Null: no error. */
  refuse: ((call: RpcCall) => RpcFailure | null) | null;
  /** Leaves a call of a batch unanswered. */
  drop: ((call: RpcCall) => boolean) | null;
  lie: ((call: RpcCall, truth: unknown) => unknown) | null;
}

const noFaults: Faults = {
  mode: 'honest',
  dripMs: 500,
  status: null,
  batchLimit: null,
  logsLimit: null,
  refuse: null,
  drop: null,
  lie: null,
};

export interface HostileNode {
  readonly url: string;
  readonly name: string;
  readonly requests: RpcCall[][];
  /** Omitted faults are reset. */
  be(faults?: Partial<Faults>): void;
}

export async function startHostileNode(target: string, first: Partial<Faults> = {}): Promise<HostileNode> {
  let faults: Faults = { ...noFaults, ...first };
  const requests: RpcCall[][] = [];

  const answer = async (body: string, requested: RpcCall | RpcCall[]): Promise<string> => {
    const all = Array.isArray(requested) ? requested : [requested];
    const { batchLimit, refuse, drop, lie, logsLimit } = faults;
    if (Array.isArray(requested) && batchLimit !== null && requested.length > batchLimit) {
      const message = batchLimit === 0 ? 'batch requests are not supported' : `batch limit ${batchLimit} exceeded`;
      return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
    }
    // A refused call never reaches the chain.
    const refused = Array.isArray(requested) ? null : refuse?.(requested);
    if (refused) return JSON.stringify({ jsonrpc: '2.0', id: all[0]?.id ?? null, error: refused });
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const truth = (await response.json()) as { id: number; result?: unknown } | { id: number; result?: unknown }[];
    const answers = (Array.isArray(truth) ? truth : [truth]).flatMap((one) => {
      const call = all.find(({ id }) => id === one.id);
      if (!call) return one;
      if (all.length > 1 && drop?.(call)) return [];
      const error = refuse?.(call) ?? (logsLimit === null ? null : spanError(call, logsLimit));
      if (error) return { jsonrpc: '2.0', id: one.id, error };
      return lie && 'result' in one ? { ...one, result: lie(call, one.result) } : one;
    });
    return JSON.stringify(Array.isArray(requested) ? answers : answers[0]);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const requested = JSON.parse(body) as RpcCall | RpcCall[];
    requests.push(Array.isArray(requested) ? requested : [requested]);
    const { mode, dripMs, status } = faults;
    if (mode === 'hang') return;
    if (mode === 'down') return void response.destroy();
    if (status && (!status.ofBatches || Array.isArray(requested))) return void response.writeHead(status.code).end(status.body);
    const text = await answer(body, requested);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (mode !== 'drip') return void response.end(text);
    let at = 0;
    const timer = setInterval(() => {
      response.write(text.charAt(at++));
      if (at >= text.length) response.end();
    }, dripMs);
    response.once('close', () => clearInterval(timer));
  };

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  const name = `127.0.0.1:${place.port}`;
  return {
    url: `http://${name}`,
    name,
    requests,
    be: (next = {}) => {
      faults = { ...noFaults, ...next };
    },
  };
}

function spanError({ method, params }: RpcCall, limit: bigint): RpcFailure | null {
  if (method !== 'eth_getLogs') return null;
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return BigInt(toBlock) - BigInt(fromBlock) + 1n > limit ? { code: -32_600, message: `up to a ${limit} block range` } : null;
}
