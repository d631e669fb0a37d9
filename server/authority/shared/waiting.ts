import { personOf, type RequestContext } from '../../platform/services/context.ts';
import { readOwnStatementHashes } from '../lists.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';

export async function countWaitingStatements(context: RequestContext): Promise<number> {
  if (!personOf(context)?.granted.has('authority.sign')) return 0;
  try {
    const authorityState = await readAuthority(context.services, context.db);
    return authorityState ? (await readOwnStatementHashes(context, authorityState)).length : 0;
  } catch (error) {
    if (error instanceof LogError) return 0;
    throw error;
  }
}
