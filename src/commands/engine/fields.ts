import type * as z from 'zod/mini';
import type { FieldIssue } from '../../../api/errors.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Entities, EntityName, Target } from '../../lib/scope.ts';
import type { Ui } from './ui.ts';
import type { Units, UnitsRange } from '../../lib/ui/form/field-view.ts';

/** Available to a field while it is asked. */
export interface FieldContext {
  api: Api;
  targets: readonly Target[];
  signal: AbortSignal;
  query?: string;
  values?: Readonly<ParamValues>;
}

/** `blocked`: visible but not selectable. */
export interface FieldOption {
  value: string;
  label: string;
  note?: string;
  blocked?: TextKey;
  preview?: readonly PreviewLine[];
}

export interface PreviewLine {
  label: TextKey;
  text: string;
  as?: 'link';
}

/** Parents first. `also` is searched too. */
export interface TreeOption {
  id: string;
  parentId: string | null;
  label: string;
  identifier: string;
  also: string;
  isMenu: boolean;
  blocked?: TextKey;
  note?: TextKey;
}

/** The schema has the rules. A field only says how to ask. */
export type ParamField =
  | {
      as: 'text' | 'multiline' | 'url' | 'picture' | 'time';
      label: TextKey;
      optional?: true;
      hint?: TextKey;
      group?: TextKey;
      helper?: Helper;
    }
  | Secret
  | Amount
  /** A whole number, exact at any size. */
  | { as: 'number'; label: TextKey; optional?: true; hint?: TextKey; group?: TextKey; helper?: Helper; signed?: true }
  | { as: 'code'; label: TextKey; send: (context: FieldContext) => Promise<{ wait: number }> }
  | Choice
  | { as: 'flag'; label: TextKey; says: TextKey }
  /** Amount bands of a rule, as text with a line each. */
  | { as: 'bands'; label: TextKey; roles: (context: FieldContext) => Promise<readonly string[]> }
  /** `accept` as in an input element. */
  | { as: 'file'; label: TextKey; says: TextKey; accept: string }
  /** `searched`: options follow what is typed. `follows`: options follow another field. */
  | { as: 'pick'; label: TextKey; options: (context: FieldContext) => Promise<FieldOption[]>; searched?: true; follows?: string }
  | { as: 'tree'; label: TextKey; nodes: (context: FieldContext) => Promise<TreeOption[]> }
  | { as: 'picks'; label: TextKey; options: (context: FieldContext) => Promise<FieldOption[]>; empty: TextKey; optional?: true };

/** Shown under a field, and may fill others (ui/dialogs/helper.tsx). */
export type Helper = 'transaction' | 'receiver' | 'networks' | 'sessionLimits';

/** Value in base units. `range`: what is allowed for the form's current `values`. */
interface Amount extends Units {
  as: 'units';
  label: TextKey;
  optional?: true;
  hint?: TextKey;
  range?: (context: FieldContext & { values: Readonly<ParamValues> }) => Promise<UnitsRange | null>;
}

interface Choice {
  as: 'choice';
  label: TextKey;
  optional?: true;
  hint?: TextKey;
  group?: TextKey;
  options: readonly { value: string; label: TextKey }[];
  fits?: (value: string, values: Readonly<ParamValues>, targets: readonly Target[]) => boolean;
}

/** `fills` tells password managers whether the password is current or new. */
interface Secret {
  as: 'secret';
  label: TextKey;
  fills: 'current-password' | 'new-password';
  hint?: TextKey;
}

export type ParamValues = Record<string, unknown>;

/** The schema loads later, because a list is shown before the validator is loaded. */
export interface ParamSpec<S extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: () => Promise<S>;
  /** An optional parameter without a field is never asked for. */
  fields: FieldsOf<z.infer<S>>;
  initial?: (context: { targets: readonly Target[]; now: Date }) => Partial<Record<keyof z.infer<S>, unknown>>;
  ready?: (api: Api) => Promise<void>;
  /** Fills in what a script left out. A form has helpers for that. */
  complete?: (enteredValues: Readonly<ParamValues>, context: { api: Api }) => Promise<ParamValues>;
  /** Rules that depend on the record, the account or the chain. */
  check?: (values: z.infer<S>, context: { api: Api; targets: readonly Target[]; ui: Ui }) => Promise<readonly FieldIssue[]>;
  /** Merges a colleague's changes with what is typed. */
  merges?: true;
}

