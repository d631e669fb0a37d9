import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestPasskey } from '../testing/passkey.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { demoPassword } from '../seed/roles.ts';
import { passkeys, sessions } from '../platform/auth/tables.ts';
import { rateLimits } from '../platform/http/tables.ts';

const origin = 'http://panel.localhost:4280';
const email = 'editor@demo.local';

let app: TestApp;
let ownSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ PUBLIC_URL: origin });
});
beforeEach(async () => {
  await app.database.db.delete(passkeys);
  await app.database.db.delete(rateLimits);
  ownSession = await signInAs(app, 'editor');
});

const readRefusal = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'was not refused',
    (error: { code?: string }) => error.code ?? 'no code',
  );

async function addPasskey() {
  const passkey = createTestPasskey({ origin });
  const { options } = await ownSession.api.account.startPasskey();
  await ownSession.api.account.addPasskey({ name: 'Key', response: passkey.make(options) });
  return passkey;
}

async function startSignIn() {
  const signInResponse = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  expect(await signInResponse.json()).toMatchObject({ step: 'factor', methods: ['passkey', 'recovery'] });
  const cookie = signInResponse.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const requestOptions = async () => {
    const response = await send(app, 'POST', '/api/session/passkey', undefined, { cookie });
    return ((await response.json()) as { options: string }).options;
  };
  const giveFactor = async (value: string) => {
    const response = await send(app, 'POST', '/api/session/factor', { method: 'passkey', value }, { cookie });
    return response.status === 200 ? 'in' : ((await response.json()) as { code: string }).code;
  };
  return { ask: requestOptions, give: giveFactor };
}

describe('registering a passkey', () => {
  test('accepts the answer to this session’s challenge, and lists the factor', async () => {
    await addPasskey();
    const { passkeys: storedPasskeys } = await ownSession.api.account.get();
    expect(storedPasskeys).toMatchObject([{ name: 'Key', lastUsedAt: null }]);
  });

  test('ends the other sessions, which began without it', async () => {
    const otherSession = await signInAs(app, 'editor');
    await addPasskey();
    expect(await readRefusal(otherSession.api.session.current())).toBe('UNAUTHORIZED');
    expect((await ownSession.api.session.current()).email).toBe(email);
  });

  test.each([
    ['for another origin', { origin: 'http://evil.localhost:4280' }],
    ['for another site', { rpId: 'evil.localhost' }],
    ['for a question nobody asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['by a device that did not check who holds it', { verified: false }],
  ])('is refused %s', async (_, overrides) => {
    const { options } = await ownSession.api.account.startPasskey();
    const response = createTestPasskey({ origin }).make(options, overrides);
    expect(await readRefusal(ownSession.api.account.addPasskey({ name: 'Key', response }))).toBe('FACTOR_WRONG');
    expect(await app.database.db.$count(passkeys)).toBe(0);
  });

  test('accepts a challenge once, and only in its session', async () => {
    const passkey = createTestPasskey({ origin });
    const { options } = await ownSession.api.account.startPasskey();
    const otherSession = await signInAs(app, 'editor');
    const response = passkey.make(options);
    expect(await readRefusal(otherSession.api.account.addPasskey({ name: 'Key', response }))).toBe('FACTOR_WRONG');
    await ownSession.api.account.addPasskey({ name: 'Key', response });
    expect(await readRefusal(ownSession.api.account.addPasskey({ name: 'Again', response }))).toBe('FACTOR_WRONG');
    expect(await app.database.db.$count(passkeys)).toBe(1);
  });
});

describe('signing in with a passkey', () => {
  test('accepts a correct answer once', async () => {
    const passkey = await addPasskey();
    const { ask, give } = await startSignIn();
    const passkeyResponse = passkey.answer(await ask());
    expect(await give(passkeyResponse)).toBe('in');
    expect(await give(passkeyResponse)).toBe('ATTEMPT_GONE');
    const [storedPasskey] = await app.database.db.select().from(passkeys);
    expect(storedPasskey).toMatchObject({ counter: 1, lastUsedAt: expect.any(Date) });
  });

  test.each([
    ['from another origin', { origin: 'http://evil.localhost:4280' }],
    ['from the same name by another port', { origin: 'http://panel.localhost:9999' }],
    ['for another site', { rpId: 'evil.localhost' }],
    ['to a question nobody asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['by a device that did not check who holds it', { verified: false }],
  ])('is refused %s, and the question is burnt', async (_, overrides) => {
    const passkey = await addPasskey();
    const { ask, give } = await startSignIn();
    const options = await ask();
    expect(await give(passkey.answer(options, overrides))).toBe('FACTOR_WRONG');
    expect(await give(passkey.answer(options))).toBe('FACTOR_WRONG');
    expect(await give(passkey.answer(await ask(), { counter: 2 }))).toBe('in');
  });

  test('is refused with an answer of an earlier sign-in', async () => {
    const passkey = await addPasskey();
    const firstSignIn = await startSignIn();
    const passkeyResponse = passkey.answer(await firstSignIn.ask());
    expect(await firstSignIn.give(passkeyResponse)).toBe('in');
    const secondSignIn = await startSignIn();
    await secondSignIn.ask();
    expect(await secondSignIn.give(passkeyResponse)).toBe('FACTOR_WRONG');
  });

  test('is refused with another browser’s challenge', async () => {
    const passkey = await addPasskey();
    const [firstSignIn, secondSignIn] = [await startSignIn(), await startSignIn()];
    await secondSignIn.ask();
    expect(await secondSignIn.give(passkey.answer(await firstSignIn.ask()))).toBe('FACTOR_WRONG');
  });

  test('is refused when the counter does not increase, because the key may be cloned', async () => {
    const passkey = await addPasskey();
    const signInWithCounter = async (counter: number) => {
      const { ask, give } = await startSignIn();
      return give(passkey.answer(await ask(), { counter }));
    };
    expect(await signInWithCounter(8)).toBe('in');
    expect(await signInWithCounter(8)).toBe('FACTOR_WRONG');
    expect(await signInWithCounter(7)).toBe('FACTOR_WRONG');
    expect(await signInWithCounter(0)).toBe('FACTOR_WRONG');
    expect(await signInWithCounter(9)).toBe('in');
  });

  test('is refused with another person’s passkey', async () => {
    await addPasskey();
    const otherSession = await signInAs(app, 'analyst');
    const otherPasskey = createTestPasskey({ origin });
    const { options } = await otherSession.api.account.startPasskey();
    await otherSession.api.account.addPasskey({ name: 'Key', response: otherPasskey.make(options) });
    const { ask, give } = await startSignIn();
    expect(await give(otherPasskey.answer(await ask()))).toBe('FACTOR_WRONG');
  });
});

test('confirming a passkey again allows protected actions, in that session only', async () => {
  const passkey = await addPasskey();
  const minuteMs = 60_000;
  app.clock.now += 6 * minuteMs;
  expect(await readRefusal(ownSession.api.account.startTotp())).toBe('FACTOR_STALE');
  const { methods, options } = await ownSession.api.account.factor();
  expect(methods).toEqual(['passkey', 'recovery']);
  const value = passkey.answer(options ?? '');
  await ownSession.api.account.confirmFactor({ method: 'passkey', value });
  await ownSession.api.account.startTotp();
  expect(await readRefusal(ownSession.api.account.confirmFactor({ method: 'passkey', value }))).toBe('FACTOR_WRONG');
  const factorRow = await app.database.db
    .select()
    .from(sessions)
    .where(eq(sessions.factorAt, new Date(app.clock.now)));
  expect(factorRow).toHaveLength(1);
});
