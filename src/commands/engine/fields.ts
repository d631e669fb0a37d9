import type * as z from 'zod/mini';
import type { FieldIssue } from '../../../api/errors.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Entities, EntityName, Target } from '../../lib/scope.ts';
import type { Ui } from './ui.ts';
import type { Units, UnitsRange } from '../../lib/ui/form/field-view.ts';

/** What a collector may know while it asks. */
export interface FieldContext {
  api: Api;
  targets: readonly Target[];
  signal: AbortSignal;
  /** What is typed to find an option, where options are searched for. */
  query?: string;
  /** What was said so far, where options follow another field. */
  values?: Readonly<ParamValues>;
}

/** One thing to pick from. `note` stands beside it; `blocked` makes it visible but not pickable. */
export interface Option {
  value: string;
  label: string;
  note?: string;
  blocked?: TextKey;
  /** What is shown of it before it is chosen. */
  preview?: readonly PreviewLine[];
}

export interface PreviewLine {
  label: TextKey;
  text: string;
  as?: 'link';
}

/** A node of a tree to choose from, parents first. `also` is found by a search as well. */
export interface TreeOption {
  id: string;
  parentId: string | null;
  label: string;
  /** Identifier and the other language's name. */
  identifier: string;
  also: string;
  isMenu: boolean;
  blocked?: TextKey;
  note?: TextKey;
}

/** How one parameter is asked for. Its rules are the schema's, never the hint's. */
export type Field =
  | { as: 'text' | 'multiline' | 'url' | 'picture' | 'time'; label: TextKey; optional?: true; hint?: TextKey; helper?: Helper }
  | Secret
  | Amount
  /** A whole number, typed; exact at any size. */
  | { as: 'number'; label: TextKey; hint?: TextKey; signed?: true }
  | { as: 'code'; label: TextKey; send: (context: FieldContext) => Promise<{ wait: number }> }
  | Choice
  | { as: 'flag'; label: TextKey; says: TextKey }
  /** Dropped, pasted or chosen; or the text of one, pasted or from a script. `accept` as an input has it. */
  | { as: 'file'; label: TextKey; says: TextKey; accept: string }
  /** `searched`: there may be more than are shown, and the options follow what is typed. `follows`: they follow another field. */
  | { as: 'pick'; label: TextKey; options: (context: FieldContext) => Promise<Option[]>; searched?: true; follows?: string }
  | { as: 'tree'; label: TextKey; nodes: (context: FieldContext) => Promise<TreeOption[]> }
  | { as: 'picks'; label: TextKey; options: (context: FieldContext) => Promise<Option[]>; empty: TextKey };

/** What stands under a field and fills in others from it (ui/ask/helper.tsx). */
export type Helper = 'transaction' | 'receiver';

/** An amount in a token's units, or a percentage; its value is base units. `range` is what is allowed while the form holds `values`. */
interface Amount extends Units {
  as: 'units';
  label: TextKey;
  optional?: true;
  hint?: TextKey;
  range?: (context: FieldContext & { values: Readonly<ParamValues> }) => Promise<UnitsRange | null>;
}

/** One of a few. `fits`: whether it makes sense beside what else the form holds. */
interface Choice {
  as: 'choice';
  label: TextKey;
  options: readonly { value: string; label: TextKey }[];
  fits?: (value: string, values: Readonly<ParamValues>, targets: readonly Target[]) => boolean;
}

/** What must not be seen nor kept. `fills` tells password managers whether it stands already or is being chosen. */
interface Secret {
  as: 'secret';
  label: TextKey;
  fills: 'current-password' | 'new-password';
  hint?: TextKey;
}

export type ParamValues = Record<string, unknown>;

/**
 * A command's parameters: the schema its route validates with, and how each is asked for.
 * The schema comes when it is needed: a list stands before the validator is there.
 */
export interface Params<S extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: () => Promise<S>;
  /** What the schema leaves optional may be left out here: it is never asked for, only carried by an invocation. */
  fields: FieldsOf<z.infer<S>>;
  /** What a form starts with. */
  initial?: (context: { targets: readonly Target[]; now: Date }) => Partial<Record<keyof z.infer<S>, unknown>>;
  /** Reads what `initial` has to know, wherever the command was asked for. */
  ready?: (api: Api) => Promise<void>;
  /** Fills in what a script left out, from what it said. A form has helpers for that. */
  complete?: (said: Readonly<ParamValues>, context: { api: Api }) => Promise<ParamValues>;
  /** Rules that the schema cannot know: what the record, the account or the chain allows. */
  check?: (values: z.infer<S>, context: { api: Api; targets: readonly Target[]; ui: Ui }) => Promise<readonly FieldIssue[]>;
  /** They are the fields of the one record it runs on: what a colleague changes meanwhile is merged with what is typed. */
  merges?: true;
}

