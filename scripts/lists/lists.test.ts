import { expect, test } from 'vitest';
import { runBin } from '../setup.mjs';

test('every list is what the folders of the features say: else npm run lists', { timeout: 60_000 }, async () => {
  const { code, output } = await runBin('tsx', ['scripts/lists.ts', '--check']);
  expect(code, output).toBe(0);
});
