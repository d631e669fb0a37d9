import { tMaybe, type AuditKind, type TextKey } from '../../i18n/i18n.ts';
import type { Filters } from '../list/filter/filters.ts';

/** How a recorded value is shown that is one text. Durations are seconds. */
export type TextShown =
  | {
      as:
        | 'text'
        /** An index, a nonce or an id that is a number: not grouped. */
        | 'number'
        | 'count'
        | 'bytes'
        | 'duration'
        | 'flag'
        | 'role'
        /** A screen's path or a command's id, shown as its name. */
        | 'permission'
        /** The number of a statement in the authority log. */
        | 'statement'
        /** What an unfreeze names: the number of a statement, or the id of a freeze of this server. */
        | 'freeze'
        | 'difference';
    }
  /** One of a few codes. */
  | { as: 'choice'; words: (value: string) => string | null };

/** How a recorded value is shown. Amounts are base units, ratios 1e18 for 100 %. */
export type Shown =
  | TextShown
  /** `person`: an administrator's id, shown as their email. */
  | { as: 'time' | 'percent' | 'person' | 'address' | 'hash' | 'link' | 'picture' }
  | { as: 'amount'; unit: Unit }
  | { as: 'list'; of: Shown }
  | { as: 'record'; fields: RecordFields }
  /** Arguments of a contract call, as a list of `{ name, value }`. */
  | { as: 'arguments'; fields: RecordFields }
  | { as: 'filter'; filters: Filters }
  | Technical;

/** What only a program or an auditor needs: an id, raw call data, a hash of the content. It is in no main view. */
interface Technical {
  as: 'technical';
}

export type Unit = 'BTC' | 'YBTC' | 'YU';
export const decimalsOf: Readonly<Record<Unit, number>> = { BTC: 8, YBTC: 18, YU: 18 };

/** A field that the audit holds: its name, and how its value is shown. */
export type RecordField = (Exclude<Shown, Technical> & { label: TextKey }) | Technical;
export type RecordFields = Readonly<Record<string, RecordField>>;

/** The fields of a feature's records, by the audit's word for the record. */
export type Recorded = { readonly [K in AuditKind]?: RecordFields };

type Plain = Exclude<Shown['as'], 'technical' | 'amount' | 'choice' | 'list' | 'record' | 'arguments' | 'filter'>;
const plain =
  (as: Plain) =>
  (label: TextKey): RecordField => ({ as, label });

export const text = plain('text');
export const number = plain('number');
export const count = plain('count');
export const bytes = plain('bytes');
export const time = plain('time');
export const duration = plain('duration');
export const flag = plain('flag');
export const percent = plain('percent');
export const role = plain('role');
export const permission = plain('permission');
export const statement = plain('statement');
export const freeze = plain('freeze');
export const difference = plain('difference');
export const address = plain('address');
export const hash = plain('hash');
export const link = plain('link');
export const picture = plain('picture');
export const technical = { as: 'technical' } as const;

export const amount = (label: TextKey, unit: Unit): RecordField => ({ as: 'amount', unit, label });
/** One of a few codes, whose words are under a prefix of the dictionary. */
export const choice = (label: TextKey, prefix: string): RecordField => called(label, wordsIn(prefix));
export const called = (label: TextKey, words: (value: string) => string | null): RecordField => ({ as: 'choice', words, label });
const wordsIn = (prefix: string) => (value: string) => tMaybe(`${prefix}.${value}`);
export const list = (label: TextKey, of: Shown): RecordField => ({ as: 'list', of, label });
export const record = (label: TextKey, fields: RecordFields): RecordField => ({ as: 'record', fields, label });
export const records = (label: TextKey, fields: RecordFields): RecordField => list(label, { as: 'record', fields });

/** What every record has that is kept by the server. An entry has its own time: what it moved says nothing. */
export const common = {
  id: technical,
  version: technical,
  createdAt: time('record.field.createdAt'),
  updatedAt: technical,
} as const satisfies RecordFields;

/** What the audit holds of an export: which rows, in which order and language. */
export const exported = (filters: Filters, sorts: string | ((sort: string) => string | null)): RecordFields => ({
  filter: { as: 'filter', filters, label: 'record.field.filter' },
  sort: called('record.field.sort', typeof sorts === 'string' ? wordsIn(sorts) : sorts),
  direction: choice('record.field.direction', 'record.direction'),
  locale: choice('record.field.language', 'record.language'),
  rows: count('record.field.rows'),
  through: number('record.field.through'),
});
