import { randomUUID } from 'node:crypto';
import { count, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewsFields, NewsRow } from '../../api/news/contract.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { news } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await testApp();
  editor = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

const item = ({ id, version }: NewsRow) => ({ id, version });

interface Refused {
  code: string;
  data?: { current?: NewsRow; fields?: string[]; issues?: { path: string; rule: string }[] };
}

async function refusal(work: Promise<unknown>): Promise<Refused> {
  const error = await work.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  );
  return error as Refused;
}

const auditOf = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);
const auditCount = async () => (await app.database.db.select({ value: count() }).from(audit))[0]?.value ?? -1;

test('an added item is listed as Not Show, normalized, with an audit row', async () => {
  const added = await editor.api.news.add(
    build.newsFields({ title: '  标题 ', link: 'HTTPS://A.example', image: 'https://a.example/图.png' }),
  );
  expect(added).toMatchObject({
    version: 1,
    title: '标题',
    shown: false,
    link: 'https://a.example/',
    image: 'https://a.example/%E5%9B%BE.png',
  });
  expect(await editor.api.news.many({ ids: [added.id] })).toEqual([added]);
  const rows = await auditOf(added.id);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action: 'add',
    entity: 'news',
    permission: 'news.add',
    actorEmail: 'editor@demo.local',
    before: null,
  });
  expect(JSON.parse(rows[0]?.after ?? '')).toEqual(added);
});

test('reading by ids returns the existing rows in the requested order', async () => {
  const [a, b] = [await editor.api.news.add(build.newsFields()), await editor.api.news.add(build.newsFields())];
  const found = await editor.api.news.many({ ids: [b.id, randomUUID(), a.id] });
  expect(found.map(({ id }) => id)).toEqual([b.id, a.id]);
  expect(await editor.api.news.many({ ids: [] })).toEqual([]);
});

test('an edit raises the version and records before and after', async () => {
  const added = await editor.api.news.add(build.newsFields());
  app.clock.now += 1000;
  const edited = await editor.api.news.edit({ ...build.newsFields({ title: 'New' }), ...item(added) });
  expect(edited).toMatchObject({ id: added.id, version: 2, title: 'New', createdAt: added.createdAt });
  expect(Date.parse(edited.updatedAt)).toBe(Date.parse(added.updatedAt) + 1000);
  const [, row] = await auditOf(added.id);
  expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toEqual([added, edited]);
});

test('an outdated edit gets the current row and changes nothing', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const edited = await editor.api.news.edit({ ...build.newsFields({ title: 'First' }), ...item(added) });
  const refused = await refusal(editor.api.news.edit({ ...build.newsFields({ title: 'Second' }), ...item(added) }));
  expect(refused.code).toBe('CONFLICT');
  expect(refused.data?.current).toEqual(edited);
  expect(await editor.api.news.many({ ids: [added.id] })).toEqual([edited]);
});

test('an edit of a deleted item is NOT_FOUND', async () => {
  expect(await refusal(editor.api.news.edit({ ...build.newsFields(), id: randomUUID(), version: 1 }))).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('exactly one of several concurrent edits of a version wins', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => editor.api.news.edit({ ...build.newsFields({ title: `Edit ${n}` }), ...item(added) })),
  );
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Refused) : []));
  expect(won).toHaveLength(1);
  expect(lost.map(({ code, data }) => [code, data?.current])).toEqual(lost.map(() => ['CONFLICT', won[0]]));
  expect(await auditOf(added.id)).toHaveLength(2);
});

test('show and hide change many items in one request, with an audit row each', async () => {
  const rows = await Promise.all([1, 2, 3].map((n) => editor.api.news.add(build.newsFields({ title: `n${n}` }))));
  const shown = await editor.api.news.show({ items: rows.map(item) });
  expect(shown.failed).toEqual([]);
  expect(shown.done.map(({ id, shown: isShown, version }) => [id, isShown, version])).toEqual(
    rows.map(({ id }) => [id, true, 2]),
  );
  const hidden = await editor.api.news.hide({ items: shown.done.map(item) });
  expect(hidden.done.map(({ shown: isShown, version }) => [isShown, version])).toEqual(rows.map(() => [false, 3]));
  for (const { id } of rows) expect((await auditOf(id)).map(({ action }) => action)).toEqual(['add', 'show', 'hide']);
});

test('showing a shown item counts as done and changes nothing', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const [shown] = (await editor.api.news.show({ items: [item(added)] })).done;
  if (!shown) throw new Error('not shown');
  const before = await auditCount();
  expect(await editor.api.news.show({ items: [item(shown)] })).toEqual({ done: [shown], failed: [] });
  expect(await auditCount()).toBe(before);
});

test('outdated and deleted rows fail separately, and the others are done', async () => {
  const [good, stale] = [await editor.api.news.add(build.newsFields()), await editor.api.news.add(build.newsFields())];
  await editor.api.news.edit({ ...build.newsFields({ title: 'moved on' }), ...item(stale) });
  const gone = { id: randomUUID(), version: 1 };
  const failed = [
    { id: stale.id, code: 'CONFLICT' },
    { id: gone.id, code: 'NOT_FOUND' },
  ];
  const shown = await editor.api.news.show({ items: [item(good), item(stale), gone] });
  expect([shown.done.map(({ id }) => id), shown.failed]).toEqual([[good.id], failed]);
  const removed = await editor.api.news.remove({ items: [{ id: good.id, version: 2 }, item(stale), gone] });
  expect(removed).toMatchObject({ done: [{ id: good.id }], failed });
  expect((await editor.api.news.many({ ids: [good.id, stale.id] })).map(({ id }) => id)).toEqual([stale.id]);
});

