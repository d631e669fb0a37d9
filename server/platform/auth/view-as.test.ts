import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { contractRoutes } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { signInAs, apiOf, send, testApp, type TestSession, type TestApi, type TestApp } from '../../testing/support.ts';
import { writeOnce } from '../records/write.ts';
import { administrators, roles } from './tables.ts';

let app: TestApp;
let all: TestSession;
let access: TestSession;
let roleIds: Map<string | null, string>;
let editorId: string;
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  all = await signInAs(app, 'all');
  access = await signInAs(app, 'access');
  roleIds = new Map((await app.database.db.select().from(roles)).map(({ seed, id }) => [seed, id]));
  const [editor] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
  editorId = editor?.id ?? '';
});

const viewing = ({ headers }: TestSession, as: string): TestApi => apiOf(app, { ...headers, 'x-view-as': as });
const role = (name: string) => `role:${roleIds.get(name) ?? ''}`;
const page = { cursor: null, limit: 50, sort: 'createdAt', direction: 'desc', filter: {} } as const;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

describe('viewing the panel as a role or person', () => {
  test('reads what both the viewer and the viewed role may read, and nothing else', async () => {
    const asEditor = viewing(all, role('editor'));
    expect(await codeOf(asEditor.news.list(page))).toBe('done');
    expect(await codeOf(asEditor.administrators.list(page))).toBe('VIEW_ONLY');
    expect(await codeOf(asEditor.audit.list({ ...page, sort: 'time' }))).toBe('VIEW_ONLY');
    // The access administrator may not read news, whatever the editor may.
    expect(await codeOf(viewing(access, role('editor')).news.list(page))).toBe('FORBIDDEN');
    expect(await codeOf(viewing(access, `administrator:${editorId}`).news.list(page))).toBe('FORBIDDEN');
    expect(await codeOf(viewing(access, role('access')).administrators.list(page))).toBe('done');
  });

  test('gives nobody the permissions of the role that they view', async () => {
    const editor = await signInAs(app, 'editor');
    expect(await codeOf(viewing(editor, role('all')).news.list(page))).toBe('FORBIDDEN');
    expect(await codeOf(viewing(editor, role('all')).administrators.list(page))).toBe('FORBIDDEN');
    const { codes, permittedRoutes } = await viewing(access, role('all')).session.current();
    expect(codes.map(({ code }) => code)).not.toContain('news.add');
    expect(JSON.stringify(permittedRoutes)).not.toContain('"/news"');
  });

  test('refuses every route that could change something, before its input is read', async () => {
    const { rows } = await app.database.pool.query<{ count: string }>('select count(*) from audit');
    const reads = new Set([
      'account.get',
      'chain.get',
      'dataPanel.freeze',
      'views.list',
      'authority.names',
      'authority.people',
      'crsm.call',
      'session.current',
      'session.signOut',
    ]);
    const changing = contractRoutes(contract).filter(
      ({ path, meta }) => meta.permission || (meta.signedIn && !reads.has(path.join('.'))),
    );
    expect(changing.length).toBeGreaterThan(100);
    for (const { path } of changing) {
      const headers = { ...all.headers, 'x-view-as': role('all'), 'idempotency-key': 'key' };
      const answer = await send(app, 'POST', `/rpc/${path.join('/')}`, { json: {} }, headers);
      const { json } = (await answer.json()) as { json: { code: string } };
      expect(json.code, path.join('.')).toBe('VIEW_ONLY');
    }
    const after = await app.database.pool.query<{ count: string }>('select count(*) from audit');
    expect(after.rows).toEqual(rows);
  });

  test('refuses a write also where a route forgets to say that it writes', async () => {
    // A menu route that writes would be a mistake: the write itself is the second guard.
    const context = { actor: { id: editorId, isViewing: true } } as never;
    await expect(writeOnce(context, null, async () => 1 as never)).rejects.toMatchObject({ code: 'VIEW_ONLY' });
  });

  test('needs the screen from which it begins, a role or person, and a valid header', async () => {
    expect(await codeOf(access.api.roles.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('done');
    const shown = await access.api.administrators.viewAs({ id: editorId });
    expect(shown.codes.map(({ code }) => code)).toContain('news.add');
    expect(shown.permittedRoutes.map(({ path }) => path)).toEqual(['/', '/news', '/feedback', '/notices', '/account']);
    expect(await codeOf(access.api.roles.viewAs({ id: editorId }))).toBe('NOT_FOUND');
    expect(await codeOf(access.api.administrators.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('NOT_FOUND');
    for (const header of ['role:x', 'anyone', `user:${editorId}`, `role:${editorId}\u00a0`])
      expect(await codeOf(viewing(all, header).home.waiting())).toBe('BAD_REQUEST');
    const editor = await signInAs(app, 'editor');
    expect(await codeOf(editor.api.roles.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('FORBIDDEN');
  });

  test('follows the role: what it loses is gone from the view', async () => {
    const { id } = await all.api.roles.add({ name: 'Watched', description: 'd', needsFactor: false, grants: ['/', '/news'] });
    const watched = viewing(all, `role:${id}`);
    expect(await codeOf(watched.news.list(page))).toBe('done');
    await app.database.db.execute(sql`delete from role_nodes where role_id = ${id}`);
    expect(await codeOf(watched.news.list(page))).toBe('VIEW_ONLY');
  });
});
