import pg from 'pg';
import type { Log } from '../core/log.ts';
import { ObservedClient } from './observed-client.ts';
import { clientOfPrimary, Primary } from './primary.ts';
import { databaseHosts } from '../core/database-url.ts';

export interface Connector {
  newPool(options: pg.PoolConfig, Client: typeof pg.Client): pg.Pool;
  newClient(options: pg.ClientConfig): pg.Client;
  close(): void;
}

/** Detects dead hosts and keeps firewalls from dropping idle connections. */
const alive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

export function connectorTo(url: string, log: Log): Connector {
  const hosts = databaseHosts(url);
  const primary = hosts.readWrite ? new Primary(hosts, log) : null;
  const there = (Client: typeof pg.Client) => (primary ? clientOfPrimary(Client, primary) : Client);
  const [connectionString] = hosts.urls;
  return {
    newPool: (options, Client) => new pg.Pool({ connectionString, ...alive, ...options, Client: there(Client) }),
    newClient: (options) => {
      const client = new (there(ObservedClient))({ connectionString, ...alive, ...options });
      client.on('error', () => {}); // unhandled, it would end the process; queries report it
      return client;
    },
    close: () => primary?.close(),
  };
}
