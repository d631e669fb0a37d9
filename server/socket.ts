import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Http } from './platform/http/http.ts';
import type { Peer } from './platform/http/network.ts';
import { version } from './platform/core/version.ts';

/** Unlike `http.Server.close`, keeps idle connections open, because a proxy may be sending on one. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

const startTimeoutMs = 10_000;

/** Requests before the start has finished wait, because a balancer without health checks sends them. */
export async function respondWhileStarting(
  { ready, build }: { ready: Promise<Http>; build: string | null },
  request: Request,
  peer?: Peer,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  // 200, so that no supervisor ends a process that is still starting.
  if (pathname === '/healthz') return Response.json({ status: 'starting', version, build });
  const app = pathname === '/readyz' ? null : await Promise.race([ready, sleep(startTimeoutMs, null, { ref: false })]);
  return app ? app.fetch(request, peer) : new Response('starting\n', { status: 503, headers: { 'retry-after': '1' } });
}
