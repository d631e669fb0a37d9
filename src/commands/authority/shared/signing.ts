import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import type { Given, LogPlace, Proposal } from '../../../../api/authority/signing.ts';
import type { AuthorityKey, Proof, Statement } from '../../../../api/authority/statements.ts';
import type { Shown } from '../../../lib/authority/differences.ts';
import { AuthorityError } from '../../../lib/authority/problem.ts';
import type { Api } from '../../../lib/net/client.ts';
import { CommandError } from '../../engine/command-error.ts';
import { withWallet } from '../../custody/shared/wallet-problem.ts';

/** Whether somebody signs by themselves: with anything but the software key that a demo keeps for them. */
export const signsAlone = (keys: readonly AuthorityKey[]): boolean => keys.some(({ type }) => type !== 'software');

/** What the pinned genesis says of the chain and of passkeys; computed anew, and compared with the hash the log goes by. */
export async function placeOfLog(api: Api, { genesis }: Pick<AuthoritySummary, 'genesis'>): Promise<LogPlace> {
  const [[row], { hashOf }] = await Promise.all([
    api.authority.many({ ids: [genesis] }),
    import('../../../../api/authority/canonical.ts'),
  ]);
  if (row?.statement.kind !== 'genesis' || hashOf(row.statement) !== genesis)
    throw new AuthorityError('differs', { field: 'genesis' });
  return { ...row.statement.content, genesis };
}

/** A person's signature of a statement by their own key; undefined where the server has the key. */
export async function proofOf(
  statement: Statement,
  shown: Shown,
  { keys, place }: { keys: readonly AuthorityKey[]; place: LogPlace },
): Promise<Proof | undefined> {
  const { signStatement } = await import('../../../lib/authority/sign.ts');
  return signStatement(statement, shown, keys, place);
}

/** What is asked of the server, with the person's signature of what it proposed: once that says just what stood on screen. */
export async function withSignature<T extends object>(
  asked: T,
  proposal: Proposal,
  shown: Omit<Shown, 'hash'>,
): Promise<T & { signed?: Given }> {
  if (!proposal) return asked;
  const { statement, hash } = proposal;
  const proof = await proofOf(statement, { ...shown, hash }, proposal);
  return proof ? { ...asked, signed: { statement: hash, proof } } : asked;
}

/** Runs what a person's key takes part in: why nothing was signed is said in plain words. */
export const withKey = <T>(act: () => Promise<T>): Promise<T> =>
  withWallet(async () => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AuthorityError)) throw error;
      const refused = new CommandError('BLOCKED', `not signed: ${error.code}`, [], `authority.problem.${error.code}`);
      throw Object.assign(refused, { values: error.values });
    }
  });
