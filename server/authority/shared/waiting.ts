import { personOf, type RequestContext } from '../../platform/services/context.ts';
import { ownStatementHashes } from '../lists.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';

export async function waitingStatements(context: RequestContext): Promise<number> {
  if (!personOf(context)?.granted.has('authority.sign')) return 0;
  try {
    const found = await readAuthority(context.services, context.db);
    return found ? (await ownStatementHashes(context, found)).length : 0;
  } catch (error) {
    if (error instanceof LogError) return 0;
    throw error;
  }
}
