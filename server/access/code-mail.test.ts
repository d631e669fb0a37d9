import { like } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { rateLimits } from '../platform/http/tables.ts';
import { deliverNow, reserveMail } from '../platform/content/mail.ts';
import { mails } from '../platform/content/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { mailCodes } from '../platform/auth/tables.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { startSmtpServer } from '../testing/smtp.ts';
import { send, createTestApp } from '../testing/support.ts';

const smtp = await startSmtpServer();
afterAll(() => smtp.close());
const app = await createTestApp({ NEW_BROWSER_CODE: 'on', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, { jobs: false });
const { db } = app.database;
const email = demoAccounts[0]?.email ?? '';

beforeEach(async () => {
  smtp.answerRecipients('250 ok');
  app.clock.now += 1_200_000;
  await db.delete(rateLimits);
  await db.delete(mailCodes);
  await db.delete(mails);
});

/** With the right password. Returns how to continue there. */
async function createBrowser(): Promise<(path: string, body?: unknown) => Promise<Response>> {
  const signInResponse = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  expect(await signInResponse.json()).toEqual({ step: 'code' });
  const cookie = signInResponse.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (path, body) => send(app, 'POST', path, body, { cookie });
}

function readMailedCode(): string {
  const text = (smtp.said().split('DATA\r\n').at(-1) ?? '').replaceAll('=\r\n', ''); // quoted-printable breaks long lines
  return /code is (\d{6})/.exec(text)?.[1] ?? '';
}

test('a code for a new browser counts as sent once the mail server has accepted the mail', async () => {
  const browserRequest = await createBrowser();
  expect(await (await browserRequest('/api/session/code/send')).json()).toEqual({ wait: 60 });
  expect(await db.select().from(mails)).toMatchObject([{ state: 'sent', attempts: 1, body: '' }]);
  expect(await (await browserRequest('/api/session/code', { code: readMailedCode() })).json()).toHaveProperty('authorization');
});

test('a refused mail is reported, its code is void, and another may be requested right away', async () => {
  const browserRequest = await createBrowser();
  smtp.answerRecipients('550 no such mailbox');
  const refusedResponse = await browserRequest('/api/session/code/send');
  expect(refusedResponse.status).toBe(503);
  expect(await refusedResponse.json()).toMatchObject({ code: 'MAIL_FAILED' });
  const [code] = await db.select().from(mailCodes);
  expect(code?.usedAt).not.toBeNull();
  expect(await db.select().from(mails)).toMatchObject([
    { state: 'failed', attempts: 1, subject: '', body: '', leasedUntil: null, error: expect.stringContaining('550') },
  ]);
  expect(app.logged.join('')).toContain('email delivery failed');
  smtp.answerRecipients('250 ok');
  expect((await browserRequest('/api/session/code/send')).status).toBe(200);
  expect((await browserRequest('/api/session/code/send')).status).toBe(429);
  expect((await browserRequest('/api/session/code', { code: readMailedCode() })).status).toBe(200);
});

test('a code stays valid while the mail server is slow, and the email counts as sent once the server accepts it', async () => {
  const slowSmtpServer = await startSmtpServer(400);
  const config = { ...app.config, smtpUrl: `smtp://127.0.0.1:${slowSmtpServer.port}` };
  const log = createLogger({ level: 'silent' });
  const services = { config, log, database: app.database, now: () => app.clock.now, ...openExternalServices(config) };
  const reservedMail = await reserveMail(db, new Date(app.clock.now), { to: email, subject: 'Code', body: 'code is 123456' });
  await deliverNow(services, reservedMail, 50);
  expect(await db.select().from(mails)).toMatchObject([{ state: 'queued' }]);
  await expect.poll(() => db.select().from(mails), { timeout: 10_000 }).toMatchObject([{ state: 'sent', body: '' }]);
  slowSmtpServer.close();
});

test('an outage of the mail server uses up none of the codes that a day allows', async () => {
  const brokenMailApp = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
  for (let attempt = 0; attempt < 25; attempt++)
    expect((await send(brokenMailApp, 'POST', '/api/session/forgot', { email })).status).toBe(503);
  expect(await brokenMailApp.database.db.select().from(rateLimits).where(like(rateLimits.key, 'forgot%'))).toEqual([]);
});

test('a forgotten-password request reports an unreachable mail server in the same way with and without an account', async () => {
  const readAnswers = async (testedApp = app) => {
    const responseBodies = [];
    for (const requestedEmail of [email, 'unknown@example.com']) {
      const response = await send(testedApp, 'POST', '/api/session/forgot', { email: requestedEmail });
      const body = (await response.json()) as { code?: string; wait?: number };
      responseBodies.push([response.status, body.code ?? body.wait]);
    }
    return responseBodies;
  };
  smtp.answerRecipients('550 no such mailbox');
  expect(await readAnswers()).toEqual([
    [200, 60],
    [200, 60],
  ]);
  expect(await db.select().from(mailCodes)).toHaveLength(1);
  const brokenMailApp = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
  const deletedFields = [
    [503, 'MAIL_FAILED'],
    [503, 'MAIL_FAILED'],
  ];
  expect(await readAnswers(brokenMailApp)).toEqual(deletedFields);
  expect(await readAnswers(brokenMailApp)).toEqual(deletedFields); // the rate limit is untouched
  expect(await brokenMailApp.database.db.select().from(mailCodes)).toEqual([]);
});

test('many forgotten-password requests share one connection to the mail server', async () => {
  const ownSmtpServer = await startSmtpServer();
  const testedApp = await createTestApp({ SMTP_URL: `smtp://127.0.0.1:${ownSmtpServer.port}` }, { jobs: false });
  const requestReset = (name: string) => send(testedApp, 'POST', '/api/session/forgot', { email: `${name}@example.com` });
  const concurrentResponses = await Promise.all(['a', 'b', 'c', 'd'].map(requestReset));
  expect([...concurrentResponses, await requestReset('e')].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(ownSmtpServer.said().match(/EHLO/g)).toHaveLength(1);
  ownSmtpServer.close();
});
