import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { formatUnits } from '../../../api/money.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import { Details, type CopyableValue, type Facts } from '../../lib/ui/record/details.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { debtOf, IcrExact, NoFigure } from './figures.tsx';

export const weiFact = (value: string, unit: string, rounding: Rounding = 'down'): CopyableValue => ({
  copy: formatUnits(BigInt(value), 18),
  shown: <Amount value={value} places={18} show={unit === 'YU' ? 6 : 8} round={rounding} unit={unit} alone />,
});

export const RecordWarning = ({ children, ...data }: { children: string; 'data-stale'?: true }) => (
  <p {...data} role="alert" className="rounded-control bg-warn-bg px-3 py-2 text-warn-text">
    {children}
  </p>
);

/** How old figures are that could not be refreshed. */
export const StaleFigures = ({ row: { stale, block } }: { row: CrsmRow | PositionRow }) =>
  stale && <RecordWarning data-stale>{t('crsm.record.stale', { block })}</RecordWarning>;

export const TroveFigures = ({ row }: { row: CrsmRow | PositionRow }) => (
  <>
    <Details of={troveFacts(row)} />
    <p className="text-meta text-2">
      {t('crsm.record.asOf', { block: row.block })}
      <TimeText iso={row.at} />
    </p>
  </>
);

const troveFacts = (row: CrsmRow | PositionRow): Facts => ({
  'crsm.field.owner': { copy: row.owner, shown: <NamedAddress value={row.owner} whole /> },
  'crsm.field.troveId': { copy: row.troveId, shown: <span className="tabular-nums">{row.troveId}</span> },
  'crsm.field.troveCollateral': weiFact(row.collateral, 'YBTC'),
  'crsm.field.debt': weiFact(debtOf(row), 'YU', 'up'),
  'crsm.field.principal': weiFact(row.debt, 'YU', 'up'),
  'crsm.field.interest': weiFact(row.interest, 'YU', 'up'),
  'crsm.field.liquidationPrice': row.icr !== null && weiFact(row.liquidationPrice, 'YU', 'up'),
  'crsm.field.ratio': row.icr !== null && <Percent value={row.icr} alone />,
  'crsm.field.icr':
    row.icr === null ? <NoFigure /> : { copy: formatUnits(BigInt(row.icr), 18), shown: <IcrExact row={row} alone /> },
  'crsm.field.MCR': <Percent value={row.MCR} round="up" alone />,
  'crsm.field.price': weiFact(row.price, 'YU'),
  'crsm.field.troveManager': { copy: row.troveManager, shown: <Address value={row.troveManager} whole /> },
});
