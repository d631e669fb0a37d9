import type * as z from 'zod/mini';
import type { CommandId, Permission } from '../../../api/names.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { Api } from '../../lib/net/client.ts';
import type { TextKey, Values } from '../../lib/i18n/i18n.ts';
import type { EntityName, Frame, Target } from '../../lib/scope.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import type { Params } from './fields.ts';
import type { Ui } from './ui.ts';

/** What a command acts on. */
export type TargetSpec =
  | { kind: 'none' }
  | { kind: 'one'; entity: EntityName }
  /** At most `max` a run. With `batches` more of them, and all that match a filter, go in runs of `max`, one after another. */
  | { kind: 'many'; entity: EntityName; max: number; batches?: true };

export const none = { kind: 'none' } as const;
/** What everybody who is signed in may do, wherever they are, to their own panel. */
export const anywhere = { permission: 'anyone', place: 'global', target: none, danger: 'none', passing: true } as const;
/** What puts a part of one record on the clipboard; it says which, of what, and `run`. */
export const copies = {
  icon: 'copy',
  params: null,
  danger: 'none',
  passing: true,
  keys: ['shift+y'],
  done: (): Done => ({ toast: { key: 'common.copied' } }),
} as const;
export const one = <E extends EntityName>(entity: E) => ({ kind: 'one', entity }) as const;
export const many = <E extends EntityName>(entity: E, limits: { max: number; batches?: true }) =>
  ({ kind: 'many', entity, ...limits }) as const;

type TargetsOf<T extends TargetSpec> = T extends { entity: infer E extends EntityName } ? readonly Target<E>[] : readonly never[];
export type ParamsOf<P> = P extends Params<infer S> ? z.infer<S> : Record<never, never>;

/** Why a command cannot run here, in words people can read. */
export interface Blocked {
  reason: TextKey;
  values?: Values;
  /** There is nothing at all that it could act on: lists of commands leave it out, its key says why. */
  absent?: true;
}
export const no = (reason: TextKey, values?: Values): Blocked => (values ? { reason, values } : { reason });
export const absent = (reason: TextKey): Blocked => ({ reason, absent: true });

/** 'none' runs at once · 'reversible' offers undo · 'irreversible' asks first · 'money' ends in a review of every value. */
export type Danger = 'none' | 'reversible' | 'irreversible' | 'money';

/** A sentence that the page writes: the key of a text, and what fills it. */
export interface Sentence {
  key: TextKey;
  values?: Values;
}

/** What a question says of this one press, where that depends on the state of things. */
export interface Saying {
  /** Which words: `ask.<verb>.<variant>`; what these lack comes from `ask.<verb>`. */
  variant?: string;
  values?: Values;
  /** Its first sentences: who else must act, from when it counts, until when it can be undone. */
  lead?: readonly Sentence[];
  /** It says that others sign after this press: `run` tells the server, which refuses a press that would do more. */
  onlySigns?: boolean;
}

/** What goes with a command, a line each in the page's language; and why it cannot succeed as things stand. */
export interface Consequences {
  lines: readonly string[];
  blocked?: string;
}

/** Where a command stands in menus and when its keys are live. 'list': while a list is on screen. */
export type Place = 'global' | 'list' | RoutePath;

export interface Call<T extends TargetSpec, P> {
  api: Api;
  ui: Ui;
  targets: TargetsOf<T>;
  params: ParamsOf<P>;
  /** What the question said when it was answered (`Saying`). */
  onlySigns: boolean;
  signal: AbortSignal;
}

/** A command asked for, as plain data: what history, undo, repeat, links and macros are made of. */
export interface Invocation {
  id: CommandId;
  /** Ids; with the version where only that state of the record is meant (undo: somebody else's later edit is not overwritten). */
  targets?: readonly (string | { id: string; version: number })[];
  params?: Readonly<Record<string, unknown>>;
  /** Parameters that a person is asked for although they are said: a macro's. */
  asks?: readonly string[];
  /** A script's yes to the question a person would be asked. */
  confirm?: true;
}

/** What follows a run. */
export interface Done {
  /** What happened, in words; made of the command's verb when left out, null for none. */
  toast?: { key: TextKey; values?: Values } | null;
  /** What it was done to, where that is not its targets: the record it made. */
  about?: readonly string[];
  /** The inverse, offered as undo: gated and audited again. */
  undo?: Invocation;
  /** What is offered in its place where nothing takes it back: a new record against it. */
  instead?: Invocation;
  /** Queries to read again, by resource. */
  stale?: readonly string[];
  /** Rows that did not follow: how many, and why. */
  failed?: readonly { id: string; code: string }[];
  /** How each row fared stands on screen already (lib/batch.ts). */
  reported?: true;
}

