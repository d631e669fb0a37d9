import type { Statement } from '../../../api/authority/statements.ts';
import type { Lifting } from '../../../api/custody/contract.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { LogError, neededBy, rulesAt } from '../replay.ts';
import { readAuthority } from '../store.ts';

/** Who has signed in the log to lift a freeze of the ledger, of how many; null without a log that can be read. */
export async function readLifting(
  services: Services,
  queries: Queries,
  { freeze, difference }: { freeze: string; difference: string },
): Promise<Lifting | null> {
  try {
    const authority = await readAuthority(services, queries);
    if (!authority) return null;
    const now = services.now();
    const open = [...authority.statements.values()].findLast(
      ({ statement, passedAt }) =>
        statement.kind === 'unfreeze' &&
        statement.content.freeze === freeze &&
        statement.content.difference === difference &&
        (passedAt !== null || Date.parse(statement.expires) > now),
    );
    const { policy } = rulesAt(authority.policies, now);
    return {
      signed: [...(open?.signed.keys() ?? [])].map((person) => authority.people.get(person)?.name ?? person),
      needed: neededBy({ kind: 'unfreeze' } as Statement, policy),
    };
  } catch (error) {
    if (error instanceof LogError) return null; // the log's own screen says so
    throw error;
  }
}
