import { beforeAll, expect, test } from 'vitest';
import type { RoleName } from '../seed/roles.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, testApp, type TestApp } from '../testing/support.ts';
import { crsms } from '../crsm/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

let app: TestApp;
const waitingFor = async (role: RoleName) =>
  Object.fromEntries((await (await signInAs(app, role)).api.home.waiting()).map(({ kind, count }) => [kind, count]));

beforeAll(async () => {
  app = await testApp();
});

test('Home counts waiting work on permitted screens only', async () => {
  expect(await waitingFor('all')).toEqual({});
  const at = new Date(app.clock.now);
  const store = storeIn(app.database.db);
  await store.feedback();
  await store.feedback();
  await store.feedback({ processed: true, processedAt: at });
  await app.database.db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at });
  const recorded = await store.deposit();
  const failed = await store.deposit({ status: 'confirmed', mintStatus: 'failed' });
  const canceled = await store.deposit({ status: 'confirmed', mintStatus: 'canceled' });
  await store.deposit({ status: 'confirmed', mintStatus: 'canceled' });
  await store.deposit({ status: 'confirmed', mintStatus: 'closed' });
  const one = 10n ** 18n;
  const crsm = { troveManager: '0xT', owner: '0xO', createdAt: at, block: 1n, troveId: 0n };
  await app.database.db.insert(crsms).values([
    { ...crsm, id: '0xBelow', tokenId: 0n, distance: -one },
    { ...crsm, id: '0xNear', tokenId: 1n, distance: one / 20n },
    { ...crsm, id: '0xFar', tokenId: 2n, distance: one },
    { ...crsm, id: '0xOthers', tokenId: 3n, distance: 0n, isTrovesOwner: false },
    { ...crsm, id: '0xUnread', tokenId: 4n, distance: 0n, block: null },
  ]);
  const inMs = (milliseconds: number) => new Date(app.clock.now + milliseconds);
  await store.withdrawal(recorded, { status: 'doing', coolsUntil: inMs(0) });
  await store.withdrawal(failed, { status: 'doing', coolsUntil: inMs(60_000) });
  await store.withdrawal(canceled);
  expect(await waitingFor('all')).toEqual({
    freeze: 1,
    nearTrigger: 2,
    failedMints: 1,
    canceledMints: 2,
    deposits: 1,
    withdrawals: 1,
    feedback: 2,
  });
  // The linked list must contain as many rows as home counted.
  const { api } = await signInAs(app, 'all');
  const page = { direction: 'asc', cursor: null, limit: 50 } as const;
  const near = async (value: string) => (await api.crsm.list({ ...page, sort: 'distance', filter: { near: value } })).rows;
  expect((await near('true')).map(({ id }) => id)).toEqual(['0xBelow', '0xNear']);
  expect((await near('false')).map(({ id }) => id)).toEqual(['0xOthers', '0xFar']);
  const cooled = async (value: string) =>
    (await api.withdrawals.list({ ...page, sort: 'createdAt', filter: { cooled: value } })).rows.length;
  expect([await cooled('true'), await cooled('false')]).toEqual([1, 2]);
  for (const role of ['operator', 'approver'] as const)
    expect(await waitingFor(role)).toMatchObject({ failedMints: 1, canceledMints: 2 });
  expect(await waitingFor('editor')).toEqual({ feedback: 2 });
  expect(await waitingFor('access')).toEqual({});
});
