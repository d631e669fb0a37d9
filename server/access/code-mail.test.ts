import { like } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { rateLimits } from '../platform/http/tables.ts';
import { deliverNow, reserveMail } from '../platform/content/mail.ts';
import { mails } from '../platform/content/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { mailCodes } from '../platform/auth/tables.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { smtpServer } from '../testing/smtp.ts';
import { send, testApp } from '../testing/support.ts';

const smtp = await smtpServer();
afterAll(() => smtp.close());
const app = await testApp({ NEW_BROWSER_CODE: 'on', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, { jobs: false });
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
async function newBrowser(): Promise<(path: string, body?: unknown) => Promise<Response>> {
  const begun = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  expect(await begun.json()).toEqual({ step: 'code' });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (path, body) => send(app, 'POST', path, body, { cookie });
}

function mailedCode(): string {
  const text = (smtp.said().split('DATA\r\n').at(-1) ?? '').replaceAll('=\r\n', ''); // quoted-printable breaks long lines
  return /code is (\d{6})/.exec(text)?.[1] ?? '';
}

test('a code for a new browser counts as sent once the mail server has accepted the mail', async () => {
  const here = await newBrowser();
  expect(await (await here('/api/session/code/send')).json()).toEqual({ wait: 60 });
  expect(await db.select().from(mails)).toMatchObject([{ state: 'sent', attempts: 1, body: '' }]);
  expect(await (await here('/api/session/code', { code: mailedCode() })).json()).toHaveProperty('authorization');
});

test('a refused mail is reported, its code is void, and another may be requested right away', async () => {
  const here = await newBrowser();
  smtp.answerRecipients('550 no such mailbox');
  const refused = await here('/api/session/code/send');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'MAIL_FAILED' });
  const [code] = await db.select().from(mailCodes);
  expect(code?.usedAt).not.toBeNull();
  expect(await db.select().from(mails)).toMatchObject([
    { state: 'failed', attempts: 1, subject: '', body: '', leasedUntil: null, error: expect.stringContaining('550') },
  ]);
  expect(app.logged.join('')).toContain('email delivery failed');
  smtp.answerRecipients('250 ok');
  expect((await here('/api/session/code/send')).status).toBe(200);
  expect((await here('/api/session/code/send')).status).toBe(429);
  expect((await here('/api/session/code', { code: mailedCode() })).status).toBe(200);
});

test('a code stays valid while the mail server is slow, and the email counts as sent once the server accepts it', async () => {
  const slow = await smtpServer(400);
  const config = { ...app.config, smtpUrl: `smtp://127.0.0.1:${slow.port}` };
  const log = createLogger({ level: 'silent' });
  const services = { config, log, database: app.database, now: () => app.clock.now, ...openExternalServices(config) };
  const mail = await reserveMail(db, new Date(app.clock.now), { to: email, subject: 'Code', body: 'code is 123456' });
  await deliverNow(services, mail, 50);
  expect(await db.select().from(mails)).toMatchObject([{ state: 'queued' }]);
  await expect.poll(() => db.select().from(mails), { timeout: 10_000 }).toMatchObject([{ state: 'sent', body: '' }]);
  slow.close();
});

test('an outage of the mail server uses up none of the codes that a day allows', async () => {
  const broken = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
  for (let tries = 0; tries < 25; tries++)
    expect((await send(broken, 'POST', '/api/session/forgot', { email })).status).toBe(503);
  expect(await broken.database.db.select().from(rateLimits).where(like(rateLimits.key, 'forgot%'))).toEqual([]);
});

test('a forgotten-password request reports an unreachable mail server in the same way with and without an account', async () => {
  const answers = async (panel = app) => {
    const found = [];
    for (const requested of [email, 'unknown@example.com']) {
      const answer = await send(panel, 'POST', '/api/session/forgot', { email: requested });
      const body = (await answer.json()) as { code?: string; wait?: number };
      found.push([answer.status, body.code ?? body.wait]);
    }
    return found;
  };
  smtp.answerRecipients('550 no such mailbox');
  expect(await answers()).toEqual([
    [200, 60],
    [200, 60],
  ]);
  expect(await db.select().from(mailCodes)).toHaveLength(1);
  const broken = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
  const removed = [
    [503, 'MAIL_FAILED'],
    [503, 'MAIL_FAILED'],
  ];
  expect(await answers(broken)).toEqual(removed);
  expect(await answers(broken)).toEqual(removed); // the rate limit is untouched
  expect(await broken.database.db.select().from(mailCodes)).toEqual([]);
});

test('many forgotten-password requests share one connection to the mail server', async () => {
  const own = await smtpServer();
  const panel = await testApp({ SMTP_URL: `smtp://127.0.0.1:${own.port}` }, { jobs: false });
  const ask = (name: string) => send(panel, 'POST', '/api/session/forgot', { email: `${name}@example.com` });
  const together = await Promise.all(['a', 'b', 'c', 'd'].map(ask));
  expect([...together, await ask('e')].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(own.said().match(/EHLO/g)).toHaveLength(1);
  own.close();
});
