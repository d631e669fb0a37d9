import { eq } from 'drizzle-orm';
import { sessions } from '../tables.ts';
import { idTokenPurpose } from '../sign-in/sessions.ts';
import { unseal } from '../../core/encryption.ts';
import type { RequestContext } from '../../services/context.ts';
import { readProvider, toSsoError } from './provider.ts';

interface SealedIdToken {
  idToken: string;
  linkId: string;
}

/** With SSO_LOGOUT. Read it before the session ends, which deletes it. */
export async function readSealedIdToken({ services, db }: RequestContext, sessionId: string): Promise<SealedIdToken | null> {
  if (!services.config.sso?.logout) return null;
  const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  return session?.idToken && session.linkId !== null ? { idToken: session.idToken, linkId: session.linkId } : null;
}

/**
 * The address that signs the person out at the provider too. Null if the provider is down or has none, or if the token was sealed
 * with another key. Call after the session has ended, because the provider may be slow.
 */
export async function buildProviderSignOut({ services, log }: RequestContext, sealed: SealedIdToken): Promise<string | null> {
  try {
    const { client, configuration } = await readProvider(services);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, {
      id_token_hint: unseal(services.config, idTokenPurpose(sealed.linkId), sealed.idToken),
      post_logout_redirect_uri: `${services.config.publicUrl}/login`,
    }).href;
  } catch (error) {
    log.warn({ reason: toSsoError(error).reason }, 'the person stays signed in at the provider');
    return null;
  }
}
