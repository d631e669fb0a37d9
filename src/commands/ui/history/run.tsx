import { useRef, useState } from 'react';
import { useStore } from '@nanostores/react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { labelText, joinList } from '../../../lib/i18n/punctuation.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { ignoreRepeats } from '../../../lib/ui/overlay/confirm-dialog.tsx';
import { assessCommand } from '../../app/context.ts';
import { noticeOf } from '../../engine/command-error.ts';
import type { DispatchOutcome } from '../../engine/dispatch/interface.ts';
import { $history, ownEntries, type CommandHistoryEntry } from '../../engine/dispatch/history.ts';
import { dispatch, undoEntry } from '../../app/dispatcher.ts';
import { registry } from '../../app/registry.ts';
import { invocationOf, runSteps, type Macro, type MacroStep } from '../../macros/macro.ts';
import { paramFieldsOf, paramsText } from './words.ts';

type StepState = 'waiting' | 'working' | 'done' | 'failed' | 'skipped';
const chipStates = { waiting: 'off', working: 'processing', done: 'done', failed: 'failed', skipped: 'refused' } as const;

interface Progress {
  state: StepState;
  why?: string;
  entry?: string;
}

interface MacroRunProps {
  macro: Macro;
  targets: readonly Target[];
  onClose: () => void;
  onBusy: (busy: boolean) => void;
}

