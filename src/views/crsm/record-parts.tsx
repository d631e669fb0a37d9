import Copy from 'lucide-react/icons/copy';
import type { ReactNode } from 'react';
import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { formatUnits } from '../../../api/money.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { IconButton } from '../../lib/ui/button.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { debtOf, IcrExact, NoFigure } from './figures.tsx';

export const RecordSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-3 border-t border-hairline pt-4">
    <h3 className="text-section font-semibold">{title}</h3>
    {children}
  </section>
);

export const FigureList = ({ children }: { children: ReactNode }) => (
  <div className="@container">
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1.5 @xs:grid-cols-[fit-content(40%)_minmax(0,1fr)]">{children}</dl>
  </div>
);

/** Copies the exact value. */
export const FigureItem = ({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-2">{name}</dt>
    <dd className="flex min-w-0 items-start gap-1 wrap-anywhere *:min-w-0 *:whitespace-normal! @max-xs:mb-1">
      {children}
      {copy !== undefined && (
        <IconButton
          label={t('record.copy', { name })}
          icon={<Copy size={14} aria-hidden="true" />}
          className="h-5! w-6! shrink-0"
          onClick={() => void copyText(copy)}
        />
      )}
    </dd>
  </div>
);

interface WeiProps {
  name: string;
  value: string;
  unit: string;
  round?: Rounding;
}

export const WeiValue = ({ name, value, unit, round = 'down' }: WeiProps) => (
  <FigureItem name={name} copy={formatUnits(BigInt(value), 18)}>
    <Amount value={value} places={18} show={unit === 'YU' ? 6 : 8} round={round} unit={unit} alone />
  </FigureItem>
);

export const WholeAmount = ({ name, value }: { name: string; value: string }) => (
  <FigureItem name={name} copy={value}>
    <Address value={value} whole />
  </FigureItem>
);

/** How old figures are that could not be refreshed. */
export const StaleFigures = ({ row: { stale, block } }: { row: CrsmRow | PositionRow }) =>
  stale && (
    <p role="alert" data-stale className="rounded-control bg-warn-bg px-3 py-2 text-warn-text">
      {t('crsm.record.stale', { block })}
    </p>
  );

export function TroveFigures({ row }: { row: CrsmRow | PositionRow }) {
  return (
    <>
      <FigureList>
        <FigureItem name={t('crsm.field.owner')} copy={row.owner}>
          <NamedAddress value={row.owner} whole />
        </FigureItem>
        <FigureItem name={t('crsm.field.troveId')} copy={row.troveId}>
          <span className="tabular-nums">{row.troveId}</span>
        </FigureItem>
        <WeiValue name={t('crsm.field.collateral')} value={row.collateral} unit="YBTC" />
        <WeiValue name={t('crsm.field.debt')} value={debtOf(row)} unit="YU" round="up" />
        <WeiValue name={t('crsm.field.principal')} value={row.debt} unit="YU" round="up" />
        <WeiValue name={t('crsm.field.interest')} value={row.interest} unit="YU" round="up" />
        {row.icr !== null && (
          <>
            <WeiValue name={t('crsm.field.liquidationPrice')} value={row.liquidationPrice} unit="YU" round="up" />
            <FigureItem name={t('crsm.field.ratio')}>
              <Percent value={row.icr} alone />
            </FigureItem>
            <FigureItem name={t('crsm.field.icr')} copy={formatUnits(BigInt(row.icr), 18)}>
              <IcrExact row={row} alone />
            </FigureItem>
          </>
        )}
        <FigureItem name={t('crsm.field.MCR')}>
          <Percent value={row.MCR} round="up" alone />
        </FigureItem>
        <WeiValue name={t('crsm.field.price')} value={row.price} unit="YU" />
        <WholeAmount name={t('crsm.field.troveManager')} value={row.troveManager} />
        {row.icr === null && (
          <FigureItem name={t('crsm.field.icr')}>
            <NoFigure />
          </FigureItem>
        )}
      </FigureList>
      <p className="text-meta text-2">
        {t('crsm.record.asOf', { block: row.block })}
        <Time iso={row.at} />
      </p>
    </>
  );
}
