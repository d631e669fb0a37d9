import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Genesis } from '../../api/authority/statements.ts';
import { createStore } from '../../testing/factories/store.ts';
import { newId } from '../platform/core/ids.ts';
import { createPasskeyPerson } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

// The attacker manages accounts and wants to sign as a second person.

const hour = 3_600_000;
const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;
let app: TestApp;
let admin: TestSession;
let operator: TestSession;
let approver: TestSession;
let genesis: Genesis;

const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });
const readRefusalReason = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code ?? 'broken',
  );

beforeAll(async () => {
  app = await createTestApp(
    { ...buildChainEnv('http://127.0.0.1:9'), WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' },
    { jobs: false },
  );
  await app.database.pool.query(
    `insert into role_nodes (role_id, node_id) select r.id, n.id from roles r, permission_nodes n
     where r.seed = 'operator' and n.identifier like '%uthority%' on conflict do nothing`,
  );
  await signInApprover();
  const [row] = (await admin.api.authority.list({ ...page, filter: { kind: 'genesis' } })).rows;
  if (row?.statement.kind !== 'genesis') throw new Error('no genesis');
  genesis = row.statement.content;
});
beforeEach(async () => {
  app.clock.now += 100 * hour; // older changes no longer matter
  await signInApprover();
});

async function signInApprover(): Promise<void> {
  [admin, operator, approver] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'operator'), signInAs(app, 'approver')]);
}

async function findAccount(email = 'approver@demo.local') {
  const { rows } = await admin.api.administrators.list({ sort: 'email', direction: 'asc', cursor: null, limit: 50, filter: {} });
  const account = rows.find((row) => row.email === email);
  if (!account) throw new Error(`nobody is ${email}`);
  return account;
}

async function takeOverAccount(session: TestSession = admin): Promise<void> {
  for (const [from, email] of [
    ['approver@demo.local', 'taken@demo.local'],
    ['taken@demo.local', 'approver@demo.local'],
  ] as const) {
    const { id, version, description, roles } = await findAccount(from);
    await session.api.administrators.edit({ id, version, email, description, roles: roles.map((role) => role.id) });
  }
}

