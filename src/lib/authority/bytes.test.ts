import { expect, test } from 'vitest';
import { normalizeRecoveryByte } from './bytes.ts';

test.each([
  ['00', '1b'],
  ['01', '1c'],
  ['1b', '1b'],
  ['1c', '1c'],
  ['02', '02'],
])('a wallet signature that ends in %s is converted to one that ends in %s', (inputEnding, expectedEnding) => {
  const rAndS = 'ab'.repeat(64);
  expect(normalizeRecoveryByte(`0x${rAndS}${inputEnding}`)).toBe(`0x${rAndS}${expectedEnding}`);
});
