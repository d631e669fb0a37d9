import { tMaybe, type AuditKind, type TextKey } from '../../i18n/i18n.ts';
import type { Filters } from '../list/filter/filters.ts';

/** Durations are seconds. */
export type TextKind =
  | {
      as:
        | 'text'
        /** An index, nonce or numeric id, ungrouped. */
        | 'number'
        | 'count'
        | 'bytes'
        | 'duration'
        | 'flag'
        | 'role'
        /** A screen's path or a command's id. */
        | 'permission'
        | 'statement'
        /** A statement number, or the id of a ledger freeze. */
        | 'freeze'
        | 'difference';
    }
  | { as: 'choice'; words: (value: string) => string | null };

/** Amounts are base units, ratios 1e18 for 100 %. */
export type DisplayKind =
  | TextKind
  /** `person`: an administrator's id. */
  | { as: 'time' | 'percent' | 'person' | 'address' | 'hash' | 'link' | 'picture' }
  | { as: 'amount'; unit: FieldUnit }
  | { as: 'list'; of: DisplayKind }
  | { as: 'record'; fields: RecordFields }
  /** A list of `{ name, value }`. */
  | { as: 'arguments'; fields: RecordFields }
  | { as: 'filter'; filters: Filters }
  | Technical;

/** For programs and auditors, such as ids and calldata. Left out of main views. */
interface Technical {
  as: 'technical';
}

export type FieldUnit = 'BTC' | 'YBTC' | 'YU';
export const decimalsOf: Readonly<Record<FieldUnit, number>> = { BTC: 8, YBTC: 18, YU: 18 };

export type RecordField = (Exclude<DisplayKind, Technical> & { label: TextKey }) | Technical;
export type RecordFields = Readonly<Record<string, RecordField>>;

export type RecordedFields = { readonly [K in AuditKind]?: RecordFields };

type Plain = Exclude<DisplayKind['as'], 'technical' | 'amount' | 'choice' | 'list' | 'record' | 'arguments' | 'filter'>;
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
export const statementField = plain('statement');
export const freeze = plain('freeze');
export const difference = plain('difference');
export const address = plain('address');
export const hash = plain('hash');
export const link = plain('link');
export const picture = plain('picture');
export const technical = { as: 'technical' } as const;

export const amount = (label: TextKey, unit: FieldUnit): RecordField => ({ as: 'amount', unit, label });
/** `prefix`: dictionary key of the codes' texts. */
export const choice = (label: TextKey, prefix: string): RecordField => named(label, wordsIn(prefix));
export const named = (label: TextKey, words: (value: string) => string | null): RecordField => ({ as: 'choice', words, label });
const wordsIn = (prefix: string) => (value: string) => tMaybe(`${prefix}.${value}`);
export const listField = (label: TextKey, of: DisplayKind): RecordField => ({ as: 'list', of, label });
export const recordField = (label: TextKey, fields: RecordFields): RecordField => ({ as: 'record', fields, label });
export const recordsField = (label: TextKey, fields: RecordFields): RecordField => listField(label, { as: 'record', fields });

/** Timestamps are left out, because the audit entry has its own. */
export const commonFields = {
  id: technical,
  version: technical,
  createdAt: time('record.field.createdAt'),
  updatedAt: technical,
} as const satisfies RecordFields;

export const exportFields = (filters: Filters, sorts: string | ((sort: string) => string | null)): RecordFields => ({
  filter: { as: 'filter', filters, label: 'record.field.filter' },
  sort: named('record.field.sort', typeof sorts === 'string' ? wordsIn(sorts) : sorts),
  direction: choice('record.field.direction', 'record.direction'),
  locale: choice('record.field.language', 'record.language'),
  rows: count('record.field.rows'),
  through: number('record.field.through'),
  zone: text('record.field.zone'),
  format: choice('record.field.format', 'record.format'),
  bytes: bytes('record.field.fileSize'),
  problem: choice('record.field.reason', 'record.exportProblem'),
});
