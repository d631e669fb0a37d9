import { describeError, type Log } from '../core/log.ts';
import { maxEntries, parseFeedText, type FeedEntry, type ParsedFeed } from './feed-parser.ts';
import { FetchRefused, type Fetched, type FetchRefusal, type SafeFetch } from './safe-fetch.ts';

export interface ReadFeed extends ParsedFeed {
  url: string;
}

export interface FailedFeed {
  /** Host and path; a query may hold a key. */
  feed: string;
  reason: Exclude<FetchRefusal, 'wrongType'> | 'notAFeed';
}

const feedTypes = /^(?:application|text)\/(?:[a-z0-9.-]+\+)?(?:xml|json)$/;
const maxBytes = 2 * 1024 * 1024;

/** Reads all feeds at once. One that fails is named with its reason; the others still come. */
export async function readFeeds(
  urls: readonly string[],
  safeFetch: SafeFetch,
  log?: Log,
): Promise<{ feeds: ReadFeed[]; failed: FailedFeed[] }> {
  const hosts = new Set(urls.map((url) => new URL(url).hostname));
  const outcomes = await Promise.all(
    urls.map(async (url) => {
      try {
        const fetched = await safeFetch(url, { accepts: (type) => feedTypes.test(type), maxBytes, hosts });
        return { feed: { url, ...withoutDoubles(parseOrRefuse(fetched, url)) } };
      } catch (error) {
        if (!(error instanceof FetchRefused)) throw error;
        log?.warn({ feed: nameOf(url), err: describeError(error.cause ?? error) }, 'could not read a news feed');
        return { failed: { feed: nameOf(url), reason: error.reason === 'wrongType' ? ('notAFeed' as const) : error.reason } };
      }
    }),
  );
  return {
    feeds: outcomes.flatMap(({ feed }) => feed ?? []),
    failed: outcomes.flatMap(({ failed }) => failed ?? []),
  };
}

function parseOrRefuse(fetched: Fetched, url: string): ParsedFeed {
  try {
    return parseFeedText(decode(fetched), url);
  } catch (error) {
    throw new FetchRefused('wrongType', 'not a feed', { cause: error });
  }
}

/** Bytes to text by the response's charset, else the XML declaration's, else UTF-8 (a byte order mark wins). */
function decode({ bytes, contentType }: Fetched): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const charset =
    /charset\s*=\s*"?([\w-]+)/.exec(contentType)?.[1] ?? /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/.exec(head)?.[1] ?? 'utf-8';
  return new TextDecoder(charset).decode(bytes);
}

function withoutDoubles({ title, entries }: ParsedFeed): ParsedFeed {
  const byGuid = new Map<string, FeedEntry>();
  for (const entry of entries.slice(0, maxEntries)) if (!byGuid.has(entry.guid)) byGuid.set(entry.guid, entry);
  return { title, entries: [...byGuid.values()] };
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
