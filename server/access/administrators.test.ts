import { createHash, randomUUID } from 'node:crypto';
import { eq, isNull } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { newId } from '../platform/core/ids.ts';
import { enrollTotp } from '../testing/factor.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { oneWaits } from '../testing/process.ts';
import type { RoleName } from '../seed/roles.ts';
import { audit } from '../platform/audit/tables.ts';
import { administratorRoles, administrators, passkeys, passwordLinks, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

const password = 'correct horse battery staple';
const taproot = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';

let app: TestApp;
let all: TestSession;
let access: TestSession;
let roleIds: Record<RoleName, string>;
beforeAll(async () => {
  app = await testApp({ SIGN_IN_FREE: '10000', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  all = await signInAs(app, 'all');
  access = await signInAs(app, 'access');
  const rows = await app.database.db.select().from(roles);
  roleIds = Object.fromEntries(rows.map(({ seed, id }) => [seed ?? '', id])) as Record<RoleName, string>;
});

let made = 0;
const fields = (changes: Partial<{ email: string; password: string; roles: string[]; description: string }> = {}) => ({
  email: `person${made++}@example.com`,
  password,
  roles: [roleIds.editor],
  description: 'Somebody',
  ...changes,
});
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const rowOf = async (email: string, by = all): Promise<AdministratorRow> => {
  const { rows } = await by.api.administrators.list({
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

interface Refused {
  code: string;
  data?: { current?: AdministratorRow; identifiers?: string[]; issues?: { path: string; rule: string }[] };
}
const refusal = async (work: Promise<unknown>): Promise<Refused> =>
  (await work.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason,
  )) as Refused;

/** As if they had chosen their own password, here a forbidden one. */
const settled = async <Row extends { id: string }>(adding: Promise<Row>): Promise<Row> => {
  const row = await adding;
  await app.database.db.update(administrators).set({ passwordExpiresAt: null }).where(eq(administrators.id, row.id));
  return row;
};
const mailsTo = async (email: string) =>
  app.database.db.select().from(mails).where(eq(mails.recipient, email)).orderBy(mails.createdAt, mails.id);
const tokenIn = (body: string | undefined) => /\/login#set-password=([\w-]{43})/.exec(body ?? '')?.[1] ?? '';

const auditOf = (id: string) => app.database.db.select().from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);

async function signIn(email: string, secret = password) {
  const response = await send(app, 'POST', '/api/session', { email, password: secret });
  const body = (await response.json()) as { authorization?: string };
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const headers = { authorization: body.authorization ?? '', cookie };
  return { status: response.status, body: { ...body, requestId: '' }, headers, api: apiOf(app, headers) };
}
const isSignedIn = async ({ headers }: { headers: Record<string, string> }) =>
  (await send(app, 'GET', '/api/session', undefined, headers)).status === 200;

describe('adding an administrator', () => {
  test('gives them the permissions of the role, with a normalized email', async () => {
    const added = await settled(access.api.administrators.add(fields({ email: ' Ａnna@Example.com ', roles: [roleIds.access] })));
    expect(added).toMatchObject({
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
    expect((await rowOf('anna@example.com')).lastSeenAt).not.toBeNull();
  });

  test('records it without the password', async () => {
    const added = await all.api.administrators.add(fields());
    const rows = await auditOf(added.id);
    expect(rows.map(({ action, actorEmail }) => [action, actorEmail])).toEqual([['add', 'admin@demo.local']]);
    const [stored] = await app.database.db.select().from(administrators).where(eq(administrators.id, added.id));
    const everything = JSON.stringify(rows);
    expect(everything).not.toContain(password);
    expect(everything).not.toContain(stored?.passwordHash);
    expect(everything).not.toContain('password');
  });

  test('lets them do nothing but replace a password that a colleague chose, for one day', async () => {
    const added = await all.api.administrators.add(fields());
    const session = await signIn(added.email);
    const { api } = session;
    expect(await api.session.current()).toMatchObject({
      passwordNeeded: true,
      codes: [],
      permittedRoutes: [{ path: '/account' }],
    });
    expect((await api.account.get()).passwordNeeded).toBe(true);
    const closed = [api.news.many({ ids: [] }), api.account.startTotp(), api.account.factor(), api.wallet.unbindAddress()];
    for (const { code } of await Promise.all(closed.map(refusal))) expect(code).toBe('PASSWORD_REQUIRED');
    await app.database.db.update(roles).set({ needsFactor: true }).where(eq(roles.id, roleIds.editor));
    expect((await refusal(api.account.startTotp())).code).toBe('PASSWORD_REQUIRED');
    await app.database.db.update(roles).set({ needsFactor: false }).where(eq(roles.id, roleIds.editor));

    await api.account.sendCode();
    const code = /(\d{6})$/.exec((await mailsTo(added.email)).at(-1)?.subject ?? '')?.[1] ?? '';
    const stored = await refusal(api.account.changePassword({ current: password, password, code }));
    expect(stored.data?.issues).toEqual([{ path: 'password', rule: 'invalid' }]);
    // The chooser of the password cannot read the code in the person's mailbox.
    const mine = 'a lantern of my very own';
    const guessed = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect((await refusal(api.account.changePassword({ current: password, password: mine, code: guessed }))).code).toBe(
      'CODE_WRONG',
    );
    await api.account.changePassword({ current: password, password: mine, code });
    expect((await api.session.current()).codes).toContainEqual({ code: 'news.add' });
    expect(await api.account.get()).toMatchObject({ passwordNeeded: false });
    expect((await signIn(added.email)).status).toBe(401);
    expect((await signIn(added.email, mine)).status).toBe(200);

    const late = await all.api.administrators.add(fields());
    const { now } = app.clock;
    const end = now + 24 * 3_600_000;
    app.clock.now = end - 60_000;
    const inTime = await signIn(late.email);
    app.clock.now = end + 60_000;
    const [over, wrong] = [await signIn(late.email), await signIn(late.email, 'not the password at all')];
    app.clock.now = now;
    expect([inTime.status, over.status, over.body]).toEqual([200, 401, wrong.body]);
  });

  test('mails a link that works once and replaces the given password', async () => {
    const added = await all.api.administrators.add(fields());
    const [mail] = await mailsTo(added.email);
    expect(mail?.body).toContain('created an Admin Panel account for you');
    expect(JSON.stringify(await auditOf(added.id))).not.toContain(tokenIn(mail?.body));
    const use = (secret: string) => apiOf(app).session.usePasswordLink({ token: tokenIn(mail?.body), password: secret });
    expect((await refusal(use(password))).data?.issues).toEqual([{ path: 'password', rule: 'invalid' }]);
    expect(await use('a lantern of my very own')).toEqual({ email: added.email });
    expect((await refusal(use('another lantern of mine'))).code).toBe('LINK_GONE');
    expect((await signIn(added.email)).status).toBe(401);
    const { api } = await signIn(added.email, 'a lantern of my very own');
    expect((await api.session.current()).codes).toContainEqual({ code: 'news.add' });
  });

  test('reports each invalid field', async () => {
    const bad: [Parameters<typeof fields>[0], string, string][] = [
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
    const before = await app.database.db.$count(administrators);
    for (const [changes, path, rule] of bad) {
      const refused = await refusal(all.api.administrators.add(fields(changes)));
      expect([refused.code, refused.data?.issues?.[0]], JSON.stringify(changes)).toEqual(['BAD_REQUEST', { path, rule }]);
    }
    expect(await app.database.db.$count(administrators)).toBe(before);
  });

  test('creates one account when two requests use the same email', async () => {
    const twice = fields();
    const outcomes = await Promise.allSettled([
      all.api.administrators.add(twice),
      access.api.administrators.add({ ...twice, roles: [roleIds.access] }),
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
    const added = await all.api.administrators.add(fields());
    const expected = { code: 'BAD_REQUEST', data: { issues: [{ path: 'email', rule }] } };
    await expect(all.api.administrators.add(fields({ email }))).rejects.toMatchObject(expected);
    const edited = { ...item(added), email, roles: [roleIds.editor], description: 'x' };
    await expect(all.api.administrators.edit(edited)).rejects.toMatchObject(expected);
  });

  test('refuses a role that grants more than the caller has', async () => {
    const refused = await refusal(access.api.administrators.add(fields({ roles: [roleIds.access, roleIds.operator] })));
    expect(refused.code).toBe('GRANT_BEYOND_OWN');
    expect(refused.data?.identifiers).toContain('deposits.add');
    expect(refused.data?.identifiers).not.toContain('/');
    const choices = await access.api.administrators.roles();
    expect(
      choices
        .filter(({ beyond }) => !beyond)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([roleIds.access, roleIds.editor].toSorted());
    expect((await all.api.administrators.roles()).some(({ beyond }) => beyond)).toBe(false);
  });
});

describe('editing an administrator', () => {
  test('changes email, roles and description, and ends the sessions of the account', async () => {
    const added = await settled(all.api.administrators.add(fields()));
    const session = await signIn(added.email);
    expect(await refusal(session.api.administrators.roles())).toMatchObject({ code: 'FORBIDDEN' });
    const edited = await all.api.administrators.edit({
      ...item(added),
      email: 'New@Example.com',
      roles: [roleIds.analyst, roleIds.access],
      description: 'Two hats',
    });
    expect(edited).toMatchObject({ version: 2, email: 'new@example.com', description: 'Two hats' });
    expect(edited.roles.map(({ id }) => id).toSorted()).toEqual([roleIds.access, roleIds.analyst].toSorted());
    expect(await isSignedIn(session)).toBe(false);
    const again = await signIn('new@example.com');
    expect((await again.api.administrators.roles()).length).toBeGreaterThan(0);
    const rows = await auditOf(added.id);
    expect(JSON.parse(rows.at(-1)?.before ?? '')).toMatchObject({ email: added.email, roles: [{ id: roleIds.editor }] });
    expect(JSON.parse(rows.at(-1)?.after ?? '')).toMatchObject({ email: 'new@example.com' });
    const stale = await refusal(
      all.api.administrators.edit({ ...item(added), email: 'x@example.com', roles: [roleIds.editor], description: 'x' }),
    );
    expect([stale.code, stale.data?.current]).toEqual(['CONFLICT', await rowOf('new@example.com')]);
    await all.api.administrators.remove({ items: [item(edited)] });
  });

  test('refuses roles beyond the caller’s own, and changes of someone who has more', async () => {
    const colleague = await access.api.administrators.add(fields({ roles: [roleIds.access] }));
    const edit = (row: AdministratorRow, provided: string[]) =>
      refusal(access.api.administrators.edit({ ...item(row), email: row.email, description: 'x', roles: provided }));
    expect((await edit(colleague, [roleIds.all])).code).toBe('GRANT_BEYOND_OWN');
    expect((await edit(await rowOf('operator@demo.local', access), [roleIds.access])).code).toBe('HOLDS_MORE');
    expect((await edit(await rowOf('admin@demo.local', access), [roleIds.access])).code).toBe('HOLDS_MORE');
  });
});

describe('no one', () => {
  test('can change their own account by any route', async () => {
    const own = await rowOf('access@demo.local', access);
    expect(own.reach).toBe('own');
    const { api } = access;
    const attempts = [
      api.administrators.edit({ ...item(own), email: own.email, roles: [roleIds.access], description: 'me' }),
      api.administrators.disable({ items: [item(own)] }),
      api.administrators.enable({ items: [item(own)] }),
      api.administrators.remove({ items: [item(own)] }),
      api.administrators.resetPassword(item(own)),
      api.administrators.resetFactor(item(own)),
      api.administrators.bindWallet({ ...item(own), address: taproot }),
      api.administrators.unbindWallet(item(own)),
      api.administrators.endSessions({ items: [item(own)] }),
    ];
    expect((await Promise.all(attempts.map(refusal))).map(({ code }) => code)).toEqual(attempts.map(() => 'OWN_ACCESS'));
    expect(await rowOf('access@demo.local', access)).toEqual({ ...own, lastSeenAt: expect.any(String) });
  });

  test('can change someone with more permissions by any route, nor as one of several', async () => {
    const superior = await rowOf('admin@demo.local', access);
    const colleague = await access.api.administrators.add(fields({ roles: [roleIds.access] }));
    expect([superior.reach, colleague.reach]).toEqual(['beyond', 'within']);
    const { api } = access;
    const attempts = [
      api.administrators.disable({ items: [item(colleague), item(superior)] }),
      api.administrators.enable({ items: [item(superior)] }),
      api.administrators.remove({ items: [item(superior)] }),
      api.administrators.resetPassword(item(superior)),
      api.administrators.resetFactor(item(superior)),
      api.administrators.bindWallet({ ...item(superior), address: taproot }),
      api.administrators.unbindWallet(item(superior)),
      api.administrators.endSessions({ items: [item(superior)] }),
    ];
    const codes = (await Promise.all(attempts.map(refusal))).map(({ code }) => code);
    expect(codes).toEqual(attempts.map(() => 'HOLDS_MORE'));
    expect((await rowOf(colleague.email)).enabled).toBe(true);
    expect((await rowOf('admin@demo.local')).enabled).toBe(true);
  });

  test('is refused without a record of the reason', async () => {
    const superior = await rowOf('admin@demo.local', access);
    await refusal(access.api.administrators.disable({ items: [item(superior)] }));
    const refused = (await auditOf(superior.id)).filter(({ result }) => result === 'refused');
    expect(JSON.parse(refused.at(-1)?.after ?? '')).toMatchObject({ code: 'HOLDS_MORE' });
    expect(refused.at(-1)).toMatchObject({ actorEmail: 'access@demo.local', permission: 'administrators.disable' });
  });
});

describe('disabling an administrator', () => {
  test('ends their sessions, and enabling restores none of them', async () => {
    const added = await all.api.administrators.add(fields());
    const session = await signIn(added.email);
    expect(await isSignedIn(session)).toBe(true);
    const [disabled] = (await all.api.administrators.disable({ items: [item(added)] })).done;
    expect(disabled).toMatchObject({ enabled: false, version: 2 });
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(added.email)).status).toBe(401);
    const [enabled] = (await all.api.administrators.enable({ items: [item(disabled ?? added)] })).done;
    expect(enabled?.enabled).toBe(true);
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(added.email)).status).toBe(200);
    expect((await auditOf(added.id)).map(({ action }) => action)).toEqual(['add', 'disable', 'enable']);
  });

  test('counts unchanged accounts as done, and reports stale and deleted ones separately', async () => {
    const [a, b] = [await all.api.administrators.add(fields()), await all.api.administrators.add(fields())];
    const removed = { id: randomUUID(), version: 1 };
    const first = await all.api.administrators.disable({ items: [item(a), { id: b.id, version: 9 }, removed] });
    expect(first.done.map(({ id }) => id)).toEqual([a.id]);
    expect(first.failed).toEqual([
      { id: b.id, code: 'CONFLICT' },
      { id: removed.id, code: 'NOT_FOUND' },
    ]);
    const again = await all.api.administrators.disable({ items: first.done.map(item) });
    expect(again).toEqual({ done: first.done, failed: [] });
  });
});

describe('deleting an administrator', () => {
  test('keeps the account for the audit, ends its sessions, and frees email and wallet', async () => {
    const added = await all.api.administrators.add(fields());
    const bound = await all.api.administrators.bindWallet({ ...item(added), address: taproot.toUpperCase() });
    expect(bound.walletAddress).toBe(taproot);
    const session = await signIn(added.email);
    expect(await all.api.administrators.remove({ items: [item(bound)] })).toEqual({ done: [{ id: added.id }], failed: [] });
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(added.email)).status).toBe(401);
    expect(await all.api.administrators.many({ ids: [added.id] })).toEqual([]);
    expect(await refusal(all.api.administrators.details({ id: added.id }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(all.api.administrators.enable({ items: [{ id: added.id, version: bound.version + 1 }] }))).toMatchObject(
      { code: 'NOT_FOUND' },
    );
    const [kept] = await app.database.db.select().from(administrators).where(eq(administrators.id, added.id));
    expect(kept).toMatchObject({ email: added.email, passwordHash: null, walletAddress: null, enabled: false });
    expect(JSON.parse((await auditOf(added.id)).at(-1)?.before ?? '')).toMatchObject({
      email: added.email,
      walletAddress: taproot,
    });

    const next = await all.api.administrators.add(fields({ email: added.email, roles: [roleIds.analyst] }));
    expect(next.id).not.toBe(added.id);
    expect((await signIn(added.email)).status).toBe(200);
    await all.api.administrators.bindWallet({ ...item(next), address: taproot });
    await all.api.administrators.remove({ items: [{ id: next.id, version: 2 }] });
  });
});

describe('resetting a password', () => {
  test('mails a link whose token is only in the mail, and voids earlier links', async () => {
    const added = await all.api.administrators.add(fields());
    await all.api.administrators.resetPassword(item(added));
    const tokenOf = async () => tokenIn((await mailsTo(added.email)).at(-1)?.body);
    const links = () => app.database.db.select().from(passwordLinks).where(eq(passwordLinks.administratorId, added.id));
    const first = await tokenOf();
    const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
    const [link] = await links();
    expect(link?.tokenHash).toBe(hashOf(first));
    expect((link?.expiresAt.getTime() ?? 0) - (link?.createdAt.getTime() ?? 0)).toBe(24 * 3_600_000);
    expect(JSON.stringify(await auditOf(added.id))).not.toContain(first);

    await all.api.administrators.resetPassword(item(added));
    const second = await tokenOf();
    expect(second).not.toBe(first);
    expect((await links()).map(({ tokenHash }) => tokenHash)).toEqual([hashOf(second)]);
    await all.api.administrators.disable({ items: [item(added)] });
    expect(await links()).toEqual([]);
    expect(await refusal(all.api.administrators.resetPassword({ id: added.id, version: 2 }))).toMatchObject({
      code: 'INCOMPLETE',
    });
  });
});

test('resetting the second factors of an administrator removes all of them and ends all sessions', async () => {
  const added = await all.api.administrators.add(fields());
  const session = await signIn(added.email);
  const { db } = app.database;
  await db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.id, added.id));
  expect((await rowOf(added.email)).factor).toBe('totp');
  await db.insert(passkeys).values({
    id: newId(),
    administratorId: added.id,
    credentialId: randomUUID(),
    publicKey: 'key',
    counter: 0,
    name: 'Key',
    createdAt: new Date(),
  });
  expect((await rowOf(added.email)).factor).toBe('passkey');
  const reset = await all.api.administrators.resetFactor(item(added));
  expect(reset.factor).toBe('none');
  expect(await isSignedIn(session)).toBe(false);
  expect(await db.$count(passkeys, eq(passkeys.administratorId, added.id))).toBe(0);
  expect(await all.api.administrators.resetFactor(item(reset))).toEqual(reset);
});

describe('an administrator who is changed by a colleague', () => {
  const told = async (email: string) =>
    (await mailsTo(email)).map(({ subject }) => subject).filter((reported) => /administrator/.test(reported));

  test('is notified of a new email at the old and the new address', async () => {
    const added = await all.api.administrators.add(fields());
    const email = `moved-${added.email}`;
    const provided = { roles: [roleIds.editor], description: 'x' };
    const same = await all.api.administrators.edit({ ...item(added), ...provided, email: added.email });
    expect(await told(added.email)).toEqual([]);
    await all.api.administrators.edit({ ...item(same), ...provided, email });
    for (const to of [added.email, email])
      expect(await told(to)).toEqual([expect.stringContaining('changed the email of your account')]);
  });

  test('is notified of wallet and factor changes, and is signed out by each', async () => {
    const added = await all.api.administrators.add(fields());
    const { db } = app.database;
    const before = await signIn(added.email);
    const bound = await all.api.administrators.bindWallet({ ...item(added), address: taproot });
    expect(await isSignedIn(before)).toBe(false);
    const between = await signIn(added.email);
    const unbound = await all.api.administrators.unbindWallet(item(bound));
    expect(await isSignedIn(between)).toBe(false);
    await db.update(administrators).set({ totpSecret: 'sealed' }).where(eq(administrators.id, added.id));
    await all.api.administrators.resetFactor(item(unbound));
    expect(await told(added.email)).toEqual([
      expect.stringContaining('linked a wallet'),
      expect.stringContaining('unlinked the wallet'),
      expect.stringContaining('reset your second factor'),
    ]);
  });
});

test('a wallet can be linked to one administrator, as a taproot address', async () => {
  const [a, b] = [await all.api.administrators.add(fields()), await all.api.administrators.add(fields())];
  const bound = await all.api.administrators.bindWallet({ ...item(a), address: ` ${taproot} ` });
  expect(bound.walletAddress).toBe(taproot);
  const issue = async (address: string) =>
    (await refusal(all.api.administrators.bindWallet({ ...item(b), address }))).data?.issues;
  expect(await issue(taproot)).toEqual([{ path: 'address', rule: 'taken' }]);
  for (const address of [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    taproot.slice(0, -1),
    'tb1p',
  ])
    expect(await issue(address), address).toEqual([{ path: 'address', rule: 'taproot' }]);
  const free = await all.api.administrators.unbindWallet(item(bound));
  expect(free.walletAddress).toBeNull();
  await all.api.administrators.bindWallet({ ...item(b), address: taproot });
  await all.api.administrators.unbindWallet({ id: b.id, version: 2 });
});

test('ending sessions leaves the account unchanged', async () => {
  const added = await all.api.administrators.add(fields());
  const open = [await signIn(added.email), await signIn(added.email)];
  const { sessions: before } = await all.api.administrators.details({ id: added.id });
  expect(before).toHaveLength(2);
  expect((await all.api.administrators.endSessions({ items: [item(added)] })).done).toHaveLength(1);
  for (const session of open) expect(await isSignedIn(session)).toBe(false);
  expect((await all.api.administrators.details({ id: added.id })).sessions).toEqual([]);
  expect((await signIn(added.email)).status).toBe(200);
});

test('the record shows permissions and the roles that grant them', async () => {
  const added = await settled(all.api.administrators.add(fields({ roles: [roleIds.editor, roleIds.analyst] })));
  const { rights, row } = await access.api.administrators.details({ id: added.id });
  expect(row.id).toBe(added.id);
  const by = (identifier: string) => rights.find((right) => right.identifier === identifier);
  expect(by('news.add')?.roles).toHaveLength(1);
  expect(by('/news')?.roles).toHaveLength(2);
  expect(by('administrators.add')).toBeUndefined();
  const ids = new Set(rights.map(({ id }) => id));
  for (const { parentId } of rights) expect(parentId === null || ids.has(parentId)).toBe(true);
  const session = await signIn(added.email);
  const { codes } = await session.api.session.current();
  const functions = rights.filter(({ kind, roles: provided }) => kind === 'function' && provided.length > 0);
  expect(functions.map(({ identifier }) => identifier).toSorted()).toEqual(codes.map(({ code }) => code).toSorted());
});

describe('the administrator list', () => {
  const list = (filter: object, sort: 'email' | 'createdAt' = 'email') =>
    all.api.administrators.list({ sort, direction: 'asc', filter, cursor: null, limit: 200 });

  test('finds by email and description, by role and by status', async () => {
    const added = await all.api.administrators.add(fields({ email: 'needle%_@example.com', description: 'Night SHIFT' }));
    const found = async (filter: object) => (await list(filter)).rows.map(({ email }) => email);
    expect(await found({ q: 'NEEDLE%' })).toEqual([added.email]);
    expect(await found({ q: 'needle_' })).toEqual([]);
    expect(await found({ q: 'night shift' })).toEqual([added.email]);
    expect(await found({ role: roleIds.editor, q: 'demo.local' })).toEqual(['editor@demo.local']);
    await all.api.administrators.disable({ items: [item(added)] });
    expect(await found({ enabled: 'false', q: 'needle' })).toEqual([added.email]);
    expect(await found({ enabled: 'true', q: 'needle' })).toEqual([]);
  });

  test('pages through everyone once in order, with the count', async () => {
    const everybody: string[] = [];
    let cursor: string | null = null;
    let count: number | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await all.api.administrators.list({
        sort: 'email',
        direction: 'asc',
        filter: {},
        cursor,
        limit: 3,
      });
      everybody.push(...page.rows.map(({ email }) => email));
      count ??= page.count?.value;
      cursor = page.nextCursor;
    } while (cursor !== null);
    const there = await app.database.db.select().from(administrators).where(isNull(administrators.deletedAt));
    expect(everybody).toHaveLength(there.length);
    expect(new Set(everybody).size).toBe(there.length);
    expect(count).toBe(there.length);
  });
});

test('an administrator disabled while waiting for a lock does nothing more', async () => {
  const actor = await settled(all.api.administrators.add(fields({ roles: [roleIds.access] })));
  const target = await all.api.administrators.add(fields({ roles: [roleIds.access] }));
  const session = await signIn(actor.email);
  await enrollTotp(app, session.api);
  const { db } = app.database;
  let late: Promise<Refused> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute('select pg_advisory_xact_lock(42800004)');
    late = refusal(session.api.administrators.disable({ items: [item(target)] }));
    await oneWaits(app.database);
    await tx.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.administratorId, actor.id));
  });
  expect(await late).toMatchObject({ code: 'UNAUTHORIZED' });
  expect((await rowOf(target.email)).enabled).toBe(true);
  expect(await db.$count(administratorRoles, eq(administratorRoles.administratorId, target.id))).toBe(1);
});
