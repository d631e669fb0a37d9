import { beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../api/authority/canonical.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import { passkeyPerson } from '../testing/authority.ts';
import { newId } from '../platform/core/ids.ts';
import { apiOf, send, signInAs, testApp, type SignedIn, type TestApp } from '../testing/support.ts';

const ours = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const institution = {
  institution: 'Aurora Trust',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  custody: [],
  payout: [],
};
const page = { sort: 'number', direction: 'desc', cursor: null, limit: 50 } as const;

let app: TestApp;
let admin: SignedIn;
let approver: SignedIn;
let analyst: SignedIn;

const keyed = ({ headers }: SignedIn) => apiOf(app, { ...headers, 'idempotency-key': newId() });

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

describe('rights', () => {
  test('who sees the screen reads the log; who has no right of it proposes and signs nothing', async () => {
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

describe('propose, sign, in force', () => {
  test('what one of the root quorum proposes counts at once in a demo', async () => {
    const row = await keyed(admin).authority.addCustody({ address: ours, note: 'cold' });
    expect(row).toMatchObject({ kind: 'custody.add', state: 'inForce', mine: false, by: { name: 'admin@demo.local' } });
    expect(hashOf(row.statement)).toBe(row.id);
    const { custody } = await analyst.api.authority.summary();
    expect(custody.map(({ address }) => address)).toContain(ours);
  });

  test('a receiver needs two, and is in the address book once both have signed', async () => {
    const row = await keyed(admin).authority.addReceiver(institution);
    expect(row).toMatchObject({ state: 'open', needed: 2, signed: [{ name: 'admin@demo.local', key: 'software' }] });
    const { waiting } = await approver.api.authority.summary();
    expect(waiting).toBe(1);
    expect(await approver.api.home.waiting()).toContainEqual({ kind: 'statements', count: 1 });
    expect((await analyst.api.home.waiting()).map(({ kind }) => kind)).not.toContain('statements'); // has no right to sign
    const mine = await approver.api.authority.list({ ...page, filter: { mine: 'true' } });
    expect(mine.rows.map(({ id }) => id)).toEqual([row.id]);

    const signed = await keyed(approver).authority.sign({ id: row.id });
    expect(signed).toMatchObject({ state: 'inForce', mine: false });
    expect((await analyst.api.authority.summary()).receivers).toMatchObject([{ receiver: institution, cooling: false }]);
  });

  test('a passkey is enrolled when its owner and a colleague have signed', async () => {
    const { key } = passkeyPerson('approver@demo.local');
    const row = await keyed(approver).authority.enrol({ key });
    expect(row).toMatchObject({ kind: 'approver.add', state: 'open', mine: true, signed: [] });
    await keyed(admin).authority.sign({ id: row.id });
    const [still] = await admin.api.authority.many({ ids: [row.id] });
    expect(still).toMatchObject({ state: 'open' }); // nobody has shown to have the key
  });
});

describe('refusals', () => {
  const refused = (problem: string) => ({ code: 'MONEY_REFUSED', data: { reason: 'LOG', problem: [problem] } });

  test('a line that does not fit is refused with its problem, and nothing is written', async () => {
    const before = await admin.api.authority.summary();
    await expect(keyed(admin).authority.addCustody({ address: ours, note: '' })).rejects.toMatchObject(refused('CONTENT'));
    const bands = [{ from: '1', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 }];
    await expect(
      keyed(admin).authority.setRules({ root: 9, coolingSeconds: 0, receivers: 'listed', bands, refundBands: [] }),
    ).rejects.toMatchObject(refused('CONTENT'));
    const { rows } = await admin.api.authority.list({ ...page, filter: { kind: 'receiver.add' } });
    await expect(keyed(admin).authority.sign({ id: rows[0]?.id ?? '' })).rejects.toMatchObject(refused('TWICE'));
    expect((await admin.api.authority.summary()).head).toEqual(before.head);
    await expect(keyed(admin).authority.sign({ id: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('without a chain there is no log', async () => {
    const bare = await testApp({}, { jobs: false });
    const { api } = await signInAs(bare, 'all');
    await expect(api.authority.summary()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await api.authority.list({ ...page, filter: {} })).rows).toEqual([]);
  });
});

describe('the list and the export', () => {
  test('are of the same lines, filtered by state, kind, text and hash, page after page', async () => {
    const { authority } = admin.api;
    const all = await authority.list({ ...page, filter: {} });
    expect(all.rows.map(({ number }) => number)).toEqual(all.rows.map(({ number }) => number).toSorted((a, b) => b - a));
    const found = async (filter: Parameters<typeof authority.list>[0]['filter']) =>
      (await authority.list({ ...page, filter })).rows.map(({ kind }) => kind);
    expect(await found({ state: 'open' })).toEqual(['approver.add']);
    expect(await found({ kind: 'genesis' })).toEqual(['genesis']);
    expect(await found({ q: 'aurora' })).toEqual(['receiver.add']);
    expect(await found({ q: all.rows.at(-1)?.id.slice(0, 12) ?? '' })).toEqual(['genesis']);
    const first = await authority.list({ ...page, limit: 2, filter: {} });
    const second = await authority.list({ ...page, limit: 2, filter: {}, cursor: first.nextCursor });
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(all.rows.slice(0, 4).map(({ id }) => id));
    // It goes on from a row that the filter lets through no more, and from none that there is not.
    const [top, ...rest] = all.rows;
    const others = { ...page, filter: { kind: `!${top?.kind}` }, cursor: top?.id ?? '' };
    expect((await authority.list(others)).rows.map(({ id }) => id)).toEqual(
      rest.filter(({ kind }) => kind !== top?.kind).map(({ id }) => id),
    );
    await expect(authority.list({ ...page, filter: {}, cursor: 'ab'.repeat(32) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    const answer = await send(app, 'GET', '/api/selfCustody/authority/log', undefined, approver.headers);
    expect(answer.headers.get('content-disposition')).toContain('authority.jsonl');
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const { head } = await authority.summary();
    expect(lines).toHaveLength(head.number + 1);
    expect(lines.slice(1).map(({ previous }) => previous)).toEqual(lines.slice(0, -1).map(hashOf));
    const statements = lines.filter(({ kind }) => kind !== 'signature').map(hashOf);
    expect(statements).toEqual(all.rows.map(({ id }) => id).toReversed());
  });
});

test('who has fifty proposals of a kind that nobody signed makes no more of them, and still others', async () => {
  const one = () => keyed(admin).authority.addReceiver({ ...institution, institution: 'Waits' });
  const { head } = await admin.api.authority.summary();
  for (let proposal = 0; proposal < 50; proposal++) await one();
  await expect(one()).rejects.toMatchObject({
    code: 'MONEY_REFUSED',
    data: { reason: 'OPEN', most: ['50'] },
  });
  expect((await admin.api.authority.summary()).head.number).toBe(head.number + 100); // each with its own signature
  expect(await keyed(admin).authority.freeze({ reason: 'still' })).toMatchObject({ kind: 'freeze' });
  expect(await keyed(approver).authority.addReceiver(institution)).toMatchObject({ state: 'open' });
  app.clock.now += 8 * 86_400_000;
  [admin, approver, analyst] = await Promise.all([signInAs(app, 'all'), signInAs(app, 'approver'), signInAs(app, 'analyst')]);
  expect(await one()).toMatchObject({ state: 'open' });
});
