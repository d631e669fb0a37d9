import { createHash, createHmac } from 'node:crypto';
import type { AlarmMail, AlarmWebhook, Config } from '../platform/core/config.ts';
import { fillTemplate, languages, type Language } from '../platform/core/wording.ts';
import { alarmPhrases } from './alarm-texts.ts';
import { toPlainText } from './facts.ts';
import { createWording, type Alarm, type ReaderContext, type AlarmWording } from './wording.ts';

export type AlarmChannel = { name: string; mail: AlarmMail } | { name: string; webhook: AlarmWebhook };

/** Names distinguish channels by kind and host without revealing addresses. */
export function channelsOf({ alarms }: Config): AlarmChannel[] {
  const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
  return [
    ...alarms.mail.map((mail) => ({ name: `mail ${mail.address}`, mail })),
    ...alarms.webhooks.map((webhook) => ({
      name: `${webhook.kind} ${new URL(webhook.url).host} ${shortHash(webhook.url)}`,
      webhook,
    })),
  ];
}

export type MessageContext = Pick<ReaderContext, 'publicUrl' | 'names'>;

/** Subjects per message. */
const maxLines = 20;

export function formatMail(alarm: Alarm, { language, zone }: Omit<AlarmMail, 'address'>, context: MessageContext) {
  const localized = (language === null ? languages : [language]).map((entry) => ({
    language: entry,
    wording: createWording(alarm, { language: entry, zone, ...context }),
  }));
  return {
    subject: localized
      .map((entry) => fillTemplate(alarmPhrases.subject[entry.language], { title: entry.wording.title }))
      .join(' / '),
    body: localized.map((entry) => textOf(entry.wording, entry.language, maxLines)).join('\n\n———\n\n'),
  };
}

/** What happened, when, each subject with its link, and the next step. */
function textOf({ title, at, lines, next }: AlarmWording, language: Language, count: number): string {
  const shownLines = lines.slice(0, count);
  const urls = new Set(lines.map(({ url }) => url));
  const [singleUrl] = urls;
  const openLine = (url: string) => fillTemplate(alarmPhrases.open[language], { url });
  return [
    fillTemplate(alarmPhrases.subject[language], { title }),
    fillTemplate(alarmPhrases.at[language], { time: at }),
    '',
    ...shownLines.flatMap(({ text, url }) => (urls.size === 1 ? [text] : [text, openLine(url)])),
    ...(shownLines.length < lines.length
      ? [fillTemplate(alarmPhrases.more[language], { count: lines.length - shownLines.length })]
      : []),
    ...(urls.size === 1 && singleUrl !== undefined ? [openLine(singleUrl)] : []),
    '',
    fillTemplate(alarmPhrases.next[language], { next }),
  ].join('\n');
}

/** Drops subjects that do not fit, never the link and next step. */
function truncateToBytes(wording: AlarmWording, language: Language, bytes: number): string {
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
  const wording = createWording(alarm, { language, zone, ...context });
  const createRequest = (body: object, headers: Record<string, string> = {}, requestUrl = url) => ({
    url: requestUrl,
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
    const signature = hmacSha256(secret ?? '', `${seconds}.${JSON.stringify(message)}`).toString('hex');
    return createRequest(message, {
      'x-alarm-id': alarm.id,
      'x-alarm-timestamp': seconds,
      'x-alarm-signature': `v1=${signature}`,
    });
  }
  const text = truncateToBytes(wording, language, maxBytes[kind]);
  switch (kind) {
    case 'slack':
      return createRequest({ text, unfurl_links: false, unfurl_media: false });
    case 'wecom':
      return createRequest({ msgtype: 'text', text: { content: text } });
    case 'lark': {
      // open.larksuite.com, Custom bot: time and secret are the key, the message is empty.
      const signatureFields =
        secret === null ? {} : { timestamp: seconds, sign: hmacSha256(`${seconds}\n${secret}`, '').toString('base64') };
      return createRequest({ ...signatureFields, msg_type: 'text', content: { text } });
    }
    case 'dingtalk': {
      // open.dingtalk.com, custom robot: milliseconds, and the signature in the address.
      const signedUrl = new URL(url);
      if (secret !== null) {
        signedUrl.searchParams.set('timestamp', String(now));
        signedUrl.searchParams.set('sign', hmacSha256(secret, `${now}\n${secret}`).toString('base64'));
      }
      return createRequest({ msgtype: 'text', text: { content: text }, at: { isAtAll: false } }, {}, signedUrl.href);
    }
  }
}

const hmacSha256 = (key: string, message: string) => createHmac('sha256', key).update(message).digest();

/** Throws if a vendor answers 200 with an error code. */
export function requireDelivered(kind: AlarmWebhook['kind'], responseText: string): void {
  if (kind === 'json' || kind === 'slack') return;
  let parsedBody: unknown;
  try {
    parsedBody = JSON.parse(responseText);
  } catch {
    throw new Error('the response is not JSON');
  }
  const { errcode, code, StatusCode } = (parsedBody ?? {}) as Record<string, unknown>;
  const result = errcode ?? code ?? StatusCode;
  if (result !== 0) throw new Error(`refused with code ${toPlainText(String(result))}`);
}
