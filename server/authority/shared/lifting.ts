import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Statement } from '../../../api/authority/statements.ts';
import type { Lifting } from '../../../api/custody/contract.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { whereHas } from '../../platform/db/search.ts';
import type { Authority } from '../authority.ts';
import { LogError } from '../replay.ts';
import { neededBy, rulesAt } from '../rules.ts';
import { readAuthority } from '../store.ts';
import { authorityStatements } from '../tables.ts';

/** Who has signed in the log to lift a freeze of the ledger, of how many; null without a log that can be read. */
export async function readLifting(
  services: Services,
  queries: Queries,
  asked: { freeze: string; difference: string },
): Promise<Lifting | null> {
  try {
    const authority = await readAuthority(services, queries);
    if (!authority) return null;
    const now = services.now();
    const { policy } = rulesAt(authority.policies, now);
    return {
      signed: (await signersOf(queries, authority, asked, now)).map((person) => authority.names.get(person) ?? person),
      needed: neededBy({ kind: 'unfreeze' } as Statement, policy),
    };
  } catch (error) {
    if (error instanceof LogError) return null; // the log's own screen says so
    throw error;
  }
}

/** Who signed the newest statement that lifts this freeze: fully signed, or still to be signed. */
async function signersOf(
  queries: Queries,
  authority: Authority,
  { freeze, difference }: { freeze: string; difference: string },
  now: number,
): Promise<string[]> {
  const rows = await queries
    .select({ id: authorityStatements.id })
    .from(authorityStatements)
    .where(
      and(
        eq(authorityStatements.kind, 'unfreeze'),
        isNotNull(authorityStatements.number),
        await whereHas(queries, authorityStatements, authorityStatements.text, freeze),
      ),
    )
    .orderBy(desc(authorityStatements.position));
  const open = rows
    .flatMap(({ id }) => authority.statements.get(id) ?? [])
    .find(
      ({ statement, passedAt }) =>
        statement.kind === 'unfreeze' &&
        statement.content.freeze === freeze &&
        statement.content.difference === difference &&
        (passedAt !== null || Date.parse(statement.expires) > now),
    );
  return [...(open?.signed.keys() ?? [])];
}
