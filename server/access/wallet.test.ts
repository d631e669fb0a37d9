import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { enrollTotp } from '../testing/factor.ts';
import { apiOf, send, signInAs, testApp, type TestApp } from '../testing/support.ts';
import { demoPassword } from '../seed/roles.ts';
import { testWallet, type TestWallet } from '../testing/wallet.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, challenges, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

const minute = 60_000;
const wallet = testWallet({ secret: Buffer.alloc(32, 21) });
const stranger = testWallet({ secret: Buffer.alloc(32, 22) });
const email = 'analyst@demo.local';

type Headers = Record<string, string>;
interface Asked {
  id: string;
  message: string;
  expiresAt: string;
  headers: Headers;
}

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');

const bound = async (env: Record<string, string> = {}): Promise<TestApp> => {
  const app = await testApp(env);
  await app.database.db.update(administrators).set({ walletAddress: wallet.address }).where(eq(administrators.email, email));
  return app;
};

async function ask(app: TestApp, address = wallet.address, headers: Headers = {}): Promise<Asked> {
  const response = await send(app, 'POST', '/api/wallet/challenge', { address }, headers);
  expect(response.status).toBe(200);
  const provided = (await response.json()) as Omit<Asked, 'headers'>;
  return { ...provided, headers: { cookie: cookieOf(response) || (headers['cookie'] ?? '') } };
}

const answer = (app: TestApp, { id, headers }: Pick<Asked, 'id' | 'headers'>, signature: string) =>
  send(app, 'POST', '/api/wallet/session', { id, signature }, headers);

const signed = (app: TestApp, requested: Asked, by: TestWallet = wallet) => answer(app, requested, by.sign(requested.message));
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

test('an account without a password sets up its first factor in the five minutes after it signed in by wallet', async () => {
  const app = await bound();
  await app.database.db.update(administrators).set({ passwordHash: null, demo: false }).where(eq(administrators.email, email));
  const signInByWallet = async () => {
    const response = await signed(app, await ask(app));
    const { authorization } = (await response.json()) as { authorization: string };
    return apiOf(app, { authorization, cookie: cookieOf(response) });
  };
  const early = await signInByWallet();
  app.clock.now += 5 * minute;
  for (const start of [early.account.startTotp, early.account.startPasskey])
    await expect(start()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  expect(await early.account.factor()).toEqual({ methods: ['signIn'], options: null });
  await expect(early.account.confirmFactor({ method: 'password', value: demoPassword })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });

  const api = await signInByWallet();
  const totp = await enrollTotp(app, api);
  expect(await api.account.factor()).toEqual({ methods: ['totp', 'recovery'], options: null });
  app.clock.now += 5 * minute;
  await expect(api.account.startPasskey()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  await api.account.confirmFactor({ method: 'totp', value: totp.generate({ timestamp: app.clock.now }) });
  await api.account.startPasskey();
});

describe('the wallet message', () => {
  test('names the panel, address, network, time and single use, and is stored exactly', async () => {
    const app = await bound({ PUBLIC_URL: 'https://panel.example.com' });
    const { id, message, expiresAt } = await ask(app);
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
        `Expiration Time: ${new Date(app.clock.now + 5 * minute).toISOString()}`,
        `Request ID: ${id}`,
      ].join('\n'),
    );
    expect(expiresAt).toBe(new Date(app.clock.now + 5 * minute).toISOString());
    const [kept] = await app.database.db.select().from(challenges).where(eq(challenges.id, id));
    expect(kept).toMatchObject({ message, address: wallet.address, usedAt: null });
    const nonces = new Set([nonce]);
    for (let time = 0; time < 20; time++) nonces.add(/Nonce: (\w+)/.exec((await ask(app)).message)?.[1] ?? '');
    expect(nonces.size).toBe(21);
  });

  test('is given for any address alike, linked or not, in any case', async () => {
    const app = await bound();
    const shape = ({ message }: Asked) => message.replace(/Nonce: .*|Request ID: .*/g, '');
    const known = await ask(app, wallet.address.toUpperCase());
    const unknown = await ask(app, stranger.address);
    expect(shape(unknown)).toBe(shape(known).replace(wallet.address, stranger.address));
  });

  test.each([
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '37HVPoc7ZsU5C9Z2VKcCkSLzEknYXCzm3s',
    'bc1p',
    testWallet({ secret: Buffer.alloc(32, 21), prefix: 'tb' }).address,
    `${wallet.address}\nURI: https://elsewhere.example`,
  ])('is not given for %o', async (address) => {
    const app = await testApp();
    const response = await send(app, 'POST', '/api/wallet/challenge', { address });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ data: { issues: [{ path: 'address', rule: 'taproot' }] } });
    expect(await app.database.db.select().from(challenges)).toEqual([]);
  });

  test('is unique per browser, and its cookie is not sent by other sites', async () => {
    const app = await bound();
    const response = await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address });
    expect(response.headers.get('set-cookie')).toMatch(/^pre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const first = await ask(app);
    const second = await ask(app, wallet.address, first.headers);
    expect(await codeOf(await signed(app, first))).toBe('ATTEMPT_GONE');
    expect((await signed(app, second)).status).toBe(200);
  });

  test('is limited per minute', async () => {
    const app = await bound();
    for (let time = 0; time < 60; time++) await ask(app);
    expect((await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address })).status).toBe(429);
    app.clock.now += minute;
    await ask(app);
  });

  test('uses the configured network', async () => {
    const app = await testApp({ BITCOIN_NETWORK: 'signet' });
    expect(await apiOf(app).wallet.network()).toEqual({ network: 'signet' });
    const { address } = testWallet({ secret: Buffer.alloc(32, 21), prefix: 'tb' });
    expect((await ask(app, address)).message).toContain('\nNetwork: bitcoin-signet\n');
    expect((await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address })).status).toBe(400);
  });
});

