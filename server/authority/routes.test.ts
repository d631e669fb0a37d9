import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canonicalHash } from '../../api/authority/canonical.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { createPasskeyPerson } from '../testing/authority.ts';
import { newId } from '../platform/core/ids.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const custodyAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const institution = {
  institution: 'Aurora Trust',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  custody: [],
  payout: [],
};
const receiverAddress = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;

let app: TestApp;
let admin: TestSession;
let approver: TestSession;
let analyst: TestSession;

const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

beforeAll(async () => {
  const contracts = devnetContracts;
  app = await createTestApp(
    {
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      YU_ADDRESS: contracts.yu,
      YBTC_ADDRESS: contracts.ybtc,
      TROVE_MANAGER_ADDRESS: contracts.troveManager,
      STABILITY_POOL_ADDRESS: contracts.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: contracts.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: contracts.custodyBridge,
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
    await expect(idempotentApi(analyst).authority.freeze({ reason: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(idempotentApi(analyst).authority.sign({ id: summary.genesis })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const log = await send(app, 'GET', '/api/selfCustody/authority/log', undefined, analyst.headers);
    expect(log.status).toBe(200);
    const editor = await signInAs(app, 'editor');
    expect((await send(app, 'GET', '/api/selfCustody/authority/log', undefined, editor.headers)).status).toBe(403);
    await expect(editor.api.authority.summary()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('proposing and signing a statement', () => {
  test('takes effect immediately in a demo with a quorum of one', async () => {
    const row = await idempotentApi(admin).authority.addCustody({ address: custodyAddress, note: 'cold' });
    expect(row).toMatchObject({ kind: 'custody.add', state: 'inForce', mine: false, by: { name: 'admin@demo.local' } });
    expect(canonicalHash(row.statement)).toBe(row.id);
    const { custody } = await analyst.api.authority.summary();
    expect(custody.map(({ address }) => address)).toContain(custodyAddress);
  });

  test('adds a receiver to the address book once both people have signed', async () => {
    const row = await idempotentApi(admin).authority.addReceiver(institution);
    expect(row).toMatchObject({ state: 'open', needed: 2, signed: [{ name: 'admin@demo.local', key: 'software' }] });
    const { waiting } = await approver.api.authority.summary();
    expect(waiting).toBe(1);
    expect(await approver.api.home.waiting()).toContainEqual({ kind: 'statements', count: 1 });
    expect((await analyst.api.home.waiting()).map(({ kind }) => kind)).not.toContain('statements');
    const ownStatements = await approver.api.authority.list({ ...page, filter: { mine: 'true' } });
    expect(ownStatements.rows.map(({ id }) => id)).toEqual([row.id]);

    const signedStatement = await idempotentApi(approver).authority.sign({ id: row.id });
    expect(signedStatement).toMatchObject({ state: 'inForce', mine: false });
    expect((await analyst.api.authority.summary()).receivers).toMatchObject([{ receiver: institution, cooling: false }]);
  });

  test('enrolls a passkey once its owner and a colleague have signed', async () => {
    const person = createPasskeyPerson('approver@demo.local');
    const headBefore = (await admin.api.authority.summary()).head.number;
    const row = await idempotentApi(approver).authority.enrol({ key: person.key });
    expect(row).toMatchObject({ kind: 'approver.add', state: 'draft', number: null, mine: true, signed: [], missing: 2 });
    const refusal = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };
    await expect(idempotentApi(admin).authority.sign({ id: row.id, heard: true })).rejects.toMatchObject(refusal);
    if (row.statement.kind !== 'approver.add') throw new Error('no enrolment');
    const [genesis] = (await admin.api.authority.list({ ...page, filter: { kind: 'genesis' } })).rows;
    if (genesis?.statement.kind !== 'genesis') throw new Error('no genesis');
    const proof = person.prove(row.statement, genesis.statement.content);
    const wrongProof = createPasskeyPerson('Eve').prove(row.statement, genesis.statement.content);
    await expect(idempotentApi(approver).authority.sign({ id: row.id, proof: wrongProof })).rejects.toMatchObject({
      data: { reason: 'LOG', problem: ['KEY'] },
    });
    expect(await idempotentApi(approver).authority.sign({ id: row.id, proof })).toMatchObject({
      state: 'draft',
      mine: false,
      missing: 1,
    });
    expect((await admin.api.authority.summary()).head.number).toBe(headBefore);
    await expect(idempotentApi(admin).authority.sign({ id: row.id })).rejects.toMatchObject({ data: { reason: 'NOT_HEARD' } });
    expect(await idempotentApi(admin).authority.sign({ id: row.id, heard: true })).toMatchObject({
      state: 'inForce',
      number: headBefore + 1,
      by: { name: 'admin@demo.local' },
    });
    const { people } = await admin.api.authority.summary();
    expect(people.find(({ name }) => name === 'approver@demo.local')?.keys).toHaveLength(2);
  });
});

describe('refusals of the authority log', () => {
  const logRefusal = (problem: string) => ({ code: 'MONEY_REFUSED', data: { reason: 'LOG', problem: [problem] } });

  test('an invalid line is refused with its problem, and nothing is written', async () => {
    const summaryBefore = await admin.api.authority.summary();
    await expect(
      idempotentApi(admin).authority.addCustody({ address: custodyAddress.toUpperCase(), note: '' }),
    ).rejects.toMatchObject(logRefusal('TAKEN'));
    const mainnetAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    await expect(idempotentApi(admin).authority.addCustody({ address: mainnetAddress, note: '' })).rejects.toMatchObject(
      logRefusal('ADDRESS'),
    );
    const bands = [{ from: '1', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 }];
    await expect(
      idempotentApi(admin).authority.setRules({ root: 9, coolingSeconds: 0, receivers: 'listed', bands, refundBands: [] }),
    ).rejects.toMatchObject(logRefusal('CONTENT'));
    const { rows } = await admin.api.authority.list({ ...page, filter: { kind: 'receiver.add' } });
    await expect(idempotentApi(admin).authority.sign({ id: rows[0]?.id ?? '' })).rejects.toMatchObject(logRefusal('TWICE'));
    expect((await admin.api.authority.summary()).head).toEqual(summaryBefore.head);
    await expect(idempotentApi(admin).authority.sign({ id: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a deployment without a chain has no log', async () => {
    const appWithoutChain = await createTestApp({}, { jobs: false });
    const { api } = await signInAs(appWithoutChain, 'all');
    await expect(api.authority.summary()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await api.authority.list({ ...page, filter: {} })).rows).toEqual([]);
  });
});

describe('the list and export of statements', () => {
  test('contain the same rows, filtered by state, kind, text and hash, on every page', async () => {
    const { authority } = admin.api;
    await idempotentApi(admin).authority.addReceiver({ ...institution, institution: 'Beta Fund', address: receiverAddress });
    await idempotentApi(approver).authority.enrol({ key: createPasskeyPerson('approver@demo.local').key });
    const allStatements = await authority.list({ ...page, filter: {} });
    const numbers = allStatements.rows.map(({ number }) => number ?? Infinity);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const listNumbers = async (filter: Parameters<typeof authority.list>[0]['filter']) =>
      (await authority.list({ ...page, filter })).rows.map(({ kind }) => kind);
    expect(await listNumbers({ state: 'open' })).toEqual(['receiver.add']);
    expect(await listNumbers({ state: 'draft' })).toEqual(['approver.add']);
    expect(await listNumbers({ kind: 'genesis' })).toEqual(['genesis']);
    expect(await listNumbers({ q: 'aurora' })).toEqual(['receiver.add']);
    expect(await listNumbers({ q: allStatements.rows.at(-1)?.id.slice(0, 12) ?? '' })).toEqual(['genesis']);
    expect(await authority.values({ field: 'state', filter: { kind: 'receiver.add' } })).toEqual({
      values: [
        { value: 'inForce', count: 1 },
        { value: 'open', count: 1 },
      ],
    });
    const firstPage = await authority.list({ ...page, limit: 2, filter: {} });
    const secondPage = await authority.list({ ...page, limit: 2, filter: {}, cursor: firstPage.nextCursor });
    expect([...firstPage.rows, ...secondPage.rows].map(({ id }) => id)).toEqual(
      allStatements.rows.slice(0, 4).map(({ id }) => id),
    );
    await expect(authority.list({ ...page, filter: {}, cursor: 'ab'.repeat(32) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    const response = await send(app, 'GET', '/api/selfCustody/authority/log', undefined, approver.headers);
    expect(response.headers.get('content-disposition')).toContain('authority.jsonl');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const { head } = await authority.summary();
    expect(lines).toHaveLength(head.number + 1);
    expect(lines.slice(1).map(({ previous }) => previous)).toEqual(lines.slice(0, -1).map(canonicalHash));
    const statements = lines.flatMap((line) =>
      line.kind === 'genesis' ? [canonicalHash(line)] : line.kind === 'statement' ? [canonicalHash(line.statement)] : [],
    );
    const inLog = allStatements.rows.filter(({ number }) => number !== null);
    expect(statements).toEqual(inLog.map(({ id }) => id).toReversed());
  });
});

test('a person with fifty drafts of a kind can add no more, but drafts of other kinds', async () => {
  const enrollKey = () => idempotentApi(approver).authority.enrol({ key: createPasskeyPerson('approver@demo.local').key });
  const { head } = await admin.api.authority.summary();
  for (let draft = 1; draft < 50; draft++) await enrollKey();
  await expect(enrollKey()).rejects.toMatchObject({ code: 'MONEY_REFUSED', data: { reason: 'OPEN', most: ['50'] } });
  expect((await admin.api.authority.summary()).head).toEqual(head);
  expect(await idempotentApi(approver).authority.freeze({ reason: 'still' })).toMatchObject({ kind: 'freeze', state: 'inForce' });
  app.clock.now += 8 * 86_400_000;
  approver = await signInAs(app, 'approver');
  expect(await enrollKey()).toMatchObject({ state: 'draft' });
});

test('a person who freezes has one open freeze', async () => {
  await expect(idempotentApi(approver).authority.freeze({ reason: 'once more' })).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
    data: { reason: 'LOG', problem: ['LIMIT'] },
  });
});

describe('concurrent signatures of a statement', () => {
  const changedRefusal = { code: 'MONEY_REFUSED', data: { reason: 'CHANGED' } };
  beforeEach(async () => {
    [admin, approver] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver')]);
  });

  test('are refused if one would be the last although its review said that others sign afterwards', async () => {
    const row = await idempotentApi(admin).authority.addReceiver({
      ...institution,
      institution: 'Boreal Trust',
      address: receiverAddress,
    });
    expect(row).toMatchObject({ state: 'open', needed: 2, missing: 1 });
    await expect(idempotentApi(approver).authority.sign({ id: row.id, onlySigns: true })).rejects.toMatchObject(changedRefusal);
    const [remainingDraft] = await approver.api.authority.many({ ids: [row.id] });
    expect(remainingDraft).toMatchObject({ state: 'open', missing: 1, mine: true });
    expect(await idempotentApi(approver).authority.sign({ id: row.id, onlySigns: false })).toMatchObject({
      state: 'inForce',
      missing: 0,
    });
  });

  test('need as many signatures as before after a signer is removed', async () => {
    const { address } = institution;
    const row = await idempotentApi(approver).authority.removeReceiver({ address, reason: 'gone' });
    const openStatement = row.number === null ? await idempotentApi(approver).authority.sign({ id: row.id }) : row;
    expect(openStatement).toMatchObject({ missing: 1, signed: [{ counts: true }] });
    const { people } = await admin.api.authority.summary();
    const person = people.find(({ name }) => name === 'approver@demo.local')?.person ?? '';
    await idempotentApi(admin).authority.removeApprover({ person, reason: 'left' });
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
