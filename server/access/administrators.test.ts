import { createHash, randomUUID } from 'node:crypto';
import { eq, isNull } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { newId } from '../platform/core/ids.ts';
import { enrollTotp } from '../testing/factor.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { isOneQueryWaiting } from '../testing/process.ts';
import type { RoleName } from '../seed/roles.ts';
import { audit } from '../platform/audit/tables.ts';
import { administratorRoles, administrators, passkeys, passwordLinks, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

const password = 'correct horse battery staple';
const taprootAddress = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';

let app: TestApp;
let adminSession: TestSession;
let accessSession: TestSession;
let roleIds: Record<RoleName, string>;
beforeAll(async () => {
  app = await createTestApp({ SIGN_IN_FREE: '10000', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  adminSession = await signInAs(app, 'all');
  accessSession = await signInAs(app, 'access');
  const rows = await app.database.db.select().from(roles);
  roleIds = Object.fromEntries(rows.map(({ seed, id }) => [seed ?? '', id])) as Record<RoleName, string>;
});

let administratorCount = 0;
const createFields = (overrides: Partial<{ email: string; password: string; roles: string[]; description: string }> = {}) => ({
  email: `person${administratorCount++}@example.com`,
  password,
  roles: [roleIds.editor],
  description: 'Somebody',
  ...overrides,
});
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readAdministrator = async (email: string, session = adminSession): Promise<AdministratorRow> => {
  const { rows } = await session.api.administrators.list({
    sort: 'createdAt',
    direction: 'desc',
    filter: { q: email },
    cursor: null,
    limit: 50,
  });
  const row = rows.find((candidate) => candidate.email === email);
  if (!row) throw new Error(`${email} is not in the list`);
  return row;
};

interface RefusalError {
  code: string;
  data?: { current?: AdministratorRow; identifiers?: string[]; issues?: { path: string; rule: string }[] };
}
const readRefusal = async (request: Promise<unknown>): Promise<RefusalError> =>
  (await request.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  )) as RefusalError;

/** As if they had chosen their own password, here a forbidden one. */
const afterWaitingPeriod = async <Row extends { id: string }>(addRequest: Promise<Row>): Promise<Row> => {
  const row = await addRequest;
  await app.database.db.update(administrators).set({ passwordExpiresAt: null }).where(eq(administrators.id, row.id));
  return row;
};
const readMails = async (email: string) =>
  app.database.db.select().from(mails).where(eq(mails.recipient, email)).orderBy(mails.createdAt, mails.id);
const extractToken = (body: string | undefined) => /\/login#set-password=([\w-]{43})/.exec(body ?? '')?.[1] ?? '';

const readAudit = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);

async function signIn(email: string, givenPassword = password) {
  const response = await send(app, 'POST', '/api/session', { email, password: givenPassword });
  const body = (await response.json()) as { authorization?: string };
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const headers = { authorization: body.authorization ?? '', cookie };
  return { status: response.status, body: { ...body, requestId: '' }, headers, api: createApi(app, headers) };
}
const isSignedIn = async ({ headers }: { headers: Record<string, string> }) =>
  (await send(app, 'GET', '/api/session', undefined, headers)).status === 200;

describe('adding an administrator', () => {
  test('gives them the permissions of the role, with a normalized email', async () => {
    const addedAdministrator = await afterWaitingPeriod(
      accessSession.api.administrators.add(createFields({ email: ' Ａnna@Example.com ', roles: [roleIds.access] })),
    );
    expect(addedAdministrator).toMatchObject({
      email: 'anna@example.com',
      enabled: true,
      factor: 'none',
      walletAddress: null,
      lastSeenAt: null,
      reach: 'within',
      roles: [{ id: roleIds.access }],
    });
    const session = await signIn('ANNA@example.com');
    expect(session.status).toBe(200);
    const { codes, permittedRoutes } = await session.api.session.current();
    expect(codes).toContainEqual({ code: 'administrators.edit' });
    expect(codes).not.toContainEqual({ code: 'news.add' });
    expect(permittedRoutes.map(({ path }) => path)).toEqual(['/', '/permissions', '/selfCustody', '/audit', '/account']);
    expect((await readAdministrator('anna@example.com')).lastSeenAt).not.toBeNull();
  });

  test('records it without the password', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const rows = await readAudit(addedAdministrator.id);
    expect(rows.map(({ action, actorEmail }) => [action, actorEmail])).toEqual([['add', 'admin@demo.local']]);
    const [storedRow] = await app.database.db.select().from(administrators).where(eq(administrators.id, addedAdministrator.id));
    const serializedRows = JSON.stringify(rows);
    expect(serializedRows).not.toContain(password);
    expect(serializedRows).not.toContain(storedRow?.passwordHash);
    expect(serializedRows).not.toContain('password');
  });

  test('lets them do nothing but replace a password that a colleague chose, for one day', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const session = await signIn(addedAdministrator.email);
    const { api } = session;
    expect(await api.session.current()).toMatchObject({
      passwordNeeded: true,
      codes: [],
      permittedRoutes: [{ path: '/account' }],
    });
    expect((await api.account.get()).passwordNeeded).toBe(true);
    const forbiddenCalls = [
      api.news.many({ ids: [] }),
      api.account.startTotp(),
      api.account.factor(),
      api.wallet.unbindAddress(),
    ];
    for (const { code } of await Promise.all(forbiddenCalls.map(readRefusal))) expect(code).toBe('PASSWORD_REQUIRED');
    await app.database.db.update(roles).set({ needsFactor: true }).where(eq(roles.id, roleIds.editor));
    expect((await readRefusal(api.account.startTotp())).code).toBe('PASSWORD_REQUIRED');
    await app.database.db.update(roles).set({ needsFactor: false }).where(eq(roles.id, roleIds.editor));

    await api.account.sendCode();
    const code = /(\d{6})$/.exec((await readMails(addedAdministrator.email)).at(-1)?.subject ?? '')?.[1] ?? '';
    const storeRefusal = await readRefusal(api.account.changePassword({ current: password, password, code }));
    expect(storeRefusal.data?.issues).toEqual([{ path: 'password', rule: 'invalid' }]);
    // The chooser of the password cannot read the code in the person's mailbox.
    const chosenPassword = 'a lantern of my very own';
    const wrongCode = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(
      (await readRefusal(api.account.changePassword({ current: password, password: chosenPassword, code: wrongCode }))).code,
    ).toBe('CODE_WRONG');
    await api.account.changePassword({ current: password, password: chosenPassword, code });
    expect((await api.session.current()).codes).toContainEqual({ code: 'news.add' });
    expect(await api.account.get()).toMatchObject({ passwordNeeded: false });
    expect((await signIn(addedAdministrator.email)).status).toBe(401);
    expect((await signIn(addedAdministrator.email, chosenPassword)).status).toBe(200);

    const secondAdministrator = await adminSession.api.administrators.add(createFields());
    const { now } = app.clock;
    const end = now + 24 * 3_600_000;
    app.clock.now = end - 60_000;
    const signInInTime = await signIn(secondAdministrator.email);
    app.clock.now = end + 60_000;
    const [expiredSignIn, wrongSignIn] = [
      await signIn(secondAdministrator.email),
      await signIn(secondAdministrator.email, 'not the password at all'),
    ];
    app.clock.now = now;
    expect([signInInTime.status, expiredSignIn.status, expiredSignIn.body]).toEqual([200, 401, wrongSignIn.body]);
  });

  test('mails a link that works once and replaces the given password', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const [invitationMail] = await readMails(addedAdministrator.email);
    expect(invitationMail?.body).toContain('created an Admin Panel account for you');
    expect(JSON.stringify(await readAudit(addedAdministrator.id))).not.toContain(extractToken(invitationMail?.body));
    const usePasswordLink = (givenPassword: string) =>
      createApi(app).session.usePasswordLink({ token: extractToken(invitationMail?.body), password: givenPassword });
    expect((await readRefusal(usePasswordLink(password))).data?.issues).toEqual([{ path: 'password', rule: 'invalid' }]);
    expect(await usePasswordLink('a lantern of my very own')).toEqual({ email: addedAdministrator.email });
    expect((await readRefusal(usePasswordLink('another lantern of mine'))).code).toBe('LINK_GONE');
    expect((await signIn(addedAdministrator.email)).status).toBe(401);
    const { api } = await signIn(addedAdministrator.email, 'a lantern of my very own');
    expect((await api.session.current()).codes).toContainEqual({ code: 'news.add' });
  });

  test('reports each invalid field', async () => {
    const invalidCases: [Parameters<typeof createFields>[0], string, string][] = [
      [{ email: '' }, 'email', 'required'],
      [{ email: 'nobody' }, 'email', 'email'],
      [{ password: '' }, 'password', 'required'],
      [{ password: 'short' }, 'password', 'tooShort'],
      [{ password: 'passwordpassword123' }, 'password', 'invalid'],
      [{ roles: [] }, 'roles', 'required'],
      [{ roles: [randomUUID()] }, 'roles', 'invalid'],
      [{ description: ' ' }, 'description', 'required'],
      [{ email: 'editor@demo.local' }, 'email', 'taken'],
      [{ email: 'EDITOR@Demo.local' }, 'email', 'taken'],
    ];
    const countBefore = await app.database.db.$count(administrators);
    for (const [changes, path, rule] of invalidCases) {
      const addRefusal = await readRefusal(adminSession.api.administrators.add(createFields(changes)));
      expect([addRefusal.code, addRefusal.data?.issues?.[0]], JSON.stringify(changes)).toEqual(['BAD_REQUEST', { path, rule }]);
    }
    expect(await app.database.db.$count(administrators)).toBe(countBefore);
  });

  test('creates one account when two requests use the same email', async () => {
    const duplicateFields = createFields();
    const outcomes = await Promise.allSettled([
      adminSession.api.administrators.add(duplicateFields),
      accessSession.api.administrators.add({ ...duplicateFields, roles: [roleIds.access] }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test.each([
    ['a letter of another alphabet', 'аdmin@demo.local', 'email'],
    ['a letter that is not seen', 'ad\u200bmin@demo.local', 'email'],
    ['a mark that turns the text', 'ad\u202emin@demo.local', 'email'],
    ['a name around the address', '<admin@demo.local>', 'email'],
    ['two letters like one', 'adrnin@demo.local', 'lookAlike'],
  ])('refuses an email that could be taken for a colleague’s: %s', async (_how, email, rule) => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const expected = { code: 'BAD_REQUEST', data: { issues: [{ path: 'email', rule }] } };
    await expect(adminSession.api.administrators.add(createFields({ email }))).rejects.toMatchObject(expected);
    const editedFields = { ...item(addedAdministrator), email, roles: [roleIds.editor], description: 'x' };
    await expect(adminSession.api.administrators.edit(editedFields)).rejects.toMatchObject(expected);
  });

  test('refuses a role that grants more than the caller has', async () => {
    const addRefusal = await readRefusal(
      accessSession.api.administrators.add(createFields({ roles: [roleIds.access, roleIds.operator] })),
    );
    expect(addRefusal.code).toBe('GRANT_BEYOND_OWN');
    expect(addRefusal.data?.identifiers).toContain('deposits.add');
    expect(addRefusal.data?.identifiers).not.toContain('/');
    const roleChoices = await accessSession.api.administrators.roles();
    expect(
      roleChoices
        .filter(({ beyond }) => !beyond)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([roleIds.access, roleIds.editor].toSorted());
    expect((await adminSession.api.administrators.roles()).some(({ beyond }) => beyond)).toBe(false);
  });
});

describe('editing an administrator', () => {
  test('changes email, roles and description, and ends the sessions of the account', async () => {
    const addedAdministrator = await afterWaitingPeriod(adminSession.api.administrators.add(createFields()));
    const session = await signIn(addedAdministrator.email);
    expect(await readRefusal(session.api.administrators.roles())).toMatchObject({ code: 'FORBIDDEN' });
    const editedAdministrator = await adminSession.api.administrators.edit({
      ...item(addedAdministrator),
      email: 'New@Example.com',
      roles: [roleIds.analyst, roleIds.access],
      description: 'Two hats',
    });
    expect(editedAdministrator).toMatchObject({ version: 2, email: 'new@example.com', description: 'Two hats' });
    expect(editedAdministrator.roles.map(({ id }) => id).toSorted()).toEqual([roleIds.access, roleIds.analyst].toSorted());
    expect(await isSignedIn(session)).toBe(false);
    const signInAgain = await signIn('new@example.com');
    expect((await signInAgain.api.administrators.roles()).length).toBeGreaterThan(0);
    const rows = await readAudit(addedAdministrator.id);
    expect(JSON.parse(rows.at(-1)?.before ?? '')).toMatchObject({
      email: addedAdministrator.email,
      roles: [{ id: roleIds.editor }],
    });
    expect(JSON.parse(rows.at(-1)?.after ?? '')).toMatchObject({ email: 'new@example.com' });
    const conflictRefusal = await readRefusal(
      adminSession.api.administrators.edit({
        ...item(addedAdministrator),
        email: 'x@example.com',
        roles: [roleIds.editor],
        description: 'x',
      }),
    );
    expect([conflictRefusal.code, conflictRefusal.data?.current]).toEqual([
      'CONFLICT',
      await readAdministrator('new@example.com'),
    ]);
    await adminSession.api.administrators.remove({ items: [item(editedAdministrator)] });
  });

  test('refuses roles beyond the caller’s own, and changes of someone who has more', async () => {
    const colleagueRow = await accessSession.api.administrators.add(createFields({ roles: [roleIds.access] }));
    const editRoles = (row: AdministratorRow, assignedRoles: string[]) =>
      readRefusal(
        accessSession.api.administrators.edit({ ...item(row), email: row.email, description: 'x', roles: assignedRoles }),
      );
    expect((await editRoles(colleagueRow, [roleIds.all])).code).toBe('GRANT_BEYOND_OWN');
    expect((await editRoles(await readAdministrator('operator@demo.local', accessSession), [roleIds.access])).code).toBe(
      'HOLDS_MORE',
    );
    expect((await editRoles(await readAdministrator('admin@demo.local', accessSession), [roleIds.access])).code).toBe(
      'HOLDS_MORE',
    );
  });
});

describe('no one', () => {
  test('can change their own account by any route', async () => {
    const ownRow = await readAdministrator('access@demo.local', accessSession);
    expect(ownRow.reach).toBe('own');
    const { api } = accessSession;
    const attempts = [
      api.administrators.edit({ ...item(ownRow), email: ownRow.email, roles: [roleIds.access], description: 'me' }),
      api.administrators.disable({ items: [item(ownRow)] }),
      api.administrators.enable({ items: [item(ownRow)] }),
      api.administrators.remove({ items: [item(ownRow)] }),
      api.administrators.resetPassword(item(ownRow)),
      api.administrators.resetFactor(item(ownRow)),
      api.administrators.bindWallet({ ...item(ownRow), address: taprootAddress }),
      api.administrators.unbindWallet(item(ownRow)),
      api.administrators.endSessions({ items: [item(ownRow)] }),
    ];
    expect((await Promise.all(attempts.map(readRefusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'OWN_ACCESS'));
    expect(await readAdministrator('access@demo.local', accessSession)).toEqual({ ...ownRow, lastSeenAt: expect.any(String) });
  });

  test('can change someone with more permissions by any route, nor as one of several', async () => {
    const superiorRow = await readAdministrator('admin@demo.local', accessSession);
    const colleagueRow = await accessSession.api.administrators.add(createFields({ roles: [roleIds.access] }));
    expect([superiorRow.reach, colleagueRow.reach]).toEqual(['beyond', 'within']);
    const { api } = accessSession;
    const attempts = [
      api.administrators.disable({ items: [item(colleagueRow), item(superiorRow)] }),
      api.administrators.enable({ items: [item(superiorRow)] }),
      api.administrators.remove({ items: [item(superiorRow)] }),
      api.administrators.resetPassword(item(superiorRow)),
      api.administrators.resetFactor(item(superiorRow)),
      api.administrators.bindWallet({ ...item(superiorRow), address: taprootAddress }),
      api.administrators.unbindWallet(item(superiorRow)),
      api.administrators.endSessions({ items: [item(superiorRow)] }),
    ];
    const refusalCodes = (await Promise.all(attempts.map(readRefusal))).map(({ code }) => code);
    expect(refusalCodes).toEqual(attempts.map(() => 'HOLDS_MORE'));
    expect((await readAdministrator(colleagueRow.email)).enabled).toBe(true);
    expect((await readAdministrator('admin@demo.local')).enabled).toBe(true);
  });

  test('is refused without a record of the reason', async () => {
    const superiorRow = await readAdministrator('admin@demo.local', accessSession);
    await readRefusal(accessSession.api.administrators.disable({ items: [item(superiorRow)] }));
    const refusedEntries = (await readAudit(superiorRow.id)).filter(({ result }) => result === 'refused');
    expect(JSON.parse(refusedEntries.at(-1)?.after ?? '')).toMatchObject({ code: 'HOLDS_MORE' });
    expect(refusedEntries.at(-1)).toMatchObject({ actorEmail: 'access@demo.local', permission: 'administrators.disable' });
  });
});

describe('disabling an administrator', () => {
  test('ends their sessions, and enabling restores none of them', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const session = await signIn(addedAdministrator.email);
    expect(await isSignedIn(session)).toBe(true);
    const [disabledAdministrator] = (await adminSession.api.administrators.disable({ items: [item(addedAdministrator)] })).done;
    expect(disabledAdministrator).toMatchObject({ enabled: false, version: 2 });
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(addedAdministrator.email)).status).toBe(401);
    const [enabledAdministrator] = (
      await adminSession.api.administrators.enable({ items: [item(disabledAdministrator ?? addedAdministrator)] })
    ).done;
    expect(enabledAdministrator?.enabled).toBe(true);
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(addedAdministrator.email)).status).toBe(200);
    expect((await readAudit(addedAdministrator.id)).map(({ action }) => action)).toEqual(['add', 'disable', 'enable']);
  });

  test('counts unchanged accounts as done, and reports stale and deleted ones separately', async () => {
    const [firstAdministrator, secondAdministrator] = [
      await adminSession.api.administrators.add(createFields()),
      await adminSession.api.administrators.add(createFields()),
    ];
    const missingItem = { id: randomUUID(), version: 1 };
    const firstResult = await adminSession.api.administrators.disable({
      items: [item(firstAdministrator), { id: secondAdministrator.id, version: 9 }, missingItem],
    });
    expect(firstResult.done.map(({ id }) => id)).toEqual([firstAdministrator.id]);
    expect(firstResult.failed).toEqual([
      { id: secondAdministrator.id, code: 'CONFLICT' },
      { id: missingItem.id, code: 'NOT_FOUND' },
    ]);
    const repeatedDisable = await adminSession.api.administrators.disable({ items: firstResult.done.map(item) });
    expect(repeatedDisable).toEqual({ done: firstResult.done, failed: [] });
  });
});