export function MacroRun({ macro, targets, onClose, onBusy }: MacroRunProps) {
  const { steps } = macro;
  const [progress, setProgress] = useState<readonly Progress[]>(() => steps.map(() => ({ state: 'waiting' })));
  const [phase, setPhase] = useState<'ready' | 'running' | 'ended'>('ready');
  const [isStopRequested, setStopRequested] = useState(false);
  const isStopping = useRef(false);
  useStore($history);
  const blockTexts = steps.map((step) => blockTextOf(step, targets));
  const runningIndex = progress.findIndex(({ state }) => state === 'working');
  const failedIndex = progress.findIndex(({ state }) => state === 'failed');
  const undoableEntries = progress.flatMap(({ entry }) => undoableEntry(entry) ?? []);

  const setStepProgress = (index: number, nextProgress: Progress) =>
    setProgress((previousProgress) => previousProgress.map((item, otherIndex) => (otherIndex === index ? nextProgress : item)));

  const run = async () => {
    setPhase('running');
    onBusy(true);
    await runSteps(steps, async (index, createdIds) => {
      const step = steps[index];
      if (!step || isStopping.current) return { made: [], stop: '' };
      setStepProgress(index, { state: 'working' });
      const invocation = invocationOf(
        step,
        targets.map(({ id }) => id),
        createdIds,
      );
      const outcome = invocation && (await dispatch(invocation, 'macro'));
      const problem = failureText(step, outcome);
      const entry = outcome?.status === 'done' && outcome.entry ? { entry: outcome.entry } : {};
      setStepProgress(index, problem === null ? { state: 'done', ...entry } : { state: 'failed', why: problem, ...entry });
      const historyEntry = 'entry' in entry ? ownEntries().find(({ id }) => id === entry.entry) : undefined;
      return { made: historyEntry?.made ?? [], stop: problem };
    });
    setProgress((previousProgress) => previousProgress.map((item) => (item.state === 'waiting' ? { state: 'skipped' } : item)));
    setPhase('ended');
    onBusy(false);
  };

  const undoAll = async () => {
    onBusy(true);
    for (const entry of undoableEntries.toReversed()) {
      const now = ownEntries().find(({ id }) => id === entry.id); // its versions may have moved on with the one after it
      const outcome = now && (await undoEntry(now));
      if (outcome?.status !== 'done') break;
    }
    onBusy(false);
  };

  const summary =
    phase === 'running'
      ? t('history.macro.running', { n: Math.max(runningIndex, 0) + 1, count: steps.length })
      : phase === 'ready'
        ? t('history.macro.runBody')
        : failedIndex >= 0
          ? t('history.macro.stoppedAt', { n: failedIndex + 1, why: progress[failedIndex]?.why ?? '' })
          : progress.some(({ state }) => state === 'skipped')
            ? t('history.macro.stopped')
            : t('history.macro.finished', { count: steps.length });
  const isBlocked = blockTexts.some((blockText) => blockText !== null);

  return (
    <div data-macro-run={phase} className="flex flex-col gap-3 pb-3">
      <p role="status" className={failedIndex >= 0 ? 'text-danger-text' : 'text-2'}>
        {summary}
      </p>
      {targets.length > 0 && steps.some(({ on }) => on.from === 'selection') && (
        <p className="break-words">{t('history.macro.onSelection', { names: joinList(targets.map(({ name }) => name)) })}</p>
      )}
      <ol className="flex flex-col">
        {steps.map((step, index) => (
          <StepRow
            key={index}
            step={step}
            at={index}
            progress={progress[index] ?? { state: 'waiting' }}
            blocked={phase === 'ready' ? (blockTexts[index] ?? null) : null}
          />
        ))}
      </ol>
      <div className="flex flex-wrap justify-end gap-2">
        {phase === 'ready' && (
          <>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              look="primary"
              data-autofocus
              aria-disabled={isBlocked || undefined}
              onKeyDown={ignoreRepeats}
              onClick={() => !isBlocked && void run()}
            >
              {t('history.macro.run')}
            </Button>
          </>
        )}
        {phase === 'running' && (
          <Button
            aria-disabled={isStopRequested || undefined}
            onClick={() => {
              isStopping.current = true;
              setStopRequested(true);
            }}
          >
            {t('history.macro.stop')}
          </Button>
        )}
        {phase === 'ended' && (
          <>
            {undoableEntries.length > 0 && <Button onClick={() => void undoAll()}>{t('history.macro.undoAll')}</Button>}
            <Button look="primary" autoFocus onKeyDown={ignoreRepeats} onClick={onClose}>
              {t('common.close')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface StepRowProps {
  step: MacroStep;
  at: number;
  progress: Progress;
  blocked: string | null;
}

function StepRow({ step, at, progress, blocked }: StepRowProps) {
  const { state, why, entry } = progress;
  const historyEntry = entry ? ownEntries().find(({ id }) => id === entry) : undefined;
  const fields = paramFieldsOf(step.command);
  const askedLabels = step.asks.flatMap((name) =>
    fields[name] ? [labelText(t(fields[name].label), t('history.macro.ask'))] : [],
  );
  const storedParams = Object.fromEntries(Object.entries(step.params).filter(([name]) => !step.asks.includes(name)));
  return (
    <li
      data-macro-step={state}
      className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-hairline py-2 last:border-0"
    >
      <span className="text-meta text-2 tabular-nums">{at + 1}</span>
      <strong className="font-medium">{bilingualName(step.command as CommandId)}</strong>
      <span className="min-w-0 break-words text-2">{targetsText(step)}</span>
      <span className="ms-auto flex items-center gap-2">
        {historyEntry?.undone && <Chip state="refused">{t('history.undone')}</Chip>}
        <Chip state={blocked ? 'failed' : chipStates[state]}>{t(`history.macro.state.${state}`)}</Chip>
      </span>
      <p className="w-full text-meta break-words text-2 empty:hidden" dir="auto">
        {[...paramsText(step.command, storedParams), ...askedLabels].join(' · ')}
      </p>
      <p className="w-full text-meta text-danger-text empty:hidden">{blocked ?? why}</p>
    </li>
  );
}

function targetsText({ on }: MacroStep): string {
  if (on.from === 'none') return '';
  if (on.from === 'selection') return t('history.macro.selection');
  if (on.from === 'step') return t('history.macro.madeBy', { n: on.step + 1 });
  return t('history.macro.records', { names: joinList(on.names) });
}

/** Null: nothing known prevents it. */
function blockTextOf({ command: id, on }: MacroStep, targets: readonly Target[]): string | null {
  const command = registry.get(id);
  if (!command) return t('history.macro.unknown');
  if (assessCommand(command, []).state === 'hidden') return t('history.macro.notPermitted');
  if (on.from !== 'selection' || command.target.kind === 'none') return null;
  const { entity, kind } = command.target;
  if (targets.length === 0) return t('history.macro.nothingSelected');
  if (targets.some((target) => target.entity !== entity)) return t('history.macro.otherRecords');
  if (kind === 'one' && targets.length > 1) return t('palette.blocked.onlyOne');
  return null;
}

/** Null: it succeeded. */
function failureText(step: MacroStep, outcome: DispatchOutcome | null): string | null {
  if (!outcome) return t('history.macro.nothingMade');
  if (outcome.status === 'canceled') return t('history.macro.canceled');
  if (outcome.status === 'done') return outcome.failed ? t('history.macro.partly', { failed: outcome.failed }) : null;
  const { key, values, field } = noticeOf(outcome.error, registry.get(step.command));
  return t(key, field ? { ...values, label: t(field) } : values);
}

function undoableEntry(id: string | undefined): CommandHistoryEntry | undefined {
  const entry = id ? ownEntries().find((item) => item.id === id) : undefined;
  return entry?.undo && !entry.undone ? entry : undefined;
}
