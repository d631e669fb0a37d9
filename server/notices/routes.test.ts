import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { NoticeFields, NoticeFilter, NoticeRow } from '../../api/notices/contract.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { notices } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editorSession: TestSession;
beforeAll(async () => {
  app = await createTestApp();
  editorSession = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(notices);
});

const item = ({ id, version }: NoticeRow) => ({ id, version });
const timeAfter = (ms: number) => new Date(app.clock.now + ms).toISOString();

interface RefusalError {
  code: string;
  data?: { current?: NoticeRow; issues?: { path: string; rule: string }[] };
}

async function readRefusal(request: Promise<unknown>): Promise<RefusalError> {
  const error = await request.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  );
  return error as RefusalError;
}

const readAudit = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);

test('an added notice is listed as Not Show, with its creator and an audit row', async () => {
  const addedNotice = await editorSession.api.notices.add(
    build.noticeFields({ content: '  维护公告 ', link: 'HTTPS://A.example', platform: 'mobile' }),
  );
  expect(addedNotice).toMatchObject({
    version: 1,
    content: '维护公告',
    link: 'https://a.example/',
    platform: 'mobile',
    shown: false,
    startsAt: null,
    endsAt: null,
    creatorEmail: 'editor@demo.local',
  });
  expect(await editorSession.api.notices.many({ ids: [randomUUID(), addedNotice.id] })).toEqual([addedNotice]);
  const rows = await readAudit(addedNotice.id);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ action: 'add', entity: 'notice', permission: 'notices.add', before: null });
  expect(JSON.parse(rows[0]?.after ?? '')).toEqual(addedNotice);
});

test('an edit changes every field, clears moments, and keeps the creator', async () => {
  const addedNotice = await editorSession.api.notices.add(
    build.noticeFields({ startsAt: timeAfter(0), endsAt: timeAfter(1000) }),
  );
  const otherSession = await signInAs(app, 'all');
  const editedNotice = await otherSession.api.notices.edit({
    ...build.noticeFields({ content: 'New', platform: 'desktop' }),
    ...item(addedNotice),
  });
  expect(editedNotice).toMatchObject({ version: 2, content: 'New', platform: 'desktop', startsAt: null, endsAt: null });
  expect(editedNotice.creatorEmail).toBe('editor@demo.local');
  const [, row] = await readAudit(addedNotice.id);
  expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toEqual([addedNotice, editedNotice]);
});

test('an outdated edit gets the current row, and one of many concurrent edits wins', async () => {
  const addedNotice = await editorSession.api.notices.add(build.noticeFields());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      editorSession.api.notices.edit({ ...build.noticeFields({ content: `Edit ${n}` }), ...item(addedNotice) }),
    ),
  );
  const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? (outcome.reason as RefusalError) : []));
  expect(succeeded).toHaveLength(1);
  expect(refusals.map(({ code, data }) => [code, data?.current])).toEqual(refusals.map(() => ['CONFLICT', succeeded[0]]));
  expect(await readAudit(addedNotice.id)).toHaveLength(2);
});

test('show and hide change many with an audit row each, and unchanged ones count as done', async () => {
  const rows = await Promise.all([1, 2, 3].map((n) => editorSession.api.notices.add(build.noticeFields({ content: `n${n}` }))));
  const showResult = await editorSession.api.notices.show({ items: rows.map(item) });
  expect(showResult.done.map(({ shown: isShown, version }) => [isShown, version])).toEqual(rows.map(() => [true, 2]));
  const repeatedResult = await editorSession.api.notices.show({ items: showResult.done.map(item) });
  expect(repeatedResult).toEqual({ done: showResult.done, failed: [] });
  const [outdatedNotice, ...currentNotices] = showResult.done;
  if (!outdatedNotice) throw new Error('nothing shown');
  const hideResult = await editorSession.api.notices.hide({
    items: [{ id: outdatedNotice.id, version: 1 }, ...currentNotices.map(item)],
  });
  expect(hideResult.failed).toEqual([{ id: outdatedNotice.id, code: 'CONFLICT' }]);
  expect(hideResult.done.map(({ shown: isShown }) => isShown)).toEqual([false, false]);
  for (const { id } of currentNotices) expect((await readAudit(id)).map(({ action }) => action)).toEqual(['add', 'show', 'hide']);
});

test('a deleted notice is restored under its id as Not Show, with an unused version', async () => {
  const addedNotice = await editorSession.api.notices.add(build.noticeFields({ startsAt: timeAfter(0) }));
  const [shownNotice] = (await editorSession.api.notices.show({ items: [item(addedNotice)] })).done;
  if (!shownNotice) throw new Error('not shown');
  await editorSession.api.notices.remove({ items: [item(shownNotice)] });
  expect(await editorSession.api.notices.many({ ids: [addedNotice.id] })).toEqual([]);
  const { entries } = await editorSession.api.notices.history({ id: addedNotice.id });
  const entry = entries[0]?.id ?? '';
  const restoredNotice = await editorSession.api.notices.restore({ entry, state: 'before', version: null });
  expect(restoredNotice).toMatchObject({ ...addedNotice, shown: false, version: 3, updatedAt: restoredNotice.updatedAt });
  expect((await readRefusal(editorSession.api.notices.restore({ entry, state: 'before', version: null }))).code).toBe('CONFLICT');
});

