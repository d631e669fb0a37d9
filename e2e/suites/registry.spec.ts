import { contract } from '../../api/contract.ts';
import { flattenMenu, ownScreens } from '../../api/menu.ts';
import { listContractRoutes } from '../../api/route.ts';
import { readSeededGrants, seededRoles, type RoleName } from '../../server/seed/roles.ts';
import { registry } from '../../src/commands/app/all.ts';
import { expect, test } from '../fixtures.ts';

const roles = Object.keys(seededRoles) as RoleName[];
const routes = listContractRoutes(contract);

for (const role of roles) {
  const kind = ['all', 'operator', 'analyst'].includes(role) ? {} : { tag: '@long' };
  test(`${role} is offered exactly the commands and routes that the role grants`, kind, async ({ admin, page }) => {
    await admin.signIn(role);
    const availableCommands = new Set<string>((await admin.list()).map(({ id }) => id));
    const grantedIds = new Set([...readSeededGrants(role), ...ownScreens.map(({ path }) => path)]);
    const commandStates = await page.evaluate(
      (ids) => Object.fromEntries(ids.map((id) => [id, window.admin?.assess(id).state])),
      registry.all.map(({ id }) => id),
    );

    for (const { id, permission } of registry.all) {
      expect(availableCommands.has(id), `${id} needs ${permission}`).toBe(permission === 'anyone' || grantedIds.has(permission));
      expect(commandStates[id] === 'hidden', `assess ${id}`).toBe(!availableCommands.has(id));
    }
    // server/suites/access.test.ts covers these routes on both endpoints.
    for (const { name, meta } of routes)
      if ('permission' in meta) expect(availableCommands.has(meta.permission), name).toBe(grantedIds.has(meta.permission));
    for (const { path, children } of flattenMenu()) {
      if (!children)
        expect(
          registry.all.some((command) => command.permission === path && availableCommands.has(command.id)),
          path,
        ).toBe(grantedIds.has(path));
    }
  });
}