type FieldsOf<V> = string extends keyof V
  ? Readonly<Record<string, ParamField>>
  : { readonly [K in keyof V as undefined extends V[K] ? never : K]-?: ParamField } & {
      readonly [K in keyof V as undefined extends V[K] ? K : never]?: ParamField;
    };

export const paramSpec = <S extends z.ZodMiniObject>(
  schema: () => Promise<S>,
  fields: ParamSpec<S>['fields'],
  initial?: ParamSpec<S>['initial'],
): ParamSpec<S> => (initial ? { schema, fields, initial } : { schema, fields });

export const paramSpecAfter = <S extends z.ZodMiniObject>(
  ready: NonNullable<ParamSpec<S>['ready']>,
  otherSpec: ParamSpec<S>,
): ParamSpec<S> => ({
  ...otherSpec,
  ready,
});

/** For a schema with values that a script may leave out. */
export const paramsCompleted = <S extends z.ZodMiniObject>(
  complete: NonNullable<ParamSpec<S>['complete']>,
  otherSpec: ParamSpec<S>,
): ParamSpec<S> => ({ ...otherSpec, complete });

/** Reads the values of `fields` from a row. */
export const rowValues =
  (fields: object) =>
  (row: object): Record<string, unknown> =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, (row as Record<string, unknown>)[name]]));

export const recordParams = <S extends z.ZodMiniObject, E extends EntityName>(
  entity: E,
  schema: () => Promise<S>,
  fields: ParamSpec<S>['fields'],
  rowToValues: (row: Entities[E]) => Record<keyof z.infer<S>, unknown>,
): ParamSpec<S> => ({
  schema,
  fields,
  initial: ({ targets: [target] }) => (target?.entity === entity ? rowToValues(target.row as Entities[E]) : {}),
  merges: true,
});

/** `group`: the label of the part of the form that it is in. */
export const optionalField = <Field extends ParamField>(field: Field, group: TextKey, hint?: TextKey) =>
  ({ ...field, optional: true, group, ...(hint && { hint }) }) as const;
export const textField = (label: TextKey): ParamField => ({ as: 'text', label });
export const codeField = (label: TextKey, send: (context: FieldContext) => Promise<{ wait: number }>): ParamField => ({
  as: 'code',
  label,
  send,
});
export const numberField = (label: TextKey): ParamField => ({ as: 'number', label });
export const signedNumberField = (label: TextKey, hint: TextKey): ParamField => ({ as: 'number', label, hint, signed: true });
export const multilineField = (label: TextKey): ParamField => ({ as: 'multiline', label });
export const secretField = (label: TextKey): ParamField => ({ as: 'secret', label, fills: 'current-password' });
export const newSecretField = (label: TextKey, hint: TextKey): ParamField => ({
  as: 'secret',
  label,
  hint,
  fills: 'new-password',
});
export const urlField = (label: TextKey): ParamField => ({ as: 'url', label });
export const pictureField = (label: TextKey): ParamField => ({ as: 'picture', label });
export const timeField = (label: TextKey): ParamField => ({ as: 'time', label });
/** Null when cleared. */
export const optionalTimeField = (label: TextKey, hint: TextKey): ParamField => ({ as: 'time', label, hint, optional: true });
export const choiceField = (label: TextKey, options: Choice['options']): Choice => ({
  as: 'choice',
  label,
  options,
});
export const multiPickField = (
  label: TextKey,
  empty: TextKey,
  options: (context: FieldContext) => Promise<FieldOption[]>,
): ParamField => ({
  as: 'picks',
  label,
  empty,
  options,
});
/** None may be picked. */
export const optionalPicksField = (...[label, empty, options]: Parameters<typeof multiPickField>): ParamField => ({
  as: 'picks',
  label,
  empty,
  options,
  optional: true,
});
export const flagField = (label: TextKey, says: TextKey): ParamField => ({ as: 'flag', label, says });
export const pickField = (label: TextKey, options: (context: FieldContext) => Promise<FieldOption[]>): ParamField => ({
  as: 'pick',
  label,
  options,
});
export const searchPickField = (label: TextKey, options: (context: FieldContext) => Promise<FieldOption[]>): ParamField => ({
  as: 'pick',
  label,
  options,
  searched: true,
});
export const dependentPick = (
  label: TextKey,
  follows: string,
  options: (context: FieldContext) => Promise<FieldOption[]>,
): ParamField => ({
  as: 'pick',
  label,
  options,
  follows,
});
/** Ids, or identifiers from a script. */
export const treeField = (label: TextKey, nodes: (context: FieldContext) => Promise<TreeOption[]>): ParamField => ({
  as: 'tree',
  label,
  nodes,
});
