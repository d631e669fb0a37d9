import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEther, toFunctionSelector, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedReserve, type SignedReserve } from '../../api/custody/reserve.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { reserveText, reserveTypedData, staleMs } from '../authority/shared/reserve.ts';
import { verifyLog } from '../authority/verify-log.ts';
import { cacheMs, type PublicReserve } from '../custody/reserve.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { chainEnv } from '../testing/crsm.ts';
import { temporaryFolder } from '../testing/end.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { testSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { signerGrants } from './grants.ts';

// From the sources through the signer to panel, public endpoint and verifier.

const [own, second] = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
];
const [one, other] = [await fakeEsplora(), await fakeEsplora()];

let chain: TestChain;
let node: HostileNode;
let app: TestApp;
let all: TestSession;
let signer: Awaited<ReturnType<typeof testSigner>>;
beforeAll(async () => {
  chain = await startTestChain();
  node = await startHostileNode(chain.url);
  const env = { ...chainEnv(chain.url, node.url), MINTER_KEY: minterKey, ESPLORA_URLS: `${one.url},${other.url}` };
  app = await testApp({ ...env, CUSTODY_ADDRESSES: `${own},${second}` }, { jobs: false });
  all = await signInAs(app, 'all');
  await mint(parseEther('1.5'));
}, 60_000);
afterAll(() => chain.stop());

beforeEach(async () => {
  app.clock.now = Date.now();
  await query('delete from reserve_proofs');
  for (const { outputs, state } of [one, other]) {
    outputs.clear();
    Object.assign(state, { isUp: true, tip: tipHeight });
  }
  node.be();
  pay('a', own, 100_000_000);
  pay('b', second, 60_000_000);
  signer = await testSigner(app);
});

const query = async (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await app.database.pool.query<Record<string, unknown>>(text, values)).rows;

/** Seen by both sources. */
function pay(id: string, address: string, value: number, spent = false, sources = [one, other]): void {
  for (const { outputs } of sources) outputs.set(id.repeat(64), { address, value, height: tipHeight - 10, spent });
}

/** Mints directly, because only the supply matters. */
async function mint(amount: bigint): Promise<void> {
  const { evm } = app.config;
  await chain.as(devnetAccounts.minter).writeContract({
    address: evm?.contracts.ybtc ?? '0x',
    abi: ybtcAbi,
    functionName: 'mint',
    args: [`0x${newId().replaceAll('-', '').padEnd(64, '0')}`, devnetAccounts.borrower.address, amount],
  });
  await chain.client.mine({ blocks: 20 });
}

const isSupply = ({ method, params }: RpcCall): boolean =>
  method === 'eth_call' && (params[0] as { data: string }).data === toFunctionSelector('totalSupply()');
const shown = () => all.api.dataPanel.reserve();
const ask = () => send(app, 'GET', '/public/reserve');
let asked = 0;
/** Bypasses caches. */
const published = async () => {
  const { now } = app.clock;
  app.clock.now += ++asked * cacheMs;
  const response = await ask();
  app.clock.now = now;
  return { status: response.status, headers: response.headers, body: (await response.json()) as PublicReserve };
};
const stored = async (): Promise<SignedReserve> => {
  const [row] = await query('select signed from reserve_proofs');
  return signedReserve.parse(JSON.parse(String(row?.['signed'])));
};
const store = (signed: SignedReserve) => query('update reserve_proofs set signed = $1', reserveText(signed));

