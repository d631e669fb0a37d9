import type { FieldIssue } from '../../../../api/errors.ts';
import { matchingOf, type Target } from '../../../lib/scope.ts';
import { assess, partOf, type Left } from '../assess.ts';
import { isWide } from './batches.ts';
import { CommandError, noticeOf, toApiErrorOrThrow, toCommandError, wordsOf } from '../command-error.ts';
import { isConfirmed } from './confirm.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { ParamValues } from '../fields.ts';
import { completed, fillIn, mustCollect, parse, saidWrong } from '../parameters.ts';
import type { Dependencies, Dispatch, Outcome } from './interface.ts';
import { finish, isAnothers } from './report.ts';
import { runInBatches, runWithFactor } from './run.ts';
import { renew, resolveTargets } from './targets.ts';
import type { Source } from '../ui.ts';
import type { Collecting } from '../host.ts';

/**
 * The only way to run a command: resolve, permission, when, parameters, danger gate, run, done,
 * history. Never rejects; scripts read errors from the outcome.
 */
export function createDispatch(deps: Dependencies): Dispatch {
  const running = new Map<string, Promise<Outcome>>();
  const undos = new Map<string, string>(); // undos of runs that are still refetching their lists
  const forget = (wish: string) => {
    running.delete(wish);
    undos.delete(wish);
  };
  const forgetUndone = (taken: string) => {
    for (const [wish, undo] of undos) if (undo === taken) forget(wish);
  };
  return (invocation, source, frozen) => {
    const by = deps.person();
    // A second click or held key during a run is the same request. Another person's is not.
    const wish = JSON.stringify([by, invocation, frozen?.map(({ id }) => id)]);
    const underWay = running.get(wish);
    if (underWay) return underWay;
    const worked = (undo?: Invocation) => {
      if (running.get(wish) === outcome) undos.set(wish, JSON.stringify(undo) ?? '');
      // The same command may run again while the undo is still refetching lists.
      if (source === 'undo') forgetUndone(JSON.stringify(invocation));
    };
    // A closed form may be opened and sent again while lists are refetched.
    const answered = () => forget(wish);
    const outcome: Promise<Outcome> = attempt({ ...deps, worked, answered, by }, invocation, source, frozen).finally(() => {
      if (running.get(wish) === outcome) forget(wish);
    });
    running.set(wish, outcome);
    deps.watch?.({ invocation, source, frozen: frozen ?? [], outcome });
    return outcome;
  };
}

async function attempt(deps: Dependencies, invocation: Invocation, source: Source, frozen?: readonly Target[]): Promise<Outcome> {
  try {
    return await perform(deps, invocation, source, frozen);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return { status: 'canceled' };
    const error = toCommandError(thrown);
    // A macro reports where it stopped itself.
    if (source !== 'script' && source !== 'macro' && !isAnothers(deps))
      deps.host.notify(noticeOf(error, deps.registry.get(invocation.id)));
    return { status: 'failed', error };
  }
}

