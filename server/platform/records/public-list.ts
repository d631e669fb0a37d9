import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import { LRUCache } from 'lru-cache';
import { afterNow } from '../core/after-now.ts';
import { perServer, type Services } from '../core/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { isWorthPacking, packed } from '../http/packed.ts';
import { badField } from '../core/errors.ts';
import type { PlainRoute, WholeAnswer } from '../http/raw-routes.ts';
import { publicState, type PublicResource } from './counters.ts';

/** A page of what the official website shows, newest first. */
export interface PublicPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** What is asked of a resource: the rows beyond a cursor, as they are at `now`. */
export interface PublicQuery<Asked> {
  asked: Asked;
  beyond: SQL | undefined;
  limit: number;
  now: Date;
}

interface PublicList<Row extends { id: string }, Asked> {
  resource: PublicResource;
  /** Of the answer: counted up when its fields change, so that no old answer passes as a new one. */
  shape: number;
  /** Rows stand in this order, then by id, newest first. */
  order: PgColumn;
  id: PgColumn;
  /** The address's own parameters. Throws BAD_REQUEST. */
  ask: (query: URLSearchParams) => Asked;
  read: (tx: Tx, query: PublicQuery<Asked>) => Promise<{ at: Date; row: Row }[]>;
  /** Where rows come and go by the clock: the last moment up to `now` at which they did, and the next. */
  schedule?: (now: Date) => { last: SQL; next: SQL };
}

/**
 * `GET /public/<resource>` for any website and any cache. The tag names exactly the rows it comes with, also where they
 * change with the clock; no cache keeps an answer beyond the moment at which it changes by itself. A page that was read once is
 * answered from memory for as long as its tag is the present one, which is asked of the database after each request came.
 */
export function publicList<Row extends { id: string }, Asked>(list: PublicList<Row, Asked>): PlainRoute {
  const { resource, order, id, ask, read } = list;
  const kept = perServer((services) => ({
    pages: new LRUCache<string, KeptPage>({ maxSize: keptBytes, sizeCalculation: ({ body }) => body.byteLength + 200 }),
    present: afterNow(() => presentState(services.database.db, list, new Date(services.now()))),
  }));
  return {
    method: 'GET',
    path: `/public/${resource}`,
    meta: { public: true },
    async handle({ request, context }) {
      const { searchParams } = new URL(request.url);
      const { limit, after } = readPage(searchParams);
      const asked = ask(searchParams);
      const { pages, present } = kept(context.services);
      let state = await present();
      const tags = etagsOf(request.headers.get('if-none-match'));
      if (tags.has(state.etag) || tags.has('*')) return { whole: true, status: 304, headers: headersOf(state), body: null };
      const name = JSON.stringify([limit, after, asked]);
      let page = pages.get(name);
      if (page?.etag !== state.etag) {
        [state, page] = await readAnew(context.services);
        pages.set(name, page);
      }
      return answerOf(request, state, page);

      // One snapshot, so that the tag never names other rows than those it comes with.
      function readAnew({ database, now: clock }: Services) {
        return database.db.transaction(
          async (tx): Promise<[State, KeptPage]> => {
            const now = new Date(clock());
            const at = await presentState(tx, list, now);
            const beyond = after ? sql`(${order}, ${id}) < (${after.time}::timestamptz, ${after.id}::uuid)` : undefined;
            const found = await read(tx, { asked, beyond, limit: limit + 1, now });
            const rows = found.slice(0, limit);
            const last = rows.at(-1);
            const nextCursor = found.length > limit && last ? writeCursor(last.at, last.row.id) : null;
            const whole: PublicPage<Row> = { rows: rows.map(({ row }) => row), nextCursor };
            return [at, { etag: at.etag, body: new Uint8Array(Buffer.from(JSON.stringify(whole))), packed: null }];
          },
          { isolationLevel: 'repeatable read', accessMode: 'read only' },
        );
      }
    },
  };
}

// ── What is kept ───────────────────────────────────────────────────────────

/** Whoever makes up addresses fills no more memory than this, of each resource. */
const keptBytes = 8 * 1024 * 1024;

interface KeptPage {
  etag: string;
  body: Uint8Array<ArrayBuffer>;
  /** Made when it is first asked for. */
  packed: Promise<Uint8Array<ArrayBuffer>> | null;
}

/** As what the rows stand, and for how long if nobody writes. */
interface State {
  etag: string;
  leftMs: number;
}

async function presentState(
  queries: Queries,
  { resource, shape, schedule }: Pick<PublicList<never, never>, 'resource' | 'shape' | 'schedule'>,
  now: Date,
): Promise<State> {
  const { changes, last, next } = await publicState(queries, resource, schedule?.(now));
  const turn = last === null ? '' : `${last.getTime().toString(36)}-`;
  return {
    etag: `"${resource}-${shape}-${turn}${changes}"`,
    leftMs: next === null ? Infinity : next.getTime() - now.getTime(),
  };
}

const headersOf = ({ etag, leftMs }: State) => ({
  'access-control-allow-origin': '*',
  'cache-control': cacheFor(leftMs),
  'cross-origin-resource-policy': 'cross-origin',
  etag,
});

async function answerOf({ headers: asked }: Request, state: State, page: KeptPage): Promise<WholeAnswer> {
  const headers = { ...headersOf(state), 'content-type': 'application/json; charset=utf-8', vary: 'accept-encoding' };
  if (!isWorthPacking(asked, page.body.byteLength)) return { whole: true, status: 200, headers, body: page.body };
  const body = await (page.packed ??= packed(page.body));
  return { whole: true, status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

const freshSeconds = 60;
const staleSeconds = 300;

/** `leftMs` is how long the answer stays true when nobody writes. */
function cacheFor(leftMs: number): string {
  const left = Math.max(0, Math.floor(leftMs / 1000));
  const fresh = Math.min(freshSeconds, left);
  const stale = Math.min(staleSeconds, left - fresh);
  return `public, max-age=${fresh}${stale > 0 ? `, stale-while-revalidate=${stale}` : ''}`;
}

// ── Pages ──────────────────────────────────────────────────────────────────

const limits = z.coerce.number().int().min(1).max(50);

interface Page {
  limit: number;
  after: { time: string; id: string } | null;
}

function readPage(query: URLSearchParams): Page {
  const limit = limits.safeParse(query.get('limit') ?? 20);
  if (!limit.success) throw badField('limit');
  const cursor = query.get('cursor');
  return { limit: limit.data, after: cursor === null ? null : readCursor(cursor) };
}

const writeCursor = (at: Date, id: string) => Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

function readCursor(cursor: string): Page['after'] {
  const [time = '', id = '', ...rest] = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1').split(' ');
  const isOurs = !Number.isNaN(Date.parse(time)) && z.iso.datetime().safeParse(time).success && z.uuid().safeParse(id).success;
  if (!isOurs || rest.length > 0) throw badField('cursor');
  return { time, id };
}

/** Weak marks are dropped: If-None-Match compares weakly (RFC 9110 §13.1.2). */
function etagsOf(header: string | null): Set<string> {
  return new Set((header ?? '').split(',').flatMap((tag) => tag.trim().replace(/^W\//, '') || []));
}
