import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { InstitutionDetails } from '../../../api/custody/contract.ts';
import { recorded } from '../../commands/custody/recorded.ts';
import { institutionTarget } from '../../commands/custody/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { useAddressName } from '../../lib/authority/address-name.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { withUnit } from '../../lib/format.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount, Percent, Unknown } from '../../lib/money/amount.tsx';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { isMissingError } from '../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { ShareBar } from './shares.tsx';

export function InstitutionRecord({ id: address }: { id: string }) {
  const { data, isSuccess, error } = useQuery(
    {
      queryKey: ['institutions', 'one', address],
      queryFn: ({ signal }) => api.dataPanel.get({ address }, { signal }),
    },
    queryClient,
  );
  const row = data?.row;
  const bookName = useAddressName(address);
  useOpenRecord(row, institutionTarget, (isSuccess && !row) || isMissingError(error));
  const target = useMemo(() => (row ? [institutionTarget(row)] : []), [row]);
  if (!data || !row) return null;
  return (
    <RecordSheet
      title={row.name || (bookName ?? t('dataPanel.unnamed'))}
      description={
        <OnChainLink {...evmExplorerTarget.address(row.address)}>
          {row.name ? null : <Address value={row.address} whole /> /* its name is in the title */}
        </OnChainLink>
      }
      wide
    >
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="dataPanel.rename" targets={target} />
          <CommandTrigger id="dataPanel.copyAddress" targets={target} />
        </div>
        <Figures data={data} />
        <Pictures data={data} />
        <Troves data={data} />
        <Deposits data={data} />
        <RecordHistory
          resource="institutions"
          entity="institution"
          fields={recorded.institution}
          id={address}
          load={(input, signal) => api.dataPanel.history(input, { signal })}
          current={{ id: row.id, address: row.address, name: row.name, version: row.version }}
        />
      </div>
    </RecordSheet>
  );
}

function Figures({ data: { row, minted, redeemed } }: { data: InstitutionDetails }) {
  const { chain, crsm } = row;
  const wei = (value: string | undefined, unit: 'YBTC' | 'YU', round: Rounding = 'down') => (
    <Amount value={value ?? null} places={18} show={unit === 'YU' ? 6 : 8} round={round} unit={unit} alone />
  );
  const lines: [string, ReactNode][] = [
    [t('dataPanel.field.account'), <Addresses key="" values={row.custodians} count={row.custodianCount} />],
    [t('dataPanel.field.multisig'), <Addresses key="" values={row.multisigs} count={row.multisigCount} />],
    [t('dataPanel.field.btc'), <Amount key="" value={row.btc} places={8} unit="BTC" />],
    [t('dataPanel.field.pendingBtc'), <Amount key="" value={row.pendingBtc} places={8} unit="BTC" />],
    [t('dataPanel.field.redeemed'), <Amount key="" value={redeemed} places={8} unit="BTC" />],
    [t('dataPanel.field.minted'), wei(minted, 'YBTC')],
    [t('dataPanel.field.collateral'), wei(chain?.collateral, 'YBTC')],
    [t('dataPanel.field.debt'), wei(chain?.debt, 'YU', 'up')],
    [t('dataPanel.field.yuInPool'), wei(chain?.yuInPool, 'YU')],
    [t('dataPanel.field.yuInWallet'), wei(chain?.yuInWallet, 'YU')],
    [t('dataPanel.field.ybtcInWallet'), wei(chain?.ybtcInWallet, 'YBTC')],
    [t('dataPanel.field.claimableYbtc'), wei(chain?.claimableYbtc, 'YBTC')],
    [t('dataPanel.field.claimableYu'), wei(chain?.claimableYu, 'YU')],
    [t('dataPanel.field.crsm'), crsm ? <Address key="" value={crsm.address} whole /> : t('dataPanel.record.crsm')],
    ...(crsm
      ? (['trigger', 'target', 'maxTarget'] as const).map((name): [string, ReactNode] => [
          t(`dataPanel.field.${name}`),
          <Percent key="" value={crsm[name]} round="up" alone />,
        ])
      : []),
  ];
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-2">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-meta text-2">
        {t('dataPanel.at')} <Time iso={row.readAt} />
        {chain && (
          <>
            {' · '}
            {t('dataPanel.block', { block: chain.block })} <Time iso={chain.at} />
          </>
        )}
      </p>
    </div>
  );
}

const Addresses = ({ values, count }: { values: readonly string[]; count: number }) =>
  values.length === 0 ? (
    <span className="text-2">{t('dataPanel.noneThere')}</span>
  ) : (
    <ul>
      {values.map((value) => (
        <li key={value}>
          <NamedAddress value={value} whole />
        </li>
      ))}
      {count > values.length && <li className="text-meta text-2">{t('dataPanel.and', { count })}</li>}
    </ul>
  );

