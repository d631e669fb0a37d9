import type { AccountChangeKind } from '../../../api/access/account-changes.ts';
import { accountChanges } from './tables.ts';
import { queueMail } from '../content/mail.ts';
import type { RequestContext } from '../core/context.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { moneyHolders, type MoneyHolder } from './rights/money-rights.ts';

export type AccountChange = AccountChangeKind;

const none: ReadonlyMap<string, MoneyHolder> = new Map();

/**
 * Notes, in the transaction of the change, what somebody did to accounts of others: from now on these do not count for money
 * for a while, and never beside who did it (counts-for-money.ts). Where one of them holds a right over money, or did `before`,
 * everybody who does is told by mail.
 */
export async function noteAccountChange(
  tx: Tx,
  context: RequestContext,
  ids: readonly string[],
  what: AccountChange,
  before: ReadonlyMap<string, MoneyHolder> = none,
): Promise<void> {
  if (ids.length === 0) return;
  const createdAt = new Date(context.services.now());
  const changedBy = context.actor?.id ?? null;
  await tx
    .insert(accountChanges)
    .values(ids.map((administratorId) => ({ id: newId(), administratorId, changedBy, what, createdAt })));
  const holders = await moneyHolders(tx);
  const emails = ids.flatMap((id) => (holders.get(id) ?? before.get(id))?.email ?? []);
  if (emails.length > 0) await tellHolders(tx, context, holders, emails, what);
}

/** Notes what somebody did to their own account: it counts on, and whoever signs that a key of theirs is enrolled sees it. */
export async function noteOwnChange(tx: Tx, context: RequestContext, id: string, what: AccountChange): Promise<void> {
  const createdAt = new Date(context.services.now());
  await tx.insert(accountChanges).values({ id: newId(), administratorId: id, changedBy: id, what, createdAt });
}

/** The same for whoever holds a right over money that they did not hold `before`: their role grants more, or they were let in. */
export async function noteRightsGained(tx: Tx, context: RequestContext, before: ReadonlyMap<string, MoneyHolder>): Promise<void> {
  const gained = [...(await moneyHolders(tx))].flatMap(([id, { rights }]) =>
    [...rights].every((right) => before.get(id)?.rights.has(right)) ? [] : id,
  );
  await noteAccountChange(tx, context, gained, 'rights', before);
}

async function tellHolders(
  tx: Tx,
  context: RequestContext,
  holders: ReadonlyMap<string, MoneyHolder>,
  emails: readonly string[],
  what: AccountChange,
): Promise<void> {
  const { config, now } = context.services;
  const at = new Date(now());
  const by = context.actor?.email ?? context.ip;
  const { zh, en } = words[what];
  const body = [
    `${by} ${zh}：`,
    `${by} ${en}:`,
    '',
    ...emails,
    '',
    `（${at.toISOString()}）这些账户可操作资金。在 ${config.moneyCoolingMs / hourMs} 小时内它们不能批准或确认，且永远不能与更改者共同批准。若非您所知，请立即告知同事。`,
    `(${at.toISOString()}) These accounts have rights over money. They do not count for it for ${config.moneyCoolingMs / hourMs} hours, and never together with who changed them. If this is unexpected, tell your colleagues at once.`,
    '',
    config.publicUrl,
  ].join('\n');
  for (const { email } of holders.values()) await queueMail(tx, at, { to: email, subject: moneySubject, body });
}

const hourMs = 3_600_000;
const moneySubject = '可操作资金的账户有变更 An account with rights over money was changed';

const words: Record<AccountChange, { zh: string; en: string }> = {
  created: { zh: '新增了账户', en: 'added an account' },
  enabled: { zh: '启用了账户', en: 'enabled an account' },
  email: { zh: '更改了账户的邮箱', en: 'changed the email of an account' },
  roles: { zh: '更改了账户的角色', en: 'changed the roles of an account' },
  rights: {
    zh: '通过角色或权限给予了账户更多资金权限',
    en: 'gave an account more rights over money, by a role or the permission tree',
  },
  password: { zh: '重置了账户的密码', en: 'reset the password of an account' },
  factor: { zh: '重置了账户的双重验证', en: 'reset the second factor of an account' },
  wallet: { zh: '更改了账户的登录钱包', en: 'changed the wallet of an account' },
};
