import { useQuery } from '@tanstack/react-query';
import CircleCheckBig from 'lucide-react/icons/circle-check-big';
import X from 'lucide-react/icons/x';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { parseHttpUrl } from '../../../api/url.ts';
import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { feedbackTarget } from '../../commands/feedback/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { popContext, pushContext, type ListControls } from '../../lib/scope.ts';
import { Button } from '../../lib/ui/button.tsx';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { LoadFailed } from '../../lib/ui/list/table/states.tsx';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Replies } from './replies.tsx';
import { FeedbackStatus } from './status.tsx';
import { useQueue } from './use-queue.ts';

const closeTriage = () => navigate('/feedback');

/** One untreated feedback at a time, full height. */
export function Triage() {
  const [currentIndex, setCurrentIndex] = useState(0);
  const queue = useQueue(currentIndex);
  const { rows, total, status } = queue;
  const pane = useRef<HTMLElement>(null);
  const currentState = useCurrent(rows[currentIndex], queue.readAt, queue.drop);
  const { row } = currentState;
  const moveBy = (delta: number) => setCurrentIndex((index) => Math.max(0, Math.min(rows.length, index + delta)));
  const [soughtId, setSoughtId] = useState<string | null>(null);
  const show = (id: string) => {
    setSoughtId(id);
    if (!rows.some((row) => row.id === id)) queue.bring(id);
    return true;
  };
  useLayoutEffect(() => {
    const soughtIndex = rows.findIndex(({ id }) => id === soughtId);
    if (soughtIndex < 0) return;
    setCurrentIndex(soughtIndex);
    setSoughtId(null);
  }, [rows, soughtId]);
  useTriageFrame(currentState, pane, {
    step: moveBy,
    toFirst: () => setCurrentIndex(0),
    toLast: () => setCurrentIndex(Math.max(0, rows.length - 1)),
    show,
  });
  useLeaveByEscape();
  usePicturesOf([rows[currentIndex + 1], rows[currentIndex + 2], rows[currentIndex - 1]]);
  useEffect(() => {
    pane.current?.focus({ preventScroll: true });
    pane.current?.scrollTo({ top: 0 });
  }, [currentIndex, status]);
  return (
    <div data-triage className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline px-4 py-1.5">
        <h1 className="text-section font-semibold">{t('feedback.triage.title')}</h1>
        <p role="status" className="text-meta text-2 tabular-nums">
          {row && t('feedback.triage.place', { n: groupDigits(currentIndex + 1), of: groupDigits(total) })}
        </p>
        <p className="text-meta text-2 max-lg:hidden touch:hidden">{t('feedback.triage.hint')}</p>
        <Button
          look="ghost"
          keys="escape"
          aria-keyshortcuts="Escape"
          className="ms-auto"
          icon={<X size={14} aria-hidden="true" />}
          onClick={closeTriage}
        >
          {t('feedback.triage.leave')}
        </Button>
      </header>
      <section
        ref={pane}
        // Focusable, so that space and the paging keys scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('feedback.triage.title')}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        {row ? (
          <FeedbackArticle key={row.id} row={row} />
        ) : status === 'failed' ? (
          <LoadFailed error={queue.error} retry={queue.retry} />
        ) : status === 'loading' || currentIndex < rows.length ? (
          <Skeleton lines={6} />
        ) : (
          <EmptyState
            icon={<CircleCheckBig size={20} aria-hidden="true" />}
            title={t('feedback.triage.done')}
            action={<Button onClick={closeTriage}>{t('feedback.triage.leave')}</Button>}
          >
            {t('feedback.triage.doneText')}
          </EmptyState>
        )}
        <footer className="sticky bottom-0 mx-auto flex min-h-bar w-full max-w-5xl flex-wrap items-center gap-2 bg-surface px-4 py-2 sm:px-8">
          <CommandTrigger id="list.previous" label={t('feedback.triage.previous')} look="ghost" />
          <CommandTrigger id="list.next" label={t('feedback.triage.next')} look="ghost" />
          {row && <Actions row={row} />}
        </footer>
      </section>
    </div>
  );
}

function Actions({ row }: { row: FeedbackRow }) {
  const target = [feedbackTarget(row)];
  return (
    <div className="contents flex-wrap items-center gap-2 sm:ms-auto sm:flex">
      {row.pictures.length > 0 && <CommandTrigger id="feedback.pictures" targets={target} look="ghost" />}
      <CommandTrigger id="feedback.delete" targets={target} />
      <CommandTrigger id="feedback.reply" targets={target} />
      {row.processed ? (
        <CommandTrigger id="feedback.reopen" targets={target} />
      ) : (
        <CommandTrigger id="feedback.processNext" targets={target} look="primary" />
      )}
    </div>
  );
}

