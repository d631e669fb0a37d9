import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testPasskey } from '../testing/passkey.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { demoPassword } from '../seed/roles.ts';
import { passkeys, sessions } from '../platform/auth/tables.ts';
import { rateLimits } from '../platform/http/tables.ts';

const origin = 'http://panel.localhost:4280';
const email = 'editor@demo.local';

let app: TestApp;
let own: TestSession;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: origin });
});
beforeEach(async () => {
  await app.database.db.delete(passkeys);
  await app.database.db.delete(rateLimits);
  own = await signInAs(app, 'editor');
});

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'was not refused',
    (error: { code?: string }) => error.code ?? 'no code',
  );

async function added() {
  const passkey = testPasskey({ origin });
  const { options } = await own.api.account.startPasskey();
  await own.api.account.addPasskey({ name: 'Key', response: passkey.make(options) });
  return passkey;
}

async function waiting() {
  const first = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  expect(await first.json()).toMatchObject({ step: 'factor', methods: ['passkey', 'recovery'] });
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const ask = async () => {
    const response = await send(app, 'POST', '/api/session/passkey', undefined, { cookie });
    return ((await response.json()) as { options: string }).options;
  };
  const give = async (value: string) => {
    const response = await send(app, 'POST', '/api/session/factor', { method: 'passkey', value }, { cookie });
    return response.status === 200 ? 'in' : ((await response.json()) as { code: string }).code;
  };
  return { ask, give };
}

describe('registering a passkey', () => {
  test('accepts the answer to this session’s challenge, and lists the factor', async () => {
    await added();
    const { passkeys: stored } = await own.api.account.get();
    expect(stored).toMatchObject([{ name: 'Key', lastUsedAt: null }]);
  });

  test('ends the other sessions, which began without it', async () => {
    const other = await signInAs(app, 'editor');
    await added();
    expect(await refusal(other.api.session.current())).toBe('UNAUTHORIZED');
    expect((await own.api.session.current()).email).toBe(email);
  });

  test.each([
    ['for another origin', { origin: 'http://evil.localhost:4280' }],
    ['for another site', { rpId: 'evil.localhost' }],
    ['for a question nobody asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['by a device that did not check who holds it', { verified: false }],
  ])('is refused %s', async (_, lie) => {
    const { options } = await own.api.account.startPasskey();
    const response = testPasskey({ origin }).make(options, lie);
    expect(await refusal(own.api.account.addPasskey({ name: 'Key', response }))).toBe('FACTOR_WRONG');
    expect(await app.database.db.$count(passkeys)).toBe(0);
  });

  test('accepts a challenge once, and only in its session', async () => {
    const passkey = testPasskey({ origin });
    const { options } = await own.api.account.startPasskey();
    const other = await signInAs(app, 'editor');
    const response = passkey.make(options);
    expect(await refusal(other.api.account.addPasskey({ name: 'Key', response }))).toBe('FACTOR_WRONG');
    await own.api.account.addPasskey({ name: 'Key', response });
    expect(await refusal(own.api.account.addPasskey({ name: 'Again', response }))).toBe('FACTOR_WRONG');
    expect(await app.database.db.$count(passkeys)).toBe(1);
  });
});

describe('signing in with a passkey', () => {
  test('accepts a correct answer once', async () => {
    const passkey = await added();
    const { ask, give } = await waiting();
    const answer = passkey.answer(await ask());
    expect(await give(answer)).toBe('in');
    expect(await give(answer)).toBe('ATTEMPT_GONE');
    const [kept] = await app.database.db.select().from(passkeys);
    expect(kept).toMatchObject({ counter: 1, lastUsedAt: expect.any(Date) });
  });

  test.each([
    ['from another origin', { origin: 'http://evil.localhost:4280' }],
    ['from the same name by another port', { origin: 'http://panel.localhost:9999' }],
    ['for another site', { rpId: 'evil.localhost' }],
    ['to a question nobody asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['by a device that did not check who holds it', { verified: false }],
  ])('is refused %s, and the question is burnt', async (_, lie) => {
    const passkey = await added();
    const { ask, give } = await waiting();
    const options = await ask();
    expect(await give(passkey.answer(options, lie))).toBe('FACTOR_WRONG');
    expect(await give(passkey.answer(options))).toBe('FACTOR_WRONG');
    expect(await give(passkey.answer(await ask(), { counter: 2 }))).toBe('in');
  });

  test('is refused with an answer of an earlier sign-in', async () => {
    const passkey = await added();
    const one = await waiting();
    const answer = passkey.answer(await one.ask());
    expect(await one.give(answer)).toBe('in');
    const two = await waiting();
    await two.ask();
    expect(await two.give(answer)).toBe('FACTOR_WRONG');
  });

  test('is refused with another browser’s challenge', async () => {
    const passkey = await added();
    const [one, two] = [await waiting(), await waiting()];
    await two.ask();
    expect(await two.give(passkey.answer(await one.ask()))).toBe('FACTOR_WRONG');
  });

  test('is refused when the counter does not increase, because the key may be cloned', async () => {
    const passkey = await added();
    const enter = async (counter: number) => {
      const { ask, give } = await waiting();
      return give(passkey.answer(await ask(), { counter }));
    };
    expect(await enter(8)).toBe('in');
    expect(await enter(8)).toBe('FACTOR_WRONG');
    expect(await enter(7)).toBe('FACTOR_WRONG');
    expect(await enter(0)).toBe('FACTOR_WRONG');
    expect(await enter(9)).toBe('in');
  });

  test('is refused with another person’s passkey', async () => {
    await added();
    const stranger = await signInAs(app, 'analyst');
    const theirs = testPasskey({ origin });
    const { options } = await stranger.api.account.startPasskey();
    await stranger.api.account.addPasskey({ name: 'Key', response: theirs.make(options) });
    const { ask, give } = await waiting();
    expect(await give(theirs.answer(await ask()))).toBe('FACTOR_WRONG');
  });
});

test('confirming a passkey again allows protected actions, in that session only', async () => {
  const passkey = await added();
  const minute = 60_000;
  app.clock.now += 6 * minute;
  expect(await refusal(own.api.account.startTotp())).toBe('FACTOR_STALE');
  const { methods, options } = await own.api.account.factor();
  expect(methods).toEqual(['passkey', 'recovery']);
  const value = passkey.answer(options ?? '');
  await own.api.account.confirmFactor({ method: 'passkey', value });
  await own.api.account.startTotp();
  expect(await refusal(own.api.account.confirmFactor({ method: 'passkey', value }))).toBe('FACTOR_WRONG');
  const fresh = await app.database.db
    .select()
    .from(sessions)
    .where(eq(sessions.factorAt, new Date(app.clock.now)));
  expect(fresh).toHaveLength(1);
});
