import { callbackify } from 'node:util';
import type pg from 'pg';
import { ObservedClient } from './observed-client.ts';

type Query = string | (pg.QueryConfig & { rowMode?: string });
type Values = unknown[] | undefined;
type Done = (error: unknown, result?: pg.QueryResult) => void;
type Send = (query: Query, values?: Values) => Promise<pg.QueryResult>;

/** For poolers in transaction mode: timeouts are set per transaction, single statements are wrapped in one, and none is named. */
export class TransactionClient extends ObservedClient {
  constructor({
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle,
    ...options
  }: pg.ClientConfig) {
    super(options);
    const send = this.query.bind(this) as Send;
    const clocks = Object.entries({
      statement_timeout: statement,
      lock_timeout: lock,
      idle_in_transaction_session_timeout: idle,
    }).flatMap(([name, ms]) => (typeof ms === 'number' ? `; set local ${name} = ${ms}` : []));
    const begin = (text: string) => send(`${text}${clocks.join('')}`);
    let open = false;

    const run = async (query: Query, values: Values): Promise<pg.QueryResult> => {
      const text = (typeof query === 'string' ? query : query.text).trim();
      if (/^begin\b/i.test(text)) {
        open = true;
        return begin(text);
      }
      if (/^(commit|rollback(?! to))\b/i.test(text)) {
        open = false;
        return send(text);
      }
      const unnamed = typeof query === 'string' ? query : { ...query, name: '' };
      if (open) return send(unnamed, values);
      await begin('begin');
      try {
        const result = await send(unnamed, values);
        await send('commit');
        return result;
      } catch (error) {
        await send('rollback').catch(() => {});
        throw error;
      }
    };
    const runThen = callbackify(run);
    this.query = ((query: Query, values?: Values | Done, callback?: Done) => {
      const done = typeof values === 'function' ? values : callback;
      const parameters = typeof values === 'function' ? undefined : values;
      return done ? runThen(query, parameters, done) : run(query, parameters);
    }) as pg.Client['query'];
  }
}
