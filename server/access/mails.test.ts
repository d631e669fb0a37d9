import { beforeAll, expect, test } from 'vitest';
import { buildBilingualMail } from '../platform/content/bilingual-mail.ts';
import { mails } from '../platform/content/tables.ts';
import {
  codePurposes,
  guessMail,
  moneyAccountChanges,
  ownerMail,
  ownerNotices,
  type OwnerNotice,
} from '../platform/auth/mail-texts.ts';
import { roles } from '../platform/auth/tables.ts';
import { replyTexts } from '../feedback/mail-texts.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const taprootAddress = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';

let app: TestApp;
let adminSession: TestSession;
let approver: string;
beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  app.clock.now = Date.parse('2026-11-27T02:10:00Z');
  adminSession = await signInAs(app, 'all');
  approver = (await app.database.db.select().from(roles)).find(({ seed }) => seed === 'approver')?.id ?? '';
});

/** The newest with this in its subject. */
async function readMail(email: string, subject: string) {
  const rows = await app.database.db.select().from(mails);
  const matchingMail = rows.filter((row) => row.recipient === email && row.subject.includes(subject)).at(-1);
  if (!matchingMail) throw new Error(`${email} has no mail "${subject}"`);
  const [zh = '', en = ''] = matchingMail.body.split('\n\n———\n\n');
  return { subject: matchingMail.subject, zh, en };
}

let administratorCount = 0;
const addAdministrator = () =>
  adminSession.api.administrators.add({
    email: `person${administratorCount++}@example.com`,
    password: 'correct horse battery staple',
    roles: [approver],
    description: 'Approver',
  });

test('invites a new administrator in both languages with the sender, a link and its end', async () => {
  const { email } = await addAdministrator();
  const { subject, zh, en } = await readMail(email, 'Admin Panel account');
  expect(subject).toBe('管理后台账户已开通 / Your Admin Panel account');
  expect(zh).toMatch(
    /^管理员 admin@demo\.local 为您开通了管理后台账户。请在北京时间 2026-11-28 10:10 前打开以下链接设置密码，链接只能使用一次：\nhttp/,
  );
  expect(en).toMatch(
    /^Administrator admin@demo\.local created an Admin Panel account for you\. Open this link before Nov 28, 2026, 02:10 UTC to set your password\. The link works once:\nhttp/,
  );
  for (const text of [zh, en]) {
    expect(text).toMatch(/\/login#set-password=[\w-]{43}\n/);
    expect(text).toContain(email);
  }
});

test('tells everyone with money permissions who changed which account, when and from where', async () => {
  const { email } = await addAdministrator();
  const { subject, zh, en } = await readMail('operator@demo.local', 'money permissions');
  expect(subject).toBe('资金权限账户变更 / An account with money permissions changed');
  expect(zh).toContain(`admin@demo.local 新增了账户：\n${email}\n\n时间：北京时间 2026-11-27 10:10\nIP 地址：`);
  expect(zh).toContain('变更后 24 小时内不能签署或确认资金操作。此后也始终不能与变更人共同签署。');
  expect(en).toContain(`admin@demo.local added an account:\n${email}\n\nTime: Nov 27, 2026, 02:10 UTC\nIP address: `);
  expect(en).toContain(
    'For 24 h, these accounts can’t sign or confirm money operations. After that, these accounts still can’t sign together with the person who made the change.',
  );
});

test('tells the owner who changed the account', async () => {
  const { id, email, version } = await addAdministrator();
  await adminSession.api.administrators.bindWallet({ id, version, address: taprootAddress });
  const { subject, zh, en } = await readMail(email, 'linked a wallet');
  expect(subject).toBe('管理员为您绑定了登录钱包 / An administrator linked a wallet to your account');
  expect(zh).toContain(`账户：${email}\n操作人：admin@demo.local\n时间：北京时间 2026-11-27 10:10\nIP 地址：`);
  expect(en).toContain(`Account: ${email}\nBy: admin@demo.local\nTime: Nov 27, 2026, 02:10 UTC\nIP address: `);
});

test('sends a verification code with its purpose, its end and where the request came from', async () => {
  await send(app, 'POST', '/api/session/forgot', { email: 'editor@demo.local' });
  const { subject, zh, en } = await readMail('editor@demo.local', 'Verification code');
  const [, code = ''] = /^验证码 (\d{6}) \/ Verification code \1$/.exec(subject) ?? [];
  expect(zh).toContain(`您的验证码是 ${code}，用于重置密码，请在 10 分钟内使用（北京时间 2026-11-27 10:20 前）。`);
  expect(zh).toMatch(/请求的 IP 地址：\S+\n\n如非本人操作，请忽略此邮件并联系管理员。请勿将验证码告诉任何人。\n打开：http/);
  expect(en).toContain(
    `Your verification code is ${code}. Use the code to reset your password within 10 min (until Nov 27, 2026, 02:20 UTC).`,
  );
  expect(en).toMatch(/Requested from IP address: \S+\n\nIf you didn’t request this code, .+\nOpen: http/);
});

test('no mail contains a UUID, a machine-readable time or an unreplaced placeholder', async () => {
  const rows = await app.database.db.select().from(mails);
  expect(rows.length).toBeGreaterThan(5);
  for (const { subject, body } of rows) {
    const text = `${subject}\n${body}`.replaceAll(/https?:\S+/g, '');
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\dT|\{\{|undefined/);
    expect(body.split('\n\n———\n\n')).toHaveLength(2);
  }
});

test.each(Object.keys(ownerNotices) as OwnerNotice[])('%s says what happened and what to do in both languages', (notice) => {
  const noticeTexts = ownerNotices[notice];
  const { what, next } = noticeTexts;
  const isGuessNotice = 'isGuess' in noticeTexts;
  const { subject, body } = buildBilingualMail(isGuessNotice ? guessMail : ownerMail, (language) => ({
    what: what[language],
    next: next[language],
    account: 'a@b.c',
    by: 'd@e.f',
    time: 'now',
    ip: '::1',
    url: 'https://panel.example.com/account',
  }));
  expect(subject).toBe(`${what.zh} / ${what.en}`);
  const [zh = '', en = ''] = body.split('\n\n———\n\n');
  expect(zh.includes('操作人：d@e.f\n')).toBe(!isGuessNotice);
  expect(en.includes('By: d@e.f\n')).toBe(!isGuessNotice);
  expect(zh).toMatch(/^.+。\n\n账户：a@b\.c\n(?:操作人：.+\n)?时间：now\nIP 地址：::1\n\n.*(?:请|如).+。\n打开：https:\/\/panel/);
  expect(en).toMatch(/^.+\.\n\nAccount: a@b\.c\n(?:By: .+\n)?Time: now\nIP address: ::1\n\n.*If .+\.\nOpen: https:\/\/panel/);
});

test('mails with codes, changes and replies differ only in language', () => {
  const noticeTexts = [
    ...Object.values(codePurposes),
    ...Object.values(moneyAccountChanges),
    replyTexts.subject,
    replyTexts.body,
  ];
  for (const { zh, en } of noticeTexts) {
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(en).not.toMatch(/\p{Script=Han}/u);
    expect(zh.match(/\{\{\w+\}\}/g)).toEqual(en.match(/\{\{\w+\}\}/g));
  }
});
