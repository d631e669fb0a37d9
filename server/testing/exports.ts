import { createLogger } from '../platform/core/log.ts';
import { runExports } from '../platform/exports/worker.ts';
import { openExternalServices } from '../platform/services/services.ts';
import type { TestApp } from './support.ts';

/** For an app without jobs. */
export const writeExports = ({ config, database, clock }: TestApp, options?: Parameters<typeof runExports>[1]): Promise<void> =>
  runExports(
    {
      config,
      database,
      log: createLogger({ level: 'silent' }),
      now: () => clock.now,
      ...openExternalServices(config),
    },
    options,
  );
