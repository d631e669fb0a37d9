import { createHash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import { parseHttpUrl } from '../../../api/url.ts';
import { readHtml, shorten, tidyText } from './html-to-text.ts';

/** One entry of a feed, fit to become news: plain text within the fields' lengths, plain http(s) addresses. */
export interface FeedEntry {
  /** SHA-256 of the entry's own id, or of its link. */
  guid: string;
  title: string;
  description: string;
  link: string;
  image: string | null;
  /** ISO-8601 UTC; null when the feed gives none that can be read. */
  time: string | null;
}

export interface ParsedFeed {
  title: string;
  entries: FeedEntry[];
}

export const maxEntries = 100;

/** Reads RSS, Atom, RDF or JSON Feed. Entries without a usable link are left out. Throws when it is not a feed. */
export function parseFeedText(text: string, feedUrl: string): ParsedFeed {
  const { title, entries } = rawFeed(text);
  return {
    title: shorten(oneLine(title), 100) || new URL(feedUrl).host,
    entries: entries.flatMap((entry) => cleanEntry(entry, feedUrl) ?? []),
  };
}

interface RawEntry {
  guid: string | undefined;
  title: string;
  html: string;
  plain: string;
  links: (string | undefined)[];
  images: (string | undefined)[];
  dates: (string | undefined)[];
}

function cleanEntry(raw: RawEntry, feedUrl: string): FeedEntry | null {
  const link = firstUrl(raw.links, feedUrl);
  if (!link) return null;
  const read = readHtml(raw.html);
  const description = shorten(tidyText(raw.plain) || read.text, 5000);
  const title = shorten(oneLine(raw.title) || oneLine(description) || link, 200);
  return {
    guid: createHash('sha256')
      .update(raw.guid ?? link)
      .digest('hex'),
    title,
    description: description || title,
    link,
    image: firstUrl([...raw.images, ...read.images], feedUrl),
    time: firstTime(raw.dates),
  };
}

function rawFeed(text: string): { title: string; entries: RawEntry[] } {
  const { format, feed } = parseFeed(text, { maxItems: maxEntries });
  switch (format) {
    case 'rss':
      return {
        title: fromHtml(feed.title),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.guid?.value,
          title: fromHtml(item.title),
          html: item.description ?? item.content?.encoded ?? item.itunes?.summary ?? '',
          plain: '',
          links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value, ...entryLinks(item.atom?.links)],
          images: [
            ...(item.enclosures ?? []).filter(({ type }) => type?.startsWith('image/')).map(({ url }) => url),
            ...mediaImages(item.media),
            item.itunes?.image,
            ...readHtml(item.content?.encoded ?? '').images,
          ],
          dates: [item.pubDate, ...(item.dc?.dates ?? [])],
        })),
      };
    case 'atom':
      return {
        title: fromAtom(feed.title),
        entries: (feed.entries ?? []).map((entry) => {
          const body = entry.summary ?? entry.content;
          return {
            guid: entry.id,
            title: fromAtom(entry.title),
            html: isAtomHtml(body) ? (body?.value ?? '') : '',
            plain: isAtomHtml(body) ? '' : (body?.value ?? ''),
            links: entryLinks(entry.links),
            images: [
              ...(entry.links ?? [])
                .filter(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))
                .map(({ href }) => href),
              ...mediaImages(entry.media),
              entry.itunes?.image,
              ...readHtml(entry.content?.value ?? '').images,
            ],
            dates: [entry.published, entry.updated],
          };
        }),
      };
    case 'rdf':
      return {
        title: fromHtml(feed.title),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.rdf?.about,
          title: fromHtml(item.title),
          html: item.description ?? item.content?.encoded ?? '',
          plain: '',
          links: [item.link, item.rdf?.about],
          images: [...mediaImages(item.media), ...readHtml(item.content?.encoded ?? '').images],
          dates: item.dc?.dates ?? [],
        })),
      };
    case 'json':
      return {
        title: feed.title ?? '',
        entries: (feed.items ?? []).map((item) => ({
          guid: item.id,
          title: item.title ?? '',
          html: item.content_html ?? '',
          plain: item.summary ?? item.content_text ?? '',
          links: [item.url, item.external_url, item.id],
          images: [
            item.image,
            item.banner_image,
            ...(item.attachments ?? []).filter(({ mime_type }) => mime_type?.startsWith('image/')).map(({ url }) => url),
          ],
          dates: [item.date_published, item.date_modified],
        })),
      };
  }
}

interface MediaPart {
  contents?: { url?: string; medium?: string; type?: string; thumbnails?: { url?: string }[] }[];
  thumbnails?: { url?: string }[];
}

function mediaImages(media: (MediaPart & { groups?: MediaPart[] }) | undefined): (string | undefined)[] {
  const parts = media ? [media, ...(media.groups ?? [])] : [];
  const isImage = (part: { medium?: string; type?: string }) =>
    part.medium === 'image' || (part.type?.startsWith('image/') ?? false);
  return [
    ...parts.flatMap(({ contents = [] }) => contents.filter(isImage).map(({ url }) => url)),
    ...parts
      .flatMap(({ thumbnails = [], contents = [] }) => [
        ...thumbnails,
        ...contents.flatMap((content) => content.thumbnails ?? []),
      ])
      .map(({ url }) => url),
  ];
}

interface AtomText {
  value?: string;
  type?: string;
}

const isAtomHtml = (text: AtomText | undefined) => text?.type === 'html' || text?.type === 'xhtml' || text?.type === 'text/html';
const fromAtom = (text: AtomText | undefined) => (isAtomHtml(text) ? fromHtml(text?.value) : (text?.value ?? ''));
const fromHtml = (html: string | undefined) => readHtml(html ?? '').text;
const oneLine = (text: string) => tidyText(text).replaceAll(/\s+/g, ' ');

function entryLinks(links: { href?: string; rel?: string }[] | undefined): (string | undefined)[] {
  return (links ?? []).filter(({ rel }) => rel === undefined || rel === 'alternate').map(({ href }) => href);
}

/** The first usable address; one that begins with "/" belongs to the feed's own site. */
function firstUrl(candidates: (string | undefined)[], feedUrl: string): string | null {
  for (const candidate of candidates) {
    const address = candidate?.trim() ?? '';
    const absolute = address.startsWith('/') && URL.canParse(address, feedUrl) ? new URL(address, feedUrl).href : address;
    const url = parseHttpUrl(absolute);
    if (url) return url;
  }
  return null;
}

function firstTime(dates: (string | undefined)[]): string | null {
  for (const date of dates) {
    const time = new Date(date ?? '');
    if (time.getTime() >= 0 && time.getUTCFullYear() <= 9999) return time.toISOString();
  }
  return null;
}
