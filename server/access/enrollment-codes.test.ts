import { and, eq, isNull, like, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { audit } from '../platform/audit/tables.ts';
import { accountChanges, administrators, enrollmentCodes, roles } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { idempotency } from '../platform/records/tables.ts';
import { demoPassword, type RoleName } from '../seed/roles.ts';
import { seededRandom } from '../testing/random.ts';
import { enrollTotp } from '../testing/factor.ts';
import { createApi, createTestApp, send, signInAs, type TestApp, type TestSession } from '../testing/support.ts';
import { Secret, TOTP } from 'otpauth';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const password = 'lantern by the old harbour';

let app: TestApp;
let adminSession: TestSession;
let accessSession: TestSession;
let roleIds: Record<RoleName, string>;
let administratorCount = 0;

beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', SESSION_HOURS: '72', SESSION_IDLE_MINUTES: '720' });
  const rows = await app.database.db.select().from(roles);
  roleIds = Object.fromEntries(rows.map(({ seed, id }) => [seed ?? '', id])) as Record<RoleName, string>;
});

beforeEach(async () => {
  app.clock.now += hourMs;
  [adminSession, accessSession] = [await signInAs(app, 'all'), await signInAs(app, 'access')];
});

const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readCode = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string; issues?: { rule: string }[] } }) =>
      error.data?.issues?.[0]?.rule ?? error.data?.reason ?? error.code ?? 'broken',
  );

async function signIn(email: string): Promise<TestSession> {
  const response = await send(app, 'POST', '/api/session', { email, password });
  const { authorization } = (await response.json()) as { authorization: string };
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  return { headers, api: createApi(app, headers) };
}

interface Colleague extends TestSession {
  id: string;
  email: string;
}

/** Signed in just now. `withPassword: false`: as an account that signs in through the provider. */
async function addColleague(role: RoleName, { withPassword = false, by = adminSession } = {}): Promise<Colleague> {
  const email = `colleague${administratorCount++}@example.com`;
  const { id } = await by.api.administrators.add({ email, password, description: 'x', roles: [roleIds[role]] });
  await app.database.db.update(administrators).set({ passwordExpiresAt: null }).where(eq(administrators.id, id));
  const session = await signIn(email);
  if (!withPassword) await app.database.db.update(administrators).set({ passwordHash: null }).where(eq(administrators.id, id));
  return { id, email, ...session };
}

async function readRow({ id }: { id: string }): Promise<AdministratorRow> {
  const [row] = await adminSession.api.administrators.many({ ids: [id] });
  if (!row) throw new Error('gone');
  return row;
}

const giveCode = async (colleague: { id: string }, by = accessSession): Promise<string> =>
  (await by.api.administrators.giveEnrollmentCode(item(await readRow(colleague)))).code;

async function enroll({ api }: TestSession, enrollmentCode?: string): Promise<TOTP> {
  const { secret } = await api.account.startTotp();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await api.account.addTotp({
    code: totp.generate({ timestamp: app.clock.now }),
    ...(enrollmentCode !== undefined && { enrollmentCode }),
  });
  return totp;
}

async function confirmFactor({ api }: TestSession, totp: TOTP): Promise<void> {
  app.clock.now += minuteMs;
  await api.account.confirmFactor({ method: 'totp', value: totp.generate({ timestamp: app.clock.now }) });
}

const changeRoles = async (colleague: { id: string }, names: RoleName[]) => {
  const { id, version, email, description } = await readRow(colleague);
  return adminSession.api.administrators.edit({ id, version, email, description, roles: names.map((name) => roleIds[name]) });
};

