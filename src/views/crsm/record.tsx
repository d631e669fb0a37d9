import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { priceAt } from '../../../api/crsm/values.ts';
import { crsmTarget } from '../../commands/crsm/commands.ts';
import { callArguments } from '../../commands/crsm/recorded.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { formatUnits } from '../../../api/money.ts';
import { api } from '../../lib/net/client.ts';
import { clockText, useSecondsUntil } from '../../lib/countdown.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { queryClient } from '../../lib/net/query.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { FieldList } from '../../lib/ui/record/recorded-value.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { Time } from '../../lib/ui/value/time.tsx';
import { Bullet } from './bullet.tsx';
import { Percent } from '../../lib/money/amount.tsx';
import { debtOf, HealthChip } from './figures.tsx';
import { FigureItem, FigureList, RecordSection, StaleFigures, TroveFigures, WeiValue } from './record-parts.tsx';

const intervalMs = 3_000;

export function CrsmRecordView({ id }: { id: string }) {
  const { row, isGone } = useRecord('crsms', id, api.crsm.many);
  useOpenRecord(row, crsmTarget, isGone);
  if (!row) return null;
  return (
    <RecordSheet
      wide
      title={`CRSM #${row.tokenId}`}
      description={
        <span className="flex flex-wrap items-center gap-2">
          <HealthChip row={row} />
          <OnChainLink chain="evm" kind="address" value={row.id} />
        </span>
      }
    >
      <div data-record className="flex flex-col gap-5">
        <Commands row={row} />
        <StaleFigures row={row} />
        {!row.isTrovesOwner && (
          <p role="alert" className="rounded-control bg-warn-bg px-3 py-2 text-warn-text">
            {t('crsm.record.notTrovesOwner')}
          </p>
        )}
        <Bullet row={row} />
        <RecordSection title={t('crsm.record.own')}>
          <OwnFigures row={row} />
        </RecordSection>
        <RecordSection title={t('crsm.record.trove')}>
          <TroveFigures row={row} />
        </RecordSection>
        <Happened id={id} />
      </div>
    </RecordSheet>
  );
}

/** Checked again for another wallet, and when a pending change becomes acceptable. */
function Commands({ row }: { row: CrsmRow }) {
  const account = useStore($evmWallet)?.account;
  const secondsLeft = useSecondsUntil(row.deadline);
  // A new array makes every button check again.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const targets = useMemo(() => [crsmTarget(row)], [row, account, secondsLeft === 0]);
  return (
    <div className="flex flex-wrap gap-2">
      {acts.map((id) =>
        id === 'crsm.acceptDebtGasCompensation' && row.deadline === null ? null : (
          <CommandTrigger
            key={id}
            id={id}
            targets={targets}
            label={shortName(id)}
            look={id === 'crsm.deposit' ? 'primary' : 'secondary'}
          />
        ),
      )}
      <CommandTrigger id="crsm.updateData" targets={targets} />
      <CommandTrigger id="crsm.copyAddress" targets={targets} compact />
    </div>
  );
}

const acts = [
  'crsm.deposit',
  'crsm.withdrawFromSP',
  'crsm.claimYield',
  'crsm.claimAllCollateralGains',
  'crsm.updateCR',
  'crsm.commitDebtGasCompensation',
  'crsm.acceptDebtGasCompensation',
  'crsm.withdraw',
  'crsm.repay',
] as const;

/** Without the contract function, which the form and the review show. */
const shortName = (id: (typeof acts)[number]): string => bilingualName(id).replace(/（\w+）$/, '');

