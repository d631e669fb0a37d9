import { atom } from 'nanostores';
import type { Target } from '../../lib/scope.ts';
import type { SkippedTarget } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import type { ParamValues } from '../engine/fields.ts';
import type { FactorDialog, InvocationSource } from '../engine/ui.ts';
import type { CommandQuestion, FormError } from '../engine/host.ts';

export interface OpenQuestion {
  question: CommandQuestion;
  formError: FormError | null;
  busy: boolean;
  answer: (values: ParamValues | null) => void;
}

export interface OpenConfirm {
  command: AnyCommand;
  targets: readonly Target[];
  skipped: readonly SkippedTarget[];
  source: InvocationSource;
  params: ParamValues;
  answer: (isConfirmed: boolean) => void;
}

export const $question = atom<OpenQuestion | null>(null);
export const $confirm = atom<OpenConfirm | null>(null);
/** An open dialog about second factors. */
export const $factorDialog = atom<FactorDialog | null>(null);
export const $factorAsk = atom<{ answer: (isShown: boolean) => void } | null>(null);
export const $keySheet = atom<'sheet' | 'edit' | null>(null);
/** `targets` are frozen when the palette opens. `typed`: text from before it had focus. */
export const $palette = atom<{ targets: readonly Target[]; typed?: string } | null>(null);
