import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { UnknownMint, UnknownRefund, OpenFreeze, Reconciliation } from '../../../api/custody/contract.ts';
import { satoshiToWei } from '../../../api/money.ts';
import { differenceCommands } from '../../commands/custody/commands.ts';
import { $freeze, missingLiftSignatures } from '../../commands/custody/shared/freeze.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { amountText } from '../../lib/money/amount-text.ts';
import { Amount, UnknownValue } from '../../lib/money/amount.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';
import { CustodyFigure } from './figure.tsx';

const stateChips = {
  agrees: 'done',
  accepted: 'pending',
  differs: 'failed',
  unsettled: 'processing',
  unreachable: 'off',
  off: 'off',
} as const satisfies Record<Reconciliation['state'], unknown>;

/** Deposited bitcoin, minted YBTC and the supply on chain. A difference is shown in red. */
export function ReconciliationStrip() {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['dataPanel', 'reconciliation'],
      queryFn: async ({ signal }) => {
        const reconciliation = await api.dataPanel.reconciliation(undefined, { signal });
        // Comparing may have opened a freeze, so refresh the banner now.
        const cachedFreeze = queryClient.getQueryData<{ open: OpenFreeze | null }>(['freeze']);
        if ((reconciliation.freeze?.id ?? null) !== (cachedFreeze?.open?.id ?? null))
          void queryClient.invalidateQueries({ queryKey: ['freeze'] });
        return reconciliation;
      },
      refetchInterval: 30_000,
    },
    queryClient,
  );
  return (
    <section
      data-reconciliation={data?.state ?? ''}
      aria-label={t('dataPanel.reconciliation.title')}
      className="flex flex-col gap-2 px-4 pb-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-section font-semibold">{t('dataPanel.reconciliation.title')}</h2>
        {data && <Chip state={stateChips[data.state]}>{t(`dataPanel.reconciliation.state.${data.state}`)}</Chip>}
        {data && (
          <span className="text-meta text-2">
            {data.block && `${t('dataPanel.reconciliation.block', { block: data.block })} · `}
            {t('dataPanel.reconciliation.readAt')} <TimeText iso={data.readAt} />
          </span>
        )}
        {data?.freeze ? <LiftFreeze id={data.freeze.id} /> : <CommandTrigger id="dataPanel.freezeMoney" />}
        {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      </div>
      {data && <ComparedFigures data={data} />}
    </section>
  );
}

/** Names its effect: with an authority log, the first of two people only signs. */
function LiftFreeze({ id }: { id: string }) {
  const freeze = useStore($freeze);
  const label = freeze?.id === id && missingLiftSignatures(freeze) > 0 ? t('dataPanel.ask.resolve.sign.act') : undefined;
  return <CommandTrigger id="dataPanel.resolve" look="danger" params={{ freeze: id }} explains {...(label && { label })} />;
}

function ComparedFigures({ data }: { data: Reconciliation }) {
  const { state, deposited, minted, burnt, supply, supplyOff, ledgerOff, underWay, withdrawn, accepted, freeze } = data;
  const withoutBurned = (wei: bigint) => (burnt === null ? null : (wei - BigInt(burnt)).toString());
  const refunds = freeze?.refunds ?? [];
  const hasDifference = state === 'differs' || (freeze?.kind === 'difference' && refunds.length === 0);
  const explanation = t(`dataPanel.reconciliation.says.${state}`, { by: accepted?.by ?? '', reason: accepted?.reason ?? '' });
  const aliens = freeze?.aliens ?? data.aliens;
  const weiText = (value: string) => amountText(BigInt(value), 18);
  return (
    <>
      <dl
        className={`grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-2 rounded-card border p-3 ${hasDifference ? 'border-danger-text' : 'border-hairline'}`}
      >
        <CustodyFigure
          name={t('dataPanel.reconciliation.deposited')}
          note={burnt !== null && burnt !== '0' && t('dataPanel.reconciliation.burnt', { amount: weiText(burnt) })}
        >
          <Amount value={withoutBurned(satoshiToWei(BigInt(deposited)))} places={18} show={8} unit="BTC" />
        </CustodyFigure>
        <CustodyFigure
          name={t('dataPanel.reconciliation.minted')}
          note={underWay !== '0' && t('dataPanel.reconciliation.underWay', { amount: weiText(underWay) })}
        >
          <Amount value={withoutBurned(BigInt(minted))} places={18} show={8} unit="YBTC" />
        </CustodyFigure>
        <CustodyFigure name={t('dataPanel.reconciliation.supply')}>
          <Amount value={supply} places={18} show={8} unit="YBTC" />
        </CustodyFigure>
        <CustodyFigure name={t('dataPanel.reconciliation.off')}>
          {supplyOff === null ? (
            <UnknownValue />
          ) : (
            <span data-difference className={`break-all tabular-nums ${hasDifference ? 'text-danger-text' : ''}`}>
              {weiText(supplyOff === '0' ? ledgerOff : supplyOff)} <span className="text-2">YBTC</span>
            </span>
          )}
        </CustodyFigure>
      </dl>
      {/* After a freeze, the banner says it. */}
      {(state !== 'differs' || freeze === null) && <p className="text-body text-2">{explanation}</p>}
      {burnt !== null && satoshiToWei(BigInt(withdrawn)) !== BigInt(burnt) && (
        <p className="text-body text-2">
          {t('dataPanel.reconciliation.withdrawn', { amount: amountText(BigInt(withdrawn), 8) })}
        </p>
      )}
      {supplyOff !== null && (
        <ul className="font-medium text-danger-text">
          {differenceCommands({ supplyOff, ledgerOff }).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {hasDifference && aliens.length > 0 && <UnknownMints aliens={aliens} />}
      {refunds.length > 0 && <Refunds refunds={refunds} />}
    </>
  );
}

const UnknownMints = ({ aliens }: { aliens: readonly UnknownMint[] }) => (
  <div data-aliens>
    <h3 className="font-medium">{t('dataPanel.reconciliation.aliens')}</h3>
    <ul className="flex flex-col gap-1">
      {aliens.map(({ transaction, block, amount, to }) => (
        <li key={transaction} className="min-w-0">
          {t('dataPanel.reconciliation.alien', { block, amount: amountText(BigInt(amount), 18) })}{' '}
          <NamedAddress value={to} whole /> · <OnChainLink chain="evm" kind="tx" value={transaction} short />
        </li>
      ))}
    </ul>
  </div>
);

const Refunds = ({ refunds }: { refunds: readonly UnknownRefund[] }) => (
  <div data-refunds>
    <h3 className="font-medium text-danger-text">{t('dataPanel.reconciliation.refunds')}</h3>
    <ul className="flex flex-col gap-1">
      {refunds.map(({ nonce, from, receiver, amount, transaction }) => (
        <li key={nonce} className="min-w-0">
          {t('dataPanel.reconciliation.refund', { nonce, amount: amountText(BigInt(amount), 18), from })}{' '}
          <bdi className="break-all">{receiver}</bdi>
          {transaction !== null && (
            <>
              {' '}
              · <OnChainLink chain="evm" kind="tx" value={transaction} short />
            </>
          )}
        </li>
      ))}
    </ul>
  </div>
);
