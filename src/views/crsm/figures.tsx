import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { healthOf } from '../../../api/crsm/health.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';

type FigureRow = CrsmRow | PositionRow;

const chipStates = {
  fine: 'done',
  belowTrigger: 'pending',
  belowMinimum: 'failed',
  noDebt: 'off',
  lost: 'refused',
  stale: 'failed',
} as const;

export function HealthChip({ row }: { row: FigureRow }) {
  const health = healthOf(row);
  return (
    <span data-health={health} title={row.stale ? t('crsm.record.stale', { block: row.block }) : undefined}>
      <Chip state={chipStates[health]}>{t(`crsm.health.${health}`)}</Chip>
    </span>
  );
}

/** Marks the connected account. */
export function OwnerAddress({ address }: { address: string }) {
  const isOwnWallet = useStore($evmWallet)?.account === address;
  return (
    <span className="flex items-center gap-1.5" data-mine={isOwnWallet || undefined}>
      <NamedAddress value={address} />
      {isOwnWallet && <span className="rounded-chip bg-info-bg px-1 text-meta font-medium text-info-text">{t('crsm.mine')}</span>}
    </span>
  );
}

export const NoFigure = () => <span className="text-2">—</span>;
export const ExactAmount = ({ value }: { value: string }) => <span className="tabular-nums">{value}</span>;

/** From trigger to ICR, as a share of the trigger. Negative below it. */
export function DistanceValue({ row: { distance } }: { row: CrsmRow }) {
  if (distance === null) return <NoFigure />;
  return (
    <bdi dir="ltr">
      {BigInt(distance) < 0n ? '' : '+'}
      <Percent value={distance} />
    </bdi>
  );
}

/** From the stability pool, per token. */
export function GainsValue({ row: { collateralGains } }: { row: CrsmRow }) {
  const nonZeroGains = collateralGains.filter(({ amount }) => amount !== '0');
  if (nonZeroGains.length === 0) return <NoFigure />;
  return (
    <span className="flex justify-end gap-2">
      {nonZeroGains.map(({ token, symbol, amount }) => (
        <Amount key={token} value={amount} places={18} show={8} unit={symbol} />
      ))}
    </span>
  );
}

/** Principal plus interest. */
export const debtOf = ({ debt, interest }: FigureRow): string => String(BigInt(debt) + BigInt(interest));

/** 1.5 is 150%. */
export const IcrExact = ({ row: { icr }, alone = false }: { row: FigureRow; alone?: boolean }) =>
  icr === null ? <NoFigure /> : <Amount value={icr} places={18} show={4} alone={alone} />;

/** Shared by both lists. */
export const troveColumns = <Row extends FigureRow>(): Column<Row>[] => [
  {
    id: 'collateral',
    header: 'crsm.field.collateral',
    unit: 'YBTC',
    width: 156,
    card: 'worth',
    align: 'end',
    sort: 'collateral',
    cell: (row) => <Amount value={row.collateral} places={18} show={8} />,
  },
  {
    id: 'debt',
    header: 'crsm.field.debt',
    unit: 'YU',
    width: 128,
    align: 'end',
    sort: 'debt',
    cell: (row) => <Amount value={debtOf(row)} places={18} show={2} round="up" />,
  },
  {
    id: 'liquidationPrice',
    header: 'crsm.field.liquidationPrice',
    unit: 'YU',
    width: 132,
    align: 'end',
    cell: (row) => (row.icr === null ? <NoFigure /> : <Amount value={row.liquidationPrice} places={18} show={2} round="up" />),
  },
  {
    id: 'ratio',
    header: 'crsm.field.ratio',
    short: 'crsm.field.ratioOnCard',
    width: 120,
    card: 'note',
    align: 'end',
    cell: (row) => (row.icr === null ? <NoFigure /> : <Percent value={row.icr} />),
  },
  {
    id: 'troveId',
    header: 'crsm.field.troveId',
    width: 88,
    align: 'end',
    cell: (row) => <ExactAmount value={row.troveId} />,
  },
  {
    id: 'icr',
    header: 'crsm.field.icr',
    width: 88,
    align: 'end',
    sort: 'icr',
    cell: (row) => <IcrExact row={row} />,
  },
];

const crsmCell =
  <Row extends FigureRow>(crsmOf: (row: Row) => CrsmRow | null, cell: (crsm: CrsmRow) => ReactNode) =>
  (row: Row) => {
    const crsm = crsmOf(row);
    return crsm ? cell(crsm) : <NoFigure />;
  };

const ratioWidths = { TRGCR: 108, TARCR: 108, MAX_TARCR: 132 } as const;
const amountWidths = { debtGasCompensation: 188, deposits: 140, yieldGains: 132, debtTokenBalance: 168 } as const;

/** Figures of the CRSM itself, hidden at first in both lists. */
export const crsmColumns = <Row extends FigureRow>(crsmOf: (row: Row) => CrsmRow | null): Column<Row>[] => [
  ...(['TRGCR', 'TARCR', 'MAX_TARCR'] as const).map((id): Column<Row> => ({
    id,
    header: `crsm.field.${id}`,
    width: ratioWidths[id],
    align: 'end',
    hidden: true,
    cell: crsmCell(crsmOf, (crsm) => <Percent value={crsm[id]} round="up" bare />),
  })),
  ...(['debtGasCompensation', 'deposits', 'yieldGains', 'debtTokenBalance'] as const).map((id): Column<Row> => ({
    id,
    header: `crsm.field.${id}`,
    unit: 'YU',
    width: amountWidths[id],
    align: 'end',
    hidden: true,
    cell: crsmCell(crsmOf, (crsm) => (
      <Amount value={crsm[id]} places={18} show={2} round={id === 'debtGasCompensation' ? 'up' : 'down'} />
    )),
  })),
  {
    id: 'collateralGains',
    header: 'crsm.field.collateralGains',
    width: 172,
    align: 'end',
    hidden: true,
    cell: crsmCell(crsmOf, (crsm) => <GainsValue row={crsm} />),
  },
];
