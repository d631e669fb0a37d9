import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { formatBtc } from '../../api/money.ts';
import { ineligibleError } from '../authority/shared/eligible-signers.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { countsForMoney, type IneligibleSigner } from '../platform/auth/rights/counts-for-money.ts';
import { currentHolders } from '../platform/auth/rights/current-holders.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { appError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { authorsOfDeposit } from './authors.ts';
import { openBlock, type DepositBlockRow } from './shared/blocks.ts';
import { countingOptions, countMissing, type ApprovalCount } from './missing-signatures.ts';
import type { Deposit } from './rows.ts';
import { isUnownedAddress } from './shared/unowned-address.ts';
import { usedToday } from './shared/used-today.ts';

// The rules of the authority log decide how many people confirm. This file adds checks that only the panel can make, of people
// and deposits.

export const moneyRefusal = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
  appError('MONEY_REFUSED', { ...data, reason });

/** Locks the deposit. Throws MONEY_REFUSED if the caller must not sign it. */
export async function requireAllowed(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
): Promise<{ evm: EvmConfig; authors: ReadonlySet<string> }> {
  const { config } = context.services;
  const { evm } = config;
  if (!evm) throw moneyRefusal('NO_CHAIN', { id: row.id });
  if (await isFrozen(tx)) throw moneyRefusal('FROZEN');
  const block = await openBlock(tx, row);
  if (block) throw blockedError(row.id, block);
  if (isUnownedAddress(row.userAddress, config)) throw moneyRefusal('RECEIVER', { id: row.id });
  const authors = await authorsOfDeposit(tx, row);
  if (authors.has(requirePerson(context).id)) throw moneyRefusal('FOUR_EYES', { id: row.id });
  const doubt = await countsForMoney(tx, requirePerson(context).id, countingOptions(context, authors));
  if (doubt) throw ineligibleErrorFor(row.id, doubt);
  return { evm, authors };
}

/** Missing signatures after the caller's. Throws MONEY_REFUSED if the caller's does not count. `doubt`: about another signer. */
export async function missingSignatures(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  counted: ApprovalCount,
): Promise<{ missing: number; doubt: IneligibleSigner | undefined }> {
  const { id: actor } = requirePerson(context);
  const { band, signers } = counted;
  const { missing, ineligible } = await countMissing(context, tx, counted, actor, (people) =>
    currentHolders(tx, context, people, 'deposits.confirm'),
  );
  const doubt = ineligible.get(actor);
  if (doubt) throw ineligibleErrorFor(row.id, doubt);
  if (!signers.some(({ person, isEligible }) => isEligible && person === actor))
    throw moneyRefusal('ROLE', { id: row.id, role: [band.role ?? ''] });
  return { missing, doubt: [...ineligible.values()][0] };
}

/** Throws MONEY_REFUSED above the daily limit. The lock of the log keeps two confirmations from both using the rest. */
export async function requireRoomToday({ services }: RequestContext, tx: Tx, row: Deposit, band: AuthorityBand): Promise<void> {
  if (band.perDay === null) return;
  const [used = 0n] = await usedToday(tx, [band], services.now());
  if (used + row.amount > BigInt(band.perDay))
    throw moneyRefusal('DAY_LIMIT', { id: row.id, limit: [formatBtc(BigInt(band.perDay))], used: [formatBtc(used)] });
}

export const blockedError = (id: string, { reason }: DepositBlockRow) => moneyRefusal('BLOCKED', { id, said: [reason] });

export const ineligibleErrorFor = (id: string, doubt: IneligibleSigner) => ineligibleError(doubt, { id });