test('a signed report has the unspent bitcoin of custody addresses and the supply', async () => {
  expect((await shown()).state).toBe('none');
  expect((await published()).status).toBe(503);
  expect(await signer.prove()).toBe(true);
  const { state, signed, surplus, coverage, problem } = await shown();
  expect({ state, surplus, coverage, problem }).toEqual({
    state: 'covered',
    surplus: parseEther('0.1').toString(),
    coverage: ((parseEther('1.6') * 10n ** 18n) / parseEther('1.5')).toString(),
    problem: null,
  });
  expect(signed?.report).toMatchObject({
    satoshi: '160000000',
    custody: [
      { address: second, satoshi: '60000000' },
      { address: own, satoshi: '100000000' },
    ],
    supply: parseEther('1.5').toString(),
    bitcoin: { height: tipHeight },
    authority: { number: 0 },
  });
  expect(signed?.signer).toBe(devnetAccounts.minter.address);

  const { status, headers, body } = await published();
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  expect(body).toMatchObject({ ...signed, state, surplus, coverage, problem: null });
});

test('a spent output lowers the reserve, and a shortfall is reported', async () => {
  await signer.prove();
  pay('b', second, 60_000_000, true);
  await signer.prove();
  const { state, signed, surplus } = await shown();
  expect({ state, satoshi: signed?.report.satoshi, surplus }).toEqual({
    state: 'short',
    satoshi: '100000000',
    surplus: (-parseEther('0.5')).toString(),
  });
  expect((await published()).body.state).toBe('short');
});

test('bitcoin on unsigned addresses or without a block does not count', async () => {
  pay('c', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 900_000_000);
  for (const { outputs } of [one, other]) outputs.set('d'.repeat(64), { address: own, value: 5, height: null });
  await signer.prove();
  expect((await shown()).signed?.report.satoshi).toBe('160000000');
});

