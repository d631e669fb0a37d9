import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Statement } from '../../../api/authority/statements.ts';
import type { FreezeLift } from '../../../api/custody/contract.ts';
import type { Services } from '../../platform/services/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { matchText } from '../../platform/db/search.ts';
import type { Authority, StatementStatus } from '../authority.ts';
import { activeFreezes } from '../check-mint.ts';
import { isCountedSignature, countRemainingSignatures } from '../remaining-signatures.ts';
import { requiredSignatures, rulesAt } from '../rules.ts';
import { LogError } from '../replay.ts';
import { readAuthority } from '../store.ts';
import { authorityStatements } from '../tables.ts';

/** Null without a readable log. */
export async function readUnfreezeProgress(
  services: Services,
  queries: Queries,
  request: { freeze: string; difference: string },
  person: string,
): Promise<FreezeLift | null> {
  const authority = await readAuthorityOrNull(services, queries);
  if (!authority) return null;
  const now = services.now();
  const status = await findUnfreezeStatus(queries, authority, request, now);
  const neededSignatures = requiredSignatures({ kind: 'unfreeze' } as Statement, rulesAt(authority.policies, now).policy);
  const countedSignatures = [...(status?.signed ?? [])].filter(
    ([id, signature]) => status && isCountedSignature(authority, status, id, signature),
  );
  return {
    signed: countedSignatures.map(([id]) => authority.names.get(id) ?? id),
    needed: neededSignatures,
    missing: status ? countRemainingSignatures(authority, status, now) : neededSignatures,
    own: status?.signed.has(person) ?? false,
  };
}

/** These stop mints and refunds regardless of the ledger. */
export async function readLogFreezes(services: Services, queries: Queries): Promise<number> {
  const authority = await readAuthorityOrNull(services, queries);
  return authority ? activeFreezes(authority, { freezes: [], now: services.now() }).length : 0;
}

async function readAuthorityOrNull(services: Services, queries: Queries): Promise<Authority | null> {
  try {
    return await readAuthority(services, queries);
  } catch (error) {
    if (error instanceof LogError) return null; // the log's screen reports it
    throw error;
  }
}

async function findUnfreezeStatus(
  queries: Queries,
  authority: Authority,
  { freeze, difference }: { freeze: string; difference: string },
  now: number,
): Promise<StatementStatus | undefined> {
  const rows = await queries
    .select({ id: authorityStatements.id })
    .from(authorityStatements)
    .where(
      and(
        eq(authorityStatements.kind, 'unfreeze'),
        isNotNull(authorityStatements.number),
        await matchText(queries, authorityStatements, authorityStatements.text, freeze),
      ),
    )
    .orderBy(desc(authorityStatements.position));
  return rows
    .flatMap(({ id }) => authority.statements.get(id) ?? [])
    .find(
      ({ statement, passedAt }) =>
        statement.kind === 'unfreeze' &&
        statement.content.freeze === freeze &&
        statement.content.difference === difference &&
        (passedAt !== null || Date.parse(statement.expires) > now),
    );
}
