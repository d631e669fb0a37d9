import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { feedback, feedbackPictures, feedbackReplies } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { mails, pictures } from '../platform/content/tables.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let editorSession: TestSession;
let analystSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ PUBLIC_URL: 'http://panel.example' });
  [editorSession, analystSession] = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
});
beforeEach(async () => {
  await app.database.db.delete(feedback);
  await app.database.db.delete(mails);
});

let minuteCount = 0;
async function insertFeedback(content: string, { email = 'visitor@example.com', pictureCount = 0 } = {}) {
  const { db } = app.database;
  const createdAt = new Date(Date.UTC(2025, 0, 1, 0, minuteCount++));
  const id = newId(createdAt.getTime());
  await createStore(db).feedback({ id, email, content, createdAt });
  for (let position = 0; position < pictureCount; position++) {
    const pictureId = randomUUID();
    await db
      .insert(pictures)
      .values({ id: pictureId, sha256: pictureId, mime: 'image/webp', width: 4, height: 3, bytes: 9, createdAt });
    await db.insert(feedbackPictures).values({ feedbackId: id, position, pictureId });
  }
  return { id, version: 1 };
}

const toItemVersion = ({ id, version }: { id: string; version: number }) => ({ id, version });
const page = { sort: 'createdAt', direction: 'desc', cursor: null, limit: 50 } as const;
const listContents = async (filter: Parameters<typeof editorSession.api.feedback.list>[0]['filter'] = {}) =>
  (await analystSession.api.feedback.list({ ...page, filter })).rows.map(({ content }) => content);
const readFeedback = async (id: string) => (await analystSession.api.feedback.many({ ids: [id] }))[0];
const readAudit = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(desc(audit.seq));

test('the list is newest first with ordered pictures, filtered by text, mailbox and status', async () => {
  await insertFeedback('钱包连接失败 Wallet', { email: 'Lin.Wei@example.com' });
  const secondFeedback = await insertFeedback('the second', { pictureCount: 3 });
  await insertFeedback('the third', { email: 'other@elsewhere.example' });
  await editorSession.api.feedback.process({ items: [toItemVersion(secondFeedback)] });
  expect(await listContents()).toEqual(['the third', 'the second', '钱包连接失败 Wallet']);
  expect(await listContents({ q: 'THE' })).toEqual(['the third', 'the second']);
  expect(await listContents({ q: '连接' })).toEqual(['钱包连接失败 Wallet']);
  expect(await listContents({ email: 'lin.wei' })).toEqual(['钱包连接失败 Wallet']);
  expect(await listContents({ email: '%' })).toEqual([]);
  expect(await listContents({ processed: 'true' })).toEqual(['the second']);
  expect(await listContents({ processed: 'false', q: 'third', email: 'elsewhere' })).toEqual(['the third']);
  const linkedPictures = await app.database.db
    .select()
    .from(feedbackPictures)
    .where(eq(feedbackPictures.feedbackId, secondFeedback.id))
    .orderBy(feedbackPictures.position);
  expect((await readFeedback(secondFeedback.id))?.pictures).toEqual(
    linkedPictures.map(({ pictureId }) => `http://panel.example/pictures/${pictureId}.webp`),
  );
});

test('processing one or many is audited and can be undone', async () => {
  const [firstFeedback, secondFeedback] = [await insertFeedback('a'), await insertFeedback('b')];
  const { done, failed } = await editorSession.api.feedback.process({
    items: [firstFeedback, secondFeedback, { id: randomUUID(), version: 1 }],
  });
  expect(done.map(({ processed, processedAt, version }) => [processed, processedAt !== null, version])).toEqual([
    [true, true, 2],
    [true, true, 2],
  ]);
  expect(failed).toMatchObject([{ code: 'NOT_FOUND' }]);
  const reopenedResult = await editorSession.api.feedback.reopen({ items: done.map(toItemVersion) });
  expect(reopenedResult.done.map(({ processed, processedAt }) => [processed, processedAt])).toEqual([
    [false, null],
    [false, null],
  ]);
  expect(
    (await readAudit(firstFeedback.id)).map(({ action, permission, actorEmail }) => [action, permission, actorEmail]),
  ).toEqual([
    ['reopen', 'feedback.reopen', 'editor@demo.local'],
    ['process', 'feedback.process', 'editor@demo.local'],
  ]);
});

test('processing the same feedback twice writes it once and refuses the second person', async () => {
  const row = await insertFeedback('contested');
  await editorSession.api.feedback.process({ items: [row] });
  await expect(editorSession.api.feedback.process({ items: [row] })).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { current: { id: row.id, version: 2, processed: true, pictures: [], replies: [] } },
  });
  const currentFeedback = await readFeedback(row.id);
  const repeatedResult = await editorSession.api.feedback.process({
    items: [{ id: row.id, version: currentFeedback?.version ?? 0 }],
  });
  expect(repeatedResult.done[0]?.version).toBe(2);
  expect(await readAudit(row.id)).toHaveLength(1);
});

