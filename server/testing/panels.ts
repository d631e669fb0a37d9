import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { serve, type RunningServer } from '../serve.ts';

// Loads the server once and runs one panel after another for the browser tests, because loading dominates the start.

/** Environment of the next panel. Null: stop. */
export type PanelEnvironment = Readonly<Record<string, string | undefined>> | null;

export interface StartResult {
  error: string | null;
}

let runningServer: RunningServer | null = null;
let lastCommand = Promise.resolve();

async function startPanel(environment: PanelEnvironment): Promise<void> {
  await runningServer?.stop();
  runningServer = null;
  if (!environment) return;
  const config = readConfig(environment);
  runningServer = await serve({ config, log: createLogger({ level: config.logLevel }) });
}

const reportResult = (startResult: StartResult) => void process.send?.(startResult, undefined, undefined, () => {}); // the driver may have exited

process.on('message', (environment: PanelEnvironment) => {
  lastCommand = lastCommand
    .then(() => startPanel(environment))
    .then(
      () => reportResult({ error: null }),
      (error: unknown) => reportResult({ error: String(error instanceof Error ? error.stack : error) }),
    );
});
process.on('disconnect', () => void lastCommand.then(() => startPanel(null)).finally(() => process.exit()));
