import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import type { AuthorityKey, Proof, Statement } from '../../../../api/authority/statements.ts';
import type { LogPlace, Shown } from '../../../lib/authority/differences.ts';
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
  return row.statement.content;
}

/** A person's signature of a statement by their own key; undefined where the server has the key. */
export async function proofOf(
  api: Api,
  statement: Statement,
  shown: Shown,
  { genesis, keys }: { genesis: string; keys: readonly AuthorityKey[] },
): Promise<Proof | undefined> {
  const [{ signStatement }, place] = await Promise.all([import('../../../lib/authority/sign.ts'), placeOfLog(api, { genesis })]);
  return signStatement(statement, shown, keys, place);
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
