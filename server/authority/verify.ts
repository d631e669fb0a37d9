import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { describeConnectionProblem } from '../platform/db/connection-problem.ts';
import { createConnector } from '../platform/db/connector.ts';
import { startPostgres } from '../platform/db/postgres.ts';
import { verifyLog } from './verify-log.ts';

process.exitCode = await verifyLog(process.argv.slice(2), {
  command: 'npm run authority:verify --',
  fromDatabase: readLinesFromDatabase,
});

/** A running server locks its data folder: the error then says to set DATABASE_URL. */
async function readLinesFromDatabase(): Promise<readonly string[]> {
  const config = readConfig();
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const url = embeddedPostgres?.url ?? config.databaseDirectUrl ?? config.databaseUrl ?? '';
  const connector = createConnector(url, createLogger({ level: 'silent' }));
  const client = connector.newClient({ application_name: 'admin-panel authority:verify' });
  try {
    await client.connect().catch((error: unknown) => {
      throw describeConnectionProblem(error, url) ?? error;
    });
    const { rows } = await client.query<{ line: string }>('select line from authority_lines order by number');
    return rows.map(({ line }) => line);
  } finally {
    await client.end().catch(() => {});
    connector.close();
    await embeddedPostgres?.stop();
  }
}
