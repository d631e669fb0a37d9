import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { serve, type RunningServer } from '../serve.ts';

// Loads the server once and runs one panel after another for the browser tests, because loading dominates the start.

/** Environment of the next panel. Null: stop. */
export type Invocation = Readonly<Record<string, string | undefined>> | null;

export interface Granted {
  error: string | null;
}

let running: RunningServer | null = null;
let last = Promise.resolve();

async function grant(wish: Invocation): Promise<void> {
  await running?.stop();
  running = null;
  if (!wish) return;
  const config = readConfig(wish);
  running = await serve({ config, log: createLogger({ level: config.logLevel }) });
}

const tell = (granted: Granted) => void process.send?.(granted, undefined, undefined, () => {}); // the driver may have exited

process.on('message', (wish: Invocation) => {
  last = last
    .then(() => grant(wish))
    .then(
      () => tell({ error: null }),
      (error: unknown) => tell({ error: String(error instanceof Error ? error.stack : error) }),
    );
});
process.on('disconnect', () => void last.then(() => grant(null)).finally(() => process.exit()));
