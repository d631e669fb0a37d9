import type { Api } from '../../../lib/net/client.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import type { Context } from '../assess.ts';
import type { CommandError } from '../command-error.ts';
import type { Invocation } from '../define.ts';
import type { Registry } from '../registry.ts';
import type { Source } from '../ui.ts';
import type { Host } from '../host.ts';

/** What came of an invocation. */
export type Outcome =
  /** `ran`: what exactly, without its secrets and files; `entry`: its place in the history; `failed`: how many of its records did not follow. */
  | { status: 'done'; result: unknown; ran: Invocation; undo?: Invocation; entry?: string; failed?: number }
  | { status: 'canceled' }
  | { status: 'failed'; error: CommandError };

/** The records an invocation names, read anew; ids that no longer exist are left out. */
export type Loaders = { [E in EntityName]: (api: Api, ids: readonly string[]) => Promise<Target<E>[]> };

export interface Dependencies {
  registry: Registry;
  /** Makes every command known: one may be asked for before the page was idle. */
  loadAll: () => Promise<unknown>;
  host: Host;
  /** How records are read again; they come when one is first named. */
  loaders: () => Promise<Partial<Loaders>>;
  context: () => Context;
  /** What stands selected or under the cursor now. */
  freeze: () => readonly Target[];
  /** Whoever is signed in, by address; '' where nobody is. */
  person: () => string;
  apiFor: (command: string | null, invocation: string | null) => Api;
  /** Told of every run once, a double click's too, as it begins. */
  watch?: (run: Run) => void;
  /** Told when a run has had its effect and only its lists are to be read again, and what takes it back. */
  worked?: (undo?: Invocation) => void;
  /** Told when a run has had its effect and the form that was filled in for it is gone. */
  answered?: () => void;
  /** Whoever began it. */
  by?: string;
}

export interface Run {
  invocation: Invocation;
  source: Source;
  /** What it was aimed at, where that was frozen. */
  frozen: readonly Target[];
  /** Never rejects. */
  outcome: Promise<Outcome>;
}

export type Dispatch = (invocation: Invocation, source: Source, frozen?: readonly Target[]) => Promise<Outcome>;
