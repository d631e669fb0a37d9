import { randomUUID } from 'node:crypto';
import { and, eq, getTableColumns, inArray } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewsRow } from '../../api/news/contract.ts';
import type { NewsJoin, NewsJoinChoices } from '../../api/news/join.ts';
import type { Permission } from '../../api/names.ts';
import { isOneQueryWaiting } from '../testing/process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { feedItems, news } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, permissionNodes, roleNodes, sessions } from '../platform/auth/tables.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  editor = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const ownValues: NewsJoinChoices = { kept: 'zh-CN', links: 'both', image: 'zh-CN', period: 'zh-CN' };
const joinInput = (one: NewsRow, other: NewsRow, choices: Partial<NewsJoinChoices> = {}): NewsJoin => ({
  ...ownValues,
  ...choices,
  items: [item(one), item(other)],
});

type Fields = Parameters<typeof build.newsFields>[0];
const addPair = async (zh: Fields = {}, en: Fields = {}) => ({
  zh: await editor.api.news.add(
    build.newsFields({
      title: '主网上线',
      description: '今天',
      link: 'https://a.example/zh',
      image: 'https://a.example/zh.png',
      ...zh,
    }),
  ),
  en: await editor.api.news.add(
    build.newsFields({
      title: 'Mainnet is live',
      description: 'Today',
      link: 'https://a.example/en',
      image: 'https://a.example/en.png',
      time: '2026-01-03T00:00:00.000Z',
      ...en,
    }),
  ),
});
const show = async (row: NewsRow) => {
  const [shown] = (await editor.api.news.show({ items: [item(row)] })).done;
  return shown ?? row;
};
const stored = async () => (await app.database.db.select().from(news)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
const contentOf = (rows: Awaited<ReturnType<typeof stored>>) => rows.map((row) => ({ ...row, version: null, updatedAt: null }));
const lastEntries = async (ids: string[]) =>
  (await app.database.db.select().from(audit).where(inArray(audit.entityId, ids)).orderBy(audit.seq)).slice(-2);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    ({ code, data }: { code: string; data?: { reason?: string; issues?: { path: string }[] } }) =>
      [code, data?.reason ?? data?.issues?.[0]?.path].filter(Boolean).join(' '),
  );

