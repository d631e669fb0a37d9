import { and, desc, eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Tx } from './platform/db.ts';
import { badField } from './platform/errors.ts';
import type { PlainRoute } from './platform/plain.ts';
import { newsChangeNumber } from './platform/public-changes.ts';
import { news } from './tables.ts';

/** What the official website shows: only shown items, newest first. */
export const publicNews: PlainRoute = {
  method: 'GET',
  path: '/public/news',
  meta: { public: true },
  async handle({ request, context }) {
    const page = readPage(new URL(request.url).searchParams);
    const headers = {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60, stale-while-revalidate=300',
      'cross-origin-resource-policy': 'cross-origin',
    };
    const asked = etagsOf(request.headers.get('if-none-match'));
    if (asked.size > 0) {
      const etag = etagOf(await newsChangeNumber(context.db));
      if (asked.has(etag) || asked.has('*')) return new Response(null, { status: 304, headers: { ...headers, etag } });
    }
    // One snapshot, so that the tag never names other rows than those it comes with.
    return context.db.transaction(
      async (tx) => {
        const etag = etagOf(await newsChangeNumber(tx));
        const body = await readShown(tx, page);
        return Response.json(body, { headers: { ...headers, etag, 'content-type': 'application/json; charset=utf-8' } });
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
  },
};

/** As it leaves: what the website needs and nothing of how it came about. */
export interface PublicNews {
  rows: { id: string; title: string; description: string; image: string | null; time: string; link: string }[];
  nextCursor: string | null;
}

interface Page {
  limit: number;
  after: { time: string; id: string } | null;
}

async function readShown(tx: Tx, { limit, after }: Page): Promise<PublicNews> {
  const { id, title, description, image, time, link } = news;
  const beyond = after ? sql`(${time}, ${id}) < (${after.time}::timestamptz, ${after.id}::uuid)` : undefined;
  const found = await tx
    .select({ id, title, description, image, time, link })
    .from(news)
    .where(and(eq(news.shown, true), beyond))
    .orderBy(desc(time), desc(id))
    .limit(limit + 1);
  const rows = found.slice(0, limit).map((row) => ({ ...row, time: row.time.toISOString() }));
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? writeCursor(last) : null };
}

const limits = z.coerce.number().int().min(1).max(50);

function readPage(query: URLSearchParams): Page {
  const limit = limits.safeParse(query.get('limit') ?? 20);
  if (!limit.success) throw badField('limit');
  const cursor = query.get('cursor');
  return { limit: limit.data, after: cursor === null ? null : readCursor(cursor) };
}

const writeCursor = ({ time, id }: { time: string; id: string }) => Buffer.from(`${time} ${id}`).toString('base64url');

function readCursor(cursor: string): Page['after'] {
  const [time = '', id = '', ...rest] = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1').split(' ');
  const isOurs = !Number.isNaN(Date.parse(time)) && z.iso.datetime().safeParse(time).success && z.uuid().safeParse(id).success;
  if (!isOurs || rest.length > 0) throw badField('cursor');
  return { time, id };
}

// "1" is the shape of the answer: it changes when the fields do, so that no old answer passes as a new one.
const etagOf = (changeNumber: string) => `"news-1-${changeNumber}"`;

/** Weak marks are dropped: If-None-Match compares weakly (RFC 9110 §13.1.2). */
function etagsOf(header: string | null): Set<string> {
  return new Set((header ?? '').split(',').flatMap((tag) => tag.trim().replace(/^W\//, '') || []));
}
