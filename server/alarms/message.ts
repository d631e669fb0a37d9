import { createHash, createHmac } from 'node:crypto';
import type { AlarmWebhook, Config } from '../platform/core/config.ts';

export const alarmKinds = {
  freezeOpened: '资金已冻结 Money is frozen',
  freezeLifted: '资金冻结已解除 A money freeze was lifted',
  reserveShort: '储备不足 The reserve is less than the supply',
  reserveUnproven: '没有新的储备证明 There is no new proof of reserve',
  watchSilent: '链上监控没有结果 A watch over the chain comes to nothing',
  refundUnmatched: '链上出现无人发起的退款 A refund on chain that nobody here intended',
  mintFailed: '铸造失败 A mint failed',
  mintStuck: '铸造停滞 A mint does not go on',
  depositWaits: '存款等待处理 A deposit waits for somebody',
  rulesChanged: '规则或权限已变更 A rule, or who may do what, was changed',
  crsmTrigger: 'CRSM 已到触发线 A CRSM is at its trigger',
  crsmStale: 'CRSM 数据未刷新 The figures of a CRSM are out of date',
  test: '测试告警 Test alarm',
} as const;
export type AlarmKind = keyof typeof alarmKinds;

/** What is told. */
export interface Alarm {
  id: string;
  kind: string;
  lines: readonly string[];
  at: Date;
}

/** A channel as the configuration has it. */
export type Channel = { name: string; mail: string } | { name: string; webhook: AlarmWebhook };

/** The configured channels. Their names tell kind and host apart from each other, and give no address away. */
export function channelsOf({ alarms }: Config): Channel[] {
  const mark = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
  return [
    ...alarms.mail.map((mail) => ({ name: `mail ${mail}`, mail })),
    ...alarms.webhooks.map((webhook) => ({
      name: `${webhook.kind} ${new URL(webhook.url).host} ${mark(webhook.url)}`,
      webhook,
    })),
  ];
}

const mostText = 200;

/** Text from a chain or a person as facts: no markup, no mention, no line of its own, and not long. */
export const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N} .,:;@+_()#-]/gu, '?').slice(0, mostText);

const titleOf = ({ kind }: Alarm): string => alarmKinds[kind as AlarmKind] ?? kind;

export const mailOf = (alarm: Alarm) => ({
  subject: `告警 Alarm: ${titleOf(alarm)}`,
  body: [titleOf(alarm), alarm.at.toISOString(), '', ...alarm.lines, '', `Alarm ${alarm.id}`].join('\n'),
});

/** The longest text that each vendor takes, in bytes of UTF-8, with room to spare. */
const mostBytes = { slack: 30_000, lark: 18_000, dingtalk: 18_000, wecom: 2_000 } as const;

/** What is posted to a webhook now: signed at the moment of sending, since all of them refuse old signatures. */
export function postOf({ kind, url, secret }: AlarmWebhook, alarm: Alarm, now: number) {
  const seconds = String(Math.floor(now / 1000));
  const send = (body: object, headers: Record<string, string> = {}, to = url) => ({
    url: to,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
  if (kind === 'json') {
    const { id, lines, at } = alarm;
    const message = { id, kind: alarm.kind, title: titleOf(alarm), at: at.toISOString(), lines };
    // The id is the same over attempts: a second copy can be told. The signature is over time and body, as Slack and Stripe do it.
    const signature = hmac(secret ?? '', `${seconds}.${JSON.stringify(message)}`).toString('hex');
    return send(message, { 'x-alarm-id': id, 'x-alarm-timestamp': seconds, 'x-alarm-signature': `v1=${signature}` });
  }
  const text = cut([titleOf(alarm), alarm.at.toISOString(), ...alarm.lines].join('\n'), mostBytes[kind]);
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

function cut(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = `${short.slice(0, Math.floor(short.length * 0.9))}…`;
  return short;
}

/** Throws where a vendor answers 200 and says no: a code other than zero. */
export function refuseAnswer(kind: AlarmWebhook['kind'], answer: string): void {
  if (kind === 'json' || kind === 'slack') return;
  let said: unknown;
  try {
    said = JSON.parse(answer);
  } catch {
    throw new Error('the answer is no JSON');
  }
  const { errcode, code, StatusCode } = (said ?? {}) as Record<string, unknown>;
  const result = errcode ?? code ?? StatusCode;
  if (result !== 0) throw new Error(`refused with code ${plain(String(result))}`);
}
