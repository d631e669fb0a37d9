import type { InstitutionDetails } from '../../../api/custody/contract.ts';
import { recorded } from '../../commands/custody/recorded.ts';
import { institutionTarget } from '../../commands/custody/commands.ts';
import { useAddressName } from '../../lib/authority/address-name.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { withUnit } from '../../lib/format.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount, Percent, Unknown } from '../../lib/money/amount.tsx';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { Details, RecordSection, type Facts } from '../../lib/ui/record/details.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { RecordView, useOpenedDetails } from '../layout/record-view.tsx';
import { ShareBar } from './shares.tsx';

const read = ({ id: address }: { id: string }, options: { signal: AbortSignal }) => api.dataPanel.get({ address }, options);

export function InstitutionRecord({ id: address }: { id: string }) {
  const bookName = useAddressName(address);
  const opened = useOpenedDetails('institutions', address, read, institutionTarget);
  if (!opened) return null;
  const { row, details, targets } = opened;
  return (
    <RecordView
      wide
      title={row.name || (bookName ?? t('dataPanel.unnamed'))}
      state={
        <OnChainLink {...evmExplorerTarget.address(row.address)}>
          {row.name ? null : <Address value={row.address} whole /> /* its name is in the title */}
        </OnChainLink>
      }
      targets={targets}
      primary="dataPanel.rename"
      commands={['dataPanel.copyAddress']}
      history={{
        resource: 'institutions',
        entity: 'institution',
        fields: recorded.institution,
        current: { id: row.id, address: row.address, name: row.name, version: row.version },
        load: api.dataPanel.history,
      }}
    >
      <Details of={factsOf(details)} />
      <ReadAt row={row} />
      <Shares row={row} />
      <Troves data={details} />
      <Deposits data={details} />
    </RecordView>
  );
}

function factsOf({ row, minted, redeemed }: InstitutionDetails): Facts {
  const { chain, crsm } = row;
  const btc = (value: string) => <Amount value={value} places={8} unit="BTC" />;
  const wei = (value: string | undefined, unit: 'YBTC' | 'YU', round: Rounding = 'down') => (
    <Amount value={value ?? null} places={18} show={unit === 'YU' ? 6 : 8} round={round} unit={unit} alone />
  );
  const ratio = (value: string | undefined) => value !== undefined && <Percent value={value} round="up" alone />;
  return {
    'dataPanel.field.account': <Addresses values={row.custodians} count={row.custodianCount} />,
    'dataPanel.field.multisig': <Addresses values={row.multisigs} count={row.multisigCount} />,
    'dataPanel.field.btc': btc(row.btc),
    'dataPanel.field.pendingBtc': btc(row.pendingBtc),
    'dataPanel.field.redeemed': btc(redeemed),
    'dataPanel.field.minted': wei(minted, 'YBTC'),
    'dataPanel.field.collateral': wei(chain?.collateral, 'YBTC'),
    'dataPanel.field.debt': wei(chain?.debt, 'YU', 'up'),
    'dataPanel.field.yuInPool': wei(chain?.yuInPool, 'YU'),
    'dataPanel.field.yuInWallet': wei(chain?.yuInWallet, 'YU'),
    'dataPanel.field.ybtcInWallet': wei(chain?.ybtcInWallet, 'YBTC'),
    'dataPanel.field.claimableYbtc': wei(chain?.claimableYbtc, 'YBTC'),
    'dataPanel.field.claimableYu': wei(chain?.claimableYu, 'YU'),
    'dataPanel.field.crsm': crsm ? <Address value={crsm.address} whole /> : t('dataPanel.record.crsm'),
    'dataPanel.field.trigger': ratio(crsm?.trigger),
    'dataPanel.field.target': ratio(crsm?.target),
    'dataPanel.field.maxTarget': ratio(crsm?.maxTarget),
  };
}

const ReadAt = ({ row: { readAt, chain } }: Pick<InstitutionDetails, 'row'>) => (
  <p className="text-meta text-2">
    {t('dataPanel.at')} <Time iso={readAt} />
    {chain && (
      <>
        {' · '}
        {t('dataPanel.block', { block: chain.block })} <Time iso={chain.at} />
      </>
    )}
  </p>
);

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
function Shares({ row: { chain } }: Pick<InstitutionDetails, 'row'>) {
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
    <RecordSection title={t('dataPanel.record.troves')}>
      {troves === null && <Unknown />}
      {troves?.length === 0 && <p className="text-2">{t('dataPanel.record.noTroves')}</p>}
      {troves?.map(({ id, collateral, debt, icr, liquidationPrice }) => (
        <section key={id} data-trove={id} aria-label={t('dataPanel.record.trove', { id })} className="flex flex-col gap-2">
          <h4 className="font-medium">{t('dataPanel.record.trove', { id })}</h4>
          <Details
            of={{
              'dataPanel.field.collateral': <Amount value={collateral} places={18} show={8} unit="YBTC" alone />,
              'dataPanel.field.debt': <Amount value={debt} places={18} show={2} round="up" unit="YU" alone />,
              'dataPanel.record.icr': <Percent value={icr} alone />,
              'dataPanel.record.liquidation': <Amount value={liquidationPrice} places={18} show={2} round="up" unit="YU" alone />,
            }}
          />
        </section>
      ))}
      {troves !== null && troves.length > 0 && minimumRatio !== null && (
        <p className="text-meta text-2">
          {t('dataPanel.record.minimum', { ratio: withUnit(amountText(BigInt(minimumRatio), 16), '%') })}
        </p>
      )}
    </RecordSection>
  );
}

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
  <RecordSection title={t('dataPanel.record.newest')}>
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
  </RecordSection>
);
