import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditFilter, AuditRow } from '../../api/audit/contract.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { verifyExport } from '../platform/audit/verify.ts';
import { readCsv } from '../platform/core/csv.ts';
import { newId } from '../platform/core/ids.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { send, signInAs, createTestApp } from '../testing/support.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

const app = await createTestApp();
const { api, headers } = await signInAs(app, 'all', { 'x-command': 'news.open' });
const editorSession = await signInAs(app, 'editor');
const analystSession = await signInAs(app, 'analyst');

const item = (title: string) => build.newsFields({ title });
const listPage = (filter: AuditFilter, direction: 'asc' | 'desc' = 'desc', cursor: string | null = null, limit = 200) =>
  api.audit.list({ sort: 'time', direction, filter, cursor, limit });

async function listAll(filter: AuditFilter): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  let cursor: string | null = null;
  do {
    const pageResult: Awaited<ReturnType<typeof listPage>> = await listPage(filter, 'asc', cursor, 7);
    rows.push(...pageResult.rows);
    cursor = pageResult.nextCursor;
  } while (cursor !== null);
  return rows;
}

async function exportAudit(filter: AuditFilter) {
  const { id, rows } = await api.audit.export(filter);
  const exportResponse = await send(app, 'GET', `/api/audit/export/${id}`, undefined, headers);
  expect(exportResponse.status).toBe(200);
  const bytes = new Uint8Array(await exportResponse.arrayBuffer());
  const [names = [], ...records] = await parseCsv(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  return {
    id,
    rows,
    bytes,
    answer: exportResponse,
    records: records.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))),
  };
}

async function parseCsv(text: string): Promise<string[][]> {
  async function* yieldOnce() {
    yield text;
  }
  const records = [];
  for await (const record of readCsv(yieldOnce())) records.push(record);
  return records;
}

