import { atom } from 'nanostores';
import type { Target } from '../../lib/scope.ts';
import type { Left } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import type { ParamValues } from '../engine/fields.ts';
import type { FactorDialog, Source } from '../engine/ui.ts';
import type { Question, Setback } from '../engine/host.ts';

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
