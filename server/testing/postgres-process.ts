import { startPostgres } from '../platform/db/postgres.ts';

const { url } = await startPostgres({ dataDir: process.env['DATA_DIR'] ?? '' });
process.send?.(url);
