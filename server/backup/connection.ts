import type pg from 'pg';
import type { Config } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { connectionProblem } from '../platform/db/connection-problem.ts';
import { connectorTo } from '../platform/db/connector.ts';
import { startPostgres } from '../platform/db/postgres.ts';

export interface BackupSource {
  readonly url: string;
  connect(what: string): Promise<pg.Client>;
  close(): Promise<void>;
}

/** Throws StartError if a server holds the data folder. */
export async function openSource(config: Config): Promise<BackupSource> {
  const embedded = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const url = embedded?.url ?? config.databaseDirectUrl ?? config.databaseUrl ?? '';
  const variable = config.databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return sourceAt(url, variable, async () => embedded?.stop());
}

/** Null if visits are in the panel's database. */
export const statisticsSource = ({ statisticsDatabaseUrl: url }: Config): BackupSource | null =>
  url === null ? null : sourceAt(url, 'STATISTICS_DATABASE_URL', async () => {});

function sourceAt(url: string, variable: string, stop: () => Promise<void>): BackupSource {
  const connector = connectorTo(url, createLogger({ level: 'silent' }));
  return {
    url,
    async connect(what) {
      const client = connector.newClient({ application_name: `admin-panel ${what}` });
      await client.connect().catch((error: unknown) => {
        throw connectionProblem(error, url, variable) ?? error;
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
