import { createHash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import { parseHttpUrl } from '../../../api/url.ts';
import { feedDate } from './feed-date.ts';
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
type Skipped = Record<SkipReason, number>;

export interface ParsedFeed {
  title: string;
  /** Newest first. An undated entry follows the one before it. */
  entries: FeedEntry[];
  skipped: Skipped;
}

export const maxEntries = 100;

/** Allows for time zones and wrong clocks. */
const maxAheadMs = 2 * 24 * 3_600_000;

/** RSS, Atom, RDF or JSON Feed. Throws for other text. */
export function parseFeedText(text: string, feedUrl: string, now: number): ParsedFeed {
  const { title, base, entries: raw } = rawFeed(text.replace(/^\uFEFF/, '').trimStart(), feedUrl);
  const latest = new Date(now + maxAheadMs).toISOString();
  const usable = raw.flatMap((entry) => cleanEntry(entry, base, latest) ?? []);
  const distinct = identifyEntries(usable);
  const entries = newest(distinct);
  return {
    title: truncateText(oneLine(title), 100) || new URL(feedUrl).host,
    entries,
    skipped: {
      noLink: raw.length - usable.length,
      repeated: usable.length - distinct.length,
      older: distinct.length - entries.length,
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

type Cleaned = Omit<FeedEntry, 'guid'> & { ownId: string | null };

function cleanEntry(raw: RawEntry, feedBase: string | null, latest: string): Cleaned | null {
  const base = feedBase === null ? null : baseOf(raw.base, feedBase);
  const link = firstUrl(raw.links, base);
  if (!link) return null;
  const read = readHtml(raw.html);
  const description = truncateText(tidyText(raw.plain) || read.text, 5000);
  const title = truncateText(oneLine(raw.title) || oneLine(description) || link, 200);
  const ownId = raw.guid?.trim() ?? '';
  return {
    ownId: ownId === '' || placeholder.test(ownId) ? null : ownId,
    title,
    description: description || title,
    link,
    image: firstUrl([...raw.images, ...imagesWithin(raw.html, raw.hasOwnBase)].map(addressText), base),
    time: raw.dates.flatMap((date) => feedDate(date ?? '') ?? []).find((date) => date <= latest) ?? null,
  };
}

const placeholder = /^(n\/?a|none|null|undefined|nil|-|0|guid|id)$/i;

/** By id, else also by link and then title. Removes exact repetitions. */
function identifyEntries(entries: readonly Cleaned[]): FeedEntry[] {
  const keys: ((entry: Cleaned) => string)[] = [
    ({ ownId, link }) => ownId ?? link,
    ({ ownId, link }) => `${ownId ?? ''}\n${link}`,
    ({ ownId, link, title }) => `${ownId ?? ''}\n${link}\n${title}`,
  ];
  const whole = keys[2] ?? (() => '');
  const sharing = keys.map((keyOf) => {
    const holders = new Map<string, Set<string>>();
    for (const entry of entries) holders.set(keyOf(entry), (holders.get(keyOf(entry)) ?? new Set()).add(whole(entry)));
    return holders;
  });
  const found = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const at = keys.findIndex((keyOf, index) => sharing[index]?.get(keyOf(entry))?.size === 1);
    const key = keys[at]?.(entry) ?? whole(entry);
    const guid = createHash('sha256').update(key).digest('hex');
    const { ownId: _ownId, ...rest } = entry;
    if (!found.has(guid)) found.set(guid, { ...rest, guid });
  }
  return [...found.values()];
}

/** An undated entry goes with the one before it, or else the one after. */
function newest(entries: readonly FeedEntry[]): FeedEntry[] {
  let near = entries.find(({ time }) => time !== null)?.time ?? '';
  const dated = entries.map((entry) => {
    near = entry.time ?? near;
    return { entry, near };
  });
  return dated
    .toSorted((a, b) => (a.near < b.near ? 1 : a.near > b.near ? -1 : 0))
    .slice(0, maxEntries)
    .map(({ entry }) => entry);
}

function rawFeed(text: string, feedUrl: string): RawFeed {
  const { format, feed } = parseFeed(text);
  switch (format) {
    case 'rss':
      return {
        title: fromHtml(feed.title),
        base: hasOtherBase(text, ['rss', 'item']) ? null : baseOf(feed.xml?.base, siteOf(feed.link, feedUrl)),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.guid?.value,
          base: item.xml?.base,
          title: fromHtml(item.title),
          html: item.description ?? item.content?.encoded ?? item.itunes?.summary ?? '',
          plain: '',
          links: [
            addressText(item.link),
            ...entryLinks(item.atom?.links),
            item.guid?.isPermaLink === false ? undefined : whole(item.guid?.value),
          ],
          images: [
            ...(item.enclosures ?? []).filter(({ type }) => type?.startsWith('image/')).map(({ url }) => url),
            ...mediaImages(item.media),
            item.itunes?.image,
            ...readHtml(item.content?.encoded ?? '').images,
          ],
          dates: [item.pubDate, ...(item.dc?.dates ?? []), ...(item.dcterms?.issued ?? []), ...(item.dcterms?.created ?? [])],
        })),
      };
    case 'atom':
      return {
        title: fromAtom(feed.title),
        base: hasOtherBase(text, ['feed', 'entry', 'summary', 'content', 'div']) ? null : baseOf(feed.xml?.base, feedUrl),
        entries: (feed.entries ?? []).map((entry) => {
          const body = entry.summary ?? entry.content;
          return {
            guid: entry.id,
            base: entry.xml?.base,
            title: fromAtom(entry.title),
            html: isAtomHtml(body) ? (body?.value ?? '') : '',
            hasOwnBase: body?.xml?.base !== undefined,
            plain: isAtomHtml(body) ? '' : (body?.value ?? ''),
            links: entryLinks(entry.links),
            images: [
              ...(entry.links ?? [])
                .filter(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))
                .map(({ href }) => href),
              ...mediaImages(entry.media),
              entry.itunes?.image,
              ...imagesWithin(entry.content?.value ?? '', entry.content?.xml?.base !== undefined),
            ],
            dates: [entry.published, entry.updated],
          };
        }),
      };
    case 'rdf':
      return {
        title: fromHtml(feed.title),
        base: hasOtherBase(text, ['rdf:RDF', 'item']) ? null : baseOf(feed.xml?.base, siteOf(feed.link, feedUrl)),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.rdf?.about,
          base: item.xml?.base,
          title: fromHtml(item.title),
          html: item.description ?? item.content?.encoded ?? '',
          plain: '',
          links: [addressText(item.link), whole(item.rdf?.about)],
          images: [...mediaImages(item.media), ...readHtml(item.content?.encoded ?? '').images],
          dates: item.dc?.dates ?? [],
        })),
      };
    case 'json':
      return {
        title: feed.title ?? '',
        base: siteOf(feed.home_page_url, feedUrl),
        entries: (feed.items ?? []).map((item) => ({
          guid: item.id,
          title: item.title ?? '',
          html: item.content_html ?? '',
          plain: item.summary ?? item.content_text ?? '',
          links: [addressText(item.url), addressText(item.external_url), whole(item.id)],
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

/** Skips relative addresses if the text has its own base. */
const imagesWithin = (html: string, hasOwnBase = false): string[] =>
  readHtml(html).images.filter((address) => !hasOwnBase || whole(address) !== undefined);

function entryLinks(links: { href?: string; rel?: string }[] | undefined): (string | undefined)[] {
  return (links ?? [])
    .filter(({ rel }) => rel === undefined || rel === 'alternate')
    .map(({ href }) => href?.trim().replaceAll(' ', '%20'));
}

/** Undefined for words and placeholders, which would resolve to an address. */
function addressText(text: string | undefined): string | undefined {
  const typed = text?.trim() ?? '';
  return placeholder.test(typed) || (/\s/.test(typed) && !/[./?#]/.test(typed)) ? undefined : typed;
}

/** Any other id is not relative to the feed. */
const whole = (id: string | undefined): string | undefined => (/^\s*https?:\/\//i.test(id ?? '') ? id : undefined);

/** True if another element has an `xml:base`, which feedsmith does not report. */
function hasOtherBase(text: string, elements: readonly string[]): boolean {
  const tags = text.matchAll(/<([\w:.-]+)(?=\s)(?:"[^"<]*"|'[^'<]*'|[^'"<>])*?\sxml:base\s*=/g);
  return [...tags].some(([, name = '']) => !elements.includes(name));
}

const baseOf = (own: string | undefined, parent: string): string =>
  own !== undefined && URL.canParse(own, parent) ? new URL(own, parent).href : parent;

/** Relative to the site named in the feed, which may differ from the feed's host. */
function siteOf(site: string | undefined, feedUrl: string): string {
  const base = baseOf(site?.trim(), feedUrl);
  return parseHttpUrl(base) ? base : feedUrl;
}

/** Resolves relative addresses and encodes illegal characters. */
function firstUrl(candidates: (string | undefined)[], base: string | null): string | null {
  for (const candidate of candidates) {
    const address = candidate?.trim() ?? '';
    if (address === '' || /^\/\/+$/.test(address) || !URL.canParse(address, base ?? undefined)) continue;
    const url = parseHttpUrl(new URL(address, base ?? undefined).href);
    if (url) return url;
  }
  return null;
}
