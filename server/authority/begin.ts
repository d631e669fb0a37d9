import { readFileSync } from 'node:fs';
import type { Services } from '../platform/core/context.ts';
import { StartError } from '../platform/core/start-error.ts';
import { LogError, replay } from './replay.ts';
import { insertGenesis } from './store.ts';
import { authorityLines } from './tables.ts';

/** Starts the log from the pinned genesis file. Throws StartError if its hash differs. */
export async function beginLog({ config, database, now }: Pick<Services, 'config' | 'database' | 'now'>): Promise<void> {
  const { authorityGenesis: genesis, authorityGenesisFile: file } = config;
  if (genesis === null || file === null) return;
  if ((await database.db.$count(authorityLines)) > 0) return;
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  const { statements } = await replay([line], { genesis, now }).catch((error: unknown) => {
    if (!(error instanceof LogError)) throw error;
    throw new StartError(
      `The first line of AUTHORITY_GENESIS_FILE isn’t the genesis that AUTHORITY_GENESIS names (${error.problem}). Check both.`,
    );
  });
  const first = statements.get(genesis)?.statement;
  if (first?.kind === 'genesis') await insertGenesis(database.db, first, { now });
}