async function enrollApprover(): Promise<string> {
  const person = createPasskeyPerson('approver@demo.local');
  const { id, statement } = await idempotentApi(approver).authority.enrol({ key: person.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await idempotentApi(approver).authority.sign({ id, proof: person.prove(statement, genesis) });
  return id;
}

describe('an account that a colleague took over for a few minutes', () => {
  test('has no session after its email was changed, nor after it was changed back', async () => {
    const previousSession = approver;
    await takeOverAccount();
    expect(await readRefusalReason(previousSession.api.authority.summary())).toBe('UNAUTHORIZED');
  });

  test('cannot enroll a key, propose or sign until the cooling time is over', async () => {
    const openFreeze = await idempotentApi(operator).authority.freeze({ reason: 'looked at' });
    const liftStatement = await idempotentApi(operator).authority.unfreeze({
      freeze: String(openFreeze.number),
      difference: '',
      reason: 'looked at',
    });
    await takeOverAccount();
    approver = await signInAs(app, 'approver');
    const { key } = createPasskeyPerson('approver@demo.local');
    for (const [actionName, request] of [
      ['enrol', () => idempotentApi(approver).authority.enrol({ key })],
      ['freeze', () => idempotentApi(approver).authority.freeze({ reason: 'x' })],
      ['sign', () => idempotentApi(approver).authority.sign({ id: liftStatement.id })],
      ['removeReceiver', () => idempotentApi(approver).authority.removeReceiver({ address: genesis.bridge, reason: 'x' })],
    ] as const)
      expect(await readRefusalReason(request()), actionName).toBe('COOLING');
    app.clock.now += 25 * hour;
    await signInApprover();
    expect(await readRefusalReason(idempotentApi(approver).authority.sign({ id: liftStatement.id }))).toBe('done');
  });

  test('cannot have its key approved by the person who changed it; another colleague can approve it', async () => {
    await takeOverAccount();
    app.clock.now += 100 * hour;
    await signInApprover();
    const id = await enrollApprover();
    expect(await readRefusalReason(idempotentApi(admin).authority.sign({ id, heard: true }))).toBe('TOGETHER');
    expect(await readRefusalReason(idempotentApi(operator).authority.sign({ id, heard: true }))).toBe('done');
  });

  test('cannot have an earlier draft of its key approved during the cooling time', async () => {
    const id = await enrollApprover();
    await takeOverAccount();
    operator = await signInAs(app, 'operator');
    expect(await readRefusalReason(idempotentApi(operator).authority.sign({ id, heard: true }))).toBe('COOLING');
  });

  test('cannot sign a statement together with the person who changed it', async () => {
    await takeOverAccount();
    app.clock.now += 100 * hour;
    await signInApprover();
    const { number } = await idempotentApi(operator).authority.freeze({ reason: 'looked at' });
    const liftStatement = await idempotentApi(approver).authority.unfreeze({
      freeze: String(number),
      difference: '',
      reason: 'looked at',
    });
    expect(await readRefusalReason(idempotentApi(admin).authority.sign({ id: liftStatement.id }))).toBe('TOGETHER');
    expect(await readRefusalReason(idempotentApi(operator).authority.sign({ id: liftStatement.id }))).toBe('done');
  });
});

test('a key is not approved without confirmation that its six words were heard', async () => {
  const id = await enrollApprover();
  expect(await readRefusalReason(idempotentApi(operator).authority.sign({ id }))).toBe('NOT_HEARD');
});

test('the review of an enrollment shows the account’s keys and who changed what and when', async () => {
  await takeOverAccount();
  const timeBefore = app.clock.now;
  const { id } = await findAccount();
  const { keys, changes, more } = await operator.api.authority.details({ person: id });
  expect(keys.map(({ key }) => key.type)).toContain('software');
  expect(changes[0]).toEqual({
    what: 'email',
    by: 'admin@demo.local',
    own: false,
    vouches: false,
    at: new Date(timeBefore).toISOString(),
  });
  expect(more).toBe(0);
});

test('the review of an enrollment shows who added the account and when, also years later', async () => {
  const readAccount = async (person: string) => (await operator.api.authority.details({ person })).account;
  const createdAt = new Date(app.clock.now).toISOString();
  const store = createStore(app.database.db);
  const role = await store.role({ nodeIds: [] });
  const added = await admin.api.administrators.add({
    email: 'added@example.com',
    password: 'lantern by the old harbour',
    description: 'x',
    roles: [role.id],
  });
  const origin = { kind: 'colleague', by: 'admin@demo.local' };
  expect(await readAccount(added.id)).toEqual({ createdAt, origin, providerName: 'SCIM' });
  app.clock.now += 400 * 24 * hour;
  await signInApprover();
  expect((await operator.api.authority.details({ person: added.id })).changes).toEqual([]);
  expect(await readAccount(added.id)).toEqual({ createdAt, origin, providerName: 'SCIM' });
  const { id } = await findAccount();
  expect((await readAccount(id))?.origin).toEqual({ kind: 'server', by: null });
  expect(await readAccount(newId())).toBeNull();
  const joined = await store.person({ roleIds: [] });
  await app.database.pool.query(
    `insert into account_changes (id, administrator_id, by_idp, what, created_at) values ($1, $2, true, 'created', now())`,
    [newId(), joined.id],
  );
  expect((await readAccount(joined.id))?.origin).toEqual({ kind: 'provider', by: null });
});

test('two people whom one colleague vouched for sign no statement together', async () => {
  await app.database.pool.query('delete from account_changes');
  const at = new Date(app.clock.now - 1_000 * hour);
  for (const of of ['approver@demo.local', 'admin@demo.local'])
    await createStore(app.database.db).accountChange({ of, by: 'access@demo.local', at, vouches: true });
  const { number } = await idempotentApi(operator).authority.freeze({ reason: 'looked at' });
  const lift = { freeze: String(number), difference: '', reason: 'looked at' };
  const band = { from: '0', below: null, approvals: 2, role: null, perDay: null, delaySeconds: 0 };
  const statements = [
    await idempotentApi(approver).authority.unfreeze(lift),
    await idempotentApi(approver).authority.setRules({
      root: 2,
      coolingSeconds: 60,
      receivers: 'any',
      bands: [band],
      refundBands: [],
    }),
  ];
  for (const { id } of statements) {
    expect(await readRefusalReason(idempotentApi(admin).authority.sign({ id }))).toBe('TOGETHER');
    expect(await readRefusalReason(idempotentApi(operator).authority.sign({ id }))).toBe('done');
  }
});

test('renaming a role to one of the rules makes no one count, and its holders cannot rename it', async () => {
  const account = await findAccount();
  const role = await admin.api.roles.add({
    name: 'Night shift',
    description: 'x',
    needsFactor: false,
    grants: ['/selfCustody/authority'],
  });
  const { id, version, email, description } = account;
  const previousRoles = account.roles.map((role) => role.id);
  await admin.api.administrators.edit({ id, version, email, description, roles: [...previousRoles, role.id] });
  app.clock.now += 100 * hour;
  await signInApprover();
  const [currentRole] = await admin.api.roles.many({ ids: [role.id] });
  if (!currentRole) throw new Error('gone');
  await admin.api.roles.edit({
    id: role.id,
    version: currentRole.version,
    name: 'Head of custody',
    description: 'x',
    needsFactor: false,
    grants: ['/selfCustody/authority'],
  });
  approver = await signInAs(app, 'approver');
  expect(await readRefusalReason(idempotentApi(approver).authority.enrol({ key: createPasskeyPerson('x').key }))).toBe('COOLING');
});
