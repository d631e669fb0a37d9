import { and, eq, isNull, sql } from 'drizzle-orm';
import { buildBilingualMail } from '../../content/bilingual-mail.ts';
import { queueMail } from '../../content/mail.ts';
import { fillTemplate, formatTime } from '../../core/wording.ts';
import type { Queries } from '../../db/db.ts';
import type { RequestContext, Services } from '../../services/context.ts';
import { accessKeys } from '../rights/escalation.ts';
import { administrators, serviceAccountOwners, serviceAccounts, type serviceTokens } from '../tables.ts';
import {
  ownerlessMail,
  ownersChangedMail,
  provisioningTokenNotices,
  tokenHolder,
  tokenMail,
  tokenNotices,
  type TokenNotice,
} from './mail-texts.ts';

type Token = Pick<typeof serviceTokens.$inferSelect, 'serviceAccountId' | 'name' | 'lastFour' | 'expiresAt'>;

/** In the change's transaction. A leak, and everything about a provisioning token, is mailed to the access administrators. */
export async function notifyTokenOwners(
  queries: Queries,
  services: Services,
  token: Token,
  notice: TokenNotice,
  { by = '', ip = '' }: { by?: string; ip?: string } = {},
): Promise<void> {
  const { config, now } = services;
  const currentTime = new Date(now());
  const account = token.serviceAccountId;
  const texts = account === null ? { ...tokenNotices[notice], ...provisioningTokenNotices[notice] } : tokenNotices[notice];
  const name = account === null ? null : await nameOf(queries, account);
  const mail = buildBilingualMail(tokenMail, (language) => ({
    what: texts.what[language],
    holder: name === null ? tokenHolder.provisioning[language] : fillTemplate(tokenHolder.service[language], { account: name }),
    token: token.name,
    lastFour: token.lastFour,
    detail: fillTemplate(texts.detail[language], {
      by,
      ip,
      time: formatTime(currentTime, language, config.timeZone),
      until: formatTime(token.expiresAt, language, config.timeZone),
    }),
    next: texts.next[language],
    url: account === null ? `${config.publicUrl}/permissions/identity` : urlOf(services, account),
  }));
  const owners = account === null ? [] : await readOwnerEmails(queries, account);
  const informed = notice === 'leaked' || account === null ? [...owners, ...(await accessAdministrators(queries))] : owners;
  for (const to of new Set(informed)) await queueMail(queries, currentTime, { to, ...mail });
}

/** Also those who are no owners any more, because mails about tokens go to owners only. */
export async function notifyOwnersChanged(
  queries: Queries,
  context: Pick<RequestContext, 'services' | 'actor'>,
  serviceAccountId: string,
  previousOwners: readonly string[],
): Promise<void> {
  const owners = await readOwnerEmails(queries, serviceAccountId);
  const isUnchanged = owners.length === previousOwners.length && owners.every((email) => previousOwners.includes(email));
  if (isUnchanged) return;
  const { services, actor } = context;
  const name = await nameOf(queries, serviceAccountId);
  const mail = buildBilingualMail(ownersChangedMail, () => ({
    account: name,
    by: actor?.email ?? '',
    before: previousOwners.join(', '),
    after: owners.join(', '),
    url: urlOf(services, serviceAccountId),
  }));
  const currentTime = new Date(services.now());
  for (const to of new Set([...previousOwners, ...owners])) await queueMail(queries, currentTime, { to, ...mail });
}

export async function notifyOwnerless(queries: Queries, services: Services, { id, name }: { id: string; name: string }) {
  const mail = buildBilingualMail(ownerlessMail, () => ({ account: name, url: urlOf(services, id) }));
  const currentTime = new Date(services.now());
  for (const to of await accessAdministrators(queries)) await queueMail(queries, currentTime, { to, ...mail });
}

async function nameOf(queries: Queries, serviceAccountId: string): Promise<string> {
  const [account] = await queries
    .select({ name: serviceAccounts.name })
    .from(serviceAccounts)
    .where(eq(serviceAccounts.id, serviceAccountId));
  return account?.name ?? '';
}

export const urlOf = ({ config }: Services, id: string): string => `${config.publicUrl}/permissions/service?open=${id}`;

export async function readOwnerEmails(queries: Queries, serviceAccountId: string): Promise<string[]> {
  const rows = await queries
    .select({ email: administrators.email })
    .from(serviceAccountOwners)
    .innerJoin(administrators, eq(administrators.id, serviceAccountOwners.administratorId))
    .where(
      and(eq(serviceAccountOwners.serviceAccountId, serviceAccountId), administrators.enabled, isNull(administrators.deletedAt)),
    );
  return rows.map(({ email }) => email);
}

export async function accessAdministrators(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ email: string }>(sql`
    select a.email from administrators a
    where a.enabled and a.deleted_at is null and ${accessKeys.functions.length} = (
      select count(distinct n.identifier) from administrator_roles ar join role_nodes rn on rn.role_id = ar.role_id
        join permission_nodes n on n.id = rn.node_id
      where ar.administrator_id = a.id and n.identifier in ${[...accessKeys.functions]})`);
  return rows.map(({ email }) => email);
}
