import { and, eq, like } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { maxSessions } from '../platform/auth/sign-in/sessions.ts';
import { createPasswordLink } from '../platform/auth/sign-in/set-password.ts';
import { createContext } from '../platform/http/request-context.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createLogger } from '../platform/core/log.ts';
import { createApi, createPeer, send, createTestApp, type TestApp } from '../testing/support.ts';
import { isOneQueryWaiting } from '../testing/process.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, mailCodes, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { rateLimits } from '../platform/http/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

const minuteMs = 60_000;

/** The lists are pinned here because they protect all other routes. */
const guardedRoutes = listContractRoutes(contract)
  .filter(({ meta }) => 'permission' in meta)
  .map(({ path }) => path.join('/'));
const routesWithRecentFactor = [
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
  app = await createTestApp({ NEW_BROWSER_CODE: 'on' });
});
beforeEach(async () => {
  app.clock.now += 20 * minuteMs; // resets rate limits
  await app.database.db.delete(rateLimits);
});

const findEmail = (role: string): string => demoAccounts.find((account) => account.role === role)?.email ?? '';
const readAdministratorId = async (email: string): Promise<string> => {
  const [administratorRow] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  return administratorRow?.id ?? '';
};

/** Keeps cookies and its session. */
class TestBrowser {
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
    const response = await app.http.fetch(request, createPeer(this.ip));
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

const readMailedCode = async (email: string): Promise<string> => {
  const { rows } = await app.database.pool.query<{ subject: string }>(
    `select subject from mails where recipient = $1 and subject like '%code%' order by created_at desc, id desc limit 1`,
    [email],
  );
  return /(\d{6})$/.exec(rows[0]?.subject ?? '')?.[1] ?? '';
};
const differentCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** From a new browser, with the mailed code. */
async function signInBrowser(email: string, password = demoPassword): Promise<TestBrowser> {
  const browser = new TestBrowser();
  expect((await browser.password(email, password)).body).toEqual({ step: 'code' });
  expect(await browser.call('session/sendCode')).toMatchObject({ status: 200, body: { wait: 60 } });
  expect((await browser.call('session/giveCode', { code: await readMailedCode(email) })).body).toHaveProperty('authorization');
  return browser;
}

describe('a mailed code', () => {
  const email = findEmail('editor');
  test('signs in a new browser once, and the browser is known from then on', async () => {
    const browser = await signInBrowser(email);
    expect((await browser.call('session/giveCode', { code: await readMailedCode(email) })).code).toBe('ATTEMPT_GONE');
    expect((await browser.password(email)).body).toHaveProperty('authorization');
    expect((await new TestBrowser().password(email)).body).toEqual({ step: 'code' });
  });

  test('is refused in a browser that gave no password', async () => {
    const begunBrowser = new TestBrowser();
    await begunBrowser.password(email);
    await begunBrowser.call('session/sendCode');
    const code = await readMailedCode(email);
    expect((await new TestBrowser().call('session/giveCode', { code })).code).toBe('ATTEMPT_GONE');
    expect(begunBrowser.authorization).toBe('');
    const preCookieBefore = begunBrowser.cookies.get('pre');
    await begunBrowser.call('session/giveCode', { code });
    expect(begunBrowser.cookies.get('pre')).toBeUndefined();
    expect([...begunBrowser.cookies.values()]).not.toContain(preCookieBefore);
  });

  test('allows five attempts, also concurrent ones', async () => {
    const browser = new TestBrowser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await readMailedCode(email);
    await Promise.all(Array.from({ length: 12 }, () => browser.call('session/giveCode', { code: differentCode(code) })));
    await app.database.db.delete(rateLimits);
    expect((await browser.call('session/giveCode', { code })).code).toBe('CODE_WRONG');
    const [row] = await app.database.db.select().from(mailCodes).where(eq(mailCodes.attempts, 5));
    expect(row?.usedAt).toBeNull();
  });

  test('works once when two requests use it', async () => {
    const browser = new TestBrowser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await readMailedCode(email);
    const responses = await Promise.all([1, 2, 3].map(() => browser.call('session/giveCode', { code })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('expires after ten minutes, and is sent once a minute', async () => {
    const browser = new TestBrowser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await readMailedCode(email);
    expect(await browser.call('session/sendCode')).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      body: { data: { retryAfter: 60 } },
    });
    app.clock.now += 5 * minuteMs;
    await browser.password(email);
    app.clock.now += 5 * minuteMs + 1;
    expect((await browser.call('session/giveCode', { code })).code).toBe('CODE_WRONG');
  });

  test('does not work for another purpose, or after a newer code', async () => {
    const browser = await signInBrowser(email);
    await browser.call('account/sendCode');
    const firstCode = await readMailedCode(email);
    expect((await new TestBrowser().call('session/resetPassword', { email, code: firstCode, password: newPassword })).code).toBe(
      'CODE_WRONG',
    );
    app.clock.now += minuteMs;
    await browser.call('account/sendCode');
    const changeInput = { current: demoPassword, password: newPassword, code: firstCode };
    if (firstCode !== (await readMailedCode(email)))
      expect((await browser.call('account/changePassword', changeInput)).code).toBe('CODE_WRONG');
  });

  test('is stored only in the mail', async () => {
    const browser = new TestBrowser();
    await browser.password(email);
    await browser.call('session/sendCode');
    const code = await readMailedCode(email);
    const { rows } = await app.database.pool.query<{ row: string }>(`select m.code_hash as row from mail_codes m`);
    expect(rows.map(({ row }) => row).join(' ')).not.toContain(` ${code}`);
    expect(app.logged.join('')).not.toContain(`"${code}"`);
  });
});

describe('a password', () => {
  test('is changed with the current one and a code, which ends other sessions and sends a mail', async () => {
    const email = findEmail('operator');
    const [firstBrowser, secondBrowser] = [await signInBrowser(email), new TestBrowser()];
    firstBrowser.cookies.forEach((value, name) => name === 'browser' && secondBrowser.cookies.set(name, value));
    await secondBrowser.password(email);
    await firstBrowser.call('account/sendCode');
    const code = await readMailedCode(email);
    const changeInput = { current: demoPassword, password: newPassword, code };
    expect(
      (await firstBrowser.call('account/changePassword', { ...changeInput, current: 'not this one at all' })).body,
    ).toMatchObject({
      data: { issues: [{ path: 'current', rule: 'invalid' }] },
    });
    expect(
      (await firstBrowser.call('account/changePassword', { ...changeInput, password: 'fourteen chars' })).body,
    ).toMatchObject({
      data: { issues: [{ path: 'password', rule: 'tooShort' }] },
    });
    expect(
      (await firstBrowser.call('account/changePassword', { ...changeInput, password: `${email} password` })).body,
    ).toMatchObject({
      data: { issues: [{ path: 'password', rule: 'invalid' }] },
    });
    expect((await firstBrowser.call('account/changePassword', changeInput)).status).toBe(200);
    expect((await firstBrowser.call('session/current')).status).toBe(200);
    expect((await secondBrowser.call('session/current')).status).toBe(401);
    expect((await firstBrowser.password(email)).code).toBe('SIGN_IN_FAILED');
    expect((await firstBrowser.password(email, newPassword)).body).toHaveProperty('authorization');
    const refusedRows = await app.database.db
      .select()
      .from(mails)
      .where(and(eq(mails.recipient, email), like(mails.subject, '%Your password was changed%')));
    expect(refusedRows).toHaveLength(1);
  });

  test('that was forgotten is reset with a code, with the same answer for unknown accounts', async () => {
    const email = findEmail('analyst');
    const signedInBrowser = await signInBrowser(email);
    const knownResponse = await new TestBrowser().call('session/forgot', { email });
    const unknownResponse = await new TestBrowser().call('session/forgot', { email: 'nobody@example.com' });
    expect(unknownResponse).toEqual(knownResponse);
    expect(await readMailedCode('nobody@example.com')).toBe('');
    const code = await readMailedCode(email);
    const wrongCodeResponse = await new TestBrowser().call('session/resetPassword', {
      email,
      code: differentCode(code),
      password: newPassword,
    });
    const unknownEmailResponse = await new TestBrowser().call('session/resetPassword', {
      email: 'nobody@example.com',
      code,
      password: newPassword,
    });
    expect({ ...unknownEmailResponse.body, data: null }).toEqual({ ...wrongCodeResponse.body, data: null });
    expect((await new TestBrowser().call('session/resetPassword', { email, code, password: newPassword })).status).toBe(200);
    expect((await new TestBrowser().call('session/resetPassword', { email, code, password: newPassword })).code).toBe(
      'CODE_WRONG',
    );
    expect((await signedInBrowser.call('session/current')).status).toBe(401);
    expect((await new TestBrowser().password(email, newPassword)).body).toEqual({ step: 'code' });
  });

  test('reset and wrong codes are audited, and guessing in a session is reported to its owner', async () => {
    const email = findEmail('approver');
    const browser = await signInBrowser(email);
    const readRefusals = async () => {
      const rows = await app.database.db
        .select()
        .from(audit)
        .where(and(eq(audit.result, 'refused'), eq(audit.actorEmail, email)))
        .orderBy(audit.seq);
      return rows.map(({ route }) => route);
    };
    const readRefusedRows = () =>
      app.database.db.$count(mails, and(eq(mails.recipient, email), like(mails.subject, '%on a device where you’re signed in%')));
    expect(await readRefusals()).toEqual([]);

    await browser.call('account/confirmFactor', { method: 'password', value: 'not the password, guessed' });
    expect(await readRefusals()).toEqual(['account.confirmFactor']);
    await browser.call('account/sendCode');
    const code = differentCode(await readMailedCode(email));
    const changeInput = { current: 'not the password, guessed', password: newPassword, code };
    await browser.call('account/changePassword', changeInput);
    await browser.call('account/changePassword', { ...changeInput, current: demoPassword });
    expect(await readRefusals()).toEqual(['account.confirmFactor', 'account.changePassword', 'account.changePassword']);
    expect(await readRefusedRows()).toBe(1);

    await new TestBrowser().call('session/resetPassword', { email, code, password: newPassword });
    await new TestBrowser().call('session/resetPassword', { email: 'nobody@example.com', code, password: newPassword });
    expect((await readRefusals()).slice(3)).toEqual(['session.resetPassword']);
    expect(await readRefusedRows()).toBe(1);
  });

  test('that was replaced no longer signs in, even in a sign-in that is under way', async () => {
    const email = findEmail('access');
    const { db } = app.database;
    const [{ passwordHash } = { passwordHash: null }] = await db
      .select()
      .from(administrators)
      .where(eq(administrators.email, email));
    const [begunBrowser, ownBrowser] = [new TestBrowser(), new TestBrowser()];
    expect((await begunBrowser.password(email)).body).toEqual({ step: 'code' });
    await ownBrowser.call('session/forgot', { email });
    expect(
      (await ownBrowser.call('session/resetPassword', { email, code: await readMailedCode(email), password: newPassword }))
        .status,
    ).toBe(200);
    expect((await begunBrowser.call('session/sendCode')).code).toBe('ATTEMPT_GONE');

    let pendingResponse: ReturnType<TestBrowser['password']> | undefined;
    await db.transaction(async (tx) => {
      await tx.update(administrators).set({ passwordHash }).where(eq(administrators.email, email));
      pendingResponse = ownBrowser.password(email, newPassword);
      await isOneQueryWaiting(app.database); // the password was accepted, waiting for the account
    });
    expect((await pendingResponse)?.code).toBe('SIGN_IN_FAILED');
  });

  longTest('takes as long to ask for, and to set wrongly, with an account as without', async () => {
    const email = findEmail('access');
    const durations = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 15; round++) {
      for (const [kind, requestedEmail] of [
        ['known', email],
        ['unknown', `nobody${round}@example.com`],
      ] as const) {
        app.clock.now += 2 * minuteMs;
        const startTime = performance.now();
        await new TestBrowser().call('session/forgot', { email: requestedEmail });
        await new TestBrowser().call('session/resetPassword', { email: requestedEmail, code: '000000', password: newPassword });
        durations[kind].push(performance.now() - startTime);
      }
      await app.database.db.delete(rateLimits);
    }
    // The fastest of each, because other load only adds time.
    const timeRatio = Math.min(...durations.known) / Math.min(...durations.unknown);
    expect(timeRatio).toBeGreaterThan(0.9);
    expect(timeRatio).toBeLessThan(1.1);
  });

  test('is set with a link once, until a newer link or its expiry', async () => {
    const id = await readAdministratorId(findEmail('approver'));
    const token = async () => {
      const services = {
        config: app.config,
        log: createLogger({ level: 'silent' }),
        database: app.database,
        now: () => app.clock.now,
        ...openExternalServices(app.config),
      };
      const context = createContext(services, new Request('http://localhost/'), undefined);
      const link = await app.database.db.transaction((tx) => createPasswordLink(tx, context, id));
      return link.split('#set-password=')[1] ?? '';
    };
    const usePasswordLink = (value: string) =>
      new TestBrowser().call('session/usePasswordLink', { token: value, password: newPassword });
    const firstToken = await token();
    const secondToken = await token();
    expect((await usePasswordLink(firstToken)).code).toBe('LINK_GONE');
    const responses = await Promise.all([
      usePasswordLink(secondToken),
      usePasswordLink(secondToken),
      usePasswordLink(secondToken),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect(responses.find(({ status }) => status === 200)?.body).toEqual({ email: findEmail('approver') });
    const expiredToken = await token();
    app.clock.now += 72 * 60 * minuteMs + 1;
    expect((await usePasswordLink(expiredToken)).code).toBe('LINK_GONE');
  });
});

test('guessing cannot lock out a person’s known browser', async () => {
  const email = findEmail('editor');
  const ownBrowser = await signInBrowser(email);
  const guessingBrowser = new TestBrowser();
  for (let attempt = 0; attempt < 8; attempt++) await guessingBrowser.password(email, 'not the password, guessed');
  expect((await guessingBrowser.password(email)).code).toBe('TOO_MANY_REQUESTS');
  expect((await ownBrowser.password(email)).body).toHaveProperty('authorization');
  expect((await guessingBrowser.password(email)).code).toBe('TOO_MANY_REQUESTS');
  for (let attempt = 0; attempt < 8; attempt++) await ownBrowser.password(email, 'not the password, guessed');
  expect((await ownBrowser.password(email)).code).toBe('TOO_MANY_REQUESTS');
});

describe('a forgotten password', () => {
  const email = findEmail('editor');
  const guessPassword = (browser: TestBrowser) =>
    browser.call('session/resetPassword', { email, code: '000000', password: newPassword }).then(({ code }) => code);

  test('can be reset in a known browser regardless of strangers’ guesses', async () => {
    const ownBrowser = await signInBrowser(email);
    for (let n = 0; n < 6; n++) await guessPassword(new TestBrowser());
    expect(await guessPassword(new TestBrowser())).toBe('TOO_MANY_REQUESTS');
    expect(await guessPassword(ownBrowser)).toBe('CODE_WRONG');
    await new TestBrowser().call('session/forgot', { email });
    expect((await ownBrowser.call('session/forgot', { email })).status).toBe(200);
    expect((await ownBrowser.call('session/forgot', { email })).code).toBe('TOO_MANY_REQUESTS');
  });

  longTest('sends strangers at most twenty codes a day to one mailbox, with the same answer for unknown accounts', async () => {
    const ownBrowser = await signInBrowser(email);
    const requestResets = async (requestedEmail: string) => {
      const refusalCodes: string[] = [];
      for (let n = 0; n < 22; n++) {
        app.clock.now += minuteMs;
        const otherBrowser = new TestBrowser();
        otherBrowser.ip = `10.0.${n}.1`;
        refusalCodes.push((await otherBrowser.call('session/forgot', { email: requestedEmail })).code);
      }
      return refusalCodes;
    };
    const expectedCodes = [...Array.from({ length: 20 }, () => ''), 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'];
    expect(await requestResets(email)).toEqual(expectedCodes);
    expect(await requestResets('nobody@example.com')).toEqual(expectedCodes);
    expect((await ownBrowser.call('session/forgot', { email })).status).toBe(200);
    app.clock.now += 24 * 60 * minuteMs;
    expect((await new TestBrowser().call('session/forgot', { email })).status).toBe(200);
  });
});

test('production without a mail server reports for every account alike that it cannot send codes', async () => {
  const smallLimitApp = await createTestApp({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://panel.example.com',
    SECRET_KEY: 'a key from outside, long enough for it',
  });
  for (const email of ['admin@demo.local', 'nobody@example.com']) {
    const closedResponse = await send(smallLimitApp, 'POST', '/api/session/forgot', { email });
    expect(closedResponse.status).toBe(503);
    expect(await closedResponse.json()).toMatchObject({ code: 'MAIL_OFF' });
  }
  expect(smallLimitApp.logged.join('')).toContain('set SMTP_URL');
});

describe('a person’s own sessions', () => {
  test('are limited to ten, and the oldest one ends', async () => {
    const email = findEmail('operator');
    const otherBrowser = await signInBrowser(findEmail('analyst'), newPassword);
    const firstBrowser = await signInBrowser(email, newPassword);
    const browsers = [firstBrowser];
    while (browsers.length < maxSessions + 1) {
      const nextBrowser = new TestBrowser();
      firstBrowser.cookies.forEach((value, name) => name === 'browser' && nextBrowser.cookies.set(name, value));
      app.clock.now += 1000;
      expect((await nextBrowser.password(email, newPassword)).body).toHaveProperty('authorization');
      browsers.push(nextBrowser);
    }
    const statuses = [];
    for (const browser of browsers) statuses.push((await browser.call('session/current')).status);
    expect(statuses).toEqual([401, ...Array.from({ length: maxSessions }, () => 200)]);
    expect((await otherBrowser.call('session/current')).status).toBe(200);
  });

  test('are listed with the current one marked, and can be ended one by one or all', async () => {
    const email = findEmail('all');
    const [firstBrowser, secondBrowser, thirdBrowser] = [await signInBrowser(email), new TestBrowser(), new TestBrowser()];
    for (const browser of [secondBrowser, thirdBrowser]) {
      firstBrowser.cookies.forEach((value, name) => name === 'browser' && browser.cookies.set(name, value));
      await browser.password(email);
    }
    type OwnSessions = { id: string; current: boolean }[];
    const list = (await secondBrowser.call('account/get')).body['sessions'] as OwnSessions;
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    const firstOwnSession = ((await firstBrowser.call('account/get')).body['sessions'] as OwnSessions).find(
      ({ current }) => current,
    );
    const otherBrowser = await signInBrowser(findEmail('editor'));
    expect((await otherBrowser.call('account/endSession', { id: firstOwnSession?.id })).code).toBe('NOT_FOUND');
    expect((await secondBrowser.call('account/endSession', { id: firstOwnSession?.id })).status).toBe(200);
    expect((await firstBrowser.call('session/current')).status).toBe(401);
    expect((await secondBrowser.call('account/endOtherSessions')).body).toEqual({ ended: 1 });
    expect((await thirdBrowser.call('session/current')).status).toBe(401);
    expect((await secondBrowser.call('session/current')).status).toBe(200);
  });

  test('are extended by a person’s requests, not by automatic ones', async () => {
    const browser = await signInBrowser(findEmail('all'));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { authorization: browser.authorization, cookie };
    const backgroundApi = createApi(app, { ...headers, 'x-background': '1' });
    const interactiveApi = createApi(app, headers);
    app.clock.now += 20 * minuteMs;
    await interactiveApi.session.current();
    app.clock.now += 20 * minuteMs;
    await backgroundApi.session.current();
    app.clock.now += 11 * minuteMs;
    await expect(backgroundApi.session.current()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a second factor', () => {
  const email = findEmail('all');
  async function enrollTotp(): Promise<{ browser: TestBrowser; digits: (steps?: number) => string; recovery: string[] }> {
    await app.database.db
      .update(administrators)
      .set({ totpSecret: null, totpLastStep: null })
      .where(eq(administrators.email, email));
    await app.database.pool.query('delete from recovery_codes');
    const browser = await signInBrowser(email);
    const { body } = await browser.call('account/startTotp');
    const totp = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) });
    expect(String(body['uri'])).toContain('otpauth://totp/Admin%20Panel');
    const digits = (steps = 0) => totp.generate({ timestamp: app.clock.now + steps * 30_000 });
    expect((await browser.call('account/addTotp', { code: differentCode(digits()) })).status).toBe(400);
    const addedFactor = await browser.call('account/addTotp', { code: digits() });
    return { browser, digits, recovery: addedFactor.body['recoveryCodes'] as string[] };
  }

  test('is required at sign-in, and accepts the same or old digits only once', async () => {
    const { browser, digits } = await enrollTotp();
    app.clock.now += minuteMs;
    expect((await browser.password(email)).body).toEqual({ step: 'factor', methods: ['totp', 'recovery'] });
    const code = digits();
    expect((await browser.call('session/giveFactor', { method: 'totp', value: digits(-2) })).code).toBe('FACTOR_WRONG');
    expect((await browser.call('session/giveFactor', { method: 'totp', value: code })).body).toHaveProperty('authorization');
    await browser.password(email);
    expect((await browser.call('session/giveFactor', { method: 'totp', value: code })).code).toBe('FACTOR_WRONG');
    const storedSecrets = await app.database.pool.query<{ row: string }>(
      'select administrators::text as row from administrators where totp_secret is not null',
    );
    expect(storedSecrets.rows[0]?.row).not.toMatch(/[A-Z2-7]{32}/);
  });

  test('accepts a TOTP code only once when several browsers submit it at the same time', async () => {
    const { browser, digits } = await enrollTotp();
    app.clock.now += minuteMs;
    const browsers = Array.from({ length: 5 }, () => new TestBrowser());
    for (const parallelBrowser of browsers) {
      browser.cookies.forEach((value, name) => name === 'browser' && parallelBrowser.cookies.set(name, value));
      await parallelBrowser.password(email);
    }
    const value = digits();
    const responses = await Promise.all(
      browsers.map((parallelBrowser) => parallelBrowser.call('session/giveFactor', { method: 'totp', value })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('cannot be skipped by a mailed code or another order, and guesses are delayed', async () => {
    const { digits } = await enrollTotp();
    app.clock.now += minuteMs;
    await app.database.db.delete(rateLimits);
    const newBrowser = new TestBrowser();
    await newBrowser.password(email);
    expect((await newBrowser.call('session/giveFactor', { method: 'totp', value: digits() })).code).toBe('ATTEMPT_GONE');
    await newBrowser.call('session/sendCode');
    expect((await newBrowser.call('session/giveCode', { code: await readMailedCode(email) })).body).toMatchObject({
      step: 'factor',
    });
    const guessCodes = [];
    for (let attempt = 0; attempt < 8; attempt++)
      guessCodes.push((await newBrowser.call('session/giveFactor', { method: 'totp', value: '000000' })).code);
    expect(guessCodes).toContain('TOO_MANY_REQUESTS');
  });

  test('recovery codes work once each, and new ones replace them', async () => {
    const { browser, recovery } = await enrollTotp();
    expect(recovery).toHaveLength(10);
    const [firstRecoveryCode = '', secondRecoveryCode = ''] = recovery;
    const enterRecoveryCode = async (value: string) => {
      await browser.password(email);
      return browser.call('session/giveFactor', { method: 'recovery', value });
    };
    expect((await enterRecoveryCode(firstRecoveryCode.toUpperCase())).status).toBe(200);
    expect((await enterRecoveryCode(firstRecoveryCode)).code).toBe('FACTOR_WRONG');
    expect((await enterRecoveryCode(secondRecoveryCode)).status).toBe(200);
    const renewedCodes = (await browser.call('account/newRecoveryCodes')).body['recoveryCodes'] as string[];
    expect(renewedCodes).toHaveLength(10);
    expect((await enterRecoveryCode(recovery[2] ?? '')).code).toBe('FACTOR_WRONG');
    expect((await enterRecoveryCode(renewedCodes[0] ?? '')).status).toBe(200);
  });

  test('can be removed only after a recent confirmation', async () => {
    const { browser, digits } = await enrollTotp();
    app.clock.now += 6 * minuteMs;
    for (const path of ['account/removeTotp', 'account/newRecoveryCodes', 'account/startTotp', 'account/startPasskey'])
      expect((await browser.call(path)).code, path).toBe('FACTOR_STALE');
    expect((await browser.call('account/confirmFactor', { method: 'totp', value: digits() })).status).toBe(200);
    expect((await browser.call('account/removeTotp')).status).toBe(200);
    expect((await browser.password(email)).body).toHaveProperty('authorization');
    expect((await browser.call('account/get')).body).toMatchObject({ totp: false, recoveryLeft: 0 });
  });

  test('that is set up or changed ends all other sessions', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const signedInBrowser = await signInBrowser(email);
    app.clock.now += 2 * minuteMs;
    const { browser, digits } = await enrollTotp();
    expect((await signedInBrowser.call('session/current')).status).toBe(401);
    app.clock.now += minuteMs;
    const otherBrowser = new TestBrowser();
    browser.cookies.forEach((value, name) => name === 'browser' && otherBrowser.cookies.set(name, value));
    const signInAgain = async () => {
      await otherBrowser.password(email);
      return otherBrowser.call('session/giveFactor', { method: 'totp', value: digits() });
    };
    expect((await signInAgain()).status).toBe(200);
    expect((await browser.call('account/removeTotp')).status).toBe(200);
    expect([(await otherBrowser.call('session/current')).status, (await browser.call('session/current')).status]).toEqual([
      401, 200,
    ]);
  });

  test('that is set up during a sign-in is required by it', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const knownBrowser = await signInBrowser(email);
    const lateBrowser = new TestBrowser();
    knownBrowser.cookies.forEach((value, name) => name === 'browser' && lateBrowser.cookies.set(name, value));
    let pendingResponse: ReturnType<TestBrowser['call']> | undefined;
    await app.database.db.transaction(async (tx) => {
      await tx.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.email, email));
      pendingResponse = lateBrowser.password(email);
      await isOneQueryWaiting(app.database);
    });
    expect((await pendingResponse)?.body).toMatchObject({ step: 'factor' });
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
  });

  test('is required after a password reset with a code', async () => {
    const { browser, digits } = await enrollTotp();
    app.clock.now += 2 * minuteMs;
    await browser.call('session/forgot', { email });
    const resetInput = { email, code: await readMailedCode(email), password: 'a lantern of my very own' };
    expect((await browser.call('session/resetPassword', resetInput)).status).toBe(200);
    expect((await browser.call('session/current')).status).toBe(401);
    expect((await browser.password(email, resetInput.password)).body).toEqual({ step: 'factor', methods: ['totp', 'recovery'] });
    expect((await browser.call('session/giveFactor', { method: 'totp', value: digits() })).status).toBe(200);
    await app.database.pool.query(
      'update administrators set password_hash = (select password_hash from administrators where email = $1) where email = $2',
      [findEmail('editor'), email],
    );
  });

  test('that fails after a correct password is reported by mail, at most every ten minutes', async () => {
    const { browser } = await enrollTotp();
    const readRefusedRows = () =>
      app.database.db.$count(mails, and(eq(mails.recipient, email), like(mails.subject, '%failed the second factor%')));
    const reportsBefore = await readRefusedRows();
    app.clock.now += minuteMs;
    const failFactor = async () => {
      await browser.password(email);
      expect((await browser.call('session/giveFactor', { method: 'totp', value: '000000' })).code).toBe('FACTOR_WRONG');
    };
    await failFactor();
    await failFactor();
    expect(await readRefusedRows()).toBe(reportsBefore + 1);
    app.clock.now += 11 * minuteMs;
    await failFactor();
    expect(await readRefusedRows()).toBe(reportsBefore + 2);
  });

  longTest('must be set up and fresh to grant permissions, reset someone or export the audit', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const refusing = async (browser: TestBrowser, code: string) => {
      const refusedRoutes: string[] = [];
      for (const path of guardedRoutes) if ((await browser.call(path)).code === code) refusedRoutes.push(path);
      return refusedRoutes;
    };
    const requiredFactorRoutes = (browser: TestBrowser) => refusing(browser, 'FACTOR_STALE');
    const browserWithoutFactor = await signInBrowser(email);
    expect(await refusing(browserWithoutFactor, 'FACTOR_REQUIRED')).toEqual([]); // a demo account of development
    await app.database.db.update(administrators).set({ demo: false }).where(eq(administrators.email, email));
    expect((await refusing(browserWithoutFactor, 'FACTOR_REQUIRED')).toSorted()).toEqual(routesWithRecentFactor.toSorted());
    expect(await requiredFactorRoutes(browserWithoutFactor)).toEqual([]);
    await app.database.db.update(administrators).set({ demo: true }).where(eq(administrators.email, email));
    app.clock.now += 6 * minuteMs;
    const { browser, digits } = await enrollTotp();
    expect(await requiredFactorRoutes(browser)).toEqual([]);
    app.clock.now += 6 * minuteMs;
    expect((await requiredFactorRoutes(browser)).toSorted()).toEqual(routesWithRecentFactor.toSorted());
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).status).toBe(200);
    expect((await requiredFactorRoutes(browser)).toSorted()).toEqual(routesWithRecentFactor.toSorted());
    expect((await browser.call('account/confirmFactor', { method: 'totp', value: digits() })).status).toBe(200);
    expect(await requiredFactorRoutes(browser)).toEqual([]);
    app.clock.now += 5 * minuteMs - 1;
    expect(await requiredFactorRoutes(browser)).toEqual([]);
    app.clock.now += 1;
    expect((await requiredFactorRoutes(browser)).toSorted()).toEqual(routesWithRecentFactor.toSorted());
  });

  test('setup and wallet linking require the password of a person without a factor', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const browser = await signInBrowser(email);
    const sensitiveRoutes = ['account/startTotp', 'account/startPasskey', 'wallet/unbindAddress'];
    const requestSensitive = async () => {
      const codes: string[] = [];
      for (const path of sensitiveRoutes) codes.push((await browser.call(path)).code);
      return codes;
    };
    expect(await requestSensitive()).toEqual(['', '', 'NOT_FOUND']);
    app.clock.now += 5 * minuteMs;
    expect(await requestSensitive()).toEqual(sensitiveRoutes.map(() => 'FACTOR_STALE'));
    for (const [path, body] of [
      ['account/addTotp', { code: '000000' }],
      ['account/addPasskey', { name: 'key', response: '{}' }],
      ['wallet/bindAddress', { id: await readAdministratorId(email), signature: '' }],
    ] as const)
      expect((await browser.call(path, body)).code, path).toBe('FACTOR_STALE');
    expect((await browser.call('account/factor')).body).toEqual({ methods: ['password'], options: null });
    const wrongFactorResponse = await browser.call('account/confirmFactor', {
      method: 'password',
      value: 'not the password at all',
    });
    expect(wrongFactorResponse.body).toMatchObject({ data: { issues: [{ path: 'value', rule: 'invalid' }] } });
    expect(await requestSensitive()).toEqual(sensitiveRoutes.map(() => 'FACTOR_STALE'));
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).status).toBe(200);
    expect(await requestSensitive()).toEqual(['', '', 'NOT_FOUND']);
    for (let attempt = 0; attempt < 6; attempt++)
      await browser.call('account/confirmFactor', { method: 'password', value: 'not the password at all' });
    expect((await browser.call('account/confirmFactor', { method: 'password', value: demoPassword })).code).toBe(
      'TOO_MANY_REQUESTS',
    );
  });

