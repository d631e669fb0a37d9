import type { AnyContractRouter } from '@orpc/contract';
import { getRouter, implement, isProcedure, type AnyRouter } from '@orpc/server';
import { contractRoutes, type RouteMeta } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { flatMenu } from '../../../api/menu.ts';
import { functions } from '../../../api/all-names.ts';
import { authorize } from '../auth/guard.ts';
import type { RequestContext } from '../services/context.ts';
import { badField } from '../core/errors.ts';
import type { RawRoute } from './raw-routes.ts';

const base = implement(contract).$context<RequestContext>();

const routes = new Map(contractRoutes(contract).map(({ name, meta }) => [name, { name, meta }]));

const guard = base.middleware(async ({ context, path, next }) => {
  const route = routes.get(path.join('.'));
  if (!route) throw new Error(`the contract has no route ${path.join('.')}`);
  const actor = await authorize(context, route);
  if (route.meta.keyed && context.idempotencyKey === null) throw badField('Idempotency-Key', 'required');
  return next({ context: { actor, route } });
});

/** Checks access before input is parsed. */
export const guardedApi = base.use(guard);

const guardedRouters = new WeakSet<object>();

/** The router with the guard in front of every implementation, also of one that was made without it. */
export const guardRouter: typeof guardedApi.router = (router) => {
  const guarded = guardedApi.router(router);
  guardedRouters.add(guarded);
  return guarded;
};

export function routeProblems(contracts: AnyContractRouter, router: AnyRouter, plain: readonly RawRoute[] = []): string[] {
  const problems = guardedRouters.has(router) ? [] : ['the router doesn’t use the guard'];
  for (const { name, path, meta } of contractRoutes(contracts)) {
    problems.push(...metaProblems(name, meta));
    if (!isProcedure(getRouter(router, path))) problems.push(`route ${name} has no implementation`);
  }
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