test('a reply sends one mail, is stored with the feedback, and can process it', async () => {
  const row = await insertFeedback('Please answer\nhttps://phishing.example/', { email: 'asking@example.com' });
  const firstReply = await editorSession.api.feedback.reply({ ...row, content: 'We look into it.', processed: false });
  expect(firstReply).toMatchObject({
    processed: false,
    version: 2,
    replies: [{ content: 'We look into it.', by: 'editor@demo.local' }],
  });
  const secondReply = await editorSession.api.feedback.reply({ ...toItemVersion(firstReply), content: 'Done.', processed: true });
  expect(secondReply).toMatchObject({ processed: true, version: 3 });
  expect(secondReply.replies.map(({ content }) => content)).toEqual(['We look into it.', 'Done.']);
  const sentMails = await app.database.db.select().from(mails).orderBy(mails.createdAt);
  expect(sentMails.map(({ recipient }) => recipient)).toEqual(['asking@example.com', 'asking@example.com']);
  // Our mail must not carry a stranger's text.
  for (const { body, subject } of sentMails) expect(`${subject}\n${body}`).not.toContain('phishing');
  expect(sentMails[0]?.body).toContain('We look into it.');
});

test('an outdated, empty or repeated reply sends nothing', async () => {
  const row = await insertFeedback('x');
  const idempotentSession = await signInAs(app, 'editor', { 'idempotency-key': randomUUID() });
  const replyInput = { ...row, content: 'Once', processed: true };
  const responses = await Promise.all([
    idempotentSession.api.feedback.reply(replyInput),
    idempotentSession.api.feedback.reply(replyInput),
  ]);
  expect(responses[0]).toEqual(responses[1]);
  await expect(editorSession.api.feedback.reply(replyInput)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(editorSession.api.feedback.reply({ ...replyInput, content: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await app.database.db.$count(mails)).toBe(1);
  expect(await app.database.db.$count(feedbackReplies, eq(feedbackReplies.feedbackId, row.id))).toBe(1);
});

test('deleted feedback is restored completely from the audit, once', async () => {
  const row = await insertFeedback('to be deleted', { pictureCount: 2 });
  const answeredRow = await editorSession.api.feedback.reply({ ...row, content: 'Thanks', processed: true });
  await editorSession.api.feedback.remove({ items: [toItemVersion(answeredRow)] });
  expect(await readFeedback(row.id)).toBeUndefined();
  const [entry] = (await analystSession.api.feedback.history({ id: row.id })).entries;
  const restoreInput = { entry: entry?.id ?? '', state: 'before' as const, version: null };
  const restoredRow = await editorSession.api.feedback.restore(restoreInput);
  expect(restoredRow).toEqual({ ...answeredRow, version: answeredRow.version + 1, updatedAt: restoredRow.updatedAt });
  await expect(editorSession.api.feedback.restore(restoreInput)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(editorSession.api.feedback.restore({ ...restoreInput, entry: randomUUID() })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('deleted feedback is restored with its replies from any entry', async () => {
  const row = await insertFeedback('answered later');
  const processedResult = await editorSession.api.feedback.process({ items: [row] });
  const answeredRow = await editorSession.api.feedback.reply({
    ...toItemVersion(processedResult.done[0] ?? row),
    content: 'Thanks',
    processed: true,
  });
  const firstEntry = (await analystSession.api.feedback.history({ id: row.id })).entries.at(-1);
  await editorSession.api.feedback.remove({ items: [toItemVersion(answeredRow)] });
  const restoredRow = await editorSession.api.feedback.restore({ entry: firstEntry?.id ?? '', state: 'before', version: null });
  expect(restoredRow).toMatchObject({ processed: true, replies: [{ content: 'Thanks' }], version: answeredRow.version + 1 });
});

test('a person with read permission changes nothing', async () => {
  const row = await insertFeedback('hands off');
  const items = [row];
  const attempts = [
    () => analystSession.api.feedback.process({ items }),
    () => analystSession.api.feedback.reopen({ items }),
    () => analystSession.api.feedback.remove({ items }),
    () => analystSession.api.feedback.reply({ ...row, content: 'x', processed: true }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const operatorSession = await signInAs(app, 'operator');
  await expect(operatorSession.api.feedback.list({ ...page, filter: {} })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await readFeedback(row.id)).toMatchObject({ version: 1, processed: false });
  expect((await send(app, 'POST', '/api/feedback/list', { ...page, filter: {} })).status).toBe(401);
});
