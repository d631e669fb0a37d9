import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { enrollTotp } from '../testing/factor.ts';
import { createApi, send, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { demoPassword } from '../seed/roles.ts';
import { createTestWallet, type TestWallet } from '../testing/wallet.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, challenges, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

const minuteMs = 60_000;
const wallet = createTestWallet({ secret: Buffer.alloc(32, 21) });
const unknownWallet = createTestWallet({ secret: Buffer.alloc(32, 22) });
const email = 'analyst@demo.local';

type HeaderMap = Record<string, string>;
interface RequestedChallenge {
  id: string;
  message: string;
  expiresAt: string;
  headers: HeaderMap;
}

const extractCookie = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');

const createBoundApp = async (env: Record<string, string> = {}): Promise<TestApp> => {
  const app = await createTestApp(env);
  await app.database.db.update(administrators).set({ walletAddress: wallet.address }).where(eq(administrators.email, email));
  return app;
};

async function requestChallenge(app: TestApp, address = wallet.address, headers: HeaderMap = {}): Promise<RequestedChallenge> {
  const response = await send(app, 'POST', '/api/wallet/challenge', { address }, headers);
  expect(response.status).toBe(200);
  const challengeFields = (await response.json()) as Omit<RequestedChallenge, 'headers'>;
  return { ...challengeFields, headers: { cookie: extractCookie(response) || (headers['cookie'] ?? '') } };
}

const submitSignature = (app: TestApp, { id, headers }: Pick<RequestedChallenge, 'id' | 'headers'>, signature: string) =>
  send(app, 'POST', '/api/wallet/session', { id, signature }, headers);

const signChallenge = (app: TestApp, challenge: RequestedChallenge, signingWallet: TestWallet = wallet) =>
  submitSignature(app, challenge, signingWallet.sign(challenge.message));
const readErrorCode = async (response: Response) => ((await response.json()) as { code: string }).code;

test('an account without a password sets up its first factor in the five minutes after it signed in by wallet', async () => {
  const app = await createBoundApp();
  await app.database.db.update(administrators).set({ passwordHash: null, demo: false }).where(eq(administrators.email, email));
  const signInByWallet = async () => {
    const response = await signChallenge(app, await requestChallenge(app));
    const { authorization } = (await response.json()) as { authorization: string };
    return createApi(app, { authorization, cookie: extractCookie(response) });
  };
  const earlyChallenge = await signInByWallet();
  app.clock.now += 5 * minuteMs;
  for (const start of [earlyChallenge.account.startTotp, earlyChallenge.account.startPasskey])
    await expect(start()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  expect(await earlyChallenge.account.factor()).toEqual({ methods: ['signIn'], options: null });
  await expect(earlyChallenge.account.confirmFactor({ method: 'password', value: demoPassword })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });

  const api = await signInByWallet();
  const totp = await enrollTotp(app, api);
  expect(await api.account.factor()).toEqual({ methods: ['totp', 'recovery'], options: null });
  app.clock.now += 5 * minuteMs;
  await expect(api.account.startPasskey()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  await api.account.confirmFactor({ method: 'totp', value: totp.generate({ timestamp: app.clock.now }) });
  await api.account.startPasskey();
});

describe('the wallet message', () => {
  test('names the panel, address, network, time and single use, and is stored exactly', async () => {
    const app = await createBoundApp({ PUBLIC_URL: 'https://panel.example.com' });
    const { id, message, expiresAt } = await requestChallenge(app);
    const nonce = /^Nonce: ([0-9A-Za-z]{22})$/m.exec(message)?.[1] ?? '';
    expect(message).toBe(
      [
        'panel.example.com wants you to sign in with your Bitcoin address:',
        wallet.address,
        '',
        'Sign in to the Admin Panel. This does not send a transaction.',
        '',
        'URI: https://panel.example.com',
        'Version: 1',
        'Network: bitcoin-mainnet',
        `Nonce: ${nonce}`,
        `Issued At: ${new Date(app.clock.now).toISOString()}`,
        `Expiration Time: ${new Date(app.clock.now + 5 * minuteMs).toISOString()}`,
        `Request ID: ${id}`,
      ].join('\n'),
    );
    expect(expiresAt).toBe(new Date(app.clock.now + 5 * minuteMs).toISOString());
    const [storedChallenge] = await app.database.db.select().from(challenges).where(eq(challenges.id, id));
    expect(storedChallenge).toMatchObject({ message, address: wallet.address, usedAt: null });
    const nonces = new Set([nonce]);
    for (let time = 0; time < 20; time++) nonces.add(/Nonce: (\w+)/.exec((await requestChallenge(app)).message)?.[1] ?? '');
    expect(nonces.size).toBe(21);
  });

  test('is given for any address alike, linked or not, in any case', async () => {
    const app = await createBoundApp();
    const messageShape = ({ message }: RequestedChallenge) => message.replace(/Nonce: .*|Request ID: .*/g, '');
    const knownChallenge = await requestChallenge(app, wallet.address.toUpperCase());
    const unknownChallenge = await requestChallenge(app, unknownWallet.address);
    expect(messageShape(unknownChallenge)).toBe(messageShape(knownChallenge).replace(wallet.address, unknownWallet.address));
  });

  test.each([
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '37HVPoc7ZsU5C9Z2VKcCkSLzEknYXCzm3s',
    'bc1p',
    createTestWallet({ secret: Buffer.alloc(32, 21), prefix: 'tb' }).address,
    `${wallet.address}\nURI: https://elsewhere.example`,
  ])('is not given for %o', async (address) => {
    const app = await createTestApp();
    const response = await send(app, 'POST', '/api/wallet/challenge', { address });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ data: { issues: [{ path: 'address', rule: 'taproot' }] } });
    expect(await app.database.db.select().from(challenges)).toEqual([]);
  });

  test('is unique per browser, and its cookie is not sent by other sites', async () => {
    const app = await createBoundApp();
    const response = await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address });
    expect(response.headers.get('set-cookie')).toMatch(/^pre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const firstChallenge = await requestChallenge(app);
    const secondChallenge = await requestChallenge(app, wallet.address, firstChallenge.headers);
    expect(await readErrorCode(await signChallenge(app, firstChallenge))).toBe('ATTEMPT_GONE');
    expect((await signChallenge(app, secondChallenge)).status).toBe(200);
  });

  test('is limited per minute', async () => {
    const app = await createBoundApp();
    for (let time = 0; time < 60; time++) await requestChallenge(app);
    expect((await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address })).status).toBe(429);
    app.clock.now += minuteMs;
    await requestChallenge(app);
  });

  test('uses the configured network', async () => {
    const app = await createTestApp({ BITCOIN_NETWORK: 'signet' });
    expect(await createApi(app).wallet.network()).toEqual({ network: 'signet' });
    const { address } = createTestWallet({ secret: Buffer.alloc(32, 21), prefix: 'tb' });
    expect((await requestChallenge(app, address)).message).toContain('\nNetwork: bitcoin-signet\n');
    expect((await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address })).status).toBe(400);
  });
});

