import type * as z from 'zod/mini';
import type { CommandId, Permission } from '../../../api/names.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { Api } from '../../lib/net/client.ts';
import type { TextKey, MessageValues } from '../../lib/i18n/i18n.ts';
import type { EntityName, ViewContext, Target } from '../../lib/scope.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import type { ParamSpec } from './fields.ts';
import type { Review } from './review.ts';
import type { Ui } from './ui.ts';

export type TargetSpec =
  | { kind: 'none' }
  | { kind: 'one'; entity: EntityName }
  /**
   * At most `max` per transaction. With `batches`, larger selections run in several transactions. `together`: `when` judges all
   * records at once, and none is left out.
   */
  | { kind: 'many'; entity: EntityName; max: number; batches?: true; together?: true };

export const noTarget = { kind: 'none' } as const;
/** For commands that every signed-in person may run on any screen. */
export const globalCommand = {
  permission: 'anyone',
  place: 'global',
  target: noTarget,
  danger: 'none',
  excludeFromHistory: true,
} as const;
export const copyCommand = {
  icon: 'copy',
  params: null,
  danger: 'none',
  excludeFromHistory: true,
  keys: ['shift+y'],
  done: (): CommandResult => ({ toast: { key: 'common.copied' } }),
} as const;
export const oneTarget = <E extends EntityName>(entity: E) => ({ kind: 'one', entity }) as const;
export const manyTargets = <E extends EntityName>(entity: E, limits: { max: number; batches?: true; together?: true }) =>
  ({ kind: 'many', entity, ...limits }) as const;

type TargetsOf<T extends TargetSpec> = T extends { entity: infer E extends EntityName } ? readonly Target<E>[] : readonly never[];
export type ParamsOf<P> = P extends ParamSpec<infer S> ? z.infer<S> : Record<never, never>;

export interface BlockReason {
  reason: TextKey;
  values?: MessageValues;
  /** Lists of commands leave it out. Its key shows the reason. */
  absent?: true;
}
export const blockedBecause = (reason: TextKey, values?: MessageValues): BlockReason =>
  values ? { reason, values } : { reason };
export const notApplicable = (reason: TextKey): BlockReason => ({ reason, absent: true });

/**
 * 'none' runs directly. 'reversible' offers undo. 'irreversible' asks first. 'money' reviews every
 * value.
 */
export type Danger = 'none' | 'reversible' | 'irreversible' | 'money';

/** A sentence that the page writes: the key of a text, and what fills it. */
export interface MessageRef {
  key: TextKey;
  values?: MessageValues;
}

export interface ConfirmWording {
  /** `ask.<verb>.<variant>`, with `ask.<verb>` as the fallback. */
  variant?: string;
  values?: MessageValues;
  /** Who else must act, when it takes effect, and until when it can be undone. */
  lead?: readonly MessageRef[];
  /** Promises that others sign after this press. The server refuses a press that would do more. */
  onlySigns?: boolean;
}

/** One line per consequence, and why the command would fail now. */
export interface Consequences {
  lines: readonly string[];
  /** Money and chain calls, one for each record. */
  reviews?: readonly Review[];
  blocked?: string;
}

/** 'list': while a list is on screen. */
export type CommandScope = 'global' | 'list' | RoutePath;

export interface RunContext<T extends TargetSpec, P> {
  api: Api;
  ui: Ui;
  targets: TargetsOf<T>;
  params: ParamsOf<P>;
  onlySigns: boolean;
  signal: AbortSignal;
}

/** Plain data, so that history, undo, links and macros can store it. */
export interface Invocation {
  id: CommandId;
  /** With a version only that state is meant, so that an undo never overwrites a later edit. */
  targets?: readonly (string | { id: string; version: number })[];
  params?: Readonly<Record<string, unknown>>;
  /** Parameters that are asked for even if they are given. */
  asks?: readonly string[];
  /** A script's confirmation. */
  confirm?: true;
}

export interface CommandResult {
  /** Null: none. Undefined: from the command's verb. */
  toast?: { key: TextKey; values?: MessageValues } | null;
  /** Records that it affected, if not its targets. */
  about?: readonly string[];
  /** Needs permission and is audited like any command. */
  undo?: Invocation;
  /** Offered when undo is impossible, such as an opposite record. */
  instead?: Invocation;
  /** Queries to refetch, by resource. */
  stale?: readonly string[];
  failed?: readonly { id: string; code: string }[];
  /** Each row's result is already on screen (lib/batch.ts). */
  reported?: true;
}

