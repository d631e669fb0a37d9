import type { DepositRow } from '../../../api/deposits/contract.ts';
import type { Proof } from '../../../api/authority/statements.ts';
import { ApiError, type Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { refusingMoney } from '../authority/shared/refusals.ts';
import { proofOf, signsAlone } from '../authority/shared/signing.ts';
import { only } from '../engine/define.ts';

/** The one deposit of a money command: version and fingerprint of what stood on screen. */
function seen(targets: readonly Target<'deposits'>[]) {
  const { id, version, row } = only(targets);
  return { id, version, hash: row.hash };
}

/** What of the statement stood on screen. */
const claimed = ({ network, txid, vout, amount, coboAddress, userAddress }: DepositRow) => ({
  network,
  txid,
  vout,
  satoshi: amount,
  custody: coboAddress,
  receiver: userAddress,
});

/**
 * The same with the person's own signature of what their yes is to, where they have a key of their own. The server puts it into
 * words; it is signed when these say just what stood on screen.
 */
export async function signedSeen(
  api: Api,
  targets: readonly Target<'deposits'>[],
): Promise<ReturnType<typeof seen> & { signed?: { statement: string; proof: Proof } }> {
  const asked = seen(targets);
  const log = await logOf(api);
  if (!log || !signsAlone(log.own)) return asked;
  const { statement, hash, keys } = await refusingMoney(api.deposits.propose(asked));
  const shown = { kind: 'mint.approve', content: claimed(only(targets).row), hash } as const;
  const proof = await proofOf(api, statement, shown, { genesis: log.genesis, keys });
  return proof ? { ...asked, signed: { statement: hash, proof } } : asked;
}

/** The log, where there is one and this person may look at it; the server says what is missing otherwise. */
async function logOf(api: Api) {
  try {
    return await api.authority.summary();
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'UNAVAILABLE' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}
