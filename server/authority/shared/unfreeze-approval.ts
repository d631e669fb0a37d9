import { and, eq, isNull } from 'drizzle-orm';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { SignatureInput, Proposal } from '../../../api/authority/signing.ts';
import type { Statement, StatementOf } from '../../../api/authority/statements.ts';
import { requirePerson, type RequestContext } from '../../platform/services/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { enrollInDevelopment } from '../development.ts';
import { findStatement, parseDraftStatement } from '../drafts.ts';
import { countRemainingSignatures } from '../remaining-signatures.ts';
import { authorityStatements } from '../tables.ts';
import { requireEligibleStatementSigners } from './eligible-signers.ts';
import { withLogWriter, NotSignedError, openProposal, signOpenStatement, newStatementAt } from './signing.ts';

const validityMs = 7 * 86_400_000;

type UnfreezeContent = StatementOf<'unfreeze'>['content'];

/** Reuses an open statement for the same difference. Throws NotSignedError. */
export const proposeUnfreeze = (context: RequestContext, tx: Tx, content: UnfreezeContent): Promise<Proposal> =>
  withLogWriter(tx, context.services, async (log) =>
    openProposal(tx, context.services, log, signerFromContext(context), async () => {
      const statement = await findOrCreateUnfreeze(context, tx, log.state(), content);
      await requireEligibleStatementSigners(context, tx, log.state(), statement);
      return statement;
    }),
  );

/** `missing`: signatures by others. Throws NotSignedError. */
export const signUnfreeze = (
  context: RequestContext,
  tx: Tx,
  content: UnfreezeContent,
  signature: SignatureInput | null,
): Promise<{ missing: number; isNew: boolean }> =>
  withLogWriter(tx, context.services, async (log) => {
    const { now } = context.services;
    const signer = signerFromContext(context);
    await enrollInDevelopment(tx, log, signer);
    const { freeze, difference } = content;
    if (log.state().accepted.get(freeze) === difference) return { missing: 0, isNew: false };
    const statement = signature
      ? await findStatement(tx, log.state(), signature.statement)
      : await findOrCreateUnfreeze(context, tx, log.state(), content);
    if (!statement || !isUnfreezeOf(statement, content)) throw new NotSignedError('CHANGED');
    await requireEligibleStatementSigners(context, tx, log.state(), statement);
    const isNew = await signOpenStatement(tx, log, statement, signer, signature);
    const status = log.state().statements.get(canonicalHash(statement));
    return { missing: status ? countRemainingSignatures(log.state(), status, now()) : 0, isNew };
  });

const isUnfreezeOf = (statement: Statement, { freeze, difference }: UnfreezeContent): boolean =>
  statement.kind === 'unfreeze' && statement.content.freeze === freeze && statement.content.difference === difference;

async function findOrCreateUnfreeze(
  { services }: RequestContext,
  tx: Tx,
  authority: Authority,
  content: UnfreezeContent,
): Promise<Statement> {
  const loggedStatements = [...authority.open.keys()].flatMap((hash) => authority.statements.get(hash)?.statement ?? []);
  const drafts = await tx
    .select()
    .from(authorityStatements)
    .where(and(isNull(authorityStatements.number), eq(authorityStatements.kind, 'unfreeze')));
  const openStatement = [...drafts.map(parseDraftStatement), ...loggedStatements].findLast(
    (statement) =>
      statement.kind !== 'genesis' && isUnfreezeOf(statement, content) && Date.parse(statement.expires) > services.now(),
  );
  if (openStatement && openStatement.kind !== 'genesis') return openStatement;
  return newStatementAt(services, authority, 'unfreeze', content, validityMs);
}

const signerFromContext = (context: RequestContext) => {
  const { id: person, email: name } = requirePerson(context);
  return { person, name };
};
