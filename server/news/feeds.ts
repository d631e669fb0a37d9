import { createHash } from 'node:crypto';
import { and, eq, inArray, lt, notExists, or, sql } from 'drizzle-orm';
import type { FeedItem, NewsRow } from '../../api/news/contract.ts';
import type { Config } from '../platform/core/config.ts';
import { personOf, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { readFeeds, type ReadFeed } from '../platform/content/feed-reader.ts';
import { newId } from '../platform/core/ids.ts';
import { addPicture, buildPictureUrl } from '../platform/content/pictures.ts';
import { rehostImages } from '../platform/content/mirror-images.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { feedItems, news } from './tables.ts';

type FeedItemRecord = typeof feedItems.$inferSelect;
type NewsRecord = typeof news.$inferSelect;

/** Development without configured feeds uses the server's own. */
export function feedUrls(config: Config): readonly string[] {
  if (config.newsFeeds.length > 0 || !config.demo) return config.newsFeeds;
  return [`${config.publicUrl}${devFeedPath}`];
}

/** Stores items for picking. Newest first. */
export async function readFeedItems(context: RequestContext) {
  const { config, safeFetch, now } = context.services;
  const { feeds, failed, skipped } = await readFeeds(feedUrls(config), safeFetch, now(), context.log);
  return writeOnce(context, {}, async (tx, recordAudit) => {
    // A post in two feeds is offered once. Posts of one feed with the same link are distinguished by title.
    const posts = new Map<string, { item: FeedItemRecord; feed: string }>();
    const linkOwner = new Map<string, string>();
    for (const feed of feeds) {
      for (const item of await storeItems(context, tx, feed)) {
        const owner = linkOwner.get(item.link);
        if (owner !== undefined && owner !== feed.url) continue;
        linkOwner.set(item.link, feed.url);
        posts.set(item.id, { item, feed: feed.title });
      }
    }
    await deleteOldItems(context, tx);
    const sortedPosts = [...posts.values()].toSorted((a, b) => (b.item.time?.getTime() ?? 0) - (a.item.time?.getTime() ?? 0));
    const importedIds = await readImportedIds(
      tx,
      sortedPosts.map(({ item }) => item),
    );
    recordAudit({
      entity: 'feed',
      id: null,
      after: { read: feeds.map(({ url, entries }) => ({ url, entries: entries.length })), failed, skipped },
    });
    return { items: sortedPosts.map(({ item, feed }) => presentItem(item, feed, importedIds.has(item.id))), failed, skipped };
  });
}

/** As Not Show. Known items are only counted. */
export async function importFeedItems(
  context: RequestContext,
  ids: readonly string[],
  presentNews: (row: NewsRecord) => NewsRow,
) {
  const selectedItems = await context.db
    .select()
    .from(feedItems)
    .where(inArray(feedItems.id, [...ids]));
  if (selectedItems.length === 0) throw createAppError('NOT_FOUND');
  const importedBefore = await readImportedIds(context.db, selectedItems);
  const images = selectedItems.flatMap(({ id, image }) => (image === null || importedBefore.has(id) ? [] : image));
  const pictures = await rehostImages(context, images);

  return writeOnce(context, { ids }, async (tx, recordAudit) => {
    const importedIds = await readImportedIds(tx, selectedItems);
    const linksOfSeveral = await findSharedLinks(
      tx,
      selectedItems.map(({ link }) => link),
    );
    const importedNews = new Map<string, NewsRecord>();
    // A fixed order, to avoid deadlocks between imports.
    for (const item of selectedItems.toSorted((a, b) => (a.link < b.link ? -1 : 1))) {
      if (importedIds.has(item.id)) continue;
      const storedPicture = pictures.get(item.image ?? '');
      const picture = storedPicture ? (await addPicture(context, tx, recordAudit, storedPicture)).picture : null;
      const image = picture ? buildPictureUrl(context.services.config.publicUrl, picture.id) : null;
      const row = await insertIfNew(context, tx, { item, image, importedLink: importKeyOf(item, linksOfSeveral) });
      if (!row) continue;
      recordAudit({ entity: 'news', id: row.id, after: presentNews(row) });
      importedNews.set(item.id, row);
    }
    const presentedNews = ids.flatMap((id) => importedNews.get(id) ?? []).map(presentNews);
    const result = { done: presentedNews, known: selectedItems.length - importedNews.size };
    return importedNews.size > 0 ? result : asUnmodified(result);
  });
}

function presentItem(item: FeedItemRecord, feed: string, isImported: boolean): FeedItem {
  const { id, title, description, link, image, time } = item;
  return { id, title, description, link, image, time: time?.toISOString() ?? null, feed, known: isImported };
}

/** In the feed's order. */
async function storeItems(context: RequestContext, tx: Tx, feed: ReadFeed): Promise<FeedItemRecord[]> {
  if (feed.entries.length === 0) return [];
  const now = new Date(context.services.now());
  const rows = feed.entries.map(({ time, ...entry }) => ({
    ...entry,
    id: newId(),
    feed: feed.url,
    time: time === null ? null : new Date(time),
    fetchedAt: now,
  }));
  const insertedItems = await tx
    .insert(feedItems)
    .values(rows.toSorted((a, b) => (a.guid < b.guid ? -1 : 1)))
    .onConflictDoUpdate({
      target: [feedItems.feed, feedItems.guid],
      set: Object.fromEntries(
        ['title', 'description', 'link', 'image', 'time', 'fetched_at'].map((name) => [
          toCamelCase(name),
          sql.raw(`excluded.${name}`),
        ]),
      ),
    })
    .returning();
  const byGuid = new Map(insertedItems.map((item) => [item.guid, item]));
  return feed.entries.flatMap(({ guid }) => byGuid.get(guid) ?? []);
}

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Served in development (server/dev/feed.ts). */
export const devFeedPath = '/dev/feed.xml';

const monthMs = 30 * 24 * 3_600_000;

/** Deletes items missing from feeds for a month, unless imported. */
async function deleteOldItems(context: RequestContext, tx: Tx) {
  const importedItems = tx
    .select({ one: sql`1` })
    .from(news)
    .where(eq(news.feedItemId, feedItems.id));
  await tx
    .delete(feedItems)
    .where(and(lt(feedItems.fetchedAt, new Date(context.services.now() - monthMs)), notExists(importedItems)));
}

/** Imported before, or the same link (and title, if the link is shared). */
async function readImportedIds(queries: Queries, items: readonly FeedItemRecord[]): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const ids = items.map(({ id }) => id);
  const links = items.map(({ link }) => link);
  const linksOfSeveral = await findSharedLinks(queries, links);
  const importKeys = items.map((item) => importKeyOf(item, linksOfSeveral));
  const rows = await queries
    .select({
      title: news.title,
      link: news.link,
      translatedTitle: news.translatedTitle,
      translatedLink: news.translatedLink,
      importedLink: news.importedLink,
      feedItemId: news.feedItemId,
    })
    .from(news)
    .where(
      or(
        inArray(news.link, links),
        inArray(news.translatedLink, links),
        inArray(news.importedLink, importKeys),
        inArray(news.feedItemId, ids),
      ),
    );
  const texts = rows.flatMap(({ title, link, translatedTitle, translatedLink }) => [
    { title, link },
    { title: translatedTitle, link: translatedLink ?? link },
  ]);
  const usedItems = new Set(rows.flatMap(({ importedLink, feedItemId }) => [importedLink, feedItemId]));
  const isKnown = (item: FeedItemRecord) =>
    usedItems.has(item.id) ||
    usedItems.has(importKeyOf(item, linksOfSeveral)) ||
    texts.some(({ link, title }) => link === item.link && (!linksOfSeveral.has(link) || title === item.title));
  return new Set(items.filter(isKnown).map(({ id }) => id));
}

