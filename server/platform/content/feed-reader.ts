import { describeError, type Log } from '../core/log.ts';
import { decodeStrictly, detectEncodingFromBom, detectEncodingFromZeroBytes, guessEncodings } from '../core/encoding.ts';
import { parseFeedText, skipReasons, type ParsedFeed, type SkipReason } from './feed-parser.ts';
import { FetchRefusedError, type FetchResult, type FetchRefusal, type SafeFetch } from './safe-fetch.ts';

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
  const trustedHosts = new Set(urls.map((url) => new URL(url).hostname));
  const feedOutcomes = await Promise.all(
    urls.map(async (url) => {
      try {
        // The operator configured the address, so any media type is accepted.
        const fetchResult = await safeFetch(url, { accepts: () => true, maxBytes, hosts: trustedHosts });
        return { feed: { url, ...parseOrRefuse(fetchResult, now) } };
      } catch (error) {
        if (!(error instanceof FetchRefusedError)) throw error;
        log?.warn({ feed: feedNameOf(url), err: describeError(error.cause ?? error) }, 'could not read a news feed');
        return { failed: { feed: feedNameOf(url), reason: error.reason === 'wrongType' ? ('notAFeed' as const) : error.reason } };
      }
    }),
  );
  const feeds = feedOutcomes.flatMap(({ feed }) => feed ?? []);
  return {
    feeds,
    skipped: feeds.flatMap(({ title, skipped }) =>
      skipReasons.flatMap((reason) => (skipped[reason] > 0 ? [{ feed: title, reason, count: skipped[reason] }] : [])),
    ),
    failed: feedOutcomes.flatMap(({ failed }) => failed ?? []),
  };
}

function parseOrRefuse(fetchResult: FetchResult, now: number): ParsedFeed {
  try {
    return parseFeedText(decodeFeed(fetchResult), fetchResult.url, now);
  } catch (error) {
    throw new FetchRefusedError('wrongType', 'not a feed', { cause: error });
  }
}

/** By byte order mark, charset, XML declaration, then guess. */
function decodeFeed({ bytes, contentType }: FetchResult): string {
  const firstBytes = Buffer.from(bytes.subarray(0, 1024)).toString('latin1').replaceAll('\u0000', '');
  const namedEncodings = [
    /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1],
    /^\s*(?:[^<]{0,3})<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(firstBytes)?.[1],
  ].map(encodingOfLabel);
  const candidates = [
    detectEncodingFromBom(bytes),
    detectEncodingFromZeroBytes(bytes),
    ...namedEncodings,
    'utf-8' as const,
    ...guessEncodings(bytes),
  ];
  for (const encoding of candidates) {
    const text = encoding && decodeStrictly(bytes, encoding);
    if (text !== null && text !== undefined && text !== '') return text;
  }
  return new TextDecoder(candidates.find((encoding) => encoding) ?? 'utf-8').decode(bytes);
}

function encodingOfLabel(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function feedNameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
