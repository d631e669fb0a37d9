import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import type { SignatureInput, LogPosition, Proposal } from '../../../../api/authority/signing.ts';
import type { AuthorityKey, Proof, Statement } from '../../../../api/authority/statements.ts';
import type { ShownStatement } from '../../../lib/authority/differences.ts';
import { AuthorityError } from '../../../lib/authority/problem.ts';
import type { Api } from '../../../lib/net/client.ts';
import { CommandError } from '../../engine/command-error.ts';
import { withWallet } from '../../custody/shared/wallet-problem.ts';

/** False only for the software key that a demo keeps. */
export const canSignAlone = (keys: readonly AuthorityKey[]): boolean => keys.some(({ type }) => type !== 'software');

/** Recomputes the hash of the pinned genesis and compares it with the log's. */
export async function readLogPosition(api: Api, { genesis }: Pick<AuthoritySummary, 'genesis'>): Promise<LogPosition> {
  const [[row], { canonicalHash }] = await Promise.all([
    api.authority.many({ ids: [genesis] }),
    import('../../../../api/authority/canonical.ts'),
  ]);
  if (row?.statement.kind !== 'genesis' || canonicalHash(row.statement) !== genesis)
    throw new AuthorityError('differs', { field: 'genesis' });
  return { ...row.statement.content, genesis };
}

/** Undefined: the server keeps the key. */
export async function createProof(
  statement: Statement,
  displayedStatement: ShownStatement,
  { keys, place }: { keys: readonly AuthorityKey[]; place: LogPosition },
): Promise<Proof | undefined> {
  const { signWithKey } = await import('../../../lib/authority/sign.ts');
  return signWithKey(statement, displayedStatement, keys, place);
}

/** Signs only if the proposal equals what the person saw. */
export async function withSignature<T extends object>(
  input: T,
  proposal: Proposal,
  displayedStatement: Omit<ShownStatement, 'hash'>,
): Promise<T & { signed?: SignatureInput }> {
  if (!proposal) return input;
  const { statement, hash } = proposal;
  const proof = await createProof(statement, { ...displayedStatement, hash }, proposal);
  return proof ? { ...input, signed: { statement: hash, proof } } : input;
}

export const withSigningKey = <T>(operation: () => Promise<T>): Promise<T> =>
  withWallet(async () => {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof AuthorityError)) throw error;
      const refusal = new CommandError('BLOCKED', `not signed: ${error.code}`, [], `authority.problem.${error.code}`);
      throw Object.assign(refusal, { values: error.values });
    }
  });
