import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem';
import { readCause, FetchLimitError, fetchText } from '../core/bounded-fetch.ts';
import { describeError } from '../core/log.ts';
import { redactShort } from '../core/redact.ts';
import { classifyRpcError, type RpcProblem } from './rpc-problem.ts';

export interface TransportOptions {
  /** For the whole response. */
  timeoutMs?: number;
  maxBytes?: number;
  batchSize?: number;
  /** Rest after a time-out, so that callers do not wait one after another. */
  restMs?: number;
  signal?: AbortSignal | undefined;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const maxConcurrency = 8;
/** Then whole batches are tried again. */
const forgetRefusalMs = 60_000;

/** Never retries. Splits batches that a node refuses. Errors contain neither the node's URL nor parameters. */
export function createNodeTransport(
  url: string,
  { timeoutMs = 5_000, maxBytes = 16 * 1024 * 1024, batchSize = 100, restMs: pauseMs = 0, signal }: TransportOptions = {},
): CustomTransport {
  const { host: name } = new URL(url);
  let queuedCalls: Call[] = [];
  let isScheduled = false;
  let activeCount = 0;
  let nextId = 1;
  let currentBatchSize = batchSize;
  let refusedAt = 0;
  let pausedUntil = 0;

  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      queuedCalls.push({ id: nextId++, method, params: params ?? [], resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        sendQueued();
      });
    });

  function sendQueued(): void {
    if (currentBatchSize < batchSize && performance.now() - refusedAt > forgetRefusalMs) currentBatchSize = batchSize;
    while (activeCount < maxConcurrency && queuedCalls.length > 0) {
      const calls = queuedCalls.slice(0, currentBatchSize);
      queuedCalls = queuedCalls.slice(calls.length);
      activeCount++;
      void sendBatch(calls).finally(() => {
        activeCount--;
        sendQueued();
      });
    }
  }

  async function sendBatch(calls: readonly Call[]): Promise<void> {
    const [firstCall] = calls;
    if (!firstCall) return;
    try {
      const responsesById = await postBatch(calls);
      const unansweredCalls = calls.filter((call) => !settleCall(call, responsesById, calls.length > 1));
      if (unansweredCalls.length > 0) requeueInSmallerBatches(unansweredCalls, calls.length);
    } catch (error) {
      if (calls.length > 1 && isAboutBatch(error)) return requeueInSmallerBatches(calls, calls.length);
      if (classifyRpcError(error) === 'timeout') shrinkBatchSize(calls.length);
      // Instead of one time-out after another.
      for (const call of [...calls, ...(isNodeError(error) ? queuedCalls.splice(0) : [])]) call.reject(error);
    }
  }

  function requeueInSmallerBatches(calls: readonly Call[], requestedSize: number): void {
    shrinkBatchSize(requestedSize);
    queuedCalls = [...calls, ...queuedCalls];
  }

  function shrinkBatchSize(requestedSize: number): void {
    const halfSize = requestedSize > 1 ? requestedSize >> 1 : 1;
    currentBatchSize = halfSize < currentBatchSize ? halfSize : currentBatchSize;
    refusedAt = performance.now();
  }

  /** By id. Throws if no response has an id. */
  async function postBatch(calls: readonly Call[]): Promise<ReadonlyMap<string, RpcResponse>> {
    const method = calls.length === 1 ? (calls[0]?.method ?? '') : `${calls.length} calls`;
    const createHttpError = (details: string, status?: number) =>
      new HttpRequestError({ body: { method }, url: name, details, ...(status !== undefined && { status }) });
    const createTimeoutError = () => new TimeoutError({ body: { method }, url: name });
    if (performance.now() < pausedUntil) throw createTimeoutError();
    const bodies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, method: call.method, params: call.params }));
    const body = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies);
    const { status, text } = await fetchText(
      url,
      { timeoutMs, maxBytes, signal },
      { method: 'POST', headers: { 'content-type': 'application/json' }, body },
    ).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      if (!(error instanceof FetchLimitError)) throw createHttpError(describeError(readCause(error)).message);
      if (error.limit === 'size') throw createHttpError('the response is too large', 413);
      pausedUntil = performance.now() + pauseMs;
      throw createTimeoutError();
    });
    const parsedBody = parseJson(text);
    const foundResponses = indexResponses(parsedBody, calls);
    if (foundResponses.size > 0) return foundResponses;
    const batchError = parseRpcError(Array.isArray(parsedBody) ? parsedBody[0] : parsedBody);
    if (batchError && status !== 429) throw new RpcRequestError({ body: { method }, url: name, error: batchError });
    throw createHttpError(status >= 200 && status < 300 ? 'the response is not JSON-RPC' : truncateError(text), status);
  }

  function settleCall(call: Call, responsesById: ReadonlyMap<string, RpcResponse>, isBatch: boolean): boolean {
    const rpcResponse = responsesById.get(String(call.id));
    if (!rpcResponse) return false;
    if ('result' in rpcResponse) {
      call.resolve(rpcResponse.result);
      return true;
    }
    const error = new RpcRequestError({ body: { method: call.method }, url: name, error: rpcResponse.error });
    if (isBatch && classifyRpcError(error) === 'batchRefused') return false;
    call.reject(error);
    return true;
  }

  return custom({ request }, { key: 'node', name, retryCount: 0 });
}

function isAboutBatch(error: unknown): boolean {
  if (error instanceof RpcRequestError) return true; // one error for the whole batch
  return error instanceof HttpRequestError && error.status !== undefined && error.status !== 401 && error.status !== 403;
}

const nodeProblems: ReadonlySet<RpcProblem> = new Set(['timeout', 'unreachable', 'rateLimited']);
const isNodeError = (error: unknown): boolean => error instanceof DOMException || nodeProblems.has(classifyRpcError(error));

interface RpcFailure {
  code: number;
  message: string;
  data?: unknown;
}
type RpcResponse = { result: unknown } | { error: RpcFailure };

function indexResponses(parsedBody: unknown, calls: readonly Call[]): ReadonlyMap<string, RpcResponse> {
  const requestedIds = new Set(calls.map(({ id }) => String(id)));
  const responsesById = new Map<string, RpcResponse>();
  for (const responseItem of Array.isArray(parsedBody) ? (parsedBody as unknown[]) : [parsedBody]) {
    if (!isObject(responseItem)) continue;
    const id = String(responseItem['id']);
    if (!requestedIds.has(id)) continue;
    const error = parseRpcError(responseItem);
    if (error) responsesById.set(id, { error });
    else if ('result' in responseItem) responsesById.set(id, { result: responseItem['result'] });
  }
  return responsesById;
}

function parseRpcError(rpcResponse: unknown): RpcFailure | null {
  const error = isObject(rpcResponse) ? rpcResponse['error'] : null;
  if (!isObject(error)) return typeof error === 'string' ? { code: 0, message: truncateError(error) } : null;
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' ? code : 0,
    message: truncateError(typeof message === 'string' ? message : ''),
    ...(data !== undefined && { data }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const truncateError = (text: string): string => redactShort(text, 500);
