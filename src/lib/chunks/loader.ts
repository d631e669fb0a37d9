import { chunkTimeout } from './timeout.ts';

/** The cause is `missing`, `timeout`, the error's type or a wrong content type such as text/html (specification §8). */
export class ChunkError extends Error {
  override name = 'ChunkError';
  readonly part: 'chunk' | 'styles';
  readonly reason: string;
  constructor(assetKind: 'chunk' | 'styles', reason: string, cause?: unknown) {
    super(`Loading ${assetKind === 'styles' ? 'CSS ' : ''}chunk failed (${reason})`, { cause });
    this.part = assetKind;
    this.reason = reason;
  }
  /** Browsers cache a script that loaded and then failed, so that needs a page reload. */
  get canRetry(): boolean {
    return this.reason === 'missing' || this.reason === 'timeout';
  }
}

export interface Chunk<T> {
  /** Null until loaded. */
  readonly value: T | null;
  /** Loads once, again after a failure. Rejects with a ChunkError. */
  load(): Promise<T>;
}

/** A hanging import never settles. This timeout ends after those of the files, whose errors are more precise. */
export function createChunk<T>(load: () => Promise<T>): Chunk<T> {
  let value: T | null = null;
  let pending: Promise<T> | null = null;
  // Keeps a late module for the next caller.
  const loadAndStore = async () => (value = await load());
  return {
    get value() {
      return value;
    },
    load() {
      pending ??= withTimeout(loadAndStore, new ChunkError('chunk', 'timeout'), chunkTimeout + 1).catch((error: unknown) => {
        pending = null;
        throw toChunkError(error);
      });
      return pending;
    },
  };
}

/** `timeout` in milliseconds. */
export async function withTimeout<T>(load: () => Promise<T>, timeoutError: ChunkError, timeout = chunkTimeout): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const loadPromise = load();
    const timeoutPromise = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, timeout, timeoutError);
    });
    return await Promise.race([loadPromise, timeoutPromise]);
  } finally {
    clearTimeout(timer);
  }
}

function toChunkError(error: unknown): ChunkError {
  if (error instanceof ChunkError) return error;
  return new ChunkError('chunk', error instanceof Error ? error.name : typeof error, error);
}
