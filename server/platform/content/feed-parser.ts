import { createHash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import { parseHttpUrl } from '../../../api/url.ts';
import { parseFeedDate } from './feed-date.ts';
import { readHtml, truncateText, tidyText } from './html-to-text.ts';

/** Plain text within the fields' lengths, absolute http(s) addresses. */
export interface FeedEntry {
  /** SHA-256 of the id, or where needed of link and title too. */
  guid: string;
  title: string;
  description: string;
  link: string;
  image: string | null;
  /** ISO-8601 UTC. Null if unreadable or far in the future. */
  time: string | null;
}

/** No http(s) link, an exact repetition, or not among the newest hundred. */
export const skipReasons = ['noLink', 'repeated', 'older'] as const;
export type SkipReason = (typeof skipReasons)[number];
type SkippedCounts = Record<SkipReason, number>;

export interface ParsedFeed {
  title: string;
  /** Newest first. An undated entry follows the one before it. */
  entries: FeedEntry[];
  skipped: SkippedCounts;
}

export const maxEntries = 100;

/** Allows for time zones and wrong clocks. */
const maxAheadMs = 2 * 24 * 3_600_000;

/** RSS, Atom, RDF or JSON Feed. Throws for other text. */
export function parseFeedText(text: string, feedUrl: string, now: number): ParsedFeed {
  const { title, base, entries: rawEntries } = parseRawFeed(text.replace(/^\uFEFF/, '').trimStart(), feedUrl);
  const latestTime = new Date(now + maxAheadMs).toISOString();
  const cleanEntries = rawEntries.flatMap((entry) => cleanEntry(entry, base, latestTime) ?? []);
  const distinctEntries = identifyEntries(cleanEntries);
  const entries = sortNewestFirst(distinctEntries);
  return {
    title: truncateText(toOneLine(title), 100) || new URL(feedUrl).host,
    entries,
    skipped: {
      noLink: rawEntries.length - cleanEntries.length,
      repeated: cleanEntries.length - distinctEntries.length,
      older: distinctEntries.length - entries.length,
    },
  };
}

interface RawFeed {
  title: string;
  base: string | null;
  entries: RawEntry[];
}

interface RawEntry {
  guid: string | undefined;
  title: string;
  html: string;
  plain: string;
  base?: string | undefined;
  /** An element has an `xml:base` that applies only to its HTML. */
  hasOwnBase?: boolean;
  links: (string | undefined)[];
  images: (string | undefined)[];
  dates: (string | undefined)[];
}

type CleanEntry = Omit<FeedEntry, 'guid'> & { ownId: string | null };

function cleanEntry(rawEntry: RawEntry, feedBase: string | null, latestTime: string): CleanEntry | null {
  const base = feedBase === null ? null : resolveBase(rawEntry.base, feedBase);
  const link = findFirstUrl(rawEntry.links, base);
  if (!link) return null;
  const parsedHtml = readHtml(rawEntry.html);
  const description = truncateText(tidyText(rawEntry.plain) || parsedHtml.text, 5000);
  const title = truncateText(toOneLine(rawEntry.title) || toOneLine(description) || link, 200);
  const providedId = rawEntry.guid?.trim() ?? '';
  return {
    ownId: providedId === '' || placeholderPattern.test(providedId) ? null : providedId,
    title,
    description: description || title,
    link,
    image: findFirstUrl([...rawEntry.images, ...listImages(rawEntry.html, rawEntry.hasOwnBase)].map(normalizeAddress), base),
    time: rawEntry.dates.flatMap((date) => parseFeedDate(date ?? '') ?? []).find((date) => date <= latestTime) ?? null,
  };
}

const placeholderPattern = /^(n\/?a|none|null|undefined|nil|-|0|guid|id)$/i;

/** By id, else also by link and then title. Removes exact repetitions. */
function identifyEntries(entries: readonly CleanEntry[]): FeedEntry[] {
  const keys: ((entry: CleanEntry) => string)[] = [
    ({ ownId: providedId, link }) => providedId ?? link,
    ({ ownId: providedId, link }) => `${providedId ?? ''}\n${link}`,
    ({ ownId: providedId, link, title }) => `${providedId ?? ''}\n${link}\n${title}`,
  ];
  const wholeKey = keys[2] ?? (() => '');
  const holdersByKey = keys.map((keyOf) => {
    const holders = new Map<string, Set<string>>();
    for (const entry of entries) holders.set(keyOf(entry), (holders.get(keyOf(entry)) ?? new Set()).add(wholeKey(entry)));
    return holders;
  });
  const entriesByGuid = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const keyIndex = keys.findIndex((keyOf, index) => holdersByKey[index]?.get(keyOf(entry))?.size === 1);
    const key = keys[keyIndex]?.(entry) ?? wholeKey(entry);
    const guid = createHash('sha256').update(key).digest('hex');
    const { ownId: _ownId, ...entryFields } = entry;
    if (!entriesByGuid.has(guid)) entriesByGuid.set(guid, { ...entryFields, guid });
  }
  return [...entriesByGuid.values()];
}

