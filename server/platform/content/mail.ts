import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import { mails } from './tables.ts';
import type { Config } from '../core/config.ts';
import type { Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { dueCondition } from '../db/due.ts';
import { createAppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { describeError, type Log } from '../core/log.ts';

export interface Mail {
  to: string;
  subject: string;
  body: string;
}

/** In the caller's transaction: sent only if it commits. */
export async function queueMail(queries: Queries, queuedAt: Date, { to, subject, body }: Mail): Promise<void> {
  await queries.insert(mails).values({ id: newId(), recipient: to, subject, body, nextAt: queuedAt, createdAt: queuedAt });
}

/** For `deliverNow` after the commit. If this process dies first, another sends it. */
export async function reserveMail(queries: Queries, queuedAt: Date, { to, subject, body }: Mail): Promise<QueuedMail> {
  const leasedUntil = new Date(queuedAt.getTime() + leaseMs);
  const row = { id: newId(), recipient: to, subject, body, nextAt: queuedAt, createdAt: queuedAt, attempts: 1, leasedUntil };
  const [reservedMail] = await queries.insert(mails).values(row).returning();
  if (!reservedMail) throw new Error('the reserved email was not stored');
  return reservedMail;
}

/**
 * Throws MAIL_FAILED and does not retry. Resolves after `maxMs`: the mail may still arrive, and a later refusal is retried.
 */
export async function deliverNow(services: Services, mail: QueuedMail, maxMs = maxAwaitedMs): Promise<void> {
  const sendMail = createMailSender(services.config);
  let isAwaited = true;
  const pendingDelivery = sendOne(
    services,
    (queuedMail) => withTimeout(maxSendMs, sendMail(queuedMail)),
    mail,
    () => isAwaited,
  );
  const isSent = await Promise.race([pendingDelivery, sleep(maxMs, null, { ref: false })]);
  isAwaited = false;
  if (isSent === false) throw createAppError('MAIL_FAILED');
  if (isSent === null)
    pendingDelivery.catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'could not record that an email was sent'),
    );
}

/** A flood of requests shares one check, so that it opens one connection to the mail server at a time. */
const checksByConfig = new WeakMap<Config, Promise<void>>();
/** How long a check that succeeded counts. A check that failed counts only for those that waited for it. */
const checkTtlMs = 5_000;

/** Throws MAIL_FAILED if the mail server cannot be reached or refuses this panel. */
export async function requireMailServer({ config, log }: Services): Promise<void> {
  if (config.smtpUrl === null) return;
  let pendingCheck = checksByConfig.get(config);
  if (pendingCheck === undefined) {
    pendingCheck = checkMailServer(config.smtpUrl, log);
    checksByConfig.set(config, pendingCheck);
    const forgetCheck = () => checksByConfig.delete(config);
    pendingCheck.then(() => setTimeout(forgetCheck, checkTtlMs).unref(), forgetCheck);
  }
  await pendingCheck;
}

async function checkMailServer(url: string, log: Log): Promise<void> {
  const transport = createTransport({ url, ...smtpTimeouts });
  try {
    await withTimeout(maxAwaitedMs, transport.verify());
  } catch (error) {
    log.warn({ err: describeError(error) }, 'the SMTP server cannot be used, so no code was sent');
    throw createAppError('MAIL_FAILED');
  } finally {
    transport.close();
  }
}

/** In development to the local mailbox. */
export const canSendMail = ({ config }: Services): boolean => config.demo || config.smtpUrl !== null;

/** Throws MAIL_OFF before a person waits for a code in vain. */
export function requireMail(services: Services): void {
  if (!canSendMail(services)) throw createAppError('MAIL_OFF');
}

const leaseMs = 60_000;
/** Shorter than the lease, so that no other process sends the mail too. */
const maxSendMs = 50_000;
const maxAwaitedMs = 15_000;
const smtpTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxWaitMs = 3_600_000;
const maxAttempts = 10;
const pollMs = 1_000;

/** Throws if not accepted. */
export type SendMail = (mail: Mail & { id: string }) => Promise<void>;

