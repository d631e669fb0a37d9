import { useQuery } from '@tanstack/react-query';
import type { InstitutionTotals } from '../../../api/custody/contract.ts';
import { api } from '../../lib/net/client.ts';
import { groupDigits } from '../../lib/format.ts';
import { errorText } from '../../lib/net/errors.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';
import { CustodyFigure } from './figure.tsx';

export function CustodyTotals() {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['dataPanel', 'totals'],
      queryFn: ({ signal }) => api.dataPanel.totals(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  return (
    <section data-totals aria-label={t('dataPanel.totals.title')} className="flex flex-col gap-2 px-4 pb-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-section font-semibold">{t('dataPanel.totals.title')}</h2>
        {data && <ReadAt {...data} />}
        {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      </div>
      {data && <Sums data={data} />}
    </section>
  );
}

function Sums({ data: { accounts, deposited, bridged, pendingBtc, chain } }: { data: InstitutionTotals }) {
  const renderFigure = (name: 'collateral' | 'debt' | 'yuInPool' | 'yuInWallet', unit: string, rounding?: Rounding) => (
    <CustodyFigure name={t(`dataPanel.totals.${name}`)}>
      <Amount
        value={chain?.[name] ?? null}
        places={18}
        show={unit === 'YU' ? 2 : 8}
        round={rounding}
        unit={unit}
        brief
        short
        alone
      />
    </CustodyFigure>
  );
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-2">
      <CustodyFigure name={t('dataPanel.totals.accounts')}>
        <span className="tabular-nums">{groupDigits(accounts)}</span>
      </CustodyFigure>
      <CustodyFigure name={t('dataPanel.totals.deposited')}>
        <Amount value={deposited} places={8} unit="BTC" brief alone />
      </CustodyFigure>
      <CustodyFigure name={t('dataPanel.totals.bridged')}>
        <Amount value={bridged} places={18} show={8} unit="YBTC" brief short alone />
      </CustodyFigure>
      <CustodyFigure name={t('dataPanel.totals.pendingBtc')}>
        <Amount value={pendingBtc} places={8} unit="BTC" brief alone />
      </CustodyFigure>
      {renderFigure('collateral', 'YBTC')}
      {renderFigure('debt', 'YU', 'up')}
      {renderFigure('yuInPool', 'YU')}
      {renderFigure('yuInWallet', 'YU')}
      <CustodyFigure name={t('dataPanel.totals.debtShare')}>
        <Share round="up" value={chain && chain.debtShare} isKnown={chain !== null} />
      </CustodyFigure>
      <CustodyFigure name={t('dataPanel.totals.poolShare')}>
        <Share value={chain && chain.poolShare} isKnown={chain !== null} />
      </CustodyFigure>
    </dl>
  );
}

/** A share of zero is undefined. */
const Share = ({ value, isKnown, round }: { value: string | null; isKnown: boolean; round?: Rounding }) =>
  isKnown && value === null ? <span className="text-2">—</span> : <Percent value={value} round={round} alone />;

function ReadAt({ readAt, chainState, chain }: InstitutionTotals) {
  return (
    <span className="text-meta text-2">
      {t('dataPanel.at')} <TimeText iso={readAt} />
      {chain && (
        <>
          {' · '}
          {t('dataPanel.block', { block: chain.block })} <TimeText iso={chain.at} />
        </>
      )}
      {chainState !== 'ok' && (
        <strong data-chain={chainState} className="font-medium text-warn-text">
          {' · '}
          {t(chainState === 'off' ? 'dataPanel.chain.off' : chain ? 'dataPanel.chain.stale' : 'dataPanel.chain.unreachable')}
        </strong>
      )}
    </span>
  );
}
