import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createStore } from '../../../testing/factories/store.ts';
import { administratorRoles, administrators, permissionNodes, provisioned } from '../../platform/auth/tables.ts';
import { newId } from '../../platform/core/ids.ts';
import { createTestApp, send, signInAs } from '../../testing/support.ts';
import { okta } from './fixtures.ts';

/** After two seconds, other writes give up waiting for the lock of access. */
const lockTimeoutMs = 2_000;
const size = 1_000;

test(`${size} members join and leave a group with a role without keeping other writes waiting`, async () => {
  const app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  const { db } = app.database;
  const store = createStore(db);
  const headers = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
  const call = (method: string, path: string, body?: unknown) => send(app, method, `/scim/v2${path}`, body, headers);
  const createdAt = new Date(app.clock.now);
  const ids = Array.from({ length: size }, () => newId());
  await db.insert(administrators).values(ids.map((id) => ({ id, email: `${id}@example.com`, createdAt, updatedAt: createdAt })));
  await db.insert(provisioned).values(
    ids.map((administratorId) => {
      const userName = `${administratorId}@example.com`;
      return { administratorId, userName, email: userName, createdAt, updatedAt: createdAt };
    }),
  );
  const group = ((await (await call('POST', '/Groups', okta.newGroup('Everyone'))).json()) as { id: string }).id;
  const [node] = await db.select().from(permissionNodes).where(eq(permissionNodes.identifier, '/news'));
  const { id: roleId } = await store.role({ nodeIds: [node?.id ?? ''] });
  const access = await signInAs(app, 'all');
  const holders = () => db.$count(administratorRoles, eq(administratorRoles.roleId, roleId));

  const timed = async (run: () => Promise<unknown>) => {
    const startTime = performance.now();
    await run();
    return performance.now() - startTime;
  };
  const put = (members: readonly string[]) => async () => {
    const response = await call('PUT', `/Groups/${group}`, {
      displayName: 'Everyone',
      members: members.map((value) => ({ value })),
    });
    expect(response.status).toBe(200);
  };
  const durations: Record<string, number> = {};
  durations['join without a role'] = await timed(put(ids));
  durations['map'] = await timed(() => access.api.identity.addMapping({ source: 'scim', value: group, role: roleId }));
  expect(await holders()).toBe(size);
  durations['leave'] = await timed(put([]));
  expect(await holders()).toBe(0);
  durations['join'] = await timed(put(ids));
  expect(await holders()).toBe(size);
  const { rowCount } = await app.database.pool.query(
    `with copies as (insert into scim_groups (id, display_name, created_at, updated_at)
       select gen_random_uuid(), 'Copy ' || n, now(), now() from generate_series(1, 60) n returning id)
     insert into scim_group_members select c.id, m.administrator_id from copies c, scim_group_members m`,
  );
  expect(rowCount).toBe(60 * size);
  const list = (await (await call('GET', '/Groups')).json()) as {
    totalResults: number;
    itemsPerPage: number;
    Resources: object[];
  };
  expect([list.totalResults, list.itemsPerPage, list.Resources.length]).toEqual([61, 50, 50]);
  const short = (await (await call('GET', '/Groups?excludedAttributes=members')).json()) as { itemsPerPage: number };
  expect(short.itemsPerPage).toBe(61);
  durations['delete'] = await timed(() => call('DELETE', `/Groups/${group}`));
  expect(await holders()).toBe(0);
  expect(Object.entries(durations).filter(([, ms]) => ms >= lockTimeoutMs)).toEqual([]);
});
