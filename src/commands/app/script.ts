import type { CommandId } from '../../../api/names.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { freezeTargets, type EntityName } from '../../lib/scope.ts';
import { registry } from './all.ts';
import { judge } from './context.ts';
import { dispatch } from './dispatcher.ts';
import { CommandError } from '../engine/command-error.ts';
import type { Invocation } from '../engine/define.ts';
import { lastRun } from '../engine/dispatch/history.ts';
import { answerOf, refusalOf, type ScriptAnswer } from './answer.ts';
import type { CommandSheet } from './describe.ts';
import { keysOf } from './keymap.ts';
import type { ListAsked } from './reads.ts';

/** What `window.admin` offers to QA: the same commands through the same gate, never a prompt. */
export interface AdminScript {
  /** Of this panel: a kit of another one says so. */
  readonly version: string;
  /** Every command this person has the right to, with what it takes: names, JSON Schema, words, keys. */
  list(): Promise<ScriptCommand[]>;
  /** The judge's verdict here and now, with the reason in the page's language. */
  assess(id: CommandId): { state: 'ok' | 'hidden' | 'blocked'; reason?: string };
  /**
   * Runs a command and answers once the page shows it: `done` has the records, `failed` those that did not follow, `value` what
   * else it says. Throws an error whose `code` says why not: UNKNOWN_COMMAND, NOT_PERMITTED, BLOCKED, INVALID (`issues` name the
   * fields), UNCONFIRMED, CANCELED, or the server's code, with its `data`, the `current` record of a conflict and the `requestId`.
   */
  run(id: CommandId, options?: ScriptOptions): Promise<ScriptAnswer>;
  /** The rows of a list, as its screen would ask for them; the server judges who may. */
  read(list: string, asked?: ListAsked): Promise<unknown[]>;
  /** One record by its id; null where there is none. */
  get(entity: EntityName, id: string): Promise<unknown>;
  /** Resolves when what a key or the palette began is over, or asks something and can be typed into. */
  opened(): Promise<void>;
}

export interface ScriptOptions {
  /** Ids; with a version, the record as it stood then: CONFLICT where it has moved on. */
  targets?: readonly (string | { id: string; version: number })[];
  params?: Record<string, unknown>;
  confirm?: true;
}

export interface ScriptCommand extends CommandSheet {
  /** As they are bound for this person, the main ones first. */
  keys: readonly string[];
}

export const adminScript: AdminScript = {
  version: String(import.meta.env.PANEL_VERSION ?? ''),
  async list() {
    const { describe } = await import('./describe.ts');
    const offered = registry.all.filter((command) => judge(command).state !== 'hidden');
    return Promise.all(offered.map(async (command) => ({ ...(await describe(command)), keys: keysOf(command.id) })));
  },
  assess(id) {
    const command = registry.get(id);
    if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${id}`);
    const verdict = judge(command, freezeTargets(), true);
    return verdict.state === 'blocked'
      ? { state: 'blocked', reason: t(verdict.reason, verdict.values) }
      : { state: verdict.state };
  },
  async run(id, options = {}) {
    const outcome = await dispatch(meant(id, options), 'script');
    if (outcome.status === 'failed') throw Object.assign(new Error(), await refusalOf(outcome.error, id));
    if (outcome.status === 'canceled') throw Object.assign(new Error(`${id} was canceled`), { code: 'CANCELED' });
    return answerOf(outcome.result);
  },
  read: async (list, asked) => (await import('./reads.ts')).readList(list, asked),
  get: async (entity, id) => (await import('./reads.ts')).readRecord(entity, id),
  opened: async () => (await import('./opened.ts')).opened(),
};

/** A person's repeat opens the form again; a script's is the last command itself, with its parameters, at what the script or the cursor names. */
function meant(id: CommandId, options: ScriptOptions): Invocation {
  const last = id === 'history.repeat' ? lastRun()?.invocation : undefined;
  return { id: last?.id ?? id, ...(last?.params ? { params: last.params } : {}), ...options };
}

declare global {
  interface Window {
    admin?: AdminScript;
  }
}
