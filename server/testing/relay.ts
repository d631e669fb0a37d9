import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { atEnd } from './end.ts';

export interface Relay {
  /** The given URL, through the relay. */
  readonly url: string;
  /** Like a machine that is down: connections end and new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** A database behind a connection that a test can cut. */
export async function startRelay(to: string): Promise<Relay> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let own = 0;
  const restore = async () => {
    server = createServer((socket) => {
      const other = connect(Number(port), hostname);
      for (const one of [socket, other]) {
        sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          socket.destroy();
          other.destroy();
        });
      }
      socket.pipe(other).pipe(socket);
    });
    server.listen(own, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) own = address.port;
  };
  const cut = async () => {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    for (const socket of sockets) socket.destroy();
    await closed;
    server = null;
  };
  await restore();
  atEnd(cut);
  return { url: Object.assign(new URL(to), { port: String(own) }).href, cut, restore };
}
