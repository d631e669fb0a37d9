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
  | TechnicalField;

/** For programs and auditors, such as ids and calldata. Left out of main views. */
interface TechnicalField {
  as: 'technical';
}

export type FieldUnit = 'BTC' | 'YBTC' | 'YU';
export const decimalsByUnit: Readonly<Record<FieldUnit, number>> = { BTC: 8, YBTC: 18, YU: 18 };

export type RecordField = (Exclude<DisplayKind, TechnicalField> & { label: TextKey }) | TechnicalField;
export type RecordFields = Readonly<Record<string, RecordField>>;

export type RecordedFields = { readonly [K in AuditKind]?: RecordFields };

type PlainKind = Exclude<DisplayKind['as'], 'technical' | 'amount' | 'choice' | 'list' | 'record' | 'arguments' | 'filter'>;
const createPlainField =
  (kind: PlainKind) =>
  (label: TextKey): RecordField => ({ as: kind, label });

export const text = createPlainField('text');
export const number = createPlainField('number');
export const count = createPlainField('count');
export const bytes = createPlainField('bytes');
export const time = createPlainField('time');
export const duration = createPlainField('duration');
export const flagField = createPlainField('flag');
export const percentField = createPlainField('percent');
export const role = createPlainField('role');
export const permission = createPlainField('permission');
export const statementField = createPlainField('statement');
export const freezeField = createPlainField('freeze');
export const differenceField = createPlainField('difference');
export const address = createPlainField('address');
export const hash = createPlainField('hash');
export const link = createPlainField('link');
export const picture = createPlainField('picture');
export const technicalField = { as: 'technical' } as const;

export const amount = (label: TextKey, unit: FieldUnit): RecordField => ({ as: 'amount', unit, label });
/** `prefix`: dictionary key of the codes' texts. */
export const choiceField = (label: TextKey, prefix: string): RecordField => namedField(label, createTextLookup(prefix));
export const namedField = (label: TextKey, toText: (value: string) => string | null): RecordField => ({
  as: 'choice',
  words: toText,
  label,
});
const createTextLookup = (prefix: string) => (value: string) => tMaybe(`${prefix}.${value}`);
export const listField = (label: TextKey, itemKind: DisplayKind): RecordField => ({ as: 'list', of: itemKind, label });
export const recordField = (label: TextKey, fields: RecordFields): RecordField => ({ as: 'record', fields, label });
export const recordsField = (label: TextKey, fields: RecordFields): RecordField => listField(label, { as: 'record', fields });

/** Timestamps are left out, because the audit entry has its own. */
export const commonFields = {
  id: technicalField,
  version: technicalField,
  createdAt: time('record.field.createdAt'),
  updatedAt: technicalField,
} as const satisfies RecordFields;

export const exportFields = (filters: Filters, sortLabel: string | ((sort: string) => string | null)): RecordFields => ({
  filter: { as: 'filter', filters, label: 'record.field.filter' },
  sort: namedField('record.field.sort', typeof sortLabel === 'string' ? createTextLookup(sortLabel) : sortLabel),
  direction: choiceField('record.field.direction', 'record.direction'),
  locale: choiceField('record.field.language', 'record.language'),
  rows: count('record.field.rows'),
  through: number('record.field.through'),
  zone: text('record.field.zone'),
  format: choiceField('record.field.format', 'record.format'),
  bytes: bytes('record.field.fileSize'),
  problem: choiceField('record.field.reason', 'record.exportProblem'),
});
