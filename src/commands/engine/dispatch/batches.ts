import { runGroups, type BatchRow, type GroupSteps } from '../../../lib/batch.ts';
import { ApiError, toApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { matchingOf, type Target } from '../../../lib/scope.ts';
import type { Verdict } from '../assess.ts';
import type { AnyCommand, Done, Invocation } from '../define.ts';
import type { ParamValues } from '../fields.ts';

/** More than one run takes at once: more rows than its most, or all that match a filter. */
export const isWide = ({ target }: AnyCommand, targets: readonly Target[]): boolean =>
  target.kind === 'many' && target.batches === true && (targets.length > target.max || matchingOf(targets) !== undefined);

/** More than this is not taken back in one go: an undo is kept in the browser, id by id. The audit has each row's own. */
export const mostUndone = 1000;

interface WideRun {
  command: AnyCommand;
  targets: readonly Target[];
  /** What it was told, as the report keeps it. */
  params: ParamValues | undefined;
  /** Reads records anew. */
  load: (ids: readonly string[]) => Promise<readonly Target[]>;
  judge: (targets: readonly Target[]) => Verdict;
  /** One run, in one transaction of the server. */
  run: (targets: readonly Target[]) => Promise<Done>;
}

export interface WideDone {
  rows: readonly BatchRow[];
  done: Done;
}

/** A row as it is meant: of one that is loaded all is known. */
type Meant = Pick<Target, 'id' | 'version'> & { name?: string; target?: Target };

/**
 * Runs a command on many rows, one transaction after another. Each row is taken at the version it was meant at, judged
 * when its turn comes, and reported by itself: what somebody changed meanwhile fails and the rest goes on.
 */
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
    const together = judge(able); // what each may do alone they may not all
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
  // The read of a group may fail as well: then nothing of it was done, and nothing follows.
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

/** Why a row did not follow, in words. */
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

/** A run throws the first failure when no row followed: what each one's was, by looking again. Else what ends it all. */
async function whyEach(thrown: unknown, targets: readonly Target[], load: WideRun['load']) {
  const error = toApiError(thrown);
  if (!['CONFLICT', 'NOT_FOUND', 'INCOMPLETE'].includes(error.code)) return error;
  const now = new Map((await load(targets.map(({ id }) => id))).map(({ id, version }) => [id, version]));
  return targets.map(({ id, version }) => {
    const current = now.get(id);
    return { id, code: current === undefined ? 'NOT_FOUND' : current === version ? 'INCOMPLETE' : 'CONFLICT' };
  });
}

/** The undos of all runs as one. Parameters that say something of each row (by its id) are put together. */
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
