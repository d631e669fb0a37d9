import type { Api } from '../../../lib/net/client.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import type { CommandContext } from '../assess.ts';
import type { CommandError } from '../command-error.ts';
import type { Invocation } from '../define.ts';
import type { Registry } from '../registry.ts';
import type { InvocationSource } from '../ui.ts';
import type { Host } from '../host.ts';

export type DispatchOutcome =
  /**
   * `ran` has no secrets and files. `entry`: its place in the history. `failed`: records that did
   * not succeed.
   */
  | { status: 'done'; result: unknown; ran: Invocation; undo?: Invocation; entry?: string; failed?: number }
  | { status: 'canceled' }
  | { status: 'failed'; error: CommandError };

/** Ids that no longer exist are left out. */
export type Loaders = { [E in EntityName]: (api: Api, ids: readonly string[]) => Promise<Target<E>[]> };

export interface Dependencies {
  registry: Registry;
  /** A command may be asked for before all are loaded. */
  loadAll: () => Promise<unknown>;
  host: Host;
  loaders: () => Promise<Partial<Loaders>>;
  context: () => CommandContext;
  freeze: () => readonly Target[];
  /** Address; '' when signed out. */
  person: () => string;
  apiFor: (command: string | null, invocation: string | null) => Api;
  /** What others changed in a record. Null: nothing that people see. */
  changedText?: (entity: EntityName, before: object, after: object) => Promise<string | null>;
  /** Called once per run, also for an ignored double click. */
  watch?: (run: DispatchedRun) => void;
  /** Called when only lists remain to be refetched. */
  worked?: (undo?: Invocation) => void;
  answered?: () => void;
  by?: string;
}

export interface DispatchedRun {
  invocation: Invocation;
  source: InvocationSource;
  frozen: readonly Target[];
  /** Never rejects. */
  outcome: Promise<DispatchOutcome>;
}

export type Dispatch = (
  invocation: Invocation,
  source: InvocationSource,
  frozenTargets?: readonly Target[],
) => Promise<DispatchOutcome>;
