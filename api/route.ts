import { isContractProcedure, oc, type AnyContractRouter, type AnySchema, type Route } from '@orpc/contract';
import type { Permission } from './names.ts';
import type { MenuPath } from './menu.ts';

/**
 * Exactly one per route. fresh: a second factor confirmed in the last minutes, as money requires.
 * keyed: needs an Idempotency-Key.
 */
export type RouteMeta =
  | Only<{ permission: Permission; fresh?: true; keyed?: true }>
  | Only<{ menu: MenuPath }>
  | Only<{ signedIn: true }>
  | Only<{ public: true }>;

type Only<Meta> = Meta & { [Other in Exclude<MetaKey, keyof Meta>]?: never };
type MetaKey = 'permission' | 'menu' | 'signedIn' | 'public' | 'fresh' | 'keyed';

export interface RouteDefinition {
  /** Empty until the route says who may call it. */
  meta: RouteMeta;
  http: Route;
  input?: AnySchema;
}

/** oRPC has no public accessor for what a procedure was made of. */
const definitions = new WeakMap<object, RouteDefinition>();

const undefinedRoute: RouteDefinition = { meta: {} as RouteMeta, http: {} };

export const route = /* @__PURE__ */ recorded(/* @__PURE__ */ oc.$meta({} as RouteMeta), undefinedRoute);

interface Builder {
  meta(meta: RouteMeta): Builder;
  route(http: Route): Builder;
  input(schema: AnySchema): Builder;
  output(schema: AnySchema): Builder;
}

function recorded<B extends object>(builder: B, definition: RouteDefinition): B {
  definitions.set(builder, definition);
  const steps = builder as unknown as Builder;
  const { meta, route: http, input, output } = steps;
  return Object.assign(builder, {
    meta: (added: RouteMeta) =>
      recorded(meta.call(steps, added), { ...definition, meta: { ...definition.meta, ...added } as RouteMeta }),
    route: (added: Route) => recorded(http.call(steps, added), { ...definition, http: { ...definition.http, ...added } }),
    input: (schema: AnySchema) => recorded(input.call(steps, schema), { ...definition, input: schema }),
    output: (schema: AnySchema) => recorded(output.call(steps, schema), definition),
  });
}

export interface ContractRoute extends RouteDefinition {
  path: readonly string[];
  /** `news.add` */
  name: string;
}

/** Every route of a contract. One that `route` did not make has no meta, so nobody may call it. */
export function contractRoutes(contract: AnyContractRouter, path: readonly string[] = []): ContractRoute[] {
  if (isContractProcedure(contract)) return [{ path, name: path.join('.'), ...(definitions.get(contract) ?? undefinedRoute) }];
  return Object.entries(contract as Record<string, AnyContractRouter>).flatMap(([key, next]) =>
    contractRoutes(next, [...path, key]),
  );
}
