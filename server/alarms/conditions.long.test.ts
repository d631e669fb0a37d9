import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { weiPerToken } from '../../api/money.ts';
import { crsms } from '../crsm/tables.ts';
import { mints } from '../mints/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { chainEnv } from '../testing/crsm.ts';
import { testApp } from '../testing/support.ts';
import { alarms, alarmSubjects } from './tables.ts';
import { checkAlarms } from './watch.ts';
import { storeIn } from '../../testing/factories/store.ts';

const app = await testApp(chainEnv('http://127.0.0.1:1'), { jobs: false });
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
const tell = () => checkAlarms(services);
const told = async (kind: string) =>
  (await db.select().from(alarms).where(eq(alarms.kind, kind))).map(({ subjects }) => subjects);

async function addMint(values: Partial<typeof mints.$inferInsert>): Promise<string> {
  const store = storeIn(db);
  const deposit = await store.deposit({ status: 'confirmed', mintStatus: 'queued', createdAt: new Date(clock.now) });
  await store.mint(deposit, values);
  return deposit.id;
}

test('raises one alarm when a chain monitor fails or hangs for longer than the wait', async () => {
  const { waitMs } = config.alarms;
  const came = async (...names: ('reconciliation' | 'bridge' | 'crsm')[]) => {
    const at = new Date(clock.now);
    for (const name of names)
      await db
        .insert(chainWatches)
        .values({ name, at })
        .onConflictDoUpdate({ target: chainWatches.name, set: { at, state: null } });
  };
  await tell();
  clock.now += waitMs + 1_000; // a new server waits this long itself
  await came('reconciliation', 'bridge', 'crsm');
  await db.update(chainWatches).set({ state: 'failed' }).where(eq(chainWatches.name, 'bridge'));
  await tell();
  expect(await told('watchSilent')).toEqual([]);
  clock.now += waitMs + 1_000;
  await came('reconciliation', 'crsm');
  await tell();
  await tell();
  expect(await told('watchSilent')).toEqual([
    expect.stringMatching(/^\[\{"watch":"bridge","since":"2[^"]*Z","state":"failed"\}\]$/),
  ]);
  await came('reconciliation', 'bridge', 'crsm');
  await tell();
  clock.now += waitMs + 1_000; // passes that do not end record nothing
  await tell();
  expect((await told('watchSilent')).map((subjects) => (JSON.parse(subjects) as unknown[]).length)).toEqual([1, 3]);
});

test('raises an alarm for a mint that stays unfinished after its delay, not before', async () => {
  const hours = (n: number) => new Date(clock.now + n * hourMs);
  const [long, past, soon] = [hours(-5), hours(-2), hours(1)];
  await addMint({ createdAt: long, signFrom: soon });
  await addMint({ createdAt: long, signFrom: hours(0) });
  await tell();
  expect(await told('mintStuck')).toEqual([]);
  const hangs = await addMint({ createdAt: long, signFrom: past }); // alternates between states, so it was updated recently
  await tell();
  await tell();
  expect(await told('mintStuck')).toEqual([expect.stringContaining(hangs)]);
});

test('raises alarms for new subjects when hundreds are open, and forgets those that ended', async () => {
  for (let at = 0; at < 501; at++) await addMint({ state: 'failed' });
  const subjects = () => db.$count(alarmSubjects, eq(alarmSubjects.kind, 'mintFailed'));
  await tell();
  await tell();
  expect(await subjects()).toBe(501);
  expect(await told('mintFailed')).toHaveLength(2);
  await db.update(mints).set({ state: 'queued' }).where(eq(mints.state, 'failed'));
  await tell();
  expect(await subjects()).toBe(0);
});

test('raises one alarm in the waiting time for a CRSM whose ratio oscillates around its trigger', async () => {
  const id = `0x${'cd'.repeat(20)}`;
  const of = { id, tokenId: 1n, troveManager: id, troveId: 1n, owner: id };
  await db.insert(crsms).values({ ...of, createdAt: new Date(clock.now), block: 1n, icr: weiPerToken, TRGCR: weiPerToken });
  const goTo = async (icr: bigint) => {
    await db.update(crsms).set({ icr }).where(eq(crsms.id, id));
    await tell();
  };
  for (const icr of [weiPerToken, 2n * weiPerToken, weiPerToken, 2n * weiPerToken, weiPerToken]) await goTo(icr);
  expect(await told('crsmTrigger')).toHaveLength(1);
  clock.now += 2 * hourMs;
  for (const icr of [2n * weiPerToken, weiPerToken]) await goTo(icr);
  expect(await told('crsmTrigger')).toHaveLength(2);
});
