import { startPostgres } from '../platform/db/postgres.ts';

// Runs PostgreSQL on DATA_DIR until killed, and sends its URL to the parent.
const { url } = await startPostgres({ dataDir: process.env['DATA_DIR'] ?? '' });
process.send?.(url);
