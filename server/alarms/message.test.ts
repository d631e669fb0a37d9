import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, type AlarmWebhook } from '../platform/core/config.ts';
import { toPlainText } from './facts.ts';
import { channelsOf, formatWebhook, requireDelivered } from './message.ts';

const alarm = { id: 'a-1', kind: 'test', subjects: [{ by: 'a@b.c' }, { by: 'd@e.f' }], at: new Date('2026-01-02T03:04:05Z') };
const messageContext = { publicUrl: 'https://panel.example.com', names: new Map<string, string>() };
const now = 1_700_000_000_123;
const createWebhook = (kind: AlarmWebhook['kind'], secret: string | null = 'hush'): AlarmWebhook => ({
  kind,
  url: 'https://hooks.example.com/x?key=1',
  secret,
  language: 'en',
  zone: null,
});
const formatBody = (kind: AlarmWebhook['kind'], secret: string | null = 'hush') =>
  JSON.parse(formatWebhook(createWebhook(kind, secret), alarm, messageContext, now).body) as Record<string, unknown>;

test('signs a json webhook over its time and body', () => {
  const { body, headers } = formatWebhook(createWebhook('json'), alarm, messageContext, now);
  const signature = createHmac('sha256', 'hush').update(`1700000000.${body}`).digest('hex');
  expect(headers).toMatchObject({
    'x-alarm-id': 'a-1',
    'x-alarm-timestamp': '1700000000',
    'x-alarm-signature': `v1=${signature}`,
  });
  expect(JSON.parse(body)).toEqual({
    id: 'a-1',
    kind: 'test',
    title: 'Test alarm',
    at: '2026-01-02T03:04:05.000Z',
    lines: ['a@b.c sent this test. Alarms reach this channel.', 'd@e.f sent this test. Alarms reach this channel.'],
    links: ['https://panel.example.com/', 'https://panel.example.com/'],
    next: 'Nothing to do.',
    subjects: [{ by: 'a@b.c' }, { by: 'd@e.f' }],
    total: 2,
  });
});

test('signs a Lark or Feishu message as the vendor documents', () => {
  const expectedSignature = createHmac('sha256', '1700000000\nhush').update('').digest('base64');
  expect(formatBody('lark')).toMatchObject({ timestamp: '1700000000', sign: expectedSignature, msg_type: 'text' });
  expect(formatBody('lark', null)).not.toHaveProperty('sign');
});

test('signs a DingTalk message in the address as the vendor documents', () => {
  const { searchParams } = new URL(formatWebhook(createWebhook('dingtalk'), alarm, messageContext, now).url);
  expect(searchParams.get('timestamp')).toBe(String(now));
  expect(searchParams.get('sign')).toBe(createHmac('sha256', 'hush').update(`${now}\nhush`).digest('base64'));
  expect(searchParams.get('key')).toBe('1');
});

test('leaves out subjects that WeCom has no room for, never the link or the next step', () => {
  const longAlarm = { ...alarm, subjects: Array.from({ length: 200 }, (_, index) => ({ by: `${'冻结'.repeat(20)}${index}` })) };
  const { body } = formatWebhook({ ...createWebhook('wecom'), language: 'zh' }, longAlarm, messageContext, now);
  const { text } = JSON.parse(body) as { text: { content: string } };
  expect(Buffer.byteLength(text.content)).toBeLessThanOrEqual(2_048);
  expect(text.content).toMatch(/另有 \d+ 项，请在管理后台查看。\n打开：https:\/\/panel\.example\.com\/\n\n下一步：无需处理。$/);
  expect(formatBody('slack')).toMatchObject({ text: expect.stringContaining('a@b.c sent this test') });
});

test('rejects a response of 200 that carries an error code', () => {
  for (const kind of ['lark', 'dingtalk', 'wecom'] as const) {
    expect(() => requireDelivered(kind, '{"errcode":310000,"errmsg":"sign not match"}')).toThrow('310000');
    expect(() => requireDelivered(kind, '<html>')).toThrow('not JSON');
    expect(() => requireDelivered(kind, '{}')).toThrow('refused');
  }
  requireDelivered('lark', '{"code":0}');
  requireDelivered('dingtalk', '{"errcode":0,"errmsg":"ok"}');
});

