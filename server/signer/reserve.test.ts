import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEther, toFunctionSelector, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedReserve, type SignedReserve } from '../../api/custody/reserve.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { serializeReserve, reserveTypedData, maxProofAgeMs } from '../authority/shared/reserve.ts';
import { verifyLog } from '../authority/verify-log.ts';
import { cacheMs, type PublicReserve } from '../custody/reserve.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { newId } from '../platform/core/ids.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { createTestSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { signerGrants } from './grants.ts';

// From the sources through the signer to panel, public endpoint and verifier.

const [firstAddress, secondAddress] = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
];
const [firstSource, secondSource] = [await startFakeEsplora(), await startFakeEsplora()];

let chain: TestChain;
let node: HostileNode;
let app: TestApp;
let session: TestSession;
let signer: Awaited<ReturnType<typeof createTestSigner>>;
beforeAll(async () => {
  chain = await startTestChain();
  node = await startHostileNode(chain.url);
  const env = {
    ...buildChainEnv(chain.url, node.url),
    MINTER_KEY: minterKey,
    ESPLORA_URLS: `${firstSource.url},${secondSource.url}`,
  };
  app = await createTestApp({ ...env, CUSTODY_ADDRESSES: `${firstAddress},${secondAddress}` }, { jobs: false });
  session = await signInAs(app, 'all');
  await mint(parseEther('1.5'));
}, 60_000);
afterAll(() => chain.stop());

beforeEach(async () => {
  app.clock.now = Date.now();
  await query('delete from reserve_proofs');
  for (const { outputs, state } of [firstSource, secondSource]) {
    outputs.clear();
    Object.assign(state, { isUp: true, tip: tipHeight });
  }
  node.be();
  addOutput('a', firstAddress, 100_000_000);
  addOutput('b', secondAddress, 60_000_000);
  signer = await createTestSigner(app);
});

const query = async (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await app.database.pool.query<Record<string, unknown>>(text, values)).rows;

