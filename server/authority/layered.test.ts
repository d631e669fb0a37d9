import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LayeredList, LayeredMap } from './layered.ts';

const operation = fc.tuple(fc.constantFrom('set', 'delete', 'fork', 'commit'), fc.nat({ max: 6 }), fc.nat());

test('a layered map reads like a single map, before and after a commit', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const expectedMap = new Map<number, number>();
      const lowerLayers: LayeredMap<number, number>[] = [];
      let topLayer = new LayeredMap<number, number>();
      for (const [operationKind, key, value] of operations) {
        if (operationKind === 'set') void [expectedMap.set(key, value), topLayer.set(key, value)];
        if (operationKind === 'delete') expect(topLayer.delete(key)).toBe(expectedMap.delete(key));
        if (operationKind === 'fork') void [lowerLayers.push(topLayer), (topLayer = new LayeredMap(topLayer))];
        if (operationKind === 'commit') void [topLayer.commit(), (topLayer = lowerLayers.pop() ?? topLayer)];
        expect([...topLayer]).toEqual([...expectedMap]);
        expect([topLayer.size, topLayer.has(key), topLayer.get(key)]).toEqual([
          expectedMap.size,
          expectedMap.has(key),
          expectedMap.get(key),
        ]);
      }
    }),
  );
});

test('a layered list contains the base at its creation and its own additions', () => {
  const baseList = new LayeredList<string>();
  for (const letter of ['a', 'b']) baseList.push(letter);
  const fork = new LayeredList(baseList);
  fork.push('c');
  expect([fork.length, fork.at(0), fork.at(2), fork.at(-1), fork.indexOf('c'), fork.indexOf('b'), baseList.length]).toEqual([
    3,
    'a',
    'c',
    'c',
    2,
    1,
    2,
  ]);
  fork.commit();
  expect([baseList.length, baseList.at(2)]).toEqual([3, 'c']);
});
