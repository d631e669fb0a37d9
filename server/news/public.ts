import { and, desc, eq } from 'drizzle-orm';
import { publicList } from '../platform/records/public-list.ts';
import { news } from './tables.ts';

export interface PublicNews {
  id: string;
  title: string;
  description: string;
  image: string | null;
  time: string;
  link: string;
}

/** Shown items, newest first. */
export const publicNews = publicList<PublicNews, null>({
  resource: 'news',
  shape: 1,
  order: news.time,
  id: news.id,
  ask: () => null,
  read: async (tx, { beyond, limit }) => {
    const { id, title, description, image, time, link } = news;
    const found = await tx
      .select({ id, title, description, image, time, link })
      .from(news)
      .where(and(eq(news.shown, true), beyond))
      .orderBy(desc(time), desc(id))
      .limit(limit);
    return found.map((row) => ({ at: row.time, row: { ...row, time: row.time.toISOString() } }));
  },
});
