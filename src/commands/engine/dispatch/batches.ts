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

interface WideRun {
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
export async function runBatchCommand({ command, targets, params, load, assess, run }: WideRun): Promise<BatchResult> {
  const matching = matchingFilterOf(targets);
  const rows: readonly BatchTarget[] = matching
    ? await matching.items()
    : targets.map((target) => ({ id: target.id, version: target.version, name: target.name, target }));
  const runs: CommandResult[] = [];

  async function take(group: readonly BatchTarget[]): Promise<GroupSteps> {
    const steps: Record<string, GroupSteps['steps'][string]> = {};
    const found = await targetsOf(group, load);
    for (const { id } of group) steps[id] = failedRow('NOT_FOUND');
    const verdicts = new Map(found.map((target) => [target.id, assess([target])]));
    const able = found.filter(({ id }) => verdicts.get(id)?.state === 'ok');
    const together = assess(able); // rows allowed alone may be refused together
    const fit = together.state === 'ok' ? able : [];
    for (const { id, name } of found) {
      const alone = verdicts.get(id);
      const verdict = alone?.state === 'ok' ? together : alone;
      const note = verdict?.state === 'blocked' ? t(verdict.reason, verdict.values) : null;
      steps[id] = { name, state: verdict?.state === 'ok' ? 'done' : 'skipped', note };
    }
    if (fit.length === 0) return { steps };
    let failed: ApiError | readonly { id: string; code: string }[];
    try {
      const done = await run(fit);
      runs.push(done);
      failed = done.failed ?? [];
    } catch (thrown) {
      failed = await failureOfEach(thrown, fit, load);
    }
    const isOver = failed instanceof ApiError;
    const why = failed instanceof ApiError ? fit.map(({ id }) => ({ id, code: failed.code as string })) : failed;
    for (const { id, code } of why) steps[id] = { ...steps[id], ...failedRow(code) };
    return { steps, stop: isOver };
  }

  const size = command.target.kind === 'many' ? command.target.max : 1;
  // Nothing of a group is done when its read fails.
  const results = await runGroups({ command: command.id, params, rows, size }, (group) =>
    take(group).catch((thrown: unknown) => {
      const note = errorText(toApiError(thrown));
      return { steps: Object.fromEntries(group.map(({ id }) => [id, { state: 'failed' as const, note }])), stop: true };
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

async function targetsOf(group: readonly BatchTarget[], load: WideRun['load']): Promise<readonly Target[]> {
  const known = group.flatMap(({ target }) => target ?? []);
  if (known.length === group.length) return known;
  const versions = new Map(group.map(({ id, version }) => [id, version]));
  const found = await load([...versions.keys()]);
  return found.map((target) => ({ ...target, version: versions.get(target.id) ?? target.version }));
}

/** A run throws the first failure only when no row succeeded. */
async function failureOfEach(thrown: unknown, targets: readonly Target[], load: WideRun['load']) {
  const error = toApiError(thrown);
  if (!['CONFLICT', 'NOT_FOUND', 'INCOMPLETE'].includes(error.code)) return error;
  const now = new Map((await load(targets.map(({ id }) => id))).map(({ id, version }) => [id, version]));
  return targets.map(({ id, version }) => {
    const current = now.get(id);
    return { id, code: current === undefined ? 'NOT_FOUND' : current === version ? 'INCOMPLETE' : 'CONFLICT' };
  });
}

/** Parameters keyed by row id are merged. */
function mergedUndo(runs: readonly CommandResult[]): Invocation | undefined {
  const undos = runs.flatMap(({ undo }) => undo ?? []);
  const [first] = undos;
  const targets = undos.flatMap(({ targets: some = [] }) => some);
  if (!first || targets.length === 0 || targets.length > maxUndoItems) return undefined;
  if (!first.params) return { ...first, targets };
  const params: Record<string, unknown> = {};
  for (const [name, value] of undos.flatMap(({ params: some = {} }) => Object.entries(some)))
    params[name] = isRecord(value) && isRecord(params[name]) ? { ...params[name], ...value } : (params[name] ?? value);
  return { ...first, targets, params };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
