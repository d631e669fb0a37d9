import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../chain/test-chain.ts';
import { createLog } from './platform/log.ts';
import { openOutside } from './platform/outside.ts';
import { readConfig } from './platform/config.ts';
import { testDatabase } from './platform/test-support.ts';
import { runChaos, type ChaosWorld } from './mint-chaos.ts';

/** Seeds of this run: CHAOS_SEEDS of them from CHAOS_SEED on. One that fails is run again alone with CHAOS_SEED=… CHAOS_SEEDS=1. */
const first = Number(process.env['CHAOS_SEED'] ?? 1);
const seeds = Number(process.env['CHAOS_SEEDS'] ?? 200);

let world: ChaosWorld;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test' });
  const log = createLog({ level: 'silent' });
  const database = await testDatabase(log);
  const clock = { now: Date.now() };
  world = { clock, chain, services: { config, log, database, now: () => clock.now, ...openOutside(config) } };
});
afterAll(() => chain.stop());

test(`each confirmed deposit is minted exactly once, whatever happens (${seeds} seeds)`, async () => {
  const sums = { crashes: 0, faults: 0, reorgs: 0 };
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await runChaos(world, seed);
    expect(result.broken, `seed ${seed}`).toEqual([]);
    for (const key of ['crashes', 'faults', 'reorgs'] as const) sums[key] += result[key];
  }
  // What must be survived happened.
  expect(sums.crashes).toBeGreaterThan(seeds / 2);
  expect(sums.faults).toBeGreaterThan(seeds);
  expect(sums.reorgs).toBeGreaterThan(seeds / 2);
}, 1_200_000);
