import type { CommandId } from '../../../api/names.ts';
import { $deviceRequests, stopWaiting, type DeviceRequest } from '../../lib/device/device-request.ts';
import { dropDraft } from '../../lib/prefs/drafts.ts';
import type { AnyCommand, Invocation } from '../engine/define.ts';
import type { Collecting, Question } from '../engine/host.ts';
import type { Source } from '../engine/ui.ts';
import { $confirm, $factorAsk, $question, type OpenConfirm, type OpenQuestion } from './questions.ts';

// Stores of open questions live in questions.ts, because every page loads them.

/** Drafts are kept until the command succeeds. */
export const draftKeyOf = (id: CommandId, targets: NonNullable<Invocation['targets']>): string =>
  [id, ...targets.map((target) => (typeof target === 'string' ? target : target.id))].join('.');

export function collect(question: Question): Collecting {
  $question.get()?.answer(null);
  let latest: OpenQuestion | null = null;
  let left = false;
  let before: readonly DeviceRequest[] = [];
  return {
    ask: (setback) =>
      new Promise((resolve) => {
        latest = {
          question,
          setback: setback ?? null,
          busy: false,
          answer: (values) => {
            if (latest === null || $question.get() !== latest) return;
            left = values === null && latest.busy;
            if (left) stopWaiting(before);
            before = $deviceRequests.get();
            latest = values === null ? null : { ...latest, busy: true };
            $question.set(latest);
            resolve(values);
          },
        };
        $question.set(latest);
      }),
    isLeft: () => left,
    close: (done) => {
      if (done) dropDraft(draftKeyOf(question.command.id, question.targets));
      if (latest && $question.get() === latest) $question.set(null);
      latest = null;
    },
  };
}

export function confirm(question: Omit<OpenConfirm, 'answer'>): Promise<boolean> {
  $confirm.get()?.answer(false);
  return new Promise((resolve) => {
    const open: OpenConfirm = {
      ...question,
      answer: (yes) => {
        if ($confirm.get() === open) $confirm.set(null);
        resolve(yes);
      },
    };
    $confirm.set(open);
  });
}

/** False when the person canceled. */
export function askFactor(): Promise<boolean> {
  $factorAsk.get()?.answer(false);
  return new Promise((resolve) => {
    const open = {
      answer: (shown: boolean) => {
        if ($factorAsk.get() === open) $factorAsk.set(null);
        resolve(shown);
      },
    };
    $factorAsk.set(open);
  });
}

const shortFields = new Set(['choice', 'pick', 'text', 'url', 'time', 'secret', 'number']);

/** The palette asks for up to three simple fields. Longer questions open a form. */
export const isShort = ({ params, oneStep }: AnyCommand): boolean => {
  const fields = Object.values(params?.fields ?? {});
  return !params?.merges && !oneStep && fields.length <= 3 && fields.every(({ as }) => shortFields.has(as));
};

export const asksInPalette = (question: { command: AnyCommand; source: Source }): boolean =>
  question.source === 'palette' && isShort(question.command);
