import type { FieldIssue } from '../../../../api/errors.ts';
import { matchingFilterOf, type Target } from '../../../lib/scope.ts';
import { assess, splitRunnable, type SkippedTarget } from '../assess.ts';
import { isBatch } from './batches.ts';
import { CommandError, noticeOf, toApiErrorOrThrow, toCommandError, refusalText } from '../command-error.ts';
import { isConfirmed } from './confirm.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { ParamValues } from '../fields.ts';
import { completeParams, withDefaults, needsForm, parseParameters, invalidLinkParams } from '../parameters.ts';
import type { Dependencies, Dispatch, DispatchOutcome } from './interface.ts';
import { reportResult, isOtherPerson } from './report.ts';
import { runInBatches, runWithFactor } from './run.ts';
import { refreshTarget, resolveTargets } from './targets.ts';
import type { InvocationSource } from '../ui.ts';
import type { ParamCollector } from '../host.ts';

/**
 * The only way to run a command: resolve, permission, when, parameters, danger gate, run, done,
 * history. Never rejects; scripts read errors from the outcome.
 */
export function createDispatch(deps: Dependencies): Dispatch {
  const running = new Map<string, Promise<DispatchOutcome>>();
  const undos = new Map<string, string>(); // undos of runs that are still refetching their lists
  const forget = (wish: string) => {
    running.delete(wish);
    undos.delete(wish);
  };
  const forgetUndone = (chosenId: string) => {
    for (const [wish, undo] of undos) if (undo === chosenId) forget(wish);
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
    const outcome: Promise<DispatchOutcome> = attempt({ ...deps, worked, answered, by }, invocation, source, frozen).finally(
      () => {
        if (running.get(wish) === outcome) forget(wish);
      },
    );
    running.set(wish, outcome);
    deps.watch?.({ invocation, source, frozen: frozen ?? [], outcome });
    return outcome;
  };
}

async function attempt(
  deps: Dependencies,
  invocation: Invocation,
  source: InvocationSource,
  frozen?: readonly Target[],
): Promise<DispatchOutcome> {
  try {
    return await perform(deps, invocation, source, frozen);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return { status: 'canceled' };
    const error = toCommandError(thrown);
    // A macro reports where it stopped itself.
    if (source !== 'script' && source !== 'macro' && !isOtherPerson(deps))
      deps.host.notify(noticeOf(error, deps.registry.get(invocation.id)));
    return { status: 'failed', error };
  }
}

