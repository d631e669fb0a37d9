import { $batch, dismissBatch } from '../../../lib/batch.ts';
import { ApiError } from '../../../lib/net/client.ts';
import type { Target } from '../../../lib/scope.ts';
import { assess } from '../assess.ts';
import { runBatchCommand } from './batches.ts';
import { CommandError } from '../command-error.ts';
import type { AnyCommand, Call } from '../define.ts';
import type { Dependencies, DispatchOutcome } from './interface.ts';
import type { ParamValues } from '../fields.ts';
import { withoutSecrets } from '../parameters.ts';
import { reportResult } from './report.ts';
import type { InvocationSource } from '../ui.ts';

/** After the second factor is confirmed, the same call is sent again. */
export async function runWithFactor(
  deps: Dependencies,
  command: AnyCommand,
  source: InvocationSource,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
  onlySigns = false,
): Promise<unknown> {
  try {
    return await runOnce(deps, command, targets, params, key, onlySigns);
  } catch (thrown) {
    const isStale = thrown instanceof ApiError && thrown.code === 'FACTOR_STALE';
    if (!isStale || source === 'script' || !(await deps.host.confirmFactor())) throw thrown;
    return runOnce(deps, command, targets, params, key, onlySigns);
  }
}

export async function runInBatches(
  deps: Dependencies,
  command: AnyCommand,
  source: InvocationSource,
  targets: readonly Target[],
  params: ParamValues,
  over: () => void,
): Promise<DispatchOutcome> {
  if ($batch.get()?.isRunning) throw new CommandError('BLOCKED', `${command.id}: another batch is running`, [], 'batch.busy');
  const { target } = command;
  const load = target.kind === 'none' ? undefined : (await deps.loaders())[target.entity];
  if (!load) throw new Error(`nothing reads what ${command.id} runs on`);
  const followed: unknown[] = [];
  const { rows, done } = await runBatchCommand({
    command,
    targets,
    params: command.params ? withoutSecrets(command, params) : undefined,
    load: (ids) => load(deps.apiFor(null, null), ids),
    assess: (some) => assess(command, deps.context(), some, true),
    run: async (some) => {
      const result = await runWithFactor(deps, command, source, some, params, crypto.randomUUID());
      followed.push(...rowsIn(result));
      return command.done?.(result as never, { targets: some, params } as never) ?? {};
    },
  });
  over();
  if (done.failed?.length === 0) dismissBatch();
  const failed = rows.filter(({ state }) => state !== 'done').map(({ id, state, note }) => ({ id, state, note }));
  return reportResult(deps, command, source, rows, params, { done: followed, failed }, done);
}

const rowsIn = (result: unknown): readonly unknown[] =>
  typeof result === 'object' && result !== null && 'done' in result && Array.isArray(result.done) ? result.done : [];

async function runOnce(
  deps: Dependencies,
  command: AnyCommand,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
  onlySigns: boolean,
): Promise<unknown> {
  const aborter = new AbortController();
  const call: Call<never, never> | object = {
    api: deps.apiFor(command.id, key),
    ui: deps.host,
    targets,
    params,
    onlySigns,
    signal: aborter.signal,
  };
  return command.run(call as never);
}
