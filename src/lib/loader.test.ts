import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chunkTimeout } from './chunk-timeout.ts';
import { chunk } from './loader.ts';

const chromiumMissing = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/news-1.js');

describe('a chunk', () => {
  it('is asked for once, however many want it, and stays', async () => {
    let asked = 0;
    const news = chunk(async () => `view ${++asked}`);
    expect(news.value).toBeNull();
    expect(await Promise.all([news.load(), news.load()])).toEqual(['view 1', 'view 1']);
    expect(await news.load()).toBe('view 1');
    expect(news.value).toBe('view 1');
  });

  it.each([
    [chromiumMissing, 'Loading chunk failed (missing)', true],
    [new TypeError('error loading dynamically imported module: /assets/a.js'), 'Loading chunk failed (missing)', true],
    [new TypeError('Importing a module script failed.'), 'Loading chunk failed (missing)', true],
    [new SyntaxError('Unexpected end of input'), 'Loading chunk failed (SyntaxError)', false],
    [new ReferenceError('x is not defined'), 'Loading chunk failed (ReferenceError)', false],
    [new Error('Unable to preload CSS for /assets/a.css'), 'Loading CSS chunk failed (missing)', true],
  ])('that fails with %s says %s', async (error, message, canRetry) => {
    await expect(chunk(() => Promise.reject(error)).load()).rejects.toMatchObject({ message, canRetry, cause: error });
  });

  it('that failed is asked for again by the next one who wants it', async () => {
    let asked = 0;
    const flaky = chunk(() => (++asked === 1 ? Promise.reject(chromiumMissing) : Promise.resolve('view')));
    await expect(flaky.load()).rejects.toThrow('missing');
    expect(await flaky.load()).toBe('view');
  });
});

describe('a chunk that hangs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has failed after 120,000 ms, and not before', async () => {
    const failed = vi.fn();
    chunk(() => new Promise(() => {}))
      .load()
      .catch(failed);
    await vi.advanceTimersByTimeAsync(chunkTimeout - 1);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(chunkTimeout).toBe(120_000);
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ message: 'Loading chunk failed (timeout)', canRetry: false }));
  });

  it('that comes in time leaves no timer behind', async () => {
    await chunk(async () => 'view').load();
    expect(vi.getTimerCount()).toBe(0);
  });
});
