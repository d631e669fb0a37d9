import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canonicalHash } from '../../api/authority/canonical.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { passkeyPerson } from '../testing/authority.ts';
import { newId } from '../platform/core/ids.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

const ours = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const institution = {
  institution: 'Aurora Trust',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  custody: [],
  payout: [],
};
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;

let app: TestApp;
let admin: TestSession;
let approver: TestSession;
let analyst: TestSession;

const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  const c = devnetContracts;
  app = await testApp(
    {
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      YU_ADDRESS: c.yu,
      YBTC_ADDRESS: c.ybtc,
      TROVE_MANAGER_ADDRESS: c.troveManager,
      STABILITY_POOL_ADDRESS: c.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: c.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: c.custodyBridge,
      BITCOIN_NETWORK: 'regtest',
    },
    { jobs: false },
  );
  [admin, approver, analyst] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver'), signInAs(app, 'analyst')]);
});

describe('permissions for the authority log', () => {
  test('let people read with the screen’s permission, and sign and propose only with their own', async () => {
    const summary = await analyst.api.authority.summary();
    expect(summary).toMatchObject({ development: true, own: [], head: { number: expect.any(Number) } });
    await expect(keyed(analyst).authority.freeze({ reason: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(keyed(analyst).authority.sign({ id: summary.genesis })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const log = await send(app, 'GET', '/api/selfCustody/authority/log', undefined, analyst.headers);
    expect(log.status).toBe(200);
    const editor = await signInAs(app, 'editor');
    expect((await send(app, 'GET', '/api/selfCustody/authority/log', undefined, editor.headers)).status).toBe(403);
    await expect(editor.api.authority.summary()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('proposing and signing a statement', () => {
  test('takes effect immediately in a demo with a quorum of one', async () => {
    const row = await keyed(admin).authority.addCustody({ address: ours, note: 'cold' });
    expect(row).toMatchObject({ kind: 'custody.add', state: 'inForce', mine: false, by: { name: 'admin@demo.local' } });
    expect(canonicalHash(row.statement)).toBe(row.id);
    const { custody } = await analyst.api.authority.summary();
    expect(custody.map(({ address }) => address)).toContain(ours);
  });

  test('adds a receiver to the address book once both people have signed', async () => {
    const row = await keyed(admin).authority.addReceiver(institution);
    expect(row).toMatchObject({ state: 'open', needed: 2, signed: [{ name: 'admin@demo.local', key: 'software' }] });
    const { waiting } = await approver.api.authority.summary();
    expect(waiting).toBe(1);
    expect(await approver.api.home.waiting()).toContainEqual({ kind: 'statements', count: 1 });
    expect((await analyst.api.home.waiting()).map(({ kind }) => kind)).not.toContain('statements');
    const mine = await approver.api.authority.list({ ...page, filter: { mine: 'true' } });
    expect(mine.rows.map(({ id }) => id)).toEqual([row.id]);

    const signed = await keyed(approver).authority.sign({ id: row.id });
    expect(signed).toMatchObject({ state: 'inForce', mine: false });
    expect((await analyst.api.authority.summary()).receivers).toMatchObject([{ receiver: institution, cooling: false }]);
  });

  test('enrolls a passkey once its owner and a colleague have signed', async () => {
    const person = passkeyPerson('approver@demo.local');
    const before = (await admin.api.authority.summary()).head.number;
    const row = await keyed(approver).authority.enrol({ key: person.key });
    expect(row).toMatchObject({ kind: 'approver.add', state: 'draft', number: null, mine: true, signed: [], missing: 2 });
    const refusal = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };
    await expect(keyed(admin).authority.sign({ id: row.id, heard: true })).rejects.toMatchObject(refusal);
    if (row.statement.kind !== 'approver.add') throw new Error('no enrolment');
    const [genesis] = (await admin.api.authority.list({ ...page, filter: { kind: 'genesis' } })).rows;
    if (genesis?.statement.kind !== 'genesis') throw new Error('no genesis');
    const proof = person.prove(row.statement, genesis.statement.content);
    const wrong = passkeyPerson('Eve').prove(row.statement, genesis.statement.content);
    await expect(keyed(approver).authority.sign({ id: row.id, proof: wrong })).rejects.toMatchObject({
      data: { reason: 'LOG', problem: ['KEY'] },
    });
    expect(await keyed(approver).authority.sign({ id: row.id, proof })).toMatchObject({
      state: 'draft',
      mine: false,
      missing: 1,
    });
    expect((await admin.api.authority.summary()).head.number).toBe(before);
    await expect(keyed(admin).authority.sign({ id: row.id })).rejects.toMatchObject({ data: { reason: 'NOT_HEARD' } });
    expect(await keyed(admin).authority.sign({ id: row.id, heard: true })).toMatchObject({
      state: 'inForce',
      number: before + 1,
      by: { name: 'admin@demo.local' },
    });
    const { people } = await admin.api.authority.summary();
    expect(people.find(({ name }) => name === 'approver@demo.local')?.keys).toHaveLength(2);
  });
});

describe('refusals of the authority log', () => {
  const refused = (problem: string) => ({ code: 'MONEY_REFUSED', data: { reason: 'LOG', problem: [problem] } });

  test('an invalid line is refused with its problem, and nothing is written', async () => {
    const before = await admin.api.authority.summary();
    await expect(keyed(admin).authority.addCustody({ address: ours.toUpperCase(), note: '' })).rejects.toMatchObject(
      refused('TAKEN'),
    );
    const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    await expect(keyed(admin).authority.addCustody({ address: mainnet, note: '' })).rejects.toMatchObject(refused('ADDRESS'));
    const bands = [{ from: '1', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 }];
    await expect(
      keyed(admin).authority.setRules({ root: 9, coolingSeconds: 0, receivers: 'listed', bands, refundBands: [] }),
    ).rejects.toMatchObject(refused('CONTENT'));
    const { rows } = await admin.api.authority.list({ ...page, filter: { kind: 'receiver.add' } });
    await expect(keyed(admin).authority.sign({ id: rows[0]?.id ?? '' })).rejects.toMatchObject(refused('TWICE'));
    expect((await admin.api.authority.summary()).head).toEqual(before.head);
    await expect(keyed(admin).authority.sign({ id: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a deployment without a chain has no log', async () => {
    const bare = await testApp({}, { jobs: false });
    const { api } = await signInAs(bare, 'all');
    await expect(api.authority.summary()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await api.authority.list({ ...page, filter: {} })).rows).toEqual([]);
  });
});

describe('the list and export of statements', () => {
  test('contain the same rows, filtered by state, kind, text and hash, on every page', async () => {
    const { authority } = admin.api;
    await keyed(admin).authority.addReceiver({ ...institution, institution: 'Beta Fund', address: other });
    await keyed(approver).authority.enrol({ key: passkeyPerson('approver@demo.local').key });
    const all = await authority.list({ ...page, filter: {} });
    const numbers = all.rows.map(({ number }) => number ?? Infinity);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const found = async (filter: Parameters<typeof authority.list>[0]['filter']) =>
      (await authority.list({ ...page, filter })).rows.map(({ kind }) => kind);
    expect(await found({ state: 'open' })).toEqual(['receiver.add']);
    expect(await found({ state: 'draft' })).toEqual(['approver.add']);
    expect(await found({ kind: 'genesis' })).toEqual(['genesis']);
    expect(await found({ q: 'aurora' })).toEqual(['receiver.add']);
    expect(await found({ q: all.rows.at(-1)?.id.slice(0, 12) ?? '' })).toEqual(['genesis']);
    expect(await authority.values({ field: 'state', filter: { kind: 'receiver.add' } })).toEqual({
      values: [
        { value: 'inForce', count: 1 },
        { value: 'open', count: 1 },
      ],
    });
    const first = await authority.list({ ...page, limit: 2, filter: {} });
    const second = await authority.list({ ...page, limit: 2, filter: {}, cursor: first.nextCursor });
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(all.rows.slice(0, 4).map(({ id }) => id));
    await expect(authority.list({ ...page, filter: {}, cursor: 'ab'.repeat(32) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    const answer = await send(app, 'GET', '/api/selfCustody/authority/log', undefined, approver.headers);
    expect(answer.headers.get('content-disposition')).toContain('authority.jsonl');
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const { head } = await authority.summary();
    expect(lines).toHaveLength(head.number + 1);
    expect(lines.slice(1).map(({ previous }) => previous)).toEqual(lines.slice(0, -1).map(canonicalHash));
    const statements = lines.flatMap((line) =>
      line.kind === 'genesis' ? [canonicalHash(line)] : line.kind === 'statement' ? [canonicalHash(line.statement)] : [],
    );
    const inLog = all.rows.filter(({ number }) => number !== null);
    expect(statements).toEqual(inLog.map(({ id }) => id).toReversed());
  });
});

test('a person with fifty drafts of a kind can add no more, but drafts of other kinds', async () => {
  const one = () => keyed(approver).authority.enrol({ key: passkeyPerson('approver@demo.local').key });
  const { head } = await admin.api.authority.summary();
  for (let draft = 1; draft < 50; draft++) await one();
  await expect(one()).rejects.toMatchObject({ code: 'MONEY_REFUSED', data: { reason: 'OPEN', most: ['50'] } });
  expect((await admin.api.authority.summary()).head).toEqual(head);
  expect(await keyed(approver).authority.freeze({ reason: 'still' })).toMatchObject({ kind: 'freeze', state: 'inForce' });
  app.clock.now += 8 * 86_400_000;
  approver = await signInAs(app, 'approver');
  expect(await one()).toMatchObject({ state: 'draft' });
});

test('a person who freezes has one open freeze', async () => {
  await expect(keyed(approver).authority.freeze({ reason: 'once more' })).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
    data: { reason: 'LOG', problem: ['LIMIT'] },
  });
});

describe('concurrent signatures of a statement', () => {
  const changed = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };
  beforeEach(async () => {
    [admin, approver] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver')]);
  });

  test('are refused if one would be the last although its review said that others sign afterwards', async () => {
    const row = await keyed(admin).authority.addReceiver({ ...institution, institution: 'Boreal Trust', address: other });
    expect(row).toMatchObject({ state: 'open', needed: 2, missing: 1 });
    await expect(keyed(approver).authority.sign({ id: row.id, onlySigns: true })).rejects.toMatchObject(changed);
    const [still] = await approver.api.authority.many({ ids: [row.id] });
    expect(still).toMatchObject({ state: 'open', missing: 1, mine: true });
    expect(await keyed(approver).authority.sign({ id: row.id, onlySigns: false })).toMatchObject({
      state: 'inForce',
      missing: 0,
    });
  });

  test('need as many signatures as before after a signer is removed', async () => {
    const { address } = institution;
    const row = await keyed(approver).authority.removeReceiver({ address, reason: 'gone' });
    const open = row.number === null ? await keyed(approver).authority.sign({ id: row.id }) : row;
    expect(open).toMatchObject({ missing: 1, signed: [{ counts: true }] });
    const { people } = await admin.api.authority.summary();
    const person = people.find(({ name }) => name === 'approver@demo.local')?.person ?? '';
    await keyed(admin).authority.removeApprover({ person, reason: 'left' });
    const [now] = await admin.api.authority.many({ ids: [row.id] });
    expect(now).toMatchObject({ state: 'open', missing: 2, signed: [{ name: 'approver@demo.local', counts: false }] });
  });
});

test('the author of a draft is shown as unsigned', async () => {
  admin = await signInAs(app, 'all');
  const { rows } = await admin.api.authority.list({ ...page, filter: { state: 'draft' } });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatchObject({ number: null, signed: [] });
  const lines = (await (await send(app, 'GET', '/api/selfCustody/authority/log', undefined, admin.headers)).text()).trim();
  for (const { id } of rows) expect(lines).not.toContain(id);
});
