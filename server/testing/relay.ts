import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onCleanup } from './cleanup.ts';

export interface Relay {
  /** The given URL, through the relay. */
  readonly url: string;
  /** Like a machine that is down: connections end and new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** A database behind a connection that a test can cut. */
export async function startRelay(targetUrl: string): Promise<Relay> {
  const { hostname, port } = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let relayPort = 0;
  const startListening = async () => {
    server = createServer((socket) => {
      const upstreamSocket = connect(Number(port), hostname);
      for (const openSocket of [socket, upstreamSocket]) {
        sockets.add(openSocket);
        openSocket.on('error', () => {});
        openSocket.on('close', () => {
          sockets.delete(openSocket);
          socket.destroy();
          upstreamSocket.destroy();
        });
      }
      socket.pipe(upstreamSocket).pipe(socket);
    });
    server.listen(relayPort, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) relayPort = address.port;
  };
  const closeConnections = async () => {
    const serverClosed = new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    for (const socket of sockets) socket.destroy();
    await serverClosed;
    server = null;
  };
  await startListening();
  onCleanup(closeConnections);
  return {
    url: Object.assign(new URL(targetUrl), { port: String(relayPort) }).href,
    cut: closeConnections,
    restore: startListening,
  };
}
