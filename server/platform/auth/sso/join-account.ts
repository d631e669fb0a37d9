import { eq, gt, isNull, or } from 'drizzle-orm';
import { isMailbox } from '../../../../api/access/administrators.ts';
import { isLookAlike } from '../../../../api/look-alikes.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { SsoConfig } from '../../core/config.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/db.ts';
import type { RequestContext } from '../../services/context.ts';
import { recordAccountChange } from '../account-changes.ts';
import {
  describeRoleChange,
  readMappedGroups,
  readMappedRoles,
  readProviderRoles,
  readRoleNamesById,
  readScimRoles,
  replaceProviderRoles,
} from '../provisioning/group-roles.ts';
import { isGuardedAccount } from '../provisioning/guarded-roles.ts';
import { countAccessChange } from '../rights/access-changes.ts';
import { lockAccessExclusively } from '../rights/escalation.ts';
import { notifyOwner } from '../sign-in/notify-owner.ts';
import { normalizeEmail } from '../sign-in/password.ts';
import { administratorRoles, administrators, provisioned } from '../tables.ts';
import { requireSso } from './configured.ts';
import { createLink, findLinkedAccount, type LinkedAccount } from './links.ts';
import { SsoError, type VerifiedIdentity } from './provider.ts';

const entity = 'provisionedUser';
/** For how long the provider may not give out the email of a deleted account. */
const deletedEmailMs = 90 * 86_400_000;

/**
 * Links the account that SCIM announced, or makes one for a person whose groups have a role (SSO_JOIN). Null: neither. Never by
 * email. Throws SsoError.
 */
export async function joinAccount(request: RequestContext, identity: VerifiedIdentity): Promise<LinkedAccount | null> {
  const sso = requireSso(request.services);
  if (sso.join === 'invited') return null;
  const context = asProvider(request, sso);
  return context.db.transaction(async (tx) => {
    await lockAccessExclusively(tx);
    // Of two tabs, the other one may have joined.
    const linked = await findLinkedAccount(tx, identity);
    if (linked) return linked;
    const announced = await findAnnounced(tx, identity);
    if (announced) return linkAnnounced(tx, context, identity, announced);
    return sso.join === 'groups' ? createFromGroups(tx, context, sso, identity) : null;
  });
}

const asProvider = (context: RequestContext, { name }: SsoConfig) => ({ ...context, provisioner: { email: name } });
type ProviderContext = ReturnType<typeof asProvider>;

const auditSourceOf = (context: ProviderContext) => ({ ...context, actor: { id: null, email: context.provisioner.email } });

/** By SCIM's external ID. */
async function findAnnounced(tx: Tx, { externalId }: VerifiedIdentity) {
  if (externalId === null) return null;
  const [found] = await tx
    .select({ provisioned, administrator: administrators })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(eq(provisioned.externalId, externalId));
  return found ?? null;
}

async function linkAnnounced(
  tx: Tx,
  context: ProviderContext,
  identity: VerifiedIdentity,
  { provisioned: announced, administrator }: NonNullable<Awaited<ReturnType<typeof findAnnounced>>>,
): Promise<LinkedAccount> {
  const { id, email, enabled, deletedAt } = administrator;
  if (!enabled || deletedAt !== null || announced.deletedAt !== null)
    throw new SsoError('DISABLED', 'the announced account is disabled or deleted');
  // The provider chooses the external ID, so it would open any account that was handed to it.
  if (await isGuardedAccount(tx, id))
    throw new SsoError('NOT_INVITED', 'an account with guarded permissions needs an invitation');
  const link = await createLink(tx, context, identity, { administratorId: id, origin: 'scim', linkedBy: null, account: email });
  await recordAccountChange(tx, context, [id], 'linked');
  await notifyOwner(tx, context, email, 'ssoLinked');
  return { administrator, link };
}

