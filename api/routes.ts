import type { AnyContractProcedure } from '@orpc/contract';
import type { allNames } from './all-names.ts';
import type { contract } from './contract.ts';

type RoutesOf<T, At extends string = ''> = {
  [K in keyof T & string]: T[K] extends AnyContractProcedure ? `${At}${K}` : RoutesOf<T[K], `${At}${K}.`>;
}[keyof T & string];

type Unnamed = Exclude<RoutesOf<typeof contract>, keyof typeof allNames>;
type ResourceOf<Route> = Route extends `${infer Resource}.${string}` ? Resource : never;
type VerbOf<Route> = Route extends `${string}.${infer Verb}` ? Verb : never;

export interface RouteTexts {
  of: Record<ResourceOf<RoutesOf<typeof contract>>, string>;
  does: Record<VerbOf<Unnamed>, string>;
}