describe('deleting an administrator', () => {
  test('keeps the account for the audit, ends its sessions, and frees email and wallet', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const boundAdministrator = await adminSession.api.administrators.bindWallet({
      ...item(addedAdministrator),
      address: taprootAddress.toUpperCase(),
    });
    expect(boundAdministrator.walletAddress).toBe(taprootAddress);
    const session = await signIn(addedAdministrator.email);
    expect(await adminSession.api.administrators.remove({ items: [item(boundAdministrator)] })).toEqual({
      done: [{ id: addedAdministrator.id }],
      failed: [],
    });
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(addedAdministrator.email)).status).toBe(401);
    expect(await adminSession.api.administrators.many({ ids: [addedAdministrator.id] })).toEqual([]);
    expect(await readRefusal(adminSession.api.administrators.details({ id: addedAdministrator.id }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(
      await readRefusal(
        adminSession.api.administrators.enable({
          items: [{ id: addedAdministrator.id, version: boundAdministrator.version + 1 }],
        }),
      ),
    ).toMatchObject({ code: 'NOT_FOUND' });
    const [deletedRow] = await app.database.db.select().from(administrators).where(eq(administrators.id, addedAdministrator.id));
    expect(deletedRow).toMatchObject({
      email: addedAdministrator.email,
      passwordHash: null,
      walletAddress: null,
      enabled: false,
    });
    expect(JSON.parse((await readAudit(addedAdministrator.id)).at(-1)?.before ?? '')).toMatchObject({
      email: addedAdministrator.email,
      walletAddress: taprootAddress,
    });

    const nextAdministrator = await adminSession.api.administrators.add(
      createFields({ email: addedAdministrator.email, roles: [roleIds.analyst] }),
    );
    expect(nextAdministrator.id).not.toBe(addedAdministrator.id);
    expect((await signIn(addedAdministrator.email)).status).toBe(200);
    await adminSession.api.administrators.bindWallet({ ...item(nextAdministrator), address: taprootAddress });
    await adminSession.api.administrators.remove({ items: [{ id: nextAdministrator.id, version: 2 }] });
  });
});