function FeedbackArticle({ row }: { row: FeedbackRow }) {
  return (
    <article
      data-feedback={row.id}
      className="mx-auto flex max-w-5xl flex-col gap-5 px-4 py-6 sm:px-8 lg:flex-row lg:items-start lg:gap-10"
    >
      <div className="flex min-w-0 flex-1 flex-col gap-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <FeedbackStatus row={row} />
          <h2 className="text-label font-medium break-all" title={t('feedback.unchecked')}>
            {row.email}
          </h2>
          <span className="text-meta text-2">
            <TimeText iso={row.createdAt} />
          </span>
        </div>
        <p dir="auto" className="max-w-form text-section break-words whitespace-pre-wrap">
          {row.content}
        </p>
        <Replies row={row} />
      </div>
      {row.pictures.length > 0 && (
        <div className="shrink-0 lg:w-80">
          <PictureStrip pictures={row.pictures} className="h-48 w-80" fit="contain" />
        </div>
      )}
    </article>
  );
}

interface CurrentFeedback {
  row: FeedbackRow | undefined;
  /** It changed since it was loaded, and is being reloaded. */
  stale: boolean;
}

/** The current record. A deleted one leaves the queue. */
function useCurrent(queuedRow: FeedbackRow | undefined, readAt: number, dropRow: (id: string) => void): CurrentFeedback {
  const queryKey = ['feedback', 'one', queuedRow?.id ?? ''];
  const { data, isFetching } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => api.feedback.many({ ids: queuedRow ? [queuedRow.id] : [] }, { signal }),
      enabled: queuedRow !== undefined,
      initialData: queuedRow && [queuedRow],
      initialDataUpdatedAt: readAt,
    },
    queryClient,
  );
  const row = queuedRow && data?.[0];
  const goneId = queuedRow !== undefined && data?.length === 0 ? queuedRow.id : null;
  useEffect(() => {
    if (goneId !== null) dropRow(goneId);
  }, [goneId, dropRow]);
  return { row, stale: isFetching && queryClient.getQueryState(queryKey)?.isInvalidated === true };
}

interface Steps {
  step: (delta: number) => void;
  toFirst: () => void;
  toLast: () => void;
  /** Returns to an item, even if it had left the queue. */
  show: (id: string) => boolean;
}

/** Acts as a list with one visible row, for list keys and commands. */
function useTriageFrame({ row, stale }: CurrentFeedback, pane: RefObject<HTMLElement | null>, steps: Steps): void {
  const [key] = useState(() => Symbol('triage'));
  const latestSteps = useRef(steps);
  useEffect(() => {
    latestSteps.current = steps;
  });
  // A layout effect, because the next key may act on the record.
  useLayoutEffect(() => {
    const controls: ListControls = {
      ...noopControls,
      resource: 'feedback',
      show: (id) => latestSteps.current.show(id),
      move: (delta) => latestSteps.current.step(delta),
      moveTo: (edge) => (edge === 'first' ? latestSteps.current.toFirst() : latestSteps.current.toLast()),
      open: () => pane.current?.focus(),
      refresh: () => void queryClient.invalidateQueries({ queryKey: ['feedback', 'one'] }),
      copy: () => row && void copyText(`${row.email}\n${row.content}`),
    };
    pushContext({ key, controls, checked: [], cursor: row ? feedbackTarget(row) : null, filtered: false, reading: true, stale });
  }, [key, row, stale, pane]);
  useLayoutEffect(() => () => popContext(key), [key]);
}

const noop = () => {};
/** List controls that do nothing here. */
const noopControls = {
  toggle: noop,
  extend: noop,
  selectAll: noop,
  clear: noop,
  focusFilter: noop,
  openFilter: noop,
  closeFilter: noop,
  filters: () => ({}),
  clearFilter: noop,
  openColumns: noop,
};

/** True if a visible overlay is open. Hidden ones are in the document too. */
const isCovered = () =>
  [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].some((overlay) =>
    overlay.checkVisibility(),
  );

function useLeaveByEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // Escape belongs to the overlay.
      if (isCovered()) return;
      event.preventDefault();
      closeTriage();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Preloads pictures of the next items. */
function usePicturesOf(nearbyRows: readonly (FeedbackRow | undefined)[]): void {
  const urls = nearbyRows.flatMap((row) => row?.pictures ?? []).join(' ');
  useEffect(() => {
    for (const src of urls.split(' ')) {
      const url = parseHttpUrl(src);
      if (url === null) continue;
      const image = new Image();
      image.referrerPolicy = 'no-referrer';
      image.src = url;
    }
  }, [urls]);
}
