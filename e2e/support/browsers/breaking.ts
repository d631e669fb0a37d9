import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Drops one file, for browsers whose requests cannot be intercepted. */
export interface BreakingProxy {
  readonly url: string;
  breaks(file: string, failureKind: 'missing' | 'cut off'): void;
  mend(): void;
  stop(): void;
}

export async function startBreakingProxy(panel: string): Promise<BreakingProxy> {
  let brokenFile: { file: string; how: 'missing' | 'cut off' } | null = null;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers } = incoming;
    const upstreamRequest = request(
      new URL(incoming.url ?? '/', panel),
      { method: method ?? 'GET', headers },
      (upstreamResponse) => {
        outgoing.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(outgoing);
      },
    );
    upstreamRequest.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstreamRequest.destroy());
    incoming.pipe(upstreamRequest);
  };
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== brokenFile?.file) forward(incoming, outgoing);
    else if (brokenFile?.how === 'missing') outgoing.writeHead(404).end();
    else incoming.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    breaks: (file, failureKind) => void (brokenFile = { file, how: failureKind }),
    mend: () => void (brokenFile = null),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
