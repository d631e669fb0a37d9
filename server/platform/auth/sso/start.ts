import { recordRefusal } from '../../audit/audit.ts';
import { createSecret } from '../../http/cookies.ts';
import { countSsoStart } from '../../http/rate-limit.ts';
import type { RequestContext } from '../../services/context.ts';
import { storeStartedSignIn, type SsoIntent } from './challenges.ts';
import { requireSso } from './configured.ts';
import { buildSsoUrl, SsoError, toSsoAppError, type VerifiedIdentity } from './provider.ts';

/** Returns the provider's address. Throws SSO_OFF, TOO_MANY_REQUESTS and SSO_FAILED. */
export async function startSso(context: RequestContext, intent: SsoIntent, loginHint?: string): Promise<{ url: string }> {
  const { services, ip } = context;
  const sso = requireSso(services);
  await countSsoStart(services, ip);
  const request = { state: createSecret(), nonce: createSecret(), verifier: createSecret() };
  try {
    const url = await buildSsoUrl(services, { ...request, isRenewed: intent.kind === 'prove' }, loginHint);
    await storeStartedSignIn(context, { ...request, intent });
    return { url };
  } catch (error) {
    if (!(error instanceof SsoError)) throw error;
    await recordFailure(context, error);
    throw toSsoAppError(error, sso);
  }
}

/** Subject and email are personal data: in the audit, not in the log. */
export async function recordFailure(
  context: RequestContext,
  error: SsoError,
  identity: VerifiedIdentity | null = null,
): Promise<void> {
  const { reason, seconds } = error;
  const subject = identity?.subject ?? error.subject;
  await recordRefusal(context, 'SSO_FAILED', {
    reason,
    cause: error.message,
    ...(seconds !== undefined && { seconds }),
    ...(subject !== undefined && { subject }),
    ...(identity && identity.email !== null && { email: identity.email }),
  });
  context.log.warn({ reason }, 'single sign-on failed');
}
