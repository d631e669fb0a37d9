import type { CommandId } from '../../../api/names.ts';
import { $deviceRequests, cancelRequests, type DeviceRequest } from '../../lib/device/device-request.ts';
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
  let latestQuestion: OpenQuestion | null = null;
  let isAbandoned = false;
  let previousDeviceRequests: readonly DeviceRequest[] = [];
  return {
    isForm: !isAskedInPalette(question),
    ask: (formError) =>
      new Promise((resolve) => {
        latestQuestion = {
          question,
          formError: formError ?? null,
          busy: false,
          answer: (values) => {
            if (latestQuestion === null || $question.get() !== latestQuestion) return;
            isAbandoned = values === null && latestQuestion.busy;
            if (isAbandoned) cancelRequests(previousDeviceRequests);
            previousDeviceRequests = $deviceRequests.get();
            latestQuestion = values === null ? null : { ...latestQuestion, busy: true };
            $question.set(latestQuestion);
            resolve(values);
          },
        };
        $question.set(latestQuestion);
      }),
    isAbandoned: () => isAbandoned,
    close: (isDone) => {
      if (isDone) dropDraft(questionDraftKey(question.command.id, question.targets));
      if (latestQuestion && $question.get() === latestQuestion) $question.set(null);
      latestQuestion = null;
    },
  };
}

export function askConfirmation(question: Omit<OpenConfirm, 'answer'>): Promise<boolean> {
  $confirm.get()?.answer(false);
  return new Promise((resolve) => {
    const openConfirm: OpenConfirm = {
      ...question,
      answer: (isConfirmed) => {
        if ($confirm.get() === openConfirm) $confirm.set(null);
        resolve(isConfirmed);
      },
    };
    $confirm.set(openConfirm);
  });
}

/** False when the person canceled. */
export function askFactor(): Promise<boolean> {
  $factorAsk.get()?.answer(false);
  return new Promise((resolve) => {
    const openRequest = {
      answer: (isShown: boolean) => {
        if ($factorAsk.get() === openRequest) $factorAsk.set(null);
        resolve(isShown);
      },
    };
    $factorAsk.set(openRequest);
  });
}

const paletteFieldKinds = new Set(['choice', 'pick', 'text', 'url', 'time', 'secret', 'number']);

/** The palette asks for up to three simple fields. Longer questions open a form. */
export const canAskInPalette = ({ params, oneStep }: AnyCommand): boolean => {
  const fields = Object.values(params?.fields ?? {});
  return !params?.merges && oneStep !== true && fields.length <= 3 && fields.every(({ as }) => paletteFieldKinds.has(as));
};

export const isAskedInPalette = (question: { command: AnyCommand; source: InvocationSource }): boolean =>
  question.source === 'palette' && canAskInPalette(question.command);
