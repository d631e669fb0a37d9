import type { ReactNode } from 'react';
import type { AuthorityBand, AuthorityPolicy } from '../../../../api/authority/statements.ts';
import { bandChanges, type BandChange } from '../../../lib/authority/bands.ts';
import { btcText, secondsText } from '../../../lib/authority/words.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import type { Signatures } from '../../engine/review.ts';
import { MoneyReview } from '../../ui/dialogs/money-review.tsx';

interface RulesReviewProps {
  /** In force. Null: none. */
  before: AuthorityPolicy | null;
  after: AuthorityPolicy;
  undo: string;
  signatures?: Signatures | undefined;
  /** False while the bands of a form have gaps, overlaps or wrong parts. */
  isComplete?: boolean;
}

/** Every rule as it is and as it will be, with each change marked. */
export function RulesReview({ before, after, undo, signatures, isComplete = true }: RulesReviewProps) {
  const generalChanges = ([['root'], ['coolingSeconds'], ['receivers']] as const).map(([name]) => ({
    name,
    label: t(`authority.rules.name.${name}`),
    from: before && generalText(before, name),
    to: generalText(after, name),
  }));
  const changes = generalChanges
    .filter(({ from: previousText, to: nextText }) => previousText !== nextText)
    .map(({ name, label, from: previousText, to: nextText }) => ({
      key: name,
      label,
      before: previousText ?? '—',
      after: nextText,
    }));
  return (
    <MoneyReview
      review={{
        what: t('authority.rules.what'),
        parties: [],
        facts: generalChanges
          .filter(({ from: previousText, to: nextText }) => previousText === nextText)
          .map(({ label, to: nextText }) => ({ label, text: nextText })),
        changes,
        undo,
        ...(signatures && { signatures }),
      }}
    >
      {isComplete ? (
        <>
          <Bands title={t('authority.rules.mintTitle')} changes={bandChanges(before?.bands ?? [], after.bands)} />
          <Bands title={t('authority.rules.refundTitle')} changes={bandChanges(before?.refundBands ?? [], after.refundBands)} />
        </>
      ) : (
        <p role="status" className="text-2">
          {t('authority.rules.correct')}
        </p>
      )}
    </MoneyReview>
  );
}

function generalText(policy: AuthorityPolicy, name: 'root' | 'coolingSeconds' | 'receivers'): string {
  if (name === 'root') return t('authority.band.approvals', { count: policy.root });
  return name === 'coolingSeconds' ? secondsText(policy.coolingSeconds) : t(`authority.receiversRule.${policy.receivers}`);
}

type ChangeMark = 'added' | 'removed' | 'changed' | 'same';

function markOf({ before, after }: BandChange): ChangeMark {
  if (!before) return 'added';
  if (!after) return 'removed';
  return JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'changed';
}

const chipStates = { added: 'processing', removed: 'failed', changed: 'pending' } as const;

const columns = {
  amount: ({ from: previousText, below }: AuthorityBand) =>
    below === null ? `≥ ${btcText(previousText)}` : `${btcText(previousText)} – ${btcText(below)}`,
  people: ({ approvals }: AuthorityBand) => String(approvals),
  ofRole: ({ role }: AuthorityBand) => (role === null ? t('authority.band.any') : roleText(role)),
  limit: ({ perDay }: AuthorityBand) => (perDay === null ? t('authority.band.any') : `${btcText(perDay)} BTC`),
  wait: ({ delaySeconds }: AuthorityBand) => secondsText(delaySeconds),
} as const;
const names = Object.keys(columns) as (keyof typeof columns)[];

function Bands({ title, changes }: { title: string; changes: readonly BandChange[] }) {
  return (
    <div className="overflow-x-auto">
      <table data-band-changes className="w-full tabular-nums">
        <caption className="pb-1 text-start font-medium">{title}</caption>
        <thead>
          <tr className="border-b border-hairline text-meta text-2">
            {names.map((name) => (
              <th key={name} scope="col" className="py-1 pe-3 text-start font-medium">
                {t(`authority.band.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <Band key={JSON.stringify(change)} change={change} />
          ))}
          {changes.length === 0 && (
            <tr>
              <td colSpan={names.length} className="py-1 text-danger-text">
                {t('authority.rules.none')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Band({ change }: { change: BandChange }) {
  const { before, after } = change;
  const mark = markOf(change);
  return (
    <tr data-mark={mark} className={`border-b border-hairline align-top last:border-0 ${mark === 'same' ? 'text-2' : ''}`}>
      {names.map((name) => {
        const [previousText, nextText] = [before && columns[name](before), after && columns[name](after)];
        return (
          <td key={name} className={`py-1 pe-3 ${name === 'limit' ? 'whitespace-nowrap' : ''}`}>
            {previousText === null || nextText === null || previousText === nextText ? (
              <StruckText is={nextText === null}>{nextText ?? previousText}</StruckText>
            ) : (
              <>
                <StruckText is>{previousText}</StruckText>
                <span className="sr-only"> → </span>
                <span className="block font-semibold text-1">{nextText}</span>
              </>
            )}
            {name === 'amount' && mark !== 'same' && (
              <span className="block pt-0.5">
                <Chip state={chipStates[mark]}>{t(`authority.rules.mark.${mark}`)}</Chip>
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

const StruckText = ({ is, children }: { is: boolean; children: ReactNode }) =>
  is ? <del className="block text-2">{children}</del> : <span>{children}</span>;
