import type { Name } from '../../../api/naming.ts';
import { formatUnits } from '../../../api/money.ts';
import { toLocalTime } from '../../../api/time-zone.ts';

export type ExportLocale = 'zh-CN' | 'en-US';

/** Text, a decimal number, or a local wall-clock time as Unix ms as if it were UTC. */
export type ExportCell = string | DecimalCell | LocalTimeCell | null;
export interface DecimalCell {
  readonly decimal: string;
}
export interface LocalTimeCell {
  readonly local: number;
}

export interface ExportColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ExportCell;
  /** True for base units, codes, IDs and UTC times, which come last. */
  readonly isExact: boolean;
  readonly isTime?: true;
}

export interface ExportUnit {
  readonly decimals: number;
  readonly shown: Name;
  readonly base: Name;
}

const repeatInBothLanguages = (text: string): Name => ({ zh: text, en: text });
const wei = repeatInBothLanguages('wei');

export const exportUnits = {
  satoshi: { decimals: 8, shown: repeatInBothLanguages('BTC'), base: repeatInBothLanguages('satoshi') },
  btcWei: { decimals: 18, shown: repeatInBothLanguages('BTC'), base: wei },
  yuWei: { decimals: 18, shown: repeatInBothLanguages('YU'), base: wei },
  ratio: { decimals: 16, shown: repeatInBothLanguages('%'), base: repeatInBothLanguages('1e18 = 100%') },
  price: { decimals: 18, shown: repeatInBothLanguages('YU'), base: repeatInBothLanguages('1e18 = 1 YU') },
} as const satisfies Record<string, ExportUnit>;

export const pickLanguage = (name: Name, locale: ExportLocale): string => (locale === 'zh-CN' ? name.zh : name.en);

export const formatLocalTime = (localMs: number): string => new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');

const toDecimalCell = (value: bigint | number | null): ExportCell => (value === null ? null : { decimal: String(value) });

export interface ExportWording {
  locale: ExportLocale;
  zone?: string | undefined;
}

/** Builds the columns of one export. `arrange` puts exact columns last. */
export function createColumnBuilders<Row>({ locale, zone = 'UTC' }: ExportWording) {
  type Columns = ExportColumn<Row>[];
  const addUnitToName = (name: Name, unit: Name | string) => {
    const unitText = typeof unit === 'string' ? unit : pickLanguage(unit, locale);
    return locale === 'zh-CN' ? `${name.zh}（${unitText}）` : `${name.en} (${unitText})`;
  };
  const column = (head: string, cell: (row: Row) => ExportCell, isExact = false): ExportColumn<Row> => ({ head, cell, isExact });
  return {
    text: (name: Name, valueOf: (row: Row) => string | null): Columns => [column(pickLanguage(name, locale), valueOf)],

    exactText: (name: Name, valueOf: (row: Row) => string | null): Columns => [column(pickLanguage(name, locale), valueOf, true)],

    count: (name: Name, valueOf: (row: Row) => bigint | number | null): Columns => [
      column(pickLanguage(name, locale), (row) => toDecimalCell(valueOf(row))),
    ],

    amount: (name: Name, { decimals, shown, base }: ExportUnit, valueOf: (row: Row) => bigint | null): Columns => [
      column(addUnitToName(name, shown), (row) => {
        const value = valueOf(row);
        return value === null ? null : { decimal: formatUnits(value, decimals) };
      }),
      column(addUnitToName(name, base), (row) => toDecimalCell(valueOf(row)), true),
    ],

    time: (name: Name, valueOf: (row: Row) => Date | null): Columns => [
      {
        ...column(addUnitToName(name, zone), (row) => {
          const timeValue = valueOf(row);
          return timeValue === null ? null : { local: toLocalTime(zone, timeValue.getTime()) };
        }),
        isTime: true,
      },
      column(addUnitToName(name, 'ISO 8601 UTC'), (row) => valueOf(row)?.toISOString() ?? null, true),
    ],

    /** A name, and the stored code in a column of its own. */
    named: <Code extends string>(
      name: Name,
      nameOfCode: Name,
      valueOf: (row: Row) => Code | null,
      nameOf: (code: Code) => string,
    ): Columns => [
      column(pickLanguage(name, locale), (row) => {
        const code = valueOf(row);
        return code === null ? null : nameOf(code);
      }),
      column(pickLanguage(nameOfCode, locale), valueOf, true),
    ],

    arrange: (...columns: readonly Columns[]): Columns => {
      const allColumns = columns.flat();
      return [...allColumns.filter(({ isExact }) => !isExact), ...allColumns.filter(({ isExact }) => isExact)];
    },
  };
}
