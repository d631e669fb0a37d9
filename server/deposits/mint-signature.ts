import type { SignatureInput } from '../../api/authority/signing.ts';
import {
  proposeCancellation,
  proposeMint,
  proposeRevocation,
  signCancellation,
  signMint,
  signRevocation,
  type CancellationResult,
  type DepositClaim,
} from '../authority/shared/mint-approval.ts';
import { findIneligibleSigner, requireEligibleSigners } from '../authority/shared/eligible-signers.ts';
import { NotSignedError } from '../authority/shared/signing.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Config } from '../platform/core/config.ts';
import type { Tx } from '../platform/db/db.ts';
import { createMoneyRefusal } from './mint-policy.ts';
import { deploymentOf } from '../mints/deployment.ts';
import type { Deposit } from './rows.ts';

/** Names the authors, so that the signer can refuse their signatures too. */
export function createMintClaim({ evm }: Config, row: Deposit, authors: ReadonlySet<string>): DepositClaim | null {
  if (!evm) return null;
  const { network, txid, vout, amount, coboAddress, userAddress } = row;
  return {
    network,
    txid,
    vout,
    satoshi: amount.toString(),
    custody: coboAddress,
    receiver: userAddress,
    ...deploymentOf(evm),
    authors: [...authors].toSorted(),
  };
}

/** Null: the server signs for the caller. Throws MONEY_REFUSED. */
export const proposeDeposit = (context: RequestContext, tx: Tx, row: Deposit, authors: ReadonlySet<string>) =>
  withSigningErrors(
    row.id,
    proposeMint(tx, context.services, requireMintClaim(context, row, authors), row.statement, signerFromContext(context)),
  );

export const signDeposit = (
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  authors: ReadonlySet<string>,
  signature: SignatureInput | null,
) =>
  withSigningErrors(
    row.id,
    signMint(tx, context.services, requireMintClaim(context, row, authors), row.statement, signerFromContext(context), signature),
  );

/** Cancels the signed statement in the log and returns what must still be signed. */
export async function cancelDeposit(context: RequestContext, tx: Tx, row: Deposit, reason: string): Promise<CancellationResult> {
  const emptyCancellation = { proposal: null, waits: false };
  if (!context.services.config.evm) return emptyCancellation;
  try {
    const ineligibleSigner = await findIneligibleSigner(context, tx, { signers: [], coSigners: [] });
    return await proposeCancellation(tx, context.services, row, signerFromContext(context), {
      reason,
      maySign: ineligibleSigner === null,
    });
  } catch (error) {
    // Without a matching log the mint must still be canceled in the ledger.
    if (!(error instanceof NotSignedError)) throw error;
    context.log.warn({ deposit: row.id, reason: error.reason }, 'mint canceled in the ledger but not in the authority log');
    return emptyCancellation;
  }
}

export async function signCanceled(context: RequestContext, tx: Tx, row: Deposit, signature: SignatureInput) {
  await requireEligibleSigners(context, tx, { signers: [], coSigners: [] });
  return withSigningErrors(row.id, signCancellation(tx, context.services, row, signerFromContext(context), signature));
}

const approvalOf = ({ network, txid, vout, statement, amount }: Deposit) => ({ network, txid, vout, statement, satoshi: amount });

/** Null: the server signs for the caller. Throws MONEY_REFUSED. */
export async function proposeSignatureRevocation(context: RequestContext, tx: Tx, row: Deposit, reason: string) {
  await requireEligibleSigners(context, tx, { signers: [], coSigners: [] });
  return withSigningErrors(row.id, proposeRevocation(tx, context.services, approvalOf(row), signerFromContext(context), reason));
}

/** Throws MONEY_REFUSED. */
export async function revokeDepositSignature(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  { reason, signature }: { readonly reason: string; readonly signature: SignatureInput | null },
) {
  await requireEligibleSigners(context, tx, { signers: [], coSigners: [] });
  return withSigningErrors(
    row.id,
    signRevocation(tx, context.services, approvalOf(row), signerFromContext(context), { reason, signature }),
  );
}

const signerFromContext = (context: RequestContext) => {
  const { id: person, email: name } = requirePerson(context);
  return { person, name };
};

function requireMintClaim({ services }: RequestContext, row: Deposit, authors: ReadonlySet<string>): DepositClaim {
  const claim = createMintClaim(services.config, row, authors);
  if (!claim) throw createMoneyRefusal('NO_CHAIN', { id: row.id });
  return claim;
}

async function withSigningErrors<T>(id: string, signing: Promise<T>): Promise<T> {
  try {
    return await signing;
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    throw createMoneyRefusal(error.reason, { id, ...(error.problem !== null && { problem: [error.problem] }) });
  }
}
