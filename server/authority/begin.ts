import type { Services } from '../platform/core/context.ts';
import { readGenesis } from './shared/genesis-file.ts';
import { insertGenesis } from './store.ts';
import { authorityLines } from './tables.ts';

/** Begins the log of a database that has none with the genesis that is pinned, out of its file. Throws StartError for another one. */
export async function beginLog({ config, database, now }: Pick<Services, 'config' | 'database' | 'now'>): Promise<void> {
  if (config.authorityGenesisFile === null || (await database.db.$count(authorityLines)) > 0) return;
  const first = await readGenesis(config, now);
  if (first) await insertGenesis(database.db, first, { now });
}
