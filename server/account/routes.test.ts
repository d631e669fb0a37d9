import { and, eq, like } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../api/contract.ts';
import { contractRoutes } from '../../api/route.ts';
import { maxSessions } from '../platform/auth/sign-in/sessions.ts';
import { newPasswordLink } from '../platform/auth/sign-in/set-password.ts';
import { newContext } from '../platform/http/request-context.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createLogger } from '../platform/core/log.ts';
import { apiOf, peerAt, send, testApp, type TestApp } from '../testing/support.ts';
import { oneWaits } from '../testing/process.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, mailCodes, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { rateLimits } from '../platform/http/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

const minute = 60_000;

/** The lists are pinned here because they protect all other routes. */
const guarded = contractRoutes(contract)
  .filter(({ meta }) => 'permission' in meta)
  .map(({ path }) => path.join('/'));
const fresh = [
  'administrators/add',
  'administrators/edit',
  'administrators/enable',
  'administrators/disable',
  'administrators/remove',
  'administrators/resetPassword',
  'administrators/resetFactor',
  'administrators/bindWallet',
  'administrators/unbindWallet',
  'alarms/test',
  'audit/export',
  ...[
    'addCustody',
    'addReceiver',
    'enrol',
    'enrolment',
    'freeze',
    'removeApprover',
    'removeCustody',
    'removeReceiver',
    'setMinter',
    'setRules',
    'sign',
    'unfreeze',
  ].map((action) => `authority/${action}`),
  ...['acceptDebtGasCompensation', 'claimAllCollateralGains', 'claimYield', 'commitDebtGasCompensation', 'create', 'deposit'].map(
    (action) => `crsm/${action}`,
  ),
  ...['repay', 'updateCR', 'withdraw', 'withdrawFromSP'].map((action) => `crsm/${action}`),
  'dataPanel/resolve',
  'deposits/confirm',
  'deposits/edit',
  'deposits/remove',
  'feedback/reply',
  'news/show',
  'notices/show',
  'deposits/retryMint',
  'deposits/closeFailed',
  'deposits/unblock',
  'permissions/add',
  'permissions/edit',
  'permissions/move',
  'permissions/remove',
  'permissions/reset',
  'points/adjust',
  'points/reverse',
  ...['start', 'resume', 'undo'].map((step) => `pointsImports/${step}`),
  'roles/add',
  'roles/edit',
  'roles/copy',
  'roles/remove',
  'withdrawals/add',
  'withdrawals/cancel',
  'withdrawals/offerAgain',
  'withdrawals/prepareRequest',
  'withdrawals/prepareConfirm',
  'withdrawals/signRefund',
];
const newPassword = 'harbour lantern seventeen';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ NEW_BROWSER_CODE: 'on' });
});
beforeEach(async () => {
  app.clock.now += 20 * minute; // resets rate limits
  await app.database.db.delete(rateLimits);
});

const emailOf = (role: string): string => demoAccounts.find((account) => account.role === role)?.email ?? '';
const idOf = async (email: string): Promise<string> => {
  const [found] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  return found?.id ?? '';
};

/** Keeps cookies and its session. */
class Browser {
  readonly cookies = new Map<string, string>();
  authorization = '';
  ip = '127.0.0.1';

