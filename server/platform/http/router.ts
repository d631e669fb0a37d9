import type { AnyContractRouter } from '@orpc/contract';
import { getRouter, implement, isProcedure, traverseContractProcedures, type AnyRouter } from '@orpc/server';
import type { RouteMeta } from '../../../api/base.ts';
import { contract } from '../../../api/contract.ts';
import { flatMenu } from '../../../api/menu.ts';
import { functions } from '../../../api/all-names.ts';
import { authorize } from '../auth/guard.ts';
import type { RequestContext } from '../services/context.ts';
import { badField } from '../core/errors.ts';
import type { RawRoute } from './raw-routes.ts';

const base = implement(contract).$context<RequestContext>();

const guard = base.middleware(async ({ context, procedure, path, next }) => {
  const route = { name: path.join('.'), meta: procedure['~orpc'].meta as RouteMeta };
  const actor = await authorize(context, route);
  if (route.meta.keyed && context.idempotencyKey === null) throw badField('Idempotency-Key', 'required');
  return next({ context: { actor, route } });
});

/** Checks access before input is parsed. */
export const guardedApi = base.use(guard);

export function routeProblems(contracts: AnyContractRouter, router: AnyRouter, plain: readonly RawRoute[] = []): string[] {
  const problems: string[] = [];
  traverseContractProcedures({ router: contracts, path: [] }, ({ contract: procedure, path }) => {
    const name = path.join('.');
    problems.push(...metaProblems(name, procedure['~orpc'].meta as RouteMeta));
    const implementation = getRouter(router, path);
    if (!isProcedure(implementation)) problems.push(`route ${name} has no implementation`);
    else if (!implementation['~orpc'].middlewares.includes(guard)) problems.push(`route ${name} doesn’t use the guard`);
  });
  for (const route of plain) problems.push(...metaProblems(`${route.method} ${route.path}`, route.meta));
  return problems;
}

const kinds: Record<string, ReadonlySet<unknown>> = {
  permission: new Set(Object.values(functions).flat()),
  menu: new Set(flatMenu().map(({ path }) => path)),
  signedIn: new Set([true]),
  public: new Set([true]),
};

// Types do not catch casts and older contracts.
function metaProblems(name: string, meta: RouteMeta): string[] {
  const metaEntries = Object.entries(meta);
  const accessKinds = metaEntries.filter(([kind]) => kind in kinds);
  if (accessKinds.length === 0) return [`route ${name} doesn’t say who may call it`];
  if (accessKinds.length > 1) return [`route ${name} has both ${accessKinds.map(([kind]) => kind).join(' and ')}`];
  const more = 'permission' in meta ? ['fresh', 'keyed'] : [];
  return metaEntries
    .filter(([key, value]) => !(kinds[key]?.has(value) ?? (more.includes(key) && value === true)))
    .map(([key, value]) => `route ${name} has an unknown ${key}: ${JSON.stringify(value)}`);
}