describe('the signer signs no uncertain report, and reports why', () => {
  const cases: [name: string, make: () => void, reason: string, details: RegExp][] = [
    ['a source that is down', () => (other.state.isUp = false), 'SOURCE', /127\.0\.0\.1:\d+: no tip height: status 500/],
    ['a source with more on an address', () => pay('e', own, 1, false, [other]), 'DISAGREE', new RegExp(`differ on ${own}`)],
    [
      'a source that hides a spending',
      () => pay('b', second, 60_000_000, true, [one]),
      'DISAGREE',
      new RegExp(`differ on ${second}`),
    ],
    ['a source that is behind', () => (other.state.tip = tipHeight - 1), 'DISAGREE', /is at block 900000, .* at 899999/],
  ];
  test.each(cases)('%s', async (_name, make, reason, details) => {
    await signer.prove();
    const before = await shown();
    make();
    expect(await signer.prove()).toBe(false);
    const after = await shown();
    expect(after.signed).toEqual(before.signed);
    expect(after.problem).toMatchObject({ reason, details: expect.stringMatching(details) as unknown });
    // The names of sources are not published.
    expect((await published()).body.problem).toEqual({ reason, at: after.problem?.at });
    for (const { state, outputs } of [one, other]) {
      Object.assign(state, { isUp: true, tip: tipHeight });
      outputs.delete('e'.repeat(64));
    }
    pay('b', second, 60_000_000);
    expect(await signer.prove()).toBe(true);
    expect((await shown()).problem).toBeNull();
  });

  test('while the chain does not respond', async () => {
    const blind = await testSigner(app, { urls: ['http://127.0.0.1:9', 'http://127.0.0.1:10'] });
    expect(await blind.prove()).toBe(false);
    expect(await shown()).toMatchObject({ state: 'none', problem: { reason: 'NODES' } });
    expect((await published()).status).toBe(503);
  });

  const lies: [name: string, be: () => Parameters<HostileNode['be']>[0], details: RegExp][] = [
    [
      'a node that understates the supply: the coverage of the other node is not published either',
      () => ({ lie: (call, truth) => (isSupply(call) ? toHex(1n, { size: 32 }) : truth) }),
      /differ on the supply at block \d+: 1500000000000000000 and 1$/,
    ],
    [
      'a node that has other code for the token',
      () => ({ lie: ({ method }, truth) => (method === 'eth_getCode' ? '0x60006000fd' : truth) }),
      /differ on the contract code at block/,
    ],
    [
      'a node of another chain',
      () => ({ lie: ({ method }, truth) => (method === 'eth_chainId' ? '0x1' : truth) }),
      /chain 1, not to EVM_CHAIN_ID 31337/,
    ],
    [
      'a node that has another block there',
      () => ({
        lie: ({ method }, truth) =>
          method === 'eth_getBlockByNumber' ? { ...(truth as object), hash: `0x${'ab'.repeat(32)}` } : truth,
      }),
      /have different blocks \d+$/,
    ],
    [
      'a node that claims to be far ahead',
      () => ({ lie: ({ method }, truth) => (method === 'eth_blockNumber' ? '0xfffff' : truth) }),
      /is at block \d+, 127\.0\.0\.1:\d+ at 1048575$/,
    ],
    ['a node that is down', () => ({ mode: 'down' }), /unreachable.* \(when asked for its newest block\)$/],
    ['a node that drips its response', () => ({ mode: 'drip' }), /no complete response in time/],
  ];
  test.each(lies)('%s', async (_name, be, details) => {
    await signer.prove();
    const before = await shown();
    node.be(be());
    const asking = await testSigner(app);
    expect(await asking.prove()).toBe(false);
    const after = await shown();
    expect(after.signed).toEqual(before.signed);
    expect(after.problem).toMatchObject({ reason: 'NODES', details: expect.stringMatching(details) as unknown });
    expect(after.problem?.details).toContain(node.name);
    node.be();
    const again = await testSigner(app);
    expect(await again.prove()).toBe(true);
    expect((await shown()).problem).toBeNull();
  });

  test('with a single node, which cannot be compared', async () => {
    const alone = await testSigner(app, { urls: [chain.url] });
    expect(await alone.prove()).toBe(false);
    expect(await shown()).toMatchObject({
      state: 'none',
      problem: { reason: 'ONE_NODE', details: expect.stringContaining(new URL(chain.url).host) as unknown },
    });
  });

  test('with a wrong clock, timed by the database', async () => {
    const year = 365 * 86_400_000;
    const ahead = await testSigner(app, {}, { now: () => app.clock.now + year });
    expect(await ahead.prove()).toBe(false);
    const { problem } = await shown();
    expect(problem).toMatchObject({
      reason: 'CLOCK',
      details: expect.stringMatching(/365 d .*ahead of the clock of the test/) as unknown,
    });
    expect(Math.abs(Date.parse(problem?.at ?? '') - Date.now())).toBeLessThan(600_000);
  });

  test('with a key that is not the log’s minter', async () => {
    const stranger = await testSigner(app, { minterKey: `0x${'11'.repeat(32)}` });
    expect(await stranger.prove()).toBe(false);
    expect(await shown()).toMatchObject({ state: 'none', problem: { reason: 'LOG' } });
  });
});

test('an old proof is reported as stale', async () => {
  await signer.prove();
  app.clock.now += staleMs + 60_000;
  expect((await shown()).state).toBe('stale');
  expect((await published()).body.state).toBe('stale');
});

test('a proof is checked once per second for any number of requests, and a new one is published after that', async () => {
  await signer.prove();
  await published();
  const queries = vi.spyOn(app.database.pool, 'query');
  const readings = () => queries.mock.calls.filter(([query]) => JSON.stringify(query).includes('reserve_proofs')).length;
  const proofsAsked = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, ask));
    return new Set(await Promise.all(answers.map(async (answer) => ((await answer.json()) as PublicReserve).report.at)));
  };
  const [first] = await proofsAsked(50);
  expect(await proofsAsked(50)).toEqual(new Set([first]));
  expect(readings()).toBe(1);
  queries.mockRestore();
  app.clock.now += cacheMs;
  await signer.prove();
  const { at } = (await stored()).report;
  expect(at).not.toBe(first);
  expect(await proofsAsked(2)).toEqual(new Set([at]));
});

test('a failed reading is not cached', async () => {
  await signer.prove();
  await published();
  await query('alter table reserve_proofs rename to elsewhere');
  const { status } = await ask();
  await query('alter table elsewhere rename to reserve_proofs');
  expect(status).toBe(500);
  expect((await ask()).status).toBe(200);
});