describe('resetting a password', () => {
  test('mails a link whose token is only in the mail, and voids earlier links', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    await adminSession.api.administrators.resetPassword(item(addedAdministrator));
    const tokenOf = async () => extractToken((await readMails(addedAdministrator.email)).at(-1)?.body);
    const readLinks = () =>
      app.database.db.select().from(passwordLinks).where(eq(passwordLinks.administratorId, addedAdministrator.id));
    const firstToken = await tokenOf();
    const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
    const [link] = await readLinks();
    expect(link?.tokenHash).toBe(hashOf(firstToken));
    expect((link?.expiresAt.getTime() ?? 0) - (link?.createdAt.getTime() ?? 0)).toBe(24 * 3_600_000);
    expect(JSON.stringify(await readAudit(addedAdministrator.id))).not.toContain(firstToken);

    await adminSession.api.administrators.resetPassword(item(addedAdministrator));
    const secondToken = await tokenOf();
    expect(secondToken).not.toBe(firstToken);
    expect((await readLinks()).map(({ tokenHash }) => tokenHash)).toEqual([hashOf(secondToken)]);
    await adminSession.api.administrators.disable({ items: [item(addedAdministrator)] });
    expect(await readLinks()).toEqual([]);
    expect(
      await readRefusal(adminSession.api.administrators.resetPassword({ id: addedAdministrator.id, version: 2 })),
    ).toMatchObject({
      code: 'INCOMPLETE',
    });
  });
});

