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
    super(`Loading ${part === 'styles' ? 'CSS ' : ''}chunk failed (${reason})`, { cause });
    this.part = part;
    this.reason = reason;
  }
  /** A file that did not come is asked for again. What came and is none, or broke as it started, browsers remember: that takes a new page. */
  get canRetry(): boolean {
    return this.reason === 'missing' || this.reason === 'timeout';
  }
}

/** A part of the panel that comes in a file of its own. */
export interface Chunk<T> {
  /** What it holds, once it is here. */
  readonly value: T | null;
  /** Asks for it, once; after a failure asks again. Rejects with a ChunkError. */
  load(): Promise<T>;
}

/**
 * Wraps a dynamic import. The timer stands beside it because an import that hangs never says anything; it runs out after those of
 * its files (import-with-styles.ts), which say more.
 */
export function chunk<T>(load: () => Promise<T>): Chunk<T> {
  let value: T | null = null;
  let pending: Promise<T> | null = null;
  // Also one that comes after its time is there for whoever asks again.
  const keep = async () => (value = await load());
  return {
    get value() {
      return value;
    },
    load() {
      pending ??= inTime(keep, new ChunkError('chunk', 'timeout'), chunkTimeout + 1).catch((error: unknown) => {
        pending = null;
        throw toChunkError(error);
      });
      return pending;
    },
  };
}

/** Rejects with `late` where it takes longer than `timeout` milliseconds. */
export async function inTime<T>(load: () => Promise<T>, late: ChunkError, timeout = chunkTimeout): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const loading = load();
    const isLate = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, timeout, late);
    });
    return await Promise.race([loading, isLate]);
  } finally {
    clearTimeout(timer);
  }
}

function toChunkError(error: unknown): ChunkError {
  if (error instanceof ChunkError) return error;
  return new ChunkError('chunk', error instanceof Error ? error.name : typeof error, error);
}