/** A change of roles ends sessions. Sets a password for the sign-in if the account has none. */
async function signInAgain(colleague: Colleague, totp: TOTP): Promise<TestSession> {
  const { db } = app.database;
  const [{ passwordHash } = { passwordHash: null }] = await db
    .select()
    .from(administrators)
    .where(eq(administrators.email, 'admin@demo.local'));
  const owner = eq(administrators.id, colleague.id);
  const [before] = await db.select().from(administrators).where(owner);
  await db.update(administrators).set({ passwordHash }).where(owner);
  const pending = await send(app, 'POST', '/api/session', { email: colleague.email, password: demoPassword });
  const cookie = pending.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  app.clock.now += minuteMs;
  const value = totp.generate({ timestamp: app.clock.now });
  const response = await send(app, 'POST', '/api/session/factor', { method: 'totp', value }, { cookie });
  const { authorization } = (await response.json()) as { authorization: string };
  await db
    .update(administrators)
    .set({ passwordHash: before?.passwordHash ?? null })
    .where(owner);
  const headers = {
    authorization,
    cookie: response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
  return { headers, api: createApi(app, headers) };
}

const freshRoutes = listContractRoutes(contract).filter(({ meta }) => meta.fresh);

/** By route name. The guard decides before the input is read. */
async function callEach({ headers }: TestSession, names: readonly string[]): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for (const name of names) {
    const response = await send(
      app,
      'POST',
      `/rpc/${name.replaceAll('.', '/')}`,
      { json: {} },
      { ...headers, 'idempotency-key': newId() },
    );
    const { json } = (await response.json()) as { json?: { code?: string; data?: { reason?: string } } };
    outcomes.set(name, json?.data?.reason ?? json?.code ?? 'done');
  }
  return outcomes;
}

describe('a second factor of an account without a password', () => {
  test('opens no guarded route until a colleague vouches for it, also after a promotion', async () => {
    const colleague = await addColleague('editor');
    const totp = await enroll(colleague);
    const names = freshRoutes.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(60);
    expect(await readRow(colleague)).toMatchObject({ factor: 'totp', factorGap: 'VOUCH' });
    const refusedAsEditor = [...(await callEach(colleague, names))].filter(([, code]) => code === 'VOUCH').map(([name]) => name);
    expect(refusedAsEditor).toContain('news.show');

    await changeRoles(colleague, ['all']);
    const promotedSession = await signInAgain(colleague, totp);
    expect(new Set((await callEach(promotedSession, names)).values())).toEqual(new Set(['VOUCH']));
    expect(await promotedSession.api.session.current()).toMatchObject({ factorNeeded: true, codes: [] });
    expect(await readCode(promotedSession.api.administrators.many({ ids: [colleague.id] }))).toBe('VOUCH');

    await confirmFactor(promotedSession, totp);
    await promotedSession.api.account.useEnrollmentCode({ enrollmentCode: await giveCode(colleague, adminSession) });
    expect(await readRow(colleague)).toMatchObject({ factor: 'totp', factorGap: null });
    const outcomes = await callEach(promotedSession, ['administrators.add', 'roles.add', 'news.show']);
    expect([...outcomes.values()]).toEqual(
      ['BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST'].map(() => expect.not.stringMatching(/VOUCH|FACTOR/)),
    );
  });

  test('restricts nothing for a role without guarded functions', async () => {
    const grants = ['/news', 'news.add'];
    const role = await adminSession.api.roles.add({ name: 'Writers', description: 'd', needsFactor: false, grants });
    const colleague = await addColleague('editor');
    await app.database.db.execute(
      sql`update administrator_roles set role_id = ${role.id} where administrator_id = ${colleague.id}`,
    );
    expect(await readCode(colleague.api.news.many({ ids: [] }))).toBe('done');
    await enroll(colleague);
    expect(await readCode(colleague.api.news.many({ ids: [] }))).toBe('done');
    expect(await colleague.api.session.current()).toMatchObject({ codes: [{ code: 'news.add' }] });
  });

  test('is required before an account with a guarded role gets any permission', async () => {
    const colleague = await addColleague('access');
    expect(await colleague.api.session.current()).toMatchObject({ factorNeeded: true, codes: [] });
    expect(await readCode(colleague.api.administrators.many({ ids: [colleague.id] }))).toBe('FACTOR_REQUIRED');
    expect(await readRow(colleague)).toMatchObject({ factor: 'none', factorGap: 'FACTOR' });
    expect(await colleague.api.account.get()).toMatchObject({ factorNeeded: true, factorGap: 'FACTOR' });
    await enroll(colleague, await giveCode(colleague));
    expect(await readCode(colleague.api.administrators.many({ ids: [colleague.id] }))).toBe('done');
    expect(await colleague.api.account.get()).toMatchObject({ factorGap: null });
  });

  test('grants no permission before a colleague vouches for it, even after a complete sign-in', async () => {
    const colleague = await addColleague('access');
    const totp = await enroll(colleague);
    const session = await signInAgain(colleague, totp);
    expect(await session.api.session.current()).toMatchObject({ factorNeeded: true, codes: [] });
    expect(await readCode(session.api.roles.many({ ids: [] }))).toBe('VOUCH');
  });

  test('still needs a code after it is removed and set up again, or after another factor is added', async () => {
    const colleague = await addColleague('editor');
    await enroll(colleague, await giveCode(colleague));
    expect(await readRow(colleague)).toMatchObject({ factorGap: null });
    await colleague.api.account.removeTotp();
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'FACTOR' });
    app.clock.now += minuteMs;
    await enroll(colleague);
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'VOUCH' });
    await enroll(colleague);
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'VOUCH' });
  });

  test('needs a new code after a colleague resets it', async () => {
    const colleague = await addColleague('editor');
    await enroll(colleague, await giveCode(colleague));
    await adminSession.api.administrators.resetFactor(item(await readRow(colleague)));
    expect(await readRow(colleague)).toMatchObject({ factor: 'none', factorGap: 'FACTOR' });
  });
});

