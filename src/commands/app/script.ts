import type { CommandId } from '../../../api/names.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { snapshotTargets, type EntityName } from '../../lib/scope.ts';
import { registry } from './all.ts';
import { assessCommand } from './context.ts';
import { dispatch } from './dispatcher.ts';
import { CommandError } from '../engine/command-error.ts';
import type { Invocation } from '../engine/define.ts';
import { lastRun } from '../engine/dispatch/history.ts';
import { toScriptResult, buildScriptRefusal, type ScriptResult } from './script-result.ts';
import type { CommandSheet } from './describe.ts';
import { keysOf } from './keymap.ts';
import type { FieldOption, TreeOption } from '../engine/fields.ts';
import type { ListRequest, OptionsRequest } from './reads.ts';

/** `window.admin` for QA: the same commands and permission checks, without prompts. */
export interface AdminScript {
  /** A kit of another version refuses to run. */
  readonly version: string;
  list(): Promise<ScriptCommand[]>;
  /** Reason in the page's language. */
  assess(id: CommandId): { state: 'ok' | 'hidden' | 'blocked'; reason?: string };
  /**
   * Resolves when the page shows the result. Throws an error with `code`: UNKNOWN_COMMAND,
   * NOT_PERMITTED, BLOCKED, INVALID (`issues`), UNCONFIRMED, CANCELED, or the server's code with
   * `data`, `current` and `requestId`.
   */
  run(id: CommandId, options?: ScriptOptions): Promise<ScriptResult>;
  read(list: string, request?: ListRequest): Promise<unknown[]>;
  /** Null: there is none. */
  get(entity: EntityName, id: string): Promise<unknown>;
  /** The options of a form field. */
  options(id: CommandId, request: OptionsRequest): Promise<(FieldOption | TreeOption)[]>;
  opened(): Promise<void>;
}

export interface ScriptOptions {
  /** CONFLICT if the record has moved on from `version`. */
  targets?: readonly (string | { id: string; version: number })[];
  params?: Record<string, unknown>;
  confirm?: true;
}

export interface ScriptCommand extends CommandSheet {
  /** Main keys first. */
  keys: readonly string[];
}

export const adminScript: AdminScript = {
  version: String(import.meta.env.PANEL_VERSION ?? ''),
  async list() {
    const { describe } = await import('./describe.ts');
    const visibleCommands = registry.all.filter((command) => assessCommand(command).state !== 'hidden');
    return Promise.all(visibleCommands.map(async (command) => ({ ...(await describe(command)), keys: keysOf(command.id) })));
  },
  assess(id) {
    const command = registry.get(id);
    if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${id}`);
    const assessment = assessCommand(command, snapshotTargets(), true);
    return assessment.state === 'blocked'
      ? { state: 'blocked', reason: t(assessment.reason, assessment.values) }
      : { state: assessment.state };
  },
  async run(id, options = {}) {
    const outcome = await dispatch(toInvocation(id, options), 'script');
    if (outcome.status === 'failed') throw Object.assign(new Error(), await buildScriptRefusal(outcome.error, id));
    if (outcome.status === 'canceled') throw Object.assign(new Error(`${id} was canceled`), { code: 'CANCELED' });
    return toScriptResult(outcome.result);
  },
  read: async (list, request) => (await import('./reads.ts')).readList(list, request),
  get: async (entity, id) => (await import('./reads.ts')).readRecord(entity, id),
  options: async (id, request) => (await import('./reads.ts')).readOptions(id, request),
  opened: async () => (await import('./wait-for-opened.ts')).waitForOpened(),
};

/** A script repeats the last command itself, because it has no form to open. */
function toInvocation(id: CommandId, options: ScriptOptions): Invocation {
  const lastInvocation = id === 'history.repeat' ? lastRun()?.invocation : undefined;
  return { id: lastInvocation?.id ?? id, ...(lastInvocation?.params ? { params: lastInvocation.params } : {}), ...options };
}

declare global {
  interface Window {
    admin?: AdminScript;
  }
}
