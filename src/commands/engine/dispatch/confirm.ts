import { matchingFilterOf, type Target } from '../../../lib/scope.ts';
import type { SkippedTarget } from '../assess.ts';
import { CommandError } from '../command-error.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { Dependencies } from './interface.ts';
import type { ParamValues } from '../fields.ts';
import type { InvocationSource } from '../ui.ts';

interface ConfirmRequest {
  command: AnyCommand;
  invocation: Invocation;
  source: InvocationSource;
  targets: readonly Target[];
  skipped: readonly SkippedTarget[];
  params: ParamValues;
}

/** Asks a person. A script must pass `confirm: true`. */
export async function isConfirmed(
  { host }: Dependencies,
  { command, invocation, source, targets, skipped, params }: ConfirmRequest,
): Promise<boolean> {
  const isDangerous = command.danger === 'irreversible' || command.danger === 'money';
  const mustAsk =
    isDangerous ||
    skipped.length > 0 || // never silently run on fewer records than selected
    matchingFilterOf(targets) !== undefined ||
    (command.confirm === true && source !== 'undo' && command.isPreconfirmed?.() !== true) ||
    (source === 'link' && !command.params && !isNavigation(command));
  if (!mustAsk) return true;
  if (source !== 'script') return host.confirm({ command, targets, skipped, source, params });
  if (invocation.confirm !== true)
    throw new CommandError('UNCONFIRMED', `${command.id} asks for confirmation: pass confirm: true`);
  return true;
}

/** Navigation is all that a link may do without asking. */
const isNavigation = ({ id, excludeFromHistory }: AnyCommand): boolean =>
  excludeFromHistory === true && (id.startsWith('go.') || id.endsWith('.open'));
