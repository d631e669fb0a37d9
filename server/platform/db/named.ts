import { createHash } from 'node:crypto';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { Conversation } from './conversation.ts';

// What has a name PostgreSQL reads and plans once per connection. Through a pooler that lends its sessions, names are left out
// (transaction-client.ts).

const drizzled = new WeakMap<pg.PoolClient, NodePgDatabase>();

/** Drizzle on one connection, made once for it; what it inserts is named, which has one plan whatever the values. */
export function drizzleOn(client: pg.PoolClient): NodePgDatabase {
  const known = drizzled.get(client);
  if (known) return known;
  const conversation = conversationOn(client);
  const query = (asked: unknown, values?: unknown[]) => conversation.query(named(asked), values);
  const made = drizzle(Object.create(client, { query: { value: query } }) as pg.PoolClient);
  drizzled.set(client, made);
  return made;
}

const conversations = new WeakMap<pg.PoolClient, Conversation>();

function conversationOn(client: pg.PoolClient): Conversation {
  const conversation = conversations.get(client) ?? new Conversation(client);
  conversations.set(client, conversation);
  return conversation;
}

const names = new Map<string, string>();
/** Inserts of many rows are as many statements as there are numbers of rows: not these, and no more of the others than fit. */
const longest = 2_000;
const most = 300;

function named(asked: unknown): unknown {
  if (typeof asked !== 'object' || asked === null || !('text' in asked) || typeof asked.text !== 'string') return asked;
  const { text } = asked;
  if (!text.startsWith('insert into ') || !text.includes(') values (') || text.length > longest) return asked;
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= most) return asked;
    name = `insert_${createHash('sha256').update(text).digest('base64url')}`;
    names.set(text, name);
  }
  return { ...asked, name };
}

const clients = new WeakMap<object, pg.PoolClient>();

/** Notes which connection a transaction is on. */
export const noteClient = (tx: object, client: pg.PoolClient): void => void clients.set(tx, client);

/** A fixed statement within a transaction of the pool's, by its name. */
export async function runNamed<Row extends pg.QueryResultRow>(
  tx: object,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return ((await conversationOf(tx, name).query({ name, text, values })) as pg.QueryResult<Row>).rows;
}

/** The same as the last of its transaction: it is committed with it, on the same way to the database. One that fails commits nothing. */
export const endNamed = async (tx: object, name: string, text: string, values: unknown[]): Promise<void> =>
  void (await conversationOf(tx, name).last({ name, text, values }));

function conversationOf(tx: object, name: string): Conversation {
  const client = clients.get(tx);
  if (!client) throw new Error(`${name} was prepared outside a pool transaction`);
  return conversationOn(client);
}
