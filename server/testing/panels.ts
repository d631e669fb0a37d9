import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { serve, type RunningServer } from '../serve.ts';

// Loads the server once and runs one panel after another for the browser tests, because loading dominates the start.

/** Environment of the next panel. Null: stop. */
export type PanelEnvironment = Readonly<Record<string, string | undefined>> | null;

export interface StartResult {
  error: string | null;
}

let running: RunningServer | null = null;
let last = Promise.resolve();

async function startPanel(wish: PanelEnvironment): Promise<void> {
  await running?.stop();
  running = null;
  if (!wish) return;
  const config = readConfig(wish);
  running = await serve({ config, log: createLogger({ level: config.logLevel }) });
}

const reportResult = (granted: StartResult) => void process.send?.(granted, undefined, undefined, () => {}); // the driver may have exited

process.on('message', (wish: PanelEnvironment) => {
  last = last
    .then(() => startPanel(wish))
    .then(
      () => reportResult({ error: null }),
      (error: unknown) => reportResult({ error: String(error instanceof Error ? error.stack : error) }),
    );
});
process.on('disconnect', () => void last.then(() => startPanel(null)).finally(() => process.exit()));
