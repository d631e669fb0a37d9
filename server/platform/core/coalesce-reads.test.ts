import { expect, test } from 'vitest';
import { coalesceReads, coalesceReadsByKey } from './coalesce-reads.ts';

function counted() {
  const ends: ((value: number) => void)[] = [];
  let begun = 0;
  const ask = coalesceReads(() => {
    const number = ++begun;
    return new Promise<number>((resolve) => ends.push(() => resolve(number)));
  });
  return { ask, begun: () => begun, end: async () => (ends.shift()?.(0), await new Promise(setImmediate)) };
}

test('callers that arrive during a read share the next read', async () => {
  const { ask, begun, end } = counted();
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(begun()).toBe(1); // the running read started before this request
  await end();
  expect([await first, begun()]).toEqual([1, 2]);
  await end();
  expect([await second, await third, begun()]).toEqual([2, 2, 2]);
});

test('a caller that arrives after a read, even a failed one, gets a new read', async () => {
  let begun = 0;
  const ask = coalesceReads(() => (++begun === 1 ? Promise.reject(new Error('down')) : Promise.resolve(begun)));
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('down');
  expect(await second).toBe(2);
  expect(await ask()).toBe(3);
});

test('keys requested during a read are read together by the next, each with its own result', async () => {
  const read: string[][] = [];
  const ends: (() => void)[] = [];
  const ask = coalesceReadsByKey(async (keys: ReadonlySet<string>) => {
    read.push([...keys]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return new Map([...keys].filter((key) => key !== 'none').map((key) => [key, `${key} ${read.length}`]));
  });
  const first = ask('a');
  const later = Promise.all([ask('a'), ask('b'), ask('none'), ask('b')]);
  expect(read).toEqual([['a']]);
  ends.shift()?.();
  expect(await first).toBe('a 1');
  await new Promise(setImmediate);
  ends.shift()?.();
  expect(await later).toEqual(['a 2', 'b 2', undefined, 'b 2']);
  expect(read).toEqual([['a'], ['a', 'b', 'none']]);
});

test('a failed read rejects only the keys it was called with', async () => {
  let begun = 0;
  const ask = coalesceReadsByKey((keys: ReadonlySet<string>) =>
    ++begun === 1 ? Promise.reject(new Error('down')) : Promise.resolve(new Map([...keys].map((key) => [key, begun]))),
  );
  const [first, second] = [ask('a'), ask('b')];
  await expect(first).rejects.toThrow('down');
  expect(await second).toBe(2);
});
