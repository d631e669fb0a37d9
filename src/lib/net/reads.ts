import { mostReads } from '../../../api/reads.ts';
import { hear } from './connectivity.ts';
import { ApiError, outputOf, ownHeaders, post, requestIdOf, type Send } from './client.ts';

interface Waiting {
  path: readonly string[];
  input: unknown;
  resolve: (output: unknown) => void;
  reject: (reason: unknown) => void;
}

/**
 * Sends what screens read together, for `apiFor`: the calls of one moment that end by one signal are one request, and each has its
 * answer as soon as the server has it. A connection has six requests at a time at most, and each takes its way there and back.
 */
export function readingTogether(): Send {
  const waiting = new Map<AbortSignal | undefined, Waiting[]>();
  return (path, input, _context, signal) =>
    new Promise((resolve, reject) => {
      const call = { path, input, resolve, reject };
      const others = waiting.get(signal);
      if (others) return void others.push(call);
      waiting.set(signal, [call]);
      queueMicrotask(() => {
        const calls = waiting.get(signal) ?? [];
        waiting.delete(signal);
        for (let at = 0; at < calls.length; at += mostReads) void ask(calls.slice(at, at + mostReads), signal);
      });
    });
}

async function ask(calls: readonly Waiting[], signal: AbortSignal | undefined): Promise<void> {
  try {
    const [only] = calls;
    if (only && calls.length === 1) return only.resolve(await post(only.path, only.input, {}, signal));
    const response = await fetch('/rpc/reads', {
      method: 'POST',
      headers: { ...ownHeaders(), 'content-type': 'application/json' },
      body: JSON.stringify({ calls: calls.map(({ path, input }) => ({ path: path.join('/'), input })) }),
      credentials: 'same-origin',
      ...(signal ? { signal } : {}),
    });
    hear(response);
    const requestId = requestIdOf(response);
    if (!response.ok) outputOf(await response.json().catch(() => null), response.status, requestId);
    for await (const line of linesOf(response)) {
      const { at, status, ...answer } = JSON.parse(line) as { at: number; status: number };
      try {
        calls[at]?.resolve(outputOf(answer, status, requestId));
      } catch (refused) {
        calls[at]?.reject(refused);
      }
    }
    throw new ApiError('UNAVAILABLE', requestId); // for those that had no answer
  } catch (error) {
    for (const { reject } of calls) reject(error); // who has an answer keeps it
  }
}

/** The lines of an answer as they come. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
