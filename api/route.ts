import { isContractProcedure, oc, type AnyContractRouter, type AnySchema, type Route } from '@orpc/contract';
import type { Permission } from './names.ts';
import type { MenuPath } from './menu.ts';

/**
 * Exactly one per route. fresh: a second factor confirmed in the last minutes, as money requires.
 * keyed: needs an Idempotency-Key. scim: a provisioning token and nothing else.
 */
export type RouteMeta =
  | ExactlyOne<{ permission: Permission; fresh?: true; keyed?: true }>
  | ExactlyOne<{ menu: MenuPath }>
  | ExactlyOne<{ signedIn: true }>
  | ExactlyOne<{ scim: true }>
  | ExactlyOne<{ public: true }>;

type ExactlyOne<Meta> = Meta & { [Other in Exclude<MetaKey, keyof Meta>]?: never };
type MetaKey = 'permission' | 'menu' | 'signedIn' | 'scim' | 'public' | 'fresh' | 'keyed';

export interface RouteDefinition {
  /** Empty until the route says who may call it. */
  meta: RouteMeta;
  http: Route;
  input?: AnySchema;
}

/** oRPC has no public accessor for what a procedure was made of. */
const definitions = new WeakMap<object, RouteDefinition>();

const undefinedRoute: RouteDefinition = { meta: {} as RouteMeta, http: {} };

export const route = /* @__PURE__ */ recordDefinition(/* @__PURE__ */ oc.$meta({} as RouteMeta), undefinedRoute);

interface Builder {
  meta(meta: RouteMeta): Builder;
  route(http: Route): Builder;
  input(schema: AnySchema): Builder;
  output(schema: AnySchema): Builder;
}

function recordDefinition<B extends object>(builder: B, definition: RouteDefinition): B {
  definitions.set(builder, definition);
  const typedBuilder = builder as unknown as Builder;
  const { meta, route: http, input, output } = typedBuilder;
  return Object.assign(builder, {
    meta: (addedMeta: RouteMeta) =>
      recordDefinition(meta.call(typedBuilder, addedMeta), {
        ...definition,
        meta: { ...definition.meta, ...addedMeta } as RouteMeta,
      }),
    route: (addedRoute: Route) =>
      recordDefinition(http.call(typedBuilder, addedRoute), { ...definition, http: { ...definition.http, ...addedRoute } }),
    input: (schema: AnySchema) => recordDefinition(input.call(typedBuilder, schema), { ...definition, input: schema }),
    output: (schema: AnySchema) => recordDefinition(output.call(typedBuilder, schema), definition),
  });
}

export interface ContractRoute extends RouteDefinition {
  path: readonly string[];
  /** `news.add` */
  name: string;
}

/** Every route of a contract. A route of another builder has no meta and is refused. */
export function listContractRoutes(contract: AnyContractRouter, path: readonly string[] = []): ContractRoute[] {
  if (isContractProcedure(contract)) return [{ path, name: path.join('.'), ...(definitions.get(contract) ?? undefinedRoute) }];
  return Object.entries(contract as Record<string, AnyContractRouter>).flatMap(([key, childContract]) =>
    listContractRoutes(childContract, [...path, key]),
  );
}
