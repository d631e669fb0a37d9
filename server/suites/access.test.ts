import { beforeAll, describe, expect, test } from 'vitest';
import { listContractRoutes, type RouteMeta } from '../../api/route.ts';
import { contract } from '../../api/contract.ts';
import { send, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { serviceMoneyRights } from '../../api/access/service-values.ts';
import { createStore } from '../../testing/factories/store.ts';
import { isGuarded } from '../platform/auth/rights/guarded-rights.ts';
import { readSeededGrants, seededRoles, type RoleName } from '../seed/roles.ts';

interface Route {
  name: string;
  rpc: string;
  method: string;
  path: string;
  meta: RouteMeta;
}

const routes: Route[] = listContractRoutes(contract).map(({ name, path, http, meta }) => ({
  name,
  rpc: `/rpc/${path.join('/')}`,
  method: http.method ?? 'POST',
  path: `/api${http.path ?? ''}`,
  meta,
}));

const isFreshAnywhere = ({ permission }: RouteMeta) =>
  permission !== undefined && routes.some(({ meta }) => meta.fresh && meta.permission === permission);
const refusals = [401, 403];
/** Its scopes and its exports. */
const routesOfEveryToken = new Set(['session.current', 'exportJobs.own', 'exportJobs.cancel', 'exportJobs.remove']);
const roles = Object.keys(seededRoles) as RoleName[];

describe('every route answers according to the permission tree', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ PUBLIC_URL: 'http://127.0.0.1:9', SIGN_IN_FREE: '10000', SERVICE_CALLS_PER_MINUTE: '0' });
  });

  const requestSenders = [
    ({ rpc }: Route, headers: Record<string, string>) => send(app, 'POST', rpc, { json: {} }, headers),
    ({ method, path }: Route, headers: Record<string, string>) =>
      send(app, method, path, method === 'GET' ? undefined : {}, headers),
  ];

  test.each(routes)('$name without a session', async (route) => {
    for (const publicRoute of requestSenders) {
      const response = await publicRoute(route, {});
      if ('public' in route.meta) expect(refusals).not.toContain(response.status);
      else expect(response.status).toBe(401);
    }
  });

  const readIdentifiers = async (role: RoleName): Promise<string[]> => {
    const { rows } = await app.database.pool.query<{ identifier: string }>(
      `select n.identifier from roles r join role_nodes rn on rn.role_id = r.id
       join permission_nodes n on n.id = rn.node_id where r.seed = $1`,
      [role],
    );
    return rows.map(({ identifier }) => identifier);
  };

  test.each(roles)('to the role %s', async (role) => {
    const treeIdentifiers = new Set(await readIdentifiers(role));
    expect(treeIdentifiers.size).toBeGreaterThan(0);
    const session = (await signInAs(app, role)).headers;
    for (const route of routes) {
      const { meta, name } = route;
      const requiredIdentifier = meta.permission ?? meta.menu ?? null;
      const isAllowed = requiredIdentifier === null || treeIdentifiers.has(requiredIdentifier);
      for (const publicRoute of requestSenders) {
        const headers = name === 'session.signOut' ? (await signInAs(app, role)).headers : session;
        const response = await publicRoute(route, headers);
        const outcome = `${name} ${role} ${response.status}`;
        if (isAllowed) expect(refusals, outcome).not.toContain(response.status);
        else expect(response.status, outcome).toBe(403);
      }
    }
  });

  test.each(roles)('to a token with all permissions of the role %s forced into its scopes', async (role) => {
    const identifiers = await readIdentifiers(role);
    const store = createStore(app.database.db);
    const { id } = await store.person();
    const { text } = await store.serviceToken({ owners: [id], scopes: identifiers });
    const moneyRights: readonly string[] = serviceMoneyRights;
    for (const { meta, ...route } of routes) {
      const identifier = meta.permission ?? meta.menu ?? '';
      const isRefusedToAll =
        isFreshAnywhere(meta) || isGuarded(meta.permission ?? '/')
          ? !moneyRights.includes(identifier)
          : meta.signedIn && !routesOfEveryToken.has(route.name);
      const isAllowed = meta.public || (!isRefusedToAll && (meta.signedIn || identifiers.includes(identifier)));
      for (const sendRequest of requestSenders) {
        const { status } = await sendRequest({ ...route, meta }, { authorization: `Bearer ${text}` });
        const outcome = `${route.name} ${role} ${status}`;
        if (isAllowed) expect(refusals, outcome).not.toContain(status);
        else expect(status, outcome).toBe(403);
      }
    }
  });
});

test('every permission is granted by some seeded role and missing in another', () => {
  for (const { permission } of routes.map(({ meta }) => meta)) {
    if (!permission) continue;
    const rolesWithPermission = roles.filter((role) => readSeededGrants(role).has(permission));
    expect(rolesWithPermission, permission).toContain('all');
    expect(rolesWithPermission.length, permission).toBeLessThan(roles.length);
  }
});

test('a refused attempt is audited, and repeated ones are only counted', async () => {
  const app = await createTestApp();
  const { headers } = await signInAs(app, 'analyst');
  for (let attempt = 0; attempt < 70; attempt++) {
    const response = await send(app, 'POST', '/rpc/news/add', { json: {} }, { ...headers, 'x-command': 'news.add' });
    expect(response.status).toBe(403);
  }
  const readRefusals = () =>
    app.database.pool.query<{ permission: string; command: string; actor_email: string; after: string | null }>(
      `select * from audit where result = 'refused' order by seq`,
    );
  const { rows } = await readRefusals();
  expect(rows).toHaveLength(60);
  expect(rows[0]).toMatchObject({ permission: 'news.add', command: 'news.add', actor_email: 'analyst@demo.local' });
  app.clock.now += 61_000;
  await send(app, 'POST', '/rpc/news/add', { json: {} }, headers);
  expect((await readRefusals()).rows.at(-1)?.after).toContain('"alsoRefused":10');
});
