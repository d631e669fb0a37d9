import { runGroups, type BatchRow, type GroupSteps } from '../../../lib/batch.ts';
import { ApiError, toApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { matchingOf, type Target } from '../../../lib/scope.ts';
import type { Verdict } from '../assess.ts';
import type { AnyCommand, Done, Invocation } from '../define.ts';
import type { ParamValues } from '../fields.ts';

export const isWide = ({ target }: AnyCommand, targets: readonly Target[]): boolean =>
  target.kind === 'many' && target.batches === true && (targets.length > target.max || matchingOf(targets) !== undefined);

/** Larger batches can't be undone in one go, because the browser stores the undo id by id. */
export const mostUndone = 1000;

interface WideRun {
  command: AnyCommand;
  targets: readonly Target[];
  params: ParamValues | undefined;
  load: (ids: readonly string[]) => Promise<readonly Target[]>;
  judge: (targets: readonly Target[]) => Verdict;
  /** Runs in one transaction of the server. */
  run: (targets: readonly Target[]) => Promise<Done>;
}

export interface WideDone {
  rows: readonly BatchRow[];
  done: Done;
}

type Meant = Pick<Target, 'id' | 'version'> & { name?: string; target?: Target };

/** One transaction per group. A row that someone changed meanwhile fails alone. */
export async function runWide({ command, targets, params, load, judge, run }: WideRun): Promise<WideDone> {
  const matching = matchingOf(targets);
  const rows: readonly Meant[] = matching
    ? await matching.items()
    : targets.map((target) => ({ id: target.id, version: target.version, name: target.name, target }));
  const runs: Done[] = [];

  async function take(group: readonly Meant[]): Promise<GroupSteps> {
    const steps: Record<string, GroupSteps['steps'][string]> = {};
    const found = await targetsOf(group, load);
    for (const { id } of group) steps[id] = failure('NOT_FOUND');
    const verdicts = new Map(found.map((target) => [target.id, judge([target])]));
    const able = found.filter(({ id }) => verdicts.get(id)?.state === 'ok');
    const together = judge(able); // rows allowed alone may be refused together
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
      failed = await whyEach(thrown, fit, load);
    }
    const isOver = failed instanceof ApiError;
    const why = failed instanceof ApiError ? fit.map(({ id }) => ({ id, code: failed.code as string })) : failed;
    for (const { id, code } of why) steps[id] = { ...steps[id], ...failure(code) };
    return { steps, stop: isOver };
  }

  const size = command.target.kind === 'many' ? command.target.max : 1;
  // Nothing of a group is done when its read fails.
  const faring = await runGroups({ command: command.id, params, rows, size }, (group) =>
    take(group).catch((thrown: unknown) => {
      const note = errorText(toApiError(thrown));
      return { steps: Object.fromEntries(group.map(({ id }) => [id, { state: 'failed' as const, note }])), stop: true };
    }),
  );
  const failed = faring.filter(({ state }) => state !== 'done').map(({ id, state }) => ({ id, code: state }));
  const undo = togetherUndone(runs);
  return {
    rows: faring,
    done: {
      stale: [...new Set(runs.flatMap(({ stale = [] }) => stale))],
      failed,
      reported: true,
      ...(undo ? { undo } : {}),
    },
  };
}

export const failure = (code: string): Pick<BatchRow, 'state' | 'note' | 'gone'> => ({
  state: 'failed',
  note: errorText(new ApiError(code as ApiError['code'])),
  ...(code === 'NOT_FOUND' ? { gone: true } : {}),
});

async function targetsOf(group: readonly Meant[], load: WideRun['load']): Promise<readonly Target[]> {
  const known = group.flatMap(({ target }) => target ?? []);
  if (known.length === group.length) return known;
  const versions = new Map(group.map(({ id, version }) => [id, version]));
  const found = await load([...versions.keys()]);
  return found.map((target) => ({ ...target, version: versions.get(target.id) ?? target.version }));
}

/** A run throws the first failure only when no row succeeded. */
async function whyEach(thrown: unknown, targets: readonly Target[], load: WideRun['load']) {
  const error = toApiError(thrown);
  if (!['CONFLICT', 'NOT_FOUND', 'INCOMPLETE'].includes(error.code)) return error;
  const now = new Map((await load(targets.map(({ id }) => id))).map(({ id, version }) => [id, version]));
  return targets.map(({ id, version }) => {
    const current = now.get(id);
    return { id, code: current === undefined ? 'NOT_FOUND' : current === version ? 'INCOMPLETE' : 'CONFLICT' };
  });
}

/** Parameters keyed by row id are merged. */
function togetherUndone(runs: readonly Done[]): Invocation | undefined {
  const undos = runs.flatMap(({ undo }) => undo ?? []);
  const [first] = undos;
  const targets = undos.flatMap(({ targets: some = [] }) => some);
  if (!first || targets.length === 0 || targets.length > mostUndone) return undefined;
  if (!first.params) return { ...first, targets };
  const params: Record<string, unknown> = {};
  for (const [name, value] of undos.flatMap(({ params: some = {} }) => Object.entries(some)))
    params[name] = isRecord(value) && isRecord(params[name]) ? { ...params[name], ...value } : (params[name] ?? value);
  return { ...first, targets, params };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