type QueuedMail = typeof mails.$inferSelect;

/** Until nothing is due. Safe in several processes: each mail is leased. */
export async function sendMails(services: Services, send: SendMail, isStopped = () => false, maxMs = maxSendMs): Promise<void> {
  while (!isStopped()) {
    const currentMail = await leaseMail(services);
    if (!currentMail) return;
    await sendOne(services, (mail) => withTimeout(maxMs, send(mail)), currentMail);
  }
}

/** Rejects after `timeoutMs`. The work itself is not stopped. */
async function withTimeout(timeoutMs: number, pendingSend: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the SMTP server did not accept the email within ${timeoutMs} ms`)),
      timeoutMs,
    ).unref();
  });
  await Promise.race([pendingSend, timeoutPromise]).finally(() => clearTimeout(timer));
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
  const leaseCondition = and(eq(mails.id, id), eq(mails.attempts, attempts), eq(mails.state, 'queued'));
  try {
    await send({ id, to: recipient, subject, body });
  } catch (error) {
    const isFinal = isLast();
    const retryDelayMs = Math.min(maxWaitMs, 5_000 * 2 ** attempts);
    const errorDescription = describeError(error);
    meter?.mail(isFinal ? 'failed' : 'retried');
    log.warn({ err: errorDescription, attempts }, isFinal ? 'email delivery failed' : 'email delivery failed, will retry');
    await database.db
      .update(mails)
      .set({
        ...(isFinal ? { state: 'failed', ...storedContent } : { state: 'queued' }),
        nextAt: new Date(now() + retryDelayMs),
        leasedUntil: null,
        error: errorDescription.message,
      })
      .where(leaseCondition);
    return false;
  }
  await database.db
    .update(mails)
    .set({ state: 'sent', sentAt: new Date(now()), leasedUntil: null, error: null, ...storedContent })
    .where(leaseCondition);
  meter?.mail('sent');
  return true;
}

/** One at a time, because leases behind a slow server would expire. */
async function leaseMail({ database, now }: Services): Promise<QueuedMail | null> {
  const dueMails = sql`select ${mails.id} from ${mails} where ${mails.state} = 'queued' and ${dueCondition(mails.nextAt, now(), maxWaitMs)}
    and (${mails.leasedUntil} is null or ${dueCondition(mails.leasedUntil, now(), leaseMs)})
    order by ${mails.nextAt} limit 1 for update skip locked`;
  const [leasedMail] = await database.db
    .update(mails)
    .set({ leasedUntil: new Date(now() + leaseMs), attempts: sql`${mails.attempts} + 1` })
    .where(sql`${mails.id} = (${dueMails})`)
    .returning();
  return leasedMail ?? null;
}

/** Without a mail server, mails count as sent: /dev/mail shows them. */
export function startMailer(services: Services): () => Promise<void> {
  const { config, log } = services;
  if (config.smtpUrl === null && !config.demo) {
    log.warn('no email will be sent, so no verification codes, invitations or reset links: set SMTP_URL');
    return async () => {};
  }
  const sendMail = createMailSender(config);
  let pendingRun: Promise<void> | null = null;
  let isStopped = false;
  const runOnce = () => {
    pendingRun ??= sendMails(services, sendMail, () => isStopped)
      .catch((error: unknown) => log.warn({ err: describeError(error) }, 'could not send email, will retry'))
      .finally(() => (pendingRun = null));
  };
  const timer = setInterval(runOnce, pollMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await pendingRun;
  };
}

const createMailSender = ({ smtpUrl, mailFrom, publicUrl }: Services['config']): SendMail =>
  smtpUrl === null ? async () => {} : createSmtpSender(smtpUrl, mailFrom, new URL(publicUrl).hostname);

/** The message id is constant over attempts, so that mailboxes can drop duplicates. */
function createSmtpSender(url: string, senderAddress: string, host: string): SendMail {
  const transport = createTransport({ url, ...smtpTimeouts });
  return async ({ id, to, subject, body }) => {
    await transport.sendMail({
      from: senderAddress,
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
