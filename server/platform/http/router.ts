import type { AnyContractRouter } from '@orpc/contract';
import { getRouter, implement, isProcedure, type AnyRouter } from '@orpc/server';
import { listContractRoutes, type RouteMeta } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { flattenMenu } from '../../../api/menu.ts';
import { functions } from '../../../api/all-names.ts';
import { authorize } from '../auth/guard.ts';
import type { RequestContext } from '../services/context.ts';
import { createFieldError } from '../core/errors.ts';
import type { RawRoute } from './raw-routes.ts';

const baseRouter = implement(contract).$context<RequestContext>();

const routes = new Map(listContractRoutes(contract).map(({ name, meta }) => [name, { name, meta }]));

const guardMiddleware = baseRouter.middleware(async ({ context, path, next }) => {
  const route = routes.get(path.join('.'));
  if (!route) throw new Error(`the contract has no route ${path.join('.')}`);
  const actor = await authorize(context, route);
  if (route.meta.keyed && context.idempotencyKey === null) throw createFieldError('Idempotency-Key', 'required');
  return next({ context: { actor, route } });
});

/** Checks access before input is parsed. */
export const guardedApi = baseRouter.use(guardMiddleware);

const guardedRouters = new WeakSet<object>();

/** The router with the guard in front of every implementation, also of one that was made without it. */
export const guardRouter: typeof guardedApi.router = (router) => {
  const guarded = guardedApi.router(router);
  guardedRouters.add(guarded);
  return guarded;
};

export function findRouteProblems(
  contracts: AnyContractRouter,
  router: AnyRouter,
  rawRoutes: readonly RawRoute[] = [],
): string[] {
  const problems = guardedRouters.has(router) ? [] : ['the router doesn’t use the guard'];
  for (const { name, path, meta } of listContractRoutes(contracts)) {
    problems.push(...findMetaProblems(name, meta));
    if (meta.scim) problems.push(`route ${name} may not ask for a provisioning token`);
    if (!isProcedure(getRouter(router, path))) problems.push(`route ${name} has no implementation`);
  }
  for (const route of rawRoutes) {
    const name = `${route.method} ${route.path}`;
    problems.push(...findMetaProblems(name, route.meta));
    if ((route.meta.scim === true) !== route.path.startsWith('/scim/'))
      problems.push(`route ${name} doesn’t ask for a provisioning token, or may not`);
  }
  return problems;
}

const allowedValues: Record<string, ReadonlySet<unknown>> = {
  permission: new Set(Object.values(functions).flat()),
  menu: new Set(flattenMenu().map(({ path }) => path)),
  signedIn: new Set([true]),
  scim: new Set([true]),
  public: new Set([true]),
};

// Types do not catch casts and older contracts.
function findMetaProblems(name: string, meta: RouteMeta): string[] {
  const metaEntries = Object.entries(meta);
  const accessKinds = metaEntries.filter(([kind]) => kind in allowedValues);
  if (accessKinds.length === 0) return [`route ${name} doesn’t say who may call it`];
  if (accessKinds.length > 1) return [`route ${name} has both ${accessKinds.map(([kind]) => kind).join(' and ')}`];
  const extraKeys = 'permission' in meta ? ['fresh', 'keyed'] : [];
  return metaEntries
    .filter(([key, value]) => !(allowedValues[key]?.has(value) ?? (extraKeys.includes(key) && value === true)))
    .map(([key, value]) => `route ${name} has an unknown ${key}: ${JSON.stringify(value)}`);
}
