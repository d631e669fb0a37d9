import pg from 'pg';
import type { Log } from '../core/log.ts';
import { ObservedClient } from './observed-client.ts';
import { createPrimaryClient, Primary } from './primary.ts';
import { parseDatabaseHosts } from '../core/database-url.ts';

export interface Connector {
  newPool(options: pg.PoolConfig, Client: typeof pg.Client): pg.Pool;
  newClient(options: pg.ClientConfig): pg.Client;
  close(): void;
}

/** Detects dead hosts and keeps firewalls from dropping idle connections. */
const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

export function createConnector(url: string, log: Log): Connector {
  const hosts = parseDatabaseHosts(url);
  const primary = hosts.readWrite ? new Primary(hosts, log) : null;
  const clientClassFor = (Client: typeof pg.Client) => (primary ? createPrimaryClient(Client, primary) : Client);
  const [connectionString] = hosts.urls;
  return {
    newPool: (options, Client) =>
      new pg.Pool({ connectionString, ...keepAliveOptions, ...options, Client: clientClassFor(Client) }),
    newClient: (options) => {
      const client = new (clientClassFor(ObservedClient))({ connectionString, ...keepAliveOptions, ...options });
      client.on('error', () => {}); // unhandled, it would end the process; queries report it
      return client;
    },
    close: () => primary?.close(),
  };
}
