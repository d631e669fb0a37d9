import { randomUUID } from 'node:crypto';
import { count, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewsFields, NewsRow } from '../../api/news/contract.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { news } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editorSession: TestSession;
beforeAll(async () => {
  app = await createTestApp();
  editorSession = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

const item = ({ id, version }: NewsRow) => ({ id, version });

interface RefusalError {
  code: string;
  data?: { current?: NewsRow; fields?: string[]; issues?: { path: string; rule: string }[] };
}

async function readRefusal(request: Promise<unknown>): Promise<RefusalError> {
  const error = await request.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  );
  return error as RefusalError;
}

const readAudit = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);
const readAuditCount = async () => (await app.database.db.select({ value: count() }).from(audit))[0]?.value ?? -1;

test('an added item is listed as Not Show, normalized, with an audit row', async () => {
  const addedNews = await editorSession.api.news.add(
    build.newsFields({ title: '  标题 ', link: 'HTTPS://A.example', image: 'https://a.example/图.png' }),
  );
  expect(addedNews).toMatchObject({
    version: 1,
    title: '标题',
    shown: false,
    link: 'https://a.example/',
    image: 'https://a.example/%E5%9B%BE.png',
  });
  expect(await editorSession.api.news.many({ ids: [addedNews.id] })).toEqual([addedNews]);
  const rows = await readAudit(addedNews.id);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action: 'add',
    entity: 'news',
    permission: 'news.add',
    actorEmail: 'editor@demo.local',
    before: null,
  });
  expect(JSON.parse(rows[0]?.after ?? '')).toEqual(addedNews);
});

test('reading by ids returns the existing rows in the requested order', async () => {
  const [firstNews, secondNews] = [
    await editorSession.api.news.add(build.newsFields()),
    await editorSession.api.news.add(build.newsFields()),
  ];
  const foundNews = await editorSession.api.news.many({ ids: [secondNews.id, randomUUID(), firstNews.id] });
  expect(foundNews.map(({ id }) => id)).toEqual([secondNews.id, firstNews.id]);
  expect(await editorSession.api.news.many({ ids: [] })).toEqual([]);
});

test('an edit raises the version and records before and after', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  app.clock.now += 1000;
  const editedNews = await editorSession.api.news.edit({ ...build.newsFields({ title: 'New' }), ...item(addedNews) });
  expect(editedNews).toMatchObject({ id: addedNews.id, version: 2, title: 'New', createdAt: addedNews.createdAt });
  expect(Date.parse(editedNews.updatedAt)).toBe(Date.parse(addedNews.updatedAt) + 1000);
  const [, row] = await readAudit(addedNews.id);
  expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toEqual([addedNews, editedNews]);
});

test('an outdated edit gets the current row and changes nothing', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const editedNews = await editorSession.api.news.edit({ ...build.newsFields({ title: 'First' }), ...item(addedNews) });
  const conflictRefusal = await readRefusal(
    editorSession.api.news.edit({ ...build.newsFields({ title: 'Second' }), ...item(addedNews) }),
  );
  expect(conflictRefusal.code).toBe('CONFLICT');
  expect(conflictRefusal.data?.current).toEqual(editedNews);
  expect(await editorSession.api.news.many({ ids: [addedNews.id] })).toEqual([editedNews]);
});

test('an edit of a deleted item is NOT_FOUND', async () => {
  expect(await readRefusal(editorSession.api.news.edit({ ...build.newsFields(), id: randomUUID(), version: 1 }))).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('exactly one of several concurrent edits of a version wins', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) =>
      editorSession.api.news.edit({ ...build.newsFields({ title: `Edit ${n}` }), ...item(addedNews) }),
    ),
  );
  const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? (outcome.reason as RefusalError) : []));
  expect(succeeded).toHaveLength(1);
  expect(refusals.map(({ code, data }) => [code, data?.current])).toEqual(refusals.map(() => ['CONFLICT', succeeded[0]]));
  expect(await readAudit(addedNews.id)).toHaveLength(2);
});

test('show and hide change many items in one request, with an audit row each', async () => {
  const rows = await Promise.all([1, 2, 3].map((n) => editorSession.api.news.add(build.newsFields({ title: `n${n}` }))));
  const showResult = await editorSession.api.news.show({ items: rows.map(item) });
  expect(showResult.failed).toEqual([]);
  expect(showResult.done.map(({ id, shown: isShown, version }) => [id, isShown, version])).toEqual(
    rows.map(({ id }) => [id, true, 2]),
  );
  const hideResult = await editorSession.api.news.hide({ items: showResult.done.map(item) });
  expect(hideResult.done.map(({ shown: isShown, version }) => [isShown, version])).toEqual(rows.map(() => [false, 3]));
  for (const { id } of rows) expect((await readAudit(id)).map(({ action }) => action)).toEqual(['add', 'show', 'hide']);
});

