import { diagnose } from '../doctor/checks.ts';
import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { temporaryFolder } from './end.ts';
import { testApp, testDatabase } from './support.ts';

/** What stops a start with this statistics database, or null. */
export const startProblem = (statisticsUrl: string): Promise<string | null> =>
  testApp({}, { jobs: false, statisticsUrl }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** What doctor says about this statistics database, as `level: text`. */
export async function statisticsFindings(statisticsUrl: string, panelUrl?: string): Promise<string[]> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: temporaryFolder(),
    DATABASE_URL: panelUrl ?? (await testDatabase()).url,
    STATISTICS_DATABASE_URL: statisticsUrl,
  });
  const found = await diagnose(config, createLogger({ level: 'silent' }));
  return found.filter(({ subject }) => subject === 'Statistics').map(({ level, text }) => `${level}: ${text}`);
}

export function changedUrl(url: string, change: (url: URL) => void): string {
  const changed = new URL(url);
  change(changed);
  return changed.href;
}
