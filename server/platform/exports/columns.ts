import type { Name } from '../../../api/naming.ts';
import { formatUnits } from '../../../api/money.ts';
import { localTimeIn } from '../../../api/time-zone.ts';

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

const same = (text: string): Name => ({ zh: text, en: text });
const wei = same('wei');

export const exportUnits = {
  satoshi: { decimals: 8, shown: same('BTC'), base: same('satoshi') },
  btcWei: { decimals: 18, shown: same('BTC'), base: wei },
  yuWei: { decimals: 18, shown: same('YU'), base: wei },
  ratio: { decimals: 16, shown: same('%'), base: same('1e18 = 100%') },
  price: { decimals: 18, shown: same('YU'), base: same('1e18 = 1 YU') },
} as const satisfies Record<string, ExportUnit>;

export const inLanguage = (name: Name, locale: ExportLocale): string => (locale === 'zh-CN' ? name.zh : name.en);

export const localTimeText = (local: number): string => new Date(local).toISOString().slice(0, 19).replace('T', ' ');

const decimalCell = (value: bigint | number | null): ExportCell => (value === null ? null : { decimal: String(value) });

export interface ExportWording {
  locale: ExportLocale;
  zone?: string | undefined;
}

/** Builds the columns of one export. `arrange` puts exact columns last. */
export function exportColumnsFor<Row>({ locale, zone = 'UTC' }: ExportWording) {
  type Columns = ExportColumn<Row>[];
  const inUnit = (name: Name, unit: Name | string) => {
    const unitText = typeof unit === 'string' ? unit : inLanguage(unit, locale);
    return locale === 'zh-CN' ? `${name.zh}（${unitText}）` : `${name.en} (${unitText})`;
  };
  const column = (head: string, cell: (row: Row) => ExportCell, isExact = false): ExportColumn<Row> => ({ head, cell, isExact });
  return {
    text: (name: Name, of: (row: Row) => string | null): Columns => [column(inLanguage(name, locale), of)],

    exactText: (name: Name, of: (row: Row) => string | null): Columns => [column(inLanguage(name, locale), of, true)],

    count: (name: Name, of: (row: Row) => bigint | number | null): Columns => [
      column(inLanguage(name, locale), (row) => decimalCell(of(row))),
    ],

    amount: (name: Name, { decimals, shown, base }: ExportUnit, of: (row: Row) => bigint | null): Columns => [
      column(inUnit(name, shown), (row) => {
        const value = of(row);
        return value === null ? null : { decimal: formatUnits(value, decimals) };
      }),
      column(inUnit(name, base), (row) => decimalCell(of(row)), true),
    ],

    time: (name: Name, of: (row: Row) => Date | null): Columns => [
      {
        ...column(inUnit(name, zone), (row) => {
          const at = of(row);
          return at === null ? null : { local: localTimeIn(zone, at.getTime()) };
        }),
        isTime: true,
      },
      column(inUnit(name, 'ISO 8601 UTC'), (row) => of(row)?.toISOString() ?? null, true),
    ],

    /** A name, and the stored code in a column of its own. */
    named: <Code extends string>(
      name: Name,
      codeName: Name,
      of: (row: Row) => Code | null,
      nameOf: (code: Code) => string,
    ): Columns => [
      column(inLanguage(name, locale), (row) => {
        const code = of(row);
        return code === null ? null : nameOf(code);
      }),
      column(inLanguage(codeName, locale), of, true),
    ],

    arrange: (...columns: readonly Columns[]): Columns => {
      const all = columns.flat();
      return [...all.filter(({ isExact }) => !isExact), ...all.filter(({ isExact }) => isExact)];
    },
  };
}