function OwnFigures({ row }: { row: CrsmRow }) {
  const secondsLeft = useSecondsUntil(row.deadline);
  const trigger = priceAt(BigInt(row.TRGCR), BigInt(row.collateral), BigInt(debtOf(row)));
  return (
    <FigureList>
      {(['TRGCR', 'TARCR', 'MAX_TARCR'] as const).map((name) => (
        <FigureItem key={name} name={t(`crsm.field.${name}`)} copy={formatUnits(BigInt(row[name]), 16)}>
          <Percent value={row[name]} round="up" bare alone />
        </FigureItem>
      ))}
      {row.icr !== null && <WeiValue name={t('crsm.field.triggerPrice')} value={String(trigger)} unit="YU" round="up" />}
      <WeiValue name={t('crsm.field.debtGasCompensation')} value={row.debtGasCompensation} unit="YU" round="up" />
      {row.deadline !== null && (
        <>
          <WeiValue
            name={t('crsm.field.pendingDebtGasCompensation')}
            value={row.pendingDebtGasCompensation}
            unit="YU"
            round="up"
          />
          <FigureItem name={t('crsm.field.deadline')}>
            <span className="flex flex-wrap gap-x-2">
              <Time iso={row.deadline} />
              {secondsLeft !== null && secondsLeft > 0 && (
                <span role="timer" data-deadline className="text-2 tabular-nums">
                  {t('crsm.record.left', { time: clockText(secondsLeft, 'crsm.days') })}
                </span>
              )}
            </span>
          </FigureItem>
        </>
      )}
      <WeiValue name={t('crsm.field.deposits')} value={row.deposits} unit="YU" />
      <WeiValue name={t('crsm.field.yieldGains')} value={row.yieldGains} unit="YU" />
      <WeiValue name={t('crsm.field.debtTokenBalance')} value={row.debtTokenBalance} unit="YU" />
      {row.collateralGains.map(({ token, symbol, amount }) => (
        <WeiValue key={token} name={`${t('crsm.field.collateralGains')} · ${symbol}`} value={amount} unit={symbol} />
      ))}
      <FigureItem name={t('crsm.field.createdAt')}>
        <Time iso={row.createdAt} />
      </FigureItem>
    </FigureList>
  );
}

const looks = {
  prepared: 'pending',
  sent: 'processing',
  done: 'done',
  failed: 'failed',
  different: 'failed',
  lost: 'refused',
} as const;

/** Events on chain, and actions by wallets through the panel. */
function Happened({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['crsms', 'events', id],
      queryFn: ({ signal }) => api.crsm.events({ id }, { signal }),
      refetchInterval: ({ state }) => (state.data?.calls.some((call) => call.state === 'sent') ? intervalMs : false),
    },
    queryClient,
  );
  if (isError && !data)
    return (
      <p role="alert" className="flex items-center gap-3">
        {t('crsm.record.failedEvents')}
        <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
      </p>
    );
  if (!data) return null;
  return (
    <>
      <RecordSection title={t('crsm.record.calls')}>
        {data.calls.length === 0 && <p className="text-2">{t('crsm.record.noCalls')}</p>}
        <ol className="flex flex-col gap-3">
          {data.calls.map((call) => (
            <Entry
              key={call.id}
              data-call={call.id}
              name={bilingualName(`crsm.${call.action}`)}
              args={Object.fromEntries(call.args.map(({ name, value }) => [name, value]))}
            >
              <span data-state={call.state}>
                <Chip state={looks[call.state]}>{t(`crsm.state.${call.state}`)}</Chip>
              </span>
              <span className="text-meta text-2">{t('crsm.record.by', { by: call.by })}</span>
              <span className="text-meta text-2">
                <Time iso={call.at} />
              </span>
              {call.hash !== null && <OnChainLink chain="evm" kind="tx" value={call.hash} short />}
            </Entry>
          ))}
        </ol>
      </RecordSection>
      <RecordSection title={t('crsm.record.events')}>
        {data.events.length === 0 && <p className="text-2">{t('crsm.record.noEvents')}</p>}
        <ol className="flex flex-col gap-3">
          {data.events.map((event) => (
            <Entry
              key={event.id}
              data-event={event.name}
              name={tMaybe(`crsm.event.${event.name}`) ?? t('crsm.event.other')}
              args={event.args}
            >
              <span className="text-meta text-2">
                <Time iso={event.at} />
              </span>
              <span className="text-meta text-2 tabular-nums">{t('crsm.record.block', { block: event.block })}</span>
              <OnChainLink chain="evm" kind="tx" value={event.hash} short />
            </Entry>
          ))}
        </ol>
      </RecordSection>
    </>
  );
}

interface EntryProps {
  name: string;
  args: Readonly<Record<string, string>>;
  children: ReactNode;
}

const Entry = ({ name, args, children, ...data }: EntryProps & Record<`data-${string}`, string>) => (
  <li {...data} className="flex flex-col gap-0.5 border-s-2 border-hairline ps-3">
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-medium">{name}</span>
      {children}
    </span>
    <FieldList fields={callArguments} record={args} />
  </li>
);
