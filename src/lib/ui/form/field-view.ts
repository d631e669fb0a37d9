import type { TextKey } from '../../i18n/i18n.ts';

/** `decimals`: number of decimals of the base units. */
export interface Units {
  unit: 'BTC' | 'YU' | '%';
  decimals: 8 | 16 | 18;
}

/** Bounds in base units. `above`, `below`: exclusive. `most` null: unlimited. */
export interface UnitsRange {
  least: string;
  above?: boolean;
  most: string | null;
  below?: boolean;
}

/** `blocked`: the reason. */
export interface PickOption {
  value: string;
  label: string;
  note?: string;
  blocked?: string;
  preview?: readonly { label: string; text: string; as?: 'link' }[];
}

/** `also` is searched too. `blocked`: the reason. */
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

interface CommonView {
  label: TextKey;
  hint?: TextKey;
  /** Required fields show a mark. */
  optional?: boolean;
  /** Neighbors with the same label are behind it until one has a value. */
  group?: TextKey;
}

export type FieldView = CommonView &
  (
    | { as: 'text' | 'multiline' | 'url' | 'picture' | 'time' }
    /** The value is base units, or the typed text if it is not an amount. */
    | ({ as: 'units'; range?: (values: FormValues, signal: AbortSignal) => Promise<UnitsRange | null> } & Units)
    /** `fills` tells password managers whether it is the current or a new password. */
    | { as: 'secret'; fills: 'current-password' | 'new-password' }
    | { as: 'number'; signed?: true }
    /** `send` resolves to the seconds until the next code is allowed. */
    | { as: 'code'; send?: (signal: AbortSignal) => Promise<{ wait: number }> }
    | {
        as: 'choice';
        options: readonly { value: string; label: TextKey }[];
        fits?: (value: string, values: FormValues) => boolean;
      }
    | { as: 'flag'; says: TextKey }
    /** The value is text with a line for each band. */
    | { as: 'bands'; roles: (signal: AbortSignal) => Promise<readonly string[]> }
    | { as: 'file'; says: TextKey; accept: string }
    /** `follows`: the field that the options depend on. */
    | { as: 'pick'; options: (signal: AbortSignal, values: FormValues) => Promise<readonly PickOption[]>; follows?: string }
    | { as: 'tree'; nodes: (signal: AbortSignal) => Promise<readonly TreeNode[]> }
    | { as: 'picks'; options: (signal: AbortSignal) => Promise<readonly PickOption[]>; empty: TextKey }
  );

export type FieldViews = Readonly<Record<string, FieldView>>;
export type FormValues = Readonly<Record<string, unknown>>;

export type UploadFile = (file: File, signal: AbortSignal) => Promise<{ url: string }>;

export interface ControlProps<V> {
  id: string;
  value: V;
  onChange: (value: V) => void;
  required: boolean;
  invalid: boolean;
  describedBy: string | undefined;
  labelledBy: string;
  autoFocus: boolean;
}

/** Never saved in a draft, history, macro or link. */
export const isSecret = (field: { as: string } | undefined): boolean => ['secret', 'code', 'file'].includes(field?.as ?? '');
