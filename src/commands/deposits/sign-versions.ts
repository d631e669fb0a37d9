import type { DepositRow } from '../../../api/deposits/contract.ts';
import type { SignatureInput } from '../../../api/authority/signing.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { withMoneyRefusal } from '../authority/shared/refusals.ts';
import { withSignature } from '../authority/shared/signing.ts';
import { isSigningDeclined } from '../../lib/authority/problem.ts';
import { firstOf } from '../engine/define.ts';

/** Version and fingerprint of what the person saw. */
function versionsOf(targets: readonly Target<'deposits'>[]) {
  const { id, version, row } = firstOf(targets);
  return { id, version, hash: row.hash };
}

const mintClaimOf = ({ network, txid, vout, amount, coboAddress, userAddress }: DepositRow) => ({
  network,
  txid,
  vout,
  satoshi: amount,
  custody: coboAddress,
  receiver: userAddress,
});

/** Adds the person's signature where they have their own key. */
export async function signMintApprovals(
  api: Api,
  targets: readonly Target<'deposits'>[],
): Promise<ReturnType<typeof versionsOf> & { signed?: SignatureInput }> {
  const versions = versionsOf(targets);
  const proposal = await withMoneyRefusal(api.deposits.propose(versions));
  return withSignature(versions, proposal, { kind: 'mint.approve', content: mintClaimOf(firstOf(targets).row) });
}

/** What `deposits.revokeSignature` needs, with the person's signature where they have their own key. */
export async function signSignatureRevocation(
  api: Api,
  targets: readonly Target<'deposits'>[],
  reason: string,
): Promise<{ id: string; version: number; reason: string; signed?: SignatureInput }> {
  const { id, version, row } = firstOf(targets);
  const { network, txid, vout } = row;
  const input = { id, version, reason };
  const proposal = await withMoneyRefusal(api.deposits.proposeRevocation(input));
  return withSignature(input, proposal, { kind: 'mint.cancel', content: { network, txid, vout, reason } });
}

/**
 * The mint is canceled even without a signature. `isSigned` false: the log waits for an approver.
 */
export async function cancelWithSignature(
  api: Api,
  targets: readonly Target<'deposits'>[],
  reason: string,
): Promise<{ row: DepositRow; isSigned: boolean }> {
  const { id, version, row: displayedRow } = firstOf(targets);
  const { proposal, waits, ...row } = await withMoneyRefusal(api.deposits.cancelMint({ id, version, reason }));
  const { network, txid, vout } = displayedRow;
  try {
    const { signed } = await withSignature<{ signed?: SignatureInput }>({}, proposal, {
      kind: 'mint.cancel',
      content: { network, txid, vout, reason },
    });
    return signed
      ? { row: await withMoneyRefusal(api.deposits.signCancel({ id, signed })), isSigned: true }
      : { row, isSigned: !waits };
  } catch (error) {
    if (isSigningDeclined(error)) return { row, isSigned: false };
    throw error;
  }
}
