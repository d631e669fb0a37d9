import { eq, sql } from 'drizzle-orm';
import type { TokenProblem } from '../../../../api/access/service-values.ts';
import { recordAudit, recordRefusal, type AuditSource } from '../../audit/audit.ts';
import { createAppError } from '../../core/errors.ts';
import { getNetwork } from '../../http/network.ts';
import { consumeFromWindow, countServiceCall, isFirstInInterval } from '../../http/rate-limit.ts';
import type { RequestContext, ServiceActor } from '../../services/context.ts';
import { serviceTokens } from '../tables.ts';
import { toInet } from '../rights/role-networks.ts';
import { notifyTokenOwners } from './notify-owners.ts';
import { isServiceScope } from './service-rights.ts';
import { hashServiceToken, hasTokenPrefix, isServiceToken } from './token-format.ts';

/** The Authorization value if it claims to be a service token. */
export function serviceTokenOf({ headers }: Pick<RequestContext, 'headers'>): string | null {
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return hasTokenPrefix(token, 'svc') ? token : null;
}

const query = `
  select t.id as "tokenId", t.name as "tokenName", t.service_account_id as "accountId", s.name, t.created_at as "createdAt",
    t.expires_at as "expiresAt", t.revoked_at as "revokedAt", t.replaced_by as "replacedBy", t.late_use_at as "lateUseAt",
    t.last_used_at as "lastUsedAt", t.used_from as "usedFrom",
    s.enabled and s.deleted_at is null and exists (select from service_account_owners o
      join administrators a on a.id = o.administrator_id
      where o.service_account_id = s.id and a.enabled and a.deleted_at is null)
      and exists (select from administrators c where c.id = t.created_by and c.enabled and c.deleted_at is null) as "isEnabled",
    cardinality(t.networks) = 0 or coalesce($2::inet <<= any (t.networks), false) as "isNetworkAllowed",
    coalesce((select string_agg(n.identifier, e'\\n') from service_token_nodes tn join permission_nodes n on n.id = tn.node_id
      where tn.token_id = t.id), '') as scopes,
    coalesce((select c.value from access_changes c where c.id = 1), 0)::text as change
  from service_tokens t join service_accounts s on s.id = t.service_account_id
  where t.hash = $1 and t.kind = 'svc'`;

export interface TokenUse {
  tokenId: string;
  lastUsedAt: Date | null;
  usedFrom: string[];
}

interface TokenRow extends TokenUse {
  tokenName: string;
  accountId: string;
  name: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  replacedBy: string | null;
  lateUseAt: Date | null;
  isEnabled: boolean;
  isNetworkAllowed: boolean;
  /** Newline-separated. */
  scopes: string;
  change: string;
}

/** Per network in ten minutes. Apart from sign-in, so that a script with an old token locks nobody out. */
export const maxUnknownTokens = 30;

/** Null for an unknown token. Throws UNAUTHORIZED with the reason for one that exists. */
export async function findService(context: RequestContext, token: string): Promise<ServiceActor | null> {
  // A wrong checksum does not reach the database.
  const { services, ip } = context;
  if (!isServiceToken(token)) {
    services.meter?.tokenCall('unknown');
    return null;
  }
  const { rows } = await services.database.pool.query<TokenRow>({
    name: 'service-token',
    text: query,
    values: [hashServiceToken(token), toInet(ip)],
  });
  const [row] = rows;
  if (!row) {
    services.meter?.tokenCall('unknown');
    await consumeFromWindow(services, `service ${getNetwork(ip)}`, maxUnknownTokens, 600_000);
    return null;
  }
  const actor: ServiceActor = {
    kind: 'service',
    id: row.accountId,
    email: serviceEmail(row.name),
    tokenId: row.tokenId,
    granted: new Set(row.scopes.split('\n').filter(isServiceScope)),
    change: row.change,
  };
  // Refused calls count too, before anything is written.
  try {
    countServiceCall(context, row.tokenId);
  } catch (error) {
    services.meter?.tokenCall('limited');
    throw error;
  }
  const problem = problemOf(context, row);
  if (problem) {
    services.meter?.tokenCall(problem);
    await recordRefusal({ ...context, actor }, 'UNAUTHORIZED', { id: row.tokenId, token: problem });
    if (row.replacedBy !== null && problem === 'expired') await recordLateUse(context, row);
    throw createAppError('UNAUTHORIZED', { token: problem });
  }
  await recordUse(context, actor, row);
  return actor;
}

