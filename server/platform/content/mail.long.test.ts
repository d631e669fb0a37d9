import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { devMailRoutes } from '../../dev/mail.ts';
import { readConfig } from '../core/config.ts';
import type { Services } from '../services/context.ts';
import { createLogger } from '../core/log.ts';
import { queueMail, sendMails, startMailer } from './mail.ts';
import { openExternalServices } from '../services/services.ts';
import { send, createTestApp } from '../../testing/support.ts';
import { waitUntil } from '../../testing/process.ts';
import { startSmtpServer } from '../../testing/smtp.ts';
import { mails } from './tables.ts';

const app = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' }, { jobs: false });
const { db } = app.database;
const testClock = { now: Date.now() };
const createServices = (env: Record<string, string> = {}): Services => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: app.config.dataDir, ...env });
  return {
    config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => testClock.now,
    ...openExternalServices(config),
  };
};
const queueTestMail = (subject: string) =>
  queueMail(db, new Date(testClock.now), { to: 'a@example.com', subject, body: `the code of ${subject}` });
const readMail = async (subject: string) => (await db.select().from(mails).where(eq(mails.subject, subject)))[0];

test('only one of several concurrent processes sends a mail', async () => {
  for (let at = 0; at < 25; at++) await queueTestMail(`crowd ${at}`);
  const sentSubjects: string[] = [];
  const recordSentMail = async ({ subject }: { subject: string }) => void sentSubjects.push(subject);
  await Promise.all([1, 2, 3, 4].map(() => sendMails(createServices(), recordSentMail)));
  expect(sentSubjects.toSorted()).toEqual(Array.from({ length: 25 }, (_, index) => `crowd ${index}`).toSorted());
});

test('a mail server that never accepts a mail completely delays no others, and the mail is retried', async () => {
  await queueTestMail('trickles');
  await queueTestMail('behind it');
  const sentSubjects: string[] = [];
  const sendSlowly = ({ subject }: { subject: string }) =>
    subject === 'trickles' ? new Promise<void>(() => {}) : Promise.resolve(void sentSubjects.push(subject));
  await sendMails(createServices(), sendSlowly, undefined, 50);
  expect(sentSubjects).toEqual(['behind it']);
  expect(await readMail('trickles')).toMatchObject({
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
      await queueMail(tx, new Date(testClock.now), { to: 'a@example.com', subject: 'undone', body: '' });
      throw new Error('no');
    })
    .catch(() => {});
  expect(await readMail('undone')).toBeUndefined();
});

test('a refused mail waits longer after each attempt and is finally given up', async () => {
  await queueTestMail('refused');
  const rejectMail = async () => {
    throw new Error('451 not now');
  };
  const waitTimes: number[] = [];
  for (let attemptNumber = 1; attemptNumber <= 10; attemptNumber++) {
    await sendMails(createServices(), rejectMail);
    const row = await readMail('refused');
    expect(row).toMatchObject({ attempts: attemptNumber, error: '451 not now', state: attemptNumber < 10 ? 'queued' : 'failed' });
    waitTimes.push((row?.nextAt.getTime() ?? 0) - testClock.now);
    testClock.now = row?.nextAt.getTime() ?? 0;
  }
  expect(waitTimes.toSorted((a, b) => a - b)).toEqual(waitTimes);
  await sendMails(createServices(), rejectMail);
  expect(await readMail('refused')).toMatchObject({ attempts: 10 });
});

test('another process sends the mail of a dead process only after its lease', async () => {
  await queueTestMail('orphan');
  void sendMails(createServices(), () => new Promise(() => {}), undefined, 2 ** 31 - 1);
  await waitUntil(async () => (await readMail('orphan'))?.attempts === 1);
  const sentSubjects: string[] = [];
  const recordSentMail = async ({ subject }: { subject: string }) => void sentSubjects.push(subject);
  await sendMails(createServices(), recordSentMail);
  expect(sentSubjects).toEqual([]);
  testClock.now += 60_001;
  await sendMails(createServices(), recordSentMail);
  expect(sentSubjects).toEqual(['orphan']);
});

