import type { FieldIssue } from '../../../../api/errors.ts';
import { matchingFilterOf, type Target } from '../../../lib/scope.ts';
import type { ApiError } from '../../../lib/net/client.ts';
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
export function createDispatch(dependencies: Dependencies): Dispatch {
  const running = new Map<string, Promise<DispatchOutcome>>();
  const undoByRun = new Map<string, string>(); // undos of runs that are still refetching their lists
  const clearRun = (runKey: string) => {
    running.delete(runKey);
    undoByRun.delete(runKey);
  };
  const clearUndoneRun = (chosenId: string) => {
    for (const [wish, undo] of undoByRun) if (undo === chosenId) clearRun(wish);
  };
  return (invocation, source, frozenTargets) => {
    const person = dependencies.person();
    // A second click or held key during a run is the same request. Another person's is not.
    const runKey = JSON.stringify([person, invocation, frozenTargets?.map(({ id }) => id)]);
    const runningOutcome = running.get(runKey);
    if (runningOutcome) return runningOutcome;
    const onSuccess = (undo?: Invocation) => {
      if (running.get(runKey) === outcome) undoByRun.set(runKey, JSON.stringify(undo) ?? '');
      // The same command may run again while the undo is still refetching lists.
      if (source === 'undo') clearUndoneRun(JSON.stringify(invocation));
    };
    // A closed form may be opened and sent again while lists are refetched.
    const onResponse = () => clearRun(runKey);
    const outcome: Promise<DispatchOutcome> = attempt(
      { ...dependencies, worked: onSuccess, answered: onResponse, by: person },
      invocation,
      source,
      frozenTargets,
    ).finally(() => {
      if (running.get(runKey) === outcome) clearRun(runKey);
    });
    running.set(runKey, outcome);
    dependencies.watch?.({ invocation, source, frozen: frozenTargets ?? [], outcome });
    return outcome;
  };
}

async function attempt(
  dependencies: Dependencies,
  invocation: Invocation,
  source: InvocationSource,
  frozenTargets?: readonly Target[],
): Promise<DispatchOutcome> {
  try {
    return await perform(dependencies, invocation, source, frozenTargets);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') return { status: 'canceled' };
    const error = toCommandError(cause);
    refreshRefused(dependencies, dependencies.registry.get(invocation.id), error);
    // A macro reports where it stopped itself.
    if (source !== 'script' && source !== 'macro' && !isOtherPerson(dependencies))
      dependencies.host.notify(noticeOf(error, dependencies.registry.get(invocation.id)));
    return { status: 'failed', error };
  }
}

