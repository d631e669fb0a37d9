import type { Commands, Lists, Rows } from './commands.ts';

export type CommandId = keyof Commands;

/** A record's version must still be current (else CONFLICT). */
export type Target = string | { readonly id: string; readonly version: number };

export interface FailedItem {
  id: string;
  code: string;
  message: string;
}

export interface Answer<Done extends readonly unknown[] = readonly unknown[], Value = unknown> {
  /** As they are now. */
  done: Done;
  failed: readonly FailedItem[];
  value: Value;
}

type Value<Id extends CommandId> = Commands[Id]['value'];

/** Mirrors src/commands/app/script-result.ts. */
type DoneOf<V> = V extends { done: readonly (infer D)[] }
  ? readonly (D extends { row: infer R } ? R : D)[]
  : V extends { rows: readonly (infer R)[] }
    ? readonly R[]
    : V extends { entries: readonly (infer E)[] }
      ? readonly E[]
      : V extends { row: infer R }
        ? readonly [R]
        : V extends { entry: infer E }
          ? readonly [E]
          : V extends { id: string }
            ? readonly [V]
            : readonly never[];

export type Result<Id extends CommandId> = Answer<DoneOf<Value<Id>>, Value<Id>>;

type TargetsOption<T> = T extends null ? { targets?: undefined } : { targets?: readonly Target[] };
type ParamsOption<P> = P extends null ? { params?: undefined } : Record<never, never> extends P ? { params?: P } : { params: P };
/** Targets, parameters and confirmation. */
export type Given<Id extends CommandId> = Id extends CommandId
  ? TargetsOption<Commands[Id]['targets']> & ParamsOption<Commands[Id]['params']> & { confirm?: true }
  : never;
/** Optional if the command needs nothing. */
export type GivenTo<Id extends CommandId> = Id extends CommandId
  ? Record<never, never> extends Given<Id>
    ? [given?: Given<Id>]
    : [given: Given<Id>]
  : never;

/** To test refusals. */
export interface Anything {
  targets?: readonly Target[];
  params?: Readonly<Record<string, unknown>>;
  confirm?: true;
}

export type ListName = keyof Lists;
export type EntityName = keyof Rows;
/** `limit` is 200 by default. */
export interface Asked<Name extends ListName> {
  filter?: Lists[Name]['filter'];
  sort?: Lists[Name]['sort'];
  direction?: 'asc' | 'desc';
  limit?: number;
}

export interface CommandSheet {
  id: CommandId;
  name: { zh: string; en: string };
  permission: string;
  place: string;
  target: 'none' | { kind: 'one'; entity: string } | { kind: 'many'; entity: string; max: number };
  params: readonly {
    name: string;
    kind: string | null;
    required: boolean;
    label: { zh: string; en: string } | null;
    choices: readonly { value: string; label: { zh: string; en: string } }[] | null;
    schema: Readonly<Record<string, unknown>>;
  }[];
  schema: Readonly<Record<string, unknown>> | null;
  danger: string;
  confirms: boolean;
  keys: readonly string[];
}

/** A value that a field of a command's form offers. */
export interface FieldOption {
  value: string;
  label: string;
  note?: string;
}

export interface Assessment {
  state: 'ok' | 'hidden' | 'blocked';
  reason?: string;
}

export interface PageAdmin {
  version?: string;
  list(): Promise<CommandSheet[]>;
  assess(id: string): Assessment;
  run(id: string, input: Anything): Promise<Answer>;
  read(list: string, request: object): Promise<unknown[]>;
  get(entity: string, id: string): Promise<unknown>;
  options(id: string, request: object): Promise<unknown[]>;
  opened?(): Promise<void>;
}