  test('allows a shorter password', async () => {
    const { browser } = await enrollTotp();
    await browser.call('account/sendCode');
    const changeInput = { current: demoPassword, password: 'tramvaj7', code: await readMailedCode(email) };
    expect((await browser.call('account/changePassword', changeInput)).status).toBe(200);
    await app.database.pool.query(
      'update administrators set password_hash = (select password_hash from administrators where email = $1) where email = $2',
      [findEmail('editor'), email],
    );
  });

  test('that a role requires must be set up before anything else', async () => {
    await app.database.db.update(administrators).set({ totpSecret: null }).where(eq(administrators.email, email));
    const browser = await signInBrowser(email);
    expect((await browser.call('news/many', { ids: [] })).status).toBe(200);
    await app.database.db.update(roles).set({ needsFactor: true });
    expect((await browser.call('news/many', { ids: [] })).code).toBe('FACTOR_REQUIRED');
    expect((await browser.call('account/sendCode')).code).toBe('FACTOR_REQUIRED');
    expect((await browser.call('session/current')).body).toMatchObject({
      factorNeeded: true,
      codes: [],
      permittedRoutes: [{ path: '/account' }],
    });
    const secondSignIn = await browser.password(email);
    expect(secondSignIn.body['access']).toMatchObject({ factorNeeded: true, codes: [] });
    const { body } = await browser.call('account/startTotp');
    const code = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) }).generate({ timestamp: app.clock.now });
    expect((await browser.call('account/addTotp', { code })).status).toBe(200);
    expect((await browser.call('news/many', { ids: [] })).status).toBe(200);
    await app.database.db.update(roles).set({ needsFactor: false });
    const openSessions = await app.database.db.select().from(sessions);
    expect(openSessions.length).toBeGreaterThan(0);
  });
});
