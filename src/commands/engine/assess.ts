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
 * Of many records it is enough that it may run on some, unless they are meant as a `whole`.
 */
export function assess(command: AnyCommand, context: Context, targets: readonly Target[], whole = false): Verdict {
  if (!isPermitted(command, context)) return { state: 'hidden' };
  const reason = absence(command, context) ?? misplaced(command, context, targets) ?? unfit(command, context, targets, whole);
  return reason ? { state: 'blocked', ...reason } : { state: 'ok' };
}

/** A record that a command cannot run on, and why. */
export interface Left {
  target: Target;
  why: Blocked;
}

/** The records among many that a command can run on, each judged by itself, and those that are left out. */
export function partOf({ when }: AnyCommand, { frame }: Context, targets: readonly Target[]): { fit: Target[]; left: Left[] } {
  const fit: Target[] = [];
  const left: Left[] = [];
  for (const target of targets) {
    const why = when?.({ targets: [target as never], frame }) ?? true;
    if (why === true) fit.push(target);
    else left.push({ target, why });
  }
  return { fit, left };
}

function isPermitted(command: AnyCommand, { signedIn, codes, paths, expert }: Context): boolean {
  const { permission } = command;
  if (!signedIn || (command.expert && !expert)) return false;
  if (permission === 'anyone') return true;
  return permission.startsWith('/') ? paths.has(permission) : codes.has(permission);
}

/** That there is nothing at all that it could act on, wherever one is. */
function absence({ target, when }: AnyCommand, { frame }: Context): Blocked | null {
  const answer = target.kind === 'none' ? when?.({ targets: [], frame }) : undefined;
  return answer && answer !== true && answer.absent ? answer : null;
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

function unfit(command: AnyCommand, context: Context, targets: readonly Target[], whole: boolean): Blocked | null {
  // Of all that match only some are here: each is judged when its turn comes.
  if (!command.when || matchingOf(targets)) return null;
  const answer = command.when({ targets: targets as readonly never[], frame: context.frame });
  if (answer === true) return null;
  const { fit, left } = partOf(command, context, whole ? [] : targets);
  // Where each alone would do it is their number, or what they are together, that stands in the way.
  return fit.length > 0 && left.length > 0 ? unfit(command, context, fit, true) : answer;
}
