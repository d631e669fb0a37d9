import type { ErrorCode, FieldIssue } from '../../../api/errors.ts';
import type { CommandId } from '../../../api/names.ts';
import type { TextKey, MessageValues } from '../../lib/i18n/i18n.ts';
import type { UnansweredCode } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import type { SkippedTarget } from './assess.ts';
import type { AnyCommand, Invocation } from './define.ts';
import type { ParamValues } from './fields.ts';
import type { InvocationSource, Ui } from './ui.ts';

export interface CommandQuestion {
  command: AnyCommand;
  targets: readonly Target[];
  /** Selected records that the command can't run on. */
  skipped: readonly SkippedTarget[];
  source: InvocationSource;
  params: ParamValues;
  /** Only these are asked for; the rest is said. */
  only?: readonly string[];
  /** Parameters from a link. */
  said?: readonly string[];
}

export interface FormError {
  issues: readonly FieldIssue[];
  error?: { code: ErrorCode | UnansweredCode; requestId: string | null; values?: MessageValues };
  /** The record as a colleague changed it. */
  current?: ParamValues;
}

/** Stays open until the command succeeds or is canceled. */
export interface ParamCollector {
  /** It asks in a form, not step by step. */
  isForm: boolean;
  /** Null: canceled. */
  ask(formError?: FormError): Promise<ParamValues | null>;
  /** True: the person left after answering, so the result is reported elsewhere. */
  isAbandoned(): boolean;
  close(done: boolean): void;
}

export interface Notice {
  kind: 'success' | 'error' | 'blocked';
  /** The command that is blocked, named before its reason. */
  of?: CommandId;
  key: TextKey;
  values?: MessageValues;
  field?: TextKey;
  /** History entry that the button undoes. */
  undo?: string;
  /** A record that the list does not show. */
  unseen?: { resource: string; id: string };
  requestId?: string | null;
  /** A button beside the text. */
  remedy?: { label: TextKey; invocation: Invocation };
}

export interface Host extends Ui {
  collect(question: CommandQuestion): ParamCollector;
  /** False: declined. */
  confirm(question: Omit<CommandQuestion, 'params' | 'only' | 'said'> & { params: ParamValues }): Promise<boolean>;
  confirmFactor(): Promise<boolean>;
  notify(notice: Notice): void;
  /** Resolves when they are fresh. */
  refresh(resources: readonly string[]): Promise<void>;
  release(targets: readonly { id: string }[]): void;
  /** Returns the resource when the list has none of the records. */
  reach(resources: readonly string[], ids: readonly string[]): Promise<string | null>;
}
