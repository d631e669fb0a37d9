import { expect, test } from 'vitest';
import { committedContract } from '../commands.ts';
import { contractOf, listNames } from './contract.ts';
import { resultTypes } from './results.ts';

test(
  'what the compiler says that commands answer is what docs/commands.json says: else npm run commands',
  { timeout: 120_000 },
  async () => {
    expect(await contractOf(await resultTypes(listNames()))).toEqual(committedContract());
  },
);
