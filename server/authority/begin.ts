import { readFileSync } from 'node:fs';
import type { StatementOf } from '../../api/authority/statements.ts';
import type { Services } from '../platform/core/context.ts';
import { StartError } from '../platform/core/start-error.ts';
import { LogError, replay } from './replay.ts';
import { insertLines } from './store.ts';
import { authorityLines } from './tables.ts';

/** Begins the log of a database that has none with the genesis that is pinned, out of its file. Throws StartError for another one. */
export async function beginLog({ config, database }: Pick<Services, 'config' | 'database'>): Promise<void> {
  const { authorityGenesis: genesis, authorityGenesisFile: file } = config;
  if (genesis === null || file === null) return;
  if ((await database.db.$count(authorityLines)) > 0) return;
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  await replay([line], { genesis }).catch((error: unknown) => {
    if (!(error instanceof LogError)) throw error;
    throw new StartError(
      `The first line of AUTHORITY_GENESIS_FILE isn’t the genesis that AUTHORITY_GENESIS names (${error.problem}). Check both.`,
    );
  });
  await insertLines(database.db, [JSON.parse(line) as StatementOf<'genesis'>]);
}
