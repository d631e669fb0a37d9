import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import { LRUCache } from 'lru-cache';
import { coalesceReads } from '../core/coalesce-reads.ts';
import { memoizePerServer, type Services } from '../services/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { shouldCompress, gzipBody } from '../http/compression.ts';
import { createFieldError } from '../core/errors.ts';
import type { RawRoute, BufferedResponse } from '../http/raw-routes.ts';
import { readPublicState, type PublicResource } from './counters.ts';

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
export function createPublicList<Row extends { id: string }, Asked>(list: PublicList<Row, Asked>): RawRoute {
  const { resource, order: orderColumn, id, ask: parseQuery, read: readRows } = list;
  const cachedPages = memoizePerServer((services) => ({
    pages: new LRUCache<string, CachedPage>({ maxSize: maxCachedBytes, sizeCalculation: ({ body }) => body.byteLength + 200 }),
    present: coalesceReads(() => readListState(services.database.db, list, new Date(services.now()))),
  }));
  return {
    method: 'GET',
    path: `/public/${resource}`,
    meta: { public: true },
    async handle({ request, context }) {
      const { searchParams } = new URL(request.url);
      const { limit, after: afterCursor } = parsePageRequest(searchParams);
      const query = parseQuery(searchParams);
      const { pages: cachedPageMap, present: readState } = cachedPages(context.services);
      let state = await readState();
      const knownEtags = parseEtags(request.headers.get('if-none-match'));
      if (knownEtags.has(state.etag) || knownEtags.has('*'))
        return { whole: true, status: 304, headers: buildHeaders(state), body: null };
      const name = JSON.stringify([limit, afterCursor, query]);
      let page = cachedPageMap.get(name);
      if (page?.etag !== state.etag) {
        [state, page] = await readPage(context.services);
        cachedPageMap.set(name, page);
      }
      return buildResponse(request, state, page);

      // One snapshot for tag and rows.
      function readPage({ database, now: readClock }: Services) {
        return database.db.transaction(
          async (tx): Promise<[ListState, CachedPage]> => {
            const now = new Date(readClock());
            const listState = await readListState(tx, list, now);
            const cursorCondition = afterCursor
              ? sql`(${orderColumn}, ${id}) < (${afterCursor.time}::timestamptz, ${afterCursor.id}::uuid)`
              : undefined;
            const foundRows = await readRows(tx, { asked: query, beyond: cursorCondition, limit: limit + 1, now });
            const rows = foundRows.slice(0, limit);
            const lastRow = rows.at(-1);
            const nextCursor = foundRows.length > limit && lastRow ? writeCursor(lastRow.at, lastRow.row.id) : null;
            const publicPage: PublicPage<Row> = { rows: rows.map(({ row }) => row), nextCursor };
            return [
              listState,
              { etag: listState.etag, body: new Uint8Array(Buffer.from(JSON.stringify(publicPage))), packed: null },
            ];
          },
          { isolationLevel: 'repeatable read', accessMode: 'read only' },
        );
      }
    },
  };
}

/** Per resource. Bounds memory against made-up addresses. */
const maxCachedBytes = 8 * 1024 * 1024;

interface CachedPage {
  etag: string;
  body: Uint8Array<ArrayBuffer>;
  packed: Promise<Uint8Array<ArrayBuffer>> | null;
}

interface ListState {
  etag: string;
  leftMs: number;
}

async function readListState(
  queries: Queries,
  { resource, shape: schemaVersion, schedule }: Pick<PublicList<never, never>, 'resource' | 'shape' | 'schedule'>,
  now: Date,
): Promise<ListState> {
  const { changes, last, next } = await readPublicState(queries, resource, schedule?.(now));
  const scheduleMarker = last === null ? '' : `${last.getTime().toString(36)}-`;
  return {
    etag: `"${resource}-${schemaVersion}-${scheduleMarker}${changes}"`,
    leftMs: next === null ? Infinity : next.getTime() - now.getTime(),
  };
}

const buildHeaders = ({ etag, leftMs: validMs }: ListState) => ({
  'access-control-allow-origin': '*',
  'cache-control': formatCacheControl(validMs),
  'cross-origin-resource-policy': 'cross-origin',
  etag,
});

async function buildResponse({ headers: query }: Request, state: ListState, page: CachedPage): Promise<BufferedResponse> {
  const headers = { ...buildHeaders(state), 'content-type': 'application/json; charset=utf-8', vary: 'accept-encoding' };
  if (!shouldCompress(query, page.body.byteLength)) return { whole: true, status: 200, headers, body: page.body };
  const body = await (page.packed ??= gzipBody(page.body));
  return { whole: true, status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

const maxFreshSeconds = 60;
const maxStaleSeconds = 300;

/** `validMs`: until the next scheduled change. */
function formatCacheControl(validMs: number): string {
  const secondsLeft = Math.max(0, Math.floor(validMs / 1000));
  const maxAgeSeconds = Math.min(maxFreshSeconds, secondsLeft);
  const staleWhileRevalidate = Math.min(maxStaleSeconds, secondsLeft - maxAgeSeconds);
  return `public, max-age=${maxAgeSeconds}${staleWhileRevalidate > 0 ? `, stale-while-revalidate=${staleWhileRevalidate}` : ''}`;
}

const limitSchema = z.coerce.number().int().min(1).max(50);

interface PageRequest {
  limit: number;
  after: { time: string; id: string } | null;
}

function parsePageRequest(query: URLSearchParams): PageRequest {
  const limit = limitSchema.safeParse(query.get('limit') ?? 20);
  if (!limit.success) throw createFieldError('limit');
  const cursor = query.get('cursor');
  return { limit: limit.data, after: cursor === null ? null : parseCursor(cursor) };
}

const writeCursor = (rowTime: Date, id: string) => Buffer.from(`${rowTime.toISOString()} ${id}`).toString('base64url');

function parseCursor(cursor: string): PageRequest['after'] {
  const [time = '', id = '', ...cursorId] = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1').split(' ');
  const isOwnEtag = !Number.isNaN(Date.parse(time)) && z.iso.datetime().safeParse(time).success && z.uuid().safeParse(id).success;
  if (!isOwnEtag || cursorId.length > 0) throw createFieldError('cursor');
  return { time, id };
}

/** If-None-Match compares weakly (RFC 9110 §13.1.2). */
function parseEtags(header: string | null): Set<string> {
  return new Set((header ?? '').split(',').flatMap((knownEtag) => knownEtag.trim().replace(/^W\//, '') || []));
}