async function perform(
  dependencies: Dependencies,
  invocation: Invocation,
  source: InvocationSource,
  frozenTargets?: readonly Target[],
): Promise<DispatchOutcome> {
  if (!dependencies.registry.get(invocation.id)) await dependencies.loadAll();
  const command = dependencies.registry.get(invocation.id);
  if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${invocation.id}`);
  // Scripts and undos name exact records: all of them or none.
  const isWholeList =
    source === 'script' || source === 'undo' || (command.target.kind === 'many' && command.target.together === true);
  assertAvailable(dependencies, command, null); // permission first: without it nothing is read
  const resolvedTargets = await resolveTargets(dependencies, command, invocation, frozenTargets);
  assertAvailable(dependencies, command, resolvedTargets, isWholeList);
  const partition =
    isWholeList || resolvedTargets.length < 2 || matchingFilterOf(resolvedTargets)
      ? null
      : splitRunnable(command, dependencies.context(), resolvedTargets);
  const skipped = partition?.skipped ?? [];
  const targets = partition && skipped.length > 0 ? partition.runnable : resolvedTargets;

  if (await readState(dependencies, command)) assertAvailable(dependencies, command, resolvedTargets, isWholeList);
  const params = withDefaults(command, targets, await completeParams(dependencies, command, source, invocation.params ?? {}));
  const collector = (await needsForm(command, invocation, source, params))
    ? dependencies.host.collect({
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
    return await confirmAndRun(dependencies, { command, invocation, source, targets, skipped, params, collecting: collector });
  } finally {
    collector?.close(false);
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
  dependencies: Dependencies,
  { command, invocation, source, targets, skipped, params, collecting }: Attempt,
): Promise<DispatchOutcome> {
  const key = crypto.randomUUID();
  let requestedTargets = targets;
  let formError = source === 'link' ? await invalidLinkParams(command, invocation, params) : undefined;
  for (;;) {
    const enteredValues = collecting ? await collecting.ask(formError) : params;
    if (enteredValues === null) return { status: 'canceled' };
    let onlySigns = isSignatureOnly(command, requestedTargets);
    const parsedParams = await parseParameters(dependencies, command, requestedTargets, enteredValues);
    if (collecting?.isAbandoned()) return { status: 'canceled' }; // nothing has been sent yet
    if ('issues' in parsedParams) {
      if (!collecting)
        throw new CommandError('INVALID', `${command.id}: ${describeIssues(parsedParams.issues)}`, parsedParams.issues);
      formError = { issues: parsedParams.issues };
      continue;
    }
    const confirmRequest = { command, invocation, source, targets: requestedTargets, skipped, params: parsedParams.values };
    const isAsked = collecting !== null && (command.oneStep === true || (command.oneStep === 'form' && collecting.isForm));
    if (!isAsked && !(await isConfirmed(dependencies, confirmRequest))) {
      if (!collecting || collecting.isAbandoned()) return { status: 'canceled' };
      formError = undefined;
      continue;
    }
    if (!isAsked) onlySigns = isSignatureOnly(command, requestedTargets);
    const release = () => {
      if (!command.excludeFromHistory && source !== 'undo')
        dependencies.host.release([...requestedTargets, ...skipped.map(({ target }) => target)]);
    };
    if (isBatch(command, requestedTargets)) {
      collecting?.close(true);
      return runInBatches(dependencies, command, source, requestedTargets, parsedParams.values, release);
    }
    try {
      const result = await runWithFactor(dependencies, command, source, requestedTargets, parsedParams.values, key, onlySigns);
      if (collecting) {
        collecting.close(true);
        dependencies.answered?.();
      }
      release();
      return await reportResult(dependencies, command, source, requestedTargets, parsedParams.values, result);
    } catch (cause) {
      const error = toApiErrorOrThrow(cause);
      if (!collecting || collecting.isAbandoned()) throw await withChanges(dependencies, error, requestedTargets);
      await readState(dependencies, command).catch(() => {});
      // Typed values stay in the form, so that the person can retry.
      const currentRecord = error.code === 'CONFLICT' && isRecord(error.current) ? error.current : undefined;
      if (currentRecord) requestedTargets = requestedTargets.map((target) => refreshTarget(target, currentRecord));
      // Convert the row to the form's shape, which may differ.
      const mergedValues = currentRecord && command.params?.initial?.({ targets: requestedTargets, now: new Date() });
      formError = {
        issues: error.issues,
        error: { code: error.code, requestId: error.requestId, values: refusalText(error.data) },
        ...(mergedValues ? { current: mergedValues } : {}),
      };
    }
  }
}

function assertAvailable(
  { context }: Dependencies,
  command: AnyCommand,
  targets: readonly Target[] | null,
  isWholeList = false,
): void {
  const verdict = assess(command, context(), targets ?? [], isWholeList);
  if (verdict.state === 'hidden')
    throw new CommandError('NOT_PERMITTED', `${command.id} needs the permission ${command.permission}`);
  if (targets && verdict.state === 'blocked') {
    throw Object.assign(new CommandError('BLOCKED', `${command.id}: ${verdict.reason}`, [], verdict.reason), {
      values: verdict.values,
    });
  }
}

const staleCodes: ReadonlySet<string> = new Set(['CONFLICT', 'NOT_FOUND', 'MONEY_REFUSED', 'CRSM_REFUSED']);

/** The list may show an older state than the one that was refused. */
function refreshRefused({ host }: Dependencies, command: AnyCommand | undefined, { code }: CommandError): void {
  if (!command || command.target.kind === 'none') return;
  if (staleCodes.has(code) || (code === 'BLOCKED' && command.refreshesTargets)) void host.refresh([command.target.entity]);
}

/** Names what others changed. */
async function withChanges(
  { changedText }: Dependencies,
  error: ApiError,
  [target, ...otherTargets]: readonly Target[],
): Promise<Error> {
  if (error.code !== 'CONFLICT' || !isRecord(error.current) || !target || otherTargets.length > 0) return error;
  const changes = await changedText?.(target.entity, target.row, error.current).catch(() => null);
  if (!changes) return error;
  const { message, requestId, data } = error;
  return Object.assign(new CommandError('CONFLICT', message, [], 'errors.changed'), { values: { changes }, requestId, data });
}

const isSignatureOnly = ({ confirmWording }: AnyCommand, targets: readonly Target[]): boolean =>
  confirmWording?.({ targets: targets as readonly never[] }).onlySigns ?? false;

const isRecord = (value: unknown): value is ParamValues => typeof value === 'object' && value !== null;

const describeIssues = (issues: readonly FieldIssue[]): string => issues.map(({ path, rule }) => `${path} ${rule}`).join(', ');
