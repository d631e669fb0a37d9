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
 * signed. Throws AuthorityError `isDifferent` with the first different field.
 */
export function hashShownStatement(statement: Statement, shownStatement: ShownStatement, logPosition: LogPosition): string {
  const isDifferent = (field: string) =>
    new AuthorityError('differs', { field: tMaybe(`authority.field.${field}`) ?? tMaybe(`signing.field.${field}`) ?? field });
  if (statement.kind !== shownStatement.kind) throw isDifferent('kind');
  const { genesis, chainId, bridge } = logPosition;
  if (canonical(statement.log) !== canonical({ genesis, chainId, bridge })) throw isDifferent('genesis');
  const content = statement.content as Readonly<Record<string, unknown>>;
  for (const [field, value] of Object.entries(shownStatement.content))
    if (!(field in content) || canonical(content[field]) !== canonical(value)) throw isDifferent(fieldLabels[field] ?? field);
  if (statement.kind === 'mint.approve' || statement.kind === 'refund.approve')
    for (const field of ['chainId', 'network', 'token', 'bridge'] as const)
      if (field in content && canonical(content[field]) !== canonical(logPosition[field])) throw isDifferent(field);
  const hash = canonicalHash(statement);
  if (shownStatement.hash !== undefined && shownStatement.hash !== hash) throw isDifferent('hash');
  return hash;
}

/** Fields that the screen shows under another name. */
const fieldLabels: Readonly<Record<string, string>> = { satoshi: 'amount', txid: 'output', vout: 'output', key: 'publicKey' };