test('removes mentions, links, markup and line breaks from hostile text', () => {
  expect(toPlainText('<!channel> <at user_id="all">x</at>\n[y](https://evil.example/?a=1)')).not.toMatch(/[<>[\]/\n"]/);
  expect(toPlainText('x'.repeat(5_000))).toHaveLength(200);
});

test('names a channel by its kind and host without its address', () => {
  const [mailChannel, webhookChannel] = channelsOf(
    readConfig({ ALARM_MAIL: 'a@example.com', ALARM_WEBHOOKS: 'slack=https://hooks.example.com/services/T0/B0/token' }),
  );
  expect(mailChannel?.name).toBe('mail a@example.com');
  expect(webhookChannel?.name).toMatch(/^slack hooks\.example\.com [0-9a-f]{8}$/);
});

test('reads the language and the time zone after a channel’s address', () => {
  const { mail: mailChannel, webhooks } = readConfig({
    ALARM_MAIL: 'a@example.com, b@example.com zh, c@example.com en Europe/Berlin',
    ALARM_WEBHOOKS: 'lark=https://a.example/x, dingtalk=https://b.example/x#SEC1 en, slack=https://c.example/x Asia/Tokyo zh',
  }).alarms;
  expect(mailChannel.map(({ language, zone }) => [language, zone])).toEqual([
    [null, null],
    ['zh', null],
    ['en', 'Europe/Berlin'],
  ]);
  expect(webhooks.map(({ url, secret, language, zone }) => [url, secret, language, zone])).toEqual([
    ['https://a.example/x', null, 'zh', null],
    ['https://b.example/x', 'SEC1', 'en', null],
    ['https://c.example/x', null, 'zh', 'Asia/Tokyo'],
  ]);
});

test.each([
  [{ ALARM_WEBHOOKS: 'json=https://a.example/x' }, 'ALARM_SECRET is required'],
  [{ ALARM_WEBHOOKS: 'teams=https://a.example/x' }, 'ALARM_WEBHOOKS must be a comma-separated list like'],
  [{ ALARM_WEBHOOKS: 'slack=ftp://a.example/x' }, 'ALARM_WEBHOOKS must be a comma-separated list like'],
  [{ ALARM_WEBHOOKS: 'slack=https://user:secret@a.example/x' }, 'ALARM_WEBHOOKS must be a comma-separated list like'],
  [{ ALARM_WEBHOOKS: 'slack=https://a.example/x fr' }, 'ALARM_WEBHOOKS has an entry with an unknown setting'],
  [{ ALARM_WEBHOOKS: 'slack=https://a.example/x en zh' }, 'ALARM_WEBHOOKS has an entry with an unknown setting'],
  [{ ALARM_WEBHOOKS: 'slack=https://a.example/x,slack=https://a.example/x zh' }, 'ALARM_WEBHOOKS lists an address twice'],
  [{ ALARM_SECRET: 'short' }, 'ALARM_SECRET must be at least 32 bytes long'],
  [{ ALARM_MAIL: 'nobody' }, 'ALARM_MAIL must be a comma-separated list of email addresses'],
  [{ ALARM_MAIL: 'a@example.com Mars/Olympus' }, 'ALARM_MAIL has an entry with an unknown setting'],
  [{ ALARM_MAIL: 'a@example.com,a@example.com en' }, 'ALARM_MAIL lists a@example.com twice'],
  [{ NODE_ENV: 'production', ALARM_MAIL: 'a@example.com' }, 'SMTP_URL is required when ALARM_MAIL is set'],
  [{ NODE_ENV: 'production', ALARM_WEBHOOKS: 'slack=http://a.example/x' }, 'must contain only https:// URLs in production'],
])('refuses to start with %o', (env, expectedError) => {
  expect(() => readConfig(env)).toThrow(expectedError);
});

test('does not repeat a wrong channel setting, which may be part of a secret', () => {
  expect(() => readConfig({ ALARM_WEBHOOKS: 'slack=https://a.example/x#se cret' })).not.toThrow('cret');
});