async function perform(
  deps: Dependencies,
  invocation: Invocation,
  source: InvocationSource,
  frozen?: readonly Target[],
): Promise<DispatchOutcome> {
  if (!deps.registry.get(invocation.id)) await deps.loadAll();
  const command = deps.registry.get(invocation.id);
  if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${invocation.id}`);
  // Scripts and undos name exact records: all of them or none.
  const isWhole =
    source === 'script' || source === 'undo' || (command.target.kind === 'many' && command.target.together === true);
  assertAvailable(deps, command, null); // permission first: without it nothing is read
  const resolvedTargets = await resolveTargets(deps, command, invocation, frozen);
  assertAvailable(deps, command, resolvedTargets, isWhole);
  const part =
    isWhole || resolvedTargets.length < 2 || matchingFilterOf(resolvedTargets)
      ? null
      : splitRunnable(command, deps.context(), resolvedTargets);
  const skipped = part?.skipped ?? [];
  const targets = part && skipped.length > 0 ? part.runnable : resolvedTargets;

  if (await readState(deps, command)) assertAvailable(deps, command, resolvedTargets, isWhole);
  const params = withDefaults(command, targets, await completeParams(deps, command, source, invocation.params ?? {}));
  const collecting = (await needsForm(command, invocation, source, params))
    ? deps.host.collect({
        command,
        targets,
        skipped,
        source,
        params,
        ...(invocation.asks?.length ? { only: invocation.asks } : {}),
        ...(source === 'link' ? { said: Object.keys(invocation.params ?? {}) } : {}),
      })
    : null;
  try {
    return await confirmAndRun(deps, { command, invocation, source, targets, skipped, params, collecting });
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
  source: InvocationSource;
  targets: readonly Target[];
  skipped: readonly SkippedTarget[];
  params: ParamValues;
  collecting: ParamCollector | null;
}

async function confirmAndRun(
  deps: Dependencies,
  { command, invocation, source, targets, skipped, params, collecting }: Attempt,
): Promise<DispatchOutcome> {
  const key = crypto.randomUUID();
  let requestedTargets = targets;
  let formError = source === 'link' ? await invalidLinkParams(command, invocation, params) : undefined;
  for (;;) {
    const answer = collecting ? await collecting.ask(formError) : params;
    if (answer === null) return { status: 'canceled' };
    let onlySigns = isSignatureOnly(command, requestedTargets);
    const parsed = await parseParameters(deps, command, requestedTargets, answer);
    if (collecting?.isAbandoned()) return { status: 'canceled' }; // nothing has been sent yet
    if ('issues' in parsed) {
      if (!collecting) throw new CommandError('INVALID', `${command.id}: ${describe(parsed.issues)}`, parsed.issues);
      formError = { issues: parsed.issues };
      continue;
    }
    const question = { command, invocation, source, targets: requestedTargets, skipped, params: parsed.values };
    const isAsked = collecting !== null && command.oneStep === true;
    if (!isAsked && !(await isConfirmed(deps, question))) {
      if (!collecting || collecting.isAbandoned()) return { status: 'canceled' };
      formError = undefined;
      continue;
    }
    if (!isAsked) onlySigns = isSignatureOnly(command, requestedTargets);
    const release = () => {
      if (!command.excludeFromHistory && source !== 'undo')
        deps.host.release([...requestedTargets, ...skipped.map(({ target }) => target)]);
    };
    if (isBatch(command, requestedTargets)) {
      collecting?.close(true);
      return runInBatches(deps, command, source, requestedTargets, parsed.values, release);
    }
    try {
      const result = await runWithFactor(deps, command, source, requestedTargets, parsed.values, key, onlySigns);
      if (collecting) {
        collecting.close(true);
        deps.answered?.();
      }
      release();
      return await reportResult(deps, command, source, requestedTargets, parsed.values, result);
    } catch (thrown) {
      const error = toApiErrorOrThrow(thrown);
      if (!collecting || collecting.isAbandoned()) throw error;
      await readState(deps, command).catch(() => {});
      // Typed values stay in the form, so that the person can retry.
      const current = error.code === 'CONFLICT' && isRecord(error.current) ? error.current : undefined;
      if (current) requestedTargets = requestedTargets.map((target) => refreshTarget(target, current));
      // Convert the row to the form's shape, which may differ.
      const merged = current && command.params?.initial?.({ targets: requestedTargets, now: new Date() });
      formError = {
        issues: error.issues,
        error: { code: error.code, requestId: error.requestId, values: refusalText(error.data) },
        ...(merged ? { current: merged } : {}),
      };
    }
  }
}

function assertAvailable(
  { context }: Dependencies,
  command: AnyCommand,
  targets: readonly Target[] | null,
  isWhole = false,
): void {
  const verdict = assess(command, context(), targets ?? [], isWhole);
  if (verdict.state === 'hidden')
    throw new CommandError('NOT_PERMITTED', `${command.id} needs the permission ${command.permission}`);
  if (targets && verdict.state === 'blocked') {
    throw Object.assign(new CommandError('BLOCKED', `${command.id}: ${verdict.reason}`, [], verdict.reason), {
      values: verdict.values,
    });
  }
}

const isSignatureOnly = ({ confirmWording }: AnyCommand, targets: readonly Target[]): boolean =>
  confirmWording?.({ targets: targets as readonly never[] }).onlySigns ?? false;

const isRecord = (value: unknown): value is ParamValues => typeof value === 'object' && value !== null;

const describe = (issues: readonly FieldIssue[]): string => issues.map(({ path, rule }) => `${path} ${rule}`).join(', ');