test('sends no mail twice to a slow server', async () => {
  for (let at = 0; at < 5; at++) await queueTestMail(`slow ${at}`);
  const sentSubjects: string[] = [];
  const recordSentMail = async ({ subject }: { subject: string }) => void sentSubjects.push(subject);
  await sendMails(createServices(), async (mail) => {
    await recordSentMail(mail);
    testClock.now += 40_000;
    if (sentSubjects.length === 2) await sendMails(createServices(), recordSentMail);
  });
  expect(sentSubjects.toSorted()).toEqual(Array.from({ length: 5 }, (_, index) => `slow ${index}`));
});

test('stopping the mailer waits only for the mail being sent', async () => {
  const { port, said: readTranscript, close: closeServer } = await startSmtpServer(100);
  afterAll(closeServer);
  for (let at = 0; at < 10; at++) await queueTestMail(`stopped ${at}`);
  const stopMailer = startMailer(createServices({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
  await waitUntil(() => readTranscript().includes('RCPT TO:'));
  await stopMailer();
  const remainingMails = await db.delete(mails).where(eq(mails.state, 'queued')).returning();
  expect(remainingMails.map(({ subject }) => subject)).toContain('stopped 9');
  expect(remainingMails.every(({ leasedUntil }) => leasedUntil === null)).toBe(true);
});

test('sends a mail unchanged by SMTP and then deletes its text', async () => {
  const { port, said: readTranscript, close: closeServer } = await startSmtpServer();
  afterAll(closeServer);
  await queueTestMail('over smtp');
  const id = (await readMail('over smtp'))?.id ?? '';
  const readSentMail = async () => (await db.select().from(mails).where(eq(mails.id, id)))[0];
  const mailServices = createServices({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Panel <panel@example.com>' });
  const stopMailer = startMailer(mailServices);
  await waitUntil(async () => (await readSentMail())?.state === 'sent');
  await stopMailer();
  expect(readTranscript()).toContain('RCPT TO:<a@example.com>');
  expect(readTranscript()).toContain('From: Panel <panel@example.com>');
  expect(readTranscript()).toContain('the code of over smtp');
  expect(await readSentMail()).toMatchObject({ subject: '', body: '', attempts: 1 });
});

test('line breaks in texts add no header and no recipient', async () => {
  const { port, said: readTranscript, close: closeServer } = await startSmtpServer();
  afterAll(closeServer);
  const subject = 'hello\r\nBcc: everybody@example.com\r\n\r\nanother body';
  await queueMail(db, new Date(testClock.now), { to: 'b@example.com', subject, body: '.\r\nQUIT\r\nRCPT TO:<c@example.com>' });
  const stopMailer = startMailer(
    createServices({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Panel <panel@example.com>' }),
  );
  await waitUntil(async () => readTranscript().includes('RCPT TO:<b@example.com>') && readTranscript().includes('\r\n.\r\n'));
  await stopMailer();
  const [envelope = '', headPart = '', ...bodyParts] = readTranscript().split(/DATA\r\n|\r\n\r\n/);
  expect(envelope.match(/RCPT TO/g)).toHaveLength(1);
  expect(headPart).toMatch(/^Subject: hello/m);
  expect(headPart).not.toMatch(/^Bcc:/im);
  expect(bodyParts.join('')).toContain('..\r\nQUIT'); // a lone dot would end the mail
});

test('the development mailbox shows mail as text with its own content policy', async () => {
  await queueMail(db, new Date(testClock.now), {
    to: 'a@example.com',
    subject: '<img src=x onerror=alert(1)>',
    body: '"><script>1</script>',
  });
  const response = await send(app, 'GET', '/dev/mail');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const html = await response.text();
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toMatch(/<img|<script/);
});

test('production has no mailbox, and logs at the start that it sends no mail', () => {
  const config = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' });
  expect(devMailRoutes(config)).toEqual([]);
  const logLines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (logLine: string) => void logLines.push(logLine) });
  void startMailer({ ...createServices(), config, log })();
  expect(logLines.join('')).toContain('set SMTP_URL');
});