describe('a proof that the minter did not sign is not shown', () => {
  const thief = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const forge = async (signed: SignedReserve): Promise<SignedReserve> => ({
    ...signed,
    signer: thief.address,
    signature: await thief.signTypedData(reserveTypedData(signed.report) as never),
  });
  type Report = SignedReserve['report'];
  const altered = (change: (report: Report) => Partial<Report>) => (signed: SignedReserve) => ({
    ...signed,
    report: { ...signed.report, ...change(signed.report) },
  });
  const cases: [name: string, change: (signed: SignedReserve) => SignedReserve | Promise<SignedReserve>][] = [
    [
      'more bitcoin',
      altered(({ custody: [a, b] }) => ({
        satoshi: '1160000000',
        custody: [{ address: a?.address ?? '', satoshi: '1060000000' }, b ?? { address: '', satoshi: '0' }],
      })),
    ],
    ['a sum that is none', altered(() => ({ satoshi: '260000000' }))],
    [
      'an address twice',
      altered(({ custody: [a, b] }) => ({ satoshi: '220000000', custody: [a, a, b].flatMap((x) => x ?? []) })),
    ],
    ['less supply', altered(() => ({ supply: '1' }))],
    ['another time', altered(() => ({ at: new Date(app.clock.now + 1000).toISOString() }))],
    ['another block of Bitcoin', altered(() => ({ bitcoin: { height: tipHeight, hash: 'ab'.repeat(32) } }))],
    ['another chain', altered(() => ({ chainId: 1 }))],
    ['another log', altered(({ authority }) => ({ authority: { ...authority, genesis: 'ab'.repeat(32) } }))],
    ['a line that is not in the log', altered(({ authority }) => ({ authority: { ...authority, number: 99 } }))],
    ['a thief’s signature', forge],
    ['a thief’s signature under the minter’s name', async (signed) => ({ ...(await forge(signed)), signer: signed.signer })],
  ];
  test.each(cases)('%s', async (_name, change) => {
    await signer.prove();
    const before = await stored();
    await store(await change(before));
    expect(await shown()).toMatchObject({ state: 'invalid', signed: null, coverage: null });
    expect((await published()).status).toBe(503);
    await store(before);
    expect((await shown()).state).toBe('covered');
  });

  test('an invalid proof is not shown', async () => {
    await signer.prove();
    for (const text of ['', 'nothing', '{}', '[]', 'null']) {
      await query('update reserve_proofs set signed = $1', text);
      expect((await shown()).signed, text).toBeNull();
      expect((await published()).status).toBe(503);
    }
  });
});

