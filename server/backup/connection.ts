import type pg from 'pg';
import type { Config } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { describeConnectionProblem } from '../platform/db/connection-problem.ts';
import { createConnector } from '../platform/db/connector.ts';
import { startPostgres } from '../platform/db/postgres.ts';

export interface BackupSource {
  readonly url: string;
  connect(purpose: string): Promise<pg.Client>;
  close(): Promise<void>;
}

/** Throws StartError if a server holds the data folder. */
export async function openBackupSource(config: Config): Promise<BackupSource> {
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const url = embeddedPostgres?.url ?? config.databaseDirectUrl ?? config.databaseUrl ?? '';
  const variable = config.databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return createSource(url, variable, async () => embeddedPostgres?.stop());
}

/** Null if visits are in the panel's database. */
export const statisticsSource = ({ statisticsDatabaseUrl: url }: Config): BackupSource | null =>
  url === null ? null : createSource(url, 'STATISTICS_DATABASE_URL', async () => {});

function createSource(url: string, variable: string, stop: () => Promise<void>): BackupSource {
  const connector = createConnector(url, createLogger({ level: 'silent' }));
  return {
    url,
    async connect(purpose) {
      const client = connector.newClient({ application_name: `admin-panel ${purpose}` });
      await client.connect().catch((error: unknown) => {
        throw describeConnectionProblem(error, url, variable) ?? error;
      });
      return client;
    },
    async close() {
      connector.close();
      await stop();
    },
  };
}

export async function serverVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: string }>(`select current_setting('server_version_num') as number`);
  return Math.floor(Number(rows[0]?.number) / 10_000);
}
