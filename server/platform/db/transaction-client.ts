import { callbackify } from 'node:util';
import type pg from 'pg';
import { ObservedClient } from './observed-client.ts';

type Query = string | (pg.QueryConfig & { rowMode?: string });
type Values = unknown[] | undefined;
type QueryCallback = (error: unknown, result?: pg.QueryResult) => void;
type SendQuery = (query: Query, values?: Values) => Promise<pg.QueryResult>;

/** For poolers in transaction mode: timeouts are set per transaction, single statements are wrapped in one, and none is named. */
export class TransactionClient extends ObservedClient {
  constructor({
    statement_timeout: statement,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    ...options
  }: pg.ClientConfig) {
    super(options);
    const sendQuery = this.query.bind(this) as SendQuery;
    const timeoutStatements = Object.entries({
      statement_timeout: statement,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleTimeout,
    }).flatMap(([name, ms]) => (typeof ms === 'number' ? `; set local ${name} = ${ms}` : []));
    const sendBegin = (text: string) => sendQuery(`${text}${timeoutStatements.join('')}`);
    let isTransactionOpen = false;

    const runQuery = async (query: Query, values: Values): Promise<pg.QueryResult> => {
      const text = (typeof query === 'string' ? query : query.text).trim();
      if (/^begin\b/i.test(text)) {
        isTransactionOpen = true;
        return sendBegin(text);
      }
      if (/^(commit|rollback(?! to))\b/i.test(text)) {
        isTransactionOpen = false;
        return sendQuery(text);
      }
      const unnamedQuery = typeof query === 'string' ? query : { ...query, name: '' };
      if (isTransactionOpen) return sendQuery(unnamedQuery, values);
      await sendBegin('begin');
      try {
        const result = await sendQuery(unnamedQuery, values);
        await sendQuery('commit');
        return result;
      } catch (error) {
        await sendQuery('rollback').catch(() => {});
        throw error;
      }
    };
    const runWithCallback = callbackify(runQuery);
    this.query = ((query: Query, values?: Values | QueryCallback, callback?: QueryCallback) => {
      const queryCallback = typeof values === 'function' ? values : callback;
      const parameters = typeof values === 'function' ? undefined : values;
      return queryCallback ? runWithCallback(query, parameters, queryCallback) : runQuery(query, parameters);
    }) as pg.Client['query'];
  }
}
