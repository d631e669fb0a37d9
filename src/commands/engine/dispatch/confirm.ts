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

/** The danger gate: whether it may go on, asked of a person where it must be, and of a script as `confirm: true`. */
export async function isConfirmed(
  { host }: Dependencies,
  { command, invocation, source, targets, left, params }: Asked,
): Promise<boolean> {
  const isGrave = command.danger === 'irreversible' || command.danger === 'money';
  // Whoever starts a macro has seen its steps: what can be undone is not asked for again.
  const isSaidYes = source === 'undo' || (source === 'macro' && command.danger === 'reversible');
  const asks =
    isGrave ||
    left.length > 0 || // never fewer than were meant without a word
    matchingOf(targets) !== undefined ||
    (command.confirm === true && !isSaidYes) ||
    (source === 'link' && !command.params && !opens(command));
  if (!asks) return true;
  if (source !== 'script') return host.confirm({ command, targets, left, source, params });
  if (invocation.confirm !== true)
    throw new CommandError('UNCONFIRMED', `${command.id} asks for confirmation: pass confirm: true`);
  return true;
}

/** Only leads somewhere: all that a link may do unasked. */
const opens = ({ id, passing }: AnyCommand): boolean => passing === true && (id.startsWith('go.') || id.endsWith('.open'));