async function createFromGroups(
  tx: Tx,
  context: ProviderContext,
  sso: SsoConfig,
  identity: VerifiedIdentity,
): Promise<LinkedAccount> {
  const { roleIds } = await readMappedRoles(tx, 'claim', identity.groups ?? []);
  if (roleIds.size === 0) throw new SsoError('NO_ROLE', 'no group has a role');
  const email = readJoinEmail(sso, identity);
  if (await isEmailTaken(tx, context, email)) throw new SsoError('EMAIL_TAKEN', 'an account has or had this email');
  const currentTime = new Date(context.services.now());
  const [administrator] = await tx
    .insert(administrators)
    .values({ id: newId(), email, createdAt: currentTime, updatedAt: currentTime })
    .returning();
  if (!administrator) throw new Error('the insert returned no row');
  const { id } = administrator;
  await replaceProviderRoles(tx, id, roleIds);
  await recordAccountChange(tx, context, [id], 'created');
  const link = await createLink(tx, context, identity, { administratorId: id, origin: 'groups', linkedBy: null, account: email });
  await countAccessChange(tx);
  const after = { email, displayName: identity.displayName ?? '', roles: await readRoleNamesById(tx, roleIds) };
  await recordAudit(tx, auditSourceOf(context), [{ entity, id, action: 'join', after }]);
  return { administrator, link };
}

function readJoinEmail({ emailDomains }: SsoConfig, { email, isEmailVerified }: VerifiedIdentity): string {
  const normalizedEmail = email !== null && isMailbox(email) ? normalizeEmail(email) : null;
  if (normalizedEmail === null || !isEmailVerified) throw new SsoError('EMAIL', 'there is no verified email');
  const domain = normalizedEmail.slice(normalizedEmail.lastIndexOf('@') + 1);
  if (emailDomains !== null && !emailDomains.includes(domain))
    throw new SsoError('EMAIL', 'the domain of the email is not allowed');
  return normalizedEmail;
}

async function isEmailTaken(tx: Tx, { services }: ProviderContext, email: string): Promise<boolean> {
  const recently = new Date(services.now() - deletedEmailMs);
  const others = await tx
    .select({ email: administrators.email })
    .from(administrators)
    .where(or(isNull(administrators.deletedAt), gt(administrators.deletedAt, recently)));
  return others.some((other) => other.email === email || isLookAlike(other.email, email));
}

/**
 * At each sign-in with SSO_GROUPS_CLAIM: the provider's roles become those of the groups. Returns the groups that have one. Throws
 * SsoError NO_ROLE if no role is left, also none that a person gave.
 */
export async function applyClaimRoles(
  request: RequestContext,
  administratorId: string,
  identity: VerifiedIdentity,
): Promise<string[]> {
  const sso = requireSso(request.services);
  if (sso.groupsClaim === null) return [];
  const context = asProvider(request, sso);
  const groups = identity.groups ?? [];
  const wanted = await readWantedRoles(context.db, administratorId, groups);
  if ((await readProviderRoles(context.db, administratorId)).join() !== [...wanted.roleIds].toSorted().join())
    await context.db.transaction(async (tx) => {
      await lockAccessExclusively(tx);
      // No one could take the roles of an unlinked account away.
      if ((await findLinkedAccount(tx, identity))?.administrator.id !== administratorId) return;
      const { roleIds, skippedRoleIds } = await readWantedRoles(tx, administratorId, groups);
      const change = await replaceProviderRoles(tx, administratorId, roleIds);
      if (!change) return;
      await countAccessChange(tx);
      const [row] = await tx.select().from(administrators).where(eq(administrators.id, administratorId));
      const person = { id: administratorId, email: row?.email ?? '' };
      const entry = await describeRoleChange(tx, person, { ...change, skipped: skippedRoleIds });
      await recordAudit(tx, auditSourceOf(context), [entry]);
    });
  if ((await context.db.$count(administratorRoles, eq(administratorRoles.administratorId, administratorId))) === 0)
    throw new SsoError('NO_ROLE', 'no group has a role');
  return readMappedGroups(context.db, groups);
}

async function readWantedRoles(queries: Queries, administratorId: string, groups: readonly string[]) {
  const fromClaim = await readMappedRoles(queries, 'claim', groups);
  const fromScim = await readScimRoles(queries, administratorId);
  return {
    roleIds: new Set([...fromClaim.roleIds, ...fromScim.roleIds]),
    skippedRoleIds: new Set([...fromClaim.skippedRoleIds, ...fromScim.skippedRoleIds]),
  };
}
