import { beforeAll, expect, test } from 'vitest';
import type { RoleName } from '../seed/roles.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { crsms } from '../crsm/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
const readWaiting = async (role: RoleName) =>
  Object.fromEntries((await (await signInAs(app, role)).api.home.waiting()).map(({ kind, count }) => [kind, count]));

beforeAll(async () => {
  app = await createTestApp();
});

test('Home counts waiting work on permitted screens only', async () => {
  expect(await readWaiting('all')).toEqual({});
  const currentTime = new Date(app.clock.now);
  const testStore = createStore(app.database.db);
  await testStore.feedback();
  await testStore.feedback();
  await testStore.feedback({ processed: true, processedAt: currentTime });
  await app.database.db.insert(moneyFreezes).values({ id: newId(), figures: '{}', at: currentTime });
  const createdDeposit = await testStore.deposit();
  const failedDeposit = await testStore.deposit({ status: 'confirmed', mintStatus: 'failed' });
  const canceledDeposit = await testStore.deposit({ status: 'confirmed', mintStatus: 'canceled' });
  await testStore.deposit({ status: 'confirmed', mintStatus: 'canceled' });
  await testStore.deposit({ status: 'confirmed', mintStatus: 'closed' });
  const weiPerToken = 10n ** 18n;
  const crsm = { troveManager: '0xT', owner: '0xO', createdAt: currentTime, block: 1n, troveId: 0n };
  await app.database.db.insert(crsms).values([
    { ...crsm, id: '0xBelow', tokenId: 0n, distance: -weiPerToken },
    { ...crsm, id: '0xNear', tokenId: 1n, distance: weiPerToken / 20n },
    { ...crsm, id: '0xFar', tokenId: 2n, distance: weiPerToken },
    { ...crsm, id: '0xOthers', tokenId: 3n, distance: 0n, isTrovesOwner: false },
    { ...crsm, id: '0xUnread', tokenId: 4n, distance: 0n, block: null },
  ]);
  const timeAfter = (milliseconds: number) => new Date(app.clock.now + milliseconds);
  await testStore.withdrawal(createdDeposit, { status: 'doing', coolsUntil: timeAfter(0) });
  await testStore.withdrawal(failedDeposit, { status: 'doing', coolsUntil: timeAfter(60_000) });
  await testStore.withdrawal(canceledDeposit);
  expect(await readWaiting('all')).toEqual({
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
  const listNearTrigger = async (value: string) =>
    (await api.crsm.list({ ...page, sort: 'distance', filter: { near: value } })).rows;
  expect((await listNearTrigger('true')).map(({ id }) => id)).toEqual(['0xBelow', '0xNear']);
  expect((await listNearTrigger('false')).map(({ id }) => id)).toEqual(['0xOthers', '0xFar']);
  const listCooled = async (value: string) =>
    (await api.withdrawals.list({ ...page, sort: 'createdAt', filter: { cooled: value } })).rows.length;
  expect([await listCooled('true'), await listCooled('false')]).toEqual([1, 2]);
  // Nobody is asked to do what only others may do.
  expect(await readWaiting('approver')).toEqual({ freeze: 1, failedMints: 1, canceledMints: 2, deposits: 1 });
  expect(await readWaiting('operator')).toEqual({ freeze: 1, nearTrigger: 2, withdrawals: 1 });
  expect(await readWaiting('analyst')).toEqual({ freeze: 1 });
  expect(await readWaiting('editor')).toEqual({ feedback: 2 });
  expect(await readWaiting('access')).toEqual({});
});
