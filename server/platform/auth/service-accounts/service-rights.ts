import { functions } from '../../../../api/all-names.ts';
import { flattenMenu } from '../../../../api/menu.ts';
import type { RouteMeta } from '../../../../api/route.ts';
import { serviceMoneyRights } from '../../../../api/access/service-values.ts';
import { isFreshPermission, isGuarded } from '../rights/guarded-rights.ts';

const moneyRights: ReadonlySet<string> = new Set(serviceMoneyRights);

/** Only stop or refresh, and are ticked by name. */
export const isServiceMoneyRight = (identifier: string): boolean => moneyRights.has(identifier);

const screens = flattenMenu().flatMap(({ path, children }): string[] => (children ? [] : [path]));

const scopes: ReadonlySet<string> = new Set([
  ...screens,
  ...Object.values(functions)
    .flat()
    .filter((right: string) => !isGuarded(right) && !isFreshPermission(right)),
  ...moneyRights,
]);

/** Whether a token can have it: a screen to read, or a function that neither is guarded nor needs a fresh second factor. */
export const isServiceScope = (identifier: string): boolean => scopes.has(identifier);

/** Routes without a permission: its own scopes and its own exports. */
const ownRoutes: ReadonlySet<string> = new Set(['session.current', 'exportJobs.own', 'exportJobs.cancel', 'exportJobs.remove']);

/** Whatever scopes are in the database, a service calls only these routes. */
export function isForServices({ name, meta }: { name: string; meta: RouteMeta }): boolean {
  if (meta.permission) return isServiceScope(meta.permission) && (!meta.fresh || isServiceMoneyRight(meta.permission));
  return meta.menu !== undefined || ownRoutes.has(name);
}