/** Seen by both sources. */
function addOutput(id: string, address: string, value: number, isSpent = false, sources = [firstSource, secondSource]): void {
  for (const { outputs } of sources) outputs.set(id.repeat(64), { address, value, height: tipHeight - 10, spent: isSpent });
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

const isTotalSupplyCall = ({ method, params }: RpcCall): boolean =>
  method === 'eth_call' && (params[0] as { data: string }).data === toFunctionSelector('totalSupply()');
const readReserve = () => session.api.dataPanel.reserve();
const requestPublicReserve = () => send(app, 'GET', '/public/reserve');
let requestCount = 0;
/** Bypasses caches. */
const readPublishedReserve = async () => {
  const { now } = app.clock;
  app.clock.now += ++requestCount * cacheMs;
  const response = await requestPublicReserve();
  app.clock.now = now;
  return { status: response.status, headers: response.headers, body: (await response.json()) as PublicReserve };
};
const readStoredProof = async (): Promise<SignedReserve> => {
  const [row] = await query('select signed from reserve_proofs');
  return signedReserve.parse(JSON.parse(String(row?.['signed'])));
};
const storeProof = (signed: SignedReserve) => query('update reserve_proofs set signed = $1', serializeReserve(signed));

test('a signed report has the unspent bitcoin of custody addresses and the supply', async () => {
  expect((await readReserve()).state).toBe('none');
  expect((await readPublishedReserve()).status).toBe(503);
  expect(await signer.prove()).toBe(true);
  const { state, signed, surplus, coverage, problem } = await readReserve();
  expect({ state, surplus, coverage, problem }).toEqual({
    state: 'covered',
    surplus: parseEther('0.1').toString(),
    coverage: ((parseEther('1.6') * 10n ** 18n) / parseEther('1.5')).toString(),
    problem: null,
  });
  expect(signed?.report).toMatchObject({
    satoshi: '160000000',
    custody: [
      { address: secondAddress, satoshi: '60000000' },
      { address: firstAddress, satoshi: '100000000' },
    ],
    supply: parseEther('1.5').toString(),
    bitcoin: { height: tipHeight },
    authority: { number: 0 },
  });
  expect(signed?.signer).toBe(devnetAccounts.minter.address);

  const { status, headers, body } = await readPublishedReserve();
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  expect(body).toMatchObject({ ...signed, state, surplus, coverage, problem: null });
});

test('a spent output lowers the reserve, and a shortfall is reported', async () => {
  await signer.prove();
  addOutput('b', secondAddress, 60_000_000, true);
  await signer.prove();
  const { state, signed, surplus } = await readReserve();
  expect({ state, satoshi: signed?.report.satoshi, surplus }).toEqual({
    state: 'short',
    satoshi: '100000000',
    surplus: (-parseEther('0.5')).toString(),
  });
  expect((await readPublishedReserve()).body.state).toBe('short');
});

test('bitcoin on unsigned addresses or without a block does not count', async () => {
  addOutput('c', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 900_000_000);
  for (const { outputs } of [firstSource, secondSource])
    outputs.set('d'.repeat(64), { address: firstAddress, value: 5, height: null });
  await signer.prove();
  expect((await readReserve()).signed?.report.satoshi).toBe('160000000');
});

describe('the signer signs no uncertain report, and reports why', () => {
  const unprovenCases: [name: string, make: () => void, reason: string, details: RegExp][] = [
    ['a source that is down', () => (secondSource.state.isUp = false), 'SOURCE', /127\.0\.0\.1:\d+: no tip height: status 500/],
    [
      'a source with more on an address',
      () => addOutput('e', firstAddress, 1, false, [secondSource]),
      'DISAGREE',
      new RegExp(`differ on ${firstAddress}`),
    ],
    [
      'a source that hides a spending',
      () => addOutput('b', secondAddress, 60_000_000, true, [firstSource]),
      'DISAGREE',
      new RegExp(`differ on ${secondAddress}`),
    ],
    ['a source that is behind', () => (secondSource.state.tip = tipHeight - 1), 'DISAGREE', /is at block 900000, .* at 899999/],
  ];
  test.each(unprovenCases)('%s', async (_name, setUp, reason, details) => {
    await signer.prove();
    const reserveBefore = await readReserve();
    setUp();
    expect(await signer.prove()).toBe(false);
    const reserveAfter = await readReserve();
    expect(reserveAfter.signed).toEqual(reserveBefore.signed);
    expect(reserveAfter.problem).toMatchObject({ reason, details: expect.stringMatching(details) as unknown });
    // The names of sources are not published.
    expect((await readPublishedReserve()).body.problem).toEqual({ reason, at: reserveAfter.problem?.at });
    for (const { state, outputs } of [firstSource, secondSource]) {
      Object.assign(state, { isUp: true, tip: tipHeight });
      outputs.delete('e'.repeat(64));
    }
    addOutput('b', secondAddress, 60_000_000);
    expect(await signer.prove()).toBe(true);
    expect((await readReserve()).problem).toBeNull();
  });

  test('while the chain does not respond', async () => {
    const unreachableSigner = await createTestSigner(app, { urls: ['http://127.0.0.1:9', 'http://127.0.0.1:10'] });
    expect(await unreachableSigner.prove()).toBe(false);
    expect(await readReserve()).toMatchObject({ state: 'none', problem: { reason: 'NODES' } });
    expect((await readPublishedReserve()).status).toBe(503);
  });

  const faultyNodeCases: [name: string, be: () => Parameters<HostileNode['be']>[0], details: RegExp][] = [
    [
      'a node that understates the supply: the coverage of the other node is not published either',
      () => ({ lie: (call, actualResponse) => (isTotalSupplyCall(call) ? toHex(1n, { size: 32 }) : actualResponse) }),
      /differ on the supply at block \d+: 1500000000000000000 and 1$/,
    ],
    [
      'a node that has other code for the token',
      () => ({ lie: ({ method }, actualResponse) => (method === 'eth_getCode' ? '0x60006000fd' : actualResponse) }),
      /differ on the contract code at block/,
    ],
    [
      'a node of another chain',
      () => ({ lie: ({ method }, actualResponse) => (method === 'eth_chainId' ? '0x1' : actualResponse) }),
      /chain 1, not to EVM_CHAIN_ID 31337/,
    ],
    [
      'a node that has another block there',
      () => ({
        lie: ({ method }, actualResponse) =>
          method === 'eth_getBlockByNumber' ? { ...(actualResponse as object), hash: `0x${'ab'.repeat(32)}` } : actualResponse,
      }),
      /have different blocks \d+$/,
    ],
    [
      'a node that claims to be far ahead',
      () => ({ lie: ({ method }, actualResponse) => (method === 'eth_blockNumber' ? '0xfffff' : actualResponse) }),
      /is at block \d+, 127\.0\.0\.1:\d+ at 1048575$/,
    ],
    ['a node that is down', () => ({ mode: 'down' }), /unreachable.* \(when asked for its newest block\)$/],
    ['a node that drips its response', () => ({ mode: 'drip' }), /no complete response in time/],
  ];
  test.each(faultyNodeCases)('%s', async (_name, behaviorOf, details) => {
    await signer.prove();
    const reserveBefore = await readReserve();
    node.be(behaviorOf());
    const newSigner = await createTestSigner(app);
    expect(await newSigner.prove()).toBe(false);
    const reserveAfter = await readReserve();
    expect(reserveAfter.signed).toEqual(reserveBefore.signed);
    expect(reserveAfter.problem).toMatchObject({ reason: 'NODES', details: expect.stringMatching(details) as unknown });
    expect(reserveAfter.problem?.details).toContain(node.name);
    node.be();
    const restartedSigner = await createTestSigner(app);
    expect(await restartedSigner.prove()).toBe(true);
    expect((await readReserve()).problem).toBeNull();
  });

  test('with a single node, which cannot be compared', async () => {
    const singleNodeSigner = await createTestSigner(app, { urls: [chain.url] });
    expect(await singleNodeSigner.prove()).toBe(false);
    expect(await readReserve()).toMatchObject({
      state: 'none',
      problem: { reason: 'ONE_NODE', details: expect.stringContaining(new URL(chain.url).host) as unknown },
    });
  });

  test('with a wrong clock, timed by the database', async () => {
    const yearMs = 365 * 86_400_000;
    const fastClockSigner = await createTestSigner(app, {}, { now: () => app.clock.now + yearMs });
    expect(await fastClockSigner.prove()).toBe(false);
    const { problem } = await readReserve();
    expect(problem).toMatchObject({
      reason: 'CLOCK',
      details: expect.stringMatching(/365 d .*ahead of the clock of the test/) as unknown,
    });
    expect(Math.abs(Date.parse(problem?.at ?? '') - Date.now())).toBeLessThan(600_000);
  });

  test('with a key that is not the log’s minter', async () => {
    const unauthorizedSigner = await createTestSigner(app, { minterKey: `0x${'11'.repeat(32)}` });
    expect(await unauthorizedSigner.prove()).toBe(false);
    expect(await readReserve()).toMatchObject({ state: 'none', problem: { reason: 'LOG' } });
  });
});

test('an old proof is reported as stale', async () => {
  await signer.prove();
  app.clock.now += maxProofAgeMs + 60_000;
  expect((await readReserve()).state).toBe('stale');
  expect((await readPublishedReserve()).body.state).toBe('stale');
});

test('a proof is checked once per second for any number of requests, and a new one is published after that', async () => {
  await signer.prove();
  await readPublishedReserve();
  const queries = vi.spyOn(app.database.pool, 'query');
  const countProofQueries = () => queries.mock.calls.filter(([query]) => JSON.stringify(query).includes('reserve_proofs')).length;
  const requestProofTimes = async (count: number) => {
    const responses = await Promise.all(Array.from({ length: count }, requestPublicReserve));
    return new Set(await Promise.all(responses.map(async (response) => ((await response.json()) as PublicReserve).report.at)));
  };
  const [firstProofTime] = await requestProofTimes(50);
  expect(await requestProofTimes(50)).toEqual(new Set([firstProofTime]));
  expect(countProofQueries()).toBe(1);
  queries.mockRestore();
  app.clock.now += cacheMs;
  await signer.prove();
  const { at } = (await readStoredProof()).report;
  expect(at).not.toBe(firstProofTime);
  expect(await requestProofTimes(2)).toEqual(new Set([at]));
});

test('a failed reading is not cached', async () => {
  await signer.prove();
  await readPublishedReserve();
  await query('alter table reserve_proofs rename to elsewhere');
  const { status } = await requestPublicReserve();
  await query('alter table elsewhere rename to reserve_proofs');
  expect(status).toBe(500);
  expect((await requestPublicReserve()).status).toBe(200);
});

describe('a proof that the minter did not sign is not shown', () => {
  const forgerAccount = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const forgeProof = async (signed: SignedReserve): Promise<SignedReserve> => ({
    ...signed,
    signer: forgerAccount.address,
    signature: await forgerAccount.signTypedData(reserveTypedData(signed.report) as never),
  });
  type Report = SignedReserve['report'];
  const withReportChange = (alterProof: (report: Report) => Partial<Report>) => (signed: SignedReserve) => ({
    ...signed,
    report: { ...signed.report, ...alterProof(signed.report) },
  });
  const alteredCases: [name: string, change: (signed: SignedReserve) => SignedReserve | Promise<SignedReserve>][] = [
    [
      'more bitcoin',
      withReportChange(({ custody: [a, b] }) => ({
        satoshi: '1160000000',
        custody: [{ address: a?.address ?? '', satoshi: '1060000000' }, b ?? { address: '', satoshi: '0' }],
      })),
    ],
    ['a sum that is none', withReportChange(() => ({ satoshi: '260000000' }))],
    [
      'an address twice',
      withReportChange(({ custody: [a, b] }) => ({
        satoshi: '220000000',
        custody: [a, a, b].flatMap((address) => address ?? []),
      })),
    ],
    ['less supply', withReportChange(() => ({ supply: '1' }))],
    ['another time', withReportChange(() => ({ at: new Date(app.clock.now + 1000).toISOString() }))],
    ['another block of Bitcoin', withReportChange(() => ({ bitcoin: { height: tipHeight, hash: 'ab'.repeat(32) } }))],
    ['another chain', withReportChange(() => ({ chainId: 1 }))],
    ['another log', withReportChange(({ authority }) => ({ authority: { ...authority, genesis: 'ab'.repeat(32) } }))],
    ['a line that is not in the log', withReportChange(({ authority }) => ({ authority: { ...authority, number: 99 } }))],
    ['a thief’s signature', forgeProof],
    ['a thief’s signature under the minter’s name', async (signed) => ({ ...(await forgeProof(signed)), signer: signed.signer })],
  ];
  test.each(alteredCases)('%s', async (_name, alterProof) => {
    await signer.prove();
    const proofBefore = await readStoredProof();
    await storeProof(await alterProof(proofBefore));
    expect(await readReserve()).toMatchObject({ state: 'invalid', signed: null, coverage: null });
    expect((await readPublishedReserve()).status).toBe(503);
    await storeProof(proofBefore);
    expect((await readReserve()).state).toBe('covered');
  });

  test('an invalid proof is not shown', async () => {
    await signer.prove();
    for (const text of ['', 'nothing', '{}', '[]', 'null']) {
      await query('update reserve_proofs set signed = $1', text);
      expect((await readReserve()).signed, text).toBeNull();
      expect((await readPublishedReserve()).status).toBe(503);
    }
  });
});

describe('anyone can verify the proof', () => {
  async function verifyProof(proof: unknown): Promise<{ code: number; said: string }> {
    const folder = createTemporaryFolder();
    const [log, file] = [join(folder, 'log.jsonl'), join(folder, 'reserve.json')];
    const lines = await query('select line from authority_lines order by number');
    writeFileSync(log, lines.map(({ line }) => `${String(line)}\n`).join(''));
    writeFileSync(file, JSON.stringify(proof));
    const outputLines: string[] = [];
    const writeLine = (line: string) => void outputLines.push(line);
    const args = ['--file', log, '--reserve', file];
    const code = await verifyLog(args, {
      command: 'verify',
      fromDatabase: null,
      say: writeLine,
      complain: writeLine,
      now: app.clock.now,
    });
    return { code, said: outputLines.join('\n') };
  }

  test('as published, against the exported log', async () => {
    await signer.prove();
    const { body } = await readPublishedReserve();
    const { code, said } = await verifyProof(body);
    expect(said).toMatch(/1.60000000 BTC unspent at Bitcoin mainnet block 900000/);
    expect(said).toMatch(/1.5 YBTC supply at chain/);
    expect(said).toMatch(/coverage: 106\.6\d*%/);
    expect(code).toBe(0);
  });

  test('and distinguish a shortfall, a changed figure and an old proof', async () => {
    addOutput('b', secondAddress, 60_000_000, true);
    await signer.prove();
    const { body } = await readPublishedReserve();
    expect(await verifyProof(body)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/FOUND: the supply exceeds the reserve by 0.5 YBTC/) as unknown,
    });
    const alteredProof = { ...body, report: { ...body.report, supply: '1' } };
    expect(await verifyProof(alteredProof)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/isn’t signed by the minter/) as unknown,
    });
    app.clock.now += 3_600_000;
    expect((await verifyProof(body)).said).toMatch(/doesn’t show the current reserve/);
  });

  test('and refuse a replaced minter key, whichever line it names', async () => {
    await signer.prove();
    const { body } = await readPublishedReserve();
    const idempotentApi = () => createApi(app, { ...session.headers, 'idempotency-key': newId() });
    app.clock.now += 10;
    await idempotentApi().authority.setMinter({ address: privateKeyToAccount(`0x${'44'.repeat(32)}`).address, reason: 'leaked' });
    app.clock.now += 10;
    const report = { ...body.report, at: new Date(app.clock.now).toISOString(), supply: '1' };
    const signature = await privateKeyToAccount(minterKey).signTypedData(reserveTypedData(report) as never);
    expect(await verifyProof({ ...body, report, signature })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/isn’t signed by the minter/) as unknown,
    });
    expect((await verifyProof(body)).code).toBe(0);
    await idempotentApi().authority.setMinter({ address: devnetAccounts.minter.address, reason: 'back' });
  });

  test('and detect an address that entered custody later', async () => {
    await signer.prove();
    const { body } = await readPublishedReserve();
    const unlistedAddress = { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', satoshi: '1' };
    const report = { ...body.report, satoshi: '160000001', custody: [unlistedAddress, ...body.report.custody] };
    const signature = await privateKeyToAccount(minterKey).signTypedData(reserveTypedData(report) as never);
    expect(await verifyProof({ ...body, report, signature })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/wasn’t a custody address in the log/) as unknown,
    });
  });
});

