import { runGroups, type BatchRow, type GroupSteps } from '../../../lib/batch.ts';
import { ApiError, toApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { matchingFilterOf, type Target } from '../../../lib/scope.ts';
import type { Assessment } from '../assess.ts';
import type { AnyCommand, CommandResult, Invocation } from '../define.ts';
import type { ParamValues } from '../fields.ts';

export const isBatch = ({ target }: AnyCommand, targets: readonly Target[]): boolean =>
  target.kind === 'many' && target.batches === true && (targets.length > target.max || matchingFilterOf(targets) !== undefined);

/** Larger batches can't be undone in one go, because the browser stores the undo id by id. */
export const maxUndoItems = 1000;

interface BatchRun {
  command: AnyCommand;
  targets: readonly Target[];
  params: ParamValues | undefined;
  load: (ids: readonly string[]) => Promise<readonly Target[]>;
  assess: (targets: readonly Target[]) => Assessment;
  /** Runs in one transaction of the server. */
  run: (targets: readonly Target[]) => Promise<CommandResult>;
}

export interface BatchResult {
  rows: readonly BatchRow[];
  done: CommandResult;
}

type BatchTarget = Pick<Target, 'id' | 'version'> & { name?: string; target?: Target };

/** One transaction per group. A row that someone changed meanwhile fails alone. */
export async function runBatchCommand({ command, targets, params, load, assess, run }: BatchRun): Promise<BatchResult> {
  const matchingFilter = matchingFilterOf(targets);
  const rows: readonly BatchTarget[] = matchingFilter
    ? await matchingFilter.items()
    : targets.map((target) => ({ id: target.id, version: target.version, name: target.name, target }));
  const runs: CommandResult[] = [];

  async function runGroup(group: readonly BatchTarget[]): Promise<GroupSteps> {
    const steps: Record<string, GroupSteps['steps'][string]> = {};
    const foundTargets = await targetsOf(group, load);
    for (const { id } of group) steps[id] = failedRow('NOT_FOUND');
    const assessments = new Map(foundTargets.map((target) => [target.id, assess([target])]));
    const allowedTargets = foundTargets.filter(({ id }) => assessments.get(id)?.state === 'ok');
    const groupAssessment = assess(allowedTargets); // rows allowed alone may be refused together
    const runnableTargets = groupAssessment.state === 'ok' ? allowedTargets : [];
    for (const { id, name } of foundTargets) {
      const ownAssessment = assessments.get(id);
      const assessment = ownAssessment?.state === 'ok' ? groupAssessment : ownAssessment;
      const blockText = assessment?.state === 'blocked' ? t(assessment.reason, assessment.values) : null;
      steps[id] = { name, state: assessment?.state === 'ok' ? 'done' : 'skipped', note: blockText };
    }
    if (runnableTargets.length === 0) return { steps };
    let failed: ApiError | readonly { id: string; code: string }[];
    try {
      const done = await run(runnableTargets);
      runs.push(done);
      failed = done.failed ?? [];
    } catch (cause) {
      failed = await failureOfEach(cause, runnableTargets, load);
    }
    const isOver = failed instanceof ApiError;
    const failureItems =
      failed instanceof ApiError ? runnableTargets.map(({ id }) => ({ id, code: failed.code as string })) : failed;
    for (const { id, code } of failureItems) steps[id] = { ...steps[id], ...failedRow(code) };
    return { steps, stop: isOver };
  }

  const size = command.target.kind === 'many' ? command.target.max : 1;
  // Nothing of a group is done when its read fails.
  const results = await runGroups({ command: command.id, params, rows, size }, (group) =>
    runGroup(group).catch((cause: unknown) => {
      const errorNote = errorText(toApiError(cause));
      return {
        steps: Object.fromEntries(group.map(({ id }) => [id, { state: 'failed' as const, note: errorNote }])),
        stop: true,
      };
    }),
  );
  const failed = results.filter(({ state }) => state !== 'done').map(({ id, state }) => ({ id, code: state }));
  const undo = mergedUndo(runs);
  return {
    rows: results,
    done: {
      stale: [...new Set(runs.flatMap(({ stale = [] }) => stale))],
      failed,
      reported: true,
      ...(undo ? { undo } : {}),
    },
  };
}

export const failedRow = (code: string): Pick<BatchRow, 'state' | 'note' | 'missing'> => ({
  state: 'failed',
  note: errorText(new ApiError(code as ApiError['code'])),
  ...(code === 'NOT_FOUND' ? { missing: true } : {}),
});

async function targetsOf(group: readonly BatchTarget[], load: BatchRun['load']): Promise<readonly Target[]> {
  const knownTargets = group.flatMap(({ target }) => target ?? []);
  if (knownTargets.length === group.length) return knownTargets;
  const versions = new Map(group.map(({ id, version }) => [id, version]));
  const foundTargets = await load([...versions.keys()]);
  return foundTargets.map((target) => ({ ...target, version: versions.get(target.id) ?? target.version }));
}

/** A run throws the first failure only when no row succeeded. */
async function failureOfEach(cause: unknown, targets: readonly Target[], load: BatchRun['load']) {
  const error = toApiError(cause);
  if (!['CONFLICT', 'NOT_FOUND', 'INCOMPLETE'].includes(error.code)) return error;
  const currentTargets = new Map((await load(targets.map(({ id }) => id))).map(({ id, version }) => [id, version]));
  return targets.map(({ id, version }) => {
    const current = currentTargets.get(id);
    return { id, code: current === undefined ? 'NOT_FOUND' : current === version ? 'INCOMPLETE' : 'CONFLICT' };
  });
}

/** Parameters keyed by row id are merged. */
function mergedUndo(runs: readonly CommandResult[]): Invocation | undefined {
  const undoInvocations = runs.flatMap(({ undo }) => undo ?? []);
  const [first] = undoInvocations;
  const targets = undoInvocations.flatMap(({ targets: undoTargets = [] }) => undoTargets);
  if (!first || targets.length === 0 || targets.length > maxUndoItems) return undefined;
  if (!first.params) return { ...first, targets };
  const params: Record<string, unknown> = {};
  for (const [name, value] of undoInvocations.flatMap(({ params: undoParams = {} }) => Object.entries(undoParams)))
    params[name] = isRecord(value) && isRecord(params[name]) ? { ...params[name], ...value } : (params[name] ?? value);
  return { ...first, targets, params };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
