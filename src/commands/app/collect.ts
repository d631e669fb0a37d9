import type { CommandId } from '../../../api/names.ts';
import { $deviceRequests, stopWaiting, type DeviceRequest } from '../../lib/device/device-request.ts';
import { dropDraft } from '../../lib/prefs/drafts.ts';
import type { AnyCommand, Invocation } from '../engine/define.ts';
import type { ParamCollector, CommandQuestion } from '../engine/host.ts';
import type { InvocationSource } from '../engine/ui.ts';
import { $confirm, $factorAsk, $question, type OpenConfirm, type OpenQuestion } from './open-dialogs.ts';

// Stores of open questions live in questions.ts, because every page loads them.

/** Drafts are kept until the command succeeds. */
export const questionDraftKey = (id: CommandId, targets: NonNullable<Invocation['targets']>): string =>
  [id, ...targets.map((target) => (typeof target === 'string' ? target : target.id))].join('.');

export function collectParams(question: CommandQuestion): ParamCollector {
  $question.get()?.answer(null);
  let latest: OpenQuestion | null = null;
  let left = false;
  let before: readonly DeviceRequest[] = [];
  return {
    ask: (formError) =>
      new Promise((resolve) => {
        latest = {
          question,
          formError: formError ?? null,
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
    isAbandoned: () => left,
    close: (done) => {
      if (done) dropDraft(questionDraftKey(question.command.id, question.targets));
      if (latest && $question.get() === latest) $question.set(null);
      latest = null;
    },
  };
}

export function askConfirmation(question: Omit<OpenConfirm, 'answer'>): Promise<boolean> {
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

const paletteFieldKinds = new Set(['choice', 'pick', 'text', 'url', 'time', 'secret', 'number']);

/** The palette asks for up to three simple fields. Longer questions open a form. */
export const fitsInPalette = ({ params, oneStep }: AnyCommand): boolean => {
  const fields = Object.values(params?.fields ?? {});
  return !params?.merges && !oneStep && fields.length <= 3 && fields.every(({ as }) => paletteFieldKinds.has(as));
};

export const asksInPalette = (question: { command: AnyCommand; source: InvocationSource }): boolean =>
  question.source === 'palette' && fitsInPalette(question.command);
