/** A chunk that takes longer than this has failed (specification §9). */
export const chunkTimeout = 120_000;

/** "Loading chunk failed" or "Loading CSS chunk failed", with its cause: missing, timeout, or the error's type (specification §8). */
export class ChunkError extends Error {
  override name = 'ChunkError';
  readonly part: 'chunk' | 'styles';
  readonly reason: string;
  constructor(part: 'chunk' | 'styles', reason: string, cause?: unknown) {
    super(`${part === 'styles' ? 'Loading CSS chunk failed' : 'Loading chunk failed'} (${reason})`, { cause });
    this.part = part;
    this.reason = reason;
  }
  /** Only a file that never came is asked for again by a second import; the browser remembers the others as they are. */
  get canRetry(): boolean {
    return this.reason === 'missing';
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
  return {
    get value() {
      return value;
    },
    load() {
      pending ??= raceTimer(load, timeout).then(
        (loaded) => (value = loaded),
        (error: unknown) => {
          pending = null;
          throw error;
        },
      );
      return pending;
    },
  };
}

async function raceTimer<T>(load: () => Promise<T>, timeout: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('chunk', 'timeout')), timeout);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    throw toChunkError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers have no code for it, only words: Chromium, Firefox and Safari in this order. */
const neverCame =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed/i;

function toChunkError(error: unknown): ChunkError {
  if (error instanceof ChunkError) return error;
  if (!(error instanceof Error)) return new ChunkError('chunk', typeof error, error);
  if (/Unable to preload CSS/i.test(error.message)) return new ChunkError('styles', 'missing', error);
  return new ChunkError('chunk', neverCame.test(error.message) ? 'missing' : error.name, error);
}
