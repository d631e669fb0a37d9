import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { onCleanup } from './cleanup.ts';

const clientSecret = 'a-secret-for-hostile-answers-only';
const accessToken = 'an-access-token-of-the-hostile-provider';
const json = { 'content-type': 'application/json' };

/** What the next answers do wrong. */
export interface Hostility {
  /** Over the right claims. Undefined removes one. */
  claims?: Record<string, unknown>;
  signedBy?: 'provider' | 'stranger' | 'nobody' | 'clientSecret';
  /** Raw, in place of the signed token. */
  idToken?: string;
  header?: { typ?: string };
  /** Over the discovery document. */
  metadata?: Record<string, unknown>;
  tokenStatus?: number;
  userInfo?: Record<string, unknown>;
  /** Never answers at this path. */
  silentAt?: string;
  /** Sends the start of an answer at this path, and never its end. */
  unendingAt?: string;
  /** In place of the answer at a path. */
  raw?: { at: string; status?: number; headers?: Record<string, string>; body: string };
}

export interface HostileProvider {
  issuer: string;
  env: Record<string, string>;
  /** The answer that the browser brings back from `url`. */
  answerTo: (url: string, hostility?: Hostility) => string;
  sign: (claims: Record<string, unknown>, hostility?: Hostility) => Promise<string>;
  rotateKey: () => Promise<void>;
  accessToken: string;
  counts: Map<string, number>;
  hostility: Hostility;
  stop: () => void;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const createKey = async (kid: string) => ({ kid, ...(await generateKeyPair('RS256', { extractable: true })) });
  let key = await createKey('first');
  const stranger = await createKey('first');
  const counts = new Map<string, number>();
  let nonce = '';
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = async (claims: Record<string, unknown>, { signedBy = 'provider', header }: Hostility = {}): Promise<string> => {
    const payload = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    if (signedBy === 'nobody') return new UnsecuredJWT(payload).encode();
    const signer: CryptoKey | Uint8Array =
      signedBy === 'clientSecret'
        ? new TextEncoder().encode(clientSecret)
        : (signedBy === 'stranger' ? stranger : key).privateKey;
    const alg = signedBy === 'clientSecret' ? 'HS256' : 'RS256';
    return new SignJWT(payload).setProtectedHeader({ alg, kid: key.kid, ...header }).sign(signer);
  };

  const provider: HostileProvider = {
    issuer,
    env: { SSO_ISSUER: issuer, SSO_CLIENT_ID: 'panel', SSO_CLIENT_SECRET: clientSecret, SSO_NAME: 'Hostile' },
    answerTo(url, hostility = {}) {
      provider.hostility = hostility;
      const asked = new URL(url).searchParams;
      nonce = asked.get('nonce') ?? '';
      return new URLSearchParams({ code: 'a-code', state: asked.get('state') ?? '', iss: issuer }).toString();
    },
    sign,
    rotateKey: async () => {
      key = await createKey('second');
    },
    accessToken,
    counts,
    hostility: {},
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  onCleanup(async () => provider.stop());
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', issuer);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    const { hostility } = provider;
    if (hostility.silentAt === pathname) return;
    if (hostility.unendingAt === pathname) return void response.writeHead(200, json).write('{"access_token":');
    if (hostility.raw?.at === pathname)
      return void response.writeHead(hostility.raw.status ?? 200, { ...json, ...hostility.raw.headers }).end(hostility.raw.body);
    const send = (body: unknown, status = 200) => {
      response.writeHead(status, json);
      response.end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration') return send({ ...metadata(), ...hostility.metadata });
    if (pathname === '/jwks')
      return send({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid, use: 'sig', alg: 'RS256' }] });
    if (pathname === '/userinfo') return send(hostility.userInfo ?? { sub: 'idp-wei' });
    if (pathname !== '/token') return send({}, 404);
    if (hostility.tokenStatus) return send({ error: 'invalid_grant' }, hostility.tokenStatus);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'panel', sub: 'idp-wei', email: 'wei@example.com', nonce, iat: now, exp: now + 300 };
    const idToken = hostility.idToken ?? (await sign({ ...claims, ...hostility.claims }, hostility));
    send({ access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken });
  }

  function metadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    };
  }
}
