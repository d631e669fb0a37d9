import { eq } from 'drizzle-orm';
import { sessions } from '../tables.ts';
import { idTokenPurpose } from '../sign-in/sessions.ts';
import { unseal } from '../../core/encryption.ts';
import type { RequestContext } from '../../services/context.ts';
import { readProvider, SsoError } from './provider.ts';

/** With SSO_LOGOUT: the address that signs the person out at the provider too. Null if the provider is down or has none. */
export async function readProviderSignOut(context: RequestContext, sessionId: string): Promise<string | null> {
  const { services, db } = context;
  if (!services.config.sso?.logout) return null;
  const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  if (!session?.idToken || session.linkId === null) return null;
  try {
    const { client, configuration } = await readProvider(services);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, {
      id_token_hint: unseal(services.config, idTokenPurpose(session.linkId), session.idToken),
      post_logout_redirect_uri: `${services.config.publicUrl}/login`,
    }).href;
  } catch (error) {
    if (error instanceof SsoError) return null;
    throw error;
  }
}