async function perform(deps: Dependencies, invocation: Invocation, source: Source, frozen?: readonly Target[]): Promise<Outcome> {
  if (!deps.registry.get(invocation.id)) await deps.loadAll();
  const command = deps.registry.get(invocation.id);
  if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${invocation.id}`);
  // Scripts and undos name exact records: all of them or none.
  const isWhole = source === 'script' || source === 'undo';
  judge(deps, command, null); // permission first: without it nothing is read
  const meant = await resolveTargets(deps, command, invocation, frozen);
  judge(deps, command, meant, isWhole);
  const part = isWhole || meant.length < 2 || matchingOf(meant) ? null : partOf(command, deps.context(), meant);
  const left = part?.left ?? [];
  const targets = part && left.length > 0 ? part.fit : meant;

  if (await readState(deps, command)) judge(deps, command, meant, isWhole);
  const given = fillIn(command, targets, await completed(deps, command, source, invocation.params ?? {}));
  const collecting = (await mustCollect(command, invocation, source, given))
    ? deps.host.collect({
        command,
        targets,
        left,
        source,
        given,
        ...(invocation.asks?.length ? { only: invocation.asks } : {}),
        ...(source === 'link' ? { said: Object.keys(invocation.params ?? {}) } : {}),
      })
    : null;
  try {
    return await gateAndRun(deps, { command, invocation, source, targets, left, given, collecting });
  } finally {
    collecting?.close(false);
  }
}

async function readState({ apiFor }: Dependencies, { id, params, ready = params?.ready }: AnyCommand): Promise<boolean> {
  await ready?.(apiFor(id, null));
  return ready !== undefined;
}

interface Attempt {
  command: AnyCommand;
  invocation: Invocation;
  source: Source;
  targets: readonly Target[];
  left: readonly Left[];
  given: ParamValues;
  collecting: Collecting | null;
}

async function gateAndRun(
  deps: Dependencies,
  { command, invocation, source, targets, left, given, collecting }: Attempt,
): Promise<Outcome> {
  const key = crypto.randomUUID();
  let aimed = targets;
  let setback = source === 'link' ? await saidWrong(command, invocation, given) : undefined;
  for (;;) {
    const answer = collecting ? await collecting.ask(setback) : given;
    if (answer === null) return { status: 'canceled' };
    let onlySigns = saysOnlySigns(command, aimed);
    const parsed = await parse(deps, command, aimed, answer);
    if (collecting?.isLeft()) return { status: 'canceled' }; // nothing has been sent yet
    if ('issues' in parsed) {
      if (!collecting) throw new CommandError('INVALID', `${command.id}: ${describe(parsed.issues)}`, parsed.issues);
      setback = { issues: parsed.issues };
      continue;
    }
    const asked = { command, invocation, source, targets: aimed, left, params: parsed.values };
    const isAsked = collecting !== null && command.oneStep === true;
    if (!isAsked && !(await isConfirmed(deps, asked))) {
      if (!collecting || collecting.isLeft()) return { status: 'canceled' };
      setback = undefined;
      continue;
    }
    if (!isAsked) onlySigns = saysOnlySigns(command, aimed);
    const release = () => {
      if (!command.passing && source !== 'undo') deps.host.release([...aimed, ...left.map(({ target }) => target)]);
    };
    if (isWide(command, aimed)) {
      collecting?.close(true);
      return runInBatches(deps, command, source, aimed, parsed.values, release);
    }
    try {
      const result = await runWithFactor(deps, command, source, aimed, parsed.values, key, onlySigns);
      if (collecting) {
        collecting.close(true);
        deps.answered?.();
      }
      release();
      return await finish(deps, command, source, aimed, parsed.values, result);
    } catch (thrown) {
      const error = toApiErrorOrThrow(thrown);
      if (!collecting || collecting.isLeft()) throw error;
      await readState(deps, command).catch(() => {});
      // Typed values stay in the form, so that the person can retry.
      const current = error.code === 'CONFLICT' && isRecord(error.current) ? error.current : undefined;
      if (current) aimed = aimed.map((target) => renew(target, current));
      // Convert the row to the form's shape, which may differ.
      const merged = current && command.params?.initial?.({ targets: aimed, now: new Date() });
      setback = {
        issues: error.issues,
        error: { code: error.code, requestId: error.requestId, values: wordsOf(error.data) },
        ...(merged ? { current: merged } : {}),
      };
    }
  }
}

function judge({ context }: Dependencies, command: AnyCommand, targets: readonly Target[] | null, isWhole = false): void {
  const verdict = assess(command, context(), targets ?? [], isWhole);
  if (verdict.state === 'hidden')
    throw new CommandError('NOT_PERMITTED', `${command.id} needs the permission ${command.permission}`);
  if (targets && verdict.state === 'blocked') {
    throw Object.assign(new CommandError('BLOCKED', `${command.id}: ${verdict.reason}`, [], verdict.reason), {
      values: verdict.values,
    });
  }
}

const saysOnlySigns = ({ says }: AnyCommand, targets: readonly Target[]): boolean =>
  says?.({ targets: targets as readonly never[] }).onlySigns ?? false;

const isRecord = (value: unknown): value is ParamValues => typeof value === 'object' && value !== null;

const describe = (issues: readonly FieldIssue[]): string => issues.map(({ path, rule }) => `${path} ${rule}`).join(', ');
