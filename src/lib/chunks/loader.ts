import { chunkTimeout } from './timeout.ts';

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
  /** A file that did not come as one is asked for again. What broke or was refused as it started is remembered: that takes a new page. */
  get canRetry(): boolean {
    return !this.cause || this.reason === 'missing';
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
      pending ??= inTime(keep, timeout).catch((error: unknown) => {
        pending = null;
        throw toChunkError(error);
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

function toChunkError(error: unknown): ChunkError {
  if (error instanceof ChunkError) return error;
  return new ChunkError('chunk', error instanceof Error ? error.name : typeof error, error);
}
