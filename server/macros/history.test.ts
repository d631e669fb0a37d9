import { beforeAll, expect, test } from 'vitest';
import { historyLimit, type HistoryRow } from '../../api/macros/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let editorSession: TestSession;
let otherEditorSession: TestSession;
let otherSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  editorSession = await signInAs(app, 'editor');
  otherEditorSession = await signInAs(app, 'editor');
  otherSession = await signInAs(app, 'all');
});

const createEntry = (overrides: Partial<HistoryRow> = {}): HistoryRow => ({
  id: newId(),
  at: app.clock.now,
  invocation: { id: 'news.hide', targets: ['a'] },
  ...overrides,
});

test('a person’s commands are on every device of the person, and on no one else’s', async () => {
  const historyEntry = createEntry({ names: ['News'], undo: { id: 'news.show', targets: [{ id: 'a', version: 2 }] } });
  await editorSession.api.history.keep({ entries: [historyEntry] });
  expect(await otherEditorSession.api.history.own()).toEqual([historyEntry]);
  await otherEditorSession.api.history.keep({ entries: [{ ...historyEntry, undone: true }] });
  expect(await editorSession.api.history.own()).toEqual([{ ...historyEntry, undone: true }]);
  expect(await otherSession.api.history.own()).toEqual([]);
  // The same ID of another person is another entry.
  await otherSession.api.history.keep({ entries: [{ ...historyEntry, invocation: { id: 'roles.add' } }] });
  expect(await editorSession.api.history.own()).toEqual([{ ...historyEntry, undone: true }]);
  await expect(createApi(app).history.own()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('no secret is stored, whatever the page sends', async () => {
  const params = {
    email: 'a@example.com',
    password: 'hunter2 hunter2',
    nested: [{ newPassword: 'hunter2', Token: 'hunter2', keep: 'kept' }],
    mnemonic: 'hunter2',
    code: 'hunter2',
  };
  const historyEntry = createEntry({ invocation: { id: 'administrators.add', params }, undo: { id: 'x', params } });
  await editorSession.api.history.keep({ entries: [historyEntry] });
  const { rows } = await app.database.pool.query<{ entry: string }>('select entry from command_history where id = $1', [
    historyEntry.id,
  ]);
  expect(rows[0]?.entry).not.toContain('hunter2');
  const [storedEntry] = await editorSession.api.history.own();
  expect(storedEntry?.invocation.params).toEqual({ email: 'a@example.com', nested: [{ keep: 'kept' }] });
  const { rows: auditRows } = await app.database.pool.query(`select 1 from audit where payload like '%hunter2%'`);
  expect(auditRows).toEqual([]);
});

test('holds the newest 200 entries for 90 days, and refuses huge ones', async () => {
  const day = 24 * 60 * 60_000;
  const expiredEntry = createEntry({ at: app.clock.now - (historyLimit.days + 1) * day });
  await otherSession.api.history.keep({ entries: [expiredEntry] });
  expect((await otherSession.api.history.own()).map(({ id }) => id)).not.toContain(expiredEntry.id);
  for (let page = 0; page < 5; page++)
    await otherSession.api.history.keep({
      entries: Array.from({ length: 50 }, (_, n) => createEntry({ at: app.clock.now - 1000 + page * 50 + n })),
    });
  const list = await otherSession.api.history.own();
  expect(list).toHaveLength(historyLimit.entries);
  expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).toSorted((a, b) => b - a));
  const { rows } = await app.database.pool.query<{ count: string }>('select count(*) from command_history');
  expect(Number(rows[0]?.count)).toBeLessThanOrEqual(historyLimit.entries + 2);
  const hugeEntry = createEntry({ invocation: { id: 'x', params: { text: 'x'.repeat(200_000) } } });
  await expect(otherSession.api.history.keep({ entries: [hugeEntry] })).rejects.toMatchObject({ code: /BAD_REQUEST|PAYLOAD/ });
  // A clock that is ahead must not keep an entry on top.
  const futureEntry = createEntry({ at: app.clock.now + 400 * day });
  await otherSession.api.history.keep({ entries: [futureEntry] });
  expect((await otherSession.api.history.own()).find(({ id }) => id === futureEntry.id)?.at).toBe(app.clock.now);
});

test('two devices that save at the same moment lose nothing', async () => {
  const entries = Array.from({ length: 20 }, () => createEntry());
  await Promise.all(
    entries.map((entryToKeep, n) =>
      (n % 2 === 0 ? editorSession : otherEditorSession).api.history.keep({ entries: [entryToKeep] }),
    ),
  );
  const ids = new Set((await editorSession.api.history.own()).map(({ id }) => id));
  expect(entries.every(({ id }) => ids.has(id))).toBe(true);
});

test('an undone command stays undone when a device saves it that has not heard of the undo', async () => {
  const historyEntry = createEntry({ undo: { id: 'news.show', targets: ['a'] } });
  await editorSession.api.history.keep({ entries: [historyEntry] });
  await editorSession.api.history.keep({ entries: [{ ...historyEntry, undone: true }] });
  await otherEditorSession.api.history.keep({ entries: [historyEntry] });
  expect((await editorSession.api.history.own()).find(({ id }) => id === historyEntry.id)).toEqual({
    ...historyEntry,
    undone: true,
  });
});
