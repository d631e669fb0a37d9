import { canonical, canonicalHash } from '../../../api/authority/canonical.ts';
import type { LogPosition } from '../../../api/authority/signing.ts';
import type { Statement } from '../../../api/authority/statements.ts';
import { tMaybe } from '../i18n/i18n.ts';
import { AuthorityError } from './problem.ts';

/** The kind of a statement and the fields the person saw. */
export interface ShownStatement {
  readonly kind: Statement['kind'];
  readonly content: Readonly<Record<string, unknown>>;
  readonly hash?: string;
}

/**
 * Hashes the statement here, after checking every displayed field, so that a dishonest server cannot get another statement
 * signed. Throws AuthorityError `differs` with the first different field.
 */
export function hashOfShown(statement: Statement, shown: ShownStatement, place: LogPosition): string {
  const differs = (field: string) =>
    new AuthorityError('differs', { field: tMaybe(`authority.field.${field}`) ?? tMaybe(`signing.field.${field}`) ?? field });
  if (statement.kind !== shown.kind) throw differs('kind');
  const { genesis, chainId, bridge } = place;
  if (canonical(statement.log) !== canonical({ genesis, chainId, bridge })) throw differs('genesis');
  const content = statement.content as Readonly<Record<string, unknown>>;
  for (const [field, value] of Object.entries(shown.content))
    if (!(field in content) || canonical(content[field]) !== canonical(value)) throw differs(labels[field] ?? field);
  if (statement.kind === 'mint.approve' || statement.kind === 'refund.approve')
    for (const field of ['chainId', 'network', 'token', 'bridge'] as const)
      if (field in content && canonical(content[field]) !== canonical(place[field])) throw differs(field);
  const hash = canonicalHash(statement);
  if (shown.hash !== undefined && shown.hash !== hash) throw differs('hash');
  return hash;
}

/** Fields that the screen shows under another name. */
const labels: Readonly<Record<string, string>> = { satoshi: 'amount', txid: 'output', vout: 'output', key: 'publicKey' };
