import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { feedback, feedbackPictures, feedbackReplies } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { mails, pictures } from '../platform/content/tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

let app: TestApp;
let editor: TestSession;
let analyst: TestSession;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'http://panel.example' });
  [editor, analyst] = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
});
beforeEach(async () => {
  await app.database.db.delete(feedback);
  await app.database.db.delete(mails);
});

let minute = 0;
async function given(content: string, { email = 'visitor@example.com', pictureCount = 0 } = {}) {
  const { db } = app.database;
  const at = new Date(Date.UTC(2025, 0, 1, 0, minute++));
  const id = newId(at.getTime());
  await storeIn(db).feedback({ id, email, content, createdAt: at });
  for (let position = 0; position < pictureCount; position++) {
    const pictureId = randomUUID();
    await db
      .insert(pictures)
      .values({ id: pictureId, sha256: pictureId, mime: 'image/webp', width: 4, height: 3, bytes: 9, createdAt: at });
    await db.insert(feedbackPictures).values({ feedbackId: id, position, pictureId });
  }
  return { id, version: 1 };
}

const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const page = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 } as const;
const list = async (filter: Parameters<typeof editor.api.feedback.list>[0]['filter'] = {}) =>
  (await analyst.api.feedback.list({ ...page, filter })).rows.map(({ content }) => content);
const one = async (id: string) => (await analyst.api.feedback.many({ ids: [id] }))[0];
const auditOf = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(desc(audit.seq));

test('the list is newest first with ordered pictures, filtered by text, mailbox and status', async () => {
  await given('钱包连接失败 Wallet', { email: 'Lin.Wei@example.com' });
  const second = await given('the second', { pictureCount: 3 });
  await given('the third', { email: 'other@elsewhere.example' });
  await editor.api.feedback.process({ items: [item(second)] });
  expect(await list()).toEqual(['the third', 'the second', '钱包连接失败 Wallet']);
  expect(await list({ q: 'THE' })).toEqual(['the third', 'the second']);
  expect(await list({ q: '连接' })).toEqual(['钱包连接失败 Wallet']);
  expect(await list({ email: 'lin.wei' })).toEqual(['钱包连接失败 Wallet']);
  expect(await list({ email: '%' })).toEqual([]);
  expect(await list({ processed: 'true' })).toEqual(['the second']);
  expect(await list({ processed: 'false', q: 'third', email: 'elsewhere' })).toEqual(['the third']);
  const linked = await app.database.db
    .select()
    .from(feedbackPictures)
    .where(eq(feedbackPictures.feedbackId, second.id))
    .orderBy(feedbackPictures.position);
  expect((await one(second.id))?.pictures).toEqual(
    linked.map(({ pictureId }) => `http://panel.example/pictures/${pictureId}.webp`),
  );
});

test('processing one or many is audited and can be undone', async () => {
  const [a, b] = [await given('a'), await given('b')];
  const { done, failed } = await editor.api.feedback.process({ items: [a, b, { id: randomUUID(), version: 1 }] });
  expect(done.map(({ processed, processedAt, version }) => [processed, processedAt !== null, version])).toEqual([
    [true, true, 2],
    [true, true, 2],
  ]);
  expect(failed).toMatchObject([{ code: 'NOT_FOUND' }]);
  const back = await editor.api.feedback.reopen({ items: done.map(item) });
  expect(back.done.map(({ processed, processedAt }) => [processed, processedAt])).toEqual([
    [false, null],
    [false, null],
  ]);
  expect((await auditOf(a.id)).map(({ action, permission, actorEmail }) => [action, permission, actorEmail])).toEqual([
    ['reopen', 'feedback.reopen', 'editor@demo.local'],
    ['process', 'feedback.process', 'editor@demo.local'],
  ]);
});

test('processing the same feedback twice writes it once and refuses the second person', async () => {
  const row = await given('contested');
  await editor.api.feedback.process({ items: [row] });
  await expect(editor.api.feedback.process({ items: [row] })).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { current: { id: row.id, version: 2, processed: true, pictures: [], replies: [] } },
  });
  const now = await one(row.id);
  const again = await editor.api.feedback.process({ items: [{ id: row.id, version: now?.version ?? 0 }] });
  expect(again.done[0]?.version).toBe(2);
  expect(await auditOf(row.id)).toHaveLength(1);
});

