import type { CommandId } from '../../../api/names.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { freezeTargets } from '../../lib/scope.ts';
import { registry } from './all.ts';
import { judge } from './app.ts';
import { dispatch } from './dispatcher.ts';
import { CommandError } from '../engine/command-error.ts';
import type { CommandSheet } from './describe.ts';
import { keysOf } from './keymap.ts';

/** What `window.admin` offers to QA: the same commands through the same gate, never a prompt. */
export interface AdminScript {
  /** Every command this person has the right to, with what it takes: names, JSON Schema, words, keys. */
  list(): Promise<ScriptCommand[]>;
  /** The judge's verdict here and now, with the reason in the page's language. */
  assess(id: CommandId): { state: 'ok' | 'hidden' | 'blocked'; reason?: string };
  /**
   * Runs a command and answers its result once the page shows it. Throws an error whose `code` says why not:
   * UNKNOWN_COMMAND, NOT_PERMITTED, BLOCKED, INVALID (`issues` name the fields), UNCONFIRMED, CANCELLED, or the server's code.
   */
  run(
    id: CommandId,
    options?: { targets?: readonly string[]; params?: Record<string, unknown>; confirm?: true },
  ): Promise<unknown>;
}

export interface ScriptCommand extends CommandSheet {
  /** As they are bound for this person, the main ones first. */
  keys: readonly string[];
}

export const adminScript: AdminScript = {
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
    const outcome = await dispatch({ id, ...options }, 'script');
    if (outcome.status === 'failed') throw outcome.error;
    return outcome.status === 'done' ? outcome.result : null;
  },
};

declare global {
  interface Window {
    admin?: AdminScript;
  }
}
