import { and, eq, isNull } from 'drizzle-orm';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { GivenSignature, Proposal } from '../../../api/authority/signing.ts';
import type { Statement, StatementOf } from '../../../api/authority/statements.ts';
import { requirePerson, type RequestContext } from '../../platform/services/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { enrollInDevelopment } from '../development.ts';
import { statementBy, statementOfDraft } from '../drafts.ts';
import { remainingOf } from '../remaining-signatures.ts';
import { authorityStatements } from '../tables.ts';
import { requireEligibleFor } from './eligible-signers.ts';
import { withLogWriter, NotSignedError, openProposal, signOpenStatement, newStatementAt } from './signing.ts';

const validMs = 7 * 86_400_000;

type Unfreeze = StatementOf<'unfreeze'>['content'];

/** Reuses an open statement for the same difference. Throws NotSignedError. */
export const proposeUnfreeze = (context: RequestContext, tx: Tx, content: Unfreeze): Promise<Proposal> =>
  withLogWriter(tx, context.services, async (log) =>
    openProposal(tx, context.services, log, signerOf(context), async () => {
      const statement = await openUnfreeze(context, tx, log.state(), content);
      await requireEligibleFor(context, tx, log.state(), statement);
      return statement;
    }),
  );

/** `missing`: signatures by others. Throws NotSignedError. */
export const signUnfreeze = (
  context: RequestContext,
  tx: Tx,
  content: Unfreeze,
  signature: GivenSignature | null,
): Promise<{ missing: number; isNew: boolean }> =>
  withLogWriter(tx, context.services, async (log) => {
    const { now } = context.services;
    const signer = signerOf(context);
    await enrollInDevelopment(tx, log, signer);
    const { freeze, difference } = content;
    if (log.state().accepted.get(freeze) === difference) return { missing: 0, isNew: false };
    const statement = signature
      ? await statementBy(tx, log.state(), signature.statement)
      : await openUnfreeze(context, tx, log.state(), content);
    if (!statement || !isFor(statement, content)) throw new NotSignedError('CHANGED');
    await requireEligibleFor(context, tx, log.state(), statement);
    const isNew = await signOpenStatement(tx, log, statement, signer, signature);
    const status = log.state().statements.get(canonicalHash(statement));
    return { missing: status ? remainingOf(log.state(), status, now()) : 0, isNew };
  });

const isFor = (statement: Statement, { freeze, difference }: Unfreeze): boolean =>
  statement.kind === 'unfreeze' && statement.content.freeze === freeze && statement.content.difference === difference;

async function openUnfreeze({ services }: RequestContext, tx: Tx, authority: Authority, content: Unfreeze): Promise<Statement> {
  const signed = [...authority.open.keys()].flatMap((hash) => authority.statements.get(hash)?.statement ?? []);
  const drafts = await tx
    .select()
    .from(authorityStatements)
    .where(and(isNull(authorityStatements.number), eq(authorityStatements.kind, 'unfreeze')));
  const known = [...drafts.map(statementOfDraft), ...signed].findLast(
    (one) => one.kind !== 'genesis' && isFor(one, content) && Date.parse(one.expires) > services.now(),
  );
  if (known && known.kind !== 'genesis') return known;
  return newStatementAt(services, authority, 'unfreeze', content, validMs);
}

const signerOf = (context: RequestContext) => {
  const { id: person, email: name } = requirePerson(context);
  return { person, name };
};
