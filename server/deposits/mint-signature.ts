import type { GivenSignature } from '../../api/authority/signing.ts';
import {
  appendCancellation,
  proposeMint,
  signCancellation,
  signMint,
  type CancellationResult,
  type DepositClaim,
} from '../authority/shared/mint-approval.ts';
import { ineligibleSignerOf, requireEligible } from '../authority/shared/eligible-signers.ts';
import { NotSignedError } from '../authority/shared/signing.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Config } from '../platform/core/config.ts';
import type { Tx } from '../platform/db/db.ts';
import { moneyRefusal } from './mint-policy.ts';
import { deploymentOf } from '../mints/deployment.ts';
import type { Deposit } from './rows.ts';

/** Names the authors, so that the signer can refuse their signatures too. */
export function claimOf({ evm }: Config, row: Deposit, authors: ReadonlySet<string>): DepositClaim | null {
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
  withSigningRefusal(
    row.id,
    proposeMint(tx, context.services, claimOrRefuse(context, row, authors), row.statement, signerOf(context)),
  );

export const signDeposit = (
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  authors: ReadonlySet<string>,
  signature: GivenSignature | null,
) =>
  withSigningRefusal(
    row.id,
    signMint(tx, context.services, claimOrRefuse(context, row, authors), row.statement, signerOf(context), signature),
  );

/** Cancels the signed statement in the log and returns what must still be signed. */
export async function cancelDeposit(context: RequestContext, tx: Tx, row: Deposit, reason: string): Promise<CancellationResult> {
  const nothing = { proposal: null, waits: false };
  if (!context.services.config.evm) return nothing;
  try {
    const ineligible = await ineligibleSignerOf(context, tx, { signers: [], coSigners: [] });
    return await appendCancellation(tx, context.services, row, signerOf(context), { reason, maySign: ineligible === null });
  } catch (error) {
    // Without a matching log the mint must still be canceled in the ledger.
    if (!(error instanceof NotSignedError)) throw error;
    context.log.warn({ deposit: row.id, reason: error.reason }, 'mint canceled in the ledger but not in the authority log');
    return nothing;
  }
}

export async function signCanceled(context: RequestContext, tx: Tx, row: Deposit, signature: GivenSignature) {
  await requireEligible(context, tx, { signers: [], coSigners: [] });
  return withSigningRefusal(row.id, signCancellation(tx, context.services, row, signerOf(context), signature));
}

const signerOf = (context: RequestContext) => {
  const { id: person, email: name } = requirePerson(context);
  return { person, name };
};

function claimOrRefuse({ services }: RequestContext, row: Deposit, authors: ReadonlySet<string>): DepositClaim {
  const claim = claimOf(services.config, row, authors);
  if (!claim) throw moneyRefusal('NO_CHAIN', { id: row.id });
  return claim;
}

async function withSigningRefusal<T>(id: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    throw moneyRefusal(error.reason, { id, ...(error.problem !== null && { problem: [error.problem] }) });
  }
}