test('resetting the second factors of an administrator removes all of them and ends all sessions', async () => {
  const addedAdministrator = await adminSession.api.administrators.add(createFields());
  const session = await signIn(addedAdministrator.email);
  const { db } = app.database;
  await db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.id, addedAdministrator.id));
  expect((await readAdministrator(addedAdministrator.email)).factor).toBe('totp');
  await db.insert(passkeys).values({
    id: newId(),
    administratorId: addedAdministrator.id,
    credentialId: randomUUID(),
    publicKey: 'key',
    counter: 0,
    name: 'Key',
    createdAt: new Date(),
  });
  expect((await readAdministrator(addedAdministrator.email)).factor).toBe('passkey');
  const resetAdministrator = await adminSession.api.administrators.resetFactor(item(addedAdministrator));
  expect(resetAdministrator.factor).toBe('none');
  expect(await isSignedIn(session)).toBe(false);
  expect(await db.$count(passkeys, eq(passkeys.administratorId, addedAdministrator.id))).toBe(0);
  expect(await adminSession.api.administrators.resetFactor(item(resetAdministrator))).toEqual(resetAdministrator);
});

describe('an administrator who is changed by a colleague', () => {
  const readNoticeSubjects = async (email: string) =>
    (await readMails(email)).map(({ subject }) => subject).filter((mailSubject) => /administrator/.test(mailSubject));

  test('is notified of a new email at the old and the new address', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const email = `moved-${addedAdministrator.email}`;
    const editFields = { roles: [roleIds.editor], description: 'x' };
    const unchangedAdministrator = await adminSession.api.administrators.edit({
      ...item(addedAdministrator),
      ...editFields,
      email: addedAdministrator.email,
    });
    expect(await readNoticeSubjects(addedAdministrator.email)).toEqual([]);
    await adminSession.api.administrators.edit({ ...item(unchangedAdministrator), ...editFields, email });
    for (const recipientEmail of [addedAdministrator.email, email])
      expect(await readNoticeSubjects(recipientEmail)).toEqual([expect.stringContaining('changed the email of your account')]);
  });

  test('is notified of wallet and factor changes, and is signed out by each', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(createFields());
    const { db } = app.database;
    const sessionBefore = await signIn(addedAdministrator.email);
    const boundAdministrator = await adminSession.api.administrators.bindWallet({
      ...item(addedAdministrator),
      address: taprootAddress,
    });
    expect(await isSignedIn(sessionBefore)).toBe(false);
    const sessionBetween = await signIn(addedAdministrator.email);
    const unboundAdministrator = await adminSession.api.administrators.unbindWallet(item(boundAdministrator));
    expect(await isSignedIn(sessionBetween)).toBe(false);
    await db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.id, addedAdministrator.id));
    await adminSession.api.administrators.resetFactor(item(unboundAdministrator));
    expect(await readNoticeSubjects(addedAdministrator.email)).toEqual([
      expect.stringContaining('linked a wallet'),
      expect.stringContaining('unlinked the wallet'),
      expect.stringContaining('reset your second factor'),
    ]);
  });
});

