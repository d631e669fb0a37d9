import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { NoticeFields, NoticeFilter, NoticeRow } from '../../api/notices/contract.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { notices } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await testApp();
  editor = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(notices);
});

const item = ({ id, version }: NoticeRow) => ({ id, version });
const at = (ms: number) => new Date(app.clock.now + ms).toISOString();

interface Refused {
  code: string;
  data?: { current?: NoticeRow; issues?: { path: string; rule: string }[] };
}

async function refusal(work: Promise<unknown>): Promise<Refused> {
  const error = await work.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  );
  return error as Refused;
}

const auditOf = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);

test('an added notice is listed as Not Show, with its creator and an audit row', async () => {
  const added = await editor.api.notices.add(
    build.noticeFields({ content: '  维护公告 ', link: 'HTTPS://A.example', platform: 'mobile' }),
  );
  expect(added).toMatchObject({
    version: 1,
    content: '维护公告',
    link: 'https://a.example/',
    platform: 'mobile',
    shown: false,
    startsAt: null,
    endsAt: null,
    creatorEmail: 'editor@demo.local',
  });
  expect(await editor.api.notices.many({ ids: [randomUUID(), added.id] })).toEqual([added]);
  const rows = await auditOf(added.id);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ action: 'add', entity: 'notice', permission: 'notices.add', before: null });
  expect(JSON.parse(rows[0]?.after ?? '')).toEqual(added);
});

test('an edit changes every field, clears moments, and keeps the creator', async () => {
  const added = await editor.api.notices.add(build.noticeFields({ startsAt: at(0), endsAt: at(1000) }));
  const other = await signInAs(app, 'all');
  const edited = await other.api.notices.edit({ ...build.noticeFields({ content: 'New', platform: 'desktop' }), ...item(added) });
  expect(edited).toMatchObject({ version: 2, content: 'New', platform: 'desktop', startsAt: null, endsAt: null });
  expect(edited.creatorEmail).toBe('editor@demo.local');
  const [, row] = await auditOf(added.id);
  expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toEqual([added, edited]);
});

test('an outdated edit gets the current row, and one of many concurrent edits wins', async () => {
  const added = await editor.api.notices.add(build.noticeFields());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      editor.api.notices.edit({ ...build.noticeFields({ content: `Edit ${n}` }), ...item(added) }),
    ),
  );
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Refused) : []));
  expect(won).toHaveLength(1);
  expect(lost.map(({ code, data }) => [code, data?.current])).toEqual(lost.map(() => ['CONFLICT', won[0]]));
  expect(await auditOf(added.id)).toHaveLength(2);
});

test('show and hide change many with an audit row each, and unchanged ones count as done', async () => {
  const rows = await Promise.all([1, 2, 3].map((n) => editor.api.notices.add(build.noticeFields({ content: `n${n}` }))));
  const shown = await editor.api.notices.show({ items: rows.map(item) });
  expect(shown.done.map(({ shown: isShown, version }) => [isShown, version])).toEqual(rows.map(() => [true, 2]));
  const again = await editor.api.notices.show({ items: shown.done.map(item) });
  expect(again).toEqual({ done: shown.done, failed: [] });
  const [stale, ...fresh] = shown.done;
  if (!stale) throw new Error('nothing shown');
  const hidden = await editor.api.notices.hide({ items: [{ id: stale.id, version: 1 }, ...fresh.map(item)] });
  expect(hidden.failed).toEqual([{ id: stale.id, code: 'CONFLICT' }]);
  expect(hidden.done.map(({ shown: isShown }) => isShown)).toEqual([false, false]);
  for (const { id } of fresh) expect((await auditOf(id)).map(({ action }) => action)).toEqual(['add', 'show', 'hide']);
});

test('a deleted notice is restored under its id as Not Show, with an unused version', async () => {
  const added = await editor.api.notices.add(build.noticeFields({ startsAt: at(0) }));
  const [shown] = (await editor.api.notices.show({ items: [item(added)] })).done;
  if (!shown) throw new Error('not shown');
  await editor.api.notices.remove({ items: [item(shown)] });
  expect(await editor.api.notices.many({ ids: [added.id] })).toEqual([]);
  const { entries } = await editor.api.notices.history({ id: added.id });
  const entry = entries[0]?.id ?? '';
  const back = await editor.api.notices.restore({ entry, state: 'before', version: null });
  expect(back).toMatchObject({ ...added, shown: false, version: 3, updatedAt: back.updatedAt });
  expect((await refusal(editor.api.notices.restore({ entry, state: 'before', version: null }))).code).toBe('CONFLICT');
});

