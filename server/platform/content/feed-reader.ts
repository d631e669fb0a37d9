import { describeError, type Log } from '../core/log.ts';
import { decodeStrictly, encodingOfMark, encodingOfZeros, likelyEncodings } from '../core/encoding.ts';
import { parseFeedText, skipReasons, type ParsedFeed, type SkipReason } from './feed-parser.ts';
import { FetchRefused, type FetchResult, type FetchRefusal, type SafeFetch } from './safe-fetch.ts';

export interface ReadFeed extends ParsedFeed {
  /** As configured, before redirects. */
  url: string;
}

export interface FailedFeed {
  /** Host and path, because a query may hold a key. */
  feed: string;
  reason: Exclude<FetchRefusal, 'wrongType'> | 'notAFeed';
}

export interface SkippedEntries {
  feed: string;
  reason: SkipReason;
  count: number;
}

const maxBytes = 2 * 1024 * 1024;

/** In parallel. A failing feed does not stop the others. */
export async function readFeeds(
  urls: readonly string[],
  safeFetch: SafeFetch,
  now: number,
  log?: Log,
): Promise<{ feeds: ReadFeed[]; failed: FailedFeed[]; skipped: SkippedEntries[] }> {
  const hosts = new Set(urls.map((url) => new URL(url).hostname));
  const outcomes = await Promise.all(
    urls.map(async (url) => {
      try {
        // The operator configured the address, so any media type is accepted.
        const fetched = await safeFetch(url, { accepts: () => true, maxBytes, hosts });
        return { feed: { url, ...parseOrRefuse(fetched, now) } };
      } catch (error) {
        if (!(error instanceof FetchRefused)) throw error;
        log?.warn({ feed: nameOf(url), err: describeError(error.cause ?? error) }, 'could not read a news feed');
        return { failed: { feed: nameOf(url), reason: error.reason === 'wrongType' ? ('notAFeed' as const) : error.reason } };
      }
    }),
  );
  const feeds = outcomes.flatMap(({ feed }) => feed ?? []);
  return {
    feeds,
    skipped: feeds.flatMap(({ title, skipped }) =>
      skipReasons.flatMap((reason) => (skipped[reason] > 0 ? [{ feed: title, reason, count: skipped[reason] }] : [])),
    ),
    failed: outcomes.flatMap(({ failed }) => failed ?? []),
  };
}

function parseOrRefuse(fetched: FetchResult, now: number): ParsedFeed {
  try {
    return parseFeedText(decode(fetched), fetched.url, now);
  } catch (error) {
    throw new FetchRefused('wrongType', 'not a feed', { cause: error });
  }
}

/** By byte order mark, charset, XML declaration, then guess. */
function decode({ bytes, contentType }: FetchResult): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1').replaceAll('\u0000', '');
  const named = [
    /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1],
    /^\s*(?:[^<]{0,3})<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head)?.[1],
  ].map(labelOf);
  const candidates = [encodingOfMark(bytes), encodingOfZeros(bytes), ...named, 'utf-8' as const, ...likelyEncodings(bytes)];
  for (const encoding of candidates) {
    const text = encoding && decodeStrictly(bytes, encoding);
    if (text !== null && text !== undefined && text !== '') return text;
  }
  return new TextDecoder(candidates.find((encoding) => encoding) ?? 'utf-8').decode(bytes);
}

function labelOf(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
