import { createHash, createHmac } from 'node:crypto';
import type { AlarmMail, AlarmWebhook, Config } from '../platform/core/config.ts';
import { fill, languages, type Language } from '../platform/core/wording.ts';
import { words } from './alarm-texts.ts';
import { plain } from './facts.ts';
import { wordingOf, type Alarm, type Reader, type Wording } from './wording.ts';

/** A channel as the configuration has it. */
export type Channel = { name: string; mail: AlarmMail } | { name: string; webhook: AlarmWebhook };

/** The configured channels. Their names tell kind and host apart from each other, and give no address away. */
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

/** What a message needs that neither the alarm nor the channel has. */
export type Place = Pick<Reader, 'publicUrl' | 'names'>;

/** Subjects that one message tells of. */
const maxLines = 20;

export function mailOf(alarm: Alarm, { language, zone }: Omit<AlarmMail, 'address'>, place: Place) {
  const read = (language === null ? languages : [language]).map((one) => ({
    language: one,
    wording: wordingOf(alarm, { language: one, zone, ...place }),
  }));
  return {
    subject: read.map((one) => fill(words.subject[one.language], { title: one.wording.title })).join(' / '),
    body: read.map((one) => textOf(one.wording, one.language, maxLines)).join('\n\n———\n\n'),
  };
}

/** The whole message: what happened, when, each subject with its link, and the next step. */
function textOf({ title, at, lines, next }: Wording, language: Language, count: number): string {
  const shown = lines.slice(0, count);
  const urls = new Set(lines.map(({ url }) => url));
  const [only] = urls;
  const open = (url: string) => fill(words.open[language], { url });
  return [
    fill(words.subject[language], { title }),
    fill(words.at[language], { time: at }),
    '',
    ...shown.flatMap(({ text, url }) => (urls.size === 1 ? [text] : [text, open(url)])),
    ...(shown.length < lines.length ? [fill(words.more[language], { count: lines.length - shown.length })] : []),
    ...(urls.size === 1 && only !== undefined ? [open(only)] : []),
    '',
    fill(words.next[language], { next }),
  ].join('\n');
}

/** As many subjects as fit: the link and the next step always do. */
function fitting(wording: Wording, language: Language, bytes: number): string {
  for (let count = Math.min(maxLines, wording.lines.length); count > 0; count--) {
    const text = textOf(wording, language, count);
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return textOf(wording, language, 0);
}

/** The longest text that each vendor takes, in bytes of UTF-8, with room to spare. */
const maxBytes = { slack: 30_000, lark: 18_000, dingtalk: 18_000, wecom: 2_000 } as const;

/** What is posted to a webhook now: signed at the moment of sending, since all of them refuse old signatures. */
export function postOf({ kind, url, secret, language, zone }: AlarmWebhook, alarm: Alarm, place: Place, now: number) {
  const seconds = String(Math.floor(now / 1000));
  const wording = wordingOf(alarm, { language, zone, ...place });
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
    // The id stays the same over attempts, so a receiver can drop a second copy. Slack and Stripe sign time and body as well.
    const signature = hmac(secret ?? '', `${seconds}.${JSON.stringify(message)}`).toString('hex');
    return send(message, { 'x-alarm-id': alarm.id, 'x-alarm-timestamp': seconds, 'x-alarm-signature': `v1=${signature}` });
  }
  const text = fitting(wording, language, maxBytes[kind]);
  switch (kind) {
    case 'slack':
      return send({ text, unfurl_links: false, unfurl_media: false });
    case 'wecom':
      return send({ msgtype: 'text', text: { content: text } });
    case 'lark': {
      // open.larksuite.com, Custom bot: the key is time and secret, the message is empty.
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

/** Throws where a vendor answers 200 and says no: a code other than zero. */
export function refuseAnswer(kind: AlarmWebhook['kind'], answer: string): void {
  if (kind === 'json' || kind === 'slack') return;
  let said: unknown;
  try {
    said = JSON.parse(answer);
  } catch {
    throw new Error('the response is not JSON');
  }
  const { errcode, code, StatusCode } = (said ?? {}) as Record<string, unknown>;
  const result = errcode ?? code ?? StatusCode;
  if (result !== 0) throw new Error(`refused with code ${plain(String(result))}`);
}
