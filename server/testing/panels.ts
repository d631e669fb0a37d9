import { readConfig } from '../platform/core/config.ts';
import { createLog } from '../platform/core/log.ts';
import { serve, type RunningServer } from '../serve.ts';

// A process that has loaded the server once and runs one panel after another, as its driver asks; it ends with the driver. Each file
// of the browser tests has a panel of its own, and most of a start was loading the same scripts and getting them warm.

/** The environment of a panel that is to run; null: the one that runs is to stop. */
export type Wish = Readonly<Record<string, string | undefined>> | null;

/** A wish is granted, or why it is not. */
export interface Granted {
  error: string | null;
}

let running: RunningServer | null = null;
let last = Promise.resolve();

async function grant(wish: Wish): Promise<void> {
  await running?.stop();
  running = null;
  if (!wish) return;
  const config = readConfig(wish);
  running = await serve({ config, log: createLog({ level: config.logLevel }) });
}

const tell = (granted: Granted) => void process.send?.(granted, undefined, undefined, () => {}); // whoever is gone by now hears nothing

process.on('message', (wish: Wish) => {
  last = last
    .then(() => grant(wish))
    .then(
      () => tell({ error: null }),
      (error: unknown) => tell({ error: String(error instanceof Error ? error.stack : error) }),
    );
});
process.on('disconnect', () => void last.then(() => grant(null)).finally(() => process.exit()));