describe('signing in with a wallet', () => {
  test('creates a session with the permissions of the address’s owner, and an audit row', async () => {
    const app = await bound();
    const response = await signed(app, await ask(app));
    expect(response.status).toBe(200);
    const body = (await response.json()) as { authorization: string; access: { email: string } };
    expect(body.access.email).toBe(email);
    const headers = { authorization: body.authorization, cookie: cookieOf(response) };
    const current = await send(app, 'GET', '/api/session', undefined, headers);
    expect(((await current.json()) as { email: string }).email).toBe(email);
    const [session] = await app.database.db.select().from(sessions);
    expect(session?.method).toBe('wallet');
    const rows = await app.database.db.select().from(audit);
    expect(rows.map((row) => [row.actorEmail, row.route, row.action, row.result])).toEqual([
      [email, 'wallet.signIn', 'signIn', 'done'],
    ]);
  });

  test('accepts the signature prefix and SIGHASH_ALL', async () => {
    const app = await bound();
    const one = await ask(app);
    expect((await answer(app, one, `smp${wallet.sign(one.message)}`)).status).toBe(200);
    const two = await ask(app);
    expect((await answer(app, two, wallet.sign(two.message, { hashType: 1 }))).status).toBe(200);
  });

  test('accepts each message once', async () => {
    const app = await bound();
    const requested = await ask(app);
    const signature = wallet.sign(requested.message);
    expect((await answer(app, requested, signature)).status).toBe(200);
    const again = await answer(app, requested, signature);
    expect([again.status, await codeOf(again)]).toEqual([410, 'ATTEMPT_GONE']);
    expect(await app.database.db.select().from(sessions)).toHaveLength(1);
  });

  test('voids the message after a wrong signature', async () => {
    const app = await bound();
    const requested = await ask(app);
    expect(await codeOf(await answer(app, requested, 'AUB'))).toBe('SIGN_IN_FAILED');
    expect(await codeOf(await signed(app, requested))).toBe('ATTEMPT_GONE');
  });

  test('is refused five minutes after the message was made', async () => {
    const app = await bound();
    const [early, late] = [await ask(app), await ask(app)];
    app.clock.now += 5 * minute - 1;
    expect((await signed(app, early)).status).toBe(200);
    app.clock.now += 1;
    expect(await codeOf(await signed(app, late))).toBe('ATTEMPT_GONE');
  });

  test('works only in the browser that requested the message', async () => {
    const app = await bound();
    const requested = await ask(app);
    const elsewhere = await ask(app, stranger.address);
    for (const headers of [{}, elsewhere.headers, { cookie: `pre=${'A'.repeat(43)}` }])
      expect(await codeOf(await answer(app, { ...requested, headers }, wallet.sign(requested.message)))).toBe('ATTEMPT_GONE');
    expect((await signed(app, requested)).status).toBe(200);
  });

  test('accepts one of many concurrent signatures, repeatedly', async () => {
    const app = await bound({ SIGN_IN_FREE: '10000' });
    for (let round = 0; round < 10; round++) {
      const requested = await ask(app);
      const signature = wallet.sign(requested.message);
      const answers = await Promise.all(Array.from({ length: 5 }, () => answer(app, requested, signature)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    }
    expect(await app.database.db.select().from(sessions)).toHaveLength(10);
  });

  test('by one person in two browsers creates two sessions without a deadlock', async () => {
    const app = await bound({ SIGN_IN_FREE: '10000' });
    for (let round = 0; round < 10; round++) {
      const requested = await Promise.all([ask(app), ask(app)]);
      const answers = await Promise.all(requested.map((one) => signed(app, one)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  test('refuses malleated, foreign and reused signatures with the same answer', async () => {
    const app = await bound({ SIGN_IN_FREE: '10000' });
    const old = await ask(app);
    const oldSignature = wallet.sign(old.message);
    const answers = [];
    for (const forge of [
      (message: string) => stranger.sign(message),
      () => oldSignature,
      (message: string) => wallet.sign(message.replace('Version: 1', 'Version: 2')),
      (message: string) => `ful${wallet.sign(message)}`,
      (message: string) => wallet.sign(message).replace(/.{4}$/, 'AAAA'),
      (message: string) => Buffer.concat([Buffer.from(wallet.sign(message), 'base64'), Buffer.of(0)]).toString('base64'),
      (message: string) => wallet.sign(message, { hashType: 3 }),
      () => '',
      () => 'x'.repeat(2000),
    ]) {
      const requested = await ask(app);
      const response = await answer(app, requested, forge(requested.message));
      const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>;
      answers.push({ status: response.status, body });
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
    for (const one of answers) expect(one).toEqual(answers[0]);
    const refused = await app.database.db.select().from(audit).where(eq(audit.result, 'refused'));
    expect(refused).toHaveLength(answers.length);
  });

  test('reports a missing account only after the address is proved', async () => {
    const app = await bound({ SIGN_IN_FREE: '10000' });
    const { db } = app.database;
    const attempt = async (owner: TestWallet, by = owner) => codeOf(await signed(app, await ask(app, owner.address), by));
    expect(await attempt(stranger)).toBe('NO_ACCOUNT');
    expect(await attempt(stranger, wallet)).toBe('SIGN_IN_FAILED');
    await db.update(administrators).set({ enabled: false }).where(eq(administrators.email, email));
    expect(await attempt(wallet)).toBe('NO_ACCOUNT');
    expect(await attempt(wallet, stranger)).toBe('SIGN_IN_FAILED');
    await db.update(administrators).set({ enabled: true, deletedAt: new Date() }).where(eq(administrators.email, email));
    expect(await attempt(wallet)).toBe('NO_ACCOUNT');
    await db.update(administrators).set({ deletedAt: null }).where(eq(administrators.email, email));
    Object.assign(app.config, { production: true, demo: false });
    const response = await send(app, 'POST', '/api/wallet/challenge', { address: wallet.address });
    const requested = (await response.json()) as Asked;
    expect(await codeOf(await signed(app, { ...requested, headers: { cookie: cookieOf(response) } }))).toBe('NO_ACCOUNT');
    expect(await db.select().from(sessions)).toEqual([]);
  });

  test('is refused for an address that was unlinked after the message was requested', async () => {
    const app = await bound();
    const requested = await ask(app);
    await app.database.db.update(administrators).set({ walletAddress: null });
    expect(await codeOf(await signed(app, requested))).toBe('NO_ACCOUNT');
  });

  test('refuses a signature made for linking, and the reverse', async () => {
    const app = await bound();
    const { headers, api } = await signInAs(app, 'editor');
    const toBind = await api.wallet.bindChallenge({ address: wallet.address });
    const fresh = await ask(app);
    const both = { cookie: `${headers['cookie']}; ${fresh.headers['cookie']}` };
    expect(await codeOf(await answer(app, { id: toBind.id, headers: both }, wallet.sign(toBind.message)))).toBe('ATTEMPT_GONE');
    await expect(api.wallet.bindAddress({ id: fresh.id, signature: wallet.sign(fresh.message) })).rejects.toMatchObject({
      code: 'ATTEMPT_GONE',
    });
  });

  test('delays a browser and a network after repeated wrong signatures', async () => {
    const app = await bound({ SIGN_IN_PER_NETWORK: '8' });
    const { headers } = await ask(app);
    const wrong = async (cookies: Headers) => (await signed(app, await ask(app, wallet.address, cookies), stranger)).status;
    for (let time = 0; time < 5; time++) expect(await wrong(headers)).toBe(401);
    expect(await wrong(headers)).toBe(429);
    expect(await wrong({})).toBe(401);
    expect(await wrong({})).toBe(401);
    expect(await wrong({})).toBe(429);
  });

  test('requires the second factor of a person who has one', async () => {
    const app = await bound();
    await app.database.db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.email, email));
    const response = await signed(app, await ask(app));
    expect(await response.json()).toEqual({ step: 'factor', methods: ['totp'] });
    expect(await app.database.db.select().from(sessions)).toEqual([]);
  });

  test('requires a mailed code in a new browser if configured', async () => {
    const app = await bound({ NEW_BROWSER_CODE: 'on' });
    expect(await (await signed(app, await ask(app))).json()).toEqual({ step: 'code' });
    expect(await app.database.db.select().from(sessions)).toEqual([]);
  });
});

describe('linking your own wallet', () => {
  const walletOf = async (app: TestApp, whose: string) =>
    (await app.database.db.select().from(administrators).where(eq(administrators.email, whose)))[0]?.walletAddress;

  test('requires the address’s signature, is audited and mailed, and then allows sign-in', async () => {
    const app = await testApp();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    expect(message).toContain('wants you to link your Bitcoin address:\n');
    expect(message).toContain(
      'Let this address sign in to the Admin Panel as editor@demo.local. This does not send a transaction.',
    );
    expect(await api.wallet.bindAddress({ id, signature: wallet.sign(message) })).toEqual({ walletAddress: wallet.address });
    expect(await walletOf(app, 'editor@demo.local')).toBe(wallet.address);
    const [row] = await app.database.db.select().from(audit).where(eq(audit.route, 'wallet.bindAddress'));
    expect(row).toMatchObject({ actorEmail: 'editor@demo.local', entity: 'administrator', result: 'done' });
    expect([row?.before, row?.after].map((text) => JSON.parse(text ?? ''))).toEqual([
      { walletAddress: null },
      { walletAddress: wallet.address },
    ]);
    const [mail] = await app.database.db.select().from(mails);
    expect(mail).toMatchObject({ recipient: 'editor@demo.local' });
    expect(mail?.subject).toContain('A wallet was linked');
    expect((await signed(app, await ask(app))).status).toBe(200);
  });

  test('is refused without the address’s own signature, and changes nothing', async () => {
    const app = await testApp();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    await expect(api.wallet.bindAddress({ id, signature: stranger.sign(message) })).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
    });
    await expect(api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
    expect(await walletOf(app, 'editor@demo.local')).toBeNull();
    expect(await app.database.db.select().from(mails)).toEqual([]);
  });

  test('cannot be completed by another session or person', async () => {
    const app = await testApp();
    const [one, two] = [await signInAs(app, 'editor'), await signInAs(app, 'editor')];
    const { id, message } = await one.api.wallet.bindChallenge({ address: wallet.address });
    await expect(two.api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({
      code: 'ATTEMPT_GONE',
    });
  });

  test('is refused for another person’s address', async () => {
    const app = await bound();
    const { api } = await signInAs(app, 'editor');
    const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
    await expect(api.wallet.bindAddress({ id, signature: wallet.sign(message) })).rejects.toMatchObject({
      code: 'ADDRESS_TAKEN',
    });
    expect(await walletOf(app, 'editor@demo.local')).toBeNull();
  });

  test('gives the address to one of two concurrent requests', async () => {
    const app = await testApp();
    for (let round = 0; round < 5; round++) {
      const both = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
      const outcomes = await Promise.allSettled(
        both.map(async ({ api }) => {
          const { id, message } = await api.wallet.bindChallenge({ address: wallet.address });
          return api.wallet.bindAddress({ id, signature: wallet.sign(message) });
        }),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await app.database.db.update(administrators).set({ walletAddress: null });
    }
  });

  test('requires a recently confirmed second factor', async () => {
    const app = await testApp();
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
    const app = await bound();
    const tokens = [];
    for (let time = 0; time < 2; time++) {
      const response = await signed(app, await ask(app));
      const { authorization } = (await response.json()) as { authorization: string };
      tokens.push({ authorization, cookie: cookieOf(response) });
    }
    const { headers: byPassword } = await signInAs(app, 'analyst');
    const [first = {}, second = {}] = tokens;
    // Without a second factor, the wallet alone does not replace the password.
    expect(await codeOf(await send(app, 'DELETE', '/api/wallet', undefined, first))).toBe('FACTOR_STALE');
    const shown = { method: 'password', value: demoPassword };
    expect((await send(app, 'POST', '/api/account/factor', shown, first)).status).toBe(200);
    expect((await send(app, 'DELETE', '/api/wallet', undefined, first)).status).toBe(200);
    const statusOf = async (headers: Headers) => (await send(app, 'GET', '/api/session', undefined, headers)).status;
    expect([await statusOf(first), await statusOf(second), await statusOf(byPassword)]).toEqual([200, 401, 401]);
    expect(await walletOf(app, email)).toBeNull();
    expect(await codeOf(await signed(app, await ask(app)))).toBe('NO_ACCOUNT');
    expect((await send(app, 'DELETE', '/api/wallet', undefined, first)).status).toBe(404);
    const [mail] = await app.database.db.select().from(mails);
    expect(mail?.subject).toContain('The wallet was unlinked');
  });
});
