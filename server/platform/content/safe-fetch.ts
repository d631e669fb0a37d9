import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type * as Client from 'undici';
import type { Agent, Response } from 'undici';

/** Reads only from the public internet (SSRF guard). Throws `FetchRefused`. */
export type SafeFetch = (address: string, options: FetchOptions) => Promise<FetchResult>;

export interface FetchOptions {
  accepts: (type: string) => boolean;
  maxBytes: number;
  /** Includes redirects. Unset: any public host. */
  hosts?: ReadonlySet<string>;
  /** Redirects are not followed. */
  post?: { body: string; headers: Readonly<Record<string, string>> };
}

export interface FetchResult {
  /** After redirects. */
  url: string;
  bytes: Uint8Array;
  contentType: string;
}

export type FetchRefusal = 'blocked' | 'unreachable' | 'tooLarge' | 'wrongType';

export class FetchRefused extends Error {
  readonly reason: FetchRefusal;
  constructor(reason: FetchRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** `address` is the IP. */
export interface Destination {
  origin: string;
  address: string;
}

export interface SafeFetchRules {
  /** Only https on port 443. */
  httpsOnly: boolean;
  /** Our own origin on loopback (the development feed). Never with `httpsOnly`. */
  ownOrigin?: string;
  /** Configured by the operator: may be private and on any port. */
  trusted?: ReadonlySet<string>;
  timeout?: number;
  lookup?: typeof systemLookup;
  mayConnect?: (destination: Destination) => boolean;
}

const maxRedirects = 2;

export function isPublicAddress(address: string): boolean {
  try {
    const bare = withoutBrackets(address).split('%')[0] ?? '';
    // ipaddr.js treats ::1.1.1.1 as ::ffff:1.1.1.1.
    if (bare.includes(':') && bare.includes('.') && !/^::ffff:[\d.]+$/i.test(bare)) return false;
    const found = ipaddr.process(bare);
    return found.range() === 'unicast' && !isIpv4Compatible(found.toByteArray());
  } catch {
    return false;
  }
}

/** ::/96 (RFC 4291 §2.5.5.1), which some systems treat as IPv4. */
const isIpv4Compatible = (bytes: readonly number[]): boolean =>
  bytes.length === 16 && bytes.slice(0, 12).every((byte) => byte === 0);

export function createSafeFetch(rules: SafeFetchRules): SafeFetch {
  if (rules.httpsOnly && rules.ownOrigin) throw new Error('ownOrigin must not be set together with httpsOnly');
  let dispatcher: Agent | null = null;

  return async function safeFetch(address, options) {
    const client = await import('undici'); // takes a tenth of the startup time
    dispatcher ??= createAgent(client, rules);
    const signal = AbortSignal.timeout(rules.timeout ?? 5000);
    try {
      let url = checkUrl(address, rules, options);
      for (let redirects = 0; ; redirects += 1) {
        const response = await client.fetch(url, {
          dispatcher,
          signal,
          redirect: 'manual',
          credentials: 'omit',
          ...(options.post && { method: 'POST', body: options.post.body, headers: { ...options.post.headers } }),
        });
        if (response.status < 300 || response.status >= 400) return { url: url.href, ...(await readBody(response, options)) };
        await response.body?.cancel();
        if (options.post) throw new FetchRefused('blocked', `status ${response.status}`);
        const location = response.headers.get('location');
        if (!location) throw new FetchRefused('unreachable', `status ${response.status} without a location`);
        if (redirects === maxRedirects) throw new FetchRefused('blocked', 'too many redirects');
        url = checkUrl(location, rules, options, url);
      }
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

function checkUrl(address: string, rules: SafeFetchRules, options: FetchOptions, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new FetchRefused('blocked', 'not a URL');
  const url = new URL(address, base);
  if (url.username || url.password) throw new FetchRefused('blocked', 'credentials in the URL');
  const isAllowedScheme = url.protocol === 'https:' || (url.protocol === 'http:' && !rules.httpsOnly);
  if (!isAllowedScheme) throw new FetchRefused('blocked', `scheme ${url.protocol}`);
  if (rules.httpsOnly && url.port && !rules.trusted?.has(url.origin)) throw new FetchRefused('blocked', `port ${url.port}`);
  if (options.hosts && !options.hosts.has(url.hostname))
    throw new FetchRefused('blocked', `host ${url.hostname} is not configured`);
  return url;
}

/** Checks before connecting and again on the socket, which defeats DNS rebinding. */
function createAgent({ Agent, buildConnector }: typeof Client, rules: SafeFetchRules): Agent {
  const mayConnect =
    rules.mayConnect ??
    (({ origin, address }) =>
      isPublicAddress(address) || (origin === rules.ownOrigin && isLoopback(address)) || rules.trusted?.has(origin) === true);
  const resolve = rules.lookup ?? systemLookup;

  return new Agent({
    pipelining: 0, // no reused connections: each request is checked
    connect(options, callback) {
      const origin = `${options.protocol}//${options.host ?? options.hostname}`;
      const refuse = (address: string) => new FetchRefused('blocked', `${address} is not a public address`);
      const literal = withoutBrackets(options.hostname);
      if (isIP(literal) && !mayConnect({ origin, address: literal })) return callback(refuse(literal), null);

      const lookup: LookupFunction = (hostname, lookupOptions, answer) => {
        resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
          if (error) return answer(error, '');
          const bad = addresses.find(({ address }) => !mayConnect({ origin, address }));
          if (bad) return answer(refuse(bad.address), '');
          const [first] = addresses;
          if (lookupOptions.all || !first) return answer(null, addresses);
          answer(null, first.address, first.family);
        });
      };
      const connect = buildConnector({ timeout: 3000, lookup });
      connect(options, (...[error, socket]) => {
        if (error || !socket) return callback(error ?? new Error('no socket'), null);
        const address = socket.remoteAddress ?? '';
        if (mayConnect({ origin, address })) return callback(null, socket);
        socket.destroy();
        callback(refuse(address), null);
      });
    },
  });
}

async function readBody(response: Response, options: FetchOptions): Promise<Omit<FetchResult, 'url'>> {
  try {
    if (!response.ok) throw new FetchRefused('unreachable', `status ${response.status}`);
    const contentType = (response.headers.get('content-type') ?? '').toLowerCase();
    const type = (contentType.split(';')[0] ?? '').trim();
    if (!options.accepts(type)) throw new FetchRefused('wrongType', `content type ${type || 'missing'}`);
    return { bytes: await readCapped(response, options.maxBytes), contentType };
  } catch (error) {
    await response.body?.cancel().catch(() => undefined);
    throw error;
  }
}

/** Counts decompressed bytes, which stops zip bombs early. */
async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FetchRefused('tooLarge', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusalOf(error: unknown): FetchRefused {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof FetchRefused) return cause;
  return new FetchRefused('unreachable', error instanceof Error ? error.message : 'unreachable', {
    cause: error,
  });
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
