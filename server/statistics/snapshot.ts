import { sql } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { readAddresses, type ChainState } from '../custody/shared/institution-figures.ts';
import { overviewDays } from './tables.ts';

const dayMs = 86_400_000;
/** How long a snapshot waits for the chain before it is taken without. */
const chainCutoffMs = 20 * 3_600_000;

export interface SnapshotFigures {
  bridgeBtc: bigint;
  userCount: bigint;
  /** Null: not read. */
  chain: { mintYu: bigint; vaultBtc: bigint; block: bigint; at: Date } | null;
  chainState: ChainState;
}

export async function readSnapshotFigures(services: Services): Promise<SnapshotFigures> {
  const [ledger, { state, whole }] = await Promise.all([readLedger(services.database.db), readAddresses(services, [])]);
  const chain = whole && { mintYu: whole.debt, vaultBtc: whole.collateral, block: whole.block, at: whole.at };
  return { ...ledger, chain, chainState: state };
}

/** Bitcoin minted and not redeemed; addresses that deposited or connected a wallet. */
async function readLedger(queries: Queries): Promise<{ bridgeBtc: bigint; userCount: bigint }> {
  const { rows } = await queries.execute<{ bridge: string; users: string }>(sql`
    select ((select coalesce(sum(amount), 0) from deposits where mint_status = 'done')
        - (select coalesce(sum(amount), 0) from withdrawals where status in ('withdrawable', 'done')))::text as bridge,
      (select count(*) from (select address from wallet_connections union select address from institutions) everyone)::text as users`);
  const [row] = rows;
  if (!row) throw new Error('the ledger query returned no row');
  return { bridgeBtc: BigInt(row.bridge), userCount: BigInt(row.users) };
}

/** Takes yesterday's snapshot (UTC) once. False: still waiting for the chain. */
export async function recordDailySnapshot(services: Services): Promise<boolean> {
  const { database, now } = services;
  const currentTime = new Date(now());
  const day = new Date(currentTime.getTime() - dayMs).toISOString().slice(0, 10);
  const [existingSnapshot] = await database.db
    .select({ day: overviewDays.day })
    .from(overviewDays)
    .where(sql`${overviewDays.day} = ${day}`);
  if (existingSnapshot) return true;
  const { bridgeBtc, userCount, chain, chainState } = await readSnapshotFigures(services);
  if (chainState === 'unreachable' && currentTime.getTime() % dayMs < chainCutoffMs) return false;
  // The first of concurrent processes wins.
  await database.db
    .insert(overviewDays)
    .values({
      day,
      bridgeBtc,
      userCount,
      mintYu: chain?.mintYu ?? null,
      vaultBtc: chain?.vaultBtc ?? null,
      block: chain?.block ?? null,
      at: currentTime,
    })
    .onConflictDoNothing();
  return true;
}
