import { actorOf, type RequestContext } from '../../platform/core/context.ts';
import { presentAuthority } from '../present.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';

/** How many statements the person who asks could sign now; of a log that does not fit, none. */
export async function waitingStatements(context: RequestContext): Promise<number> {
  const { id, granted } = actorOf(context);
  if (!granted.has('authority.sign')) return 0;
  try {
    const found = await readAuthority(context.services, context.db);
    return found ? presentAuthority(found, id, context.services.now()).waiting : 0;
  } catch (error) {
    if (error instanceof LogError) return 0; // the screen says so
    throw error;
  }
}
