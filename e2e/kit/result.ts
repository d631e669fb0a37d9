import type { Commands, Lists, Rows } from './commands.ts';

export type CommandId = keyof Commands;

/** A record that a command aims at: its id, or with a version the record as it stood then (CONFLICT where it has moved on). */
export type Target = string | { readonly id: string; readonly version: number };

/** Records that did not follow, each with why. */
export interface Failed {
  id: string;
  code: string;
  message: string;
}

/** What every command answers. */
export interface Answer<Done extends readonly unknown[] = readonly unknown[], Value = unknown> {
  /** The records it was done to, as they are now: one where it makes or changes one. */
  done: Done;
  failed: readonly Failed[];
  /** All that it answers. */
  value: Value;
}

type Value<Id extends CommandId> = Commands[Id]['value'];

/** What is done, read off what is answered: as the panel does it (src/commands/app/answer.ts). */
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

type Aimed<T> = T extends null ? { targets?: undefined } : { targets?: readonly Target[] };
type Told<P> = P extends null ? { params?: undefined } : Record<never, never> extends P ? { params?: P } : { params: P };
/** What a command is given: what it aims at, what it takes, and the yes to what a person would be asked. */
export type Given<Id extends CommandId> = Id extends CommandId
  ? Aimed<Commands[Id]['targets']> & Told<Commands[Id]['params']> & { confirm?: true }
  : never;
/** May be left out where nothing has to be said. */
export type GivenTo<Id extends CommandId> = Id extends CommandId
  ? Record<never, never> extends Given<Id>
    ? [given?: Given<Id>]
    : [given: Given<Id>]
  : never;

/** What the types would refuse, for the tests of how the panel refuses it. */
export interface Anything {
  targets?: readonly Target[];
  params?: Readonly<Record<string, unknown>>;
  confirm?: true;
}

export type ListName = keyof Lists;
export type EntityName = keyof Rows;
/** How a list is asked; 200 rows unless `limit` says otherwise. */
export interface Asked<Name extends ListName> {
  filter?: Lists[Name]['filter'];
  sort?: Lists[Name]['sort'];
  direction?: 'asc' | 'desc';
  limit?: number;
}

/** A command as the panel tells of it. */
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

/** `window.admin` of a signed-in page. */
export interface PageAdmin {
  version?: string;
  list(): Promise<CommandSheet[]>;
  assess(id: string): { state: 'ok' | 'hidden' | 'blocked'; reason?: string };
  run(id: string, given: Anything): Promise<Answer>;
  read(list: string, asked: object): Promise<unknown[]>;
  get(entity: string, id: string): Promise<unknown>;
  opened?(): Promise<void>;
}
