import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../core/start-error.ts';

/** Held until `release` or the process ends. Throws StartError. */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  // PostgreSQL may run as another user.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const realFolder = realpathSync(folder);
  const name = `admin-panel-${createHash('sha256').update(realFolder).digest('hex').slice(0, 24)}`;
  // The kernel frees an abstract socket. A socket file without a listener is stale.
  const usesAbstractSocket = process.platform === 'linux';
  const address = usesAbstractSocket ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  let server = await listenOnSocket(address);
  if (!server && !usesAbstractSocket && !(await isListening(address))) {
    rmSync(address, { force: true });
    server = await listenOnSocket(address);
  }
  if (!server)
    throw new StartError(`The data folder ${realFolder} is in use by another running server. Stop that server or set DATA_DIR.`);
  const heldServer = server;
  return { release: () => void heldServer.close() };
}

function listenOnSocket(address: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(address, () => resolve(server));
  });
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
