import type { Services } from '../platform/services/context.ts';
import { readGenesis } from './shared/genesis-file.ts';
import { insertGenesis } from './store.ts';
import { authorityLines } from './tables.ts';

/** Starts the log from the pinned genesis file. Throws StartError if its hash differs. */
export async function ensureAuthorityLog({
  config,
  database,
  now,
}: Pick<Services, 'config' | 'database' | 'now'>): Promise<void> {
  if (config.authorityGenesisFile === null || (await database.db.$count(authorityLines)) > 0) return;
  const genesisLine = await readGenesis(config, now);
  if (genesisLine) await insertGenesis(database.db, genesisLine, { now });
}
