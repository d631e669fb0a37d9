import Copy from 'lucide-react/icons/copy';
import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import type { DepositBlock, DepositRow, MintProgress } from '../../../api/deposits/contract.ts';
import { recorded } from '../../commands/deposits/recorded.ts';
import { depositTarget } from '../../commands/deposits/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { IconButton } from '../../lib/ui/button.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { $freeze } from '../../commands/custody/shared/freeze.ts';
import { EvidencePanel, useEvidence, unsignableReason } from '../../commands/deposits/review/evidence.tsx';
import { DepositApprovals, DepositFieldList } from '../../commands/deposits/review/fields.tsx';
import { FactItem } from '../../commands/ui/dialogs/facts.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { DepositStatus, MintStatus } from './status.tsx';

const intervalMs = 3_000;

export function DepositRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('deposits', id, api.deposits.many, {
    refetchInterval: ({ state }) => (isUnderWay(state.data?.[0]?.mintStatus) ? intervalMs : false),
  });
  useOpenRecord(row, depositTarget, isGone);
  const targets = useMemo(() => (row ? [depositTarget(row)] : []), [row]);
  if (!row) return null;
  return (
    <RecordSheet
      wide
      title={t('deposits.title')}
      description={
        <span className="flex flex-wrap gap-2">
          <DepositStatus row={row} />
          <MintStatus row={row} />
        </span>
      }
    >
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          {row.status === 'created' ? (
            <>
              <Confirm row={row} targets={targets} />
              <CommandTrigger id="deposits.edit" targets={targets} />
              <CommandTrigger id="deposits.delete" targets={targets} />
            </>
          ) : (
            <>
              {row.mint?.state === 'queued' && <CommandTrigger id="deposits.cancelMint" targets={targets} explains />}
              {row.mintStatus === 'failed' && <CommandTrigger id="deposits.retryMint" targets={targets} explains />}
              {['failed', 'canceled'].includes(row.mintStatus) && (
                <CommandTrigger id="deposits.closeFailed" targets={targets} explains />
              )}
            </>
          )}
          <CommandTrigger id="deposits.copyHash" targets={targets} compact />
        </div>
        {row.block && <Block block={row.block} mint={row.mint} targets={targets} />}
        <DepositFieldList row={row} />
        {row.mint && <Progress mint={row.mint} />}
        <DepositApprovals row={row} />
        <EvidencePanel of={{ id: row.id, version: row.version }} />
        <RecordHistory
          resource="deposits"
          entity="deposit"
          fields={recorded.deposit}
          id={id}
          load={(input, signal) => api.deposits.history(input, { signal })}
          current={row}
        />
      </div>
    </RecordSheet>
  );
}

/** Shows reasons for a refusal before the review, as far as Bitcoin, the rules and a freeze are known. */
function Confirm({ row, targets }: { row: DepositRow; targets: readonly Target[] }) {
  const { data } = useEvidence({ id: row.id, version: row.version });
  const isFrozen = Boolean(useStore($freeze));
  const blocked = isFrozen ? t('deposits.evidence.frozen') : data ? unsignableReason(data) : null;
  return <CommandTrigger id="deposits.confirm" targets={targets} look="primary" blocked={blocked} explains />;
}

/** The custodian's reason, the mint's progress at that time, and signatures for unblocking. */
function Block({ block, mint, targets }: { block: DepositBlock; mint: MintProgress | null; targets: readonly Target[] }) {
  return (
    <section aria-label={t('deposits.block.title')} data-block className="flex flex-col gap-2 border-t border-hairline pt-4">
      <h3 className="text-section font-semibold">{t('deposits.block.title')}</h3>
      <p role="alert" className="text-danger-text">
        {t(`deposits.block.stage.${mint ? blockStages[mint.state] : 'unsigned'}`)}
      </p>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        <FactItem name={t('deposits.block.reason')}>{block.reason}</FactItem>
        <FactItem name={t('deposits.block.at')}>
          <Time iso={block.at} />
        </FactItem>
        {block.signed.map(({ email, at, reason }) => (
          <FactItem key={email} name={t('deposits.block.signed')}>
            {email} · <Time iso={at} /> · {reason}
          </FactItem>
        ))}
      </dl>
      <p className="text-2">{t('deposits.block.missing', { count: block.missing })}</p>
      <div>
        <CommandTrigger id="deposits.unblock" targets={targets} explains />
      </div>
    </section>
  );
}

const blockStages = {
  queued: 'unsigned',
  signed: 'held',
  sent: 'sent',
  mined: 'minted',
  final: 'minted',
  failed: 'unsigned',
  canceled: 'unsigned',
  closed: 'unsigned',
} as const satisfies Record<MintProgress['state'], string>;

const isUnderWay = (status: string | undefined) => status === 'queued' || status === 'sent';

const looks = {
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
  const [, reason = '', rest = ''] = /^([A-Z_]+)(?::\s*(.*))?$/s.exec(details) ?? [];
  const words = problem === 'AUTHORITY' ? tMaybe(`deposits.authority.${reason}`) : null;
  return words === null ? details : rest === '' ? words : `${words} (${rest})`;
}

function Progress({ mint }: { mint: MintProgress }) {
  const { hash } = mint;
  return (
    <section
      aria-label={t('deposits.mint.title')}
      data-progress={mint.state}
      aria-live="polite"
      className="flex flex-col gap-2 border-t border-hairline pt-4"
    >
      <h3 className="text-section font-semibold">{t('deposits.mint.title')}</h3>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        <FactItem name={t('deposits.mint.state')}>
          <Chip state={looks[mint.state]}>{t(`deposits.state.${mint.state}`)}</Chip>
        </FactItem>
        {mint.problem && (
          <FactItem name={t('deposits.mint.problem')}>
            <span role="alert" className="text-danger-text">
              {tMaybe(`deposits.problem.${mint.problem}`) ?? t('deposits.problem.other')}
            </span>
            {mint.details && (
              <span className="block text-meta break-words text-2">{detailsText(mint.problem, mint.details)}</span>
            )}
          </FactItem>
        )}
        {mint.state === 'queued' && mint.signFrom && (
          <FactItem name={t('deposits.mint.signFrom')}>
            <Time iso={mint.signFrom} />
          </FactItem>
        )}
        {mint.nonce !== null && <FactItem name={t('deposits.mint.nonce')}>{mint.nonce}</FactItem>}
        {hash !== null && (
          <FactItem name={t('deposits.mint.hash')}>
            <span className="flex items-start gap-1">
              <OnChainLink chain="evm" kind="tx" value={hash} />
              <IconButton
                label={t('deposits.mint.copy')}
                icon={<Copy size={14} aria-hidden="true" />}
                className="h-6! w-6! shrink-0"
                onClick={() => void copyText(hash)}
              />
            </span>
          </FactItem>
        )}
        {mint.block !== null && <FactItem name={t('deposits.mint.block')}>{mint.block}</FactItem>}
        <FactItem name={t('deposits.field.updatedAt')}>
          <Time iso={mint.updatedAt} />
        </FactItem>
      </dl>
    </section>
  );
}