test('a report counts added addresses, not removed ones, and only the new minter key after a rotation', async () => {
  const idempotentApi = () => createApi(app, { ...session.headers, 'idempotency-key': newId() });
  const thirdAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  addOutput('f', thirdAddress, 7);
  await idempotentApi().authority.addCustody({ address: thirdAddress, note: '' });
  await idempotentApi().authority.removeCustody({ address: secondAddress, reason: 'closed' });
  app.clock.now += 1000;
  await signer.prove();
  expect((await readStoredProof()).report.custody.map(({ address }) => address)).toEqual([thirdAddress, firstAddress].toSorted());
  app.clock.now += 1000;
  const nextMinter = privateKeyToAccount(`0x${'33'.repeat(32)}`);
  await idempotentApi().authority.setMinter({ address: nextMinter.address, reason: 'rotated' });
  // Old proofs stay valid.
  expect((await readReserve()).signed).not.toBeNull();
  app.clock.now += 1000;
  expect(await signer.prove()).toBe(false);
  const rotatedSigner = await createTestSigner(app, { minterKey: `0x${'33'.repeat(32)}` });
  expect(await rotatedSigner.prove()).toBe(true);
  expect((await readReserve()).signed?.signer).toBe(nextMinter.address);
  await idempotentApi().authority.setMinter({ address: devnetAccounts.minter.address, reason: 'back' });
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
      const restrictedSigner = await createTestSigner({ ...app, database: { ...database, url: address.href } });
      expect(await restrictedSigner.prove()).toBe(true);
      secondSource.state.isUp = false;
      expect(await restrictedSigner.prove()).toBe(false);
      await expect(database.pool.query('delete from reserve_proofs')).rejects.toThrow(/permission denied/);
    } finally {
      await database.close();
    }
  } finally {
    await query(`drop owned by ${role}`);
    await query(`drop role ${role}`);
  }
});
