import { contract } from '../../api/contract.ts';
import { flatMenu, ownScreens } from '../../api/menu.ts';
import { contractRoutes } from '../../api/route.ts';
import { grantsOf, seededRoles, type RoleName } from '../../server/seed/roles.ts';
import { registry } from '../../src/commands/app/all.ts';
import { expect, test } from '../fixtures.ts';

const roles = Object.keys(seededRoles) as RoleName[];
const routes = contractRoutes(contract);

for (const role of roles) {
  const kind = ['all', 'operator', 'analyst'].includes(role) ? {} : { tag: '@long' };
  test(`${role} is offered exactly the commands and routes that the role grants`, kind, async ({ admin, page }) => {
    await admin.signIn(role);
    const offered = new Set<string>((await admin.list()).map(({ id }) => id));
    const granted = new Set([...grantsOf(role), ...ownScreens.map(({ path }) => path)]);
    const states = await page.evaluate(
      (ids) => Object.fromEntries(ids.map((id) => [id, window.admin?.assess(id).state])),
      registry.all.map(({ id }) => id),
    );

    for (const { id, permission } of registry.all) {
      expect(offered.has(id), `${id} needs ${permission}`).toBe(permission === 'anyone' || granted.has(permission));
      expect(states[id] === 'hidden', `assess ${id}`).toBe(!offered.has(id));
    }
    // server/suites/access.test.ts covers these routes on both endpoints.
    for (const { name, meta } of routes)
      if ('permission' in meta) expect(offered.has(meta.permission), name).toBe(granted.has(meta.permission));
    for (const { path, children } of flatMenu()) {
      if (!children)
        expect(
          registry.all.some((command) => command.permission === path && offered.has(command.id)),
          path,
        ).toBe(granted.has(path));
    }
  });
}
