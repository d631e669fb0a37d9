import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { formatBtc } from '../../api/money.ts';
import { refuseDoubt } from '../authority/shared/counting.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { countsForMoney, type Doubt } from '../platform/auth/rights/counts-for-money.ts';
import { stillHolding } from '../platform/auth/rights/still-holding.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import { failure } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { authorsOfOne } from './authors.ts';
import { openBlock, type Block } from './shared/blocks.ts';
import { countingOptions, missingBeside, type Counted } from './missing-signatures.ts';
import type { Deposit } from './rows.ts';
import { isNobodys } from './shared/nobodys.ts';
import { usedToday } from './shared/used-today.ts';

// What confirming asks for. How many, of which role, how much a day and how long it can be canceled say the rules in force of the
// authority log, as the signer reads them; here is what only the panel knows of people and deposits.

/** MONEY_REFUSED, with why. */
export const refuse = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
  failure('MONEY_REFUSED', { ...data, reason });

/** Throws MONEY_REFUSED unless who acts may put their name to this deposit at all, for its transaction alone: its row is locked. */
export async function requireAllowed(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
): Promise<{ evm: EvmConfig; authors: ReadonlySet<string> }> {
  const { config } = context.services;
  const { evm } = config;
  if (!evm) throw refuse('NO_CHAIN', { id: row.id });
  if (await isFrozen(tx)) throw refuse('FROZEN');
  const block = await openBlock(tx, row);
  if (block) throw refuseBlocked(row.id, block);
  if (isNobodys(row.userAddress, config)) throw refuse('RECEIVER', { id: row.id });
  const authors = await authorsOfOne(tx, row);
  if (authors.has(actorOf(context).id)) throw refuse('FOUR_EYES', { id: row.id });
  const doubt = await countsForMoney(tx, actorOf(context).id, countingOptions(context, authors));
  if (doubt) throw refuseFor(row.id, doubt);
  return { evm, authors };
}

/** How many more have to sign, now that who acts has. Throws MONEY_REFUSED where who acts does not count. `doubt`: of somebody else. */
export async function stillMissing(
  context: RequestContext,
  tx: Tx,
  row: Deposit,
  counted: Counted,
): Promise<{ missing: number; doubt: Doubt | undefined }> {
  const { id: actor } = actorOf(context);
  const { band, signers } = counted;
  const { missing, doubts } = await missingBeside(context, tx, counted, actor, (people) =>
    stillHolding(tx, context, people, 'deposits.confirm'),
  );
  const doubt = doubts.get(actor);
  if (doubt) throw refuseFor(row.id, doubt);
  if (!signers.some(({ person, isFit }) => isFit && person === actor))
    throw refuse('ROLE', { id: row.id, role: [band.role ?? ''] });
  return { missing, doubt: [...doubts.values()][0] };
}

/** Throws MONEY_REFUSED when this is more than its band has left of the day, under the lock of the log: two at once cannot both fit. */
export async function requireRoomToday({ services }: RequestContext, tx: Tx, row: Deposit, band: AuthorityBand): Promise<void> {
  if (band.perDay === null) return;
  const [used = 0n] = await usedToday(tx, [band], services.now());
  if (used + row.amount > BigInt(band.perDay))
    throw refuse('DAY_LIMIT', { id: row.id, limit: [formatBtc(BigInt(band.perDay))], used: [formatBtc(used)] });
}

/** MONEY_REFUSED for a deposit that the custodian rejected. */
export const refuseBlocked = (id: string, { reason }: Block) => refuse('BLOCKED', { id, said: [reason] });

/** MONEY_REFUSED for somebody who does not count. */
export const refuseFor = (id: string, doubt: Doubt) => refuseDoubt(doubt, { id });
