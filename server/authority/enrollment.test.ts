import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Genesis } from '../../api/authority/statements.ts';
import { newId } from '../platform/core/ids.ts';
import { passkeyPerson } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

// The attacker manages accounts and wants to sign as a second person.

const hour = 3_600_000;
const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;
let app: TestApp;
let admin: TestSession;
let operator: TestSession;
let approver: TestSession;
let genesis: Genesis;

const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });
const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code ?? 'broken',
  );

beforeAll(async () => {
  app = await testApp({ ...chainEnv('http://127.0.0.1:9'), WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' }, { jobs: false });
  await app.database.pool.query(
    `insert into role_nodes (role_id, node_id) select r.id, n.id from roles r, permission_nodes n
     where r.seed = 'operator' and n.identifier like '%uthority%' on conflict do nothing`,
  );
  await enter();
  const [row] = (await admin.api.authority.list({ ...page, filter: { kind: 'genesis' } })).rows;
  if (row?.statement.kind !== 'genesis') throw new Error('no genesis');
  genesis = row.statement.content;
});
beforeEach(async () => {
  app.clock.now += 100 * hour; // older changes no longer matter
  await enter();
});

async function enter(): Promise<void> {
  [admin, operator, approver] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'operator'), signInAs(app, 'approver')]);
}

async function accountOf(email = 'approver@demo.local') {
  const { rows } = await admin.api.administrators.list({ sort: 'email', direction: 'asc', cursor: null, limit: 50, filter: {} });
  const found = rows.find((row) => row.email === email);
  if (!found) throw new Error(`nobody is ${email}`);
  return found;
}

async function takeOver(by: TestSession = admin): Promise<void> {
  for (const [from, email] of [
    ['approver@demo.local', 'taken@demo.local'],
    ['taken@demo.local', 'approver@demo.local'],
  ] as const) {
    const { id, version, description, roles } = await accountOf(from);
    await by.api.administrators.edit({ id, version, email, description, roles: roles.map((role) => role.id) });
  }
}

async function enrolled(): Promise<string> {
  const person = passkeyPerson('approver@demo.local');
  const { id, statement } = await keyed(approver).authority.enrol({ key: person.key });
  if (statement.kind !== 'approver.add') throw new Error('no enrolment');
  await keyed(approver).authority.sign({ id, proof: person.prove(statement, genesis) });
  return id;
}

describe('an account that a colleague took over for a few minutes', () => {
  test('has no session after its email was changed, nor after it was changed back', async () => {
    const before = approver;
    await takeOver();
    expect(await reasonOf(before.api.authority.summary())).toBe('UNAUTHORIZED');
  });

  test('cannot enroll a key, propose or sign until the cooling time is over', async () => {
    const open = await keyed(operator).authority.freeze({ reason: 'looked at' });
    const lift = await keyed(operator).authority.unfreeze({ freeze: String(open.number), difference: '', reason: 'looked at' });
    await takeOver();
    approver = await signInAs(app, 'approver');
    const { key } = passkeyPerson('approver@demo.local');
    for (const [what, work] of [
      ['enrol', () => keyed(approver).authority.enrol({ key })],
      ['freeze', () => keyed(approver).authority.freeze({ reason: 'x' })],
      ['sign', () => keyed(approver).authority.sign({ id: lift.id })],
      ['removeReceiver', () => keyed(approver).authority.removeReceiver({ address: genesis.bridge, reason: 'x' })],
    ] as const)
      expect(await reasonOf(work()), what).toBe('COOLING');
    app.clock.now += 25 * hour;
    await enter();
    expect(await reasonOf(keyed(approver).authority.sign({ id: lift.id }))).toBe('done');
  });

  test('cannot have its key approved by the person who changed it; another colleague can approve it', async () => {
    await takeOver();
    app.clock.now += 100 * hour;
    await enter();
    const id = await enrolled();
    expect(await reasonOf(keyed(admin).authority.sign({ id, heard: true }))).toBe('TOGETHER');
    expect(await reasonOf(keyed(operator).authority.sign({ id, heard: true }))).toBe('done');
  });

  test('cannot have an earlier draft of its key approved during the cooling time', async () => {
    const id = await enrolled();
    await takeOver();
    operator = await signInAs(app, 'operator');
    expect(await reasonOf(keyed(operator).authority.sign({ id, heard: true }))).toBe('COOLING');
  });

  test('cannot sign a statement together with the person who changed it', async () => {
    await takeOver();
    app.clock.now += 100 * hour;
    await enter();
    const { number } = await keyed(operator).authority.freeze({ reason: 'looked at' });
    const lift = await keyed(approver).authority.unfreeze({ freeze: String(number), difference: '', reason: 'looked at' });
    expect(await reasonOf(keyed(admin).authority.sign({ id: lift.id }))).toBe('TOGETHER');
    expect(await reasonOf(keyed(operator).authority.sign({ id: lift.id }))).toBe('done');
  });
});

test('a key is not approved without confirmation that its six words were heard', async () => {
  const id = await enrolled();
  expect(await reasonOf(keyed(operator).authority.sign({ id }))).toBe('NOT_HEARD');
});

test('the review of an enrollment shows the account’s keys and who changed what and when', async () => {
  await takeOver();
  const at = app.clock.now;
  const { id } = await accountOf();
  const { keys, changes, more } = await operator.api.authority.details({ person: id });
  expect(keys.map(({ key }) => key.type)).toContain('software');
  expect(changes[0]).toEqual({ what: 'email', by: 'admin@demo.local', own: false, at: new Date(at).toISOString() });
  expect(more).toBe(0);
});

test('renaming a role to one of the rules makes no one count, and its holders cannot rename it', async () => {
  const account = await accountOf();
  const role = await admin.api.roles.add({
    name: 'Night shift',
    description: 'x',
    needsFactor: false,
    grants: ['/selfCustody/authority'],
  });
  const { id, version, email, description } = account;
  const held = account.roles.map((one) => one.id);
  await admin.api.administrators.edit({ id, version, email, description, roles: [...held, role.id] });
  app.clock.now += 100 * hour;
  await enter();
  const [current] = await admin.api.roles.many({ ids: [role.id] });
  if (!current) throw new Error('gone');
  await admin.api.roles.edit({
    id: role.id,
    version: current.version,
    name: 'Head of custody',
    description: 'x',
    needsFactor: false,
    grants: ['/selfCustody/authority'],
  });
  approver = await signInAs(app, 'approver');
  expect(await reasonOf(keyed(approver).authority.enrol({ key: passkeyPerson('x').key }))).toBe('COOLING');
});
