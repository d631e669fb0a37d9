import { startPostgres } from '../platform/db/postgres.ts';

// A process that has PostgreSQL run on DATA_DIR until it is killed. It tells its parent the address.
const { url } = await startPostgres({ dataDir: process.env['DATA_DIR'] ?? '' });
process.send?.(url);
