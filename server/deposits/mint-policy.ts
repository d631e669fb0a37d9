import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { formatBtc } from '../../api/money.ts';
import { ineligibleError } from '../authority/shared/eligible-signers.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { findIneligibility, type IneligibleSigner } from '../platform/auth/rights/counts-for-money.ts';
import { lockCurrentHolders } from '../platform/auth/rights/current-holders.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { readAuthorsOfDeposit } from './authors.ts';
import { readOpenBlock, type DepositBlockRow } from './shared/blocks.ts';
import { createCountingOptions, countMissingApprovals, type ApprovalCount } from './missing-signatures.ts';
import type { Deposit } from './rows.ts';
import { isUnownedAddress } from './shared/unowned-address.ts';
import { readUsedAmounts } from './shared/used-today.ts';

// The rules of the authority log decide how many people confirm. This file adds checks that only the panel can make, of people
// and deposits.

export const createMoneyRefusal = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
  createAppError('MONEY_REFUSED', { ...data, reason });

/** Locks the deposit. Throws MONEY_REFUSED if the caller must not sign it. */
export async function requireMintAllowed(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
): Promise<{ evm: EvmConfig; authors: ReadonlySet<string> }> {
  const { config } = context.services;
  const { evm } = config;
  if (!evm) throw createMoneyRefusal('NO_CHAIN', { id: row.id });
  if (await isFrozen(tx)) throw createMoneyRefusal('FROZEN');
  const block = await readOpenBlock(tx, row);
  if (block) throw createBlockedError(row.id, block);
  if (isUnownedAddress(row.userAddress, config)) throw createMoneyRefusal('RECEIVER', { id: row.id });
  const authors = await readAuthorsOfDeposit(tx, row);
  if (authors.has(requirePerson(context).id)) throw createMoneyRefusal('FOUR_EYES', { id: row.id });
  const ineligibleSigner = await findIneligibility(tx, requirePerson(context).id, createCountingOptions(context, authors));
  if (ineligibleSigner) throw createIneligibleError(row.id, ineligibleSigner);
  return { evm, authors };
}

/** Missing signatures after the caller's. Throws MONEY_REFUSED if the caller's does not count. `doubt`: another ineligible signer. */
export async function countMissingSignatures(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  approvalCount: ApprovalCount,
): Promise<{ missing: number; doubt: IneligibleSigner | undefined }> {
  const { id: actor } = requirePerson(context);
  const { band, signers } = approvalCount;
  const { missing, ineligible } = await countMissingApprovals(context, tx, approvalCount, actor, (signerIds) =>
    lockCurrentHolders(tx, context, signerIds, 'deposits.confirm'),
  );
  const ineligibleSigner = ineligible.get(actor);
  if (ineligibleSigner) throw createIneligibleError(row.id, ineligibleSigner);
  if (!signers.some(({ person, isEligible }) => isEligible && person === actor))
    throw createMoneyRefusal('ROLE', { id: row.id, role: [band.role ?? ''] });
  return { missing, doubt: [...ineligible.values()][0] };
}

/** Throws MONEY_REFUSED above the daily limit. The lock of the log keeps two confirmations from both using the rest. */
export async function requireDailyAllowance(
  { services }: RequestContext,
  tx: Tx,
  row: Deposit,
  band: AuthorityBand,
): Promise<void> {
  if (band.perDay === null) return;
  const [usedAmount = 0n] = await readUsedAmounts(tx, [band], services.now());
  if (usedAmount + row.amount > BigInt(band.perDay))
    throw createMoneyRefusal('DAY_LIMIT', { id: row.id, limit: [formatBtc(BigInt(band.perDay))], used: [formatBtc(usedAmount)] });
}

export const createBlockedError = (id: string, { reason }: DepositBlockRow) =>
  createMoneyRefusal('BLOCKED', { id, said: [reason] });

export const createIneligibleError = (id: string, ineligibleSigner: IneligibleSigner) =>
  ineligibleError(ineligibleSigner, { id });
