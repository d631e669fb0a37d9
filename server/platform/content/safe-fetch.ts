import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type * as Client from 'undici';
import type { Agent, Response } from 'undici';

/** Reads only from the public internet (SSRF guard). Throws `FetchRefusedError`. */
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

export class FetchRefusedError extends Error {
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
    const addressText = stripBrackets(address).split('%')[0] ?? '';
    // ipaddr.js treats ::1.1.1.1 as ::ffff:1.1.1.1.
    if (addressText.includes(':') && addressText.includes('.') && !/^::ffff:[\d.]+$/i.test(addressText)) return false;
    const parsedAddress = ipaddr.process(addressText);
    return parsedAddress.range() === 'unicast' && !isIpv4Compatible(parsedAddress.toByteArray());
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
      for (let redirectCount = 0; ; redirectCount += 1) {
        const response = await client.fetch(url, {
          dispatcher,
          signal,
          redirect: 'manual',
          credentials: 'omit',
          ...(options.post && { method: 'POST', body: options.post.body, headers: { ...options.post.headers } }),
        });
        if (response.status < 300 || response.status >= 400) return { url: url.href, ...(await readBody(response, options)) };
        await response.body?.cancel();
        if (options.post) throw new FetchRefusedError('blocked', `status ${response.status}`);
        const location = response.headers.get('location');
        if (!location) throw new FetchRefusedError('unreachable', `status ${response.status} without a location`);
        if (redirectCount === maxRedirects) throw new FetchRefusedError('blocked', 'too many redirects');
        url = checkUrl(location, rules, options, url);
      }
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

/** As `fetch`, also for answers with an error. Follows no redirect. Throws `FetchRefusedError`. */
export type GuardedFetch = (address: string, init: GuardedRequest) => Promise<globalThis.Response>;

interface GuardedRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

const maxGuardedBytes = 1024 * 1024;

const copyHeaders = (headers: Response['headers']): Record<string, string> =>
  Object.fromEntries(
    ['content-type', 'date', 'age'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

export function createGuardedFetch(rules: SafeFetchRules): GuardedFetch {
  let dispatcher: Agent | null = null;
  return async function guardedFetch(address, { method = 'GET', headers = {}, body, signal }) {
    const client = await import('undici');
    dispatcher ??= createAgent(client, rules);
    const timeout = AbortSignal.timeout(rules.timeout ?? 5000);
    try {
      const response = await client.fetch(checkUrl(address, rules, {}), {
        dispatcher,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'manual',
        credentials: 'omit',
        method,
        headers: { ...headers },
        ...(body !== undefined &&
          body !== null && { body: body instanceof URLSearchParams ? body.toString() : String(body as string) }),
      });
      const bytes = await readUpTo(response, maxGuardedBytes);
      const hasBody = ![204, 205, 304].includes(response.status);
      return new globalThis.Response(hasBody ? Buffer.from(bytes) : null, {
        status: response.status,
        headers: copyHeaders(response.headers),
      });
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

function checkUrl(address: string, rules: SafeFetchRules, options: Pick<FetchOptions, 'hosts'>, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new FetchRefusedError('blocked', 'not a URL');
  const url = new URL(address, base);
  if (url.username || url.password) throw new FetchRefusedError('blocked', 'credentials in the URL');
  const isAllowedScheme = url.protocol === 'https:' || (url.protocol === 'http:' && !rules.httpsOnly);
  if (!isAllowedScheme) throw new FetchRefusedError('blocked', `scheme ${url.protocol}`);
  if (rules.httpsOnly && url.port && !rules.trusted?.has(url.origin)) throw new FetchRefusedError('blocked', `port ${url.port}`);
  if (options.hosts && !options.hosts.has(url.hostname))
    throw new FetchRefusedError('blocked', `host ${url.hostname} is not configured`);
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
      const createBlockedError = (address: string) => new FetchRefusedError('blocked', `${address} is not a public address`);
      const literalAddress = stripBrackets(options.hostname);
      if (isIP(literalAddress) && !mayConnect({ origin, address: literalAddress }))
        return callback(createBlockedError(literalAddress), null);

      const lookup: LookupFunction = (hostname, lookupOptions, lookupCallback) => {
        resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
          if (error) return lookupCallback(error, '');
          const blockedAddress = addresses.find(({ address }) => !mayConnect({ origin, address }));
          if (blockedAddress) return lookupCallback(createBlockedError(blockedAddress.address), '');
          const [firstAddress] = addresses;
          if (lookupOptions.all || !firstAddress) return lookupCallback(null, addresses);
          lookupCallback(null, firstAddress.address, firstAddress.family);
        });
      };
      const connectSocket = buildConnector({ timeout: 3000, lookup });
      connectSocket(options, (...[error, socket]) => {
        if (error || !socket) return callback(error ?? new Error('no socket'), null);
        const address = socket.remoteAddress ?? '';
        if (mayConnect({ origin, address })) return callback(null, socket);
        socket.destroy();
        callback(createBlockedError(address), null);
      });
    },
  });
}

async function readBody(response: Response, options: FetchOptions): Promise<Omit<FetchResult, 'url'>> {
  try {
    if (!response.ok) throw new FetchRefusedError('unreachable', `status ${response.status}`);
    const contentType = (response.headers.get('content-type') ?? '').toLowerCase();
    const type = (contentType.split(';')[0] ?? '').trim();
    if (!options.accepts(type)) throw new FetchRefusedError('wrongType', `content type ${type || 'missing'}`);
    return { bytes: await readUpTo(response, options.maxBytes), contentType };
  } catch (error) {
    await response.body?.cancel().catch(() => undefined);
    throw error;
  }
}

/** Counts decompressed bytes, which stops zip bombs early. */
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FetchRefusedError('tooLarge', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusalOf(error: unknown): FetchRefusedError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof FetchRefusedError) return cause;
  return new FetchRefusedError('unreachable', error instanceof Error ? error.message : 'unreachable', {
    cause: error,
  });
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

const stripBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