test('showing a shown item counts as done and changes nothing', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const [shownNews] = (await editorSession.api.news.show({ items: [item(addedNews)] })).done;
  if (!shownNews) throw new Error('not shown');
  const auditCountBefore = await readAuditCount();
  expect(await editorSession.api.news.show({ items: [item(shownNews)] })).toEqual({ done: [shownNews], failed: [] });
  expect(await readAuditCount()).toBe(auditCountBefore);
});

test('outdated and deleted rows fail separately, and the others are done', async () => {
  const [validNews, editedMeanwhile] = [
    await editorSession.api.news.add(build.newsFields()),
    await editorSession.api.news.add(build.newsFields()),
  ];
  await editorSession.api.news.edit({ ...build.newsFields({ title: 'moved on' }), ...item(editedMeanwhile) });
  const missingItem = { id: randomUUID(), version: 1 };
  const expectedFailures = [
    { id: editedMeanwhile.id, code: 'CONFLICT' },
    { id: missingItem.id, code: 'NOT_FOUND' },
  ];
  const showResult = await editorSession.api.news.show({ items: [item(validNews), item(editedMeanwhile), missingItem] });
  expect([showResult.done.map(({ id }) => id), showResult.failed]).toEqual([[validNews.id], expectedFailures]);
  const removeResult = await editorSession.api.news.remove({
    items: [{ id: validNews.id, version: 2 }, item(editedMeanwhile), missingItem],
  });
  expect(removeResult).toMatchObject({ done: [{ id: validNews.id }], failed: expectedFailures });
  expect((await editorSession.api.news.many({ ids: [validNews.id, editedMeanwhile.id] })).map(({ id }) => id)).toEqual([
    editedMeanwhile.id,
  ]);
});

test('the first failure is returned and nothing recorded if every row fails', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const currentNews = await editorSession.api.news.edit({ ...build.newsFields(), ...item(addedNews) });
  const auditCountBefore = await readAuditCount();
  for (const route of [editorSession.api.news.show, editorSession.api.news.hide, editorSession.api.news.remove]) {
    const conflictRefusal = await readRefusal(route({ items: [item(addedNews)] }));
    expect([conflictRefusal.code, conflictRefusal.data?.current]).toEqual(['CONFLICT', currentNews]);
    expect(await readRefusal(route({ items: [{ id: randomUUID(), version: 1 }] }))).toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await readAuditCount()).toBe(auditCountBefore);
});

test('a repeated row counts once', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  expect((await editorSession.api.news.show({ items: [item(addedNews), item(addedNews)] })).done).toHaveLength(1);
  expect(await readAudit(addedNews.id)).toHaveLength(2);
});

test('an item without an image cannot be shown', async () => {
  const [validNews, incompleteNews] = [
    await editorSession.api.news.add(build.newsFields()),
    await editorSession.api.news.add(build.newsFields()),
  ];
  await app.database.db.update(news).set({ image: null }).where(eq(news.id, incompleteNews.id));
  const singleRefusal = await readRefusal(editorSession.api.news.show({ items: [item(incompleteNews)] }));
  expect([singleRefusal.code, singleRefusal.data?.fields]).toEqual(['INCOMPLETE', ['image']]);
  const showBothResult = await editorSession.api.news.show({ items: [item(incompleteNews), item(validNews)] });
  expect([showBothResult.done.map(({ id }) => id), showBothResult.failed]).toEqual([
    [validNews.id],
    [{ id: incompleteNews.id, code: 'INCOMPLETE' }],
  ]);
  expect((await editorSession.api.news.hide({ items: [item(incompleteNews)] })).done).toHaveLength(1);
});

test('a deleted item is kept in the audit and can be restored', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const { done, failed } = await editorSession.api.news.remove({ items: [item(addedNews)] });
  expect([done.map(({ id }) => id), failed]).toEqual([[addedNews.id], []]);
  expect(await editorSession.api.news.many({ ids: [addedNews.id] })).toEqual([]);
  const [, row] = await readAudit(addedNews.id);
  expect([row?.id, row?.action, JSON.parse(row?.before ?? ''), row?.after]).toEqual([done[0]?.entry, 'remove', addedNews, null]);
  const restoredNews = await editorSession.api.news.restore({ entry: done[0]?.entry ?? '', state: 'before', version: null });
  expect(restoredNews).toMatchObject({ id: addedNews.id, title: addedNews.title });
});

