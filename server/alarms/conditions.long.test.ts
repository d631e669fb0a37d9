import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { weiPerToken } from '../../api/money.ts';
import { crsms } from '../crsm/tables.ts';
import { mints } from '../mints/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTestApp } from '../testing/support.ts';
import { alarms, alarmSubjects } from './tables.ts';
import { checkAlarms } from './watch.ts';
import { createStore } from '../../testing/factories/store.ts';

const app = await createTestApp(buildChainEnv('http://127.0.0.1:1'), { jobs: false });
const { clock, config, database } = app;
const { db } = database;
const hourMs = 3_600_000;
const services = {
  config,
  log: createLogger({ level: 'silent' }),
  database,
  now: () => clock.now,
  ...openExternalServices(config),
};
const runAlarmCheck = () => checkAlarms(services);
const readAlarmSubjects = async (kind: string) =>
  (await db.select().from(alarms).where(eq(alarms.kind, kind))).map(({ subjects }) => subjects);

async function addMint(values: Partial<typeof mints.$inferInsert>): Promise<string> {
  const testStore = createStore(db);
  const deposit = await testStore.deposit({ status: 'confirmed', mintStatus: 'queued', createdAt: new Date(clock.now) });
  await testStore.mint(deposit, values);
  return deposit.id;
}

test('raises one alarm when a chain monitor fails or hangs for longer than the wait', async () => {
  const { waitMs } = config.alarms;
  const recordWatchTimes = async (...names: ('reconciliation' | 'bridge' | 'crsm')[]) => {
    const currentTime = new Date(clock.now);
    for (const name of names)
      await db
        .insert(chainWatches)
        .values({ name, at: currentTime })
        .onConflictDoUpdate({ target: chainWatches.name, set: { at: currentTime, state: null } });
  };
  await runAlarmCheck();
  clock.now += waitMs + 1_000; // a new server waits this long itself
  await recordWatchTimes('reconciliation', 'bridge', 'crsm');
  await db.update(chainWatches).set({ state: 'failed' }).where(eq(chainWatches.name, 'bridge'));
  await runAlarmCheck();
  expect(await readAlarmSubjects('watchSilent')).toEqual([]);
  clock.now += waitMs + 1_000;
  await recordWatchTimes('reconciliation', 'crsm');
  await runAlarmCheck();
  await runAlarmCheck();
  expect(await readAlarmSubjects('watchSilent')).toEqual([
    expect.stringMatching(/^\[\{"watch":"bridge","since":"2[^"]*Z","state":"failed"\}\]$/),
  ]);
  await recordWatchTimes('reconciliation', 'bridge', 'crsm');
  await runAlarmCheck();
  clock.now += waitMs + 1_000; // passes that do not end record nothing
  await runAlarmCheck();
  expect((await readAlarmSubjects('watchSilent')).map((subjects) => (JSON.parse(subjects) as unknown[]).length)).toEqual([1, 3]);
});

test('raises an alarm for a mint that stays unfinished after its delay, not before', async () => {
  const hoursFromNow = (n: number) => new Date(clock.now + n * hourMs);
  const [longAgo, twoHoursAgo, inOneHour] = [hoursFromNow(-5), hoursFromNow(-2), hoursFromNow(1)];
  await addMint({ createdAt: longAgo, signFrom: inOneHour });
  await addMint({ createdAt: longAgo, signFrom: hoursFromNow(0) });
  await runAlarmCheck();
  expect(await readAlarmSubjects('mintStuck')).toEqual([]);
  const hangingMintId = await addMint({ createdAt: longAgo, signFrom: twoHoursAgo }); // alternates between states, so it was updated recently
  await runAlarmCheck();
  await runAlarmCheck();
  expect(await readAlarmSubjects('mintStuck')).toEqual([expect.stringContaining(hangingMintId)]);
});

test('raises alarms for new subjects when hundreds are open, and forgets those that ended', async () => {
  for (let index = 0; index < 501; index++) await addMint({ state: 'failed' });
  const subjects = () => db.$count(alarmSubjects, eq(alarmSubjects.kind, 'mintFailed'));
  await runAlarmCheck();
  await runAlarmCheck();
  expect(await subjects()).toBe(501);
  expect(await readAlarmSubjects('mintFailed')).toHaveLength(2);
  await db.update(mints).set({ state: 'queued' }).where(eq(mints.state, 'failed'));
  await runAlarmCheck();
  expect(await subjects()).toBe(0);
});

test('raises one alarm in the waiting time for a CRSM whose ratio oscillates around its trigger', async () => {
  const id = `0x${'cd'.repeat(20)}`;
  const crsmFields = { id, tokenId: 1n, troveManager: id, troveId: 1n, owner: id };
  await db
    .insert(crsms)
    .values({ ...crsmFields, createdAt: new Date(clock.now), block: 1n, icr: weiPerToken, TRGCR: weiPerToken });
  const setRatio = async (icr: bigint) => {
    await db.update(crsms).set({ icr }).where(eq(crsms.id, id));
    await runAlarmCheck();
  };
  for (const icr of [weiPerToken, 2n * weiPerToken, weiPerToken, 2n * weiPerToken, weiPerToken]) await setRatio(icr);
  expect(await readAlarmSubjects('crsmTrigger')).toHaveLength(1);
  clock.now += 2 * hourMs;
  for (const icr of [2n * weiPerToken, weiPerToken]) await setRatio(icr);
  expect(await readAlarmSubjects('crsmTrigger')).toHaveLength(2);
});