export interface PreviewedChange {
  fields: RecordFields;
  before: unknown;
  after: unknown;
}

export interface Command<
  Id extends CommandId = CommandId,
  T extends TargetSpec = TargetSpec,
  P extends ParamSpec | null = ParamSpec | null,
  R = unknown,
> {
  id: Id;
  /** Its own id, a route's path, or 'anyone' who is signed in. */
  permission: Permission | RoutePath | 'anyone';
  icon: IconName;
  place: CommandScope;
  target: T;
  params: P;
  /** Called only with targets that fit `target`. */
  when?: (context: { targets: TargetsOf<T>; viewContext: ViewContext | null }) => true | BlockReason;
  danger: Danger;
  /** Asks first although it can be undone. */
  confirm?: true;
  /** True if an earlier answer covers this run too. */
  isPreconfirmed?: () => boolean;
  changes?: (call: { targets: TargetsOf<T> }) => PreviewedChange;
  /** Extra lines of the question. With money, nobody can confirm before they are loaded. */
  consequences?: (context: { api: Api; targets: TargetsOf<T>; params: ParamsOf<P> }) => Promise<readonly string[] | Consequences>;
  /** Loads what `confirmWording` needs. */
  ready?: (api: Api) => Promise<void>;
  /** Reads only what is loaded already. */
  confirmWording?: (context: { targets: TargetsOf<T> }) => ConfirmWording;
  /**
   * Records are refetched before the question, because a colleague may have changed what this press
   * does.
   */
  refreshesTargets?: true;
  /** Its form is the confirmation. 'form': the palette asks step by step instead, and ends in a review. */
  oneStep?: true | 'form';
  /** The other button says Go back, because Cancel would be ambiguous. */
  voids?: true;
  /** Names a view in ui/dialogs/panel.tsx. */
  panel?: 'authority' | 'deposit' | 'refund' | 'crsm' | 'newsJoin' | 'cli';
  /** The panel or the consequences name every parameter, so the review doesn't list them again. */
  reviewNamesParams?: true;
  /** The review can't be confirmed until the panel reports no problem. */
  requiresPanelApproval?: true;
  /** 'mod+k', 'g n', '#'. */
  keys?: readonly string[];
  /** Left out of history, never repeated. */
  excludeFromHistory?: true;
  /** Hidden without `$expert`, also from scripts. */
  expert?: true;
  repeats?: true;
  run: (call: RunContext<T, P>) => Promise<R> | R;
  done?: (result: Awaited<R>, call: { targets: TargetsOf<T>; params: ParamsOf<P> }) => CommandResult;
}

/** Any command, whatever its targets, parameters and result. */
export type AnyCommand = Omit<Command, 'when' | 'changes' | 'consequences' | 'confirmWording' | 'run' | 'done'> & {
  consequences?: (context: { api: Api; targets: readonly never[]; params: never }) => Promise<readonly string[] | Consequences>;
  confirmWording?: (context: { targets: readonly never[] }) => ConfirmWording;
  when?: (context: { targets: readonly never[]; viewContext: ViewContext | null }) => true | BlockReason;
  changes?: (call: never) => PreviewedChange;
  run: (call: never) => unknown;
  done?: (result: never, call: never) => CommandResult;
};

export function defineCommand<const Id extends CommandId, T extends TargetSpec, P extends ParamSpec | null, R>(
  command: Command<Id, T, P, R>,
): Command<Id, T, P, R> {
  return command;
}

export const invocation = (id: CommandId, otherFields: Omit<Invocation, 'id'> = {}): Invocation => ({ id, ...otherFields });

/** The version that the person saw. */
export interface ItemVersion {
  id: string;
  version: number;
}

export const toItemVersion = ({ id, version }: ItemVersion): ItemVersion => ({ id, version });
export const toItemVersions = (rows: readonly ItemVersion[]): ItemVersion[] => rows.map(toItemVersion);

export function firstOf<T>([target]: readonly T[]): T {
  if (target === undefined) throw new Error('this runs on one record');
  return target;
}