describe('the audit list', () => {
  test('shows a sign-in, a write and a refusal', async () => {
    const row = await api.news.add(item('listed'));
    await expect(
      editorSession.api.audit.list({ sort: 'time', direction: 'desc', filter: {}, cursor: null, limit: 10 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const [refusedEntry] = (await listPage({ result: 'refused' })).rows;
    expect((await listPage({ result: 'refused', entityId: `!${newId()}` })).rows).toContainEqual(refusedEntry);
    expect(refusedEntry).toMatchObject({
      actorEmail: 'editor@demo.local',
      route: 'audit.list',
      command: null,
      entity: 'audit',
      name: null,
    });
    const [addedEntry] = (await listPage({ entity: 'news', entityId: row.id })).rows;
    expect(addedEntry).toMatchObject({
      actorEmail: 'admin@demo.local',
      route: 'news.add',
      command: null,
      action: 'add',
      name: 'listed',
      result: 'done',
      ip: '127.0.0.1',
    });
    expect((await listPage({ what: 'news.open' })).rows).toEqual([]);
    expect((await listPage({ what: 'news.add', entityId: row.id })).rows).toEqual([addedEntry]);
    expect((await listPage({ what: 'session.signIn', actor: 'analyst@demo.local' })).rows).toHaveLength(1);
  });

  test('names a mint after its deposit, in the list and alone', async () => {
    const { db } = app.database;
    const { id, userAddress } = await createStore(db).deposit();
    await recordSystemAudit(db, { now: Date.now }, { entity: 'mint', id, action: 'signed', after: { nonce: 1 } });
    const [entry] = (await listPage({ entity: 'mint', entityId: id })).rows;
    expect(entry).toMatchObject({ route: 'server', name: userAddress });
    expect(await api.audit.many({ ids: [entry?.id ?? ''] })).toEqual([entry]);
    expect(await api.audit.details({ id: entry?.id ?? '' })).toMatchObject({ name: userAddress, after: { nonce: 1 } });
  });

  test('can be filtered by each filter and by all of them', async () => {
    const row = await api.news.add(item('filtered'));
    const [entry] = (await listPage({ entityId: row.id })).rows;
    if (!entry) throw new Error('the write is not in the audit');
    const nextMillisecond = new Date(Date.parse(entry.at) + 1).toISOString();
    const filter = {
      actor: entry.actorEmail,
      what: entry.command ?? entry.route,
      entity: 'news',
      entityId: row.id,
      result: 'done',
      time: `${entry.at}..${nextMillisecond}`,
    } as const;
    expect((await listPage(filter)).rows).toEqual([entry]);
    const otherFilters = {
      actor: 'editor@demo.local',
      what: 'session.signIn',
      entity: 'session',
      entityId: newId(),
      result: 'refused',
      time: `${nextMillisecond}..`,
    } as const;
    for (const [name, value] of Object.entries(otherFilters)) {
      const negatedValue = name === 'time' ? `..${nextMillisecond}` : `!${value}`;
      expect((await listPage({ ...filter, [name]: negatedValue })).rows, name).toContainEqual(entry);
    }
    for (const [name, value] of Object.entries(otherFilters))
      expect((await listPage({ ...filter, [name]: value })).rows, name).toEqual([]);
  });

  test('lists a field’s values with counts within the rest of the filter', async () => {
    const readValues = async (field: 'actor' | 'entity' | 'result', filter: AuditFilter) =>
      (await api.audit.values({ field, filter })).values;
    const row = await api.news.add(item('counted'));
    expect(await readValues('entity', { entityId: row.id })).toEqual([{ value: 'news', count: 1 }]);
    expect(await readValues('result', { entityId: row.id, result: 'refused' })).toEqual([{ value: 'done', count: 1 }]);
    const totalNews = (await listAll({})).filter(({ entity }) => entity === 'news').length;
    expect(await readValues('entity', {})).toContainEqual({ value: 'news', count: totalNews });
    expect((await api.audit.values({ field: 'actor', filter: {}, part: 'ADMIN@' })).values.map(({ value }) => value)).toEqual([
      'admin@demo.local',
    ]);
  });

  test.each([
    [{ result: 'maybe' }, 'result'],
    [{ result: 'done,' }, 'result'],
    [{ time: 'last-month' }, 'time'],
    [{ time: '2026-02-30T00:00:00.000Z..' }, 'time'],
    [{ actor: 'a'.repeat(3_000) }, 'actor'],
    [{ what: Array.from({ length: 51 }, (_, index) => `a.b${index}`).join(',') }, 'what'],
  ])('refuses an invalid filter by the name of its field: %#', async (filter, field) => {
    await expect(listPage(filter)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [expect.objectContaining({ path: `filter.${field}` })] },
    });
  });

  test.each(['%', '_', '\\', "' or 1=1 --"])('takes %j for itself', async (text) => {
    const escapedText = text.replaceAll('\\', '\\\\');
    expect((await listPage({ actor: escapedText })).rows).toEqual([]);
    expect((await listPage({ what: escapedText })).rows).toEqual([]);
  });

  test('pages through every entry once', async () => {
    const allRows = (await listPage({}, 'asc')).rows;
    expect(await listAll({ time: `..${new Date(Date.parse(allRows.at(-1)?.at ?? '') + 1).toISOString()}` })).toEqual(allRows);
  });

  test('requires the screen’s permission', async () => {
    await expect(editorSession.api.audit.details({ id: newId() })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(analystSession.api.audit.details({ id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('the details show before and after, the request and the position in the chain', async () => {
  const row = await api.news.add(item('before'));
  await api.news.edit({ ...item('<script>alert(1)</script>'), id: row.id, version: row.version });
  const [entry] = (await listPage({ entityId: row.id })).rows;
  const details = await api.audit.details({ id: entry?.id ?? '' });
  expect(details).toMatchObject({
    before: row,
    after: { title: '<script>alert(1)</script>', version: 2 },
    permission: 'news.edit',
  });
  expect(details.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(details.requestId).not.toBe('');
});

describe('the audit export', () => {
  test('contains the rows of the list, and is recorded with filter and count', async () => {
    for (const title of ['=cmd()', '  =1', '＝1', '-2', '新闻,"q"\n二']) await api.news.add(item(title));
    const filter = { entity: 'news' };
    const listedRows = await listAll(filter);
    const { id, rows, records, bytes, answer } = await exportAudit(filter);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    expect(rows).toBe(listedRows.length);
    const escapeFormula = (text: string | null) => (text !== null && /^\s*[=＝-]/.test(text) ? `'${text}` : (text ?? ''));
    expect(
      records.map(({ seq, at, actor, command, route, action, entity, entity_id, name, result, ip }) => [
        seq,
        at,
        actor,
        command,
        route,
        action,
        entity,
        entity_id,
        name,
        result,
        ip,
      ]),
    ).toEqual(
      listedRows.map((row) => [
        String(row.seq),
        row.at,
        row.actorEmail,
        row.command ?? '',
        row.route,
        row.action,
        row.entity,
        row.entityId,
        escapeFormula(row.name),
        row.result,
        row.ip,
      ]),
    );
    const [entry] = (await listPage({ entityId: id }, 'asc')).rows;
    expect(entry).toMatchObject({ entity: 'auditExport', action: 'export', result: 'done' });
    expect((await api.audit.details({ id: entry?.id ?? '' })).after).toMatchObject({ filter, rows });
  });

  test('can be verified from the file alone, which reveals a changed or missing line', async () => {
    const { bytes } = await exportAudit({});
    const folder = createTemporaryFolder();
    const findProblems = async (text: string, isPartial = false) => {
      writeFileSync(join(folder, 'audit.csv'), text);
      return (await verifyExport(join(folder, 'audit.csv'), { headsFile: join(folder, 'none'), keys: [] }, { part: isPartial }))
        .problems;
    };
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    expect(await findProblems(text)).toEqual([]);
    expect(
      await findProblems(text.replace('""actorEmail"":""admin@demo.local""', '""actorEmail"":""nobody@demo.local""')),
    ).toHaveLength(1);
    const lines = text.split('\r\n');
    expect(await findProblems([...lines.slice(0, 3), ...lines.slice(4)].join('\r\n'))).toEqual([{ seq: 3, text: 'is missing' }]);
    expect(await findProblems([...lines.slice(0, 3), ...lines.slice(4)].join('\r\n'), true)).toEqual([]);
    expect(
      (await findProblems([...lines.slice(0, 2), lines[3], lines[2], ...lines.slice(4)].join('\r\n'))).length,
    ).toBeGreaterThan(0);
  });

  test('is only for the person who requested it, for an hour, with the permission', async () => {
    const { id } = await api.audit.export({});
    const accessSession = await signInAs(app, 'access');
    expect((await send(app, 'GET', `/api/audit/export/${id}`, undefined, accessSession.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/audit/export/${id}`, undefined, analystSession.headers)).status).toBe(403);
    expect((await send(app, 'GET', `/api/audit/export/${id}`)).status).toBe(401);
    expect((await send(app, 'GET', `/api/audit/export/${newId()}`, undefined, headers)).status).toBe(404);
    await expect(analystSession.api.audit.export({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the history of a news item', () => {
  test('lists all its writes, newest first, for people with the screen', async () => {
    const row = await api.news.add(item('one'));
    const editedNews = await api.news.edit({ ...item('two'), id: row.id, version: row.version });
    await api.news.show({ items: [{ id: row.id, version: editedNews.version }] });
    const { entries, next } = await editorSession.api.news.history({ id: row.id });
    expect(next).toBeNull();
    expect(entries.map(({ route, before, after }) => [route, before?.['title'] ?? null, after?.['title']])).toEqual([
      ['news.show', 'two', 'two'],
      ['news.edit', 'one', 'two'],
      ['news.add', null, 'one'],
    ]);
    const operatorSession = await signInAs(app, 'operator');
    await expect(operatorSession.api.news.history({ id: row.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('is returned in pages', async () => {
    let row = await api.news.add(item('0'));
    for (let index = 1; index < 33; index++)
      row = await api.news.edit({ ...item(String(index)), id: row.id, version: row.version });
    const firstPage = await api.news.history({ id: row.id });
    const secondPage = await api.news.history({ id: row.id, from: firstPage.next ?? 0 });
    expect([...firstPage.entries, ...secondPage.entries].map(({ after }) => after?.['title'])).toEqual(
      Array.from({ length: 33 }, (_, index) => String(32 - index)),
    );
    expect(secondPage.next).toBeNull();
  });
});

describe('restoring a news item', () => {
  const findEntry = async (id: string, route: string) =>
    (await api.news.history({ id })).entries.find((entry) => entry.route === route)?.id ?? '';

  test('restores an earlier version as a new edit', async () => {
    const row = await api.news.add(item('first'));
    const editedNews = await api.news.edit({ ...item('second'), id: row.id, version: row.version });
    const entry = await findEntry(row.id, 'news.edit');
    const [version] = await api.news.versions({ ids: [`${entry}:before`] });
    expect(version).toMatchObject({ recordId: row.id, record: { title: 'first' }, current: { title: 'second', version: 2 } });
    const restoredNews = await api.news.restore({ entry, state: 'before', version: editedNews.version });
    expect(restoredNews).toMatchObject({ id: row.id, title: 'first', version: 3 });
    expect((await api.news.history({ id: row.id })).entries[0]).toMatchObject({
      route: 'news.restore',
      before: { title: 'second' },
      after: { title: 'first' },
    });
  });

  test('is refused if someone changed the item since', async () => {
    const row = await api.news.add(item('first'));
    const editedNews = await api.news.edit({ ...item('second'), id: row.id, version: row.version });
    const entry = await findEntry(row.id, 'news.edit');
    await expect(api.news.restore({ entry, state: 'before', version: row.version })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { title: 'second' } },
    });
    await expect(api.news.restore({ entry, state: 'before', version: null })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await api.news.many({ ids: [row.id] }))[0]).toEqual(editedNews);
  });

  test('restores a deleted item under its id, as Not Show, once for concurrent requests', async () => {
    const row = await api.news.add(item('gone'));
    const { done } = await api.news.show({ items: [{ id: row.id, version: row.version }] });
    await api.news.remove({ items: done.map(({ id, version }) => ({ id, version })) });
    const entry = await findEntry(row.id, 'news.remove');
    expect(await api.news.versions({ ids: [`${entry}:before`, `${entry}:after`] })).toMatchObject([
      { current: null, record: { title: 'gone' } },
    ]);
    await expect(api.news.restore({ entry, state: 'before', version: 2 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => api.news.restore({ entry, state: 'before', version: null })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected']);
    expect((await api.news.many({ ids: [row.id] }))[0]).toMatchObject({
      title: 'gone',
      shown: false,
      version: 3,
      createdAt: row.createdAt,
    });
  });

  test('accepts only recorded states of a news item', async () => {
    const row = await api.news.add(item('mine'));
    const addedEntryId = await findEntry(row.id, 'news.add');
    const [signInEntry] = (await listPage({ entity: 'session' })).rows;
    for (const [entry, state] of [
      [addedEntryId, 'before'],
      [signInEntry?.id ?? '', 'after'],
      [newId(), 'after'],
    ] as const)
      await expect(api.news.restore({ entry, state, version: row.version })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      analystSession.api.news.restore({ entry: addedEntryId, state: 'after', version: row.version }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
