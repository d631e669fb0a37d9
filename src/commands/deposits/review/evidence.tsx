import { useQuery } from '@tanstack/react-query';
import CircleX from 'lucide-react/icons/circle-x';
import ExternalLink from 'lucide-react/icons/external-link';
import type { ReactNode } from 'react';
import type { ClaimEvidence } from '../../../../api/deposits/contract.ts';
import { authorityRefusal } from '../../authority/shared/refusals.ts';
import { api } from '../../../lib/net/client.ts';
import { formatTime, groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { Amount } from '../../../lib/money/amount.tsx';
import { Button } from '../../../lib/ui/button.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';

type AskedQuestion = Parameters<typeof api.deposits.evidence>[0];
type EvidenceInput = { id: string; version: number } | Exclude<AskedQuestion, { id: string }> | null;

const chipStates = {
  holds: 'done',
  unconfirmed: 'pending',
  mismatch: 'failed',
  notOurs: 'failed',
  spent: 'failed',
  unverified: 'failed',
} as const;

export const useEvidence = (claimSource: EvidenceInput) =>
  useQuery(
    {
      queryKey: ['depositEvidence', claimSource],
      queryFn: ({ signal }) =>
        api.deposits.evidence(claimSource && 'id' in claimSource ? { id: claimSource.id } : (claimSource as AskedQuestion), {
          signal,
        }),
      enabled: claimSource !== null,
      staleTime: 5_000,
    },
    queryClient,
  );

/** Null: the evidence and the rules allow a signature. */
export function unsignableReason({ verdict, refusal }: Pick<ClaimEvidence, 'verdict' | 'refusal'>): string | null {
  if (verdict !== 'holds') return t(`deposits.evidence.whyNot.${verdict}`);
  if (refusal === null) return null;
  const { reason, values } = authorityRefusal(refusal);
  return t(reason, values);
}

interface EvidencePanelProps {
  of: EvidenceInput;
  pending?: boolean;
  /** The form beside it says that the output is recorded. */
  hidesKnown?: boolean;
}

export function EvidencePanel({ of, pending = false, hidesKnown = false }: EvidencePanelProps) {
  const { data, error, isFetching, refetch } = useEvidence(of);
  const isWaiting = pending || isFetching;
  return (
    <section
      data-evidence={isWaiting ? 'reading' : (data?.verdict ?? 'none')}
      aria-label={t('deposits.evidence.title')}
      aria-busy={isWaiting}
      className="flex flex-col gap-3 border-t border-hairline pt-4 lg:border-t-0 lg:pt-0"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-section font-semibold">{t('deposits.evidence.title')}</h3>
        <span role="status">{(isWaiting || (data && of)) && <EvidenceVerdict evidence={isWaiting ? undefined : data} />}</span>
      </div>
      {of === null ? (
        <p className="text-2">{t('deposits.evidence.type')}</p>
      ) : error ? (
        <p className="flex items-center gap-2 text-2">
          {t('deposits.evidence.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      ) : data ? (
        <Evidence evidence={hidesKnown ? { ...data, known: null } : data} />
      ) : (
        <Skeleton lines={3} />
      )}
    </section>
  );
}

/** Undefined while loading. */
export const EvidenceVerdict = ({ evidence }: { evidence: ClaimEvidence | undefined }) =>
  evidence ? (
    <Chip state={chipStates[evidence.verdict]}>{t(`deposits.evidence.verdict.${evidence.verdict}`)}</Chip>
  ) : (
    <Chip state="processing">{t('deposits.evidence.reading')}</Chip>
  );

function Evidence({ evidence: { sources, claim, required, known, at } }: { evidence: ClaimEvidence }) {
  return (
    <>
      {known && (
        <p role="alert" className="flex flex-wrap items-center gap-x-2 text-danger-text" data-known={known}>
          <CircleX size={14} aria-hidden="true" />
          {t('deposits.evidence.known')}
          <a
            href={`/selfCustody/deposit?open=${known}`}
            target="_blank"
            rel="noopener"
            className="inline-flex items-center gap-1 rounded-chip text-accent-text underline"
          >
            {t('deposits.evidence.openKnown')}
            <ExternalLink size={12} aria-hidden="true" />
          </a>
        </p>
      )}
      {sources.length === 0 && <p className="text-danger-text">{t('deposits.evidence.none')}</p>}
      {sources.map((source) => (
        <div
          key={source.name}
          data-source={source.name}
          className="flex flex-col gap-2 rounded-control border border-hairline p-3"
        >
          <p className="flex flex-wrap items-center justify-between gap-2">
            <span className="font-mono text-meta break-all">{source.name}</span>
            <Chip state={source.state === 'found' ? 'done' : 'failed'}>{t(`deposits.evidence.state.${source.state}`)}</Chip>
          </p>
          {source.reason !== null && (
            <p className="text-meta break-words text-2">
              <bdi>{source.reason}</bdi>
            </p>
          )}
          {source.state === 'found' && (
            <dl className="flex flex-col gap-2">
              <Compared
                name={t('deposits.field.coboAddress')}
                isSame={claim.coboAddress === null ? null : claim.coboAddress === source.address}
                claimed={claim.coboAddress && <NamedAddress value={claim.coboAddress} whole />}
              >
                {source.address === null ? '—' : <Address value={source.address} whole />}
              </Compared>
              <Compared
                name={t('deposits.field.amount')}
                isSame={claim.amount === null ? null : claim.amount === source.amount}
                claimed={claim.amount && <Amount value={claim.amount} places={8} unit="BTC" />}
              >
                {source.amount === null ? '—' : <Amount value={source.amount} places={8} unit="BTC" />}
              </Compared>
              <Compared
                name={t('deposits.evidence.confirmations')}
                isSame={(source.confirmations ?? 0) >= (source.coinbase ? Math.max(100, required) : required)}
                words={false}
              >
                <span className="tabular-nums">
                  {t('deposits.evidence.ofRequired', {
                    n: groupDigits(source.confirmations ?? 0),
                    of: source.coinbase ? Math.max(100, required) : required,
                  })}
                </span>
              </Compared>
              <Compared name={t('deposits.evidence.output')} isSame={!source.spent} words={false}>
                {t(source.spent ? 'deposits.evidence.spent' : 'deposits.evidence.unspent')}
              </Compared>
              <Compared name={t('deposits.evidence.block')} isSame={null}>
                {source.height === null ? (
                  t('deposits.evidence.unconfirmed')
                ) : (
                  <>
                    <span className="tabular-nums">{source.height}</span> <Address value={source.blockHash ?? ''} whole />
                  </>
                )}
              </Compared>
            </dl>
          )}
        </div>
      ))}
      <p className="text-meta text-2">{t('deposits.evidence.at', { time: formatTime(at) })}</p>
    </>
  );
}

interface ComparedProps {
  name: string;
  /** Null: nothing to compare with. */
  isSame: boolean | null;
  claimed?: ReactNode;
  words?: boolean;
  children: ReactNode;
}

/** Marked by word and shape, not by color alone. */
function Compared({ name, isSame, claimed, words = true, children }: ComparedProps) {
  return (
    <div data-same={isSame ?? undefined}>
      <dt className="flex flex-wrap items-center gap-2 text-meta text-2">
        {name}
        {isSame !== null &&
          (words ? (
            <Chip state={isSame ? 'done' : 'failed'}>{t(isSame ? 'deposits.evidence.same' : 'deposits.evidence.different')}</Chip>
          ) : (
            <Chip state={isSame ? 'done' : 'pending'}>{children}</Chip>
          ))}
      </dt>
      {words && (
        <dd className={isSame === false ? 'text-danger-text' : ''}>
          {isSame === false && <span className="text-meta">{t('deposits.evidence.says')} </span>}
          {children}
        </dd>
      )}
      {isSame === false && claimed && (
        <dd className="text-danger-text">
          <span className="text-meta">{t('deposits.evidence.claimed')} </span>
          {claimed}
        </dd>
      )}
    </div>
  );
}
