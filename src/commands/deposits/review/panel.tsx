import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ClaimEvidence, DepositRow } from '../../../../api/deposits/contract.ts';
import { $freeze } from '../../custody/shared/freeze.ts';
import { EvidencePanel, useEvidence, EvidenceVerdict, unsignableReason } from './evidence.tsx';
import { DepositApprovals, DepositFieldList } from './fields.tsx';
import { MintReview } from './mint-review.tsx';
import { ChecksumHint } from '../../ui/dialogs/checksum-hint.tsx';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { ConfirmBlock, PanelProps } from '../../ui/dialogs/panel-props.ts';

const debounceMs = 400;

export function DepositPanel({ targets: [target], values, command, block }: PanelProps) {
  const row = target?.entity === 'deposits' ? target.row : null;
  if (values) return <EnteredClaim values={values} except={row?.id ?? null} />;
  if (!row) return null;
  return <SignedDepositPanel row={row} command={command} block={block} />;
}

function SignedDepositPanel({ row, command, block }: { row: DepositRow } & Pick<PanelProps, 'command' | 'block'>) {
  const signedVersion = { id: row.id, version: row.version };
  const { data, error, isFetching } = useEvidence(signedVersion);
  const isConfirming = command === 'deposits.confirm';
  const isFrozen = Boolean(useStore($freeze));
  const blockState = blockReason({ data, error, isFetching, isFrozen, isConfirming });
  const [text, isWaiting] = [blockState?.text, blockState?.isWaiting ?? false];
  useEffect(() => block?.(text === undefined ? null : { text, isWaiting }), [text, isWaiting, block]);
  return (
    <div className="flex flex-col gap-4 py-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-2">{t('deposits.evidence.title')}</span>
        <EvidenceVerdict evidence={isFetching ? undefined : data} />
      </p>
      <MintReview row={row} effect={error ? null : data?.effect} isConfirming={isConfirming} />
      <DepositFieldList row={row} isBelowReview />
      <EvidencePanel of={signedVersion} />
      <DepositApprovals row={row} />
    </div>
  );
}

interface EvidenceState {
  data: ClaimEvidence | undefined;
  error: unknown;
  isFetching: boolean;
  isFrozen: boolean;
  isConfirming: boolean;
}

/** A retried mint is looked up on chain first, so its evidence blocks nothing. */
function blockReason({ data, error, isFetching, isFrozen, isConfirming }: EvidenceState): ConfirmBlock | null {
  if (isFrozen) return blockWith(t('deposits.evidence.frozen'));
  if (isFetching) return { text: t('deposits.evidence.reading'), isWaiting: true };
  if (!isConfirming) return null;
  if (error || !data) return blockWith(t('deposits.evidence.failed'));
  const unsignableText = unsignableReason(data);
  return unsignableText === null ? null : blockWith(unsignableText);
}

const blockWith = (text: string): ConfirmBlock => ({ text, isWaiting: false });

function EnteredClaim({ values, except }: { values: Readonly<Record<string, unknown>>; except: string | null }) {
  const txid = valueText(values['txid']).trim();
  const vout = valueText(values['vout']).trim();
  const enteredClaim = JSON.stringify({
    txid,
    vout,
    coboAddress: valueText(values['coboAddress']).trim().slice(0, 100),
    amount: valueText(values['amount']).slice(0, 40),
    except,
  });
  const settled = useDebounced(enteredClaim);
  // The box under the transaction already says that its output is recorded.
  const { data } = useQuery(
    { queryKey: ['depositTransaction', txid.replace(/^0x/i, '').toLowerCase()], enabled: false },
    queryClient,
  );
  const isFilled = except === null && data !== undefined;
  const isComplete = /^(0x)?[0-9a-f]{64}$/i.test(txid) && /^\d{1,9}$/.test(vout);
  return (
    <div className="flex flex-col gap-4">
      <ChecksumHint typed={valueText(values['userAddress']).trim()} />
      <EvidencePanel
        of={isComplete && settled ? (JSON.parse(settled) as never) : null}
        pending={isComplete && settled !== enteredClaim}
        hidesKnown={isFilled}
      />
    </div>
  );
}

function useDebounced(value: string): string | null {
  const [debouncedClaim, setDebouncedClaim] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedClaim(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debouncedClaim;
}