describe('joining news items', () => {
  test('the kept item keeps its ID, link, time and status, and gets the other text as its translation', async () => {
    const { zh, en } = await addPair();
    const shown = await show(zh);
    const joined = await editor.api.news.join(joinInput(shown, en));
    expect(joined).toEqual({
      ...shown,
      version: shown.version + 1,
      updatedAt: joined.updatedAt,
      language: 'zh-CN',
      translatedTitle: en.title,
      translatedDescription: en.description,
      translatedLink: en.link,
    });
    expect(await editor.api.news.many({ ids: [zh.id, en.id] })).toEqual([joined]);
    const rowsIn = async (language: string) =>
      (
        (await (await app.http.fetch(new Request(`http://localhost/public/news?language=${language}`), peer)).json()) as {
          rows: object[];
        }
      ).rows;
    expect(await rowsIn('zh')).toMatchObject([{ id: zh.id, title: zh.title, link: zh.link }]);
    expect(await rowsIn('en')).toMatchObject([{ id: zh.id, title: en.title, link: en.link }]);
  });

  test('takes image and period from the chosen item, and one link for both texts', async () => {
    const { zh, en } = await addPair(
      { startsAt: '2026-01-01T00:00:00.000Z' },
      { startsAt: '2026-02-01T00:00:00.000Z', endsAt: '2026-03-01T00:00:00.000Z' },
    );
    const joined = await editor.api.news.join(
      joinInput(en, zh, { kept: 'en-US', links: 'kept', image: 'zh-CN', period: 'zh-CN' }),
    );
    expect(joined).toMatchObject({
      id: en.id,
      title: en.title,
      link: en.link,
      time: en.time,
      language: 'en-US',
      translatedTitle: zh.title,
      translatedLink: null,
      image: zh.image,
      startsAt: zh.startsAt,
      endsAt: null,
    });
  });

  test('stores no translated link if both items have the same link', async () => {
    const { zh, en } = await addPair({}, { link: 'https://a.example/zh' });
    expect(await editor.api.news.join(joinInput(zh, en))).toMatchObject({ translatedLink: null });
  });

  test('records the join for both items, and the bin has the other item', async () => {
    const { zh, en } = await addPair();
    const joined = await editor.api.news.join(joinInput(zh, en));
    const [kept, deleted] = await lastEntries([zh.id, en.id]);
    expect(kept).toMatchObject({ entityId: zh.id, action: 'join', permission: 'news.edit', actorEmail: 'editor@demo.local' });
    expect(JSON.parse(kept?.before ?? '')).toEqual(zh);
    expect(JSON.parse(kept?.after ?? '')).toEqual({ ...joined, joined: { id: en.id, title: en.title, ...ownValues } });
    expect(deleted).toMatchObject({ entityId: en.id, action: 'join', after: null, requestId: kept?.requestId });
    expect(JSON.parse(deleted?.before ?? '')).toMatchObject({ ...en, joinedInto: zh.id });
    const { versions } = await editor.api.news.bin({});
    expect(versions[0]).toMatchObject({ recordId: en.id, record: { title: en.title } });
  });

  test('undo restores every column of both items except version and update time, and can itself be undone', async () => {
    const { zh, en } = await addPair(
      { language: 'zh-CN', startsAt: '2026-01-01T00:00:00.000Z' },
      { language: 'en-US', endsAt: '2027-01-01T00:00:00.000Z' },
    );
    await show(zh);
    await show(en);
    const identity = { feedItemId: randomUUID(), importedLink: 'https://feed.example/en' };
    await app.database.db.update(news).set(identity).where(eq(news.id, en.id));
    const before = await stored();
    // A join refuses translated items. Every other column must be filled, so that the comparison below covers it.
    const empty = Object.entries(getTableColumns(news))
      .filter(([name, { default: initial }]) =>
        before.every((row) => [null, '', initial].includes(row[name as keyof typeof row] as string | null)),
      )
      .map(([name]) => name);
    expect(empty).toEqual(['translatedTitle', 'translatedDescription', 'translatedLink']);
    const [a, b] = await editor.api.news.many({ ids: [zh.id, en.id] });
    if (!a || !b) throw new Error('the pair is missing');
    for (const choices of [ownValues, { kept: 'en-US', links: 'kept', image: 'zh-CN', period: 'zh-CN' } as const]) {
      const [one, other] = await editor.api.news.many({ ids: [zh.id, en.id] });
      if (!one || !other) throw new Error('the pair is missing');
      const joined = await editor.api.news.join(joinInput(one, other, choices));
      const undone = await editor.api.news.undoJoin(item(joined));
      expect(undone.choices).toEqual(choices);
      expect(contentOf(await stored())).toEqual(contentOf(before));
      expect(undone.row.version).toBe(joined.version + 1);
      const versions = Object.fromEntries([one, other].map(({ id, version }) => [id, version]));
      expect(undone.restored.version).toBe((versions[undone.restored.id] ?? 0) + 1);
      const [row, back] = await lastEntries([zh.id, en.id]);
      expect([row?.action, back?.action, back?.before]).toEqual(['undoJoin', 'undoJoin', null]);
      expect((await editor.api.news.bin({})).versions.map(({ recordId }) => recordId)).not.toContain(undone.restored.id);
    }
  });

  test('refuses pairs that are not one Chinese and one English item without a translation, and changes nothing', async () => {
    const { zh, en } = await addPair();
    const { zh: second } = await addPair({ title: '第二条' });
    const bilingual = await editor.api.news.add(
      build.newsFields({ title: '双语', translatedTitle: 'Bilingual', translatedDescription: 'd' }),
    );
    const before = await stored();
    expect(await codeOf(editor.api.news.join(joinInput(zh, second)))).toBe('JOIN_REFUSED sameLanguage');
    expect(await codeOf(editor.api.news.join(joinInput(bilingual, en)))).toBe('JOIN_REFUSED translated');
    expect(await codeOf(editor.api.news.join(joinInput(en, bilingual)))).toBe('JOIN_REFUSED translated');
    expect(await codeOf(editor.api.news.join(joinInput(zh, zh)))).toBe('BAD_REQUEST items');
    expect(await codeOf(editor.api.news.join(joinInput(zh, { ...zh, id: zh.id.toUpperCase() })))).toBe('BAD_REQUEST items');
    expect(await codeOf(editor.api.news.join({ ...ownValues, items: [item(zh)] }))).toBe('BAD_REQUEST items');
    expect(await codeOf(editor.api.news.join({ ...ownValues, items: [zh, en, second].map(item) }))).toBe('BAD_REQUEST items');
    expect(await stored()).toEqual(before);
  });

  test('refuses a stale version of either item, a deleted item and a second join', async () => {
    const { zh, en } = await addPair();
    await editor.api.news.edit({ ...build.newsFields({ title: '改名' }), ...item(zh) });
    expect(await codeOf(editor.api.news.join(joinInput(zh, en)))).toBe('CONFLICT');
    expect(await codeOf(editor.api.news.join(joinInput(en, zh)))).toBe('CONFLICT');
    const [current] = await editor.api.news.many({ ids: [zh.id] });
    if (!current) throw new Error('the item is missing');
    const joined = await editor.api.news.join(joinInput(current, en));
    expect(await codeOf(editor.api.news.join(joinInput(current, en)))).toMatch(/CONFLICT|NOT_FOUND/);
    expect(await codeOf(editor.api.news.join(joinInput(joined, en)))).toBe('NOT_FOUND');
  });

  test('joins once when the same request arrives several times together', async () => {
    const { zh, en } = await addPair();
    const sent = await Promise.all(
      Array.from({ length: 6 }, () =>
        createApi(app, { ...editor.headers, 'idempotency-key': 'double-click-of-the-join' })
          .news.join(joinInput(zh, en))
          .then(({ version }) => version, codeFrom),
      ),
    );
    expect(new Set(sent.filter((one) => one !== 'IN_PROGRESS'))).toEqual(new Set([2]));
    const { zh: third, en: fourth } = await addPair();
    const unkeyed = await Promise.all(Array.from({ length: 6 }, () => codeOf(editor.api.news.join(joinInput(third, fourth)))));
    expect(unkeyed.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(unkeyed.filter((code) => !/accepted|CONFLICT|NOT_FOUND/.test(code))).toEqual([]);
  });
  const codeFrom = ({ code }: { code: string }) => code;
  const peer = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

  test('refuses to undo after either item changed, and after a second press', async () => {
    const undoAfter = async (change: (joined: NewsRow, other: NewsRow) => Promise<unknown>) => {
      const { zh, en } = await addPair();
      const joined = await editor.api.news.join(joinInput(zh, en));
      await change(joined, en);
      const [current] = await editor.api.news.many({ ids: [zh.id] });
      const before = await stored();
      const codes = [
        await codeOf(editor.api.news.undoJoin(item(joined))),
        current ? await codeOf(editor.api.news.undoJoin(item(current))) : '',
      ];
      expect(await stored()).toEqual(before);
      return codes;
    };
    expect(
      await undoAfter((joined) => editor.api.news.edit({ ...build.newsFields({ title: '改名' }), ...item(joined) })),
    ).toEqual(['CONFLICT', 'JOIN_REFUSED notJoined']);
    expect(await undoAfter((joined) => editor.api.news.undoJoin(item(joined)))).toEqual(['CONFLICT', 'JOIN_REFUSED notJoined']);
    expect(await undoAfter((joined) => editor.api.news.remove({ items: [item(joined)] }))).toEqual(['NOT_FOUND', '']);
    const restoreOther = async (other: NewsRow) => {
      const { versions } = await editor.api.news.bin({});
      const [entry = ''] = versions.find(({ recordId }) => recordId === other.id)?.id.split(':') ?? [];
      return editor.api.news.restore({ entry, state: 'before', version: null });
    };
    expect(await undoAfter((_, other) => restoreOther(other))).toEqual(['JOIN_REFUSED notJoined', 'JOIN_REFUSED notJoined']);
    expect(await undoAfter(async (_, other) => editor.api.news.remove({ items: [item(await restoreOther(other))] }))).toEqual([
      'JOIN_REFUSED notJoined',
      'JOIN_REFUSED notJoined',
    ]);
  });

  test('refuses to undo what was written as a translation, and a join whose feed item was imported again', async () => {
    const bilingual = await editor.api.news.add(
      build.newsFields({ title: '双语', translatedTitle: 'Bilingual', translatedDescription: 'd' }),
    );
    expect(await codeOf(editor.api.news.undoJoin(item(bilingual)))).toBe('JOIN_REFUSED notJoined');
    const { zh, en } = await addPair();
    await app.database.db.update(news).set({ importedLink: 'https://feed.example/again' }).where(eq(news.id, en.id));
    const joined = await editor.api.news.join(joinInput(zh, en));
    await createStore(app.database.db).news({ importedLink: 'https://feed.example/again' });
    const before = await stored();
    expect(await codeOf(editor.api.news.undoJoin(item(joined)))).toBe('JOIN_REFUSED importedAgain');
    expect(await stored()).toEqual(before);
  });

  const nodeOf = async (permission: Permission) => {
    const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, permission));
    return node?.id ?? '';
  };

  /** The role of the demo editor without `permission`, until `work` ends. */
  async function withoutRight(permission: Permission, work: () => Promise<void>): Promise<void> {
    const node = await nodeOf(permission);
    const removed = await app.database.db.delete(roleNodes).where(eq(roleNodes.nodeId, node)).returning();
    try {
      await work();
    } finally {
      await app.database.db.insert(roleNodes).values(removed);
    }
  }

  test('a join needs the permission to delete, and its undo the permissions to restore and, for a shown item, to show', async () => {
    const { zh, en } = await addPair();
    const shown = await show(en);
    await withoutRight('news.delete', async () => {
      expect(await codeOf(editor.api.news.join(joinInput(zh, shown)))).toBe('FORBIDDEN');
    });
    const [refused] = await app.database.db
      .select()
      .from(audit)
      .where(and(eq(audit.result, 'refused'), eq(audit.route, 'news.join')));
    expect(refused).toMatchObject({ actorEmail: 'editor@demo.local', entity: 'news' });
    const joined = await editor.api.news.join(joinInput(zh, shown));
    for (const permission of ['news.restore', 'news.show', 'news.edit'] as const)
      await withoutRight(permission, async () => {
        expect(await codeOf(editor.api.news.undoJoin(item(joined))), permission).toBe('FORBIDDEN');
      });
    expect((await editor.api.news.undoJoin(item(joined))).restored.shown).toBe(true);
  });

  test('a join commits nothing if the permission to delete is revoked while it waits', async () => {
    const { zh, en } = await addPair();
    const before = await stored();
    const node = await nodeOf('news.delete');
    const blocker = await app.database.pool.connect();
    let removed: (typeof roleNodes.$inferSelect)[] = [];
    try {
      await blocker.query('begin');
      await blocker.query('select 1 from news where id = $1 for update', [en.id]);
      const join = codeOf(editor.api.news.join(joinInput(zh, en)));
      await isOneQueryWaiting(app.database);
      removed = await app.database.db.delete(roleNodes).where(eq(roleNodes.nodeId, node)).returning();
      await blocker.query('commit');
      expect(await join).toBe('FORBIDDEN');
      expect(await stored()).toEqual(before);
    } finally {
      blocker.release();
      if (removed.length > 0) await app.database.db.insert(roleNodes).values(removed);
    }
  });

  test('asks for a fresh second factor only when the website changes', async () => {
    const { db } = app.database;
    const passer = await signInAs(app, 'editor');
    const { zh, en } = await addPair();
    const [person] = await db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
    if (!person) throw new Error('there is no demo editor');
    await db.update(administrators).set({ totpSecret: 'JBSWY3DPEHPK3PXP' }).where(eq(administrators.id, person.id));
    const setFactorAt = (factorAt: Date | null) =>
      db.update(sessions).set({ factorAt }).where(eq(sessions.administratorId, person.id));
    try {
      await setFactorAt(null);
      const hidden = await passer.api.news.join(joinInput(zh, en));
      await passer.api.news.undoJoin(item(hidden));
      await setFactorAt(new Date(app.clock.now));
      const [first, second] = await passer.api.news.many({ ids: [zh.id, en.id] });
      if (!first || !second) throw new Error('the pair is missing');
      const shown = await show(first);
      await setFactorAt(null);
      expect(await codeOf(passer.api.news.join(joinInput(shown, second)))).toBe('FACTOR_STALE');
      await setFactorAt(new Date(app.clock.now));
      const joined = await passer.api.news.join(joinInput(shown, second));
      await setFactorAt(null);
      expect(await codeOf(passer.api.news.undoJoin(item(joined)))).toBe('FACTOR_STALE');
    } finally {
      await db.update(administrators).set({ totpSecret: null }).where(eq(administrators.id, person.id));
      await setFactorAt(null);
    }
  });

  test('a join never leaves a shown news item without an image', async () => {
    const { zh, en } = await addPair();
    await app.database.db.update(news).set({ image: null }).where(eq(news.id, en.id));
    const shown = await show(zh);
    expect(await codeOf(editor.api.news.join(joinInput(shown, en, { image: 'en-US' })))).toBe('INCOMPLETE');
    expect(await editor.api.news.join(joinInput(shown, en, { image: 'zh-CN' }))).toMatchObject({ image: zh.image, shown: true });
  });

  test('a feed does not import a post again after its news item was joined', async () => {
    await app.database.db.delete(feedItems);
    const { zh, en } = await addPair();
    await editor.api.news.join(joinInput(zh, en));
    const { known } = await editor.api.news.import({ ids: [await feedItemOf(en)] });
    expect(known).toBe(1);
    expect(await stored()).toHaveLength(1);
  });

  async function feedItemOf({ title, description, link }: NewsRow): Promise<string> {
    const id = randomUUID();
    const now = new Date(app.clock.now);
    await app.database.db
      .insert(feedItems)
      .values({ id, feed: 'https://feed.example/', guid: id, title, description, link, image: null, time: now, fetchedAt: now });
    return id;
  }
});
