export interface FetchLimits {
  /** For the whole response. */
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export class FetchLimitError extends Error {
  override name = 'FetchLimitError';
  readonly limit: 'time' | 'size';
  constructor(limit: 'time' | 'size', message: string) {
    super(message);
    this.limit = limit;
  }
}

interface FetchOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** The limits cover the whole body, so a slow server cannot hold the connection. */
export async function fetchText(
  url: string,
  { timeoutMs, maxBytes, signal }: FetchLimits,
  { headers, ...requestInit }: FetchOptions = {},
): Promise<{ status: number; text: string }> {
  const { href, authorization } = splitCredentials(url);
  const abortController = new AbortController();
  const timer = setTimeout(
    () => abortController.abort(new FetchLimitError('time', `no complete response within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  const abortRequest = () => abortController.abort(new DOMException('the request was aborted', 'AbortError'));
  signal?.addEventListener('abort', abortRequest, { once: true });
  if (signal?.aborted) abortRequest();
  try {
    const response = await fetch(href, {
      ...requestInit,
      headers: { ...headers, ...authorization },
      signal: abortController.signal,
      redirect: 'error',
    });
    return { status: response.status, text: await readText(response, maxBytes, abortController.signal) };
  } catch (error) {
    if (abortController.signal.aborted) throw abortController.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abortRequest);
  }
}

/** undici hides the cause behind "fetch failed". */
export const readCause = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? error) : error);

/** fetch rejects URLs with credentials, so they go into a header. */
function splitCredentials(url: string): { href: string; authorization: Record<string, string> } {
  const parsedUrl = new URL(url);
  const { username, password } = parsedUrl;
  if (username === '' && password === '') return { href: parsedUrl.href, authorization: {} };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  [parsedUrl.username, parsedUrl.password] = ['', ''];
  return { href: parsedUrl.href, authorization: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/** Cancels the reader: an abort signal no longer reaches the body once Node has collected the `Response`. */
async function readText({ body }: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done: isDone, value } = await reader.read();
      signal.throwIfAborted();
      if (isDone) return Buffer.concat(chunks).toString('utf8');
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        await reader.cancel();
        throw new FetchLimitError('size', `the response is larger than ${maxBytes} bytes`);
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
