import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LayeredList, LayeredMap } from './layered.ts';

const write = fc.tuple(fc.constantFrom('set', 'delete', 'fork', 'commit'), fc.nat({ max: 6 }), fc.nat());

test('a layered map reads like a single map, before and after a commit', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
      const flat = new Map<number, number>();
      const below: LayeredMap<number, number>[] = [];
      let top = new LayeredMap<number, number>();
      for (const [what, key, value] of writes) {
        if (what === 'set') void [flat.set(key, value), top.set(key, value)];
        if (what === 'delete') expect(top.delete(key)).toBe(flat.delete(key));
        if (what === 'fork') void [below.push(top), (top = new LayeredMap(top))];
        if (what === 'commit') void [top.commit(), (top = below.pop() ?? top)];
        expect([...top]).toEqual([...flat]);
        expect([top.size, top.has(key), top.get(key)]).toEqual([flat.size, flat.has(key), flat.get(key)]);
      }
    }),
  );
});

test('a layered list contains the base at its creation and its own additions', () => {
  const base = new LayeredList<string>();
  for (const one of ['a', 'b']) base.push(one);
  const fork = new LayeredList(base);
  fork.push('c');
  expect([fork.length, fork.at(0), fork.at(2), fork.at(-1), fork.indexOf('c'), fork.indexOf('b'), base.length]).toEqual([
    3,
    'a',
    'c',
    'c',
    2,
    1,
    2,
  ]);
  fork.commit();
  expect([base.length, base.at(2)]).toEqual([3, 'c']);
});
