import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onCleanup } from './cleanup.ts';

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
  lie: ((call: RpcCall, actualResult: unknown) => unknown) | null;
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

export async function startHostileNode(target: string, initialFaults: Partial<Faults> = {}): Promise<HostileNode> {
  let faults: Faults = { ...noFaults, ...initialFaults };
  const requests: RpcCall[][] = [];

  const buildResponse = async (body: string, requestedCalls: RpcCall | RpcCall[]): Promise<string> => {
    const allCalls = Array.isArray(requestedCalls) ? requestedCalls : [requestedCalls];
    const { batchLimit, refuse: rejectCall, drop: isDropped, lie: falsifyResult, logsLimit } = faults;
    if (Array.isArray(requestedCalls) && batchLimit !== null && requestedCalls.length > batchLimit) {
      const message = batchLimit === 0 ? 'batch requests are not supported' : `batch limit ${batchLimit} exceeded`;
      return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
    }
    // A refused call never reaches the chain.
    const batchRejection = Array.isArray(requestedCalls) ? null : rejectCall?.(requestedCalls);
    if (batchRejection) return JSON.stringify({ jsonrpc: '2.0', id: allCalls[0]?.id ?? null, error: batchRejection });
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const actualResponse = (await response.json()) as { id: number; result?: unknown } | { id: number; result?: unknown }[];
    const responseItems = (Array.isArray(actualResponse) ? actualResponse : [actualResponse]).flatMap((responseItem) => {
      const call = allCalls.find(({ id }) => id === responseItem.id);
      if (!call) return responseItem;
      if (allCalls.length > 1 && isDropped?.(call)) return [];
      const error = rejectCall?.(call) ?? (logsLimit === null ? null : findSpanError(call, logsLimit));
      if (error) return { jsonrpc: '2.0', id: responseItem.id, error };
      return falsifyResult && 'result' in responseItem
        ? { ...responseItem, result: falsifyResult(call, responseItem.result) }
        : responseItem;
    });
    return JSON.stringify(Array.isArray(requestedCalls) ? responseItems : responseItems[0]);
  };

  const respondToRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const requestedCalls = JSON.parse(body) as RpcCall | RpcCall[];
    requests.push(Array.isArray(requestedCalls) ? requestedCalls : [requestedCalls]);
    const { mode, dripMs, status } = faults;
    if (mode === 'hang') return;
    if (mode === 'down') return void response.destroy();
    if (status && (!status.ofBatches || Array.isArray(requestedCalls)))
      return void response.writeHead(status.code).end(status.body);
    const text = await buildResponse(body, requestedCalls);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (mode !== 'drip') return void response.end(text);
    let byteIndex = 0;
    const timer = setInterval(() => {
      response.write(text.charAt(byteIndex++));
      if (byteIndex >= text.length) response.end();
    }, dripMs);
    response.once('close', () => clearInterval(timer));
  };

  const server = createServer((request, response) => {
    respondToRequest(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serverAddress = server.address();
  if (serverAddress === null || typeof serverAddress === 'string') throw new Error('no port');
  onCleanup(async () => {
    server.close();
    server.closeAllConnections();
  });
  const name = `127.0.0.1:${serverAddress.port}`;
  return {
    url: `http://${name}`,
    name,
    requests,
    be: (newFaults = {}) => {
      faults = { ...noFaults, ...newFaults };
    },
  };
}

function findSpanError({ method, params }: RpcCall, limit: bigint): RpcFailure | null {
  if (method !== 'eth_getLogs') return null;
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return BigInt(toBlock) - BigInt(fromBlock) + 1n > limit ? { code: -32_600, message: `up to a ${limit} block range` } : null;
}
