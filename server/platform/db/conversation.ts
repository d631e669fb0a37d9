import type pg from 'pg';
import { FramedQuery } from './framed-query.ts';
import { TransactionClient } from './transaction-client.ts';

type Send = (asked: unknown, values?: unknown[]) => Promise<unknown>;
interface Asked {
  text: string;
  name?: string;
  values?: unknown[];
}

const nothing = Promise.resolve({ rows: [] });

/**
 * The transactions of one of the pool's connections, as drizzle asks for them, in fewer ways to PostgreSQL and back: each begins with
 * its first statement, and may end with its last. A connection through a pooler that lends its sessions is told as drizzle asks.
 */
export class Conversation {
  readonly #client: pg.PoolClient;
  readonly #send: Send;
  readonly #isLent: boolean;
  /** Asked for, and not begun: the first statement will. */
  #isHeld = false;
  /** The first statement, as long as nobody knows that the transaction has begun with it. */
  #beginning: Promise<unknown> | null = null;
  /** Its last statement was said: nothing more is, whatever that comes to, since after a commit that failed it would run by itself. */
  #isEnding = false;
  #isCommitted = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.#send = client.query.bind(client) as Send;
    this.#isLent = client instanceof TransactionClient;
  }

  /** A statement, or the beginning or end of a transaction. */
  query(asked: unknown, values?: unknown[]): Promise<unknown> {
    if (this.#isLent || !isAsked(asked)) return this.#send(asked, values);
    const { text } = asked;
    if (/^begin\b/.test(text)) {
      this.#beginning = null;
      this.#isEnding = this.#isCommitted = false;
      this.#isHeld = text === 'begin'; // one with a level of isolation has to come before anything is read
      return this.#isHeld ? nothing : this.#send(asked);
    }
    const isEnd = text === 'commit' || text === 'rollback';
    if (isEnd && this.#isHeld) {
      this.#isHeld = false;
      return nothing;
    }
    if (isEnd && this.#isCommitted) return nothing;
    if (this.#isEnding && text !== 'rollback') return Promise.reject(new Error('the transaction has ended'));
    // After what is still to be said of the transaction, which would run outside of it.
    if (text === 'rollback' && this.#beginning) return this.#beginning.catch(() => {}).then(() => this.#send(asked));
    return this.#tell(values === undefined ? asked : { ...asked, values }, false);
  }

  /** The last statement of a transaction: what it answers is committed. One that fails leaves it to be rolled back. */
  async last(asked: Asked): Promise<pg.QueryResult> {
    if (this.#isLent) return (await this.#send(asked)) as pg.QueryResult;
    if (this.#isEnding) throw new Error('the transaction has ended');
    const told = this.#tell(asked, true);
    this.#isEnding = true;
    const result = (await told) as pg.QueryResult;
    this.#isCommitted = true;
    return result;
  }

  /** Says it once the transaction has begun, or with its beginning. */
  #tell(asked: Asked, commits: boolean): Promise<unknown> {
    if (this.#isHeld) {
      this.#isHeld = false;
      const first = this.#first(asked, commits);
      this.#beginning = first;
      first.then(
        () => (this.#beginning = null),
        () => {},
      );
      return first;
    }
    const tell = () => (commits ? this.#framed(asked, { begins: false, commits }) : this.#send(asked));
    return this.#beginning ? this.#beginning.then(tell) : tell();
  }

  async #first(asked: Asked, commits: boolean): Promise<unknown> {
    const begins = this.#mayBegin(asked);
    if (!begins) await this.#send({ text: 'begin' });
    return begins || commits ? this.#framed(asked, { begins, commits }) : this.#send(asked);
  }

  #framed(asked: Asked, frame: { begins: boolean; commits: boolean }): Promise<unknown> {
    const query = new FramedQuery(asked, frame);
    void this.#send(query);
    return query.result.catch((error: Error) => {
      Error.captureStackTrace(error); // to who asked, as pg does
      throw error;
    });
  }

  /** One statement, with values or a name that the connection knows: several in one text can be no part of a group. */
  #mayBegin({ name, values }: Asked): boolean {
    if (name === undefined) return values !== undefined && values.length > 0;
    const { connection } = this.#client as unknown as { connection: { parsedStatements: Record<string, string> } };
    return connection.parsedStatements[name] !== undefined;
  }
}

const isAsked = (asked: unknown): asked is Asked =>
  typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string' && !('submit' in asked);
