import type { ErrorCode, FieldIssue } from '../../../api/errors.ts';
import type { TextKey, Values } from '../../lib/i18n/i18n.ts';
import type { Unanswered } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import type { Left } from './assess.ts';
import type { AnyCommand } from './define.ts';
import type { ParamValues } from './fields.ts';
import type { Source, Ui } from './ui.ts';

/** What is asked for, as a collector shows it. */
export interface Question {
  command: AnyCommand;
  targets: readonly Target[];
  /** What was chosen besides, and cannot follow. */
  left: readonly Left[];
  source: Source;
  given: ParamValues;
  /** Only these are asked for; the rest is said. */
  only?: readonly string[];
  /** These came with a link. */
  said?: readonly string[];
}

/** What came of the last answer, when it was not good yet. */
export interface Setback {
  issues: readonly FieldIssue[];
  error?: { code: ErrorCode | Unanswered; requestId: string | null; values?: Values };
  /** The record as somebody else left it meanwhile. */
  current?: ParamValues;
}

/** A question that stays open, with what was typed, until the command went through or was given up. */
export interface Collecting {
  /** The answer, or null when the person gave up. */
  ask(setback?: Setback): Promise<ParamValues | null>;
  /** Whether the person left after they had answered: it does not come back, and what comes of the answer is said elsewhere. */
  isLeft(): boolean;
  close(done: boolean): void;
}

export interface Notice {
  kind: 'success' | 'error' | 'blocked';
  key: TextKey;
  values?: Values;
  /** What the words call the field they are about. */
  field?: TextKey;
  /** The entry of the history that its button takes back. */
  undo?: string;
  /** The record that it is about and that the list on screen does not show. */
  unseen?: { resource: string; id: string };
  requestId?: string | null;
}

/** What dispatch asks of whoever stands before a person. */
export interface Host extends Ui {
  collect(question: Question): Collecting;
  /** Shows what is about to happen, in full; false when the person declined. */
  confirm(question: Omit<Question, 'given' | 'only' | 'said'> & { params: ParamValues }): Promise<boolean>;
  /** Asks for the second factor again; false when the person gave up. */
  confirmFactor(): Promise<boolean>;
  notify(notice: Notice): void;
  /** Reads the named resources again; resolves when they are fresh. */
  refresh(resources: readonly string[]): Promise<void>;
  /** Lets go of what is checked in the list on screen, when it was all among these. */
  release(targets: readonly { id: string }[]): void;
  /**
   * Puts the cursor on the first of these records that the list on screen has, where it is a list of one of the resources.
   * Answers its resource when it has none of them.
   */
  reach(resources: readonly string[], ids: readonly string[]): Promise<string | null>;
}
