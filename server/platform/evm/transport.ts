import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem';
import { causeOf, FetchLimitError, fetchText } from '../core/bounded-fetch.ts';
import { describeError } from '../core/log.ts';
import { redactShort } from '../core/redact.ts';
import { rpcProblemOf, type RpcProblem } from './rpc-problem.ts';

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

const concurrency = 8;
/** Then whole batches are tried again. */
const forgetRefusalMs = 60_000;

/** Never retries. Splits batches that a node refuses. Errors contain neither the node's URL nor parameters. */
export function nodeTransport(
  url: string,
  { timeoutMs = 5_000, maxBytes = 16 * 1024 * 1024, batchSize = 100, restMs = 0, signal }: TransportOptions = {},
): CustomTransport {
  const { host: name } = new URL(url);
  let waiting: Call[] = [];
  let isScheduled = false;
  let active = 0;
  let nextId = 1;
  let size = batchSize;
  let refusedAt = 0;
  let restsUntil = 0;

  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ id: nextId++, method, params: params ?? [], resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        pump();
      });
    });

  function pump(): void {
    if (size < batchSize && performance.now() - refusedAt > forgetRefusalMs) size = batchSize;
    while (active < concurrency && waiting.length > 0) {
      const calls = waiting.slice(0, size);
      waiting = waiting.slice(calls.length);
      active++;
      void send(calls).finally(() => {
        active--;
        pump();
      });
    }
  }

  async function send(calls: readonly Call[]): Promise<void> {
    const [first] = calls;
    if (!first) return;
    try {
      const answers = await post(calls);
      const unanswered = calls.filter((call) => !settle(call, answers, calls.length > 1));
      if (unanswered.length > 0) askSmaller(unanswered, calls.length);
    } catch (error) {
      if (calls.length > 1 && isAboutBatch(error)) return askSmaller(calls, calls.length);
      if (rpcProblemOf(error) === 'timeout') shrink(calls.length);
      // Instead of one time-out after another.
      for (const call of [...calls, ...(isOfNode(error) ? waiting.splice(0) : [])]) call.reject(error);
    }
  }

  function askSmaller(calls: readonly Call[], requested: number): void {
    shrink(requested);
    waiting = [...calls, ...waiting];
  }

  function shrink(requested: number): void {
    const half = requested > 1 ? requested >> 1 : 1;
    size = half < size ? half : size;
    refusedAt = performance.now();
  }

  /** By id. Throws if no response has an id. */
  async function post(calls: readonly Call[]): Promise<ReadonlyMap<string, Answer>> {
    const method = calls.length === 1 ? (calls[0]?.method ?? '') : `${calls.length} calls`;
    const failed = (details: string, status?: number) =>
      new HttpRequestError({ body: { method }, url: name, details, ...(status !== undefined && { status }) });
    const late = () => new TimeoutError({ body: { method }, url: name });
    if (performance.now() < restsUntil) throw late();
    const bodies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, method: call.method, params: call.params }));
    const body = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies);
    const { status, text } = await fetchText(
      url,
      { timeoutMs, maxBytes, signal },
      { method: 'POST', headers: { 'content-type': 'application/json' }, body },
    ).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      if (!(error instanceof FetchLimitError)) throw failed(describeError(causeOf(error)).message);
      if (error.limit === 'size') throw failed('the response is too large', 413);
      restsUntil = performance.now() + restMs;
      throw late();
    });
    const parsed = parse(text);
    const found = answersOf(parsed, calls);
    if (found.size > 0) return found;
    const refusal = errorOf(Array.isArray(parsed) ? parsed[0] : parsed);
    if (refusal && status !== 429) throw new RpcRequestError({ body: { method }, url: name, error: refusal });
    throw failed(status >= 200 && status < 300 ? 'the response is not JSON-RPC' : shortText(text), status);
  }

  function settle(call: Call, answers: ReadonlyMap<string, Answer>, isBatch: boolean): boolean {
    const answer = answers.get(String(call.id));
    if (!answer) return false;
    if ('result' in answer) {
      call.resolve(answer.result);
      return true;
    }
    const error = new RpcRequestError({ body: { method: call.method }, url: name, error: answer.error });
    if (isBatch && rpcProblemOf(error) === 'batchRefused') return false;
    call.reject(error);
    return true;
  }

  return custom({ request }, { key: 'node', name, retryCount: 0 });
}

function isAboutBatch(error: unknown): boolean {
  if (error instanceof RpcRequestError) return true; // one error for the whole batch
  return error instanceof HttpRequestError && error.status !== undefined && error.status !== 401 && error.status !== 403;
}

const ofNode: ReadonlySet<RpcProblem> = new Set(['timeout', 'unreachable', 'rateLimited']);
const isOfNode = (error: unknown): boolean => error instanceof DOMException || ofNode.has(rpcProblemOf(error));

interface RpcFailure {
  code: number;
  message: string;
  data?: unknown;
}
type Answer = { result: unknown } | { error: RpcFailure };

function answersOf(parsed: unknown, calls: readonly Call[]): ReadonlyMap<string, Answer> {
  const requested = new Set(calls.map(({ id }) => String(id)));
  const answers = new Map<string, Answer>();
  for (const one of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
    if (!isObject(one)) continue;
    const id = String(one['id']);
    if (!requested.has(id)) continue;
    const error = errorOf(one);
    if (error) answers.set(id, { error });
    else if ('result' in one) answers.set(id, { result: one['result'] });
  }
  return answers;
}

function errorOf(answer: unknown): RpcFailure | null {
  const error = isObject(answer) ? answer['error'] : null;
  if (!isObject(error)) return typeof error === 'string' ? { code: 0, message: shortText(error) } : null;
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' ? code : 0,
    message: shortText(typeof message === 'string' ? message : ''),
    ...(data !== undefined && { data }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const shortText = (text: string): string => redactShort(text, 500);
