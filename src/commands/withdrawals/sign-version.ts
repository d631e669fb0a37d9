import type { SignatureInput } from '../../../api/authority/signing.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { withMoneyRefusal } from '../authority/shared/refusals.ts';
import { withSignature } from '../authority/shared/signing.ts';
import { toItemVersion, type ItemVersion } from '../engine/define.ts';

const toShownStatement = ({ txid, amount, address, receiver }: WithdrawalRow) => ({
  txid,
  satoshi: amount,
  account: address,
  payout: receiver,
});

/** Adds the person's signature where they have their own key. */
export async function signRefundVersion(
  api: Api,
  target: Target<'withdrawals'>,
): Promise<ItemVersion & { signed?: SignatureInput }> {
  const itemVersion = toItemVersion(target);
  const proposal = await withMoneyRefusal(api.withdrawals.propose(itemVersion), 'withdrawals');
  return withSignature(itemVersion, proposal, { kind: 'refund.approve', content: toShownStatement(target.row) });
}
