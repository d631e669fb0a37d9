import { readFileSync } from 'node:fs';
import type { Config } from '../../platform/core/config.ts';
import { StartError } from '../../platform/core/start-error.ts';
import { LogError, replay } from '../replay.ts';

/** The genesis in its file; null: none is configured. Throws StartError if it is not the one that is pinned. */
export async function readGenesis(
  { authorityGenesis: genesis, authorityGenesisFile: file }: Pick<Config, 'authorityGenesis' | 'authorityGenesisFile'>,
  now: () => number,
) {
  if (genesis === null || file === null) return null;
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  const { statements } = await replay([line], { genesis, now }).catch((error: unknown) => {
    if (!(error instanceof LogError)) throw error;
    throw new StartError(
      `The first line of AUTHORITY_GENESIS_FILE isn’t the genesis that AUTHORITY_GENESIS names (${error.problem}). Check both.`,
    );
  });
  const genesisStatement = statements.get(genesis)?.statement;
  return genesisStatement?.kind === 'genesis' ? genesisStatement : null;
}
