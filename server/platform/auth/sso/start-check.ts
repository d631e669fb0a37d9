import { eq } from 'drizzle-orm';
import { ssoConfiguration } from '../tables.ts';
import { hasAccessManager } from '../rights/escalation.ts';
import { recordSystemAudit } from '../../audit/system-audit.ts';
import { StartError } from '../../core/start-error.ts';
import type { Services } from '../../services/context.ts';

/**
 * Audits another provider than at the last start. Throws StartError if SSO_REQUIRED leaves no one who could manage access without
 * the provider.
 */
export async function checkSsoAtStart(services: Services): Promise<void> {
  const { config, database, now, log } = services;
  const { sso } = config;
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
