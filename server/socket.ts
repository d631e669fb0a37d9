import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Http } from './platform/http/http.ts';
import type { Peer } from './platform/http/network.ts';

/**
 * Takes no connection any more; resolves when the last one has gone. HTTP's own close would cut those that are idle as
 * well, and with them the request that a proxy is just sending on one.
 */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

const startMs = 10_000;

/** A request that comes before the application is there waits for it: a balancer that asks nobody's health sends them at once. */
export async function whileStarting(ready: Promise<Http>, request: Request, peer?: Peer): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/healthz') return new Response('starting\n'); // who asks whether it lives must not end it for that
  const app = pathname === '/readyz' ? null : await Promise.race([ready, sleep(startMs, null, { ref: false })]);
  return app ? app.fetch(request, peer) : new Response('starting\n', { status: 503, headers: { 'retry-after': '1' } });
}