test('a wallet can be linked to one administrator, as a taproot address', async () => {
  const [firstAdministrator, secondAdministrator] = [
    await adminSession.api.administrators.add(createFields()),
    await adminSession.api.administrators.add(createFields()),
  ];
  const boundAdministrator = await adminSession.api.administrators.bindWallet({
    ...item(firstAdministrator),
    address: ` ${taprootAddress} `,
  });
  expect(boundAdministrator.walletAddress).toBe(taprootAddress);
  const readIssue = async (address: string) =>
    (await readRefusal(adminSession.api.administrators.bindWallet({ ...item(secondAdministrator), address }))).data?.issues;
  expect(await readIssue(taprootAddress)).toEqual([{ path: 'address', rule: 'taken' }]);
  for (const address of [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    taprootAddress.slice(0, -1),
    'tb1p',
  ])
    expect(await readIssue(address), address).toEqual([{ path: 'address', rule: 'taproot' }]);
  const unboundAdministrator = await adminSession.api.administrators.unbindWallet(item(boundAdministrator));
  expect(unboundAdministrator.walletAddress).toBeNull();
  await adminSession.api.administrators.bindWallet({ ...item(secondAdministrator), address: taprootAddress });
  await adminSession.api.administrators.unbindWallet({ id: secondAdministrator.id, version: 2 });
});