test('an earlier state is restored as a new edit, without its visibility', async () => {
  const added = await editor.api.notices.add(build.noticeFields());
  const edited = await editor.api.notices.edit({ ...build.noticeFields({ content: 'Worse', endsAt: at(5000) }), ...item(added) });
  const [shown] = (await editor.api.notices.show({ items: [item(edited)] })).done;
  const { entries } = await editor.api.notices.history({ id: added.id });
  const entry = entries.find(({ route }) => route === 'notices.edit')?.id ?? '';
  expect(await editor.api.notices.versions({ ids: [`${entry}:before`] })).toMatchObject([{ entity: 'notice', record: added }]);
  const back = await editor.api.notices.restore({ entry, state: 'before', version: shown?.version ?? 0 });
  expect(back).toMatchObject({ content: 'Maintenance tonight', endsAt: null, shown: true, version: 4 });
});

test('the list filters by content, status, platform and phase', async () => {
  const add = (content: string, changes: Partial<NoticeFields>) =>
    editor.api.notices.add(build.noticeFields({ content, ...changes }));
  await add('always 维护', {});
  await add('began', { startsAt: at(0) });
  await add('to come', { startsAt: at(1), endsAt: at(10_000) });
  await add('ends later', { endsAt: at(1), platform: 'desktop' });
  const over = await add('over 维护', { startsAt: at(-2000), endsAt: at(0) });
  await editor.api.notices.show({ items: [item(over)] });
  const found = async (filter: NoticeFilter) => {
    const { rows, count } = await editor.api.notices.list({
      sort: 'createdAt',
      direction: 'asc',
      filter,
      cursor: null,
      limit: 50,
    });
    expect(count?.value).toBe(rows.length);
    return rows.map(({ content }) => content).toSorted();
  };
  expect(await found({ phase: 'current' })).toEqual(['always 维护', 'began', 'ends later']);
  expect(await found({ phase: 'scheduled' })).toEqual(['to come']);
  expect(await found({ phase: 'over' })).toEqual(['over 维护']);
  expect(await found({ phase: '!current,over' })).toEqual(['to come']);
  expect(await found({ q: '维护' })).toEqual(['always 维护', 'over 维护']);
  expect(await found({ q: '维护', shown: 'true' })).toEqual(['over 维护']);
  expect(await found({ platform: 'desktop' })).toEqual(['ends later']);
  app.clock.now += 1; // the start is inclusive, the end exclusive
  expect(await found({ phase: 'scheduled' })).toEqual([]);
  expect(await found({ phase: 'over' })).toEqual(['ends later', 'over 维护']);
});

test('missing, too long and invalid values are refused by field, and nothing is written', async () => {
  const added = await editor.api.notices.add(build.noticeFields());
  const bad: [Partial<Record<keyof NoticeFields, unknown>>, string, string][] = [
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
    [{ startsAt: at(1), endsAt: at(1) }, 'endsAt', 'afterStart'],
    [{ startsAt: at(2), endsAt: at(1) }, 'endsAt', 'afterStart'],
  ];
  for (const [changes, path, rule] of bad) {
    const input = { ...build.noticeFields(), ...changes } as NoticeFields;
    for (const ask of [() => editor.api.notices.add(input), () => editor.api.notices.edit({ ...input, ...item(added) })]) {
      const refused = await refusal(ask());
      expect([refused.code, refused.data?.issues?.[0]], JSON.stringify(changes)).toEqual(['BAD_REQUEST', { path, rule }]);
    }
  }
  expect(await editor.api.notices.many({ ids: [added.id] })).toEqual([added]);
  expect(await app.database.db.$count(notices)).toBe(1);
});

test('a person with read permission cannot write, and without the screen cannot read', async () => {
  const added = await editor.api.notices.add(build.noticeFields());
  const { api } = await signInAs(app, 'analyst');
  const operator = await signInAs(app, 'operator');
  expect(await api.notices.many({ ids: [added.id] })).toEqual([added]);
  const attempts = [
    api.notices.add(build.noticeFields()),
    api.notices.edit({ ...build.noticeFields(), ...item(added) }),
    api.notices.show({ items: [item(added)] }),
    api.notices.hide({ items: [item(added)] }),
    api.notices.remove({ items: [item(added)] }),
    api.notices.restore({ entry: randomUUID(), state: 'before', version: null }),
    operator.api.notices.many({ ids: [added.id] }),
  ];
  expect((await Promise.all(attempts.map(refusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'FORBIDDEN'));
  expect(await editor.api.notices.many({ ids: [added.id] })).toEqual([added]);
});
