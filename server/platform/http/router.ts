import type { AnyContractRouter } from '@orpc/contract';
import { getRouter, implement, isProcedure, traverseContractProcedures, type AnyRouter } from '@orpc/server';
import type { RouteMeta } from '../../../api/base.ts';
import { contract } from '../../../api/contract.ts';
import { authorize, kindsOf } from '../auth/guard.ts';
import { withCompiledOutputs } from './compiled-outputs.ts';
import type { RequestContext } from '../core/context.ts';
import { badField } from '../core/errors.ts';
import type { PlainRoute } from './raw-routes.ts';

const base = implement(withCompiledOutputs(contract)).$context<RequestContext>();

const guard = base.middleware(async ({ context, procedure, path, next }) => {
  const route = { name: path.join('.'), meta: procedure['~orpc'].meta as RouteMeta };
  const actor = await authorize(context, route);
  if ('keyed' in route.meta && context.idempotencyKey === null) throw badField('Idempotency-Key', 'required');
  return next({ context: { actor, route } });
});

/**
 * Implements the contract behind the guard: `on.news.add.handler(async ({ input, context }) => …)`.
 * Access is asked before the input is even parsed.
 */
export const on = base.use(guard);

/** What is wrong with the routes, in words for the person starting the server; empty when nothing is. */
export function routeProblems(contracts: AnyContractRouter, router: AnyRouter, plain: readonly PlainRoute[] = []): string[] {
  const problems: string[] = [];
  traverseContractProcedures({ router: contracts, path: [] }, ({ contract: procedure, path }) => {
    const name = path.join('.');
    problems.push(...metaProblems(name, procedure['~orpc'].meta as RouteMeta));
    const implementation = getRouter(router, path);
    if (!isProcedure(implementation)) problems.push(`route ${name} has no implementation`);
    else if (!implementation['~orpc'].middlewares.includes(guard)) problems.push(`route ${name} is not behind the guard`);
  });
  for (const route of plain) problems.push(...metaProblems(`${route.method} ${route.path}`, route.meta));
  return problems;
}

function metaProblems(name: string, meta: RouteMeta): string[] {
  const kinds = kindsOf(meta);
  if (kinds.length === 1) return [];
  return [
    kinds.length === 0
      ? `route ${name} says nobody who may call it`
      : `route ${name} says ${kinds.join(' and ')} who may call it`,
  ];
}