test('ending sessions leaves the account unchanged', async () => {
  const addedAdministrator = await adminSession.api.administrators.add(createFields());
  const openSessions = [await signIn(addedAdministrator.email), await signIn(addedAdministrator.email)];
  const { sessions: before } = await adminSession.api.administrators.details({ id: addedAdministrator.id });
  expect(before).toHaveLength(2);
  expect((await adminSession.api.administrators.endSessions({ items: [item(addedAdministrator)] })).done).toHaveLength(1);
  for (const session of openSessions) expect(await isSignedIn(session)).toBe(false);
  expect((await adminSession.api.administrators.details({ id: addedAdministrator.id })).sessions).toEqual([]);
  expect((await signIn(addedAdministrator.email)).status).toBe(200);
});

test('the record shows permissions and the roles that grant them', async () => {
  const addedAdministrator = await afterWaitingPeriod(
    adminSession.api.administrators.add(createFields({ roles: [roleIds.editor, roleIds.analyst] })),
  );
  const { rights, row } = await accessSession.api.administrators.details({ id: addedAdministrator.id });
  expect(row.id).toBe(addedAdministrator.id);
  const rightNamed = (identifier: string) => rights.find((right) => right.identifier === identifier);
  expect(rightNamed('news.add')?.roles).toHaveLength(1);
  expect(rightNamed('/news')?.roles).toHaveLength(2);
  expect(rightNamed('administrators.add')).toBeUndefined();
  const ids = new Set(rights.map(({ id }) => id));
  for (const { parentId } of rights) expect(parentId === null || ids.has(parentId)).toBe(true);
  const session = await signIn(addedAdministrator.email);
  const { codes } = await session.api.session.current();
  const functions = rights.filter(({ kind, roles: assignedRoles }) => kind === 'function' && assignedRoles.length > 0);
  expect(functions.map(({ identifier }) => identifier).toSorted()).toEqual(codes.map(({ code }) => code).toSorted());
});

