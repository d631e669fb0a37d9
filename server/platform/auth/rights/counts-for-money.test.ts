import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../../../testing/factories/store.ts';
import { createTestDatabase } from '../../../testing/support.ts';
import type { Database } from '../../db/db.ts';
import { accountChanges, administrators } from '../tables.ts';
import { checkSignerCombination, findIneligibility } from './counts-for-money.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-29T00:00:00Z');
/** Hours before now. */
const ago = (hours: number) => new Date(now - hours * hourMs);

let database: Database;
let store: Store;
let people: Record<'ann' | 'bob' | 'xia' | 'yan' | 'zoe', { id: string; email: string }>;

beforeAll(async () => {
  database = await createTestDatabase();
  store = createStore(database.db);
  const add = () => store.person({ passwordHash: 'x' });
  people = { ann: await add(), bob: await add(), xia: await add(), yan: await add(), zoe: await add() };
});

beforeEach(() => database.db.delete(accountChanges));

type Name = keyof typeof people;
const change = (of: Name, by: Name, hours: number, vouches = false) =>
  store.accountChange({ of: people[of].email, by: people[by].email, at: ago(hours), vouches });
const vouch = (of: Name, by: Name, hours: number) => change(of, by, hours, true);
const options = { at: new Date(now), coolingMs: 24 * hourMs, coSigners: [] };

/** Null if both count. */
async function reasonAgainst(first: Name, second: Name): Promise<string | null> {
  const ids = [people[first].id, people[second].id];
  const { doubts } = await checkSignerCombination(database.db, ids, options);
  const reversed = await checkSignerCombination(database.db, ids.toReversed(), options);
  expect([...reversed.doubts.values()].map(({ reason }) => reason)).toEqual([...doubts.values()].map(({ reason }) => reason));
  return [...doubts.values()][0]?.reason ?? null;
}

describe('two accounts with vouched factors', () => {
  test('never count together if one person vouched for both', async () => {
    await vouch('ann', 'xia', 5_000);
    await vouch('bob', 'xia', 100);
    expect(await reasonAgainst('ann', 'bob')).toBe('TOGETHER');
    expect(await findIneligibility(database.db, people.ann.id, { ...options, coSigners: [people.bob.id] })).toMatchObject({
      reason: 'TOGETHER',
      who: people.ann.email,
    });
    expect(await reasonAgainst('ann', 'zoe')).toBe(null);
  });

  test('count together if two independent colleagues vouched for them', async () => {
    await vouch('ann', 'xia', 100);
    await vouch('bob', 'yan', 100);
    expect(await reasonAgainst('ann', 'bob')).toBe(null);
    expect(await reasonAgainst('ann', 'xia')).toBe('TOGETHER');
    expect(await reasonAgainst('bob', 'xia')).toBe(null);
  });

  test.each([true, false])(
    'do not count together if one colleague had changed the other first (vouching: %s)',
    async (vouches) => {
      await change('yan', 'xia', 200, vouches);
      await vouch('bob', 'yan', 100);
      await vouch('ann', 'xia', 100);
      expect(await reasonAgainst('ann', 'bob')).toBe('TOGETHER');
    },
  );

  test('do not count together if a third person had changed both colleagues first', async () => {
    await change('xia', 'zoe', 300);
    await change('yan', 'zoe', 200);
    await vouch('ann', 'xia', 100);
    await vouch('bob', 'yan', 100);
    expect(await reasonAgainst('ann', 'bob')).toBe('TOGETHER');
  });

  test('count together if a colleague was changed only after the vouching', async () => {
    await vouch('ann', 'xia', 200);
    await vouch('bob', 'yan', 200);
    await change('yan', 'xia', 100);
    expect(await reasonAgainst('ann', 'bob')).toBe(null);
  });

  test('still do not count together after a second colleague vouches for one of them again', async () => {
    await vouch('ann', 'xia', 300);
    await vouch('bob', 'xia', 300);
    await vouch('bob', 'yan', 100);
    expect(await reasonAgainst('ann', 'bob')).toBe('TOGETHER');
  });
});

test('a reset or another change of both accounts by one person doesn’t count as vouching', async () => {
  await change('ann', 'xia', 5_000);
  await change('bob', 'xia', 5_000);
  expect(await reasonAgainst('ann', 'bob')).toBe(null);
  await vouch('ann', 'xia', 100);
  expect(await reasonAgainst('ann', 'bob')).toBe(null);
});

test('an account cools from the moment its code was used, whenever it is promoted', async () => {
  await vouch('ann', 'xia', 23);
  const cooling = await findIneligibility(database.db, people.ann.id, options);
  expect(cooling).toEqual({ reason: 'COOLING', who: people.ann.email, until: ago(-1) });
  expect(await findIneligibility(database.db, people.ann.id, { ...options, at: ago(-1) })).toBe(null);
});

test('an account whose second factor no one vouched for does not count', async () => {
  const { id, email } = await store.person({ totpSecret: 'sealed', factorVouchedAt: null, passwordHash: 'x' });
  expect(await findIneligibility(database.db, id, options)).toEqual({ reason: 'VOUCH', who: email });
  const { id: passwordless } = await store.person({ passwordHash: null });
  expect(await findIneligibility(database.db, passwordless, options)).toMatchObject({ reason: 'VOUCH' });
  await database.db.update(administrators).set({ factorVouchedAt: ago(48) });
  expect(await findIneligibility(database.db, id, options)).toBe(null);
});
