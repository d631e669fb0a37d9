import { expect, test } from 'vitest';
import { runBin } from '../setup.mjs';

test('every generated list is up to date (npm run lists)', { timeout: 60_000 }, async () => {
  const { code, output } = await runBin('tsx', ['scripts/lists.ts', '--check']);
  expect(code, output).toBe(0);
});
