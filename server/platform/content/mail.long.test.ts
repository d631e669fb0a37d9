import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { devMailRoutes } from '../../dev/mail.ts';
import { readConfig } from '../core/config.ts';
import type { Services } from '../services/context.ts';
import { createLogger } from '../core/log.ts';
import { queueMail, sendMails, startMailer } from './mail.ts';
import { openExternalServices } from '../services/services.ts';
import { send, testApp } from '../../testing/support.ts';
import { waitUntil } from '../../testing/process.ts';
import { smtpServer } from '../../testing/smtp.ts';
import { mails } from './tables.ts';

const app = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
const { db } = app.database;
const clock = { now: Date.now() };
const services = (env: Record<string, string> = {}): Services => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: app.config.dataDir, ...env });
  return {
    config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => clock.now,
    ...openExternalServices(config),
  };
};
const queue = (subject: string) =>
  queueMail(db, new Date(clock.now), { to: 'a@example.com', subject, body: `the code of ${subject}` });
const one = async (subject: string) => (await db.select().from(mails).where(eq(mails.subject, subject)))[0];

test('only one of several concurrent processes sends a mail', async () => {
  for (let at = 0; at < 25; at++) await queue(`crowd ${at}`);
  const sent: string[] = [];
  const note = async ({ subject }: { subject: string }) => void sent.push(subject);
  await Promise.all([1, 2, 3, 4].map(() => sendMails(services(), note)));
  expect(sent.toSorted()).toEqual(Array.from({ length: 25 }, (_, at) => `crowd ${at}`).toSorted());
});

test('a mail server that never accepts a mail completely delays no others, and the mail is retried', async () => {
  await queue('trickles');
  await queue('behind it');
  const sent: string[] = [];
  const slow = ({ subject }: { subject: string }) =>
    subject === 'trickles' ? new Promise<void>(() => {}) : Promise.resolve(void sent.push(subject));
  await sendMails(services(), slow, undefined, 50);
  expect(sent).toEqual(['behind it']);
  expect(await one('trickles')).toMatchObject({
    state: 'queued',
    attempts: 1,
    leasedUntil: null,
    error: 'the SMTP server did not accept the email within 50 ms',
  });
  await db.delete(mails).where(eq(mails.subject, 'trickles'));
});

test('a transaction that fails sends nothing', async () => {
  await db
    .transaction(async (tx) => {
      await queueMail(tx, new Date(clock.now), { to: 'a@example.com', subject: 'undone', body: '' });
      throw new Error('no');
    })
    .catch(() => {});
  expect(await one('undone')).toBeUndefined();
});

test('a refused mail waits longer after each attempt and is finally given up', async () => {
  await queue('refused');
  const refuse = async () => {
    throw new Error('451 not now');
  };
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    await sendMails(services(), refuse);
    const row = await one('refused');
    expect(row).toMatchObject({ attempts: attempt, error: '451 not now', state: attempt < 10 ? 'queued' : 'failed' });
    waits.push((row?.nextAt.getTime() ?? 0) - clock.now);
    clock.now = row?.nextAt.getTime() ?? 0;
  }
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  await sendMails(services(), refuse);
  expect(await one('refused')).toMatchObject({ attempts: 10 });
});

test('another process sends the mail of a dead process only after its lease', async () => {
  await queue('orphan');
  void sendMails(services(), () => new Promise(() => {}), undefined, 2 ** 31 - 1);
  await waitUntil(async () => (await one('orphan'))?.attempts === 1);
  const sent: string[] = [];
  const note = async ({ subject }: { subject: string }) => void sent.push(subject);
  await sendMails(services(), note);
  expect(sent).toEqual([]);
  clock.now += 60_001;
  await sendMails(services(), note);
  expect(sent).toEqual(['orphan']);
});

test('sends no mail twice to a slow server', async () => {
  for (let at = 0; at < 5; at++) await queue(`slow ${at}`);
  const sent: string[] = [];
  const note = async ({ subject }: { subject: string }) => void sent.push(subject);
  await sendMails(services(), async (mail) => {
    await note(mail);
    clock.now += 40_000;
    if (sent.length === 2) await sendMails(services(), note);
  });
  expect(sent.toSorted()).toEqual(Array.from({ length: 5 }, (_, at) => `slow ${at}`));
});

test('stopping the mailer waits only for the mail being sent', async () => {
  const { port, said, close } = await smtpServer(100);
  afterAll(close);
  for (let at = 0; at < 10; at++) await queue(`stopped ${at}`);
  const stop = startMailer(services({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
  await waitUntil(() => said().includes('RCPT TO:'));
  await stop();
  const left = await db.delete(mails).where(eq(mails.state, 'queued')).returning();
  expect(left.map(({ subject }) => subject)).toContain('stopped 9');
  expect(left.every(({ leasedUntil }) => leasedUntil === null)).toBe(true);
});

test('sends a mail unchanged by SMTP and then deletes its text', async () => {
  const { port, said, close } = await smtpServer();
  afterAll(close);
  await queue('over smtp');
  const id = (await one('over smtp'))?.id ?? '';
  const sent = async () => (await db.select().from(mails).where(eq(mails.id, id)))[0];
  const mailing = services({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Panel <panel@example.com>' });
  const stop = startMailer(mailing);
  await waitUntil(async () => (await sent())?.state === 'sent');
  await stop();
  expect(said()).toContain('RCPT TO:<a@example.com>');
  expect(said()).toContain('From: Panel <panel@example.com>');
  expect(said()).toContain('the code of over smtp');
  expect(await sent()).toMatchObject({ subject: '', body: '', attempts: 1 });
});

test('line breaks in texts add no header and no recipient', async () => {
  const { port, said, close } = await smtpServer();
  afterAll(close);
  const subject = 'hello\r\nBcc: everybody@example.com\r\n\r\nanother body';
  await queueMail(db, new Date(clock.now), { to: 'b@example.com', subject, body: '.\r\nQUIT\r\nRCPT TO:<c@example.com>' });
  const stop = startMailer(services({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Panel <panel@example.com>' }));
  await waitUntil(async () => said().includes('RCPT TO:<b@example.com>') && said().includes('\r\n.\r\n'));
  await stop();
  const [envelope = '', head = '', ...rest] = said().split(/DATA\r\n|\r\n\r\n/);
  expect(envelope.match(/RCPT TO/g)).toHaveLength(1);
  expect(head).toMatch(/^Subject: hello/m);
  expect(head).not.toMatch(/^Bcc:/im);
  expect(rest.join('')).toContain('..\r\nQUIT'); // a lone dot would end the mail
});

test('the development mailbox shows mail as text with its own content policy', async () => {
  await queueMail(db, new Date(clock.now), {
    to: 'a@example.com',
    subject: '<img src=x onerror=alert(1)>',
    body: '"><script>1</script>',
  });
  const answer = await send(app, 'GET', '/dev/mail');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const html = await answer.text();
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toMatch(/<img|<script/);
});

test('production has no mailbox, and logs at the start that it sends no mail', () => {
  const config = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' });
  expect(devMailRoutes(config)).toEqual([]);
  const logged: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  void startMailer({ ...services(), config, log })();
  expect(logged.join('')).toContain('set SMTP_URL');
});
