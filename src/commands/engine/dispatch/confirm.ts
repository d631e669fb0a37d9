import { matchingOf, type Target } from '../../../lib/scope.ts';
import type { Left } from '../assess.ts';
import { CommandError } from '../command-error.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { Dependencies } from './interface.ts';
import type { ParamValues } from '../fields.ts';
import type { Source } from '../ui.ts';

interface Asked {
  command: AnyCommand;
  invocation: Invocation;
  source: Source;
  targets: readonly Target[];
  left: readonly Left[];
  params: ParamValues;
}

/** Asks a person. A script must pass `confirm: true`. */
export async function isConfirmed(
  { host }: Dependencies,
  { command, invocation, source, targets, left, params }: Asked,
): Promise<boolean> {
  const isGrave = command.danger === 'irreversible' || command.danger === 'money';
  // A macro's steps were reviewed, so reversible ones are not asked again.
  const isSaidYes = source === 'undo' || (source === 'macro' && command.danger === 'reversible');
  const asks =
    isGrave ||
    left.length > 0 || // never silently run on fewer records than selected
    matchingOf(targets) !== undefined ||
    (command.confirm === true && !isSaidYes) ||
    (source === 'link' && !command.params && !opens(command));
  if (!asks) return true;
  if (source !== 'script') return host.confirm({ command, targets, left, source, params });
  if (invocation.confirm !== true)
    throw new CommandError('UNCONFIRMED', `${command.id} asks for confirmation: pass confirm: true`);
  return true;
}

/** Navigation is all that a link may do without asking. */
const opens = ({ id, passing }: AnyCommand): boolean => passing === true && (id.startsWith('go.') || id.endsWith('.open'));
