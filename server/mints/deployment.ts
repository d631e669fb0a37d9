import { and, eq, not, type SQL } from 'drizzle-orm';
import type { Config, EvmConfig } from '../platform/core/config.ts';
import type { Queries } from '../platform/db/db.ts';
import { StartError } from '../platform/core/start-error.ts';
import { mints } from './tables.ts';

/** A ledger belongs to one chain, token and bridge. */
export interface Deployment {
  readonly chainId: number;
  readonly token: string;
  readonly bridge: string;
}

export const deploymentOf = ({ chainId, contracts }: EvmConfig): Deployment => ({
  chainId,
  token: contracts.ybtc,
  bridge: contracts.custodyBridge,
});

export const isOfDeployment = ({ chainId, token, bridge }: Deployment): SQL | undefined =>
  and(eq(mints.chainId, chainId), eq(mints.token, token), eq(mints.bridge, bridge));

/** Throws StartError for a ledger of another chain, token or bridge. */
export async function requireLedgerOfDeployment(queries: Queries, { evm }: Config): Promise<void> {
  if (!evm) return;
  const isOwnMint = isOfDeployment(deploymentOf(evm));
  const [foreignMint] = isOwnMint ? await queries.select().from(mints).where(not(isOwnMint)).limit(1) : [];
  if (!foreignMint) return;
  const formatDeployment = ({ chainId, token, bridge }: Deployment) =>
    `chain ${chainId}, YBTC ${token || 'unknown'}, bridge ${bridge || 'unknown'}`;
  throw new StartError(
    `This database holds mints for ${formatDeployment(foreignMint)}, but the server is set to ${formatDeployment(deploymentOf(evm))}. Restore EVM_CHAIN_ID, YBTC_ADDRESS and CUSTODY_BRIDGE_ADDRESS, or use another database.`,
  );
}
