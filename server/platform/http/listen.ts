import type { Server } from 'node:http';
import { StartError } from '../core/start-error.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const formatOrigin = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Throws StartError naming the variable to change. */
export function listen(
  server: Server,
  { host, port }: ListenAddress,
  variableNames = { port: 'PORT', host: 'HOST' },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartError(`Port ${port} is in use by another program. Stop that program or set ${variableNames.port}.`));
      else if (error.code === 'EACCES')
        reject(new StartError(`This user may not use port ${port}. Set ${variableNames.port} to 1024 or higher.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StartError(`${variableNames.host} is ${host}, which isn’t an address of this machine.`));
      else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : port);
    });
  });
}
