import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import { LRUCache } from 'lru-cache';
import { coalesceReads } from '../core/coalesce-reads.ts';
import { memoizePerServer, type Services } from '../services/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { shouldCompress, gzipBody } from '../http/compression.ts';
import { badField } from '../core/errors.ts';
import type { RawRoute, BufferedResponse } from '../http/raw-routes.ts';
import { publicState, type PublicResource } from './counters.ts';

export interface PublicPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface PublicQuery<Asked> {
  asked: Asked;
  beyond: SQL | undefined;
  limit: number;
  now: Date;
}

interface PublicList<Row extends { id: string }, Asked> {
  resource: PublicResource;
  /** Increase when the fields change, so that old caches are not reused. */
  shape: number;
  /** Then by id, descending. */
  order: PgColumn;
  id: PgColumn;
  /** Reads query parameters. Throws BAD_REQUEST. */
  ask: (query: URLSearchParams) => Asked;
  read: (tx: Tx, query: PublicQuery<Asked>) => Promise<{ at: Date; row: Row }[]>;
  /** Last and next change by the clock. */
  schedule?: (now: Date) => { last: SQL; next: SQL };
}

/**
 * `GET /public/<resource>`, cacheable by anyone. The tag identifies exactly these rows, and caching ends at the next scheduled
 * change. Pages are served from memory while the database confirms their tag.
 */
export function publicList<Row extends { id: string }, Asked>(list: PublicList<Row, Asked>): RawRoute {
  const { resource, order, id, ask, read } = list;
  const cachedPages = memoizePerServer((services) => ({
    pages: new LRUCache<string, KeptPage>({ maxSize: keptBytes, sizeCalculation: ({ body }) => body.byteLength + 200 }),
    present: coalesceReads(() => presentState(services.database.db, list, new Date(services.now()))),
  }));
  return {
    method: 'GET',
    path: `/public/${resource}`,
    meta: { public: true },
    async handle({ request, context }) {
      const { searchParams } = new URL(request.url);
      const { limit, after } = readPage(searchParams);
      const query = ask(searchParams);
      const { pages, present } = cachedPages(context.services);
      let state = await present();
      const tags = etagsOf(request.headers.get('if-none-match'));
      if (tags.has(state.etag) || tags.has('*')) return { whole: true, status: 304, headers: headersOf(state), body: null };
      const name = JSON.stringify([limit, after, query]);
      let page = pages.get(name);
      if (page?.etag !== state.etag) {
        [state, page] = await readAnew(context.services);
        pages.set(name, page);
      }
      return answerOf(request, state, page);

      // One snapshot for tag and rows.
      function readAnew({ database, now: clock }: Services) {
        return database.db.transaction(
          async (tx): Promise<[State, KeptPage]> => {
            const now = new Date(clock());
            const at = await presentState(tx, list, now);
            const beyond = after ? sql`(${order}, ${id}) < (${after.time}::timestamptz, ${after.id}::uuid)` : undefined;
            const found = await read(tx, { asked: query, beyond, limit: limit + 1, now });
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

/** Per resource. Bounds memory against made-up addresses. */
const keptBytes = 8 * 1024 * 1024;

interface KeptPage {
  etag: string;
  body: Uint8Array<ArrayBuffer>;
  packed: Promise<Uint8Array<ArrayBuffer>> | null;
}

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

async function answerOf({ headers: query }: Request, state: State, page: KeptPage): Promise<BufferedResponse> {
  const headers = { ...headersOf(state), 'content-type': 'application/json; charset=utf-8', vary: 'accept-encoding' };
  if (!shouldCompress(query, page.body.byteLength)) return { whole: true, status: 200, headers, body: page.body };
  const body = await (page.packed ??= gzipBody(page.body));
  return { whole: true, status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

const freshSeconds = 60;
const staleSeconds = 300;

/** `leftMs`: until the next scheduled change. */
function cacheFor(leftMs: number): string {
  const secondsLeft = Math.max(0, Math.floor(leftMs / 1000));
  const maxAgeSeconds = Math.min(freshSeconds, secondsLeft);
  const stale = Math.min(staleSeconds, secondsLeft - maxAgeSeconds);
  return `public, max-age=${maxAgeSeconds}${stale > 0 ? `, stale-while-revalidate=${stale}` : ''}`;
}

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

/** If-None-Match compares weakly (RFC 9110 §13.1.2). */
function etagsOf(header: string | null): Set<string> {
  return new Set((header ?? '').split(',').flatMap((tag) => tag.trim().replace(/^W\//, '') || []));
}