test('a factor that was set up with a password needs no code, also after a reset', async () => {
  const colleague = await addColleague('access', { withPassword: true });
  expect(await readRow(colleague)).toMatchObject({ factorGap: null });
  await enrollTotp(app, colleague.api);
  expect(await readRow(colleague)).toMatchObject({ factor: 'totp', factorGap: null });
  await adminSession.api.administrators.resetFactor(item(await readRow(colleague)));
  expect(await readRow(colleague)).toMatchObject({ factor: 'none', factorGap: null });
  const session = await signIn(colleague.email);
  await enrollTotp(app, session.api);
  expect(
    await readCode(session.api.administrators.endSessions({ items: [item(await readRow(await addColleague('editor')))] })),
  ).toBe('done');
  expect(await readCode(adminSession.api.administrators.giveEnrollmentCode(item(await readRow(colleague))))).toBe('INCOMPLETE');
});

test('the owner gets an email about the first second factor', async () => {
  const colleague = await addColleague('editor', { withPassword: true });
  await app.database.db.delete(mails);
  await enrollTotp(app, colleague.api);
  const subjects = (await app.database.db.select().from(mails).where(eq(mails.recipient, colleague.email))).map(
    ({ subject }) => subject,
  );
  expect(subjects.join('\n')).toContain('An authenticator app was set up for your account');
});

