import type { TextKey } from '../../i18n/i18n.ts';

/** What an amount is typed in: base units are `decimals` further right. */
export interface Units {
  unit: 'BTC' | 'YU' | '%';
  decimals: 8 | 16 | 18;
}

/** What an amount may be, in base units. `above`, `below`: the bound itself is left out. `most` null: no bound of its own. */
export interface UnitsRange {
  least: string;
  above?: boolean;
  most: string | null;
  below?: boolean;
}

/** One thing to pick from. `note` stands beside it; `blocked` says why it cannot be picked. */
export interface PickOption {
  value: string;
  label: string;
  note?: string;
  blocked?: string;
  /** What is shown of it before it is chosen. */
  preview?: readonly { label: string; text: string; as?: 'link' }[];
}

/** One node of a tree to choose from. `also` is found by a search too; `blocked` says why it cannot be chosen. */
export interface TreeNode {
  id: string;
  parentId: string | null;
  label: string;
  identifier: string;
  also: string;
  isMenu: boolean;
  blocked?: string;
  note?: string;
}

interface Common {
  label: TextKey;
  /** One line under the label: what is expected. */
  hint?: TextKey;
  /** May be left empty; all others carry the required mark. */
  optional?: boolean;
}

/** How one value of a form is asked for. Its rules are the schema's. */
export type FieldView = Common &
  (
    | { as: 'text' | 'multiline' | 'url' | 'picture' | 'time' }
    /** An amount or a percentage; its value is base units, or what was typed where that is no amount. */
    | ({ as: 'units'; range?: (values: FormValues, signal: AbortSignal) => Promise<UnitsRange | null> } & Units)
    /** `fills` is for password managers: the password that stands, or one to be. */
    | { as: 'secret'; fills: 'current-password' | 'new-password' }
    /** A whole number, typed. */
    | { as: 'number'; signed?: true }
    /** Six digits; with `send` they come by mail, and a button asks for them. Answers the seconds until it may be asked again. */
    | { as: 'code'; send?: (signal: AbortSignal) => Promise<{ wait: number }> }
    | {
        as: 'choice';
        options: readonly { value: string; label: TextKey }[];
        fits?: (value: string, values: FormValues) => boolean;
      }
    | { as: 'flag'; says: TextKey }
    | { as: 'file'; says: TextKey; accept: string }
    /** `follows`: the field whose value the options are for. */
    | { as: 'pick'; options: (signal: AbortSignal, values: FormValues) => Promise<readonly PickOption[]>; follows?: string }
    | { as: 'tree'; nodes: (signal: AbortSignal) => Promise<readonly TreeNode[]> }
    | { as: 'picks'; options: (signal: AbortSignal) => Promise<readonly PickOption[]>; empty: TextKey }
  );

export type FieldViews = Readonly<Record<string, FieldView>>;
export type FormValues = Readonly<Record<string, unknown>>;

/** Takes a picture to the server and answers its address. */
export type Upload = (file: File, signal: AbortSignal) => Promise<{ url: string }>;

/** What every control is given. */
export interface ControlProps<V> {
  id: string;
  value: V;
  onChange: (value: V) => void;
  required: boolean;
  invalid: boolean;
  /** Ids of its hint and error. */
  describedBy: string | undefined;
  /** Id of its label, for what is not a labelable element. */
  labelledBy: string;
  autoFocus: boolean;
}

/** What is never kept: not in a draft, nor in history, a macro or a link. */
export const isSecret = (field: { as: string } | undefined): boolean => ['secret', 'code', 'file'].includes(field?.as ?? '');
