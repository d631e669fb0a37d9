import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { priceAt, type CrsmAction } from '../../../api/crsm/values.ts';
import { crsmTarget } from '../../commands/crsm/commands.ts';
import { callArguments } from '../../commands/crsm/recorded.ts';
import type { RecordCommand } from '../../commands/ui/controls/record-commands.tsx';
import { formatUnits } from '../../../api/money.ts';
import { api } from '../../lib/net/client.ts';
import { clockText, useSecondsUntil } from '../../lib/countdown.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { queryClient } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { DetailRow, Details, RecordSection, type CopyableValue, type Facts } from '../../lib/ui/record/details.tsx';
import { FieldList } from '../../lib/ui/record/recorded-value.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Percent } from '../../lib/money/amount.tsx';
import { LoadedData, RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { Bullet } from './bullet.tsx';
import { debtOf, HealthChip } from './figures.tsx';
import { StaleFigures, TroveFigures, RecordWarning, weiFact } from './record-parts.tsx';

const intervalMs = 3_000;

export function CrsmRecordView({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('crsms', id, api.crsm.many, crsmTarget);
  return openedRecord && <OpenedRecord {...openedRecord} />;
}

function OpenedRecord({ row, targets }: { row: CrsmRow; targets: readonly Target[] }) {
  const secondsLeft = useSecondsUntil(row.deadline); // commands are checked again when it ends
  return (
    <RecordView
      wide
      title={`CRSM #${row.tokenId}`}
      state={
        <span className="flex flex-wrap items-center gap-2">
          <HealthChip row={row} />
          <OnChainLink chain="evm" kind="address" value={row.id} />
        </span>
      }
      targets={targets}
      primary={actionCommand('deposit')}
      commands={[
        actionCommand('withdrawFromSP'),
        actionCommand('claimYield'),
        row.deadline !== null && actionCommand('acceptDebtGasCompensation'),
        actionCommand('claimAllCollateralGains'),
        actionCommand('updateCR'),
        actionCommand('commitDebtGasCompensation'),
        actionCommand('withdraw'),
        actionCommand('repay'),
        'crsm.updateData',
        'crsm.copyAddress',
      ]}
    >
      <StaleFigures row={row} />
      {!row.isTrovesOwner && <RecordWarning>{t('crsm.record.notTrovesOwner')}</RecordWarning>}
      <Bullet row={row} />
      <RecordSection title={t('crsm.record.own')}>
        <Details of={ownFacts(row, secondsLeft)}>
          {row.collateralGains.map(({ token, symbol, amount }) => (
            <DetailRow key={token} name={`${t('crsm.field.collateralGains')} · ${symbol}`} copy={formatUnits(BigInt(amount), 18)}>
              {weiFact(amount, symbol).shown}
            </DetailRow>
          ))}
        </Details>
      </RecordSection>
      <RecordSection title={t('crsm.record.trove')}>
        <TroveFigures row={row} />
      </RecordSection>
      <CallHistory id={row.id} />
    </RecordView>
  );
}

/** Named as in its confirmation, without the contract function. */
const actionCommand = (action: CrsmAction): RecordCommand => ({ id: `crsm.${action}`, label: t(`crsm.ask.${action}.act`) });

function ownFacts(row: CrsmRow, secondsLeft: number | null): Facts {
  const { deadline } = row;
  const ratioFact = (value: string): CopyableValue => ({
    copy: formatUnits(BigInt(value), 16),
    shown: <Percent value={value} round="up" bare alone />,
  });
  const triggerPrice = priceAt(BigInt(row.TRGCR), BigInt(row.collateral), BigInt(debtOf(row)));
  return {
    'crsm.field.TRGCR': ratioFact(row.TRGCR),
    'crsm.field.TARCR': ratioFact(row.TARCR),
    'crsm.field.MAX_TARCR': ratioFact(row.MAX_TARCR),
    'crsm.field.triggerPrice': row.icr !== null && weiFact(String(triggerPrice), 'YU', 'up'),
    'crsm.field.debtGasCompensation': weiFact(row.debtGasCompensation, 'YU', 'up'),
    'crsm.field.pendingDebtGasCompensation': deadline !== null && weiFact(row.pendingDebtGasCompensation, 'YU', 'up'),
    'crsm.field.deadline': deadline !== null && (
      <span className="flex flex-wrap gap-x-2">
        <TimeText iso={deadline} />
        {secondsLeft !== null && secondsLeft > 0 && (
          <span role="timer" data-deadline className="text-2 tabular-nums">
            {t('crsm.record.left', { time: clockText(secondsLeft, 'crsm.days') })}
          </span>
        )}
      </span>
    ),
    'crsm.field.deposits': weiFact(row.deposits, 'YU'),
    'crsm.field.yieldGains': weiFact(row.yieldGains, 'YU'),
    'crsm.field.debtTokenBalance': weiFact(row.debtTokenBalance, 'YU'),
    'crsm.field.createdAt': <TimeText iso={row.createdAt} />,
  };
}

const chipStates = {
  prepared: 'pending',
  sent: 'processing',
  done: 'done',
  failed: 'failed',
  different: 'failed',
  lost: 'refused',
} as const;

/** Events on chain, and actions by wallets through the panel. */
function CallHistory({ id }: { id: string }) {
  const callsQuery = useQuery(
    {
      queryKey: ['crsms', 'events', id],
      queryFn: ({ signal }) => api.crsm.events({ id }, { signal }),
      refetchInterval: ({ state }) => (state.data?.calls.some((call) => call.state === 'sent') ? intervalMs : false),
    },
    queryClient,
  );
  return (
    <LoadedData of={callsQuery}>
      {(data) => (
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
                    <Chip state={chipStates[call.state]}>{t(`crsm.state.${call.state}`)}</Chip>
                  </span>
                  <span className="text-meta text-2">{t('crsm.record.by', { by: call.by })}</span>
                  <span className="text-meta text-2">
                    <TimeText iso={call.at} />
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
                    <TimeText iso={event.at} />
                  </span>
                  <span className="text-meta text-2 tabular-nums">{t('crsm.record.block', { block: event.block })}</span>
                  <OnChainLink chain="evm" kind="tx" value={event.hash} short />
                </Entry>
              ))}
            </ol>
          </RecordSection>
        </>
      )}
    </LoadedData>
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