describe('the administrator list', () => {
  const list = (filter: object, sort: 'email' | 'createdAt' = 'email') =>
    adminSession.api.administrators.list({ sort, direction: 'asc', filter, cursor: null, limit: 200 });

  test('finds by email and description, by role and by status', async () => {
    const addedAdministrator = await adminSession.api.administrators.add(
      createFields({ email: 'needle%_@example.com', description: 'Night SHIFT' }),
    );
    const findEmails = async (filter: object) => (await list(filter)).rows.map(({ email }) => email);
    expect(await findEmails({ q: 'NEEDLE%' })).toEqual([addedAdministrator.email]);
    expect(await findEmails({ q: 'needle_' })).toEqual([]);
    expect(await findEmails({ q: 'night shift' })).toEqual([addedAdministrator.email]);
    expect(await findEmails({ role: roleIds.editor, q: 'demo.local' })).toEqual(['editor@demo.local']);
    await adminSession.api.administrators.disable({ items: [item(addedAdministrator)] });
    expect(await findEmails({ enabled: 'false', q: 'needle' })).toEqual([addedAdministrator.email]);
    expect(await findEmails({ enabled: 'true', q: 'needle' })).toEqual([]);
  });

  test('pages through everyone once in order, with the count', async () => {
    const listedEmails: string[] = [];
    let cursor: string | null = null;
    let count: number | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await adminSession.api.administrators.list({
        sort: 'email',
        direction: 'asc',
        filter: {},
        cursor,
        limit: 3,
      });
      listedEmails.push(...page.rows.map(({ email }) => email));
      count ??= page.count?.value;
      cursor = page.nextCursor;
    } while (cursor !== null);
    const storedAdministrators = await app.database.db.select().from(administrators).where(isNull(administrators.deletedAt));
    expect(listedEmails).toHaveLength(storedAdministrators.length);
    expect(new Set(listedEmails).size).toBe(storedAdministrators.length);
    expect(count).toBe(storedAdministrators.length);
  });
});

test('an administrator disabled while waiting for a lock does nothing more', async () => {
  const actor = await afterWaitingPeriod(adminSession.api.administrators.add(createFields({ roles: [roleIds.access] })));
  const target = await adminSession.api.administrators.add(createFields({ roles: [roleIds.access] }));
  const session = await signIn(actor.email);
  await enrollTotp(app, session.api);
  const { db } = app.database;
  let pendingRefusal: Promise<RefusalError> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute('select pg_advisory_xact_lock(42800004)');
    pendingRefusal = readRefusal(session.api.administrators.disable({ items: [item(target)] }));
    await isOneQueryWaiting(app.database);
    await tx.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.administratorId, actor.id));
  });
  expect(await pendingRefusal).toMatchObject({ code: 'UNAUTHORIZED' });
  expect((await readAdministrator(target.email)).enabled).toBe(true);
  expect(await db.$count(administratorRoles, eq(administratorRoles.administratorId, target.id))).toBe(1);
});
