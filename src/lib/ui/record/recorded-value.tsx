import type { ReactNode } from 'react';
import { toBaseUnits } from '../../../../api/money.ts';
import { PersonName } from '../../authority/person-name.tsx';
import { t } from '../../i18n/i18n.ts';
import { Amount, Percent } from '../../money/amount.tsx';
import { Address } from '../value/address.tsx';
import { NamedAddress } from '../value/named-address.tsx';
import { PictureStrip } from '../value/picture-strip.tsx';
import { SafeLink } from '../value/safe-link.tsx';
import { TimeText } from '../value/time.tsx';
import { decimalsByUnit, type RecordField, type RecordFields, type DisplayKind, type FieldUnit } from './fields.ts';
import { recordedConditions, isEmptyValue, fieldText } from './field-text.ts';

export function RecordedValue({ shown, value }: { shown: DisplayKind; value: unknown }): ReactNode {
  if (isEmptyValue(value)) return '—';
  switch (shown.as) {
    case 'technical':
      return null;
    case 'amount':
      return <RecordedAmount value={value} unit={shown.unit} />;
    case 'percent':
      return typeof value === 'string' && toBaseUnits(value) !== null ? <Percent value={value} /> : <UnreadableValue />;
    case 'time':
      return typeof value === 'string' ? <TimeText iso={value} /> : <UnreadableValue />;
    case 'address':
      return typeof value === 'string' ? <NamedAddress value={value} whole /> : <UnreadableValue />;
    case 'hash':
      return typeof value === 'string' ? <Address value={value} whole /> : <UnreadableValue />;
    case 'link':
      return typeof value === 'string' ? <SafeLink href={value} whole /> : <UnreadableValue />;
    case 'picture':
      return typeof value === 'string' ? <PictureStrip pictures={[value]} className="h-12 w-18" /> : <UnreadableValue />;
    case 'person':
      return typeof value === 'string' ? <PersonName id={value} /> : <UnreadableValue />;
    case 'list':
      return <ListItems of={shown.of} values={Array.isArray(value) ? value : [value]} />;
    case 'record':
      return isPlainRecord(value) ? <FieldList fields={shown.fields} record={value} /> : <UnreadableValue />;
    case 'arguments':
      return <FieldList fields={shown.fields} record={readArguments(value)} />;
    case 'filter':
      return <ConditionLines lines={isPlainRecord(value) ? recordedConditions(shown.filters, value) : []} />;
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
      const text = fieldText(shown, value);
      return text === null ? <UnreadableValue /> : text || '—';
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
  const baseUnits = typeof value === 'string' ? toBaseUnits(value) : null;
  if (baseUnits === null) return <UnreadableValue />;
  const decimals = decimalsByUnit[unit];
  const digits = baseUnits
    .toString()
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const storedDecimals = digits.slice(-decimals).replace(/0+$/, '').length;
  return (
    <Amount value={baseUnits.toString()} places={decimals} show={Math.max(unit === 'YU' ? 0 : 8, storedDecimals)} unit={unit} />
  );
}

export const isBlockField = (displayKind: DisplayKind): boolean =>
  ['record', 'arguments', 'filter', 'picture', 'list'].includes(displayKind.as);

const isNested = ({ as }: DisplayKind): boolean => as === 'record' || as === 'arguments';

function ListItems({ of, values }: { of: DisplayKind; values: readonly unknown[] }) {
  if (of.as === 'picture')
    return <PictureStrip pictures={values.filter((item) => typeof item === 'string')} className="h-12 w-18" />;
  return (
    <ul className={isNested(of) ? 'flex flex-col gap-2' : ''}>
      {values.map((value, index) => (
        <li key={index} className={isNested(of) ? 'border-s-2 border-hairline ps-2' : ''}>
          <RecordedValue shown={of} value={value} />
        </li>
      ))}
    </ul>
  );
}

const ConditionLines = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? (
    t('record.noFilter')
  ) : (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

const UnreadableValue = () => <span className="text-2">{t('record.unreadable')}</span>;

function readArguments(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    value.flatMap((item: unknown) =>
      isPlainRecord(item) && typeof item['name'] === 'string' ? [[item['name'], item['value']]] : [],
    ),
  );
}

export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
