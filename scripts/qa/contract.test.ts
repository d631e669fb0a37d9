import { expect, test } from 'vitest';
import { committedContract } from '../commands.ts';
import { contractOf, listNames } from './contract.ts';
import { resultTypes } from './results.ts';

test('docs/commands.json has the compiler’s result types (npm run commands)', { timeout: 120_000 }, async () => {
  expect(await contractOf(await resultTypes(listNames()))).toEqual(committedContract());
});
