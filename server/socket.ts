import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './platform/core/config.ts';
import { StartError } from './platform/core/start-error.ts';
import type { Http } from './platform/http/http.ts';
import type { Peer } from './platform/http/network.ts';

/** Listens where the configuration says; answers the port. Throws StartError for what the operator can put right. */
export function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartError(`Port ${port} is taken by another program: stop that one, or set PORT.`));
      else if (error.code === 'EACCES')
        reject(new StartError(`Port ${port} needs rights this user does not have: set PORT to 1024 or higher.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StartError(`HOST ${host} is no address of this machine.`));
      else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : port);
    });
  });
}

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
  const isCheck = /^\/(healthz|readyz)$/.test(new URL(request.url).pathname);
  const app = isCheck ? null : await Promise.race([ready, sleep(startMs, null, { ref: false })]);
  return app ? app.fetch(request, peer) : new Response('starting\n', { status: 503, headers: { 'retry-after': '1' } });
}
