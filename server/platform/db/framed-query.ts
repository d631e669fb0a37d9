import pg from 'pg';

/** A connection of pg's, as its own queries speak to PostgreSQL through it. */
interface Wire {
  parse(statement: { text: string }): void;
  bind(values: { valueMapper: (value: unknown) => unknown }): void;
  execute(portal: { rows: number }): void;
  sync(): void;
}

/** What pg's query does that its types leave out. */
interface Inner {
  prepare(wire: Wire): void;
  handleCommandComplete(message: { text: string }, wire: Wire): void;
}
const inner = pg.Query.prototype as unknown as Inner;

interface Frame {
  begins: boolean;
  commits: boolean;
}

/**
 * A statement that begins its transaction on the same way to PostgreSQL, or ends it, where each took a way there and back of its own.
 * All of it is one group of messages up to one `sync`: what comes after something that failed is not done. So nothing runs outside
 * of a transaction that could not begin, and nothing is committed after a statement that failed. One with a name must be known to
 * the connection, since pg counts the answers to `parse`.
 */
export class FramedQuery extends pg.Query {
  readonly result: Promise<pg.QueryResult>;
  readonly #frame: Frame;
  #completed = 0;
  /** Where a transaction cannot be committed, PostgreSQL rolls it back and calls that no error. */
  #isUndone = false;

  constructor(query: pg.QueryConfig, frame: Frame) {
    super({ ...query, queryMode: 'extended' } as pg.QueryConfig);
    this.#frame = frame;
    this.result = new Promise((resolve, reject) => {
      const callback = (error: Error | null, result: pg.QueryResult) => {
        if (error) reject(error);
        else if (this.#isUndone) reject(new Error('the transaction was rolled back'));
        else resolve(result);
      };
      Object.assign(this, { callback });
    });
  }

  prepare(wire: Wire): void {
    if (this.#frame.begins) tell(wire, 'begin');
    inner.prepare.call(this as unknown as Inner, wire);
  }

  /** How pg ends what it says of a statement. */
  _getRows(wire: Wire): void {
    wire.execute({ rows: 0 });
    if (this.#frame.commits) tell(wire, 'commit');
    wire.sync();
  }

  /** Each statement of the group is answered for; what is kept is the own one's. */
  handleCommandComplete(message: { text: string }, wire: Wire): void {
    if (message.text === 'ROLLBACK') this.#isUndone = true;
    if (this.#completed++ === Number(this.#frame.begins))
      inner.handleCommandComplete.call(this as unknown as Inner, message, wire);
  }
}

function tell(wire: Wire, text: string): void {
  wire.parse({ text });
  wire.bind({ valueMapper: String });
  wire.execute({ rows: 0 });
}
