import { hashOf } from '../../../api/authority/canonical.ts';
import type { Given, Proposal } from '../../../api/authority/signing.ts';
import type { StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { enrolInDevelopment } from '../development.ts';
import { neededBy, rulesAt, type Standing } from '../replay.ts';
import type { Draft } from '../store.ts';
import { draft, proposing, sign, type Signer } from './signing.ts';

/** How long the lifting of a freeze can be signed. */
const expiresMs = 7 * 86_400_000;

type Unfreeze = StatementOf<'unfreeze'>['content'];

/** The same for lifting a freeze of the ledger: the statement that is open for just this difference, or a new one. */
export const proposeUnfreeze = (tx: Tx, services: Services, content: Unfreeze, signer: Signer): Promise<Proposal> =>
  draft(tx, services, (log) => proposing(log, signer, () => openUnfreeze(log, content, signer, services.now())));

/** Signs that a freeze of the ledger is lifted. `missing`: how many more have to sign. Throws NotSignedError. */
export const signUnfreeze = (
  tx: Tx,
  services: Services,
  content: Unfreeze,
  signer: Signer,
  given: Given | null,
): Promise<{ missing: number; isNew: boolean }> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(tx, log, signer);
    const { freeze, difference } = content;
    if (log.state().accepted.get(freeze) === difference) return { missing: 0, isNew: false };
    const statement = await openUnfreeze(log, content, signer, services.now());
    const isNew = await sign(log, statement, signer, given);
    const standing = log.state().statements.get(hashOf(statement));
    const needed = neededBy(statement, rulesAt(log.state().policies, services.now()).policy);
    return { missing: standing?.passedAt === null ? needed - standing.signed.size : 0, isNew };
  });

async function openUnfreeze(
  { state, add }: Draft,
  content: Unfreeze,
  { person, name }: Signer,
  now: number,
): Promise<StatementOf<'unfreeze'>> {
  const isOpen = ({ statement, passedAt }: Standing): boolean =>
    statement.kind === 'unfreeze' &&
    passedAt === null &&
    statement.content.freeze === content.freeze &&
    statement.content.difference === content.difference &&
    Date.parse(statement.expires) > now;
  const known = [...state().statements.values()].findLast(isOpen)?.statement;
  if (known?.kind === 'unfreeze') return known;
  const expires = new Date(now + expiresMs).toISOString();
  return (await add({ kind: 'unfreeze', by: { person, name }, expires, content })) as StatementOf<'unfreeze'>;
}
