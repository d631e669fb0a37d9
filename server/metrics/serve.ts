import { createServer, type Server } from 'node:http';
import { listen, formatOrigin } from '../platform/http/listen.ts';
import type { Registry } from 'prom-client';

export { createMetrics } from './registry.ts';

/** `/metrics` on a separate port. Throws StartError if the port is taken. */
export async function serveMetrics(
  registry: Registry,
  listenAddress: { host: string; port: number },
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 }, (request, response) => {
    const isMetricsRequest = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    const text = isMetricsRequest ? registry.metrics() : Promise.resolve(null);
    text.then(
      (metricsText) =>
        response
          .writeHead(metricsText === null ? 404 : 200, { 'content-type': registry.contentType })
          .end(metricsText ?? 'not found\n'),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 20;
  const port = await listen(server, listenAddress, { port: 'METRICS_PORT', host: 'METRICS_HOST' });
  return { url: `${formatOrigin(listenAddress.host, port)}/metrics`, stop: () => close(server) };
}

function close(server: Server): Promise<void> {
  const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return serverClosed;
}
