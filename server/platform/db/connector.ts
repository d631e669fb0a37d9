import pg from 'pg';
import type { Log } from '../core/log.ts';
import { ObservedClient } from './observed-client.ts';
import { onPrimary, Primary } from './primary.ts';
import { databaseHosts } from './url.ts';

/** The one place where connections are made: to the one host of a connection string, or to the one of several that takes writes. */
export interface Connector {
  /** A pool; `Client` is the kind of its connections. */
  newPool(options: pg.PoolConfig, Client: typeof pg.Client): pg.Pool;
  /** A connection by itself, not yet made. */
  newClient(options: pg.ClientConfig): pg.Client;
  close(): void;
}

/** A machine that is gone without a word is noticed also by who only waits, and no firewall forgets a connection that is still. */
const alive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Nothing is connected yet. */
export function connectorTo(url: string, log: Log): Connector {
  const hosts = databaseHosts(url);
  const primary = hosts.readWrite ? new Primary(hosts, log) : null;
  const there = (Client: typeof pg.Client) => (primary ? onPrimary(Client, primary) : Client);
  const [connectionString] = hosts.urls;
  return {
    newPool: (options, Client) => new pg.Pool({ connectionString, ...alive, ...options, Client: there(Client) }),
    newClient: (options) => {
      const client = new (there(ObservedClient))({ connectionString, ...alive, ...options });
      client.on('error', () => {}); // whoever reads hears of it; without a listener it ends the process
      return client;
    },
    close: () => primary?.close(),
  };
}
