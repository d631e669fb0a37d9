import { matchingOf, type Frame, type Target } from '../../lib/scope.ts';
import { no, type AnyCommand, type Blocked } from './define.ts';

/** What is known of the person and the page when a command is judged. */
export interface Context {
  signedIn: boolean;
  codes: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  frame: Frame | null;
  /** Wants what is for QA and experts. */
  expert: boolean;
}

export type Verdict = { state: 'ok' } | { state: 'hidden' } | ({ state: 'blocked' } & Blocked);

/**
 * The only judge of whether a command may run here, used by every surface and by dispatch.
 * Without the right, or the wish for what is for experts: hidden everywhere. In the wrong place: blocked, with a reason people can read.
 */
export function assess(command: AnyCommand, context: Context, targets: readonly Target[]): Verdict {
  if (!isPermitted(command, context)) return { state: 'hidden' };
  const reason = misplaced(command, context, targets) ?? unfit(command, context, targets);
  return reason ? { state: 'blocked', ...reason } : { state: 'ok' };
}

function isPermitted(command: AnyCommand, { signedIn, codes, paths, expert }: Context): boolean {
  const { permission } = command;
  if (!signedIn || (command.expert && !expert)) return false;
  if (permission === 'anyone') return true;
  return permission.startsWith('/') ? paths.has(permission) : codes.has(permission);
}

function misplaced(command: AnyCommand, context: Context, targets: readonly Target[]): Blocked | null {
  const { target } = command;
  if (command.place === 'list' && !context.frame?.controls) return no('palette.blocked.noList');
  if (target.kind === 'none') return null;
  const fitting = targets.filter(({ entity }) => entity === target.entity);
  if (fitting.length === 0 || fitting.length < targets.length) return no('palette.blocked.pickFirst');
  const whole = matchingOf(targets);
  if (target.kind === 'one' && (whole || targets.length > 1)) return no('palette.blocked.onlyOne');
  if (target.kind === 'many' && !target.batches && (whole || targets.length > target.max))
    return no('palette.blocked.tooMany', { max: target.max });
  return null;
}

function unfit(command: AnyCommand, context: Context, targets: readonly Target[]): Blocked | null {
  // Of all that match only some are here: each is judged when its turn comes.
  if (!command.when || matchingOf(targets)) return null;
  const answer = command.when({ targets: targets as readonly never[], frame: context.frame });
  return answer === true ? null : answer;
}
