import { and, eq, gt, isNull } from 'drizzle-orm';
import { administrators, identityLinks, linkInvitations } from '../tables.ts';
import { recordAudit } from '../../audit/audit.ts';
import { createAppError } from '../../core/errors.ts';
import { describeRoleChange, removeClaimRoles } from '../provisioning/group-roles.ts';
import type { RecordAudit } from '../../records/write.ts';
import type { VerifiedIdentity } from './provider.ts';
import { SsoError } from './provider.ts';
import { linkLifetimeMs } from '../sign-in/set-password.ts';
import { unvouchWithoutFactor } from '../sign-in/vouching.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createSecret, hashSecret } from '../../http/cookies.ts';
import { requirePerson, type RequestContext } from '../../services/context.ts';

export type IdentityLink = typeof identityLinks.$inferSelect;

export interface LinkedAccount {
  administrator: typeof administrators.$inferSelect;
  link: IdentityLink;
}

/** Null if no account is linked. */
export async function findLinkedAccount(
  queries: Queries,
  { issuer, subject }: Pick<VerifiedIdentity, 'issuer' | 'subject'>,
): Promise<LinkedAccount | null> {
  const [row] = await queries
    .select({ administrator: administrators, link: identityLinks })
    .from(identityLinks)
    .innerJoin(administrators, eq(administrators.id, identityLinks.administratorId))
    .where(and(eq(identityLinks.issuer, issuer), eq(identityLinks.subject, subject)));
  return row ?? null;
}

/** Voids earlier links. Returns the address for the email. */
export async function createLinkInvitation(tx: Tx, context: RequestContext, administratorId: string): Promise<string> {
  const { config, now } = context.services;
  const token = createSecret();
  const nowMs = now();
  await tx.delete(linkInvitations).where(eq(linkInvitations.administratorId, administratorId));
  await tx.insert(linkInvitations).values({
    id: newId(),
    administratorId,
    tokenHash: hashSecret(token),
    invitedBy: requirePerson(context).id,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + linkLifetimeMs),
  });
  return `${config.publicUrl}/login#link-sso=${token}`;
}

/**
 * With the roles of their claims, which only the provider could take away afterwards. Returns what was removed. The sessions stay.
 * Needs the access lock.
 */
export async function removeLinks(
  tx: Tx,
  recordAudit: RecordAudit,
  { id, email }: { id: string; email: string },
): Promise<IdentityLink[]> {
  const links = await tx.delete(identityLinks).where(eq(identityLinks.administratorId, id)).returning();
  for (const link of links) recordAudit({ entity: 'identityLink', id: link.id, before: auditedLink(link, email) });
  const change = links.length > 0 ? await removeClaimRoles(tx, id) : null;
  if (change) recordAudit(await describeRoleChange(tx, { id, email }, change));
  return links;
}

const auditedLink = ({ issuer, subject, email, origin }: IdentityLink, account: string) => ({
  account,
  issuer,
  subject,
  email,
  origin,
});

/** Of the configured provider. Links of an earlier provider don't count. */
export const hasLink = async (
  queries: Queries,
  { services: { config } }: Pick<RequestContext, 'services'>,
  administratorId: string,
) =>
  config.sso !== null &&
  (await queries.$count(
    identityLinks,
    and(eq(identityLinks.administratorId, administratorId), eq(identityLinks.issuer, config.sso.issuer)),
  )) > 0;

export const isLinkOf = async (
  queries: Queries,
  { services: { config } }: Pick<RequestContext, 'services'>,
  administratorId: string,
  linkId: string,
): Promise<boolean> =>
  config.sso !== null &&
  (await queries.$count(
    identityLinks,
    and(
      eq(identityLinks.id, linkId),
      eq(identityLinks.administratorId, administratorId),
      eq(identityLinks.issuer, config.sso.issuer),
    ),
  )) > 0;

/** With SSO_REQUIRED a linked account signs in through the provider only. */
export const mustUseProvider = async (queries: Queries, context: Pick<RequestContext, 'services'>, administratorId: string) =>
  context.services.config.sso?.required === true && (await hasLink(queries, context, administratorId));

const usableInvitation = (context: RequestContext, token: string) =>
  and(
    eq(linkInvitations.tokenHash, hashSecret(token)),
    isNull(linkInvitations.usedAt),
    gt(linkInvitations.expiresAt, new Date(context.services.now())),
  );

/** The invited account and who invited. Throws LINK_GONE, also if either can no longer sign in. */
export async function readInvitation(queries: Queries, context: RequestContext, token: string) {
  const [row] = await queries
    .select({ account: administrators, invitedBy: linkInvitations.invitedBy })
    .from(linkInvitations)
    .innerJoin(administrators, eq(administrators.id, linkInvitations.administratorId))
    .where(usableInvitation(context, token));
  const [inviter] = row ? await queries.select().from(administrators).where(eq(administrators.id, row.invitedBy)) : [];
  if (!row?.account.enabled || row.account.deletedAt !== null || !inviter?.enabled) throw createAppError('LINK_GONE');
  return { account: row.account, inviter };
}

/** Only one of two calls succeeds. Throws LINK_GONE. */
export async function consumeInvitation(tx: Tx, context: RequestContext, token: string): Promise<void> {
  const usedInvitations = await tx
    .update(linkInvitations)
    .set({ usedAt: new Date(context.services.now()) })
    .where(usableInvitation(context, token))
    .returning({ id: linkInvitations.id });
  if (usedInvitations.length === 0) throw createAppError('LINK_GONE');
}

type NewLink = Pick<IdentityLink, 'administratorId' | 'origin' | 'linkedBy'> & { account: string };

/**
 * Links the account, with an audit row. Only an invitation takes a link over from a deleted account. Throws SsoError
 * LINKED_ELSEWHERE.
 */
export async function createLink(
  tx: Tx,
  context: RequestContext,
  { issuer, subject, email }: Pick<VerifiedIdentity, 'issuer' | 'subject' | 'email'>,
  { administratorId, origin, linkedBy, account }: NewLink,
): Promise<IdentityLink> {
  const createdAt = new Date(context.services.now());
  const isSamePerson = and(eq(identityLinks.issuer, issuer), eq(identityLinks.subject, subject));
  const [knownLink] = await tx
    .select({ link: identityLinks, owner: administrators })
    .from(identityLinks)
    .innerJoin(administrators, eq(administrators.id, identityLinks.administratorId))
    .where(isSamePerson)
    .for('update');
  if (knownLink && (knownLink.owner.deletedAt === null || origin !== 'invitation'))
    throw new SsoError('LINKED_ELSEWHERE', 'the person is linked to an account');
  if (knownLink) await tx.delete(identityLinks).where(eq(identityLinks.id, knownLink.link.id));
  const [link] = await tx
    .insert(identityLinks)
    .values({ id: newId(), administratorId, issuer, subject, email, origin, linkedBy, createdAt })
    .onConflictDoNothing()
    .returning();
  if (!link) throw new SsoError('LINKED_ELSEWHERE', 'the person or the account is linked');
  await unvouchWithoutFactor(tx, administratorId);
  await recordAudit(tx, context, [
    {
      entity: 'identityLink',
      id: link.id,
      ...(knownLink && { before: auditedLink(knownLink.link, knownLink.owner.email) }),
      after: auditedLink(link, account),
    },
  ]);
  return link;
}
