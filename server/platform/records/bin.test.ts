import { beforeAll, expect, test } from 'vitest';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../../testing/support.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  editor = await signInAs(app, 'editor');
});

const newsFields = (title: string) => ({
  title,
  description: 'd',
  image: 'https://example.com/a.png',
  time: '2026-01-01T00:00:00.000Z',
  link: 'https://example.com/',
});
const toItemVersion = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readBin = async (fromEntry?: number) => {
  const { versions, next: nextEntry } = await editor.api.news.bin(fromEntry === undefined ? {} : { from: fromEntry });
  return { titles: versions.map(({ record }) => record['title']), versions, next: nextEntry };
};

test('shows deleted records with who deleted them and when, and an editor restores them without the audit log', async () => {
  expect((await readBin()).titles).toEqual([]);
  const firstItem = await editor.api.news.add(newsFields('First'));
  const secondItem = await editor.api.news.add(newsFields('Second'));
  await editor.api.news.remove({ items: [toItemVersion(firstItem)] });
  await editor.api.news.remove({ items: [toItemVersion(secondItem)] });
  const bin = await readBin();
  expect(bin.titles).toEqual(['Second', 'First']);
  expect(bin.versions[1]).toMatchObject({
    actorEmail: 'editor@demo.local',
    entity: 'news',
    recordId: firstItem.id,
    current: null,
  });
  expect(Date.parse(bin.versions[1]?.at ?? '')).toBeGreaterThan(0);

  const [entry = ''] = bin.versions[1]?.id.split(':') ?? [];
  const restoredItem = await editor.api.news.restore({ entry, state: 'before', version: null });
  expect(restoredItem).toMatchObject({ id: firstItem.id, title: 'First', shown: false });
  expect((await readBin()).titles).toEqual(['Second']);
  await expect(editor.api.news.restore({ entry, state: 'before', version: null })).rejects.toMatchObject({ code: 'CONFLICT' });

  // Deleted again: in the bin once, by its last deletion.
  await editor.api.news.remove({ items: [toItemVersion(restoredItem)] });
  expect((await readBin()).titles).toEqual(['First', 'Second']);
});

test('goes on where a page ended, and needs the screen of the list', async () => {
  for (let n = 0; n < 32; n++)
    await editor.api.news.remove({ items: [toItemVersion(await editor.api.news.add(newsFields(`Row ${n}`)))] });
  const { titles: page, next: nextEntry } = await readBin();
  expect(page).toHaveLength(30);
  expect(page[0]).toBe('Row 31');
  expect((await readBin(nextEntry ?? undefined)).titles.slice(0, 2)).toEqual(['Row 1', 'Row 0']);
  const accessSession = await signInAs(app, 'access');
  await expect(accessSession.api.news.bin({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const analystSession = await signInAs(app, 'analyst');
  const { versions } = await analystSession.api.news.bin({});
  const [entry = ''] = versions[0]?.id.split(':') ?? [];
  await expect(analystSession.api.news.restore({ entry, state: 'before', version: null })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('holds deleted notices, and feedback from the website', async () => {
  const { id } = await app.database.pool
    .query<{ id: string }>(
      `insert into feedback (id, email, content, processed, created_at, updated_at, version)
       values (gen_random_uuid(), 'a@example.com', 'Help', false, now(), now(), 1) returning id`,
    )
    .then(({ rows: [row] }) => row ?? { id: '' });
  await editor.api.feedback.remove({ items: [{ id, version: 1 }] });
  const { versions } = await editor.api.feedback.bin({});
  expect(versions).toMatchObject([{ recordId: id, record: { content: 'Help' }, actorEmail: 'editor@demo.local' }]);
  const [entry = ''] = versions[0]?.id.split(':') ?? [];
  await editor.api.feedback.restore({ entry, state: 'before', version: null });
  expect((await editor.api.feedback.bin({})).versions).toEqual([]);
});
