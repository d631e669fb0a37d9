import type { Services } from '../../platform/services/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { canSign } from '../authority.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';
import { mintApprovalStatus, type MintApprovalStatus } from './mint-approval.ts';

type ApprovalInput = Parameters<typeof mintApprovalStatus>[1];

/** False without a valid log. */
export async function readCanSign(services: Services, queries: Queries, person: string): Promise<boolean> {
  try {
    const authority = await readAuthority(services, queries);
    return authority !== null && canSign(authority, person, services.now());
  } catch (error) {
    if (error instanceof LogError) return false; // the log's screen reports it
    throw error;
  }
}

/** Without a valid log there are no rules and no signatures. */
export async function readApprovalStatus(
  services: Services,
  queries: Queries,
): Promise<(mint: ApprovalInput) => MintApprovalStatus> {
  const emptyStatus: MintApprovalStatus = { band: null, signers: [], missing: 0 };
  try {
    const authority = await readAuthority(services, queries);
    return (mint) => (authority ? mintApprovalStatus(authority, mint, services.now()) : emptyStatus);
  } catch (error) {
    if (error instanceof LogError) return () => emptyStatus;
    throw error;
  }
}
