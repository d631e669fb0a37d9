import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import pg from 'pg';
import { getDatabaseErrorCode } from '../core/error-code.ts';
import type { Log } from '../core/log.ts';
import type { DatabaseHosts } from '../core/database-url.ts';

/** Milliseconds. `others`: for further hosts once one is writable. */
const timeouts = { ask: 1_000, others: 300, pause: 200, search: 2_000, watch: 2_000 };

export class NoPrimaryError extends Error {
  override name = 'NoPrimary';
  readonly code = '57P03';
}

interface HostStatus {
  readonly at: number;
  /** Increases with promotions. Null: read-only. */
  readonly timeline: number | null;
  readonly error?: unknown;
}

/** If two hosts are writable, the higher timeline wins and a lower one is never accepted again. */
export class Primary {
  readonly #hosts: DatabaseHosts;
  readonly #log: Log;
  readonly #clients = new Map<pg.Client, { at: number; socket: Socket }>();
  #at: number | null = null;
  #timeline = 0;
  #finding: Promise<number> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(hosts: DatabaseHosts, log: Log) {
    this.#hosts = hosts;
    this.#log = log;
  }

  /** Index of the host. Waits briefly for a promotion. Throws NoPrimaryError. */
  find(): Promise<number> {
    if (this.#at !== null) return Promise.resolve(this.#at);
    return (this.#finding ??= this.#search().finally(() => (this.#finding = null)));
  }

  placeOf(hostIndex: number): { host: string; port: number } {
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(this.#hosts.names[hostIndex] ?? '') ?? [];
    return { host, port: Number(port) };
  }

  doubt(): void {
    this.#at = null;
  }

  /** Cuts the connection once another host is primary. */
  hold(client: pg.Client, hostIndex: number, socket: Socket): void {
    this.#clients.set(client, { at: hostIndex, socket });
    client.once('end', () => this.#clients.delete(client));
    client.on('error', () => this.#at === hostIndex && this.doubt());
    this.#timer ??= setInterval(() => void this.#watch(), timeouts.watch).unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #search(): Promise<number> {
    const deadline = Date.now() + timeouts.search;
    for (;;) {
      const hostStatuses = await this.#round();
      const primaryIndex = this.#choose(hostStatuses);
      if (primaryIndex !== null) return primaryIndex;
      const rejectingHost = hostStatuses.find(({ error }) => /^(28|3D)...$/.test(getDatabaseErrorCode(error) ?? ''));
      if (rejectingHost) throw rejectingHost.error;
      if (Date.now() + timeouts.pause >= deadline) throw this.#why(hostStatuses);
      await sleep(timeouts.pause);
    }
  }

  #why(hostStatuses: readonly HostStatus[]): unknown {
    const failedHost = hostStatuses.find(({ error }) => error !== undefined);
    const isAnswered = hostStatuses.some(({ error }) => error === undefined);
    return isAnswered || !failedHost
      ? new NoPrimaryError(`none of ${this.#hosts.names.join(', ')} accepts writes`)
      : failedHost.error;
  }

  /** Once one host is writable, the others get a moment to respond. */
  async #round(): Promise<HostStatus[]> {
    const hostStatuses: HostStatus[] = [];
    let finishEarly = () => {};
    const earlyFinish = new Promise<void>((resolve) => (finishEarly = resolve));
    const pendingStatuses = this.#hosts.urls.map(async (url, hostIndex) => {
      const hostStatus = await readHostStatus(url, hostIndex);
      hostStatuses.push(hostStatus);
      if (hostStatus.timeline !== null) setTimeout(finishEarly, timeouts.others).unref();
    });
    await Promise.race([Promise.all(pendingStatuses), earlyFinish]);
    return hostStatuses.toSorted((a, b) => a.at - b.at);
  }

  #choose(hostStatuses: readonly HostStatus[]): number | null {
    const writableHosts = hostStatuses.filter(
      (hostStatus): hostStatus is HostStatus & { timeline: number } => hostStatus.timeline !== null,
    );
    const newestTimeline = Math.max(this.#timeline, ...writableHosts.map(({ timeline }) => timeline));
    const [primaryStatus] = writableHosts.filter(({ timeline }) => timeline === newestTimeline);
    const outdatedHosts = writableHosts
      .filter(({ timeline }) => timeline < newestTimeline)
      .map(({ at: hostIndex }) => this.#hosts.names[hostIndex]);
    if (outdatedHosts.length > 0) this.#log.error({ hosts: outdatedHosts }, 'an old primary still accepts writes: stop it');
    if (!primaryStatus) return null;
    if (this.#at !== primaryStatus.at)
      this.#log.info({ host: this.#hosts.names[primaryStatus.at], timeline: newestTimeline }, 'writing to this database host');
    this.#at = primaryStatus.at;
    this.#timeline = newestTimeline;
    return primaryStatus.at;
  }

  async #watch(): Promise<void> {
    const hostIndex = this.#choose(await this.#round());
    if (hostIndex === null) return;
    for (const heldClient of this.#clients.values()) if (heldClient.at !== hostIndex) closeSocket(heldClient.socket);
  }
}

async function readHostStatus(url: string, hostIndex: number): Promise<HostStatus> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeouts.ask,
    query_timeout: timeouts.ask,
    application_name: 'admin-panel primary?',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(
      `select case when current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery()
         then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`,
    );
    return { at: hostIndex, timeline: rows[0]?.timeline ?? null };
  } catch (error) {
    return { at: hostIndex, timeline: null, error };
  } finally {
    client.end().catch(() => {});
  }
}

/** A dead host would block callers for 15 minutes. */
const closeSocket = (socket: Socket) =>
  socket.destroy(Object.assign(new Error('Connection terminated: another host is the primary now'), { code: 'ECONNRESET' }));

export function createPrimaryClient(Base: typeof pg.Client, primary: Primary): typeof pg.Client {
  return class extends Base {
    constructor(options?: string | pg.ClientConfig) {
      const socket = new Socket();
      super({ ...(typeof options === 'string' ? { connectionString: options } : options), stream: () => socket });
      const connect = this.connect.bind(this) as () => Promise<unknown>;
      const connectToPrimary = async () => {
        const hostIndex = await primary.find();
        const { host, port } = primary.placeOf(hostIndex);
        Object.assign(this, { host, port });
        await connect().catch((error: unknown) => {
          primary.doubt();
          throw error;
        });
        primary.hold(this, hostIndex, socket);
      };
      const connectWithCallback = callbackify(connectToPrimary);
      this.connect = ((callback?: (error: Error | null) => void) =>
        callback ? connectWithCallback(callback) : connectToPrimary()) as pg.Client['connect'];
    }
  };
}
