import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, type AlarmWebhook } from '../platform/core/config.ts';
import { channelsOf, plain, postOf, refuseAnswer } from './message.ts';

const alarm = { id: 'a-1', kind: 'test', lines: ['one', 'two'], at: new Date('2026-01-02T03:04:05Z') };
const now = 1_700_000_000_123;
const hook = (kind: AlarmWebhook['kind'], secret: string | null = 'hush'): AlarmWebhook => ({
  kind,
  url: 'https://hooks.example.com/x?key=1',
  secret,
});
const bodyOf = (kind: AlarmWebhook['kind'], secret: string | null = 'hush') =>
  JSON.parse(postOf(hook(kind, secret), alarm, now).body) as Record<string, unknown>;

test('our own JSON is signed over time and body, so that neither can be changed or sent again later', () => {
  const { body, headers } = postOf(hook('json'), alarm, now);
  const signature = createHmac('sha256', 'hush').update(`1700000000.${body}`).digest('hex');
  expect(headers).toMatchObject({
    'x-alarm-id': 'a-1',
    'x-alarm-timestamp': '1700000000',
    'x-alarm-signature': `v1=${signature}`,
  });
  expect(JSON.parse(body)).toMatchObject({ id: 'a-1', kind: 'test', lines: ['one', 'two'] });
});

test('Lark and Feishu: the key is second and secret over nothing, in the body', () => {
  const sign = createHmac('sha256', '1700000000\nhush').update('').digest('base64');
  expect(bodyOf('lark')).toMatchObject({ timestamp: '1700000000', sign, msg_type: 'text' });
  expect(bodyOf('lark', null)).not.toHaveProperty('sign');
});

test('DingTalk: millisecond and secret, in the address', () => {
  const { searchParams } = new URL(postOf(hook('dingtalk'), alarm, now).url);
  expect(searchParams.get('timestamp')).toBe(String(now));
  expect(searchParams.get('sign')).toBe(createHmac('sha256', 'hush').update(`${now}\nhush`).digest('base64'));
  expect(searchParams.get('key')).toBe('1');
});

test('WeCom takes 2,048 bytes and no more, whatever the alarm says', () => {
  const long = { ...alarm, lines: Array.from({ length: 200 }, () => '冻结'.repeat(20)) };
  const { body } = postOf(hook('wecom'), long, now);
  const { text } = JSON.parse(body) as { text: { content: string } };
  expect(Buffer.byteLength(text.content)).toBeLessThanOrEqual(2_048);
  expect(bodyOf('slack')).toMatchObject({ text: expect.stringContaining('one\ntwo') });
});

test('a vendor that answers 200 and means no is not believed', () => {
  for (const kind of ['lark', 'dingtalk', 'wecom'] as const) {
    expect(() => refuseAnswer(kind, '{"errcode":310000,"errmsg":"sign not match"}')).toThrow('310000');
    expect(() => refuseAnswer(kind, '<html>')).toThrow('no JSON');
    expect(() => refuseAnswer(kind, '{}')).toThrow('refused');
  }
  refuseAnswer('lark', '{"code":0}');
  refuseAnswer('dingtalk', '{"errcode":0,"errmsg":"ok"}');
});

test('hostile text brings no mention, no link, no markup and no line of its own into an alarm', () => {
  expect(plain('<!channel> <at user_id="all">x</at>\n[y](https://evil.example/?a=1)')).not.toMatch(/[<>[\]/\n"]/);
  expect(plain('x'.repeat(5_000))).toHaveLength(200);
});

test('a channel says its kind and host, and not its address', () => {
  const [mail, hooked] = channelsOf(
    readConfig({ ALARM_MAIL: 'a@example.com', ALARM_WEBHOOKS: 'slack=https://hooks.example.com/services/T0/B0/token' }),
  );
  expect(mail?.name).toBe('mail a@example.com');
  expect(hooked?.name).toMatch(/^slack hooks\.example\.com [0-9a-f]{8}$/);
});

test.each([
  [{ ALARM_WEBHOOKS: 'json=https://a.example/x' }, 'ALARM_SECRET: is needed'],
  [{ ALARM_WEBHOOKS: 'teams=https://a.example/x' }, 'ALARM_WEBHOOKS: must be like'],
  [{ ALARM_WEBHOOKS: 'slack=ftp://a.example/x' }, 'ALARM_WEBHOOKS: must be like'],
  [{ ALARM_WEBHOOKS: 'slack=https://user:secret@a.example/x' }, 'ALARM_WEBHOOKS: must be like'],
  [{ ALARM_SECRET: 'short' }, 'ALARM_SECRET: must be 32 bytes'],
  [{ ALARM_MAIL: 'nobody' }, 'ALARM_MAIL: must be mail addresses'],
  [{ NODE_ENV: 'production', ALARM_MAIL: 'a@example.com' }, 'ALARM_MAIL: needs SMTP_URL'],
  [{ NODE_ENV: 'production', ALARM_WEBHOOKS: 'slack=http://a.example/x' }, 'must be https:// in production'],
])('%o stops the start', (env, says) => {
  expect(() => readConfig(env)).toThrow(says);
});
