import { expect, test } from 'vitest';
import { afterNow } from './after-now.ts';

function counted() {
  const ends: ((value: number) => void)[] = [];
  let begun = 0;
  const ask = afterNow(() => {
    const number = ++begun;
    return new Promise<number>((resolve) => ends.push(() => resolve(number)));
  });
  return { ask, begun: () => begun, end: async () => (ends.shift()?.(0), await new Promise(setImmediate)) };
}

test('who asks while one runs gets the next, all of them the same one', async () => {
  const { ask, begun, end } = counted();
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(begun()).toBe(1); // what was asked later is not answered by what began before
  await end();
  expect([await first, begun()]).toEqual([1, 2]);
  await end();
  expect([await second, await third, begun()]).toEqual([2, 2, 2]);
});

test('who asks after it ended gets a new one, after a failure too', async () => {
  let begun = 0;
  const ask = afterNow(() => (++begun === 1 ? Promise.reject(new Error('down')) : Promise.resolve(begun)));
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('down');
  expect(await second).toBe(2);
  expect(await ask()).toBe(3);
});
