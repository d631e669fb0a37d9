import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { pictures } from '../platform/content/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { feedbackPictures } from '../feedback/tables.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { sweepPictures } from './picture-sweep.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

const dayMs = 86_400_000;
let app: TestApp;
let editorSession: TestSession;
let folder: string;
beforeAll(async () => {
  app = await createTestApp({ PICTURES_KEEP_DAYS: '45' }, { jobs: false });
  folder = join(app.config.dataDir, 'pictures');
});
// Sessions end within the simulated days.
beforeEach(async () => {
  editorSession = await signInAs(app, 'editor');
});

let shadeIndex = 0;
async function addPicture(): Promise<{ id: string; url: string; bytes: Buffer }> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: ++shadeIndex, g: 1, b: 2 } } })
    .png()
    .toBuffer();
  return { ...(await sendFeedback(bytes)), bytes };
}
const sendFeedback = (bytes: Buffer) =>
  editorSession.api.pictures.add({ file: new File([new Uint8Array(bytes)], 'x.png', { type: 'image/png' }) });

const createServices = (externalServices = openExternalServices(app.config)) => ({
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...externalServices,
});
/** Files get the age of their rows. */
async function sweepAfterDays(days: number, services = createServices()) {
  app.clock.now += days * dayMs;
  const cutoff = new Date(app.clock.now - 46 * dayMs);
  const rows = new Map((await app.database.db.select().from(pictures)).map(({ id, sentAt }) => [id, sentAt]));
  for (const name of await readdir(folder)) {
    const fileTime = rows.get(name.replace('.webp', '')) ?? cutoff;
    await utimes(join(folder, name), fileTime, fileTime);
  }
  await app.database.pool.query(`delete from rate_limits where key = 'picture sweep'`);
  await sweepPictures(services);
}
async function readExistence(id: string) {
  const { rows } = await app.database.pool.query('select 1 from pictures where id = $1', [id]);
  return { row: rows.length, file: (await readdir(folder)).includes(`${id}.webp`) ? 1 : 0 };
}
const [keptState, deletedState] = [
  { row: 1, file: 1 },
  { row: 0, file: 0 },
];

test('an unreferenced picture is deleted with its file after its days, not before', async () => {
  const { id } = await addPicture();
  await sweepAfterDays(44);
  expect(await readExistence(id)).toEqual(keptState);
  await sweepAfterDays(2);
  expect(await readExistence(id)).toEqual(deletedState);
});

test('pictures referenced by a record, feedback or any table stay', async () => {
  const [news, visitorPicture, otherPicture] = [await addPicture(), await addPicture(), await addPicture()];
  await editorSession.api.news.add(build.newsFields({ image: news.url }));
  const { id } = await createStore(app.database.db).feedback({ createdAt: new Date(app.clock.now) });
  await app.database.db.insert(feedbackPictures).values({ feedbackId: id, position: 0, pictureId: visitorPicture.id });
  await app.database.pool.query('create table banners (note text)');
  await app.database.pool.query('insert into banners values ($1)', [
    `see ${otherPicture.url.replace('http://localhost', 'https://elsewhere')}`,
  ]);
  await sweepAfterDays(400);
  for (const picture of [news, visitorPicture, otherPicture]) expect(await readExistence(picture.id)).toEqual(keptState);
});

test('a picture referenced only in the history stays', async () => {
  const [firstPicture, secondPicture, deletedPicture] = [await addPicture(), await addPicture(), await addPicture()];
  const item = await editorSession.api.news.add(build.newsFields({ image: firstPicture.url }));
  await editorSession.api.news.edit({ ...build.newsFields({ image: secondPicture.url }), id: item.id, version: item.version });
  const otherNews = await editorSession.api.news.add(build.newsFields({ image: deletedPicture.url }));
  await editorSession.api.news.remove({ items: [{ id: otherNews.id, version: otherNews.version }] });
  await sweepAfterDays(400);
  for (const picture of [firstPicture, secondPicture, deletedPicture]) expect(await readExistence(picture.id)).toEqual(keptState);
});

test('an old picture that is sent again counts as new', async () => {
  const { id, bytes } = await addPicture();
  app.clock.now += 44 * dayMs;
  editorSession = await signInAs(app, 'editor');
  expect((await sendFeedback(bytes)).id).toBe(id);
  await sweepAfterDays(10);
  expect(await readExistence(id)).toEqual(keptState);
  await sweepAfterDays(36);
  expect(await readExistence(id)).toEqual(deletedState);
  editorSession = await signInAs(app, 'editor');
  expect(await readExistence((await sendFeedback(bytes)).id)).toEqual(keptState);
});

test('a picture sent again during the sweep keeps row and file', async () => {
  for (let round = 0; round < 8; round++) {
    editorSession = await signInAs(app, 'editor');
    const { bytes } = await addPicture();
    app.clock.now += 46 * dayMs;
    editorSession = await signInAs(app, 'editor');
    const [, sendResponse] = await Promise.all([sweepAfterDays(0), sendFeedback(bytes)]);
    expect(await readExistence(sendResponse.id)).toEqual(keptState);
  }
});

test('leftovers of a crash between file and row are removed', async () => {
  // Before the row is written, only the file exists; half written, it has another name.
  const orphanId = newId();
  await writeFile(join(folder, `${orphanId}.webp`), 'x');
  await writeFile(join(folder, `.${orphanId}.tmp`), 'x');
  await writeFile(join(folder, 'README'), 'not ours');
  await sweepPictures(createServices());
  expect(await readdir(folder)).toContain(`${orphanId}.webp`); // an upload may be writing it
  // Between deletion of row and file.
  editorSession = await signInAs(app, 'editor');
  const { id } = await addPicture();
  const externalServices = openExternalServices(app.config);
  const failingServices = {
    ...externalServices,
    pictures: { ...externalServices.pictures, remove: () => Promise.reject(new Error('the process dies here')) },
  };
  await expect(sweepAfterDays(46, createServices(failingServices))).rejects.toThrow('dies here');
  expect((await readExistence(id)).row).toBe(0);
  await sweepPictures(createServices()); // a failure does not use up the day
  expect(await readExistence(id)).toEqual(deletedState);
  await sweepAfterDays(46);
  const left = await readdir(folder);
  expect(await readExistence(id)).toEqual(deletedState);
  expect(left.filter((name) => name.includes(orphanId))).toEqual([]);
  expect(left).toContain('README');
});

test('the sweep runs once a day in one process, and not at all if disabled', async () => {
  editorSession = await signInAs(app, 'editor');
  const { id } = await addPicture();
  app.clock.now += 46 * dayMs;
  await Promise.all([1, 2, 3].map(() => sweepPictures(createServices())));
  expect((await readExistence(id)).row).toBe(0);
  const servicesWithoutExpiry = { ...createServices(), config: { ...app.config, picturesKeepDays: 0 } };
  editorSession = await signInAs(app, 'editor');
  const otherPicture = await addPicture();
  app.clock.now += 4000 * dayMs;
  await sweepPictures(servicesWithoutExpiry);
  expect(await readExistence(otherPicture.id)).toEqual(keptState);
});
