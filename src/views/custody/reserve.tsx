import { useQuery } from '@tanstack/react-query';
import type { Reserve, ReserveReport } from '../../../api/custody/reserve.ts';
import { satoshiToWei } from '../../../api/money.ts';
import { api } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { amountText } from '../../lib/money/amount-text.ts';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';
import { CustodyFigure } from './figure.tsx';

const stateChips = {
  covered: 'done',
  short: 'failed',
  stale: 'pending',
  invalid: 'failed',
  none: 'off',
  off: 'off',
} as const satisfies Record<Reserve['state'], unknown>;

/**
 * Unspent bitcoin in custody and the supply, as signed by the signer. A shortfall is red, and old or missing data is reported.
 */
export function ReserveStrip() {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['dataPanel', 'reserve'],
      queryFn: ({ signal }) => api.dataPanel.reserve(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  return (
    <section data-reserve={data?.state ?? ''} aria-label={t('dataPanel.reserve.title')} className="flex flex-col gap-2 px-4 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-section font-semibold">{t('dataPanel.reserve.title')}</h2>
        {data && <Chip state={stateChips[data.state]}>{t(`dataPanel.reserve.state.${data.state}`)}</Chip>}
        {data?.signed && (
          <span className="text-meta text-2">
            {t('dataPanel.reserve.at')} <TimeText iso={data.signed.report.at} /> ·{' '}
            <a href="/public/reserve" target="_blank" rel="noreferrer" className="text-accent-text hover:underline">
              {t('dataPanel.reserve.published')}
            </a>
          </span>
        )}
        {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      </div>
      {data?.signed && <Figures report={data.signed.report} data={data} />}
      {data && <ReserveText data={data} />}
    </section>
  );
}

function Figures({ report, data: { state, coverage, surplus } }: { report: ReserveReport; data: Reserve }) {
  const isShort = state === 'short';
  const { satoshi, bitcoin, supply, evm, custody, authority } = report;
  return (
    <>
      <dl
        className={`grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-2 rounded-card border p-3 ${isShort ? 'border-danger-text' : 'border-hairline'}`}
      >
        <CustodyFigure
          name={t('dataPanel.reserve.unspent')}
          note={t('dataPanel.reserve.bitcoinBlock', { block: bitcoin.height })}
        >
          <Amount value={satoshiToWei(BigInt(satoshi)).toString()} places={18} show={8} unit="BTC" />
        </CustodyFigure>
        <CustodyFigure name={t('dataPanel.reserve.supply')} note={t('dataPanel.reconciliation.block', { block: evm.block })}>
          <Amount value={supply} places={18} show={8} unit="YBTC" />
        </CustodyFigure>
        <CustodyFigure name={t('dataPanel.reserve.coverage')}>
          <span data-coverage className={isShort ? 'text-danger-text' : ''}>
            {coverage === null ? <span className="text-2">—</span> : <Percent value={coverage} />}
          </span>
        </CustodyFigure>
        <CustodyFigure name={t(isShort ? 'dataPanel.reserve.missing' : 'dataPanel.reserve.surplus')}>
          <span data-surplus className={`break-all tabular-nums ${isShort ? 'text-danger-text' : ''}`}>
            {surplus === null ? '' : amountText(BigInt(surplus), 18).replace(/^−/, '')} <span className="text-2">BTC</span>
          </span>
        </CustodyFigure>
      </dl>
      <details className="text-body">
        <summary className="cursor-pointer py-1 text-meta text-2">
          {t('dataPanel.reserve.addresses', { count: custody.length, line: authority.number })}
        </summary>
        <ul className="flex flex-col gap-1 pt-1.5">
          {custody.map(({ address, satoshi: amount }) => (
            <li key={address} className="flex flex-wrap items-baseline gap-x-4">
              <NamedAddress value={address} whole />
              <Amount value={amount} places={8} unit="BTC" />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The assessment, and why there is no newer proof. */
function ReserveText({ data: { state, problem } }: { data: Reserve }) {
  const isProblem = state === 'short' || state === 'invalid';
  return (
    <>
      {state !== 'covered' && (
        <p role={isProblem ? 'alert' : undefined} className={isProblem ? 'font-medium text-danger-text' : 'text-body text-2'}>
          {t(`dataPanel.reserve.says.${state}`)}
        </p>
      )}
      {problem && (
        <p data-reserve-problem={problem.reason} title={problem.details || undefined} className="text-body text-warn-text">
          {t(`dataPanel.reserve.problem.${problem.reason}`)}
          {locale() === 'zh-CN' ? '' : ' '}
          <TimeText iso={problem.at} />
        </p>
      )}
    </>
  );
}
