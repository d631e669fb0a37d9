import { diagnose } from '../doctor/checks.ts';
import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { createTemporaryFolder } from './cleanup.ts';
import { createTestApp, createTestDatabase } from './support.ts';

/** What stops a start with this statistics database, or null. */
export const readStartProblem = (statisticsUrl: string): Promise<string | null> =>
  createTestApp({}, { jobs: false, statisticsUrl }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** What doctor says about this statistics database, as `level: text`. */
export async function readStatisticsFindings(statisticsUrl: string, panelUrl?: string): Promise<string[]> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: createTemporaryFolder(),
    DATABASE_URL: panelUrl ?? (await createTestDatabase()).url,
    STATISTICS_DATABASE_URL: statisticsUrl,
  });
  const findings = await diagnose(config, createLogger({ level: 'silent' }));
  return findings.filter(({ subject }) => subject === 'Statistics').map(({ level, text }) => `${level}: ${text}`);
}

export function changeUrl(url: string, change: (url: URL) => void): string {
  const newUrl = new URL(url);
  change(newUrl);
  return newUrl.href;
}
