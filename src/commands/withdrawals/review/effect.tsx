import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { weiOfSatoshi } from '../../../../api/money.ts';
import type { WithdrawalRow } from '../../../../api/withdrawals/contract.ts';
import { bitcoinExplorerTarget } from '../../../lib/explorer.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Amount } from '../../../lib/money/amount.tsx';
import { amountText } from '../../../lib/money/amount-text.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import type { RefundAction, RefundReview, ReviewedCall } from '../refund-calls.ts';
import { Item } from '../../ui/dialogs/facts.tsx';

interface RefundEffectProps {
  act: RefundAction;
  row: WithdrawalRow;
  review: RefundReview;
}

export function RefundEffect({ act, row, review: { chain, before } }: RefundEffectProps) {
  const me = useStore($loginEmail);
  const wei = weiOfSatoshi(BigInt(row.amount));
  const isRequest = act === 'requestRefund';
  const payout = (
    <>
      <Item name={t('withdrawals.effect.payout')}>
        <Amount value={row.amount} places={8} unit="BTC" />
      </Item>
      <Item name={t('withdrawals.field.receiver')}>
        <OnChainLink {...bitcoinExplorerTarget.address(row.receiver)} />
      </Item>
    </>
  );
  return (
    <Box title={t(`withdrawals.effect.title.${act}`)} name="effect">
      <List>
        <Item name={t(`withdrawals.effect.taken.${act}`)}>
          <span className="font-semibold tabular-nums">{amountText(-wei, 18)} YBTC</span>
        </Item>
        <Item name={t('withdrawals.effect.from')}>
          <NamedAddress value={isRequest ? row.address : chain.contracts.custodyBridge} whole />
          {!isRequest && <span className="text-meta text-2"> {t('withdrawals.bridge')}</span>}
        </Item>
        {isRequest && (
          <Item name={t('withdrawals.effect.to')}>
            <NamedAddress value={chain.contracts.custodyBridge} whole />
            <span className="text-meta text-2"> {t('withdrawals.bridge')}</span>
          </Item>
        )}
        <Item name={t(`withdrawals.effect.before.${act}`)}>
          {before === null ? (
            <span className="text-danger-text">{t('withdrawals.effect.unknown')}</span>
          ) : (
            <Change before={before} after={before - wei} />
          )}
        </Item>
        {payout}
        <Item name={t('withdrawals.effect.chain')}>{`${chain.name} (${chain.chainId})`}</Item>
        <Item name={t('withdrawals.effect.undo')}>{t(`withdrawals.effect.undone.${act}`)}</Item>
      </List>
      <div>
        <p className="text-2">{t('withdrawals.effect.signed')}</p>
        <ul className="flex flex-wrap gap-x-2 gap-y-1">
          {row.createdEmail !== null && (
            <li>
              <Chip state="done">{t('withdrawals.effect.recorded', { email: row.createdEmail })}</Chip>
            </li>
          )}
          {row.approvals.map(({ email }) => (
            <li key={email}>
              <Chip state="done">{t('withdrawals.effect.signer', { email })}</Chip>
            </li>
          ))}
          <li>
            <Chip state="pending">{t('withdrawals.effect.you', { email: me })}</Chip>
          </li>
        </ul>
      </div>
    </Box>
  );
}

export function RefundCalls({ calls, isChecked }: { calls: readonly ReviewedCall[]; isChecked: boolean }) {
  return (
    <Box title={t('withdrawals.calls.title')} name="calls">
      {calls.map((call) => (
        <List key={call.name}>
          <Item name={t('withdrawals.calls.contract')}>
            <span className="font-medium">{call.contract}</span> <NamedAddress value={call.to} whole />
          </Item>
          <Item name={t('withdrawals.calls.function')}>
            <span className="font-mono">{call.name}</span>
          </Item>
          {call.args.map(({ name, value }) => (
            <Item key={name} name={<span className="font-mono">{name}</span>}>
              <Argument name={name} value={value} />
            </Item>
          ))}
        </List>
      ))}
      {isChecked && (
        <p>
          <Chip state="done">{t(calls.length > 1 ? 'withdrawals.review.approveHolds' : 'withdrawals.review.holds')}</Chip>
        </p>
      )}
    </Box>
  );
}

function Argument({ name, value }: { name: string; value: string }) {
  if (name === 'amount' || name === 'value')
    return (
      <span className="tabular-nums">
        {amountText(BigInt(value), 18)} YBTC <span className="text-meta text-2">({value})</span>
      </span>
    );
  if (/^0x[\da-f]{40}$/i.test(value)) return <NamedAddress value={value} whole />;
  return (
    <bdi className="font-mono break-all" translate="no">
      {value}
    </bdi>
  );
}

function Change({ before, after }: { before: bigint; after: bigint }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      <Amount value={String(before)} places={18} show={8} />
      <span aria-hidden="true">→</span>
      <span className="sr-only">{t('withdrawals.effect.becomes')}</span>
      <span className="font-semibold">
        <Amount value={String(after)} places={18} show={8} unit="YBTC" />
      </span>
    </span>
  );
}

const Box = ({ title, name, children }: { title: string; name: string; children: ReactNode }) => (
  <section
    aria-label={title}
    data-refund={name}
    className="flex flex-col gap-3 rounded-control border border-hairline bg-layer p-3"
  >
    <h3 className="text-section font-semibold">{title}</h3>
    {children}
  </section>
);

const List = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">{children}</dl>
);