describe('an enrollment code', () => {
  test('is given by a colleague who may manage the account, and never for oneself', async () => {
    const colleague = await addColleague('editor');
    const row = item(await readRow(colleague));
    expect(await readCode((await signInAs(app, 'editor')).api.administrators.giveEnrollmentCode(row))).toBe('FORBIDDEN');
    const strong = await addColleague('approver');
    expect(await readCode(accessSession.api.administrators.giveEnrollmentCode(item(await readRow(strong))))).toBe('HOLDS_MORE');
    const self = await addColleague('access');
    await enroll(self, await giveCode(self, adminSession));
    const [ownRow] = await self.api.administrators.many({ ids: [self.id] });
    expect(await readCode(self.api.administrators.giveEnrollmentCode(item(ownRow ?? row)))).toBe('OWN_ACCESS');
    await adminSession.api.administrators.disable({ items: [row] });
    expect(await readCode(adminSession.api.administrators.giveEnrollmentCode(item(await readRow(colleague))))).toBe('INCOMPLETE');
  });

  test('is shown once and is in no audit row, email or idempotency row', async () => {
    const colleague = await addColleague('editor');
    const api = createApi(app, { ...accessSession.headers, 'idempotency-key': newId() });
    const row = item(await readRow(colleague));
    const { code, expiresAt } = await api.administrators.giveEnrollmentCode(row);
    expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    expect(Date.parse(expiresAt)).toBe(app.clock.now + hourMs);
    expect(await readCode(api.administrators.giveEnrollmentCode(row))).toBe('CONFLICT');
    await enroll({ ...colleague, api: createApi(app, { ...colleague.headers, 'idempotency-key': newId() }) }, code);
    const { db } = app.database;
    const stored = JSON.stringify([
      await db.select().from(audit),
      await db.select().from(mails),
      await db.select().from(idempotency),
      await db.select().from(enrollmentCodes),
    ]);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(code.replace('-', ''));
  });

  test('works once, in any spelling', async () => {
    const colleague = await addColleague('editor');
    const totp = await enroll(colleague);
    const code = await giveCode(colleague);
    const attempts = await Promise.all(
      [code, ` ${code.toUpperCase().replace('-', ' ')} `].map((enrollmentCode) =>
        readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode })),
      ),
    );
    expect(attempts.toSorted()).toEqual(['done', 'enrollmentCode']);
    await confirmFactor(colleague, totp);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode: code }))).toBe('enrollmentCode');
    expect(
      await app.database.db.$count(
        accountChanges,
        and(eq(accountChanges.administratorId, colleague.id), accountChanges.byEnrollmentCode),
      ),
    ).toBe(1);
  });

  test('is refused after five wrong attempts, and each wrong attempt is audited', async () => {
    const colleague = await addColleague('editor');
    const totp = await enroll(colleague);
    const enrollmentCode = await giveCode(colleague);
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode: 'aaaaa-aaaaa' }))).toBe('enrollmentCode');
    app.clock.now += 20 * minuteMs; // the limit of attempts per account is over
    await confirmFactor(colleague, totp);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode }))).toBe('enrollmentCode');
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'VOUCH' });
    expect(
      await app.database.db.$count(audit, and(eq(audit.actorId, colleague.id), eq(audit.result, 'refused'))),
    ).toBeGreaterThan(0);
    expect(
      await app.database.db.$count(
        mails,
        and(eq(mails.recipient, colleague.email), like(mails.subject, '%wrong password, code or second factor%')),
      ),
    ).toBe(2); // one in ten minutes
  });

  test('is refused after an hour, and after a new code is given', async () => {
    const colleague = await addColleague('editor');
    const totp = await enroll(colleague);
    const [early, late] = [await giveCode(colleague), await giveCode(colleague)];
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode: early }))).toBe('enrollmentCode');
    app.clock.now += hourMs;
    await confirmFactor(colleague, totp);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode: late }))).toBe('enrollmentCode');
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'VOUCH' });
  });

  test('is refused for another person, and without a factor', async () => {
    const [colleague, other] = [await addColleague('editor'), await addColleague('editor')];
    const enrollmentCode = await giveCode(other);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode }))).toBe('FACTOR_REQUIRED');
    await enroll(colleague);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode }))).toBe('enrollmentCode');
  });

  test('that is wrong during the setup leaves no factor behind', async () => {
    const colleague = await addColleague('editor');
    await giveCode(colleague);
    expect(await readCode(enroll(colleague, 'aaaaa-aaaaa'))).toBe('enrollmentCode');
    expect(await readRow(colleague)).toMatchObject({ factor: 'none' });
  });

  const endings: Record<string, (colleague: Colleague, voucher: Colleague) => Promise<unknown>> = {
    'the colleague who gave it is disabled': async (_, voucher) =>
      adminSession.api.administrators.disable({ items: [item(await readRow(voucher))] }),
    'the colleague who gave it loses the permission': (_, voucher) => changeRoles(voucher, ['editor']),
    'the account gets a role that the colleague may not give': (colleague) =>
      app.database.db.execute(
        sql`update administrator_roles set role_id = ${roleIds.approver} where administrator_id = ${colleague.id}`,
      ),
    'the email of the account changes': async (colleague) => {
      const { id, version, description, roles: assigned } = await readRow(colleague);
      await adminSession.api.administrators.edit({
        id,
        version,
        description,
        email: `moved${administratorCount++}@example.com`,
        roles: assigned.map((role) => role.id),
      });
      await app.database.db.execute(sql`update sessions set revoked_at = null where administrator_id = ${id}`);
    },
    'the account was disabled for a while': async (colleague) => {
      await adminSession.api.administrators.disable({ items: [item(await readRow(colleague))] });
      await adminSession.api.administrators.enable({ items: [item(await readRow(colleague))] });
      await app.database.db.execute(sql`update sessions set revoked_at = null where administrator_id = ${colleague.id}`);
    },
  };
  test.each(Object.entries(endings))('is not accepted after %s', async (_, end) => {
    const voucher = await addColleague('access', { withPassword: true });
    await enrollTotp(app, voucher.api);
    const colleague = await addColleague('editor');
    const totp = await enroll(colleague);
    const enrollmentCode = await giveCode(colleague, voucher);
    await end(colleague, voucher);
    await confirmFactor(colleague, totp);
    expect(await readCode(colleague.api.account.useEnrollmentCode({ enrollmentCode }))).toBe('enrollmentCode');
    expect(await readRow(colleague)).toMatchObject({ factorGap: 'VOUCH' });
  });

  test('is reported to the owner when given and when used, and to holders of money permissions', async () => {
    const colleague = await addColleague('approver');
    await app.database.db.delete(mails);
    await enroll(colleague, await giveCode(colleague, adminSession));
    const mailsTo = async (email: string) =>
      (await app.database.db.select().from(mails).where(eq(mails.recipient, email)))
        .map(({ subject, body }) => `${subject}\n${body}`)
        .join('\n');
    const ownerMails = await mailsTo(colleague.email);
    expect(ownerMails).toContain('An administrator created an enrollment code for your second factor');
    expect(ownerMails).toContain('An administrator vouched for your second factor');
    expect(ownerMails).toContain('By: admin@demo.local');
    expect(await mailsTo('operator@demo.local')).toContain('admin@demo.local vouched for the second factor of an account');
    const [entry] = await app.database.db
      .select()
      .from(audit)
      .where(and(eq(audit.action, 'useEnrollmentCode'), eq(audit.entityId, colleague.id)));
    expect(entry).toMatchObject({ after: JSON.stringify({ vouchedBy: 'admin@demo.local' }), result: 'done' });
  });
});