describe('signing in with a wallet', () => {
  test('creates a session with the permissions of the address’s owner, and an audit row', async () => {
    const app = await createBoundApp();
    const response = await signChallenge(app, await requestChallenge(app));
    expect(response.status).toBe(200);
    const body = (await response.json()) as { authorization: string; access: { email: string } };
    expect(body.access.email).toBe(email);
    const headers = { authorization: body.authorization, cookie: extractCookie(response) };
    const currentResponse = await send(app, 'GET', '/api/session', undefined, headers);
    expect(((await currentResponse.json()) as { email: string }).email).toBe(email);
    const [session] = await app.database.db.select().from(sessions);
    expect(session?.method).toBe('wallet');
    const rows = await app.database.db.select().from(audit);
    expect(rows.map((row) => [row.actorEmail, row.route, row.action, row.result])).toEqual([
      [email, 'wallet.signIn', 'signIn', 'done'],
    ]);
  });

  test('accepts the signature prefix and SIGHASH_ALL', async () => {
    const app = await createBoundApp();
    const firstChallenge = await requestChallenge(app);
    expect((await submitSignature(app, firstChallenge, `smp${wallet.sign(firstChallenge.message)}`)).status).toBe(200);
    const secondChallenge = await requestChallenge(app);
    expect((await submitSignature(app, secondChallenge, wallet.sign(secondChallenge.message, { hashType: 1 }))).status).toBe(200);
  });

  test('accepts each message once', async () => {
    const app = await createBoundApp();
    const challenge = await requestChallenge(app);
    const signature = wallet.sign(challenge.message);
    expect((await submitSignature(app, challenge, signature)).status).toBe(200);
    const repeatedResponse = await submitSignature(app, challenge, signature);
    expect([repeatedResponse.status, await readErrorCode(repeatedResponse)]).toEqual([410, 'ATTEMPT_GONE']);
    expect(await app.database.db.select().from(sessions)).toHaveLength(1);
  });

  test('voids the message after a wrong signature', async () => {
    const app = await createBoundApp();
    const challenge = await requestChallenge(app);
    expect(await readErrorCode(await submitSignature(app, challenge, 'AUB'))).toBe('SIGN_IN_FAILED');
    expect(await readErrorCode(await signChallenge(app, challenge))).toBe('ATTEMPT_GONE');
  });

  test('is refused five minutes after the message was made', async () => {
    const app = await createBoundApp();
    const [earlyChallenge, lateChallenge] = [await requestChallenge(app), await requestChallenge(app)];
    app.clock.now += 5 * minuteMs - 1;
    expect((await signChallenge(app, earlyChallenge)).status).toBe(200);
    app.clock.now += 1;
    expect(await readErrorCode(await signChallenge(app, lateChallenge))).toBe('ATTEMPT_GONE');
  });

  test('works only in the browser that requested the message', async () => {
    const app = await createBoundApp();
    const challenge = await requestChallenge(app);
    const otherChallenge = await requestChallenge(app, unknownWallet.address);
    for (const headers of [{}, otherChallenge.headers, { cookie: `pre=${'A'.repeat(43)}` }])
      expect(await readErrorCode(await submitSignature(app, { ...challenge, headers }, wallet.sign(challenge.message)))).toBe(
        'ATTEMPT_GONE',
      );
    expect((await signChallenge(app, challenge)).status).toBe(200);
  });

  test('accepts one of many concurrent signatures, repeatedly', async () => {
    const app = await createBoundApp({ SIGN_IN_FREE: '10000' });
    for (let round = 0; round < 10; round++) {
      const challenge = await requestChallenge(app);
      const signature = wallet.sign(challenge.message);
      const responses = await Promise.all(Array.from({ length: 5 }, () => submitSignature(app, challenge, signature)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    }
    expect(await app.database.db.select().from(sessions)).toHaveLength(10);
  });

  test('by one person in two browsers creates two sessions without a deadlock', async () => {
    const app = await createBoundApp({ SIGN_IN_FREE: '10000' });
    for (let round = 0; round < 10; round++) {
      const challenges = await Promise.all([requestChallenge(app), requestChallenge(app)]);
      const responses = await Promise.all(challenges.map((pendingChallenge) => signChallenge(app, pendingChallenge)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  test('refuses malleated, foreign and reused signatures with the same answer', async () => {
    const app = await createBoundApp({ SIGN_IN_FREE: '10000' });
    const expiredChallenge = await requestChallenge(app);
    const expiredSignature = wallet.sign(expiredChallenge.message);
    const errorBodies = [];
    for (const sendForgery of [
      (message: string) => unknownWallet.sign(message),
      () => expiredSignature,
      (message: string) => wallet.sign(message.replace('Version: 1', 'Version: 2')),
      (message: string) => `ful${wallet.sign(message)}`,
      (message: string) => wallet.sign(message).replace(/.{4}$/, 'AAAA'),
      (message: string) => Buffer.concat([Buffer.from(wallet.sign(message), 'base64'), Buffer.of(0)]).toString('base64'),
      (message: string) => wallet.sign(message, { hashType: 3 }),
      () => '',
      () => 'x'.repeat(2000),
    ]) {
      const challenge = await requestChallenge(app);
      const response = await submitSignature(app, challenge, sendForgery(challenge.message));
      const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
      errorBodies.push({ status: response.status, body });
    }
    expect(errorBodies[0]).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
    for (const outcome of errorBodies) expect(outcome).toEqual(errorBodies[0]);
    const refusedEntries = await app.database.db.select().from(audit).where(eq(audit.result, 'refused'));
    expect(refusedEntries).toHaveLength(errorBodies.length);
  });

  test('reports a missing account only after the address is proved', async () => {
    const app = await createBoundApp({ SIGN_IN_FREE: '10000' });
    const { db } = app.database;
    const attemptSignIn = async (owner: TestWallet, signingWallet = owner) =>
      readErrorCode(await signChallenge(app, await requestChallenge(app, owner.address), signingWallet));
    expect(await attemptSignIn(unknownWallet)).toBe('NO_ACCOUNT');
    expect(await attemptSignIn(unknownWallet, wallet)).toBe('SIGN_IN_FAILED');
    await db.update(administrators).set({ enabled: false }).where(eq(administrators.email, email));
    expect(await attemptSignIn(wallet)).toBe('NO_ACCOUNT');
    expect(await attemptSignIn(wallet, unknownWallet)).toBe('SIGN_IN_FAILED');
    await db.update(administrators).set({ enabled: true, deletedAt: new Date() }).where(eq(administrators.email, email));
    expect(await attemptSignIn(wallet)).toBe('NO_ACCOUNT');
    await db.update(administrators).set({ deletedAt: null }).where(eq(administrators.email, email));
    Object.assign(app.config, { production: true, demo: false });
    const response = await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address });
    const challenge = (await response.json()) as RequestedChallenge;
    expect(await readErrorCode(await signChallenge(app, { ...challenge, headers: { cookie: extractCookie(response) } }))).toBe(
      'NO_ACCOUNT',
    );
    expect(await db.select().from(sessions)).toEqual([]);
  });

  test('is refused for an address that was unlinked after the message was requested', async () => {
    const app = await createBoundApp();
    const challenge = await requestChallenge(app);
    await app.database.db.update(administrators).set({ walletAddress: null });
    expect(await readErrorCode(await signChallenge(app, challenge))).toBe('NO_ACCOUNT');
  });

  test('refuses a signature made for linking, and the reverse', async () => {
    const app = await createBoundApp();
    const { headers, api } = await signInAs(app, 'editor');
    const bindChallenge = await api.wallet.bindChallenge({ address: wallet.address });
    const newChallenge = await requestChallenge(app);
    const combinedCookies = { cookie: `${headers['cookie']}; ${newChallenge.headers['cookie']}` };
    expect(
      await readErrorCode(
        await submitSignature(app, { id: bindChallenge.id, headers: combinedCookies }, wallet.sign(bindChallenge.message)),
      ),
    ).toBe('ATTEMPT_GONE');
    await expect(
      api.wallet.bindAddress({ id: newChallenge.id, signature: wallet.sign(newChallenge.message) }),
    ).rejects.toMatchObject({
      code: 'ATTEMPT_GONE',
    });
  });

  test('delays a browser and a network after repeated wrong signatures', async () => {
    const app = await createBoundApp({ SIGN_IN_PER_NETWORK: '8' });
    const { headers } = await requestChallenge(app);
    const signInWithWrongWallet = async (cookies: HeaderMap) =>
      (await signChallenge(app, await requestChallenge(app, wallet.address, cookies), unknownWallet)).status;
    for (let time = 0; time < 5; time++) expect(await signInWithWrongWallet(headers)).toBe(401);
    expect(await signInWithWrongWallet(headers)).toBe(429);
    expect(await signInWithWrongWallet({})).toBe(401);
    expect(await signInWithWrongWallet({})).toBe(401);
    expect(await signInWithWrongWallet({})).toBe(429);
  });

  test('requires the second factor of a person who has one', async () => {
    const app = await createBoundApp();
    await app.database.db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.email, email));
    const response = await signChallenge(app, await requestChallenge(app));
    expect(await response.json()).toEqual({ step: 'factor', methods: ['totp'] });
    expect(await app.database.db.select().from(sessions)).toEqual([]);
  });

  test('requires a mailed code in a new browser if configured', async () => {
    const app = await createBoundApp({ NEW_BROWSER_CODE: 'on' });
    expect(await (await signChallenge(app, await requestChallenge(app))).json()).toEqual({ step: 'code' });
    expect(await app.database.db.select().from(sessions)).toEqual([]);
  });
});

describe('linking your own wallet', () => {
  const readWallet = async (app: TestApp, email: string) =>
    (await app.database.db.select().from(administrators).where(eq(administrators.email, email)))[0]?.walletAddress;

  test('requires the address’s signature, is audited and mailed, and then allows sign-in', async () => {
    const app = await createTestApp();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    expect(message).toContain('wants you to link your Bitcoin address:\n');
    expect(message).toContain(
      'Let this address sign in to the Admin Panel as editor@demo.local. This does not send a transaction.',
    );
    expect(await api.wallet.bindAddress({ id, signature: wallet.sign(message) })).toEqual({ walletAddress: wallet.address });
    expect(await readWallet(app, 'editor@demo.local')).toBe(wallet.address);
    const [row] = await app.database.db.select().from(audit).where(eq(audit.route, 'wallet.bindAddress'));
    expect(row).toMatchObject({ actorEmail: 'editor@demo.local', entity: 'administrator', result: 'done' });
    expect([row?.before, row?.after].map((text) => JSON.parse(text ?? ''))).toEqual([
      { walletAddress: null },
      { walletAddress: wallet.address },
    ]);
    const [noticeMail] = await app.database.db.select().from(mails);
    expect(noticeMail).toMatchObject({ recipient: 'editor@demo.local' });
    expect(noticeMail?.subject).toContain('A wallet was linked');
    expect((await signChallenge(app, await requestChallenge(app))).status).toBe(200);
  });

  test('is refused without the address’s own signature, and changes nothing', async () => {
    const app = await createTestApp();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    await expect(api.wallet.bindAddress({ id, signature: unknownWallet.sign(message) })).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
    await expect(api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
    expect(await readWallet(app, 'editor@demo.local')).toBeNull();
    expect(await app.database.db.select().from(mails)).toEqual([]);
  });

  test('cannot be completed by another session or person', async () => {
    const app = await createTestApp();
    const [firstSession, secondSession] = [await signInAs(app, 'editor'), await signInAs(app, 'editor')];
    const { id, message } = await firstSession.api.wallet.bindChallenge({ address: wallet.address });
    await expect(secondSession.api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({
      code: 'ATTEMPT_GONE',
    });
  });

  test('is refused for another person’s address', async () => {
    const app = await createBoundApp();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    await expect(api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({
      code: 'ADDRESS_TAKEN',
    });
    expect(await readWallet(app, 'editor@demo.local')).toBeNull();
  });

  test('gives the address to one of two concurrent requests', async () => {
    const app = await createTestApp();
    for (let round = 0; round < 5; round++) {
      const bothSessions = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
      const outcomes = await Promise.allSettled(
        bothSessions.map(async ({ api }) => {
          const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
          return api.wallet.bindAddress({ id, signature: wallet.sign(message) });
        }),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await app.database.db.update(administrators).set({ walletAddress: null });
    }
  });

  test('requires a recently confirmed second factor', async () => {
    const app = await createTestApp();
    const { api } = await signInAs(app, 'editor');
    await app.database.db
      .update(administrators)
      .set({ totpSecret: 'sealed' })
      .where(eq(administrators.email, 'editor@demo.local'));
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    await expect(api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({ code: 'FACTOR_STALE' });
    await expect(api.wallet.unbindAddress()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  });

  test('no longer signs in once it is unlinked, which ends every other session of the account', async () => {
    const app = await createBoundApp();
    const sessionTokens = [];
    for (let time = 0; time < 2; time++) {
      const response = await signChallenge(app, await requestChallenge(app));
      const { authorization } = (await response.json()) as { authorization: string };
      sessionTokens.push({ authorization, cookie: extractCookie(response) });
    }
    const { headers: byPassword } = await signInAs(app, 'analyst');
    const [firstHeaders = {}, secondHeaders = {}] = sessionTokens;
    // Without a second factor, the wallet alone does not replace the password.
    expect(await readErrorCode(await send(app, 'DELETE', '/api/wallet', undefined, firstHeaders))).toBe('FACTOR_STALE');
    const factorInput = { method: 'password', value: demoPassword };
    expect((await send(app, 'POST', '/api/account/factor', factorInput, firstHeaders)).status).toBe(200);
    expect((await send(app, 'DELETE', '/api/wallet', undefined, firstHeaders)).status).toBe(200);
    const readStatus = async (headers: HeaderMap) => (await send(app, 'GET', '/api/session', undefined, headers)).status;
    expect([await readStatus(firstHeaders), await readStatus(secondHeaders), await readStatus(byPassword)]).toEqual([
      200, 401, 401,
    ]);
    expect(await readWallet(app, email)).toBeNull();
    expect(await readErrorCode(await signChallenge(app, await requestChallenge(app)))).toBe('NO_ACCOUNT');
    expect((await send(app, 'DELETE', '/api/wallet', undefined, firstHeaders)).status).toBe(404);
    const [noticeMail] = await app.database.db.select().from(mails);
    expect(noticeMail?.subject).toContain('The wallet was unlinked');
  });
});