describe('anyone can verify the proof', () => {
  async function verify(proof: unknown): Promise<{ code: number; said: string }> {
    const folder = temporaryFolder();
    const [log, file] = [join(folder, 'log.jsonl'), join(folder, 'reserve.json')];
    const lines = await query('select line from authority_lines order by number');
    writeFileSync(log, lines.map(({ line }) => `${String(line)}\n`).join(''));
    writeFileSync(file, JSON.stringify(proof));
    const reported: string[] = [];
    const say = (line: string) => void reported.push(line);
    const args = ['--file', log, '--reserve', file];
    const code = await verifyLog(args, { command: 'verify', fromDatabase: null, say, complain: say, now: app.clock.now });
    return { code, said: reported.join('\n') };
  }

  test('as published, against the exported log', async () => {
    await signer.prove();
    const { body } = await published();
    const { code, said } = await verify(body);
    expect(said).toMatch(/1.60000000 BTC unspent at Bitcoin mainnet block 900000/);
    expect(said).toMatch(/1.5 YBTC supply at chain/);
    expect(said).toMatch(/coverage: 106\.6\d*%/);
    expect(code).toBe(0);
  });

  test('and distinguish a shortfall, a changed figure and an old proof', async () => {
    pay('b', second, 60_000_000, true);
    await signer.prove();
    const { body } = await published();
    expect(await verify(body)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/FOUND: the supply exceeds the reserve by 0.5 YBTC/) as unknown,
    });
    const more = { ...body, report: { ...body.report, supply: '1' } };
    expect(await verify(more)).toMatchObject({ code: 1, said: expect.stringMatching(/isn’t signed by the minter/) as unknown });
    app.clock.now += 3_600_000;
    expect((await verify(body)).said).toMatch(/doesn’t show the current reserve/);
  });

  test('and refuse a replaced minter key, whichever line it names', async () => {
    await signer.prove();
    const { body } = await published();
    const keyed = () => apiOf(app, { ...all.headers, 'idempotency-key': newId() });
    app.clock.now += 10;
    await keyed().authority.setMinter({ address: privateKeyToAccount(`0x${'44'.repeat(32)}`).address, reason: 'leaked' });
    app.clock.now += 10;
    const report = { ...body.report, at: new Date(app.clock.now).toISOString(), supply: '1' };
    const signature = await privateKeyToAccount(minterKey).signTypedData(reserveTypedData(report) as never);
    expect(await verify({ ...body, report, signature })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/isn’t signed by the minter/) as unknown,
    });
    expect((await verify(body)).code).toBe(0);
    await keyed().authority.setMinter({ address: devnetAccounts.minter.address, reason: 'back' });
  });

  test('and detect an address that entered custody later', async () => {
    await signer.prove();
    const { body } = await published();
    const stranger = { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', satoshi: '1' };
    const report = { ...body.report, satoshi: '160000001', custody: [stranger, ...body.report.custody] };
    const signature = await privateKeyToAccount(minterKey).signTypedData(reserveTypedData(report) as never);
    expect(await verify({ ...body, report, signature })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/wasn’t a custody address in the log/) as unknown,
    });
  });
});

test('a report counts added addresses, not removed ones, and only the new minter key after a rotation', async () => {
  const keyed = () => apiOf(app, { ...all.headers, 'idempotency-key': newId() });
  const third = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  pay('f', third, 7);
  await keyed().authority.addCustody({ address: third, note: '' });
  await keyed().authority.removeCustody({ address: second, reason: 'closed' });
  app.clock.now += 1000;
  await signer.prove();
  expect((await stored()).report.custody.map(({ address }) => address)).toEqual([third, own].toSorted());
  app.clock.now += 1000;
  const next = privateKeyToAccount(`0x${'33'.repeat(32)}`);
  await keyed().authority.setMinter({ address: next.address, reason: 'rotated' });
  // Old proofs stay valid.
  expect((await shown()).signed).not.toBeNull();
  app.clock.now += 1000;
  expect(await signer.prove()).toBe(false);
  const rotated = await testSigner(app, { minterKey: `0x${'33'.repeat(32)}` });
  expect(await rotated.prove()).toBe(true);
  expect((await shown()).signed?.signer).toBe(next.address);
  await keyed().authority.setMinter({ address: devnetAccounts.minter.address, reason: 'back' });
});

test('the signer’s role can write a proof and delete none', async () => {
  const role = `signer_${newId().replaceAll('-', '').slice(0, 20)}`;
  await query(`create role ${role} login password 'p'`);
  try {
    for (const grant of signerGrants(role)) await query(grant);
    const address = new URL(app.database.url);
    [address.username, address.password] = [role, 'p'];
    const database = openDatabase({ url: address.href, log: createLogger({ level: 'silent' }) });
    try {
      app.clock.now += 60_000;
      const work = await testSigner({ ...app, database: { ...database, url: address.href } });
      expect(await work.prove()).toBe(true);
      other.state.isUp = false;
      expect(await work.prove()).toBe(false);
      await expect(database.pool.query('delete from reserve_proofs')).rejects.toThrow(/permission denied/);
    } finally {
      await database.close();
    }
  } finally {
    await query(`drop owned by ${role}`);
    await query(`drop role ${role}`);
  }
});