test('a person who opens an account without its password never gets a guarded permission, in any order of factor changes', async () => {
  const random = seededRandom(58);
  for (let round = 0; round < 3; round++) {
    let colleague = await addColleague('editor');
    let totp: TOTP | null = null;
    const steps: Record<string, () => Promise<unknown>> = {
      enroll: async () => (totp = await enroll(colleague)),
      remove: async () => {
        await colleague.api.account.removeTotp();
        totp = null;
      },
      guess: () => colleague.api.account.useEnrollmentCode({ enrollmentCode: 'bbbbb-bbbbb' }),
      promote: () => changeRoles(colleague, ['all']),
      demote: () => changeRoles(colleague, ['editor']),
      reset: async () => {
        await adminSession.api.administrators.resetFactor(item(await readRow(colleague)));
        totp = null;
      },
      wait: async () => {
        app.clock.now += 2 * minuteMs;
      },
    };
    for (let step = 0; step < 12; step++) {
      const name = Object.keys(steps)[Math.floor(random() * 7)] ?? 'wait';
      await steps[name]?.().catch(() => {});
      const session = await renewSession(colleague, totp);
      colleague = { ...colleague, ...session };
      for (const [route, code] of await callEach(colleague, [
        'administrators.add',
        'roles.edit',
        'deposits.confirm',
        'news.show',
      ]))
        expect(code, `${route} after ${name}`).toMatch(/^(VOUCH|FACTOR_REQUIRED|FORBIDDEN)$/);
      expect(
        (await colleague.api.session.current()).codes.filter(({ code }) => /^(administrators|roles|deposits)\./.test(code)),
      ).toEqual([]);
    }
    expect(
      await app.database.db.$count(
        accountChanges,
        and(eq(accountChanges.administratorId, colleague.id), accountChanges.byEnrollmentCode),
      ),
    ).toBe(0);
  }
});

/** With the factor, if there is one. */
const renewSession = async (colleague: Colleague, totp: TOTP | null): Promise<TestSession> => {
  if (totp) return signInAgain(colleague, totp);
  const owner = eq(administrators.id, colleague.id);
  const { db } = app.database;
  const [source] = await db.select().from(administrators).where(eq(administrators.email, 'admin@demo.local'));
  await db
    .update(administrators)
    .set({ passwordHash: source?.passwordHash ?? null })
    .where(owner);
  const response = await send(app, 'POST', '/api/session', { email: colleague.email, password: demoPassword });
  const { authorization } = (await response.json()) as { authorization: string };
  await db.update(administrators).set({ passwordHash: null }).where(owner);
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  return { headers, api: createApi(app, headers) };
};

test('a new code voids the earlier one, so that one account has at most one', async () => {
  const colleague = await addColleague('editor');
  await giveCode(colleague);
  await giveCode(colleague);
  expect(
    await app.database.db.$count(
      enrollmentCodes,
      and(eq(enrollmentCodes.administratorId, colleague.id), isNull(enrollmentCodes.usedAt)),
    ),
  ).toBe(1);
});
