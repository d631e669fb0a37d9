import type { Given } from '../../../api/authority/signing.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { refusingMoney } from '../authority/shared/refusals.ts';
import { withSignature } from '../authority/shared/signing.ts';
import { itemOf, type Seen } from '../engine/define.ts';

/** What of the statement stood on screen. */
const shownOf = ({ txid, amount, address, receiver }: WithdrawalRow) => ({
  txid,
  satoshi: amount,
  account: address,
  payout: receiver,
});

/** The withdrawal as it was seen, with the person's own signature of its refund where they have a key of their own. */
export async function signedSeen(api: Api, target: Target<'withdrawals'>): Promise<Seen & { signed?: Given }> {
  const seen = itemOf(target);
  const proposal = await refusingMoney(api.withdrawals.propose(seen), 'withdrawals');
  return withSignature(seen, proposal, { kind: 'refund.approve', content: shownOf(target.row) });
}
