import { createHash, createHmac } from 'node:crypto';
import type { AlarmMail, AlarmWebhook, Config } from '../platform/core/config.ts';
import { fillTemplate, languages, type Language } from '../platform/core/wording.ts';
import { alarmWords } from './alarm-texts.ts';
import { toPlainText } from './facts.ts';
import { wordingOf, type Alarm, type Reader, type Wording } from './wording.ts';

export type Channel = { name: string; mail: AlarmMail } | { name: string; webhook: AlarmWebhook };

/** Names distinguish channels by kind and host without revealing addresses. */
export function channelsOf({ alarms }: Config): Channel[] {
  const mark = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
  return [
    ...alarms.mail.map((mail) => ({ name: `mail ${mail.address}`, mail })),
    ...alarms.webhooks.map((webhook) => ({
      name: `${webhook.kind} ${new URL(webhook.url).host} ${mark(webhook.url)}`,
      webhook,
    })),
  ];
}

export type MessageContext = Pick<Reader, 'publicUrl' | 'names'>;

/** Subjects per message. */
const maxLines = 20;

export function formatMail(alarm: Alarm, { language, zone }: Omit<AlarmMail, 'address'>, context: MessageContext) {
  const read = (language === null ? languages : [language]).map((one) => ({
    language: one,
    wording: wordingOf(alarm, { language: one, zone, ...context }),
  }));
  return {
    subject: read.map((one) => fillTemplate(alarmWords.subject[one.language], { title: one.wording.title })).join(' / '),
    body: read.map((one) => textOf(one.wording, one.language, maxLines)).join('\n\n———\n\n'),
  };
}

/** What happened, when, each subject with its link, and the next step. */
function textOf({ title, at, lines, next }: Wording, language: Language, count: number): string {
  const shown = lines.slice(0, count);
  const urls = new Set(lines.map(({ url }) => url));
  const [only] = urls;
  const open = (url: string) => fillTemplate(alarmWords.open[language], { url });
  return [
    fillTemplate(alarmWords.subject[language], { title }),
    fillTemplate(alarmWords.at[language], { time: at }),
    '',
    ...shown.flatMap(({ text, url }) => (urls.size === 1 ? [text] : [text, open(url)])),
    ...(shown.length < lines.length ? [fillTemplate(alarmWords.more[language], { count: lines.length - shown.length })] : []),
    ...(urls.size === 1 && only !== undefined ? [open(only)] : []),
    '',
    fillTemplate(alarmWords.next[language], { next }),
  ].join('\n');
}

/** Drops subjects that do not fit, never the link and next step. */
function truncateToBytes(wording: Wording, language: Language, bytes: number): string {
  for (let count = Math.min(maxLines, wording.lines.length); count > 0; count--) {
    const text = textOf(wording, language, count);
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return textOf(wording, language, 0);
}

/** Limits of the vendors in UTF-8 bytes, with reserve. */
const maxBytes = { slack: 30_000, lark: 18_000, dingtalk: 18_000, wecom: 2_000 } as const;

/** Signed while sending, because receivers refuse old signatures. */
export function formatWebhook(
  { kind, url, secret, language, zone }: AlarmWebhook,
  alarm: Alarm,
  context: MessageContext,
  now: number,
) {
  const seconds = String(Math.floor(now / 1000));
  const wording = wordingOf(alarm, { language, zone, ...context });
  const send = (body: object, headers: Record<string, string> = {}, to = url) => ({
    url: to,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
  if (kind === 'json') {
    const message = {
      id: alarm.id,
      kind: alarm.kind,
      title: wording.title,
      at: alarm.at.toISOString(),
      lines: wording.lines.slice(0, maxLines).map(({ text }) => text),
      links: wording.lines.slice(0, maxLines).map((line) => line.url),
      next: wording.next,
      subjects: alarm.subjects.slice(0, maxLines),
      total: alarm.subjects.length,
    };
    // The id is stable across attempts, for deduplication. Time and body are signed like Slack's and Stripe's.
    const signature = hmac(secret ?? '', `${seconds}.${JSON.stringify(message)}`).toString('hex');
    return send(message, { 'x-alarm-id': alarm.id, 'x-alarm-timestamp': seconds, 'x-alarm-signature': `v1=${signature}` });
  }
  const text = truncateToBytes(wording, language, maxBytes[kind]);
  switch (kind) {
    case 'slack':
      return send({ text, unfurl_links: false, unfurl_media: false });
    case 'wecom':
      return send({ msgtype: 'text', text: { content: text } });
    case 'lark': {
      // open.larksuite.com, Custom bot: time and secret are the key, the message is empty.
      const signed = secret === null ? {} : { timestamp: seconds, sign: hmac(`${seconds}\n${secret}`, '').toString('base64') };
      return send({ ...signed, msg_type: 'text', content: { text } });
    }
    case 'dingtalk': {
      // open.dingtalk.com, custom robot: milliseconds, and the signature in the address.
      const to = new URL(url);
      if (secret !== null) {
        to.searchParams.set('timestamp', String(now));
        to.searchParams.set('sign', hmac(secret, `${now}\n${secret}`).toString('base64'));
      }
      return send({ msgtype: 'text', text: { content: text }, at: { isAtAll: false } }, {}, to.href);
    }
  }
}

const hmac = (key: string, message: string) => createHmac('sha256', key).update(message).digest();

/** Throws if a vendor answers 200 with an error code. */
export function requireDelivered(kind: AlarmWebhook['kind'], answer: string): void {
  if (kind === 'json' || kind === 'slack') return;
  let parsedBody: unknown;
  try {
    parsedBody = JSON.parse(answer);
  } catch {
    throw new Error('the response is not JSON');
  }
  const { errcode, code, StatusCode } = (parsedBody ?? {}) as Record<string, unknown>;
  const result = errcode ?? code ?? StatusCode;
  if (result !== 0) throw new Error(`refused with code ${toPlainText(String(result))}`);
}
