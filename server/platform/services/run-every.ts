import { tracingChannel } from 'node:diagnostics_channel';
import type { Services } from './context.ts';
import { describeError } from '../core/log.ts';

export const jobChannel = tracingChannel<unknown, { what: string }>('admin-panel:job');

/** Never overlaps. Failures are retried. The returned function stops it and waits for a running one. */
export function runEvery(
  services: Pick<Services, 'log'>,
  ms: number,
  what: string,
  effect: (isStopped: () => boolean) => Promise<unknown>,
) {
  let stopped = false;
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= jobChannel
      .tracePromise(() => effect(() => stopped), { what })
      .then(() => {})
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, `${what} failed, will retry`))
      .finally(() => (running = null));
  };
  const timer = setInterval(run, ms);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
