import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import { mails } from './tables.ts';
import type { Config } from '../core/config.ts';
import type { Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { isDue } from '../db/due.ts';
import { appError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { describeError, type Log } from '../core/log.ts';

export interface Mail {
  to: string;
  subject: string;
  body: string;
}

/** In the caller's transaction: sent only if it commits. */
export async function queueMail(queries: Queries, at: Date, { to, subject, body }: Mail): Promise<void> {
  await queries.insert(mails).values({ id: newId(), recipient: to, subject, body, nextAt: at, createdAt: at });
}

/** For `deliverNow` after the commit. If this process dies first, another sends it. */
export async function reserveMail(queries: Queries, at: Date, { to, subject, body }: Mail): Promise<QueuedMail> {
  const leasedUntil = new Date(at.getTime() + leaseMs);
  const row = { id: newId(), recipient: to, subject, body, nextAt: at, createdAt: at, attempts: 1, leasedUntil };
  const [reserved] = await queries.insert(mails).values(row).returning();
  if (!reserved) throw new Error('the reserved email was not stored');
  return reserved;
}

/**
 * Throws MAIL_FAILED and does not retry. Resolves after `maxMs`: the mail may still arrive, and a later refusal is retried.
 */
export async function deliverNow(services: Services, mail: QueuedMail, maxMs = waitedMs): Promise<void> {
  const send = transportOf(services.config);
  let isAwaited = true;
  const sending = sendOne(
    services,
    (one) => within(maxSendMs, send(one)),
    mail,
    () => isAwaited,
  );
  const isSent = await Promise.race([sending, sleep(maxMs, null, { ref: false })]);
  isAwaited = false;
  if (isSent === false) throw appError('MAIL_FAILED');
  if (isSent === null)
    sending.catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'could not record that an email was sent'),
    );
}

/** A flood of requests shares one check, so that it opens one connection to the mail server at a time. */
const checks = new WeakMap<Config, Promise<void>>();
/** How long a check that succeeded counts. A check that failed counts only for those that waited for it. */
const checkedMs = 5_000;

/** Throws MAIL_FAILED if the mail server cannot be reached or refuses this panel. */
export async function requireMailServer({ config, log }: Services): Promise<void> {
  if (config.smtpUrl === null) return;
  let check = checks.get(config);
  if (check === undefined) {
    check = checkMailServer(config.smtpUrl, log);
    checks.set(config, check);
    const forget = () => checks.delete(config);
    check.then(() => setTimeout(forget, checkedMs).unref(), forget);
  }
  await check;
}

async function checkMailServer(url: string, log: Log): Promise<void> {
  const transport = createTransport({ url, ...timeouts });
  try {
    await within(waitedMs, transport.verify());
  } catch (error) {
    log.warn({ err: describeError(error) }, 'the SMTP server cannot be used, so no code was sent');
    throw appError('MAIL_FAILED');
  } finally {
    transport.close();
  }
}

/** In development to the local mailbox. */
export const sendsMail = ({ config }: Services): boolean => config.demo || config.smtpUrl !== null;

/** Throws MAIL_OFF before a person waits for a code in vain. */
export function requireMail(services: Services): void {
  if (!sendsMail(services)) throw appError('MAIL_OFF');
}

const leaseMs = 60_000;
/** Shorter than the lease, so that no other process sends the mail too. */
const maxSendMs = 50_000;
const waitedMs = 15_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxWaitMs = 3_600_000;
const maxAttempts = 10;
const pollMs = 1_000;

/** Throws if not accepted. */
export type SendMail = (mail: Mail & { id: string }) => Promise<void>;

type QueuedMail = typeof mails.$inferSelect;

/** Until nothing is due. Safe in several processes: each mail is leased. */
export async function sendMails(services: Services, send: SendMail, isStopped = () => false, maxMs = maxSendMs): Promise<void> {
  while (!isStopped()) {
    const leased = await leaseMail(services);
    if (!leased) return;
    await sendOne(services, (mail) => within(maxMs, send(mail)), leased);
  }
}

/** Rejects after `ms`. The work itself is not stopped. */
async function within(ms: number, sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the SMTP server did not accept the email within ${ms} ms`)), ms).unref();
  });
  await Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

async function sendOne(
  { config, database, log, meter, now }: Services,
  send: SendMail,
  { id, recipient, subject, body, attempts }: QueuedMail,
  isLast = () => attempts >= maxAttempts,
): Promise<boolean> {
  // Codes and links are removed once sent, except for the local mailbox.
  const storedContent = config.smtpUrl === null ? { subject, body } : { subject: '', body: '' };
  // WHERE clause: only while this process holds the lease.
  const stillLeased = and(eq(mails.id, id), eq(mails.attempts, attempts), eq(mails.state, 'queued'));
  try {
    await send({ id, to: recipient, subject, body });
  } catch (error) {
    const isFinal = isLast();
    const wait = Math.min(maxWaitMs, 5_000 * 2 ** attempts);
    const described = describeError(error);
    meter?.mail(isFinal ? 'failed' : 'retried');
    log.warn({ err: described, attempts }, isFinal ? 'email delivery failed' : 'email delivery failed, will retry');
    await database.db
      .update(mails)
      .set({
        ...(isFinal ? { state: 'failed', ...storedContent } : { state: 'queued' }),
        nextAt: new Date(now() + wait),
        leasedUntil: null,
        error: described.message,
      })
      .where(stillLeased);
    return false;
  }
  await database.db
    .update(mails)
    .set({ state: 'sent', sentAt: new Date(now()), leasedUntil: null, error: null, ...storedContent })
    .where(stillLeased);
  meter?.mail('sent');
  return true;
}

/** One at a time, because leases behind a slow server would expire. */
async function leaseMail({ database, now }: Services): Promise<QueuedMail | null> {
  const dueMails = sql`select ${mails.id} from ${mails} where ${mails.state} = 'queued' and ${isDue(mails.nextAt, now(), maxWaitMs)}
    and (${mails.leasedUntil} is null or ${isDue(mails.leasedUntil, now(), leaseMs)})
    order by ${mails.nextAt} limit 1 for update skip locked`;
  const [taken] = await database.db
    .update(mails)
    .set({ leasedUntil: new Date(now() + leaseMs), attempts: sql`${mails.attempts} + 1` })
    .where(sql`${mails.id} = (${dueMails})`)
    .returning();
  return taken ?? null;
}

/** Without a mail server, mails count as sent: /dev/mail shows them. */
export function startMailer(services: Services): () => Promise<void> {
  const { config, log } = services;
  if (config.smtpUrl === null && !config.demo) {
    log.warn('no email will be sent, so no verification codes, invitations or reset links: set SMTP_URL');
    return async () => {};
  }
  const send = transportOf(config);
  let running: Promise<void> | null = null;
  let stopped = false;
  const tick = () => {
    running ??= sendMails(services, send, () => stopped)
      .catch((error: unknown) => log.warn({ err: describeError(error) }, 'could not send email, will retry'))
      .finally(() => (running = null));
  };
  const timer = setInterval(tick, pollMs);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}

const transportOf = ({ smtpUrl, mailFrom, publicUrl }: Services['config']): SendMail =>
  smtpUrl === null ? async () => {} : smtp(smtpUrl, mailFrom, new URL(publicUrl).hostname);

/** The message id is constant over attempts, so that mailboxes can drop duplicates. */
function smtp(url: string, from: string, host: string): SendMail {
  const transport = createTransport({ url, ...timeouts });
  return async ({ id, to, subject, body }) => {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text: body,
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
}
