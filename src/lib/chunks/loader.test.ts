import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chunkTimeout } from './timeout.ts';
import { createChunk, ChunkError } from './loader.ts';

const missingChunkError = new ChunkError('chunk', 'missing', new TypeError('Failed to fetch'));

describe('a chunk', () => {
  it('is requested once for several callers and stays loaded', async () => {
    let requestCount = 0;
    const news = createChunk(async () => `view ${++requestCount}`);
    expect(news.value).toBeNull();
    expect(await Promise.all([news.load(), news.load()])).toEqual(['view 1', 'view 1']);
    expect(await news.load()).toBe('view 1');
    expect(news.value).toBe('view 1');
  });

  it.each([
    [missingChunkError, 'Loading chunk failed (missing)', true],
    [new ChunkError('chunk', 'timeout'), 'Loading chunk failed (timeout)', true],
    [new ChunkError('styles', 'missing'), 'Loading CSS chunk failed (missing)', true],
    [new ChunkError('chunk', 'text/html'), 'Loading chunk failed (text/html)', false],
  ])(
    'reports %s after a failed download, and can be requested again if nothing was received',
    async (error, message, canRetry) => {
      await expect(createChunk(() => Promise.reject(error)).load()).rejects.toBe(error);
      expect(error).toMatchObject({ message, canRetry });
    },
  );

  it.each([
    [new SyntaxError('Unexpected end of input'), 'Loading chunk failed (SyntaxError)'],
    [new ReferenceError('x is not defined'), 'Loading chunk failed (ReferenceError)'],
    [new TypeError('Failed to fetch dynamically imported module'), 'Loading chunk failed (TypeError)'],
  ])('that loaded and failed with %s needs a page reload, because browsers cache it', async (error, message) => {
    await expect(createChunk(() => Promise.reject(error)).load()).rejects.toMatchObject({
      message,
      canRetry: false,
      cause: error,
    });
  });

  it('that failed is requested again by the next caller', async () => {
    let requestCount = 0;
    const flakyChunk = createChunk(() => (++requestCount === 1 ? Promise.reject(missingChunkError) : Promise.resolve('view')));
    await expect(flakyChunk.load()).rejects.toThrow('missing');
    expect(await flakyChunk.load()).toBe('view');
  });
});

describe('a hanging chunk', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fails shortly after the 120,000 ms of a file', async () => {
    const onFailed = vi.fn();
    createChunk(() => new Promise(() => {}))
      .load()
      .catch(onFailed);
    await vi.advanceTimersByTimeAsync(chunkTimeout);
    expect(onFailed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(chunkTimeout).toBe(120_000);
    expect(onFailed).toHaveBeenCalledWith(expect.objectContaining({ message: 'Loading chunk failed (timeout)', canRetry: true }));
  });

  it('that loads in time leaves no timer behind', async () => {
    await createChunk(async () => 'view').load();
    expect(vi.getTimerCount()).toBe(0);
  });
});