/** Links of several items of one feed. */
async function findSharedLinks(queries: Queries, links: readonly string[]): Promise<Set<string>> {
  const rows = await queries
    .select({ link: feedItems.link })
    .from(feedItems)
    .where(inArray(feedItems.link, [...links]))
    .groupBy(feedItems.feed, feedItems.link)
    .having(sql`count(*) > 1`);
  return new Set(rows.map(({ link }) => link));
}

/** The link, with the title if the link is shared. */
const importKeyOf = ({ link, title }: FeedItemRecord, shared: ReadonlySet<string>): string =>
  shared.has(link) ? `${link} ${createHash('sha256').update(title).digest('hex')}` : link;

/** Undefined: imported concurrently. */
async function insertIfNew(
  context: RequestContext,
  tx: Tx,
  { item, image, importedLink }: { item: FeedItemRecord; image: string | null; importedLink: string },
): Promise<NewsRecord | undefined> {
  const now = new Date(context.services.now());
  const { title, description, link, time } = item;
  const [row] = await tx
    .insert(news)
    .values({
      title,
      description,
      link,
      image,
      time: time ?? now,
      id: newId(),
      shown: false,
      createdAt: now,
      updatedAt: now,
      createdBy: personOf(context)?.id ?? null,
      feedItemId: item.id,
      importedLink,
    })
    .onConflictDoNothing()
    .returning();
  return row;
}
