import { atom } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { dropDraft } from '../../lib/prefs/drafts.ts';
import type { Target } from '../../lib/scope.ts';
import type { Left } from '../engine/assess.ts';
import type { AnyCommand, Invocation } from '../engine/define.ts';
import type { ParamValues } from '../engine/fields.ts';
import type { FactorDialog, Source } from '../engine/ui.ts';
import type { Collecting, Question, Setback } from '../engine/host.ts';

/** A form or palette step that waits for its answer. It stays, busy, until the command went through. */
export interface OpenQuestion {
  question: Question;
  setback: Setback | null;
  busy: boolean;
  answer: (values: ParamValues | null) => void;
}

export interface OpenConfirm {
  command: AnyCommand;
  targets: readonly Target[];
  left: readonly Left[];
  source: Source;
  params: ParamValues;
  answer: (yes: boolean) => void;
}

export const $question = atom<OpenQuestion | null>(null);
export const $confirm = atom<OpenConfirm | null>(null);
/** An open dialog about second factors. */
export const $factorDialog = atom<FactorDialog | null>(null);
/** Waits for the second factor to be shown again. */
export const $factorAsk = atom<{ answer: (shown: boolean) => void } | null>(null);
/** The list of shortcuts, or the view that changes them. */
export const $keySheet = atom<'sheet' | 'edit' | null>(null);
/** The open palette and what its commands will act on: frozen when it opened. `typed`: before it could hear. */
export const $palette = atom<{ targets: readonly Target[]; typed?: string } | null>(null);

/** Where what is typed into a question is kept until its command went through. */
export const draftKeyOf = (id: CommandId, targets: NonNullable<Invocation['targets']>): string =>
  [id, ...targets.map((target) => (typeof target === 'string' ? target : target.id))].join('.');

export function collect(question: Question): Collecting {
  $question.get()?.answer(null);
  let latest: OpenQuestion | null = null;
  return {
    ask: (setback) =>
      new Promise((resolve) => {
        latest = {
          question,
          setback: setback ?? null,
          busy: false,
          answer: (values) => {
            if (latest === null || $question.get() !== latest) return; // answered already
            latest = values === null ? null : { ...latest, busy: true };
            $question.set(latest);
            resolve(values);
          },
        };
        $question.set(latest);
      }),
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

/** Asks for the second factor again; false when the person gave up. */
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

/** Up to three simple fields are asked for in the palette; more, any long text, or a record's own to be changed, in a form. */
export const isShort = ({ params }: AnyCommand): boolean => {
  const fields = Object.values(params?.fields ?? {});
  return !params?.merges && fields.length <= 3 && fields.every(({ as }) => shortFields.has(as));
};

/** Whether the palette itself asks and shows the review: it was the source, and what is asked fits into it. */
export const asksInPalette = (question: { command: AnyCommand; source: Source }): boolean =>
  question.source === 'palette' && isShort(question.command);