/** An undated entry goes with the one before it, or else the one after. */
function sortNewestFirst(entries: readonly FeedEntry[]): FeedEntry[] {
  let nearestTime = entries.find(({ time }) => time !== null)?.time ?? '';
  const entriesWithTime = entries.map((entry) => {
    nearestTime = entry.time ?? nearestTime;
    return { entry, near: nearestTime };
  });
  return entriesWithTime
    .toSorted((a, b) => (a.near < b.near ? 1 : a.near > b.near ? -1 : 0))
    .slice(0, maxEntries)
    .map(({ entry }) => entry);
}

function parseRawFeed(text: string, feedUrl: string): RawFeed {
  const { format, feed } = parseFeed(text);
  switch (format) {
    case 'rss':
      return {
        title: htmlToText(feed.title),
        base: hasOtherBase(text, ['rss', 'item']) ? null : resolveBase(feed.xml?.base, resolveSite(feed.link, feedUrl)),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.guid?.value,
          base: item.xml?.base,
          title: htmlToText(item.title),
          html: item.description ?? item.content?.encoded ?? item.itunes?.summary ?? '',
          plain: '',
          links: [
            normalizeAddress(item.link),
            ...listEntryLinks(item.atom?.links),
            item.guid?.isPermaLink === false ? undefined : requireAbsoluteUrl(item.guid?.value),
          ],
          images: [
            ...(item.enclosures ?? []).filter(({ type }) => type?.startsWith('image/')).map(({ url }) => url),
            ...listMediaImages(item.media),
            item.itunes?.image,
            ...readHtml(item.content?.encoded ?? '').images,
          ],
          dates: [item.pubDate, ...(item.dc?.dates ?? []), ...(item.dcterms?.issued ?? []), ...(item.dcterms?.created ?? [])],
        })),
      };
    case 'atom':
      return {
        title: atomToText(feed.title),
        base: hasOtherBase(text, ['feed', 'entry', 'summary', 'content', 'div']) ? null : resolveBase(feed.xml?.base, feedUrl),
        entries: (feed.entries ?? []).map((entry) => {
          const body = entry.summary ?? entry.content;
          return {
            guid: entry.id,
            base: entry.xml?.base,
            title: atomToText(entry.title),
            html: isAtomHtml(body) ? (body?.value ?? '') : '',
            hasOwnBase: body?.xml?.base !== undefined,
            plain: isAtomHtml(body) ? '' : (body?.value ?? ''),
            links: listEntryLinks(entry.links),
            images: [
              ...(entry.links ?? [])
                .filter(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))
                .map(({ href }) => href),
              ...listMediaImages(entry.media),
              entry.itunes?.image,
              ...listImages(entry.content?.value ?? '', entry.content?.xml?.base !== undefined),
            ],
            dates: [entry.published, entry.updated],
          };
        }),
      };
    case 'rdf':
      return {
        title: htmlToText(feed.title),
        base: hasOtherBase(text, ['rdf:RDF', 'item']) ? null : resolveBase(feed.xml?.base, resolveSite(feed.link, feedUrl)),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.rdf?.about,
          base: item.xml?.base,
          title: htmlToText(item.title),
          html: item.description ?? item.content?.encoded ?? '',
          plain: '',
          links: [normalizeAddress(item.link), requireAbsoluteUrl(item.rdf?.about)],
          images: [...listMediaImages(item.media), ...readHtml(item.content?.encoded ?? '').images],
          dates: item.dc?.dates ?? [],
        })),
      };
    case 'json':
      return {
        title: feed.title ?? '',
        base: resolveSite(feed.home_page_url, feedUrl),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.id,
          title: item.title ?? '',
          html: item.content_html ?? '',
          plain: item.summary ?? item.content_text ?? '',
          links: [normalizeAddress(item.url), normalizeAddress(item.external_url), requireAbsoluteUrl(item.id)],
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

function listMediaImages(media: (MediaPart & { groups?: MediaPart[] }) | undefined): (string | undefined)[] {
  const parts = media ? [media, ...(media.groups ?? [])] : [];
  const isImage = (mediaPart: { medium?: string; type?: string }) =>
    mediaPart.medium === 'image' || (mediaPart.type?.startsWith('image/') ?? false);
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
const atomToText = (text: AtomText | undefined) => (isAtomHtml(text) ? htmlToText(text?.value) : (text?.value ?? ''));
const htmlToText = (html: string | undefined) => readHtml(html ?? '').text;
const toOneLine = (text: string) => tidyText(text).replaceAll(/\s+/g, ' ');

/** Skips relative addresses if the text has its own base. */
const listImages = (html: string, hasOwnBase = false): string[] =>
  readHtml(html).images.filter((address) => !hasOwnBase || requireAbsoluteUrl(address) !== undefined);

function listEntryLinks(links: { href?: string; rel?: string }[] | undefined): (string | undefined)[] {
  return (links ?? [])
    .filter(({ rel }) => rel === undefined || rel === 'alternate')
    .map(({ href }) => href?.trim().replaceAll(' ', '%20'));
}

/** Undefined for words and placeholders, which would resolve to an address. */
function normalizeAddress(text: string | undefined): string | undefined {
  const trimmedText = text?.trim() ?? '';
  return placeholderPattern.test(trimmedText) || (/\s/.test(trimmedText) && !/[./?#]/.test(trimmedText))
    ? undefined
    : trimmedText;
}

/** Any other id is not relative to the feed. */
const requireAbsoluteUrl = (id: string | undefined): string | undefined => (/^\s*https?:\/\//i.test(id ?? '') ? id : undefined);

/** True if another element has an `xml:base`, which feedsmith does not report. */
function hasOtherBase(text: string, elements: readonly string[]): boolean {
  const tagMatches = text.matchAll(/<([\w:.-]+)(?=\s)(?:"[^"<]*"|'[^'<]*'|[^'"<>])*?\sxml:base\s*=/g);
  return [...tagMatches].some(([, name = '']) => !elements.includes(name));
}

const resolveBase = (ownBase: string | undefined, parent: string): string =>
  ownBase !== undefined && URL.canParse(ownBase, parent) ? new URL(ownBase, parent).href : parent;

/** Relative to the site named in the feed, which may differ from the feed's host. */
function resolveSite(site: string | undefined, feedUrl: string): string {
  const base = resolveBase(site?.trim(), feedUrl);
  return parseHttpUrl(base) ? base : feedUrl;
}

/** Resolves relative addresses and encodes illegal characters. */
function findFirstUrl(candidates: (string | undefined)[], base: string | null): string | null {
  for (const candidateUrl of candidates) {
    const address = candidateUrl?.trim() ?? '';
    if (address === '' || /^\/\/+$/.test(address) || !URL.canParse(address, base ?? undefined)) continue;
    const url = parseHttpUrl(new URL(address, base ?? undefined).href);
    if (url) return url;
  }
  return null;
}
