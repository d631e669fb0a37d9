import type { AccountChangeKind } from '../../../api/access/account-changes.ts';
import { accountChanges } from './tables.ts';
import { buildBilingualMail } from '../content/bilingual-mail.ts';
import { queueMail } from '../content/mail.ts';
import { personOf, type RequestContext } from '../services/context.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { formatTime } from '../core/wording.ts';
import { moneyAccountChanges, moneyAccountMail } from './mail-texts.ts';
import { readMoneyHolders, type MoneyHolder } from './rights/money-rights.ts';

export type AccountChange = AccountChangeKind;

const noHolders: ReadonlyMap<string, MoneyHolder> = new Map();

/**
 * In the change's transaction. The accounts cool down and never count beside the actor (counts-for-money.ts). Mails money holders
 * if one of them holds, or held, a money permission.
 */
export async function recordAccountChange(
  tx: Tx,
  context: RequestContext,
  ids: readonly string[],
  changeKind: AccountChange,
  previousHolders: ReadonlyMap<string, MoneyHolder> = noHolders,
): Promise<void> {
  if (ids.length === 0) return;
  const createdAt = new Date(context.services.now());
  const changedBy = personOf(context)?.id ?? null;
  const byIdp = context.provisioner !== undefined;
  await tx
    .insert(accountChanges)
    .values(ids.map((administratorId) => ({ id: newId(), administratorId, changedBy, byIdp, what: changeKind, createdAt })));
  const holders = await readMoneyHolders(tx);
  const emails = ids.flatMap((id) => (holders.get(id) ?? previousHolders.get(id))?.email ?? []);
  if (emails.length > 0) await notifyHolders(tx, context, holders, emails, changeKind);
}

/** As a change of the account by the colleague whose enrollment code it used. */
export async function recordVouching(
  tx: Tx,
  context: RequestContext,
  administratorId: string,
  voucher: { id: string; email: string },
): Promise<void> {
  const createdAt = new Date(context.services.now());
  await tx
    .insert(accountChanges)
    .values({ id: newId(), administratorId, changedBy: voucher.id, what: 'factor', byEnrollmentCode: true, createdAt });
  const holders = await readMoneyHolders(tx);
  const email = holders.get(administratorId)?.email;
  if (email !== undefined) await notifyHolders(tx, context, holders, [email], 'vouching', voucher.email);
}

/** Shown to signers of an enrollment. No cooling time. */
export async function recordChangeOfOwnAccount(
  tx: Tx,
  context: RequestContext,
  id: string,
  changeKind: AccountChange,
): Promise<void> {
  const createdAt = new Date(context.services.now());
  await tx.insert(accountChanges).values({ id: newId(), administratorId: id, changedBy: id, what: changeKind, createdAt });
}

/** For permissions gained since `previousHolders`. */
export async function recordRightsGained(
  tx: Tx,
  context: RequestContext,
  previousHolders: ReadonlyMap<string, MoneyHolder>,
): Promise<void> {
  const newRights = [...(await readMoneyHolders(tx))].flatMap(([id, { rights }]) =>
    [...rights].every((right) => previousHolders.get(id)?.rights.has(right)) ? [] : id,
  );
  await recordAccountChange(tx, context, newRights, 'rights', previousHolders);
}

async function notifyHolders(
  tx: Tx,
  context: RequestContext,
  holders: ReadonlyMap<string, MoneyHolder>,
  emails: readonly string[],
  changeKind: keyof typeof moneyAccountChanges,
  by = context.actor?.email ?? context.provisioner?.email ?? context.ip,
): Promise<void> {
  const { config, now } = context.services;
  const currentTime = new Date(now());
  const mailMessage = buildBilingualMail(moneyAccountMail, (language) => ({
    by,
    what: moneyAccountChanges[changeKind][language],
    accounts: emails.join('\n'),
    time: formatTime(currentTime, language, config.timeZone),
    ip: context.ip,
    hours: config.moneyCoolingMs / hourMs,
    url: `${config.publicUrl}/permissions/administrator`,
  }));
  for (const { email } of holders.values()) await queueMail(tx, currentTime, { to: email, ...mailMessage });
}

const hourMs = 3_600_000;
