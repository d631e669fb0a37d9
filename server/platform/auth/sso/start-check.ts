import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { identityLinks, sessions, ssoConfiguration } from '../tables.ts';
import { hasAccessManager } from '../rights/escalation.ts';
import { recordSystemAudit } from '../../audit/system-audit.ts';
import { StartError } from '../../core/start-error.ts';
import type { Tx } from '../../db/db.ts';
import type { Services } from '../../services/context.ts';

/** The earlier provider may be the reason for the change. Sessions of the CLI were approved in one of these. */
async function endSessionsOfOtherProviders(tx: Tx, services: Services): Promise<void> {
  const issuer = services.config.sso?.issuer ?? null;
  const revokedAt = new Date(services.now());
  const isOfOther = sql`exists (select from ${identityLinks} l where l.id = ${sessions.linkId} and l.issuer is distinct from ${issuer}::text)`;
  const ended = await tx
    .update(sessions)
    .set({ revokedAt, idToken: null })
    .where(and(eq(sessions.method, 'sso'), isNull(sessions.revokedAt), gt(sessions.expiresAt, revokedAt), isOfOther))
    .returning({ person: sessions.administratorId });
  if (ended.length === 0) return;
  const people = [...new Set(ended.map(({ person }) => person))];
  await tx
    .update(sessions)
    .set({ revokedAt })
    .where(and(eq(sessions.method, 'cli'), isNull(sessions.revokedAt), inArray(sessions.administratorId, people)));
  await recordSystemAudit(tx, services, {
    entity: 'identityProvider',
    id: null,
    action: 'endSessions',
    after: { ended: ended.length },
  });
}

/**
 * Audits another provider than at the last start. Throws StartError if SSO_REQUIRED leaves no one who could manage access without
 * the provider.
 */
export async function checkSsoAtStart(services: Services): Promise<void> {
  const { config, database, now, log } = services;
  const { sso } = config;
  await database.db.transaction((tx) => endSessionsOfOtherProviders(tx, services));
  if (sso === null) return;
  await database.db.transaction(async (tx) => {
    if (sso.required && !(await hasAccessManager(tx, services)))
      throw new StartError(
        'SSO_REQUIRED is on, but no enabled access administrator has a password, a second factor and no link to the provider. Set SSO_REQUIRED=off, and create one',
      );
    const [previous] = await tx.select().from(ssoConfiguration).for('update');
    const current = { issuer: sso.issuer, clientId: sso.clientId, subjectClaim: sso.subjectClaim };
    const isSame =
      previous?.issuer === current.issuer &&
      previous.clientId === current.clientId &&
      previous.subjectClaim === current.subjectClaim;
    if (isSame) return;
    const changedAt = new Date(now());
    if (previous)
      await tx
        .update(ssoConfiguration)
        .set({ ...current, changedAt })
        .where(eq(ssoConfiguration.id, 1));
    else await tx.insert(ssoConfiguration).values({ id: 1, ...current, changedAt });
    await recordSystemAudit(tx, services, {
      entity: 'identityProvider',
      id: null,
      action: 'configure',
      ...(previous && {
        before: { issuer: previous.issuer, clientId: previous.clientId, subjectClaim: previous.subjectClaim },
      }),
      after: current,
    });
    if (previous) log.warn({ ...current }, 'another identity provider is configured: links of the earlier one do not count');
  });
}
