import { eq } from 'drizzle-orm';
import type { AnyToken } from '../../api/access/tokens.ts';
import type { TokenState } from '../../api/access/service-values.ts';
import { notifyTokenOwners } from '../platform/auth/service-accounts/notify-owners.ts';
import { serviceTokens } from '../platform/auth/tables.ts';
import { createFieldError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import type { RecordAudit } from '../platform/records/write.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import { parseNetworks } from './network-list.ts';

export type ServiceToken = typeof serviceTokens.$inferSelect;
export const tokenEntity = 'serviceToken';

/** Throws BAD_REQUEST for a time that is past or too far away, and for an invalid network. */
export function parseTokenFields(
  { now, config }: Services,
  { name, expiresAt: expiresAtText, networks = '' }: { name: string; expiresAt: string; networks?: string | undefined },
): Pick<ServiceToken, 'name' | 'expiresAt' | 'networks'> {
  const expiresAt = new Date(expiresAtText);
  if (expiresAt.getTime() <= now() || expiresAt.getTime() > now() + config.serviceTokenMs)
    throw createFieldError('expiresAt', 'lifetime');
  return { name, expiresAt, networks: parseNetworks(networks) };
}

/** Revokes a locked token with mails and audit. One that is already revoked stays as it is. */
export async function revokeToken(
  tx: Tx,
  { services }: RequestContext,
  token: ServiceToken,
  { by, recordAudit }: { by: string; recordAudit: RecordAudit },
): Promise<ServiceToken> {
  if (token.revokedAt !== null) return token;
  const revocation = { revokedAt: new Date(services.now()), revokedBy: by, revokedReason: 'person' as const };
  await tx.update(serviceTokens).set(revocation).where(eq(serviceTokens.id, token.id));
  await notifyTokenOwners(tx, services, token, 'revoked', { by });
  const revoked = { ...token, ...revocation };
  recordAudit({ entity: tokenEntity, id: token.id, before: auditedToken(token), after: auditedToken(revoked) });
  return revoked;
}

export const auditedToken = (token: ServiceToken) => ({
  account: token.serviceAccountId,
  name: token.name,
  lastFour: token.lastFour,
  networks: token.networks,
  expiresAt: token.expiresAt.toISOString(),
  revokedAt: token.revokedAt?.toISOString() ?? null,
  revokedReason: token.revokedReason,
  replacedBy: token.replacedBy,
});

export const presentToken = (services: Pick<Services, 'now'>, token: ServiceToken): AnyToken => ({
  id: token.id,
  name: token.name,
  lastFour: token.lastFour,
  state: stateOf(services, token),
  networks: token.networks,
  creatorEmail: token.creatorEmail,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  lastIp: token.lastIp,
  revokedAt: token.revokedAt?.toISOString() ?? null,
  revokedBy: token.revokedBy,
  revokedReason: token.revokedReason,
});

export const isWorking = ({ now }: Pick<Services, 'now'>, { revokedAt, expiresAt }: ServiceToken): boolean =>
  revokedAt === null && expiresAt.getTime() > now();

export function stateOf(services: Pick<Services, 'now'>, token: ServiceToken): TokenState {
  if (token.revokedAt !== null) return 'revoked';
  if (!isWorking(services, token)) return 'expired';
  return token.replacedBy === null ? 'live' : 'replaced';
}
