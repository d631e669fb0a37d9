import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { pictures } from '../platform/content/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { feedbackPictures } from '../feedback/tables.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { sweepPictures } from './picture-sweep.ts';
import { build } from '../../testing/factories/build.ts';
import { storeIn } from '../../testing/factories/store.ts';

const dayMs = 86_400_000;
let app: TestApp;
let editor: TestSession;
let folder: string;
beforeAll(async () => {
  app = await testApp({ PICTURES_KEEP_DAYS: '45' }, { jobs: false });
  folder = join(app.config.dataDir, 'pictures');
});
// Sessions end within the simulated days.
beforeEach(async () => {
  editor = await signInAs(app, 'editor');
});

let shade = 0;
async function add(): Promise<{ id: string; url: string; bytes: Buffer }> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: ++shade, g: 1, b: 2 } } })
    .png()
    .toBuffer();
  return { ...(await send(bytes)), bytes };
}
const send = (bytes: Buffer) =>
  editor.api.pictures.add({ file: new File([new Uint8Array(bytes)], 'x.png', { type: 'image/png' }) });

const services = (outside = openExternalServices(app.config)) => ({
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...outside,
});
/** Files get the age of their rows. */
async function sweepAfter(days: number, work = services()) {
  app.clock.now += days * dayMs;
  const cutoff = new Date(app.clock.now - 46 * dayMs);
  const rows = new Map((await app.database.db.select().from(pictures)).map(({ id, sentAt }) => [id, sentAt]));
  for (const name of await readdir(folder)) {
    const at = rows.get(name.replace('.webp', '')) ?? cutoff;
    await utimes(join(folder, name), at, at);
  }
  await app.database.pool.query(`delete from rate_limits where key = 'picture sweep'`);
  await sweepPictures(work);
}
async function there(id: string) {
  const { rows } = await app.database.pool.query('select 1 from pictures where id = $1', [id]);
  return { row: rows.length, file: (await readdir(folder)).includes(`${id}.webp`) ? 1 : 0 };
}
const [kept, gone] = [
  { row: 1, file: 1 },
  { row: 0, file: 0 },
];

test('an unreferenced picture is deleted with its file after its days, not before', async () => {
  const { id } = await add();
  await sweepAfter(44);
  expect(await there(id)).toEqual(kept);
  await sweepAfter(2);
  expect(await there(id)).toEqual(gone);
});

test('pictures referenced by a record, feedback or any table stay', async () => {
  const [news, visitor, other] = [await add(), await add(), await add()];
  await editor.api.news.add(build.newsFields({ image: news.url }));
  const { id } = await storeIn(app.database.db).feedback({ createdAt: new Date(app.clock.now) });
  await app.database.db.insert(feedbackPictures).values({ feedbackId: id, position: 0, pictureId: visitor.id });
  await app.database.pool.query('create table banners (note text)');
  await app.database.pool.query('insert into banners values ($1)', [
    `see ${other.url.replace('http://localhost', 'https://elsewhere')}`,
  ]);
  await sweepAfter(400);
  for (const one of [news, visitor, other]) expect(await there(one.id)).toEqual(kept);
});

test('a picture referenced only in the history stays', async () => {
  const [first, second, deleted] = [await add(), await add(), await add()];
  const item = await editor.api.news.add(build.newsFields({ image: first.url }));
  await editor.api.news.edit({ ...build.newsFields({ image: second.url }), id: item.id, version: item.version });
  const other = await editor.api.news.add(build.newsFields({ image: deleted.url }));
  await editor.api.news.remove({ items: [{ id: other.id, version: other.version }] });
  await sweepAfter(400);
  for (const one of [first, second, deleted]) expect(await there(one.id)).toEqual(kept);
});

test('an old picture that is sent again counts as new', async () => {
  const { id, bytes } = await add();
  app.clock.now += 44 * dayMs;
  editor = await signInAs(app, 'editor');
  expect((await send(bytes)).id).toBe(id);
  await sweepAfter(10);
  expect(await there(id)).toEqual(kept);
  await sweepAfter(36);
  expect(await there(id)).toEqual(gone);
  editor = await signInAs(app, 'editor');
  expect(await there((await send(bytes)).id)).toEqual(kept);
});

test('a picture sent again during the sweep keeps row and file', async () => {
  for (let round = 0; round < 8; round++) {
    editor = await signInAs(app, 'editor');
    const { bytes } = await add();
    app.clock.now += 46 * dayMs;
    editor = await signInAs(app, 'editor');
    const [, sent] = await Promise.all([sweepAfter(0), send(bytes)]);
    expect(await there(sent.id)).toEqual(kept);
  }
});

test('leftovers of a crash between file and row are removed', async () => {
  // Before the row is written, only the file exists; half written, it has another name.
  const lone = newId();
  await writeFile(join(folder, `${lone}.webp`), 'x');
  await writeFile(join(folder, `.${lone}.tmp`), 'x');
  await writeFile(join(folder, 'README'), 'not ours');
  await sweepPictures(services());
  expect(await readdir(folder)).toContain(`${lone}.webp`); // an upload may be writing it
  // Between deletion of row and file.
  editor = await signInAs(app, 'editor');
  const { id } = await add();
  const outside = openExternalServices(app.config);
  const dies = {
    ...outside,
    pictures: { ...outside.pictures, remove: () => Promise.reject(new Error('the process dies here')) },
  };
  await expect(sweepAfter(46, services(dies))).rejects.toThrow('dies here');
  expect((await there(id)).row).toBe(0);
  await sweepPictures(services()); // a failure does not use up the day
  expect(await there(id)).toEqual(gone);
  await sweepAfter(46);
  const left = await readdir(folder);
  expect(await there(id)).toEqual(gone);
  expect(left.filter((name) => name.includes(lone))).toEqual([]);
  expect(left).toContain('README');
});

test('the sweep runs once a day in one process, and not at all if disabled', async () => {
  editor = await signInAs(app, 'editor');
  const { id } = await add();
  app.clock.now += 46 * dayMs;
  await Promise.all([1, 2, 3].map(() => sweepPictures(services())));
  expect((await there(id)).row).toBe(0);
  const never = { ...services(), config: { ...app.config, picturesKeepDays: 0 } };
  editor = await signInAs(app, 'editor');
  const other = await add();
  app.clock.now += 4000 * dayMs;
  await sweepPictures(never);
  expect(await there(other.id)).toEqual(kept);
});
