import { expect, test } from 'vitest';
import { coalesceReads, coalesceReadsByKey } from './coalesce-reads.ts';

function createCountedRead() {
  const resolvers: ((value: number) => void)[] = [];
  let startedCount = 0;
  const readCoalesced = coalesceReads(() => {
    const readNumber = ++startedCount;
    return new Promise<number>((resolve) => resolvers.push(() => resolve(readNumber)));
  });
  return {
    ask: readCoalesced,
    begun: () => startedCount,
    end: async () => (resolvers.shift()?.(0), await new Promise(setImmediate)),
  };
}

test('callers that arrive during a read share the next read', async () => {
  const { ask: readCoalesced, begun: startedCount, end: resolveAll } = createCountedRead();
  const firstRead = readCoalesced();
  const [secondRead, thirdRead] = [readCoalesced(), readCoalesced()];
  expect(startedCount()).toBe(1); // the running read started before this request
  await resolveAll();
  expect([await firstRead, startedCount()]).toEqual([1, 2]);
  await resolveAll();
  expect([await secondRead, await thirdRead, startedCount()]).toEqual([2, 2, 2]);
});

test('a caller that arrives after a read, even a failed one, gets a new read', async () => {
  let startedCount = 0;
  const readCoalesced = coalesceReads(() =>
    ++startedCount === 1 ? Promise.reject(new Error('down')) : Promise.resolve(startedCount),
  );
  const [firstRead, secondRead] = [readCoalesced(), readCoalesced()];
  await expect(firstRead).rejects.toThrow('down');
  expect(await secondRead).toBe(2);
  expect(await readCoalesced()).toBe(3);
});

test('keys requested during a read are read together by the next, each with its own result', async () => {
  const readKeys: string[][] = [];
  const resolvers: (() => void)[] = [];
  const readCoalesced = coalesceReadsByKey(async (keys: ReadonlySet<string>) => {
    readKeys.push([...keys]);
    await new Promise<void>((resolve) => resolvers.push(resolve));
    return new Map([...keys].filter((key) => key !== 'none').map((key) => [key, `${key} ${readKeys.length}`]));
  });
  const firstRead = readCoalesced('a');
  const laterReads = Promise.all([readCoalesced('a'), readCoalesced('b'), readCoalesced('none'), readCoalesced('b')]);
  expect(readKeys).toEqual([['a']]);
  resolvers.shift()?.();
  expect(await firstRead).toBe('a 1');
  await new Promise(setImmediate);
  resolvers.shift()?.();
  expect(await laterReads).toEqual(['a 2', 'b 2', undefined, 'b 2']);
  expect(readKeys).toEqual([['a'], ['a', 'b', 'none']]);
});

test('a failed read rejects only the keys it was called with', async () => {
  let startedCount = 0;
  const readCoalesced = coalesceReadsByKey((keys: ReadonlySet<string>) =>
    ++startedCount === 1
      ? Promise.reject(new Error('down'))
      : Promise.resolve(new Map([...keys].map((key) => [key, startedCount]))),
  );
  const [firstRead, secondRead] = [readCoalesced('a'), readCoalesced('b')];
  await expect(firstRead).rejects.toThrow('down');
  expect(await secondRead).toBe(2);
});
