import { chunkTimeout } from './chunk-timeout.ts';
import { ask } from './reach.ts';

/**
 * "Loading chunk failed" or "Loading CSS chunk failed", with its cause: missing, timeout, or the error's type
 * (specification §8); of a file that came as something else that type, such as text/html.
 */
export class ChunkError extends Error {
  override name = 'ChunkError';
  readonly part: 'chunk' | 'styles';
  readonly reason: string;
  constructor(part: 'chunk' | 'styles', reason: string, cause?: unknown) {
    super(`${part === 'styles' ? 'Loading CSS chunk failed' : 'Loading chunk failed'} (${reason})`, { cause });
    this.part = part;
    this.reason = reason;
  }
  /** A stylesheet and a script that never came as one are asked for again; scripts that hang or broke a browser remembers as they are. */
  get canRetry(): boolean {
    return this.part === 'styles' || this.reason === 'missing' || this.reason.includes('/');
  }
}

/** A part of the panel that comes in a file of its own. */
export interface Chunk<T> {
  /** What it holds, once it is here. */
  readonly value: T | null;
  /** Asks for it, once; after a failure asks again. Rejects with a ChunkError. */
  load(): Promise<T>;
}

/** Wraps a dynamic import. The timer stands beside it because an import that hangs never says anything. */
export function chunk<T>(load: () => Promise<T>, timeout = chunkTimeout): Chunk<T> {
  let value: T | null = null;
  let pending: Promise<T> | null = null;
  // Also one that comes after its time is there for whoever asks again.
  const keep = async () => (value = await load());
  return {
    get value() {
      return value;
    },
    load() {
      pending ??= inTime(keep, timeout).catch(async (error: unknown) => {
        pending = null;
        throw await toChunkError(error);
      });
      return pending;
    },
  };
}

async function inTime<T>(load: () => Promise<T>, timeout: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    // Its stylesheets' own timers (import-with-styles.ts) run out before this one, and say more.
    const loading = load();
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ChunkError('chunk', 'timeout')), timeout);
    });
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers have no code for it, only words: Chromium, Firefox and Safari in this order. */
const neverCame =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed/i;

async function toChunkError(error: unknown): Promise<ChunkError> {
  if (error instanceof ChunkError) return error;
  if (!(error instanceof Error)) return new ChunkError('chunk', typeof error, error);
  const { message, name } = error;
  const part = /Unable to preload CSS/i.test(message) ? 'styles' : 'chunk';
  if (part === 'chunk' && !neverCame.test(message)) return new ChunkError(part, name, error);
  if (message.endsWith('(timeout)')) return new ChunkError(part, 'timeout', error);
  // A page in its place (a proxy's, a sign-in's) looks like nothing at all; asking tells, and tells of a newer build too.
  const answer = await ask(/\S+\/assets\/\S+|\/assets\/\S+/.exec(message)?.[0]);
  const type = answer?.ok ? (answer.headers.get('content-type')?.split(';')[0] ?? '') : '';
  return new ChunkError(part, /^text\/(javascript|css)$/.test(type) ? 'missing' : type || 'missing', error);
}
