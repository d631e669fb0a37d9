import type { TokenProblem } from '../../../../api/access/service-values.ts';
import { recordRefusal } from '../../audit/audit.ts';
import { createAppError } from '../../core/errors.ts';
import { getNetwork } from '../../http/network.ts';
import { consumeFromWindow, countProvisioningCall } from '../../http/rate-limit.ts';
import type { Provisioner, RequestContext } from '../../services/context.ts';
import { toInet } from '../rights/role-networks.ts';
import { maxUnknownTokens, recordUse, type TokenUse } from '../service-accounts/find-service.ts';
import { hashServiceToken, hasTokenPrefix, isServiceToken } from '../service-accounts/token-format.ts';

const query = `
  select t.id as "tokenId", t.name, t.expires_at as "expiresAt", t.revoked_at as "revokedAt", t.last_used_at as "lastUsedAt",
    t.used_from as "usedFrom", cardinality(t.networks) = 0 or coalesce($2::inet <<= any (t.networks), false) as "isNetworkAllowed"
  from service_tokens t where t.hash = $1 and t.kind = 'scim'`;

interface TokenRow extends TokenUse {
  name: string;
  expiresAt: Date;
  revokedAt: Date | null;
  isNetworkAllowed: boolean;
}

/** A provisioning token and nothing else. Throws UNAUTHORIZED. */
export async function authorizeProvisioning(request: RequestContext): Promise<Provisioner> {
  const { services, ip, headers } = request;
  // As for every token, its use is an event of the server, not of a route.
  const context = { ...request, route: null };
  const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  // A wrong checksum does not reach the database.
  if (!hasTokenPrefix(token, 'scim') || !isServiceToken(token)) throw createAppError('UNAUTHORIZED');
  const { rows } = await services.database.pool.query<TokenRow>({
    name: 'provisioning-token',
    text: query,
    values: [hashServiceToken(token), toInet(ip)],
  });
  const [row] = rows;
  if (!row) {
    await consumeFromWindow(services, `service ${getNetwork(ip)}`, maxUnknownTokens, 600_000);
    throw createAppError('UNAUTHORIZED');
  }
  const provisioner = { tokenId: row.tokenId, email: `scim:${row.name}` };
  const problem = problemOf(context, row);
  if (problem) {
    const actor = { id: null, ...provisioner };
    await recordRefusal({ ...context, actor }, 'UNAUTHORIZED', { id: row.tokenId, token: problem });
    throw createAppError('UNAUTHORIZED', { token: problem });
  }
  countProvisioningCall(context, row.tokenId);
  await recordUse(context, { id: null, ...provisioner }, row);
  return provisioner;
}

// The token works on after the person who made it is disabled, because provisioning would stop otherwise.
function problemOf({ services: { now } }: RequestContext, row: TokenRow): TokenProblem | null {
  if (row.revokedAt !== null) return 'revoked';
  if (row.expiresAt.getTime() <= now()) return 'expired';
  return row.isNetworkAllowed ? null : 'network';
}
