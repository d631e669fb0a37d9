import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import pg from 'pg';
import { codeOf } from '../core/error-code.ts';
import type { Log } from '../core/log.ts';
import type { DatabaseHosts } from '../core/database-url.ts';

/** Milliseconds. `others`: for further hosts once one is writable. */
const clocks = { ask: 1_000, others: 300, pause: 200, search: 2_000, watch: 2_000 };

export class NoPrimary extends Error {
  override name = 'NoPrimary';
  readonly code = '57P03';
}

interface Answer {
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

  /** Index of the host. Waits briefly for a promotion. Throws NoPrimary. */
  find(): Promise<number> {
    if (this.#at !== null) return Promise.resolve(this.#at);
    return (this.#finding ??= this.#search().finally(() => (this.#finding = null)));
  }

  placeOf(at: number): { host: string; port: number } {
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(this.#hosts.names[at] ?? '') ?? [];
    return { host, port: Number(port) };
  }

  doubt(): void {
    this.#at = null;
  }

  /** Cuts the connection once another host is primary. */
  hold(client: pg.Client, at: number, socket: Socket): void {
    this.#clients.set(client, { at, socket });
    client.once('end', () => this.#clients.delete(client));
    client.on('error', () => this.#at === at && this.doubt());
    this.#timer ??= setInterval(() => void this.#watch(), clocks.watch).unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #search(): Promise<number> {
    const end = Date.now() + clocks.search;
    for (;;) {
      const answers = await this.#round();
      const found = this.#choose(answers);
      if (found !== null) return found;
      const refused = answers.find(({ error }) => /^(28|3D)...$/.test(codeOf(error) ?? ''));
      if (refused) throw refused.error;
      if (Date.now() + clocks.pause >= end) throw this.#why(answers);
      await sleep(clocks.pause);
    }
  }

  #why(answers: readonly Answer[]): unknown {
    const dead = answers.find(({ error }) => error !== undefined);
    const isAnswered = answers.some(({ error }) => error === undefined);
    return isAnswered || !dead ? new NoPrimary(`none of ${this.#hosts.names.join(', ')} accepts writes`) : dead.error;
  }

  /** Once one host is writable, the others get a moment to respond. */
  async #round(): Promise<Answer[]> {
    const answers: Answer[] = [];
    let hurry = () => {};
    const hurried = new Promise<void>((resolve) => (hurry = resolve));
    const all = this.#hosts.urls.map(async (url, at) => {
      const answer = await askServer(url, at);
      answers.push(answer);
      if (answer.timeline !== null) setTimeout(hurry, clocks.others).unref();
    });
    await Promise.race([Promise.all(all), hurried]);
    return answers.toSorted((a, b) => a.at - b.at);
  }

  #choose(answers: readonly Answer[]): number | null {
    const writing = answers.filter((answer): answer is Answer & { timeline: number } => answer.timeline !== null);
    const newest = Math.max(this.#timeline, ...writing.map(({ timeline }) => timeline));
    const [found] = writing.filter(({ timeline }) => timeline === newest);
    const late = writing.filter(({ timeline }) => timeline < newest).map(({ at }) => this.#hosts.names[at]);
    if (late.length > 0) this.#log.error({ hosts: late }, 'an old primary still accepts writes: stop it');
    if (!found) return null;
    if (this.#at !== found.at)
      this.#log.info({ host: this.#hosts.names[found.at], timeline: newest }, 'writing to this database host');
    this.#at = found.at;
    this.#timeline = newest;
    return found.at;
  }

  async #watch(): Promise<void> {
    const at = this.#choose(await this.#round());
    if (at === null) return;
    for (const held of this.#clients.values()) if (held.at !== at) cut(held.socket);
  }
}

async function askServer(url: string, at: number): Promise<Answer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: clocks.ask,
    query_timeout: clocks.ask,
    application_name: 'admin-panel primary?',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(
      `select case when current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery()
         then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`,
    );
    return { at, timeline: rows[0]?.timeline ?? null };
  } catch (error) {
    return { at, timeline: null, error };
  } finally {
    client.end().catch(() => {});
  }
}

/** A dead host would block callers for 15 minutes. */
const cut = (socket: Socket) =>
  socket.destroy(Object.assign(new Error('Connection terminated: another host is the primary now'), { code: 'ECONNRESET' }));

export function clientOfPrimary(Base: typeof pg.Client, primary: Primary): typeof pg.Client {
  return class extends Base {
    constructor(options?: string | pg.ClientConfig) {
      const socket = new Socket();
      super({ ...(typeof options === 'string' ? { connectionString: options } : options), stream: () => socket });
      const connect = this.connect.bind(this) as () => Promise<unknown>;
      const connectThere = async () => {
        const at = await primary.find();
        const { host, port } = primary.placeOf(at);
        Object.assign(this, { host, port });
        await connect().catch((error: unknown) => {
          primary.doubt();
          throw error;
        });
        primary.hold(this, at, socket);
      };
      const connectThen = callbackify(connectThere);
      this.connect = ((done?: (error: Error | null) => void) =>
        done ? connectThen(done) : connectThere()) as pg.Client['connect'];
    }
  };
}
