import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { listContractRoutes } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { signInAs, createApi, send, createTestApp, type TestSession, type TestApi, type TestApp } from '../../testing/support.ts';
import { writeOnce } from '../records/write.ts';
import { administrators, roles } from './tables.ts';

let app: TestApp;
let fullSession: TestSession;
let accessSession: TestSession;
let roleIds: Map<string | null, string>;
let editorId: string;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  fullSession = await signInAs(app, 'all');
  accessSession = await signInAs(app, 'access');
  roleIds = new Map((await app.database.db.select().from(roles)).map(({ seed: roleSeed, id }) => [roleSeed, id]));
  const [editor] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
  editorId = editor?.id ?? '';
});

const createApiViewingAs = ({ headers }: TestSession, target: string): TestApi =>
  createApi(app, { ...headers, 'x-view-as': target });
const roleTarget = (name: string) => `role:${roleIds.get(name) ?? ''}`;
const listInput = { cursor: null, limit: 50, sort: 'createdAt', direction: 'desc', filter: {} } as const;
const catchErrorCode = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

describe('viewing the panel as a role or person', () => {
  test('reads what both the viewer and the viewed role may read, and nothing else', async () => {
    const asEditor = createApiViewingAs(fullSession, roleTarget('editor'));
    expect(await catchErrorCode(asEditor.news.list(listInput))).toBe('done');
    expect(await catchErrorCode(asEditor.administrators.list(listInput))).toBe('VIEW_ONLY');
    expect(await catchErrorCode(asEditor.audit.list({ ...listInput, sort: 'time' }))).toBe('VIEW_ONLY');
    // The access administrator may not read news, whatever the editor may.
    expect(await catchErrorCode(createApiViewingAs(accessSession, roleTarget('editor')).news.list(listInput))).toBe('FORBIDDEN');
    expect(await catchErrorCode(createApiViewingAs(accessSession, `administrator:${editorId}`).news.list(listInput))).toBe(
      'FORBIDDEN',
    );
    expect(await catchErrorCode(createApiViewingAs(accessSession, roleTarget('access')).administrators.list(listInput))).toBe(
      'done',
    );
  });

  test('gives nobody the permissions of the role that they view', async () => {
    const editor = await signInAs(app, 'editor');
    expect(await catchErrorCode(createApiViewingAs(editor, roleTarget('all')).news.list(listInput))).toBe('FORBIDDEN');
    expect(await catchErrorCode(createApiViewingAs(editor, roleTarget('all')).administrators.list(listInput))).toBe('FORBIDDEN');
    const { codes, permittedRoutes } = await createApiViewingAs(accessSession, roleTarget('all')).session.current();
    expect(codes.map(({ code }) => code)).not.toContain('news.add');
    expect(JSON.stringify(permittedRoutes)).not.toContain('"/news"');
  });

  test('refuses every route that could change something, before its input is read', async () => {
    const { rows } = await app.database.pool.query<{ count: string }>('select count(*) from audit');
    const allowedReads = new Set([
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
    const changingRoutes = listContractRoutes(contract).filter(
      ({ path, meta }) => meta.permission || (meta.signedIn && !allowedReads.has(path.join('.'))),
    );
    expect(changingRoutes.length).toBeGreaterThan(100);
    for (const { path } of changingRoutes) {
      const headers = { ...fullSession.headers, 'x-view-as': roleTarget('all'), 'idempotency-key': 'key' };
      const response = await send(app, 'POST', `/rpc/${path.join('/')}`, { json: {} }, headers);
      const { json } = (await response.json()) as { json: { code: string } };
      expect(json.code, path.join('.')).toBe('VIEW_ONLY');
    }
    const auditCount = await app.database.pool.query<{ count: string }>('select count(*) from audit');
    expect(auditCount.rows).toEqual(rows);
  });

  test('refuses a write also where a route forgets to say that it writes', async () => {
    // A menu route that writes would be a mistake: the write itself is the second guard.
    const context = { actor: { id: editorId, isViewing: true } } as never;
    await expect(writeOnce(context, null, async () => 1 as never)).rejects.toMatchObject({ code: 'VIEW_ONLY' });
  });

  test('needs the screen from which it begins, a role or person, and a valid header', async () => {
    expect(await catchErrorCode(accessSession.api.roles.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('done');
    const viewedAccess = await accessSession.api.administrators.viewAs({ id: editorId });
    expect(viewedAccess.codes.map(({ code }) => code)).toContain('news.add');
    expect(viewedAccess.permittedRoutes.map(({ path }) => path)).toEqual(['/', '/news', '/feedback', '/notices', '/account']);
    expect(await catchErrorCode(accessSession.api.roles.viewAs({ id: editorId }))).toBe('NOT_FOUND');
    expect(await catchErrorCode(accessSession.api.administrators.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('NOT_FOUND');
    for (const header of ['role:x', 'anyone', `user:${editorId}`, `role:${editorId}\u00a0`])
      expect(await catchErrorCode(createApiViewingAs(fullSession, header).home.waiting())).toBe('BAD_REQUEST');
    const editor = await signInAs(app, 'editor');
    expect(await catchErrorCode(editor.api.roles.viewAs({ id: roleIds.get('editor') ?? '' }))).toBe('FORBIDDEN');
  });

  test('follows the role: what it loses is gone from the view', async () => {
    const { id } = await fullSession.api.roles.add({
      name: 'Watched',
      description: 'd',
      needsFactor: false,
      grants: ['/', '/news'],
    });
    const apiViewingRole = createApiViewingAs(fullSession, `role:${id}`);
    expect(await catchErrorCode(apiViewingRole.news.list(listInput))).toBe('done');
    await app.database.db.execute(sql`delete from role_nodes where role_id = ${id}`);
    expect(await catchErrorCode(apiViewingRole.news.list(listInput))).toBe('VIEW_ONLY');
  });
});
