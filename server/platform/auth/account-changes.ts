import type { AccountChangeKind } from '../../../api/access/account-changes.ts';
import { accountChanges } from './tables.ts';
import { bilingualMail } from '../content/bilingual-mail.ts';
import { queueMail } from '../content/mail.ts';
import { personOf, type RequestContext } from '../services/context.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { formatTime } from '../core/wording.ts';
import { moneyAccountChanges, moneyAccountMail } from './mail-texts.ts';
import { moneyHolders, type MoneyHolder } from './rights/money-rights.ts';

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
  what: AccountChange,
  before: ReadonlyMap<string, MoneyHolder> = noHolders,
): Promise<void> {
  if (ids.length === 0) return;
  const createdAt = new Date(context.services.now());
  const changedBy = personOf(context)?.id ?? null;
  await tx
    .insert(accountChanges)
    .values(ids.map((administratorId) => ({ id: newId(), administratorId, changedBy, what, createdAt })));
  const holders = await moneyHolders(tx);
  const emails = ids.flatMap((id) => (holders.get(id) ?? before.get(id))?.email ?? []);
  if (emails.length > 0) await notifyHolders(tx, context, holders, emails, what);
}

/** Shown to signers of an enrollment. No cooling time. */
export async function recordOwnChange(tx: Tx, context: RequestContext, id: string, what: AccountChange): Promise<void> {
  const createdAt = new Date(context.services.now());
  await tx.insert(accountChanges).values({ id: newId(), administratorId: id, changedBy: id, what, createdAt });
}

/** For permissions gained since `before`. */
export async function recordRightsGained(
  tx: Tx,
  context: RequestContext,
  before: ReadonlyMap<string, MoneyHolder>,
): Promise<void> {
  const gained = [...(await moneyHolders(tx))].flatMap(([id, { rights }]) =>
    [...rights].every((right) => before.get(id)?.rights.has(right)) ? [] : id,
  );
  await recordAccountChange(tx, context, gained, 'rights', before);
}

async function notifyHolders(
  tx: Tx,
  context: RequestContext,
  holders: ReadonlyMap<string, MoneyHolder>,
  emails: readonly string[],
  what: AccountChange,
): Promise<void> {
  const { config, now } = context.services;
  const at = new Date(now());
  const mail = bilingualMail(moneyAccountMail, (language) => ({
    by: context.actor?.email ?? context.ip,
    what: moneyAccountChanges[what][language],
    accounts: emails.join('\n'),
    time: formatTime(at, language, config.timeZone),
    ip: context.ip,
    hours: config.moneyCoolingMs / hourMs,
    url: `${config.publicUrl}/permissions/administrator`,
  }));
  for (const { email } of holders.values()) await queueMail(tx, at, { to: email, ...mail });
}

const hourMs = 3_600_000;