/** Distribution of its tokens. Nothing if unknown or zero. */
function Pictures({ data: { row } }: { data: InstitutionDetails }) {
  const { chain } = row;
  if (!chain) return null;
  const part = (name: 'inTroves' | 'inWallet' | 'inPool' | 'claimable', value: string, unit: 'YBTC' | 'YU') => ({
    name: t(`dataPanel.record.${name}`),
    value,
    shown: <Amount value={value} places={18} show={unit === 'YBTC' ? 8 : 2} unit={unit} alone />,
  });
  const ybtc = [
    part('inTroves', chain.collateral, 'YBTC'),
    part('inWallet', chain.ybtcInWallet, 'YBTC'),
    part('claimable', chain.claimableYbtc, 'YBTC'),
  ];
  const yu = [
    part('inPool', chain.yuInPool, 'YU'),
    part('inWallet', chain.yuInWallet, 'YU'),
    part('claimable', chain.claimableYu, 'YU'),
  ];
  const isSome = (parts: readonly { value: string }[]) => parts.some(({ value }) => value !== '0');
  return (
    <>
      {isSome(ybtc) && <ShareBar label={t('dataPanel.record.ybtc')} parts={ybtc} />}
      {isSome(yu) && <ShareBar label={t('dataPanel.record.yu')} parts={yu} />}
    </>
  );
}

function Troves({ data: { troves, minimumRatio } }: { data: InstitutionDetails }) {
  return (
    <Part title={t('dataPanel.record.troves')}>
      {troves === null && <Unknown />}
      {troves?.length === 0 && <p className="text-2">{t('dataPanel.record.noTroves')}</p>}
      {troves?.map((trove) => (
        <dl
          key={trove.id}
          data-trove={trove.id}
          className="grid grid-cols-2 gap-x-6 gap-y-1 border-s-2 border-hairline ps-3 sm:grid-cols-4"
        >
          <dt className="col-span-full font-medium">{t('dataPanel.record.trove', { id: trove.id })}</dt>
          <Small name={t('dataPanel.field.collateral')}>
            <Amount value={trove.collateral} places={18} show={8} unit="YBTC" alone />
          </Small>
          <Small name={t('dataPanel.field.debt')}>
            <Amount value={trove.debt} places={18} show={2} round="up" unit="YU" alone />
          </Small>
          <Small name={t('dataPanel.record.icr')}>
            <Percent value={trove.icr} alone />
          </Small>
          <Small name={t('dataPanel.record.liquidation')}>
            <Amount value={trove.liquidationPrice} places={18} show={2} round="up" unit="YU" alone />
          </Small>
        </dl>
      ))}
      {troves !== null && troves.length > 0 && minimumRatio !== null && (
        <p className="text-meta text-2">
          {t('dataPanel.record.minimum', { ratio: withUnit(amountText(BigInt(minimumRatio), 16), '%') })}
        </p>
      )}
    </Part>
  );
}

const Small = ({ name, children }: { name: string; children: ReactNode }) => (
  <dd className="flex min-w-0 flex-col">
    <span className="text-meta text-2">{name}</span>
    {children}
  </dd>
);

const mintChips = {
  none: 'off',
  queued: 'pending',
  sent: 'processing',
  done: 'done',
  failed: 'failed',
  canceled: 'off',
  closed: 'off',
} as const;

const Deposits = ({ data: { deposits } }: { data: InstitutionDetails }) => (
  <Part title={t('dataPanel.record.newest')}>
    <ol className="flex flex-col gap-3">
      {deposits.map((deposit) => (
        <li key={deposit.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-s-2 border-hairline ps-3">
          <span className="font-medium">
            <Amount value={deposit.amount} places={8} unit="BTC" />
          </span>
          <Chip state={deposit.status === 'confirmed' ? 'done' : 'pending'}>
            {t(`dataPanel.deposit.status.${deposit.status}`)}
          </Chip>
          <Chip state={mintChips[deposit.mintStatus]}>{t(`dataPanel.deposit.mint.${deposit.mintStatus}`)}</Chip>
          <span className="text-meta text-2">
            <Time iso={deposit.createdAt} />
          </span>
          <OnChainLink chain="bitcoin" kind="tx" value={deposit.txid} short />
        </li>
      ))}
    </ol>
  </Part>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-3 border-t border-hairline pt-4">
    <h3 className="text-section font-semibold">{title}</h3>
    {children}
  </section>
);
