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
import { Amount, Percent, UnknownValue } from '../../lib/money/amount.tsx';
import type { Rounding } from '../../lib/money/amount-text.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { Details, RecordSection, type Facts } from '../../lib/ui/record/details.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { RecordView, useOpenedDetails } from '../layout/record-view.tsx';
import { ShareBar } from './shares.tsx';

const readDetails = ({ id: address }: { id: string }, options: { signal: AbortSignal }) =>
  api.dataPanel.get({ address }, options);

export function InstitutionRecord({ id: address }: { id: string }) {
  const bookName = useAddressName(address);
  const openedRecord = useOpenedDetails('institutions', address, readDetails, institutionTarget);
  if (!openedRecord) return null;
  const { row, details, targets } = openedRecord;
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
  const btcValue = (value: string) => <Amount value={value} places={8} unit="BTC" />;
  const weiValue = (value: string | undefined, unit: 'YBTC' | 'YU', rounding: Rounding = 'down') => (
    <Amount value={value ?? null} places={18} show={unit === 'YU' ? 6 : 8} round={rounding} unit={unit} alone />
  );
  const ratioValue = (value: string | undefined) => value !== undefined && <Percent value={value} round="up" alone />;
  return {
    'dataPanel.field.account': <Addresses values={row.custodians} count={row.custodianCount} />,
    'dataPanel.field.multisig': <Addresses values={row.multisigs} count={row.multisigCount} />,
    'dataPanel.field.btc': btcValue(row.btc),
    'dataPanel.field.pendingBtc': btcValue(row.pendingBtc),
    'dataPanel.field.redeemed': btcValue(redeemed),
    'dataPanel.field.minted': weiValue(minted, 'YBTC'),
    'dataPanel.field.collateral': weiValue(chain?.collateral, 'YBTC'),
    'dataPanel.field.debt': weiValue(chain?.debt, 'YU', 'up'),
    'dataPanel.field.yuInPool': weiValue(chain?.yuInPool, 'YU'),
    'dataPanel.field.yuInWallet': weiValue(chain?.yuInWallet, 'YU'),
    'dataPanel.field.ybtcInWallet': weiValue(chain?.ybtcInWallet, 'YBTC'),
    'dataPanel.field.claimableYbtc': weiValue(chain?.claimableYbtc, 'YBTC'),
    'dataPanel.field.claimableYu': weiValue(chain?.claimableYu, 'YU'),
    'dataPanel.field.crsm': crsm ? <Address value={crsm.address} whole /> : t('dataPanel.record.crsm'),
    'dataPanel.field.trigger': ratioValue(crsm?.trigger),
    'dataPanel.field.target': ratioValue(crsm?.target),
    'dataPanel.field.maxTarget': ratioValue(crsm?.maxTarget),
  };
}

const ReadAt = ({ row: { readAt, chain } }: Pick<InstitutionDetails, 'row'>) => (
  <p className="text-meta text-2">
    {t('dataPanel.at')} <TimeText iso={readAt} />
    {chain && (
      <>
        {' · '}
        {t('dataPanel.block', { block: chain.block })} <TimeText iso={chain.at} />
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
  const sharePart = (name: 'inTroves' | 'inWallet' | 'inPool' | 'claimable', value: string, unit: 'YBTC' | 'YU') => ({
    name: t(`dataPanel.record.${name}`),
    value,
    shown: <Amount value={value} places={18} show={unit === 'YBTC' ? 8 : 2} unit={unit} alone />,
  });
  const ybtcParts = [
    sharePart('inTroves', chain.collateral, 'YBTC'),
    sharePart('inWallet', chain.ybtcInWallet, 'YBTC'),
    sharePart('claimable', chain.claimableYbtc, 'YBTC'),
  ];
  const yuParts = [
    sharePart('inPool', chain.yuInPool, 'YU'),
    sharePart('inWallet', chain.yuInWallet, 'YU'),
    sharePart('claimable', chain.claimableYu, 'YU'),
  ];
  const hasNonZero = (parts: readonly { value: string }[]) => parts.some(({ value }) => value !== '0');
  return (
    <>
      {hasNonZero(ybtcParts) && <ShareBar label={t('dataPanel.record.ybtc')} parts={ybtcParts} />}
      {hasNonZero(yuParts) && <ShareBar label={t('dataPanel.record.yu')} parts={yuParts} />}
    </>
  );
}

function Troves({ data: { troves, minimumRatio } }: { data: InstitutionDetails }) {
  return (
    <RecordSection title={t('dataPanel.record.troves')}>
      {troves === null && <UnknownValue />}
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
            <TimeText iso={deposit.createdAt} />
          </span>
          <OnChainLink chain="bitcoin" kind="tx" value={deposit.txid} short />
        </li>
      ))}
    </ol>
  </RecordSection>
);
