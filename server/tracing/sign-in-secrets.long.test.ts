import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { unseal } from '../platform/core/encryption.ts';
import { readConfig } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { idTokenPurpose } from '../platform/auth/sign-in/sessions.ts';
import { administrators, identityLinks, sessions } from '../platform/auth/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { listen } from '../platform/http/listen.ts';
import { serve } from '../serve.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startHostileProvider } from '../testing/hostile-provider.ts';
import { startTestProvider } from '../testing/identity-provider.ts';
import { readCookies } from '../testing/single-sign-on.ts';
import { createTestDatabase } from '../testing/support.ts';

const email = 'analyst@demo.local';

/** A panel that traces, with all that it logs, exports and stores. */
async function startTracedPanel(providerEnv: Record<string, string>) {
  const traces: string[] = [];
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => traces.push(chunk.toString()));
    request.on('end', () => response.end('{}'));
  });
  const port = await listen(collector, { host: '127.0.0.1', port: 0 });
  const database = await createTestDatabase();
  const logged: string[] = [];
  const log = createLogger({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:4280',
    DATA_DIR: createTemporaryFolder(),
    DATABASE_URL: database.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    SSO_LOGOUT: 'on',
    ...providerEnv,
  });
  const server = await serve({ config, log });
  const [account] = await database.db.select().from(administrators).where(eq(administrators.email, email));
  const link = { id: newId(), administratorId: account?.id ?? '', issuer: providerEnv['SSO_ISSUER'] ?? '', subject: 'idp-wei' };
  await database.db.insert(identityLinks).values({ ...link, origin: 'self', createdAt: new Date() });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomBytes(8).toString('hex'), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  return {
    database,
    link,
    post,
    config,
    origin: server.origin,
    async startSignIn() {
      const started = await post('/api/session/sso/start', {});
      const { url } = (await started.json()) as { url: string };
      return { url, cookie: readCookies(started) };
    },
    /** Stops the panel. Returns everything that it left. */
    async collect(): Promise<string> {
      await server.stop();
      collector.close();
      const { rows: tables } = await database.pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      const stored: string[] = [];
      for (const { name } of tables) {
        const { rows } = await database.pool.query<{ line: string }>(`select row_to_json(t)::text as line from "${name}" t`);
        stored.push(...rows.map(({ line }) => line));
      }
      const [traceText, logText, rowText] = [traces.join('\n'), logged.join('\n'), stored.join('\n')];
      // Each of the three really has what happened.
      expect(traceText).toContain('session.answerSso');
      expect(logText).toContain('/api/session/sso');
      expect(rowText).toContain('"action":"signIn"');
      return [traceText, logText, rowText].join('\n');
    },
  };
}

function expectNone(text: string, secrets: Record<string, string | null | undefined>): void {
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, (secret ?? '').length > 9]).toEqual([name, true]);
    expect([name, text.includes(secret ?? '')]).toEqual([name, false]);
  }
  // Any signed or unsigned token.
  expect(/eyJ[\w-]{10,}\.eyJ[\w-]+/.exec(text)?.[0]).toBeUndefined();
}

test('a sign-in through the provider and of the CLI leaves no secret in traces, log lines and rows', async () => {
  const provider = await startTestProvider();
  const panel = await startTracedPanel(provider.env);
  const { url, cookie } = await panel.startSignIn();
  const query = await provider.signIn(url, 'idp-wei');
  await fetch(`${panel.origin}/login?${query}`);
  const answered = await panel.post('/api/session/sso', { query }, { cookie });
  expect(answered.status).toBe(200);
  // An answer that is refused, and one that is no valid request, leave nothing either.
  expect((await panel.post('/api/session/sso', { query }, { cookie })).status).toBe(410);
  expect((await panel.post('/api/session/sso', { query, more: query }, { cookie })).status).toBe(400);
  const { authorization } = (await answered.json()) as { authorization: string };
  const headers = { authorization, cookie: readCookies(answered) };
  const [session] = await panel.database.db.select().from(sessions);
  const idToken = unseal(panel.config, idTokenPurpose(panel.link.id), session?.idToken ?? '');
  expect(idToken).toMatch(/^eyJ/);

  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  expect((await panel.post('/api/cli/start', { challenge, name: 'build-01', port: null })).status).toBe(200);
  await panel.database.db.update(sessions).set({ passwordAt: new Date() }); // a fresh proof
  const approved = await panel.post('/api/cli/approve', { challenge }, headers);
  const { code: cliCode } = (await approved.json()) as { code: string };
  const exchanged = await panel.post('/api/cli/exchange', { verifier, code: cliCode });
  expect(exchanged.status).toBe(200);
  const cli = (await exchanged.json()) as { authorization: string };
  const signOut = await fetch(`${panel.origin}/api/session`, { method: 'DELETE', headers });
  expect(await signOut.json()).toMatchObject({ providerUrl: expect.stringContaining(idToken) as string });

  const [parameters, asked] = [new URLSearchParams(query), new URL(url).searchParams];
  expectNone(await panel.collect(), {
    code: parameters.get('code'),
    state: parameters.get('state'),
    nonce: asked.get('nonce'),
    idToken,
    clientSecret: provider.env['SSO_CLIENT_SECRET'],
    browser: /sso=([\w-]+)/.exec(cookie)?.[1],
    sessionToken: authorization.replace('Bearer ', ''),
    sessionHalf: /half=([\w-]+)/.exec(headers.cookie)?.[1],
    cliCode,
    cliCodeWithoutHyphens: cliCode.replaceAll('-', ''),
    verifier,
    cliToken: cli.authorization.replace('Bearer ', ''),
    cliHalf: /half=([\w-]+)/.exec(readCookies(exchanged))?.[1],
  });
}, 120_000);

test('tokens of a hostile provider and logout tokens, accepted or refused, are in no trace, log line and row', async () => {
  const provider = await startHostileProvider();
  const panel = await startTracedPanel(provider.env);
  const signIn = async (hostility: Parameters<typeof provider.answerTo>[1]) => {
    const { url, cookie } = await panel.startSignIn();
    return panel.post('/api/session/sso', { query: provider.answerTo(url, hostility) }, { cookie });
  };
  // The token of a refused answer must not be in its reason.
  for (const hostility of [{ signedBy: 'stranger' }, { signedBy: 'nobody' }, { claims: { aud: 'another' } }] as const)
    expect((await signIn(hostility)).status).toBe(401);
  expect((await signIn({ claims: { email: undefined } })).status).toBe(200);
  const now = Math.floor(Date.now() / 1000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: provider.issuer, aud: 'panel', sub: 'idp-wei', iat: now, exp: now + 120, jti: 'the-only-one', events };
  const tokens = [
    await provider.sign(claims),
    await provider.sign({ ...claims, nonce: 'a-nonce' }),
    await provider.sign(claims, { signedBy: 'stranger' }),
  ];
  const statuses: number[] = [];
  for (const token of tokens) {
    const body = new URLSearchParams({ logout_token: token }).toString();
    statuses.push((await panel.post('/public/sso/logout', body, { 'content-type': 'application/x-www-form-urlencoded' })).status);
  }
  expect(statuses).toEqual([200, 400, 400]);
  const text = await panel.collect();
  expectNone(text, {
    accessToken: provider.accessToken,
    clientSecret: provider.env['SSO_CLIENT_SECRET'],
    ...Object.fromEntries(tokens.map((token, number) => [`logoutToken${number}`, token])),
    ...Object.fromEntries(tokens.map((token, number) => [`signature${number}`, token.split('.')[2]])),
  });
}, 120_000);
