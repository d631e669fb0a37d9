import { useStore } from '@nanostores/react';
import { formatBtc } from '../../../api/money.ts';
import type { DepositBlock, DepositRow, MintProgress } from '../../../api/deposits/contract.ts';
import { recorded } from '../../commands/deposits/recorded.ts';
import { depositTarget } from '../../commands/deposits/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { $freeze } from '../../commands/custody/shared/freeze.ts';
import { EvidencePanel, useEvidence, unsignableReason } from '../../commands/deposits/review/evidence.tsx';
import { DepositApprovals, DepositFieldList } from '../../commands/deposits/review/fields.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { DetailRow, Details, RecordSection } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { DepositStatus, MintStatus } from './status.tsx';

const intervalMs = 3_000;

export function DepositRecordView({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('deposits', id, api.deposits.many, depositTarget, {
    refetchInterval: ({ state }) => (isMintInProgress(state.data?.[0]?.mintStatus) ? intervalMs : false),
  });
  return openedRecord && <OpenedRecord {...openedRecord} />;
}

function OpenedRecord({ row, targets }: { row: DepositRow; targets: readonly Target[] }) {
  const version = { id: row.id, version: row.version };
  const blockText = useBlockText(version);
  const isCreated = row.status === 'created';
  return (
    <RecordView
      wide
      title={`${formatBtc(BigInt(row.amount))} BTC`}
      state={
        <span className="flex flex-wrap gap-2">
          <DepositStatus row={row} />
          <MintStatus row={row} />
        </span>
      }
      targets={targets}
      primary={isCreated ? { id: 'deposits.confirm', blocked: blockText } : row.mintStatus === 'failed' && 'deposits.retryMint'}
      commands={[
        isCreated && 'deposits.edit',
        isCreated && row.approvals.some(({ own }) => own) && 'deposits.revokeSignature',
        isCreated && 'deposits.delete',
        row.mint?.state === 'queued' && 'deposits.cancelMint',
        (row.mintStatus === 'failed' || row.mintStatus === 'canceled') && 'deposits.closeFailed',
        'deposits.copyHash',
      ]}
      history={{
        resource: 'deposits',
        entity: 'deposit',
        fields: recorded.deposit,
        current: row,
        load: api.deposits.history,
      }}
    >
      {row.block && <Block block={row.block} mint={row.mint} targets={targets} />}
      <DepositFieldList row={row} />
      {row.mint && <Progress mint={row.mint} />}
      <DepositApprovals row={row} />
      <EvidencePanel of={version} />
    </RecordView>
  );
}

/** Why the deposit can't be confirmed, as far as Bitcoin, the rules and a freeze are known before the review. */
function useBlockText(signedVersion: Parameters<typeof useEvidence>[0]): string | null {
  const { data } = useEvidence(signedVersion);
  const isFrozen = Boolean(useStore($freeze));
  return isFrozen ? t('deposits.evidence.frozen') : data ? unsignableReason(data) : null;
}

/** The custodian's reason, the mint's progress at that time, and signatures for unblocking. */
function Block({ block, mint, targets }: { block: DepositBlock; mint: MintProgress | null; targets: readonly Target[] }) {
  return (
    <RecordSection title={t('deposits.block.title')} data-block>
      <p role="alert" className="text-danger-text">
        {t(`deposits.block.stage.${mint ? blockSteps[mint.state] : 'unsigned'}`)}
      </p>
      <Details of={{ 'deposits.block.reason': block.reason, 'deposits.block.at': <TimeText iso={block.at} /> }}>
        {block.signed.map(({ email, at, reason }) => (
          <DetailRow key={email} name={t('deposits.block.signed')}>
            {email} · <TimeText iso={at} /> · {reason}
          </DetailRow>
        ))}
      </Details>
      <p className="text-2">{t('deposits.block.missing', { count: block.missing })}</p>
      <div>
        <CommandTrigger id="deposits.unblock" targets={targets} explains />
      </div>
    </RecordSection>
  );
}

const blockSteps = {
  queued: 'unsigned',
  signed: 'held',
  sent: 'sent',
  mined: 'minted',
  final: 'minted',
  failed: 'unsigned',
  canceled: 'unsigned',
  closed: 'unsigned',
} as const satisfies Record<MintProgress['state'], string>;

const isMintInProgress = (status: string | undefined) => status === 'queued' || status === 'sent';

const chipStates = {
  queued: 'pending',
  signed: 'processing',
  sent: 'processing',
  mined: 'processing',
  final: 'done',
  failed: 'failed',
  canceled: 'failed',
  closed: 'off',
} as const;

/** Translates the signer's `REASON` or `REASON: details`. */
function detailsText(problem: string, details: string): string {
  const [, reason = '', detail = ''] = /^([A-Z_]+)(?::\s*(.*))?$/s.exec(details) ?? [];
  const reasonText = problem === 'AUTHORITY' ? tMaybe(`deposits.authority.${reason}`) : null;
  return reasonText === null ? details : detail === '' ? reasonText : `${reasonText} (${detail})`;
}

function Progress({ mint }: { mint: MintProgress }) {
  const { hash } = mint;
  return (
    <RecordSection title={t('deposits.mint.title')} data-progress={mint.state} live>
      <Details
        of={{
          'deposits.mint.state': <Chip state={chipStates[mint.state]}>{t(`deposits.state.${mint.state}`)}</Chip>,
          'deposits.mint.problem': mint.problem && (
            <>
              <span role="alert" className="text-danger-text">
                {tMaybe(`deposits.problem.${mint.problem}`) ?? t('deposits.problem.other')}
              </span>
              {mint.details && (
                <span className="block text-meta break-words text-2">{detailsText(mint.problem, mint.details)}</span>
              )}
            </>
          ),
          'deposits.mint.signFrom': mint.state === 'queued' && mint.signFrom && <TimeText iso={mint.signFrom} />,
          'deposits.mint.nonce': mint.nonce,
          'deposits.mint.hash': hash !== null && { copy: hash, shown: <OnChainLink chain="evm" kind="tx" value={hash} /> },
          'deposits.mint.block': mint.block,
          'deposits.field.updatedAt': <TimeText iso={mint.updatedAt} />,
        }}
      />
    </RecordSection>
  );
}
