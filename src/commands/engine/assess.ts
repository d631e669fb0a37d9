import { matchingFilterOf, type ViewContext, type Target } from '../../lib/scope.ts';
import { blockedBecause, type AnyCommand, type BlockReason } from './define.ts';

export interface CommandContext {
  signedIn: boolean;
  codes: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  viewContext: ViewContext | null;
  /** While the panel is viewed as a role or person: their screens. `paths` are those that the viewer may open too. */
  viewed?: ReadonlySet<string> | null;
  expert: boolean;
}

export type Assessment = { state: 'ok' } | { state: 'hidden' } | ({ state: 'blocked' } & BlockReason);

/**
 * The only judge of whether a command may run, used by every surface and by dispatch. Without
 * permission a command is hidden. In the wrong place it is blocked with a reason. One suitable
 * record is enough, unless `isWholeList`, or the command judges them together.
 */
export function assess(
  command: AnyCommand,
  context: CommandContext,
  targets: readonly Target[],
  isWholeList = false,
): Assessment {
  if (!isPermitted(command, context)) return { state: 'hidden' };
  const reason =
    isViewOnly(command, context) ??
    absenceReason(command, context) ??
    scopeProblem(command, context, targets) ??
    targetProblem(command, context, targets, isWholeList);
  return reason ? { state: 'blocked', ...reason } : { state: 'ok' };
}

export interface SkippedTarget {
  target: Target;
  why: BlockReason;
}

export function splitRunnable(
  { when }: AnyCommand,
  { viewContext }: CommandContext,
  targets: readonly Target[],
): { runnable: Target[]; skipped: SkippedTarget[] } {
  const runnable: Target[] = [];
  const skipped: SkippedTarget[] = [];
  for (const target of targets) {
    const blockReason = when?.({ targets: [target as never], viewContext }) ?? true;
    if (blockReason === true) runnable.push(target);
    else skipped.push({ target, why: blockReason });
  }
  return { runnable, skipped };
}

function isPermitted(command: AnyCommand, { signedIn, codes, paths, viewed, expert }: CommandContext): boolean {
  const { permission } = command;
  if (!signedIn || (command.expert && !expert)) return false;
  if (permission === 'anyone') return true;
  return permission.startsWith('/') ? (viewed ?? paths).has(permission) : codes.has(permission);
}

/** Viewing changes nothing, and opens nothing that the viewer's own account can't. */
function isViewOnly({ permission, excludeFromHistory }: AnyCommand, { viewed, paths }: CommandContext): BlockReason | null {
  if (!viewed) return null;
  if (permission.startsWith('/') && !paths.has(permission)) return blockedBecause('shell.viewAs.notYours');
  return excludeFromHistory ? null : blockedBecause('shell.viewAs.readOnly');
}

function absenceReason({ target, when }: AnyCommand, { viewContext }: CommandContext): BlockReason | null {
  const applicability = target.kind === 'none' ? when?.({ targets: [], viewContext }) : undefined;
  return applicability && applicability !== true && applicability.absent ? applicability : null;
}

function scopeProblem(command: AnyCommand, context: CommandContext, targets: readonly Target[]): BlockReason | null {
  const { target } = command;
  if (command.place === 'list' && !context.viewContext?.controls) return blockedBecause('palette.blocked.noList');
  if (target.kind === 'none') return null;
  const targetsOfEntity = targets.filter(({ entity }) => entity === target.entity);
  if (targetsOfEntity.length === 0 || targetsOfEntity.length < targets.length) return blockedBecause('palette.blocked.pickFirst');
  const matchingFilter = matchingFilterOf(targets);
  if (target.kind === 'one' && (matchingFilter || targets.length > 1)) return blockedBecause('palette.blocked.onlyOne');
  if (target.kind === 'many' && !target.batches && (matchingFilter || targets.length > target.max))
    return blockedBecause('palette.blocked.tooMany', { max: target.max });
  return null;
}

function targetProblem(
  command: AnyCommand,
  context: CommandContext,
  targets: readonly Target[],
  isWholeList: boolean,
): BlockReason | null {
  // Of "all that match" only some rows are loaded, so each is judged in its turn.
  if (!command.when || matchingFilterOf(targets)) return null;
  const applicability = command.when({ targets: targets as readonly never[], viewContext: context.viewContext });
  if (applicability === true) return null;
  const { runnable, skipped } = splitRunnable(command, context, isWholeList ? [] : targets);
  // Each record alone would be allowed, so their number or combination blocks.
  return runnable.length > 0 && skipped.length > 0 ? targetProblem(command, context, runnable, true) : applicability;
}
