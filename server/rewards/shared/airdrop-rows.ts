import type { AirdropFields } from '../../../api/rewards/airdrops.ts';
import type { Tx } from '../../platform/db/db.ts';
import { newId } from '../../platform/core/ids.ts';
import { airdrops } from '../tables.ts';

export interface NewAirdrop extends AirdropFields {
  importId?: string;
  importLine?: number;
  createdAt: Date;
}

export type Airdrop = typeof airdrops.$inferSelect;

const batchSize = 1_000;

export async function insertAirdrops(tx: Tx, newAirdrops: readonly NewAirdrop[]): Promise<Airdrop[]> {
  const rows: Airdrop[] = [];
  for (let offset = 0; offset < newAirdrops.length; offset += batchSize) {
    const batchRows = newAirdrops.slice(offset, offset + batchSize).map((row) => ({
      ...row,
      id: newId(row.createdAt.getTime()),
      berries: BigInt(row.berries),
      updatedAt: row.createdAt,
    }));
    rows.push(...(await tx.insert(airdrops).values(batchRows).returning()));
  }
  return rows;
}