test('the first failure is returned and nothing recorded if every row fails', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const current = await editor.api.news.edit({ ...build.newsFields(), ...item(added) });
  const before = await auditCount();
  for (const route of [editor.api.news.show, editor.api.news.hide, editor.api.news.remove]) {
    const stale = await refusal(route({ items: [item(added)] }));
    expect([stale.code, stale.data?.current]).toEqual(['CONFLICT', current]);
    expect(await refusal(route({ items: [{ id: randomUUID(), version: 1 }] }))).toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await auditCount()).toBe(before);
});

test('a repeated row counts once', async () => {
  const added = await editor.api.news.add(build.newsFields());
  expect((await editor.api.news.show({ items: [item(added), item(added)] })).done).toHaveLength(1);
  expect(await auditOf(added.id)).toHaveLength(2);
});

test('an item without an image cannot be shown', async () => {
  const [good, bare] = [await editor.api.news.add(build.newsFields()), await editor.api.news.add(build.newsFields())];
  await app.database.db.update(news).set({ image: null }).where(eq(news.id, bare.id));
  const alone = await refusal(editor.api.news.show({ items: [item(bare)] }));
  expect([alone.code, alone.data?.fields]).toEqual(['INCOMPLETE', ['image']]);
  const both = await editor.api.news.show({ items: [item(bare), item(good)] });
  expect([both.done.map(({ id }) => id), both.failed]).toEqual([[good.id], [{ id: bare.id, code: 'INCOMPLETE' }]]);
  expect((await editor.api.news.hide({ items: [item(bare)] })).done).toHaveLength(1);
});

test('a deleted item is kept in the audit and can be restored', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const { done, failed } = await editor.api.news.remove({ items: [item(added)] });
  expect([done.map(({ id }) => id), failed]).toEqual([[added.id], []]);
  expect(await editor.api.news.many({ ids: [added.id] })).toEqual([]);
  const [, row] = await auditOf(added.id);
  expect([row?.id, row?.action, JSON.parse(row?.before ?? ''), row?.after]).toEqual([done[0]?.entry, 'remove', added, null]);
  const restored = await editor.api.news.restore({ entry: done[0]?.entry ?? '', state: 'before', version: null });
  expect(restored).toMatchObject({ id: added.id, title: added.title });
});

test('two people changing the same rows in different orders do not deadlock', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, () => editor.api.news.add(build.newsFields())));
  const outcomes = await Promise.allSettled([
    editor.api.news.show({ items: rows.map(item) }),
    editor.api.news.remove({ items: rows.map(item).toReversed() }),
    editor.api.news.hide({ items: rows.map(item) }),
  ]);
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Refused).code : []));
  expect(codes.every((code) => code === 'CONFLICT' || code === 'NOT_FOUND')).toBe(true);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
});

test('a repeated Idempotency-Key adds once', async () => {
  const { api } = await signInAs(app, 'editor', { 'idempotency-key': randomUUID() });
  const [first, second] = [await api.news.add(build.newsFields()), await api.news.add(build.newsFields())];
  expect(second).toEqual(first);
  expect(await app.database.db.$count(news)).toBe(1);
});

test('hostile text is stored unchanged', async () => {
  const texts = [
    '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '{{constructor.constructor("alert(1)")()}}',
    "'; DROP TABLE news; --", '${7*7}', '=HYPERLINK("https://a.example")', '&lt;b&gt;', '\u202Egnp.exe', '__proto__', '%2561', '😀'.repeat(50),
  ]; // prettier-ignore
  for (const text of texts) {
    const added = await editor.api.news.add(build.newsFields({ title: text, description: text }));
    expect((await editor.api.news.many({ ids: [added.id] }))[0]).toMatchObject({ title: text, description: text });
  }
});

test('unstorable text and invalid links are refused by field before the database', async () => {
  const bad: [Parameters<typeof build.newsFields>[0], string, string][] = [
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
  for (const address of addresses) bad.push([{ link: address }, 'link', 'url'], [{ image: address }, 'image', 'url']);
  const before = await auditCount();
  for (const [changes, path, rule] of bad) {
    const refused = await refusal(editor.api.news.add(build.newsFields(changes)));
    expect([refused.code, refused.data?.issues], JSON.stringify(changes)).toEqual(['BAD_REQUEST', [{ path, rule }]]);
  }
  expect(await app.database.db.$count(news)).toBe(0);
  expect(await auditCount()).toBe(before);
});

test('unknown keys are refused, including those of prototypes', async () => {
  for (const extra of [{ shown: true }, { id: randomUUID() }, JSON.parse('{"__proto__":{"shown":true}}') as object]) {
    const input = Object.defineProperties(build.newsFields(), Object.getOwnPropertyDescriptors(extra)) as NewsFields;
    const outcome = await editor.api.news.add(input).catch((error: unknown) => error as Refused);
    if ('code' in outcome) expect(outcome.code).toBe('BAD_REQUEST');
    else expect(outcome.shown).toBe(false); // the client drops undefined keys
  }
});

test('a person with read permission reads and cannot write', async () => {
  const added = await editor.api.news.add(build.newsFields());
  const { api } = await signInAs(app, 'analyst');
  expect(await api.news.many({ ids: [added.id] })).toEqual([added]);
  const attempts = [
    api.news.add(build.newsFields()),
    api.news.edit({ ...build.newsFields(), ...item(added) }),
    api.news.show({ items: [item(added)] }),
    api.news.hide({ items: [item(added)] }),
    api.news.remove({ items: [item(added)] }),
    api.news.feed(),
    api.news.import({ ids: [randomUUID()] }),
  ];
  expect((await Promise.all(attempts.map(refusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'FORBIDDEN'));
  expect(await editor.api.news.many({ ids: [added.id] })).toEqual([added]);
});