type FieldsOf<V> = string extends keyof V
  ? Readonly<Record<string, Field>>
  : { readonly [K in keyof V as undefined extends V[K] ? never : K]-?: Field } & {
      readonly [K in keyof V as undefined extends V[K] ? K : never]?: Field;
    };

export const params = <S extends z.ZodMiniObject>(
  schema: () => Promise<S>,
  fields: Params<S>['fields'],
  initial?: NonNullable<Params<S>['initial']>,
): Params<S> => (initial ? { schema, fields, initial } : { schema, fields });

/** The same, where something has to be read before its form or its question is shown. */
export const paramsAfter = <S extends z.ZodMiniObject>(ready: NonNullable<Params<S>['ready']>, rest: Params<S>): Params<S> => ({
  ...rest,
  ready,
});

/** The same, where a script may leave out what follows from the rest. */
export const paramsCompleted = <S extends z.ZodMiniObject>(
  complete: NonNullable<Params<S>['complete']>,
  rest: Params<S>,
): Params<S> => ({ ...rest, complete });

/** The fields of the one record it runs on, as `of` reads them from its row. */
export const recordParams = <S extends z.ZodMiniObject, E extends EntityName>(
  entity: E,
  schema: () => Promise<S>,
  fields: Params<S>['fields'],
  of: (row: Entities[E]) => Record<keyof z.infer<S>, unknown>,
): Params<S> => ({
  schema,
  fields,
  initial: ({ targets: [target] }) => (target?.entity === entity ? of(target.row as Entities[E]) : {}),
  merges: true,
});

export const text = (label: TextKey): Field => ({ as: 'text', label });
/** Six digits that a button asks for, sent by mail. */
export const code = (label: TextKey, send: (context: FieldContext) => Promise<{ wait: number }>): Field => ({
  as: 'code',
  label,
  send,
});
export const number = (label: TextKey): Field => ({ as: 'number', label });
/** One that may be below zero; the hint says what that means. */
export const signedNumber = (label: TextKey, hint: TextKey): Field => ({ as: 'number', label, hint, signed: true });
export const multiline = (label: TextKey): Field => ({ as: 'multiline', label });
/** The password that stands. */
export const secret = (label: TextKey): Field => ({ as: 'secret', label, fills: 'current-password' });
/** A password to be, with what is asked of it. */
export const newSecret = (label: TextKey, hint: TextKey): Field => ({ as: 'secret', label, hint, fills: 'new-password' });
export const url = (label: TextKey): Field => ({ as: 'url', label });
export const picture = (label: TextKey): Field => ({ as: 'picture', label });
export const time = (label: TextKey): Field => ({ as: 'time', label });
/** A moment that may be left out; cleared it is null. */
export const maybeTime = (label: TextKey, hint: TextKey): Field => ({ as: 'time', label, hint, optional: true });
export const choice = (label: TextKey, options: Choice['options']): Choice => ({
  as: 'choice',
  label,
  options,
});
export const picks = (label: TextKey, empty: TextKey, options: (context: FieldContext) => Promise<Option[]>): Field => ({
  as: 'picks',
  label,
  empty,
  options,
});
/** Yes or no: a box to check, with what checking it says. */
export const flag = (label: TextKey, says: TextKey): Field => ({ as: 'flag', label, says });
/** One of what the server has. */
export const pick = (label: TextKey, options: (context: FieldContext) => Promise<Option[]>): Field => ({
  as: 'pick',
  label,
  options,
});
/** One of more than can be shown at once: the options follow what is typed. */
export const searchedPick = (label: TextKey, options: (context: FieldContext) => Promise<Option[]>): Field => ({
  as: 'pick',
  label,
  options,
  searched: true,
});
/** One of what the server has for the value of another field. */
export const followingPick = (label: TextKey, follows: string, options: (context: FieldContext) => Promise<Option[]>): Field => ({
  as: 'pick',
  label,
  options,
  follows,
});
/** Any nodes of a tree: ids, or identifiers from a script. */
export const tree = (label: TextKey, nodes: (context: FieldContext) => Promise<TreeOption[]>): Field => ({
  as: 'tree',
  label,
  nodes,
});