test('a reply sends one mail, is stored with the feedback, and can process it', async () => {
  const row = await given('Please answer\nhttps://phishing.example/', { email: 'asking@example.com' });
  const first = await editor.api.feedback.reply({ ...row, content: 'We look into it.', processed: false });
  expect(first).toMatchObject({
    processed: false,
    version: 2,
    replies: [{ content: 'We look into it.', by: 'editor@demo.local' }],
  });
  const second = await editor.api.feedback.reply({ ...item(first), content: 'Done.', processed: true });
  expect(second).toMatchObject({ processed: true, version: 3 });
  expect(second.replies.map(({ content }) => content)).toEqual(['We look into it.', 'Done.']);
  const sent = await app.database.db.select().from(mails).orderBy(mails.createdAt);
  expect(sent.map(({ recipient }) => recipient)).toEqual(['asking@example.com', 'asking@example.com']);
  // Our mail must not carry a stranger's text.
  for (const { body, subject } of sent) expect(`${subject}\n${body}`).not.toContain('phishing');
  expect(sent[0]?.body).toContain('We look into it.');
});

test('an outdated, empty or repeated reply sends nothing', async () => {
  const row = await given('x');
  const keyed = await signInAs(app, 'editor', { 'idempotency-key': randomUUID() });
  const reply = { ...row, content: 'Once', processed: true };
  const answers = await Promise.all([keyed.api.feedback.reply(reply), keyed.api.feedback.reply(reply)]);
  expect(answers[0]).toEqual(answers[1]);
  await expect(editor.api.feedback.reply(reply)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(editor.api.feedback.reply({ ...reply, content: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await app.database.db.$count(mails)).toBe(1);
  expect(await app.database.db.$count(feedbackReplies, eq(feedbackReplies.feedbackId, row.id))).toBe(1);
});

test('deleted feedback is restored completely from the audit, once', async () => {
  const row = await given('to be deleted', { pictureCount: 2 });
  const answered = await editor.api.feedback.reply({ ...row, content: 'Thanks', processed: true });
  await editor.api.feedback.remove({ items: [item(answered)] });
  expect(await one(row.id)).toBeUndefined();
  const [entry] = (await analyst.api.feedback.history({ id: row.id })).entries;
  const restore = { entry: entry?.id ?? '', state: 'before' as const, version: null };
  const restored = await editor.api.feedback.restore(restore);
  expect(restored).toEqual({ ...answered, version: answered.version + 1, updatedAt: restored.updatedAt });
  await expect(editor.api.feedback.restore(restore)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(editor.api.feedback.restore({ ...restore, entry: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('deleted feedback is restored with its replies from any entry', async () => {
  const row = await given('answered later');
  const reopened = await editor.api.feedback.process({ items: [row] });
  const answered = await editor.api.feedback.reply({ ...item(reopened.done[0] ?? row), content: 'Thanks', processed: true });
  const earlier = (await analyst.api.feedback.history({ id: row.id })).entries.at(-1);
  await editor.api.feedback.remove({ items: [item(answered)] });
  const restored = await editor.api.feedback.restore({ entry: earlier?.id ?? '', state: 'before', version: null });
  expect(restored).toMatchObject({ processed: true, replies: [{ content: 'Thanks' }], version: answered.version + 1 });
});

test('a person with read permission changes nothing', async () => {
  const row = await given('hands off');
  const items = [row];
  const attempts = [
    () => analyst.api.feedback.process({ items }),
    () => analyst.api.feedback.reopen({ items }),
    () => analyst.api.feedback.remove({ items }),
    () => analyst.api.feedback.reply({ ...row, content: 'x', processed: true }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const operator = await signInAs(app, 'operator');
  await expect(operator.api.feedback.list({ ...page, filter: {} })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await one(row.id)).toMatchObject({ version: 1, processed: false });
  expect((await send(app, 'POST', '/api/feedback/list', { ...page, filter: {} })).status).toBe(401);
});
