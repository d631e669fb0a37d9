import { and, gt, inArray, isNull } from 'drizzle-orm';
import { recordAudit } from '../platform/audit/audit.ts';
import { lockAccessExclusively } from '../platform/auth/rights/escalation.ts';
import { notifyTokenOwners } from '../platform/auth/service-accounts/notify-owners.ts';
import { hashServiceToken, isServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { serviceTokens } from '../platform/auth/tables.ts';
import { getNetwork } from '../platform/http/network.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { consumeFromWindow } from '../platform/http/rate-limit.ts';
import { readBody } from '../platform/http/request-body.ts';
import type { RequestContext } from '../platform/services/context.ts';

const maxReports = 30;
const windowMs = 600_000;
const maxTokens = 50;
const bodyLimit = 64 * 1024;
const timeoutMs = 10_000;

/** Anyone who holds a token may end it. The answer says nothing. */
export const leakedTokens: RawRoute = {
  method: 'POST',
  path: '/public/leaked-tokens',
  meta: { public: true },
  async handle({ request, context }) {
    await consumeFromWindow(context.services, `leaked ${getNetwork(context.ip)}`, maxReports, windowMs);
    const text = new TextDecoder().decode(await readBody(request, bodyLimit, timeoutMs));
    const tokens = [...new Set(text.match(/apanel_(?:svc|scim)_[0-9A-Za-z]{46}(?![0-9A-Za-z])/g))]
      .filter(isServiceToken)
      .slice(0, maxTokens);
    if (tokens.length > 0) await revokeLeaked(context, tokens);
    return Response.json({}, { status: 202, headers: { 'cache-control': 'no-store' } });
  },
};

async function revokeLeaked(context: RequestContext, tokens: readonly string[]): Promise<void> {
  const { services, ip } = context;
  const at = new Date(services.now());
  const isLive = and(
    inArray(serviceTokens.hash, tokens.map(hashServiceToken)),
    isNull(serviceTokens.revokedAt),
    gt(serviceTokens.expiresAt, at),
  );
  const found = await context.db.select({ id: serviceTokens.id }).from(serviceTokens).where(isLive);
  if (found.length === 0) return;
  await context.db.transaction(async (tx) => {
    await lockAccessExclusively(tx);
    const revoked = await tx.update(serviceTokens).set({ revokedAt: at, revokedReason: 'leaked' }).where(isLive).returning();
    for (const token of revoked) await notifyTokenOwners(tx, services, token, 'leaked', { ip });
    await recordAudit(
      tx,
      context,
      revoked.map(({ id, name, lastFour, serviceAccountId: account }) => ({
        entity: 'serviceToken',
        id,
        action: 'leaked',
        after: { account, name, lastFour, revokedAt: at.toISOString(), revokedReason: 'leaked' },
      })),
    );
  });
}
