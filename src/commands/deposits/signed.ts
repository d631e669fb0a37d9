import type { DepositRow } from '../../../api/deposits/contract.ts';
import type { Given } from '../../../api/authority/signing.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { refusingMoney } from '../authority/shared/refusals.ts';
import { withSignature } from '../authority/shared/signing.ts';
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

/** The same with the person's own signature of what their yes is to, where they have a key of their own. */
export async function signedSeen(
  api: Api,
  targets: readonly Target<'deposits'>[],
): Promise<ReturnType<typeof seen> & { signed?: Given }> {
  const asked = seen(targets);
  const proposal = await refusingMoney(api.deposits.propose(asked));
  return withSignature(asked, proposal, { kind: 'mint.approve', content: claimed(only(targets).row) });
}
