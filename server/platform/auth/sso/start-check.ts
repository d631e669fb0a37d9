import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { SessionMethod } from '../../../../api/access/sign-in-values.ts';
import { identityLinks, sessions, ssoConfiguration } from '../tables.ts';
import { hasAccessManager } from '../rights/escalation.ts';
import { recordSystemAudit } from '../../audit/system-audit.ts';
import { StartError } from '../../core/start-error.ts';
import type { Tx } from '../../db/db.ts';
import type { Services } from '../../services/context.ts';

/** The earlier provider may be the reason for the change. */
const endSessionsOfOtherProviders = (tx: Tx, services: Services) =>
  endSessions(
    tx,
    services,
    ['sso'],
    sql`exists (select from ${identityLinks} l where l.id = ${sessions.linkId}
      and l.issuer is distinct from ${services.config.sso?.issuer ?? null}::text)`,
  );

/** Of linked accounts, from before SSO_REQUIRED was on. */
const endSessionsWithoutProvider = (tx: Tx, services: Services, issuer: string) =>
  endSessions(
    tx,
    services,
    ['password', 'wallet'],
    sql`exists (select from ${identityLinks} l where l.administrator_id = ${sessions.administratorId} and l.issuer = ${issuer})`,
  );

/** With those of the CLI, which were approved in one of these. */
async function endSessions(tx: Tx, services: Services, methods: SessionMethod[], condition: SQL): Promise<void> {
  const revokedAt = new Date(services.now());
  const ended = await tx
    .update(sessions)
    .set({ revokedAt, idToken: null })
    .where(and(inArray(sessions.method, methods), isNull(sessions.revokedAt), gt(sessions.expiresAt, revokedAt), condition))
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
 * Ends sessions that SSO_REQUIRED forbids. Audits another provider than at the last start. Throws StartError if SSO_REQUIRED leaves no one who could manage access without
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
    if (sso.required) await endSessionsWithoutProvider(tx, services, sso.issuer);
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
