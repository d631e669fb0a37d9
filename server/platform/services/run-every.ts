import { tracingChannel } from 'node:diagnostics_channel';
import type { Services } from './context.ts';
import { describeError } from '../core/log.ts';

export const jobChannel = tracingChannel<unknown, { what: string }>('admin-panel:job');

/** Never overlaps. Failures are retried. The returned function stops it and waits for a running one. */
export function runEvery(
  services: Pick<Services, 'log'>,
  intervalMs: number,
  taskName: string,
  runTask: (isStopped: () => boolean) => Promise<unknown>,
) {
  let isStopped = false;
  let pendingRun: Promise<void> | null = null;
  const runOnce = () => {
    pendingRun ??= jobChannel
      .tracePromise(() => runTask(() => isStopped), { what: taskName })
      .then(() => {})
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, `${taskName} failed, will retry`))
      .finally(() => (pendingRun = null));
  };
  const timer = setInterval(runOnce, intervalMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await pendingRun;
  };
}
