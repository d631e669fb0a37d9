import CircleX from 'lucide-react/icons/circle-x';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';
import { createApi } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import type { Consequences } from '../../engine/define.ts';
import type { OpenConfirm } from '../../app/open-dialogs.ts';
import type { Review } from '../../engine/review.ts';
import { MoneyReview } from './money-review.tsx';
import type { ConfirmBlock } from './panel-props.ts';

export type ConfirmableCommand = Pick<OpenConfirm, 'command' | 'targets' | 'params'>;

interface AnswerState {
  /** Null: it can be confirmed. */
  why: ConfirmBlock | null;
  block: (blockState: ConfirmBlock | null) => void;
  consequences: ConsequencesState;
}

/** `question` must keep its identity while the question is open. */
export function useAnswerState(question: ConfirmableCommand): AnswerState {
  const [panelBlock, block] = useState<ConfirmBlock | null>(() =>
    question.command.requiresPanelApproval ? waitingBlock() : null,
  );
  const consequences = useConsequences(question);
  return { why: panelBlock ?? consequences.why, block, consequences };
}

export const waitingBlock = (): ConfirmBlock => ({ text: t('form.reviewWaits'), isWaiting: true });
const refusedBlock = (text: string): ConfirmBlock => ({ text, isWaiting: false });

interface ConsequencesState {
  isAsked: boolean;
  lines: readonly string[] | null;
  reviews: readonly Review[];
  error: unknown;
  again: () => void;
  why: ConfirmBlock | null;
}

export function useConsequences(question: ConfirmableCommand): ConsequencesState {
  const { command, targets, params } = question;
  const [loadState, setLoadState] = useState<{ of: ConfirmableCommand; found?: Consequences; error?: unknown } | null>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    command
      .consequences?.({ api: createApi(command.id, null), targets: targets as readonly never[], params: params as never })
      .then(
        (consequences) =>
          isCurrent && setLoadState({ of: question, found: 'lines' in consequences ? consequences : { lines: consequences } }),
        (error: unknown) => isCurrent && setLoadState({ of: question, error: error ?? new Error('unread') }),
      );
    return () => {
      isCurrent = false;
    };
  }, [question, command, targets, params, attempts]);
  const { found = null, error = null } = loadState?.of === question ? loadState : {};
  const isAsked = command.consequences !== undefined;
  const isMoney = command.danger === 'money';
  const retry = () => {
    setLoadState(null);
    setAttempts(attempts + 1);
  };
  return {
    isAsked,
    lines: found?.lines ?? null,
    reviews: found?.reviews ?? [],
    error,
    again: retry,
    why: !isAsked
      ? null
      : isMoney
        ? blockedState(found, error)
        : found?.blocked === undefined
          ? null
          : refusedBlock(found.blocked),
  };
}

/** Money can't be confirmed before all consequences are on screen. */
function blockedState(consequences: Consequences | null, error: unknown): ConfirmBlock | null {
  if (error !== null) return refusedBlock(errorText(error));
  if (consequences === null) return waitingBlock();
  return consequences.blocked === undefined ? null : refusedBlock(consequences.blocked);
}

export function ConsequenceList({ isAsked, lines, reviews, error, again }: ConsequencesState) {
  const listElement = useRef<HTMLDivElement>(null);
  if (!isAsked) return null;
  const retry = () => {
    listElement.current?.focus();
    again();
  };
  return (
    <div ref={listElement} tabIndex={-1} className="outline-none">
      {error !== null ? (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-2">
          {errorText(error)}
          <Button onClick={retry}>{t('common.retry')}</Button>
        </p>
      ) : lines === null ? (
        <Skeleton lines={2} />
      ) : lines.length === 0 && reviews.length === 0 ? null : (
        <div data-consequences className="flex flex-col gap-3 py-2 text-body text-1">
          {reviews.map((review) => (
            <MoneyReview key={JSON.stringify([review.what, review.parties])} review={review} />
          ))}
          {lines.length === 1 && <p className="py-0.5 break-words">{lines[0]}</p>}
          {lines.length > 1 && (
            <ul>
              {lines.map((line) => (
                <li key={line} className="py-0.5 break-words">
                  {line}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

/** Without a possible press, only what to check. */
export function ConfirmBody({ lead, body, why }: { lead: readonly string[]; body: string | null; why: ConfirmBlock | null }) {
  const isRefused = why !== null && !why.isWaiting;
  if (body === null && (isRefused || lead.length === 0)) return null;
  return (
    <div className="flex flex-col gap-1">
      {!isRefused && lead.length > 0 && (
        <div data-lead className="text-1">
          {lead.map((line) => (
            <p key={line} className="font-medium">
              {line}
            </p>
          ))}
        </div>
      )}
      {body !== null && <p>{body}</p>}
    </div>
  );
}

export function BlockedReason({ why, id }: { why: ConfirmBlock; id?: string }) {
  return (
    <span
      id={id}
      role="status"
      className={`order-first flex basis-full items-start justify-end gap-1.5 ${why.isWaiting ? 'text-2' : 'text-danger-text'}`}
    >
      {!why.isWaiting && <CircleX size={14} aria-hidden="true" className="mt-0.75 shrink-0" />}
      <span className="min-w-0 wrap-anywhere">{why.text}</span>
    </span>
  );
}
