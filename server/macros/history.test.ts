import { beforeAll, expect, test } from 'vitest';
import { historyKept, type HistoryRow } from '../../api/macros/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let editor: TestSession;
let elsewhere: TestSession;
let other: TestSession;
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  editor = await signInAs(app, 'editor');
  elsewhere = await signInAs(app, 'editor');
  other = await signInAs(app, 'all');
});

const entry = (changes: Partial<HistoryRow> = {}): HistoryRow => ({
  id: newId(),
  at: app.clock.now,
  invocation: { id: 'news.hide', targets: ['a'] },
  ...changes,
});

test('a person’s commands are on every device of the person, and on no one else’s', async () => {
  const one = entry({ names: ['News'], undo: { id: 'news.show', targets: [{ id: 'a', version: 2 }] } });
  await editor.api.history.keep({ entries: [one] });
  expect(await elsewhere.api.history.own()).toEqual([one]);
  await elsewhere.api.history.keep({ entries: [{ ...one, undone: true }] });
  expect(await editor.api.history.own()).toEqual([{ ...one, undone: true }]);
  expect(await other.api.history.own()).toEqual([]);
  // The same ID of another person is another entry.
  await other.api.history.keep({ entries: [{ ...one, invocation: { id: 'roles.add' } }] });
  expect(await editor.api.history.own()).toEqual([{ ...one, undone: true }]);
  await expect(apiOf(app).history.own()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('no secret is stored, whatever the page sends', async () => {
  const params = {
    email: 'a@example.com',
    password: 'hunter2 hunter2',
    nested: [{ newPassword: 'hunter2', Token: 'hunter2', keep: 'kept' }],
    mnemonic: 'hunter2',
    code: 'hunter2',
  };
  const one = entry({ invocation: { id: 'administrators.add', params }, undo: { id: 'x', params } });
  await editor.api.history.keep({ entries: [one] });
  const { rows } = await app.database.pool.query<{ entry: string }>('select entry from command_history where id = $1', [one.id]);
  expect(rows[0]?.entry).not.toContain('hunter2');
  const [stored] = await editor.api.history.own();
  expect(stored?.invocation.params).toEqual({ email: 'a@example.com', nested: [{ keep: 'kept' }] });
  const { rows: audited } = await app.database.pool.query(`select 1 from audit where payload like '%hunter2%'`);
  expect(audited).toEqual([]);
});

test('holds the newest 200 entries for 90 days, and refuses huge ones', async () => {
  const day = 24 * 60 * 60_000;
  const old = entry({ at: app.clock.now - (historyKept.days + 1) * day });
  await other.api.history.keep({ entries: [old] });
  expect((await other.api.history.own()).map(({ id }) => id)).not.toContain(old.id);
  for (let page = 0; page < 5; page++)
    await other.api.history.keep({
      entries: Array.from({ length: 50 }, (_, n) => entry({ at: app.clock.now - 1000 + page * 50 + n })),
    });
  const list = await other.api.history.own();
  expect(list).toHaveLength(historyKept.entries);
  expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).toSorted((a, b) => b - a));
  const { rows } = await app.database.pool.query<{ count: string }>('select count(*) from command_history');
  expect(Number(rows[0]?.count)).toBeLessThanOrEqual(historyKept.entries + 2);
  const huge = entry({ invocation: { id: 'x', params: { text: 'x'.repeat(200_000) } } });
  await expect(other.api.history.keep({ entries: [huge] })).rejects.toMatchObject({ code: /BAD_REQUEST|PAYLOAD/ });
  // A clock that is ahead must not keep an entry on top.
  const ahead = entry({ at: app.clock.now + 400 * day });
  await other.api.history.keep({ entries: [ahead] });
  expect((await other.api.history.own()).find(({ id }) => id === ahead.id)?.at).toBe(app.clock.now);
});

test('two devices that save at the same moment lose nothing', async () => {
  const entries = Array.from({ length: 20 }, () => entry());
  await Promise.all(entries.map((one, n) => (n % 2 === 0 ? editor : elsewhere).api.history.keep({ entries: [one] })));
  const ids = new Set((await editor.api.history.own()).map(({ id }) => id));
  expect(entries.every(({ id }) => ids.has(id))).toBe(true);
});

test('an undone command stays undone when a device saves it that has not heard of the undo', async () => {
  const one = entry({ undo: { id: 'news.show', targets: ['a'] } });
  await editor.api.history.keep({ entries: [one] });
  await editor.api.history.keep({ entries: [{ ...one, undone: true }] });
  await elsewhere.api.history.keep({ entries: [one] });
  expect((await editor.api.history.own()).find(({ id }) => id === one.id)).toEqual({ ...one, undone: true });
});
