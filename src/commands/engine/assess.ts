import { matchingOf, type Frame, type Target } from '../../lib/scope.ts';
import { no, type AnyCommand, type Blocked } from './define.ts';

export interface Context {
  signedIn: boolean;
  codes: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  frame: Frame | null;
  /** While the panel is viewed as a role or person: their screens. `paths` are those that the viewer may open too. */
  viewed?: ReadonlySet<string> | null;
  expert: boolean;
}

export type Verdict = { state: 'ok' } | { state: 'hidden' } | ({ state: 'blocked' } & Blocked);

/**
 * The only judge of whether a command may run, used by every surface and by dispatch. Without
 * permission a command is hidden. In the wrong place it is blocked with a reason. One suitable
 * record is enough, unless the targets count as a `whole`.
 */
export function assess(command: AnyCommand, context: Context, targets: readonly Target[], whole = false): Verdict {
  if (!isPermitted(command, context)) return { state: 'hidden' };
  const reason =
    viewOnly(command, context) ??
    absence(command, context) ??
    misplaced(command, context, targets) ??
    unfit(command, context, targets, whole);
  return reason ? { state: 'blocked', ...reason } : { state: 'ok' };
}

export interface Left {
  target: Target;
  why: Blocked;
}

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

function isPermitted(command: AnyCommand, { signedIn, codes, paths, viewed, expert }: Context): boolean {
  const { permission } = command;
  if (!signedIn || (command.expert && !expert)) return false;
  if (permission === 'anyone') return true;
  return permission.startsWith('/') ? (viewed ?? paths).has(permission) : codes.has(permission);
}

/** Viewing changes nothing, and opens nothing that the viewer's own account can't. */
function viewOnly({ permission, passing }: AnyCommand, { viewed, paths }: Context): Blocked | null {
  if (!viewed) return null;
  if (permission.startsWith('/') && !paths.has(permission)) return no('shell.viewAs.notYours');
  return passing ? null : no('shell.viewAs.readOnly');
}

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
  // Of "all that match" only some rows are loaded, so each is judged in its turn.
  if (!command.when || matchingOf(targets)) return null;
  const answer = command.when({ targets: targets as readonly never[], frame: context.frame });
  if (answer === true) return null;
  const { fit, left } = partOf(command, context, whole ? [] : targets);
  // Each record alone would be allowed, so their number or combination blocks.
  return fit.length > 0 && left.length > 0 ? unfit(command, context, fit, true) : answer;
}