/** A record as it is and as it will be. */
export interface Changes {
  fields: RecordFields;
  before: unknown;
  after: unknown;
}

/** Everything an administrator can do is one of these. */
export interface Command<
  Id extends CommandId = CommandId,
  T extends TargetSpec = TargetSpec,
  P extends Params | null = Params | null,
  R = unknown,
> {
  id: Id;
  /** The right it needs: its own id, a route's path, or 'anyone' who is signed in. */
  permission: Permission | RoutePath | 'anyone';
  icon: IconName;
  place: Place;
  target: T;
  params: P;
  /** True, or why not now. Called with targets that fit `target`. */
  when?: (context: { targets: TargetsOf<T>; frame: Frame | null }) => true | Blocked;
  danger: Danger;
  /** Asks first although it can be undone. The words are `ask.<verb>` of its resource's. */
  confirm?: true;
  /** What it makes of a record, field by field, shown where it is confirmed. */
  changes?: (call: { targets: TargetsOf<T> }) => Changes;
  /**
   * What the question shows besides: what goes with it, who loses what. A line each, in the page's language. Where it is money,
   * nobody can say yes before it stands there.
   */
  consequences?: (context: { api: Api; targets: TargetsOf<T>; params: ParamsOf<P> }) => Promise<readonly string[] | Consequences>;
  /** Reads what `says` has to know, where it has no parameters that do. */
  ready?: (api: Api) => Promise<void>;
  /** How the question says what this press does. It reads what is on the page already. */
  says?: (context: { targets: TargetsOf<T> }) => Saying;
  /** Its records are read again before it is judged and asked: what a colleague did meanwhile changes what this press does. */
  rereads?: true;
  /** Its form asks the question itself, and nothing is asked after it. */
  oneStep?: true;
  /** Gives something up, so the other button says Go back: Cancel would mean either. */
  voids?: true;
  /** What stands beside its form and in its review: a view of its own, by name (ui/ask/panel.tsx). */
  panel?: 'authority' | 'deposit' | 'refund' | 'crsm';
  /** Whether its review cannot be answered with yes until the panel has said that nothing stands against it. */
  vouched?: true;
  /** Default keys: 'mod+k', 'g n', '#'. More than one where the field has two customs. */
  keys?: readonly string[];
  /** Moves the cursor, opens a view: not worth a place in history, never repeated. */
  passing?: true;
  /** For QA and experts: hidden from who does not want that (`$expert`), by script too. */
  expert?: true;
  /** Goes on while its key is held. */
  repeats?: true;
  run: (call: Call<T, P>) => Promise<R> | R;
  done?: (result: Awaited<R>, call: { targets: TargetsOf<T>; params: ParamsOf<P> }) => Done;
}

/** Any command, whatever its targets, parameters and result. */
export type AnyCommand = Omit<Command, 'when' | 'changes' | 'consequences' | 'says' | 'run' | 'done'> & {
  consequences?: (context: { api: Api; targets: readonly never[]; params: never }) => Promise<readonly string[] | Consequences>;
  says?: (context: { targets: readonly never[] }) => Saying;
  when?: (context: { targets: readonly never[]; frame: Frame | null }) => true | Blocked;
  changes?: (call: never) => Changes;
  run: (call: never) => unknown;
  done?: (result: never, call: never) => Done;
};

export function defineCommand<const Id extends CommandId, T extends TargetSpec, P extends Params | null, R>(
  command: Command<Id, T, P, R>,
): Command<Id, T, P, R> {
  return command;
}

/** The inverse or next command as data. */
export const call = (id: CommandId, rest: Omit<Invocation, 'id'> = {}): Invocation => ({ id, ...rest });

/** What a write names a record by: its id, and the version that was seen. */
export interface Seen {
  id: string;
  version: number;
}

export const itemOf = ({ id, version }: Seen): Seen => ({ id, version });
export const versioned = (rows: readonly Seen[]): Seen[] => rows.map(itemOf);

/** The one record a command runs on. */
export function only<T>([target]: readonly T[]): T {
  if (target === undefined) throw new Error('this runs on one record');
  return target;
}
