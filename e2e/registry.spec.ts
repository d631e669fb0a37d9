import { contract } from '../api/contract.ts';
import { flatMenu, ownScreens } from '../api/routes.ts';
import { grantsOf, seededRoles, type RoleName } from '../server/seeded-roles.ts';
import { registry } from '../src/commands/all.ts';
import { expect, test } from './fixtures.ts';

const roles = Object.keys(seededRoles) as RoleName[];
const routes = Object.entries(contract).flatMap(([resource, members]) =>
  Object.entries(members).map(([name, route]) => ({ path: `${resource}/${name}`, meta: route['~orpc'].meta })),
);

for (const role of roles) {
  test(`${role}: what the browser offers is what the server allows, for every command and every route`, async ({
    admin,
    page,
  }) => {
    await admin.signIn(role);
    const offered = new Set<string>((await admin.list()).map(({ id }) => id));
    const granted = new Set([...grantsOf(role), ...ownScreens.map(({ path }) => path)]);
    const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');

    for (const { id, permission } of registry.all) {
      expect(offered.has(id), `${id} needs ${permission}`).toBe(permission === 'anyone' || granted.has(permission));
      const { state } = await admin.assess(id);
      expect(state === 'hidden', `assess ${id}`).toBe(!offered.has(id));
    }
    for (const { path, meta } of routes) {
      if (path === 'session/signOut') continue; // it would end this very session; e2e/sign-in.spec.ts has it
      const answer = await page.request.post(`${admin.url}/rpc/${path}`, {
        headers: { authorization },
        data: { json: { nonsense: true } },
      });
      const right = 'permission' in meta ? meta.permission : 'menu' in meta ? meta.menu : null;
      const isAllowed = right === null || granted.has(right);
      expect(answer.status() === 403, `${path} answered ${answer.status()}`).toBe(!isAllowed);
      if ('permission' in meta) expect(offered.has(meta.permission), path).toBe(isAllowed);
    }
    for (const { path, children } of flatMenu()) {
      if (!children)
        expect(
          registry.all.some((command) => command.permission === path && offered.has(command.id)),
          path,
        ).toBe(granted.has(path));
    }
  });
}