test('an earlier state is restored as a new edit, without its visibility', async () => {
  const addedNotice = await editorSession.api.notices.add(build.noticeFields());
  const editedNotice = await editorSession.api.notices.edit({
    ...build.noticeFields({ content: 'Worse', endsAt: timeAfter(5000) }),
    ...item(addedNotice),
  });
  const [shownNotice] = (await editorSession.api.notices.show({ items: [item(editedNotice)] })).done;
  const { entries } = await editorSession.api.notices.history({ id: addedNotice.id });
  const entry = entries.find(({ route }) => route === 'notices.edit')?.id ?? '';
  expect(await editorSession.api.notices.versions({ ids: [`${entry}:before`] })).toMatchObject([
    { entity: 'notice', record: addedNotice },
  ]);
  const restoredNotice = await editorSession.api.notices.restore({ entry, state: 'before', version: shownNotice?.version ?? 0 });
  expect(restoredNotice).toMatchObject({ content: 'Maintenance tonight', endsAt: null, shown: true, version: 4 });
});

test('the list filters by content, status, platform and phase', async () => {
  const addNotice = (content: string, overrides: Partial<NoticeFields>) =>
    editorSession.api.notices.add(build.noticeFields({ content, ...overrides }));
  await addNotice('always 维护', {});
  await addNotice('began', { startsAt: timeAfter(0) });
  await addNotice('to come', { startsAt: timeAfter(1), endsAt: timeAfter(10_000) });
  await addNotice('ends later', { endsAt: timeAfter(1), platform: 'desktop' });
  const endedNotice = await addNotice('over 维护', { startsAt: timeAfter(-2000), endsAt: timeAfter(0) });
  await editorSession.api.notices.show({ items: [item(endedNotice)] });
  const findContents = async (filter: NoticeFilter) => {
    const { rows, count } = await editorSession.api.notices.list({
      sort: 'createdAt',
      direction: 'asc',
      filter,
      cursor: null,
      limit: 50,
    });
    expect(count?.value).toBe(rows.length);
    return rows.map(({ content }) => content).toSorted();
  };
  expect(await findContents({ phase: 'current' })).toEqual(['always 维护', 'began', 'ends later']);
  expect(await findContents({ phase: 'scheduled' })).toEqual(['to come']);
  expect(await findContents({ phase: 'over' })).toEqual(['over 维护']);
  expect(await findContents({ phase: '!current,over' })).toEqual(['to come']);
  expect(await findContents({ q: '维护' })).toEqual(['always 维护', 'over 维护']);
  expect(await findContents({ q: '维护', shown: 'true' })).toEqual(['over 维护']);
  expect(await findContents({ platform: 'desktop' })).toEqual(['ends later']);
  app.clock.now += 1; // the start is inclusive, the end exclusive
  expect(await findContents({ phase: 'scheduled' })).toEqual([]);
  expect(await findContents({ phase: 'over' })).toEqual(['ends later', 'over 维护']);
});

test('missing, too long and invalid values are refused by field, and nothing is written', async () => {
  const addedNotice = await editorSession.api.notices.add(build.noticeFields());
  const invalidCases: [Partial<Record<keyof NoticeFields, unknown>>, string, string][] = [
    [{ content: ' ' }, 'content', 'required'],
    [{ content: 'x'.repeat(1001) }, 'content', 'tooLong'],
    [{ content: 'a\0b' }, 'content', 'invalid'],
    [{ link: '' }, 'link', 'required'],
    [{ link: 'javascript:alert(1)' }, 'link', 'url'],
    [{ link: 'data:text/html,x' }, 'link', 'url'],
    [{ link: 'https://u:p@a.example/' }, 'link', 'url'],
    [{ platform: 'fridge' }, 'platform', 'invalid'],
    [{ startsAt: 'tomorrow' }, 'startsAt', 'time'],
    [{ endsAt: '2026-02-30T00:00:00.000Z' }, 'endsAt', 'time'],
    [{ startsAt: timeAfter(1), endsAt: timeAfter(1) }, 'endsAt', 'afterStart'],
    [{ startsAt: timeAfter(2), endsAt: timeAfter(1) }, 'endsAt', 'afterStart'],
  ];
  for (const [invalidFields, path, rule] of invalidCases) {
    const input = { ...build.noticeFields(), ...invalidFields } as NoticeFields;
    for (const sendRequest of [
      () => editorSession.api.notices.add(input),
      () => editorSession.api.notices.edit({ ...input, ...item(addedNotice) }),
    ]) {
      const refusal = await readRefusal(sendRequest());
      expect([refusal.code, refusal.data?.issues?.[0]], JSON.stringify(invalidFields)).toEqual(['BAD_REQUEST', { path, rule }]);
    }
  }
  expect(await editorSession.api.notices.many({ ids: [addedNotice.id] })).toEqual([addedNotice]);
  expect(await app.database.db.$count(notices)).toBe(1);
});

test('a person with read permission cannot write, and without the screen cannot read', async () => {
  const addedNotice = await editorSession.api.notices.add(build.noticeFields());
  const { api } = await signInAs(app, 'analyst');
  const operatorSession = await signInAs(app, 'operator');
  expect(await api.notices.many({ ids: [addedNotice.id] })).toEqual([addedNotice]);
  const attempts = [
    api.notices.add(build.noticeFields()),
    api.notices.edit({ ...build.noticeFields(), ...item(addedNotice) }),
    api.notices.show({ items: [item(addedNotice)] }),
    api.notices.hide({ items: [item(addedNotice)] }),
    api.notices.remove({ items: [item(addedNotice)] }),
    api.notices.restore({ entry: randomUUID(), state: 'before', version: null }),
    operatorSession.api.notices.many({ ids: [addedNotice.id] }),
  ];
  expect((await Promise.all(attempts.map(readRefusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'FORBIDDEN'));
  expect(await editorSession.api.notices.many({ ids: [addedNotice.id] })).toEqual([addedNotice]);
});