test('two people changing the same rows in different orders do not deadlock', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, () => editorSession.api.news.add(build.newsFields())));
  const outcomes = await Promise.allSettled([
    editorSession.api.news.show({ items: rows.map(item) }),
    editorSession.api.news.remove({ items: rows.map(item).toReversed() }),
    editorSession.api.news.hide({ items: rows.map(item) }),
  ]);
  const refusalCodes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as RefusalError).code : [],
  );
  expect(refusalCodes.every((code) => code === 'CONFLICT' || code === 'NOT_FOUND')).toBe(true);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
});

test('a repeated Idempotency-Key adds once', async () => {
  const { api } = await signInAs(app, 'editor', { 'idempotency-key': randomUUID() });
  const [firstNews, secondNews] = [await api.news.add(build.newsFields()), await api.news.add(build.newsFields())];
  expect(secondNews).toEqual(firstNews);
  expect(await app.database.db.$count(news)).toBe(1);
});

test('hostile text is stored unchanged', async () => {
  const specialTexts = [
    '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '{{constructor.constructor("alert(1)")()}}',
    "'; DROP TABLE news; --", '${7*7}', '=HYPERLINK("https://a.example")', '&lt;b&gt;', '\u202Egnp.exe', '__proto__', '%2561', '😀'.repeat(50),
  ]; // prettier-ignore
  for (const text of specialTexts) {
    const addedNews = await editorSession.api.news.add(build.newsFields({ title: text, description: text }));
    expect((await editorSession.api.news.many({ ids: [addedNews.id] }))[0]).toMatchObject({ title: text, description: text });
  }
});

test('unstorable text and invalid links are refused by field before the database', async () => {
  const invalidCases: [Parameters<typeof build.newsFields>[0], string, string][] = [
    [{ title: 'a\u0000b' }, 'title', 'invalid'],
    [{ title: 'a\uD800b' }, 'title', 'invalid'],
    [{ description: '\uDFFF' }, 'description', 'invalid'],
    [{ title: '   ' }, 'title', 'required'],
    [{ title: 'x'.repeat(201) }, 'title', 'tooLong'],
    [{ description: 'x'.repeat(5001) }, 'description', 'tooLong'],
    [{ time: '2025-02-30' }, 'time', 'time'],
    [{ time: '+275760-09-13T00:00:00.000Z' }, 'time', 'time'],
  ];
  const addresses = [
    'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'blob:https://a.example/1', '//a.example', 'java\nscript:alert(1)',
    'https://user:pass@a.example/', 'https://user@a.example/', 'ftp://a.example/', 'https://', 'https://a b.example/', 'https://a.example\\@b.example/', `https://a.example/${'图'.repeat(1500)}`,
  ]; // prettier-ignore
  for (const address of addresses) invalidCases.push([{ link: address }, 'link', 'url'], [{ image: address }, 'image', 'url']);
  const auditCountBefore = await readAuditCount();
  for (const [overrides, path, rule] of invalidCases) {
    const addRefusal = await readRefusal(editorSession.api.news.add(build.newsFields(overrides)));
    expect([addRefusal.code, addRefusal.data?.issues], JSON.stringify(overrides)).toEqual(['BAD_REQUEST', [{ path, rule }]]);
  }
  expect(await app.database.db.$count(news)).toBe(0);
  expect(await readAuditCount()).toBe(auditCountBefore);
});

test('unknown keys are refused, including those of prototypes', async () => {
  for (const extraFields of [{ shown: true }, { id: randomUUID() }, JSON.parse('{"__proto__":{"shown":true}}') as object]) {
    const input = Object.defineProperties(build.newsFields(), Object.getOwnPropertyDescriptors(extraFields)) as NewsFields;
    const outcome = await editorSession.api.news.add(input).catch((error: unknown) => error as RefusalError);
    if ('code' in outcome) expect(outcome.code).toBe('BAD_REQUEST');
    else expect(outcome.shown).toBe(false); // the client drops undefined keys
  }
});

test('a person with read permission reads and cannot write', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields());
  const { api } = await signInAs(app, 'analyst');
  expect(await api.news.many({ ids: [addedNews.id] })).toEqual([addedNews]);
  const attempts = [
    api.news.add(build.newsFields()),
    api.news.edit({ ...build.newsFields(), ...item(addedNews) }),
    api.news.show({ items: [item(addedNews)] }),
    api.news.hide({ items: [item(addedNews)] }),
    api.news.remove({ items: [item(addedNews)] }),
    api.news.feed(),
    api.news.import({ ids: [randomUUID()] }),
  ];
  expect((await Promise.all(attempts.map(readRefusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'FORBIDDEN'));
  expect(await editorSession.api.news.many({ ids: [addedNews.id] })).toEqual([addedNews]);
});
