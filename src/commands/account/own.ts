import type { OwnAccount } from '../../../api/account/contract.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import type { Api } from '../../lib/net/client.ts';
import { readShown } from '../../lib/net/query.ts';
import { blockedBecause, type BlockReason, type Consequences } from '../engine/define.ts';

type ProblemOf = (own: OwnAccount) => TextKey | null;

const readOwn = () => readShown<OwnAccount>(['account']);

/**
 * Blocks a command that the person's own account rules out. The reason is known while the account is
 * on screen. Elsewhere the question reads the account.
 */
export const unlessOwn = (problemOf: ProblemOf) => ({
  when: (): true | BlockReason => {
    const own = readOwn();
    const reason = own === undefined ? null : problemOf(own);
    return reason === null || blockedBecause(reason);
  },
  consequences: async ({ api }: { api: Api }): Promise<Consequences> => {
    const reason = problemOf(readOwn() ?? (await api.account.get()));
    return { lines: [], ...(reason !== null && { blocked: t(reason) }) };
  },
});
