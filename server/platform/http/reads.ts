import { traverseContractProcedures, type AnyRouter } from '@orpc/server';
import * as z from 'zod/mini';
import type { RouteMeta } from '../../../api/base.ts';
import { contract } from '../../../api/contract.ts';
import { mostReads } from '../../../api/reads.ts';
import type { RequestContext } from '../core/context.ts';
import { failure } from '../core/errors.ts';
import type { PlainRoute } from './raw-routes.ts';
import { readJson } from './request-body.ts';
import { contextWithin, note } from './request-context.ts';
import { createRpc } from './rpc.ts';
import { noteRunning } from './running.ts';

const patienceMs = 10_000;
const atOnce = 4; // of one request: it leaves the others of the database's connections free
const asked = z.strictObject({
  calls: z
    .array(z.strictObject({ path: z.string().check(z.maxLength(200)), input: z.optional(z.unknown()) }))
    .check(z.minLength(1), z.maxLength(mostReads)),
});
type Read = z.infer<typeof asked>['calls'][number];

/**
 * Several reads in one request, `{ calls: [{ path, input }] }`, each answered by a line `{ at, status, json }` as soon as it is there:
 * who is slow holds nobody back. Each is asked for its right when it begins, counted and measured as if it had come alone.
 * Only what a screen reads can be asked like this; a write has a request of its own, with its key and its command.
 */
export function readsTogether(router: AnyRouter): PlainRoute {
  const rpc = createRpc(router);
  const readable = new Set<string>();
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    if ((procedure['~orpc'].meta as RouteMeta).menu) readable.add(path.join('/'));
  });

  async function answer({ path, input }: Read, at: number, outer: RequestContext, url: URL): Promise<string> {
    const began = performance.now();
    const context = contextWithin(outer);
    const address = new URL(`/rpc/${path}`, url);
    const request = {
      url: address,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: () => Promise.resolve({ json: input }),
      signal: undefined,
    };
    const { response } = await rpc.handle(request, { prefix: '/rpc', context });
    const status = response?.status ?? 404;
    note(context, { method: request.method, path: address.pathname, status, began });
    return `${JSON.stringify({ at, status, ...(response?.body as object) })}\n`;
  }

  return {
    method: 'POST',
    path: '/rpc/reads',
    meta: { signedIn: true },
    async handle({ request, context }) {
      const parsed = asked.safeParse(await readJson(request, context.services.config.bodyLimit, patienceMs));
      if (!parsed.success) throw failure('BAD_REQUEST', { issues: [] });
      const { calls } = parsed.data;
      if (!calls.every(({ path }) => readable.has(path))) throw failure('NOT_FOUND');

      const url = new URL(request.url);
      const encoder = new TextEncoder();
      let next = 0;
      let isLeft = false;
      const lines = new ReadableStream<Uint8Array>({
        start(controller) {
          const work = async () => {
            while (next < calls.length && !isLeft) {
              const at = next++;
              const line = await answer(calls[at] as Read, at, context, url);
              if (!isLeft) controller.enqueue(encoder.encode(line));
            }
          };
          // The answer is there before its lines are: a stop waits for them too.
          noteRunning(context.services, Promise.all(Array.from({ length: atOnce }, work))).then(
            () => isLeft || controller.close(),
            (error: unknown) => controller.error(error),
          );
        },
        cancel() {
          isLeft = true; // nobody hears what is still to come
        },
      });
      return new Response(lines, {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      });
    },
  };
}
