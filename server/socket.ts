import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Http } from './platform/http/http.ts';
import type { Peer } from './platform/http/network.ts';

/** Unlike HTTP's own close, keeps idle connections, on which a proxy may just be sending. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

const startMs = 10_000;

/** Requests before the start has finished wait, because a balancer without health checks sends them. */
export async function whileStarting(ready: Promise<Http>, request: Request, peer?: Peer): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/healthz') return new Response('starting\n'); // a liveness check must not fail during the start
  const app = pathname === '/readyz' ? null : await Promise.race([ready, sleep(startMs, null, { ref: false })]);
  return app ? app.fetch(request, peer) : new Response('starting\n', { status: 503, headers: { 'retry-after': '1' } });
}
