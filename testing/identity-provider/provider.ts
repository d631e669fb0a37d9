import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface ProviderOptions {
  /** 0: a free one. */
  port: number;
  clientId: string;
  clientSecret: string;
  /** Of the panel, without a trailing slash. */
  panelUrl: string;
  /** Whether a test may change the people. Any page could, so not in development. */
  isControlled: boolean;
}

/** Claims by subject. */
export type ProviderAccounts = Record<string, { name?: string; email?: string; [claim: string]: unknown }>;

export const demoPeople: ProviderAccounts = {
  'idp-wei': { email: 'wei@example.com', email_verified: true, name: 'Wei Zhang', groups: ['editors'] },
  'idp-noor': { email: 'noor@example.com', email_verified: true, name: 'Noor Haddad', groups: [] },
};

/** A real OpenID Connect provider on loopback, with people and claims of its own. */
export async function startIdentityProvider(options: ProviderOptions): Promise<{ issuer: string; close: () => void }> {
  let people: ProviderAccounts = { ...demoPeople };
  let provider: Provider | null = null;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = createProvider(issuer, options, (subject) => people[subject]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    if (options.isControlled && url.pathname === '/control/people' && request.method === 'POST') {
      people = JSON.parse(await readText(request)) as ProviderAccounts;
      return void response.end('{}');
    }
    if (url.pathname.startsWith('/interaction/')) return answerInteraction(request, response, url);
    await provider?.callback()(request, response);
  }

  async function answerInteraction(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (!provider) return;
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return void response.end(signInPage(url.pathname, people));
    }
    const form = new URLSearchParams(await readText(request));
    const subject = form.get('subject');
    const result =
      subject === null
        ? { error: 'access_denied', error_description: 'The person went back.' }
        : { login: { accountId: subject, amr: ['pwd'], remember: false } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return {
    issuer,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createProvider(
  issuer: string,
  { clientId, clientSecret, panelUrl }: ProviderOptions,
  findPerson: (subject: string) => Record<string, unknown> | undefined,
): Provider {
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${panelUrl}/login`],
        post_logout_redirect_uris: [`${panelUrl}/login`],
        backchannel_logout_uri: `${panelUrl}/public/sso/logout`,
        backchannel_logout_session_required: true,
        require_auth_time: true,
      },
    ],
    claims: { openid: ['sub', 'sid', 'groups', 'oid'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    ttl: { AuthorizationCode: 60, IdToken: 600, AccessToken: 600, Interaction: 600, Session: 3600, Grant: 3600 },
    findAccount: (_context, subject) => {
      const claims = findPerson(subject);
      return claims ? { accountId: subject, claims: () => ({ sub: subject, ...claims }) } : undefined;
    },
    // Without a page of consent: the panel is the company's own.
    loadExistingGrant: async ({
      oidc: {
        provider: { Grant },
        client,
        session,
      },
    }) => {
      const clientId = client?.clientId ?? '';
      // A code of another grant than the session's is refused, so two tabs need the same one.
      const knownId = session?.grantIdFor(clientId);
      const knownGrant = knownId && (await Grant.find(knownId));
      if (knownGrant) return knownGrant;
      const grant = new Grant({ clientId, accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    // The provider's own one refuses loopback addresses.
    fetch: (url, init) => fetch(url, init),
  };
  const provider = new Provider(issuer, configuration);
  provider.on('server_error', (_context, error) => console.error('identity provider:', error.message));
  return provider;
}

const signInPage = (path: string, people: ProviderAccounts) => `<!doctype html><title>Test provider</title>
<h1>Test provider</h1>
<form method="post" action="${path}">
${Object.entries(people)
  .map(
    ([subject, { name, email }]) =>
      `<p><button name="subject" value="${escapeHtml(subject)}">${escapeHtml(name ?? subject)} (${escapeHtml(email ?? '')})</button></p>`,
  )
  .join('\n')}
</form>
<form method="post" action="${path}"><button>Go back</button></form>`;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
