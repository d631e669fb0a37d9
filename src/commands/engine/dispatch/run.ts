import { $batch, dismissBatch } from '../../../lib/batch.ts';
import { ApiError } from '../../../lib/net/client.ts';
import type { Target } from '../../../lib/scope.ts';
import { assess } from '../assess.ts';
import { runBatchCommand } from './batches.ts';
import { CommandError } from '../command-error.ts';
import type { AnyCommand, RunContext } from '../define.ts';
import type { Dependencies, DispatchOutcome } from './interface.ts';
import type { ParamValues } from '../fields.ts';
import { withoutSecrets } from '../parameters.ts';
import { reportResult } from './report.ts';
import type { InvocationSource } from '../ui.ts';

/** After the second factor is confirmed, the same call is sent again. */
export async function runWithFactor(
  dependencies: Dependencies,
  command: AnyCommand,
  source: InvocationSource,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
  onlySigns = false,
): Promise<unknown> {
  try {
    return await runOnce(dependencies, command, targets, params, key, onlySigns);
  } catch (cause) {
    const isStale = cause instanceof ApiError && cause.code === 'FACTOR_STALE';
    if (!isStale || source === 'script' || !(await dependencies.host.confirmFactor())) throw cause;
    return runOnce(dependencies, command, targets, params, key, onlySigns);
  }
}

export async function runInBatches(
  dependencies: Dependencies,
  command: AnyCommand,
  source: InvocationSource,
  targets: readonly Target[],
  params: ParamValues,
  onAbort: () => void,
): Promise<DispatchOutcome> {
  if ($batch.get()?.isRunning) throw new CommandError('BLOCKED', `${command.id}: another batch is running`, [], 'batch.busy');
  const { target } = command;
  const load = target.kind === 'none' ? undefined : (await dependencies.loaders())[target.entity];
  if (!load) throw new Error(`nothing reads what ${command.id} runs on`);
  const followUps: unknown[] = [];
  const { rows, done } = await runBatchCommand({
    command,
    targets,
    params: command.params ? withoutSecrets(command, params) : undefined,
    load: (ids) => load(dependencies.apiFor(null, null), ids),
    assess: (batchTargets) => assess(command, dependencies.context(), batchTargets, true),
    run: async (batchTargets) => {
      const result = await runWithFactor(dependencies, command, source, batchTargets, params, crypto.randomUUID());
      followUps.push(...rowsIn(result));
      return command.done?.(result as never, { targets: batchTargets, params } as never) ?? {};
    },
  });
  onAbort();
  if (done.failed?.length === 0) dismissBatch();
  const failed = rows.filter(({ state }) => state !== 'done').map(({ id, state, note }) => ({ id, state, note }));
  return reportResult(dependencies, command, source, rows, params, { done: followUps, failed }, done);
}

const rowsIn = (result: unknown): readonly unknown[] =>
  typeof result === 'object' && result !== null && 'done' in result && Array.isArray(result.done) ? result.done : [];

async function runOnce(
  dependencies: Dependencies,
  command: AnyCommand,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
  onlySigns: boolean,
): Promise<unknown> {
  const abortController = new AbortController();
  const runContext: RunContext<never, never> | object = {
    api: dependencies.apiFor(command.id, key),
    ui: dependencies.host,
    targets,
    params,
    onlySigns,
    signal: abortController.signal,
  };
  return command.run(runContext as never);
}