export const serviceEmail = (name: string): string => `service:${name}`;

function problemOf({ services: { config, now } }: RequestContext, row: TokenRow): TokenProblem | null {
  if (row.revokedAt !== null) return 'revoked';
  if (row.expiresAt.getTime() <= now()) return 'expired';
  const usedAt = (row.lastUsedAt ?? row.createdAt).getTime();
  // The hourly job records it.
  if (config.serviceTokenIdleMs > 0 && now() - usedAt >= config.serviceTokenIdleMs) return 'revoked';
  if (!row.isEnabled) return 'disabled';
  return row.isNetworkAllowed ? null : 'network';
}

const useIntervalMs = 60_000;

async function recordLateUse({ db, services }: RequestContext, { tokenId, lateUseAt }: TokenRow): Promise<void> {
  const nowMs = services.now();
  if (lateUseAt !== null && nowMs - lateUseAt.getTime() < useIntervalMs) return;
  await db
    .update(serviceTokens)
    .set({ lateUseAt: new Date(nowMs) })
    .where(eq(serviceTokens.id, tokenId));
}

/** At most once a minute. A new network is audited and reported. */
export async function recordUse(context: RequestContext, actor: NonNullable<AuditSource['actor']>, row: TokenUse): Promise<void> {
  const nowMs = context.services.now();
  const network = getNetwork(context.ip);
  if (!row.usedFrom.includes(network)) return recordNewNetwork(context, actor, row.tokenId, network);
  if (row.lastUsedAt !== null && nowMs - row.lastUsedAt.getTime() < useIntervalMs) return;
  const usedAt = new Date(nowMs);
  await context.db
    .update(serviceTokens)
    .set({ lastUsedAt: usedAt, lastIp: context.ip })
    .where(
      sql`${serviceTokens.id} = ${row.tokenId} and (${serviceTokens.lastUsedAt} is null or ${serviceTokens.lastUsedAt} < ${usedAt.toISOString()}::timestamptz)`,
    );
}

const maxNetworks = 50;
/** A token of a script that moves around must not flood its owners. */
const networkMailMs = 600_000;

async function recordNewNetwork(
  context: RequestContext,
  actor: NonNullable<AuditSource['actor']>,
  tokenId: string,
  network: string,
): Promise<void> {
  const { services, ip } = context;
  const currentTime = new Date(services.now());
  await context.db.transaction(async (tx) => {
    const [token] = await tx.select().from(serviceTokens).where(eq(serviceTokens.id, tokenId)).for('update');
    if (!token || token.usedFrom.includes(network)) return;
    const usedFrom = [...token.usedFrom, network].slice(-maxNetworks);
    await tx.update(serviceTokens).set({ usedFrom, lastUsedAt: currentTime, lastIp: ip }).where(eq(serviceTokens.id, token.id));
    const isFirst = token.usedFrom.length === 0;
    const entry = { entity: 'serviceToken', id: token.id, action: isFirst ? 'firstUse' : 'newNetwork', after: { network } };
    await recordAudit(tx, { ...context, actor, command: null }, [entry]);
    const mayMail = !isFirst && (await isFirstInInterval(tx, `token network ${token.id}`, services.now(), networkMailMs));
    if (mayMail) await notifyTokenOwners(tx, services, token, 'newNetwork', { ip });
  });
}