  async call(path: string, body: unknown = {}): Promise<{ status: number; body: Record<string, unknown>; code: string }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      'content-type': 'application/json',
      cookie,
      ...(this.authorization && { authorization: this.authorization }),
    };
    const request = new Request(`http://localhost/rpc/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ json: body }),
    });
    const response = await app.http.fetch(request, peerAt(this.ip));
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { json } = (await response.json()) as { json: Record<string, unknown> };
    if (typeof json['authorization'] === 'string') this.authorization = json['authorization'];
    return { status: response.status, body: json, code: typeof json['code'] === 'string' ? json['code'] : '' };
  }

  password(email: string, password = demoPassword) {
    return this.call('session/signIn', { email, password });
  }
}

const codeOf = async (email: string): Promise<string> => {
  const { rows } = await app.database.pool.query<{ subject: string }>(
    `select subject from mails where recipient = $1 and subject like '%code%' order by created_at desc, id desc limit 1`,
    [email],
  );
  return /(\d{6})$/.exec(rows[0]?.subject ?? '')?.[1] ?? '';
};
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** From a new browser, with the mailed code. */
async function signedIn(email: string, password = demoPassword): Promise<Browser> {
  const browser = new Browser();
  expect((await browser.password(email, password)).body).toEqual({ step: 'code' });
  expect(await browser.call('session/sendCode')).toMatchObject({ status: 200, body: { wait: 60 } });
  expect((await browser.call('session/giveCode', { code: await codeOf(email) })).body).toHaveProperty('authorization');
  return browser;
}

describe('a mailed code', () => {
  const email = emailOf('editor');
  test('signs in a new browser once, and the browser is known from then on', async () => {
    const browser = await signedIn(email);
    expect((await browser.call('session/giveCode', { code: await codeOf(email) })).code).toBe('ATTEMPT_GONE');
    expect((await browser.password(email)).body).toHaveProperty('authorization');
    expect((await new Browser().password(email)).body).toEqual({ step: 'code' });
  });

  test('is refused in a browser that gave no password', async () => {
    const begun = new Browser();
    await begun.password(email);
    await begun.call('session/sendCode');
    const code = await codeOf(email);
    expect((await new Browser().call('session/giveCode', { code })).code).toBe('ATTEMPT_GONE');
    expect(begun.authorization).toBe('');
    const before = begun.cookies.get('pre');
    await begun.call('session/giveCode', { code });
    expect(begun.cookies.get('pre')).toBeUndefined();
    expect([...begun.cookies.values()]).not.toContain(before);
  });

  test('allows five attempts, also concurrent ones', async () => {
    const browser = new Browser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await codeOf(email);
    await Promise.all(Array.from({ length: 12 }, () => browser.call('session/giveCode', { code: otherThan(code) })));
    await app.database.db.delete(rateLimits);
    expect((await browser.call('session/giveCode', { code })).code).toBe('CODE_WRONG');
    const [row] = await app.database.db.select().from(mailCodes).where(eq(mailCodes.attempts, 5));
    expect(row?.usedAt).toBeNull();
  });

  test('works once when two requests use it', async () => {
    const browser = new Browser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await codeOf(email);
    const answers = await Promise.all([1, 2, 3].map(() => browser.call('session/giveCode', { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('expires after ten minutes, and is sent once a minute', async () => {
    const browser = new Browser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await codeOf(email);
    expect(await browser.call('session/sendCode')).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      body: { data: { retryAfter: 60 } },
    });
    app.clock.now += 5 * minute;
    await browser.password(email);
    app.clock.now += 5 * minute + 1;
    expect((await browser.call('session/giveCode', { code })).code).toBe('CODE_WRONG');
  });

  test('does not work for another purpose, or after a newer code', async () => {
    const browser = await signedIn(email);
    await browser.call('account/sendCode');
    const first = await codeOf(email);
    expect((await new Browser().call('session/resetPassword', { email, code: first, password: newPassword })).code).toBe(
      'CODE_WRONG',
    );
    app.clock.now += minute;
    await browser.call('account/sendCode');
    const change = { current: demoPassword, password: newPassword, code: first };
    if (first !== (await codeOf(email))) expect((await browser.call('account/changePassword', change)).code).toBe('CODE_WRONG');
  });

  test('is stored only in the mail', async () => {
    const browser = new Browser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await codeOf(email);
    const { rows } = await app.database.pool.query<{ row: string }>(`select m.code_hash as row from mail_codes m`);
    expect(rows.map(({ row }) => row).join(' ')).not.toContain(` ${code}`);
    expect(app.logged.join('')).not.toContain(`"${code}"`);
  });
});

describe('a password', () => {
  test('is changed with the current one and a code, which ends other sessions and sends a mail', async () => {
    const email = emailOf('operator');
    const [here, there] = [await signedIn(email), new Browser()];
    here.cookies.forEach((value, name) => name === 'browser' && there.cookies.set(name, value));
    await there.password(email);
    await here.call('account/sendCode');
    const code = await codeOf(email);
    const change = { current: demoPassword, password: newPassword, code };
    expect((await here.call('account/changePassword', { ...change, current: 'not this one at all' })).body).toMatchObject({
      data: { issues: [{ path: 'current', rule: 'invalid' }] },
    });
    expect((await here.call('account/changePassword', { ...change, password: 'fourteen chars' })).body).toMatchObject({
      data: { issues: [{ path: 'password', rule: 'tooShort' }] },
    });
    expect((await here.call('account/changePassword', { ...change, password: `${email} password` })).body).toMatchObject({
      data: { issues: [{ path: 'password', rule: 'invalid' }] },
    });
    expect((await here.call('account/changePassword', change)).status).toBe(200);
    expect((await here.call('session/current')).status).toBe(200);
    expect((await there.call('session/current')).status).toBe(401);
    expect((await here.password(email)).code).toBe('SIGN_IN_FAILED');
    expect((await here.password(email, newPassword)).body).toHaveProperty('authorization');
    const reported = await app.database.db
      .select()
      .from(mails)
      .where(and(eq(mails.recipient, email), like(mails.subject, '%Your password was changed%')));
    expect(reported).toHaveLength(1);
  });

  test('that was forgotten is reset with a code, with the same answer for unknown accounts', async () => {
    const email = emailOf('analyst');
    const before = await signedIn(email);
    const known = await new Browser().call('session/forgot', { email });
    const unknown = await new Browser().call('session/forgot', { email: 'nobody@example.com' });
    expect(unknown).toEqual(known);
    expect(await codeOf('nobody@example.com')).toBe('');
    const code = await codeOf(email);
    const wrong = await new Browser().call('session/resetPassword', { email, code: otherThan(code), password: newPassword });
    const nobody = await new Browser().call('session/resetPassword', {
      email: 'nobody@example.com',
      code,
      password: newPassword,
    });
    expect({ ...nobody.body, data: null }).toEqual({ ...wrong.body, data: null });
    expect((await new Browser().call('session/resetPassword', { email, code, password: newPassword })).status).toBe(200);
    expect((await new Browser().call('session/resetPassword', { email, code, password: newPassword })).code).toBe('CODE_WRONG');
    expect((await before.call('session/current')).status).toBe(401);
    expect((await new Browser().password(email, newPassword)).body).toEqual({ step: 'code' });
  });

  test('reset and wrong codes are audited, and guessing in a session is reported to its owner', async () => {
    const email = emailOf('approver');
    const browser = await signedIn(email);
    const refusals = async () => {
      const rows = await app.database.db
        .select()
        .from(audit)
        .where(and(eq(audit.result, 'refused'), eq(audit.actorEmail, email)))
        .orderBy(audit.seq);
      return rows.map(({ route }) => route);
    };
    const reported = () =>
      app.database.db.$count(mails, and(eq(mails.recipient, email), like(mails.subject, '%on a device where you’re signed in%')));
    expect(await refusals()).toEqual([]);

    await browser.call('account/confirmFactor', { method: 'password', value: 'not the password, guessed' });
    expect(await refusals()).toEqual(['account.confirmFactor']);
    await browser.call('account/sendCode');
    const code = otherThan(await codeOf(email));
    const change = { current: 'not the password, guessed', password: newPassword, code };
    await browser.call('account/changePassword', change);
    await browser.call('account/changePassword', { ...change, current: demoPassword });
    expect(await refusals()).toEqual(['account.confirmFactor', 'account.changePassword', 'account.changePassword']);
    expect(await reported()).toBe(1);

    await new Browser().call('session/resetPassword', { email, code, password: newPassword });
    await new Browser().call('session/resetPassword', { email: 'nobody@example.com', code, password: newPassword });
    expect((await refusals()).slice(3)).toEqual(['session.resetPassword']);
    expect(await reported()).toBe(1);
  });

  test('that was replaced no longer signs in, even in a sign-in that is under way', async () => {
    const email = emailOf('access');
    const { db } = app.database;
    const [{ passwordHash } = { passwordHash: null }] = await db
      .select()
      .from(administrators)
      .where(eq(administrators.email, email));
    const [begun, own] = [new Browser(), new Browser()];
    expect((await begun.password(email)).body).toEqual({ step: 'code' });
    await own.call('session/forgot', { email });
    expect((await own.call('session/resetPassword', { email, code: await codeOf(email), password: newPassword })).status).toBe(
      200,
    );
    expect((await begun.call('session/sendCode')).code).toBe('ATTEMPT_GONE');

    let answer: ReturnType<Browser['password']> | undefined;
    await db.transaction(async (tx) => {
      await tx.update(administrators).set({ passwordHash }).where(eq(administrators.email, email));
      answer = own.password(email, newPassword);
      await oneWaits(app.database); // the password was accepted, waiting for the account
    });
    expect((await answer)?.code).toBe('SIGN_IN_FAILED');
  });

  longTest('takes as long to ask for, and to set wrongly, with an account as without', async () => {
    const email = emailOf('access');
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 15; round++) {
      for (const [kind, who] of [
        ['known', email],
        ['unknown', `nobody${round}@example.com`],
      ] as const) {
        app.clock.now += 2 * minute;
        const started = performance.now();
        await new Browser().call('session/forgot', { email: who });
        await new Browser().call('session/resetPassword', { email: who, code: '000000', password: newPassword });
        took[kind].push(performance.now() - started);
      }
      await app.database.db.delete(rateLimits);
    }
    // The fastest of each, because other load only adds time.
    const ratio = Math.min(...took.known) / Math.min(...took.unknown);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  test('is set with a link once, until a newer link or its expiry', async () => {
    const id = await idOf(emailOf('approver'));
    const token = async () => {
      const services = {
        config: app.config,
        log: createLogger({ level: 'silent' }),
        database: app.database,
        now: () => app.clock.now,
        ...openExternalServices(app.config),
      };
      const context = newContext(services, new Request('http://localhost/'), undefined);
      const link = await app.database.db.transaction((tx) => newPasswordLink(tx, context, id));
      return link.split('#set-password=')[1] ?? '';
    };
    const use = (value: string) => new Browser().call('session/usePasswordLink', { token: value, password: newPassword });
    const first = await token();
    const second = await token();
    expect((await use(first)).code).toBe('LINK_GONE');
    const answers = await Promise.all([use(second), use(second), use(second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ email: emailOf('approver') });
    const late = await token();
    app.clock.now += 72 * 60 * minute + 1;
    expect((await use(late)).code).toBe('LINK_GONE');
  });
});

test('guessing cannot lock out a person’s known browser', async () => {
  const email = emailOf('editor');
  const own = await signedIn(email);
  const guesser = new Browser();
  for (let guess = 0; guess < 8; guess++) await guesser.password(email, 'not the password, guessed');
  expect((await guesser.password(email)).code).toBe('TOO_MANY_REQUESTS');
  expect((await own.password(email)).body).toHaveProperty('authorization');
  expect((await guesser.password(email)).code).toBe('TOO_MANY_REQUESTS');
  for (let guess = 0; guess < 8; guess++) await own.password(email, 'not the password, guessed');
  expect((await own.password(email)).code).toBe('TOO_MANY_REQUESTS');
});

describe('a forgotten password', () => {
  const email = emailOf('editor');
  const guess = (browser: Browser) =>
    browser.call('session/resetPassword', { email, code: '000000', password: newPassword }).then(({ code }) => code);

  test('can be reset in a known browser regardless of strangers’ guesses', async () => {
    const own = await signedIn(email);
    for (let n = 0; n < 6; n++) await guess(new Browser());
    expect(await guess(new Browser())).toBe('TOO_MANY_REQUESTS');
    expect(await guess(own)).toBe('CODE_WRONG');
    await new Browser().call('session/forgot', { email });
    expect((await own.call('session/forgot', { email })).status).toBe(200);
    expect((await own.call('session/forgot', { email })).code).toBe('TOO_MANY_REQUESTS');
  });

  longTest('sends strangers at most twenty codes a day to one mailbox, with the same answer for unknown accounts', async () => {
    const own = await signedIn(email);
    const requested = async (who: string) => {
      const answers: string[] = [];
      for (let n = 0; n < 22; n++) {
        app.clock.now += minute;
        const stranger = new Browser();
        stranger.ip = `10.0.${n}.1`;
        answers.push((await stranger.call('session/forgot', { email: who })).code);
      }
      return answers;
    };
    const expected = [...Array.from({ length: 20 }, () => ''), 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'];
    expect(await requested(email)).toEqual(expected);
    expect(await requested('nobody@example.com')).toEqual(expected);
    expect((await own.call('session/forgot', { email })).status).toBe(200);
    app.clock.now += 24 * 60 * minute;
    expect((await new Browser().call('session/forgot', { email })).status).toBe(200);
  });
});

test('production without a mail server reports for every account alike that it cannot send codes', async () => {
  const closed = await testApp({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://panel.example.com',
    SECRET_KEY: 'a key from outside, long enough for it',
  });
  for (const email of ['admin@demo.local', 'nobody@example.com']) {
    const answer = await send(closed, 'POST', '/api/session/forgot', { email });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'MAIL_OFF' });
  }
  expect(closed.logged.join('')).toContain('set SMTP_URL');
});

describe('a person’s own sessions', () => {
  test('are limited to ten, and the oldest one ends', async () => {
    const email = emailOf('operator');
    const stranger = await signedIn(emailOf('analyst'), newPassword);
    const first = await signedIn(email, newPassword);
    const browsers = [first];
    while (browsers.length < maxSessions + 1) {
      const next = new Browser();
      first.cookies.forEach((value, name) => name === 'browser' && next.cookies.set(name, value));
      app.clock.now += 1000;
      expect((await next.password(email, newPassword)).body).toHaveProperty('authorization');
      browsers.push(next);
    }
    const statuses = [];
    for (const browser of browsers) statuses.push((await browser.call('session/current')).status);
    expect(statuses).toEqual([401, ...Array.from({ length: maxSessions }, () => 200)]);
    expect((await stranger.call('session/current')).status).toBe(200);
  });

  test('are listed with the current one marked, and can be ended one by one or all', async () => {
    const email = emailOf('all');
    const [one, two, three] = [await signedIn(email), new Browser(), new Browser()];
    for (const browser of [two, three]) {
      one.cookies.forEach((value, name) => name === 'browser' && browser.cookies.set(name, value));
      await browser.password(email);
    }
    type Own = { id: string; current: boolean }[];
    const list = (await two.call('account/get')).body['sessions'] as Own;
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    const oneOwn = ((await one.call('account/get')).body['sessions'] as Own).find(({ current }) => current);
    const stranger = await signedIn(emailOf('editor'));
    expect((await stranger.call('account/endSession', { id: oneOwn?.id })).code).toBe('NOT_FOUND');
    expect((await two.call('account/endSession', { id: oneOwn?.id })).status).toBe(200);
    expect((await one.call('session/current')).status).toBe(401);
    expect((await two.call('account/endOtherSessions')).body).toEqual({ ended: 1 });
    expect((await three.call('session/current')).status).toBe(401);
    expect((await two.call('session/current')).status).toBe(200);
  });

  test('are extended by a person’s requests, not by automatic ones', async () => {
    const browser = await signedIn(emailOf('all'));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { authorization: browser.authorization, cookie };
    const background = apiOf(app, { ...headers, 'x-background': '1' });
    const person = apiOf(app, headers);
    app.clock.now += 20 * minute;
    await person.session.current();
    app.clock.now += 20 * minute;
    await background.session.current();
    app.clock.now += 11 * minute;
    await expect(background.session.current()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a second factor', () => {
  const email = emailOf('all');
  async function enrolled(): Promise<{ browser: Browser; digits: (steps?: number) => string; recovery: string[] }> {
    await app.database.db
      .update(administrators)
      .set({ totpSecret: null, totpLastStep: null })
      .where(eq(administrators.email, email));
    await app.database.pool.query('delete from recovery_codes');
    const browser = await signedIn(email);
    const { body } = await browser.call('account/startTotp');
    const totp = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) });
    expect(String(body['uri'])).toContain('otpauth://totp/Admin%20Panel');
    const digits = (steps = 0) => totp.generate({ timestamp: app.clock.now + steps * 30_000 });
    expect((await browser.call('account/addTotp', { code: otherThan(digits()) })).status).toBe(400);
    const added = await browser.call('account/addTotp', { code: digits() });
    return { browser, digits, recovery: added.body['recoveryCodes'] as string[] };
  }

  test('is required at sign-in, and accepts the same or old digits only once', async () => {
    const { browser, digits } = await enrolled();
    app.clock.now += minute;
    expect((await browser.password(email)).body).toEqual({ step: 'factor', methods: ['totp', 'recovery'] });
    const code = digits();
    expect((await browser.call('session/giveFactor', { method: 'totp', value: digits(-2) })).code).toBe('FACTOR_WRONG');
    expect((await browser.call('session/giveFactor', { method: 'totp', value: code })).body).toHaveProperty('authorization');
    await browser.password(email);
    expect((await browser.call('session/giveFactor', { method: 'totp', value: code })).code).toBe('FACTOR_WRONG');
    const stored = await app.database.pool.query<{ row: string }>(
      'select administrators::text as row from administrators where totp_secret is not null',
    );
    expect(stored.rows[0]?.row).not.toMatch(/[A-Z2-7]{32}/);
  });

  test('accepts a TOTP code only once when several browsers submit it at the same time', async () => {
    const { browser, digits } = await enrolled();
    app.clock.now += minute;
    const many = Array.from({ length: 5 }, () => new Browser());
    for (const each of many) {
      browser.cookies.forEach((value, name) => name === 'browser' && each.cookies.set(name, value));
      await each.password(email);
    }
    const value = digits();
    const answers = await Promise.all(many.map((each) => each.call('session/giveFactor', { method: 'totp', value })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('cannot be skipped by a mailed code or another order, and guesses are delayed', async () => {
    const { digits } = await enrolled();
    app.clock.now += minute;
    await app.database.db.delete(rateLimits);
    const fresh = new Browser();
    await fresh.password(email);
    expect((await fresh.call('session/giveFactor', { method: 'totp', value: digits() })).code).toBe('ATTEMPT_GONE');
    await fresh.call('session/sendCode');
    expect((await fresh.call('session/giveCode', { code: await codeOf(email) })).body).toMatchObject({ step: 'factor' });
    const guesses = [];
    for (let guess = 0; guess < 8; guess++)
      guesses.push((await fresh.call('session/giveFactor', { method: 'totp', value: '000000' })).code);
    expect(guesses).toContain('TOO_MANY_REQUESTS');
  });

  test('recovery codes work once each, and new ones replace them', async () => {
    const { browser, recovery } = await enrolled();
    expect(recovery).toHaveLength(10);
    const [first = '', second = ''] = recovery;
    const enter = async (value: string) => {
      await browser.password(email);
      return browser.call('session/giveFactor', { method: 'recovery', value });
    };
    expect((await enter(first.toUpperCase())).status).toBe(200);
    expect((await enter(first)).code).toBe('FACTOR_WRONG');
    expect((await enter(second)).status).toBe(200);
    const renewed = (await browser.call('account/newRecoveryCodes')).body['recoveryCodes'] as string[];
    expect(renewed).toHaveLength(10);
    expect((await enter(recovery[2] ?? '')).code).toBe('FACTOR_WRONG');
    expect((await enter(renewed[0] ?? '')).status).toBe(200);
  });

  test('can be removed only after a recent confirmation', async () => {
    const { browser, digits } = await enrolled();
    app.clock.now += 6 * minute;
    for (const path of ['account/removeTotp', 'account/newRecoveryCodes', 'account/startTotp', 'account/startPasskey'])
      expect((await browser.call(path)).code, path).toBe('FACTOR_STALE');
    expect((await browser.call('account/confirmFactor', { method: 'totp', value: digits() })).status).toBe(200);
    expect((await browser.call('account/removeTotp')).status).toBe(200);
    expect((await browser.password(email)).body).toHaveProperty('authorization');
    expect((await browser.call('account/get')).body).toMatchObject({ totp: false, recoveryLeft: 0 });
  });

  test('that is set up or changed ends all other sessions', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const before = await signedIn(email);
    app.clock.now += 2 * minute;
    const { browser, digits } = await enrolled();
    expect((await before.call('session/current')).status).toBe(401);
    app.clock.now += minute;
    const other = new Browser();
    browser.cookies.forEach((value, name) => name === 'browser' && other.cookies.set(name, value));
    const signInAgain = async () => {
      await other.password(email);
      return other.call('session/giveFactor', { method: 'totp', value: digits() });
    };
    expect((await signInAgain()).status).toBe(200);
    expect((await browser.call('account/removeTotp')).status).toBe(200);
    expect([(await other.call('session/current')).status, (await browser.call('session/current')).status]).toEqual([401, 200]);
  });

  test('that is set up during a sign-in is required by it', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const known = await signedIn(email);
    const late = new Browser();
    known.cookies.forEach((value, name) => name === 'browser' && late.cookies.set(name, value));
    let answer: ReturnType<Browser['call']> | undefined;
    await app.database.db.transaction(async (tx) => {
      await tx.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.email, email));
      answer = late.password(email);
      await oneWaits(app.database);
    });
    expect((await answer)?.body).toMatchObject({ step: 'factor' });
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
  });

  test('is required after a password reset with a code', async () => {
    const { browser, digits } = await enrolled();
    app.clock.now += 2 * minute;
    await browser.call('session/forgot', { email });
    const reset = { email, code: await codeOf(email), password: 'a lantern of my very own' };
    expect((await browser.call('session/resetPassword', reset)).status).toBe(200);
    expect((await browser.call('session/current')).status).toBe(401);
    expect((await browser.password(email, reset.password)).body).toEqual({ step: 'factor', methods: ['totp', 'recovery'] });
    expect((await browser.call('session/giveFactor', { method: 'totp', value: digits() })).status).toBe(200);
    await app.database.pool.query(
      'update administrators set password_hash = (select password_hash from administrators where email = $1) where email = $2',
      [emailOf('editor'), email],
    );
  });

  test('that fails after a correct password is reported by mail, at most every ten minutes', async () => {
    const { browser } = await enrolled();
    const reported = () =>
      app.database.db.$count(mails, and(eq(mails.recipient, email), like(mails.subject, '%failed the second factor%')));
    const before = await reported();
    app.clock.now += minute;
    const fail = async () => {
      await browser.password(email);
      expect((await browser.call('session/giveFactor', { method: 'totp', value: '000000' })).code).toBe('FACTOR_WRONG');
    };
    await fail();
    await fail();
    expect(await reported()).toBe(before + 1);
    app.clock.now += 11 * minute;
    await fail();
    expect(await reported()).toBe(before + 2);
  });

  longTest('must be set up and fresh to grant permissions, reset someone or export the audit', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const refusing = async (browser: Browser, code: string) => {
      const asking: string[] = [];
      for (const path of guarded) if ((await browser.call(path)).code === code) asking.push(path);
      return asking;
    };
    const asksAgain = (browser: Browser) => refusing(browser, 'FACTOR_STALE');
    const without = await signedIn(email);
    expect(await refusing(without, 'FACTOR_REQUIRED')).toEqual([]); // a demo account of development
    await app.database.db.update(administrators).set({ demo: false }).where(eq(administrators.email, email));
    expect((await refusing(without, 'FACTOR_REQUIRED')).toSorted()).toEqual(fresh.toSorted());
    expect(await asksAgain(without)).toEqual([]);
    await app.database.db.update(administrators).set({ demo: true }).where(eq(administrators.email, email));
    app.clock.now += 6 * minute;
    const { browser, digits } = await enrolled();
    expect(await asksAgain(browser)).toEqual([]);
    app.clock.now += 6 * minute;
    expect((await asksAgain(browser)).toSorted()).toEqual(fresh.toSorted());
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).status).toBe(200);
    expect((await asksAgain(browser)).toSorted()).toEqual(fresh.toSorted());
    expect((await browser.call('account/confirmFactor', { method: 'totp', value: digits() })).status).toBe(200);
    expect(await asksAgain(browser)).toEqual([]);
    app.clock.now += 5 * minute - 1;
    expect(await asksAgain(browser)).toEqual([]);
    app.clock.now += 1;
    expect((await asksAgain(browser)).toSorted()).toEqual(fresh.toSorted());
  });

  test('setup and wallet linking require the password of a person without a factor', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const browser = await signedIn(email);
    const first = ['account/startTotp', 'account/startPasskey', 'wallet/unbindAddress'];
    const requested = async () => {
      const codes: string[] = [];
      for (const path of first) codes.push((await browser.call(path)).code);
      return codes;
    };
    expect(await requested()).toEqual(['', '', 'NOT_FOUND']);
    app.clock.now += 5 * minute;
    expect(await requested()).toEqual(first.map(() => 'FACTOR_STALE'));
    for (const [path, body] of [
      ['account/addTotp', { code: '000000' }],
      ['account/addPasskey', { name: 'key', response: '{}' }],
      ['wallet/bindAddress', { id: await idOf(email), signature: '' }],
    ] as const)
      expect((await browser.call(path, body)).code, path).toBe('FACTOR_STALE');
    expect((await browser.call('account/factor')).body).toEqual({ methods: ['password'], options: null });
    const wrong = await browser.call('account/confirmFactor', { method: 'password', value: 'not the password at all' });
    expect(wrong.body).toMatchObject({ data: { issues: [{ path: 'value', rule: 'invalid' }] } });
    expect(await requested()).toEqual(first.map(() => 'FACTOR_STALE'));
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).status).toBe(200);
    expect(await requested()).toEqual(['', '', 'NOT_FOUND']);
    for (let guess = 0; guess < 6; guess++)
      await browser.call('account/confirmFactor', { method: 'password', value: 'not the password at all' });
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).code).toBe(
      'TOO_MANY_REQUESTS',
    );
  });

  test('allows a shorter password', async () => {
    const { browser } = await enrolled();
    await browser.call('account/sendCode');
    const change = { current: demoPassword, password: 'tramvaj7', code: await codeOf(email) };
    expect((await browser.call('account/changePassword', change)).status).toBe(200);
    await app.database.pool.query(
      'update administrators set password_hash = (select password_hash from administrators where email = $1) where email = $2',
      [emailOf('editor'), email],
    );
  });

  test('that a role requires must be set up before anything else', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const browser = await signedIn(email);
    expect((await browser.call('news/many', { ids: [] })).status).toBe(200);
    await app.database.db.update(roles).set({ needsFactor: true });
    expect((await browser.call('news/many', { ids: [] })).code).toBe('FACTOR_REQUIRED');
    expect((await browser.call('account/sendCode')).code).toBe('FACTOR_REQUIRED');
    expect((await browser.call('session/current')).body).toMatchObject({
      factorNeeded: true,
      codes: [],
      permittedRoutes: [{ path: '/account' }],
    });
    const again = await browser.password(email);
    expect(again.body['access']).toMatchObject({ factorNeeded: true, codes: [] });
    const { body } = await browser.call('account/startTotp');
    const code = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) }).generate({ timestamp: app.clock.now });
    expect((await browser.call('account/addTotp', { code })).status).toBe(200);
    expect((await browser.call('news/many', { ids: [] })).status).toBe(200);
    await app.database.db.update(roles).set({ needsFactor: false });
    const open = await app.database.db.select().from(sessions);
    expect(open.length).toBeGreaterThan(0);
  });
});
