import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Services } from '../../platform/services/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { chainCursors, chainWatches } from '../../platform/evm/tables.ts';
import type { CrsmChain } from '../chain.ts';
import { crsmChainOf } from './chain-of.ts';

// Figures belong to the block beside them. They are stale after a later failed reading, or when no server has read for a while.

/** At least two regular passes fall into this time. */
const maxFigureAgeMs = 90_000;

const deploymentKey = ({ chainId, contracts }: CrsmChain): string =>
  `${chainId}:${contracts.crsmFactory}:${contracts.troveManager}:${contracts.stabilityPool}`;

export const readCursorName = (chain: CrsmChain): string => `crsmRead:${deploymentKey(chain)}`;
export const attemptCursorName = (chain: CrsmChain): string => `crsmTried:${deploymentKey(chain)}`;

export interface FiguresAge {
  /** Null: never read. */
  readonly read: bigint | null;
  readonly tried: bigint | null;
  readonly isOld: boolean;
}

export async function readFiguresAge(services: Services, queries: Queries): Promise<FiguresAge> {
  const chain = crsmChainOf(services);
  if (!chain) return { read: null, tried: null, isOld: false };
  const [readCursor, attemptCursor] = [readCursorName(chain), attemptCursorName(chain)];
  const cursors = await queries
    .select({ name: chainCursors.name, block: chainCursors.block })
    .from(chainCursors)
    .where(inArray(chainCursors.name, [readCursor, attemptCursor]));
  const outdatedWatches = await queries.select({ at: chainWatches.at }).from(chainWatches).where(isOutdatedWatch(services));
  const findBlock = (name: string) => cursors.find((cursor) => cursor.name === name)?.block ?? null;
  return { read: findBlock(readCursor), tried: findBlock(attemptCursor), isOld: outdatedWatches.length > 0 };
}

const isOutdatedWatch = ({ now }: Services): SQL | undefined =>
  and(eq(chainWatches.name, 'crsm'), sql`${chainWatches.at} < ${new Date(now() - maxFigureAgeMs).toISOString()}::timestamptz`);

export const isOutdatedAt = ({ tried, isOld }: FiguresAge, block: bigint | null): boolean =>
  isOld || (tried !== null && block !== null && block < tried);

export function isBlockOutdated(services: Services, block: PgColumn): SQL {
  const chain = crsmChainOf(services);
  if (!chain) return sql`false`;
  const attemptedBlockSql = sql`select ${chainCursors.block} from ${chainCursors} where ${chainCursors.name} = ${attemptCursorName(chain)}`;
  return sql`(exists (select 1 from ${chainWatches} where ${isOutdatedWatch(services)}) or coalesce(${block} < (${attemptedBlockSql}), false))`;
}
