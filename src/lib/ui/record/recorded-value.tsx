import type { ReactNode } from 'react';
import { toBaseUnits } from '../../../../api/money.ts';
import { PersonName } from '../../authority/person-name.tsx';
import { t } from '../../i18n/i18n.ts';
import { Amount, Percent } from '../../money/amount.tsx';
import { Address } from '../value/address.tsx';
import { NamedAddress } from '../value/named-address.tsx';
import { PictureStrip } from '../value/picture-strip.tsx';
import { SafeLink } from '../value/safe-link.tsx';
import { Time } from '../value/time.tsx';
import { decimalsOf, type RecordField, type RecordFields, type DisplayKind, type FieldUnit } from './fields.ts';
import { recordedConditions, isEmptyValue, fieldText } from './field-text.ts';

export function RecordedValue({ shown, value }: { shown: DisplayKind; value: unknown }): ReactNode {
  if (isEmptyValue(value)) return '—';
  switch (shown.as) {
    case 'technical':
      return null;
    case 'amount':
      return <RecordedAmount value={value} unit={shown.unit} />;
    case 'percent':
      return typeof value === 'string' && toBaseUnits(value) !== null ? <Percent value={value} /> : <Unreadable />;
    case 'time':
      return typeof value === 'string' ? <Time iso={value} /> : <Unreadable />;
    case 'address':
      return typeof value === 'string' ? <NamedAddress value={value} whole /> : <Unreadable />;
    case 'hash':
      return typeof value === 'string' ? <Address value={value} whole /> : <Unreadable />;
    case 'link':
      return typeof value === 'string' ? <SafeLink href={value} whole /> : <Unreadable />;
    case 'picture':
      return typeof value === 'string' ? <PictureStrip pictures={[value]} className="h-12 w-18" /> : <Unreadable />;
    case 'person':
      return typeof value === 'string' ? <PersonName id={value} /> : <Unreadable />;
    case 'list':
      return <Items of={shown.of} values={Array.isArray(value) ? value : [value]} />;
    case 'record':
      return isPlainRecord(value) ? <FieldList fields={shown.fields} record={value} /> : <Unreadable />;
    case 'arguments':
      return <FieldList fields={shown.fields} record={argumentsOf(value)} />;
    case 'filter':
      return <Conditions lines={isPlainRecord(value) ? recordedConditions(shown.filters, value) : []} />;
    case 'text':
    case 'number':
    case 'count':
    case 'bytes':
    case 'duration':
    case 'flag':
    case 'role':
    case 'permission':
    case 'statement':
    case 'freeze':
    case 'difference':
    case 'choice': {
      const words = fieldText(shown, value);
      return words === null ? <Unreadable /> : words || '—';
    }
  }
}

/** Without technical and missing fields, in the order of `fields`. */
export function FieldList({ fields, record }: { fields: RecordFields; record: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
      {Object.entries(fields).map(([name, field]) =>
        Object.hasOwn(record, name) && isDisplayed(field) ? (
          <div key={name} data-field={name} className="contents">
            <dt className="text-2">{t(field.label)}</dt>
            <dd className="min-w-0 break-words whitespace-pre-wrap" dir="auto">
              <RecordedValue shown={field} value={record[name]} />
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

export const isDisplayed = (field: RecordField | undefined): field is Exclude<RecordField, { as: 'technical' }> =>
  field !== undefined && field.as !== 'technical';

/** Exact: bitcoin with eight decimals, others with all of theirs. */
function RecordedAmount({ value, unit }: { value: unknown; unit: FieldUnit }) {
  const base = typeof value === 'string' ? toBaseUnits(value) : null;
  if (base === null) return <Unreadable />;
  const places = decimalsOf[unit];
  const digits = base
    .toString()
    .replace('-', '')
    .padStart(places + 1, '0');
  const stored = digits.slice(-places).replace(/0+$/, '').length;
  return <Amount value={base.toString()} places={places} show={Math.max(unit === 'YU' ? 0 : 8, stored)} unit={unit} />;
}

export const isBlockField = (shown: DisplayKind): boolean =>
  ['record', 'arguments', 'filter', 'picture', 'list'].includes(shown.as);

const isNested = ({ as }: DisplayKind): boolean => as === 'record' || as === 'arguments';

function Items({ of, values }: { of: DisplayKind; values: readonly unknown[] }) {
  if (of.as === 'picture')
    return <PictureStrip pictures={values.filter((one) => typeof one === 'string')} className="h-12 w-18" />;
  return (
    <ul className={isNested(of) ? 'flex flex-col gap-2' : ''}>
      {values.map((value, at) => (
        <li key={at} className={isNested(of) ? 'border-s-2 border-hairline ps-2' : ''}>
          <RecordedValue shown={of} value={value} />
        </li>
      ))}
    </ul>
  );
}

const Conditions = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? (
    t('record.noFilter')
  ) : (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

const Unreadable = () => <span className="text-2">{t('record.unreadable')}</span>;

function argumentsOf(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    value.flatMap((one: unknown) => (isPlainRecord(one) && typeof one['name'] === 'string' ? [[one['name'], one['value']]] : [])),
  );
}

export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
