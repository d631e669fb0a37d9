import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { queueMail, sendMails } from '../platform/content/mail.ts';
import { sealTotp, consumeFactor } from '../platform/auth/sign-in/factors.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createLogger } from '../platform/core/log.ts';
import { createContext } from '../platform/http/request-context.ts';
import { demoPassword } from '../seed/roles.ts';
import { send, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { administrators } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

// After a clock that was a year ahead is corrected, nothing may stay locked for a year.

const yearMs = 365 * 86_400_000;
const jumpClock = async (app: TestApp, runMeanwhile: () => Promise<unknown>) => {
  app.clock.now += yearMs;
  await runMeanwhile();
  app.clock.now -= yearMs;
};
const signIn = (app: TestApp, password: string) =>
  send(app, 'POST', '/api/session', { email: 'admin@demo.local', password }).then(({ status }) => status);
const createServices = (app: TestApp) => ({
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
});

test('an account that was locked during the jump can sign in, and is locked again by new guesses', async () => {
  const app = await createTestApp({}, { jobs: false });
  await jumpClock(app, async () => {
    for (let guessNumber = 0; guessNumber < 8; guessNumber++) await signIn(app, 'wrong');
    expect(await signIn(app, demoPassword)).toBe(429);
  });
  expect(await signIn(app, demoPassword)).toBe(200);
  for (let guessNumber = 0; guessNumber < 5; guessNumber++) expect(await signIn(app, 'wrong')).toBe(401);
  expect(await signIn(app, demoPassword)).toBe(429);
});

test('a network that used its attempts during the jump has new ones', async () => {
  const app = await createTestApp({ SIGN_IN_PER_NETWORK: '3', SIGN_IN_FREE: '100' }, { jobs: false });
  await jumpClock(app, async () => {
    for (let guessNumber = 0; guessNumber < 4; guessNumber++) await signIn(app, 'wrong');
    expect(await signIn(app, demoPassword)).toBe(429);
  });
  expect(await signIn(app, demoPassword)).toBe(200);
});

test('a password reset can be requested again after the jump', async () => {
  const app = await createTestApp({}, { jobs: false });
  const requestPasswordReset = () =>
    send(app, 'POST', '/api/session/forgot', { email: 'admin@demo.local' }).then(({ status }) => status);
  await jumpClock(app, requestPasswordReset);
  expect(await requestPasswordReset()).toBe(200);
  expect(await requestPasswordReset()).toBe(429);
});

test('rate limits counted during the jump start again', async () => {
  const app = await createTestApp({ READS_PER_MINUTE: '3' }, { jobs: false });
  const { headers } = await signInAs(app, 'all');
  const readSession = () => send(app, 'GET', '/api/session', undefined, headers).then(({ status }) => status);
  const lateStatus = await (async () => {
    app.clock.now += 60_000;
    for (let callNumber = 0; callNumber < 3; callNumber++) await readSession();
    return readSession();
  })();
  expect(lateStatus).toBe(429);
  app.clock.now -= 120_000;
  expect(await readSession()).toBe(200);
});

test('a session from the jump does not last a year', async () => {
  const app = await createTestApp({}, { jobs: false });
  let headers: Record<string, string> = {};
  await jumpClock(app, async () => ({ headers } = await signInAs(app, 'all')));
  expect((await send(app, 'GET', '/api/session', undefined, headers)).status).toBe(401);
});

test('an authenticator app used during the jump works again, each code once', async () => {
  const app = await createTestApp({}, { jobs: false });
  const administratorCondition = eq(administrators.email, 'admin@demo.local');
  const [{ id } = { id: '' }] = await app.database.db.select().from(administrators).where(administratorCondition);
  const context = createContext(createServices(app), new Request('http://localhost/'), undefined);
  const secret = new Secret({ size: 20 });
  await app.database.db
    .update(administrators)
    .set({ totpSecret: sealTotp(context, id, secret.base32) })
    .where(administratorCondition);
  const showTotp = () => {
    const value = new TOTP({ secret }).generate({ timestamp: app.clock.now });
    return consumeFactor(context, id, { method: 'totp', value }, '').then(
      () => 'taken',
      ({ code }: { code: string }) => code,
    );
  };
  await jumpClock(app, async () => expect(await showTotp()).toBe('taken'));
  expect(await showTotp()).toBe('taken');
  expect(await showTotp()).toBe('FACTOR_WRONG');
});

test('a mail queued or leased during the jump is sent', async () => {
  const app = await createTestApp({}, { jobs: false });
  const services = createServices(app);
  const { db } = app.database;
  const sentSubjects: string[] = [];
  await jumpClock(app, async () => {
    for (const subject of ['queued', 'leased']) await queueMail(db, new Date(app.clock.now), { to: 'a@b.c', subject, body: '' });
    const leasedUntil = new Date(app.clock.now + 60_000);
    await db.update(mails).set({ leasedUntil }).where(eq(mails.subject, 'leased'));
  });
  await sendMails(services, async ({ subject }) => void sentSubjects.push(subject));
  expect(sentSubjects.toSorted()).toEqual(['leased', 'queued']);
});
