import { expect, test } from 'vitest';
import { withRecovery } from './bytes.ts';

test.each([
  ['00', '1b'],
  ['01', '1c'],
  ['1b', '1b'],
  ['1c', '1c'],
  ['02', '02'],
])('a wallet signature that ends in %s is converted to one that ends in %s', (provided, spelt) => {
  const sides = 'ab'.repeat(64);
  expect(withRecovery(`0x${sides}${provided}`)).toBe(`0x${sides}${spelt}`);
});
