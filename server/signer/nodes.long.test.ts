import { sql } from 'drizzle-orm';
import { parseEther, toFunctionSelector, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { startMints } from '../mints/loop.ts';
import { maxNodeRetryDelayMs, stepMints } from '../mints/mints.ts';
import { evmChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { chainEnv } from '../testing/crsm.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { waitUntil } from '../testing/process.ts';
import { testSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { nodeLimits } from './signer.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Nodes lie, hang, drip or fail, separately and together, on a real chain. For the proof of reserve see reserve.test.ts.

const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const receiver = devnetAccounts.borrower.address;
const [esplora, second] = [await fakeEsplora(), await fakeEsplora()];

let chain: TestChain;
let first: HostileNode;
let other: HostileNode;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let dir: string;
beforeAll(async () => {
  chain = await startTestChain();
  [first, other] = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: `${esplora.url},${second.url}`, CUSTODY_ADDRESSES: custody };
  const key = 'abcdef0123456789abcdef0123456789';
  const urls = [`${first.url}/v2/${key}`, `${other.url}/v2/${key}`];
  app = await testApp({ ...chainEnv(...urls), ...env, MINT_DEPTH: '2' }, { jobs: false });
  [operator, approver] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver')]);
  await chain.client.mine({ blocks: 20 });
}, 60_000);
afterAll(() => chain.stop());

beforeEach(async () => {
  app.clock.now = Date.now();
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits, money_freezes cascade`);
  first.be();
  other.be();
  for (const { state } of [esplora, second]) Object.assign(state, { isUp: true, held: null, tip: tipHeight });
  dir = temporaryFolder();
  await chain.client.setAutomine(true);
});

let next = 1;
async function confirmed(): Promise<DepositRow> {
  const txid = (next++).toString(16).padStart(64, 'd');
  for (const { outputs } of [esplora, second]) outputs.set(txid, { address: custody, value: 75_000_000, height: tipHeight - 9 });
  const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custody } as const;
  const { id, version, hash } = await operator.api.deposits.add({ ...typed, userAddress: receiver, amount: '75000000', txid });
  return apiOf(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}

const mintOf = async ({ id }: DepositRow) => (await operator.api.deposits.many({ ids: [id] }))[0]?.mint;
const mintedFor = ({ network, txid, vout }: DepositRow) =>
  chain.client.readContract({
    address: app.config.evm?.contracts.ybtc ?? '0x',
    abi: ybtcAbi,
    functionName: 'mintedFor',
    args: [depositHash(network, txid, vout)],
  });
/** Steps like the loop, and mines blocks. */
async function settle(work: Awaited<ReturnType<typeof testSigner>>, rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await stepMints(work);
    await chain.client.mine({ blocks: 3 });
    app.clock.now += 6_000;
  }
}

const isCall =
  (name: string) =>
  ({ method, params }: RpcCall): boolean =>
    method === 'eth_call' && (params[0] as { data: string }).data.startsWith(toFunctionSelector(name));
const isMinted = isCall('mintedFor(bytes32)');
const isSupply = isCall('totalSupply()');

describe('a mint waits, and does not fail, while one node', () => {
  type Be = Parameters<HostileNode['be']>[0];
  const cases: [name: string, be: Be, says: RegExp][] = [
    [
      'says that the deposit was minted already',
      { lie: (call, truth) => (isMinted(call) ? toHex(parseEther('0.5'), { size: 32 }) : truth) },
      /differ on the minted amount at block \d+: /,
    ],
    [
      'says that it was minted rightly',
      { lie: (call, truth) => (isMinted(call) ? toHex(parseEther('0.75'), { size: 32 }) : truth) },
      /differ on the minted amount at block \d+: /,
    ],
    ['has another supply', { lie: (call, truth) => (isSupply(call) ? toHex(5n, { size: 32 }) : truth) }, /differ on the supply/],
    [
      'has other code for the token',
      { lie: ({ method }, truth) => (method === 'eth_getCode' ? '0x00' : truth) },
      /differ on the contract code/,
    ],
    [
      'counts other transactions of the minter',
      { lie: ({ method }, truth) => (method === 'eth_getTransactionCount' ? '0x4d' : truth) },
      /differ on the nonce of the minter/,
    ],
    [
      'is of another chain',
      { lie: ({ method }, truth) => (method === 'eth_chainId' ? '0x1' : truth) },
      /chain 1, not to EVM_CHAIN_ID 31337/,
    ],
    ['is down', { mode: 'down' }, /unreachable/],
    // Times out after real seconds.
    ...inTier<[name: string, be: Be, says: RegExp][]>(
      [],
      [
        ['hangs', { mode: 'hang' }, /no complete response in time/],
        ['drips its response', { mode: 'drip' }, /no complete response in time/],
      ],
    ),
    ['answers with an HTML page', { status: { code: 200, body: '<html>hello</html>' } }, /not JSON-RPC/],
    ['is rate limited', { status: { code: 429, body: 'slow down' } }, /HTTP status 429/],
  ];
  test.each(cases)('%s', async (_name, be, says) => {
    const row = await confirmed();
    other.be(be);
    const work = await testSigner(app, { dir });
    await settle(work, 2);
    const waiting = await mintOf(row);
    expect(waiting).toMatchObject({ state: 'queued', problem: 'NODES', details: expect.stringMatching(says) as unknown });
    expect(waiting?.details).toContain(other.name);
    expect(waiting?.details).not.toContain('abcdef');
    expect(await mintedFor(row)).toBe(0n);
    other.be();
    await settle(await testSigner(app, { dir }));
    expect(await mintOf(row)).toMatchObject({ state: 'final', problem: null });
    expect(await mintedFor(row)).toBe(parseEther('0.75'));
  });

  test('denies a mint, so nothing becomes final or lost by one answer', async () => {
    const row = await confirmed();
    const work = await testSigner(app, { dir });
    await stepMints(work);
    await chain.client.mine({ blocks: 5 });
    other.be({ lie: (call, truth) => (isMinted(call) ? toHex(0n, { size: 32 }) : truth) });
    app.clock.now += 6_000;
    await settle(work, 3);
    expect(await mintOf(row)).toMatchObject({ state: 'mined', problem: 'NODES' });
    other.be();
    await settle(work, 3);
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
  });

  test('claims a revert or a used nonce', async () => {
    await chain.client.setAutomine(false);
    const row = await confirmed();
    const work = await testSigner(app, { dir });
    await stepMints(work);
    const hash = (await mintOf(row))?.hash ?? '';
    const { number, hash: blockHash } = await chain.client.getBlock();
    const receipt = { transactionHash: hash, blockNumber: toHex(number - 10n), blockHash, status: '0x0', logs: [], type: '0x2' };
    first.be({
      lie: ({ method }, truth) => {
        if (method === 'eth_getTransactionReceipt') return receipt;
        if (method === 'eth_getBlockByNumber') return { ...(truth as object), hash: blockHash };
        return method === 'eth_getTransactionCount' ? '0x4d' : truth;
      },
    });
    await chain.client.mine({ blocks: 1 });
    app.clock.now += 6_000;
    await stepMints(work);
    expect((await mintOf(row))?.state).not.toBe('failed');
    first.be();
    await chain.client.setAutomine(true);
    await settle(work);
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
  });
});

test('hides secrets in problems stored before secrets were left out', async () => {
  const row = await confirmed();
  const details = 'HTTP request failed. URL: https://node.example/v2/abcdef0123456789abcdef0123456789 Status: 429';
  await app.database.pool.query(`update mints set problem = 'RPC', details = $1`, [details]);
  await app.database.pool.query(
    `insert into reserve_proofs (id, problem, details, problem_at) values (1, 'CHAIN', $1, now())
       on conflict (id) do update set details = excluded.details, problem = excluded.problem, problem_at = now()`,
    [details],
  );
  const analyst = await signInAs(app, 'analyst');
  const [shown] = await analyst.api.deposits.many({ ids: [row.id] });
  const { problem } = await analyst.api.dataPanel.reserve();
  for (const text of [shown?.mint?.details, problem?.details])
    expect(text).toBe('HTTP request failed. URL: https://node.example/… Status: 429');
});

test('a node that withholds a transaction does not keep it from other nodes', async () => {
  const row = await confirmed();
  first.be({ refuse: ({ method }) => (method === 'eth_sendRawTransaction' ? { code: -32_000, message: 'AlreadyKnown' } : null) });
  await settle(await testSigner(app, { dir }));
  expect(await mintOf(row)).toMatchObject({ state: 'final' });
});

test('the signer mints with a single node', async () => {
  const row = await confirmed();
  await settle(await testSigner(app, { dir, urls: [chain.url] }));
  expect(await mintOf(row)).toMatchObject({ state: 'final', problem: null });
});

describe('a Bitcoin source', () => {
  const cases: [name: string, be: (row: DepositRow) => void, says: RegExp][] = [
    [
      'that says the output is somebody else’s',
      ({ txid }) => void second.outputs.set(txid, { address: 'bc1qother', value: 75_000_000, height: tipHeight - 9 }),
      /^unverified: .*75000000 satoshi to bc1qother/,
    ],
    [
      'that says it was spent',
      ({ txid }) => void second.outputs.set(txid, { address: custody, value: 75_000_000, height: tipHeight - 9, spent: true }),
      /^unverified: .*, spent, /,
    ],
    ['that does not know the transaction', ({ txid }) => void second.outputs.delete(txid), /does not know the transaction/],
    ['that is down', () => void (second.state.isUp = false), /no transaction: status 500/],
    ['that is at block 0', () => void (second.state.tip = 0), /no tip height/],
  ];
  test.each(cases)('that %s makes the mint wait, not fail', async (_name, be, says) => {
    const row = await confirmed();
    be(row);
    const work = await testSigner(app, { dir });
    await settle(work, 2);
    expect(await mintOf(row)).toMatchObject({
      state: 'queued',
      problem: 'EVIDENCE',
      details: expect.stringMatching(says) as unknown,
    });
    Object.assign(second.state, { isUp: true, tip: tipHeight });
    second.outputs.set(row.txid, { address: custody, value: 75_000_000, height: tipHeight - 9 });
    await settle(work);
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
  });

  test('that agrees with the other on a spent output makes the mint fail', async () => {
    const row = await confirmed();
    for (const { outputs } of [esplora, second])
      outputs.set(row.txid, { address: custody, value: 75_000_000, height: tipHeight - 9, spent: true });
    await settle(await testSigner(app, { dir }), 2);
    expect(await mintOf(row)).toMatchObject({ state: 'failed', problem: 'EVIDENCE' });
  });
});

describe('the mint loop', () => {
  async function looping() {
    const stopping = new AbortController();
    const work = await testSigner(app, { dir }, { now: Date.now, references: [], signal: stopping.signal });
    const stopMints = startMints(work);
    const stop = async () => {
      stopping.abort();
      await stopMints();
    };
    atEnd(stop);
    return stop;
  }
  const mintsOf = (rows: readonly DepositRow[]) => Promise.all(rows.map(mintOf));
  // Dripping and hanging nodes time out after real seconds.
  const modes = [
    ['is down', 'down'],
    ...inTier([], [
      ['drips', 'drip'],
      ['hangs', 'hang'],
    ] as const),
  ] as const;
  test.each(modes)(
    'reports a node that %s, stops when asked, and resumes when the node is back',
    async (_name, mode) => {
      const rows = [await confirmed(), await confirmed(), await confirmed()];
      first.be({ mode });
      const stop = await looping();
      await waitUntil(async () => (await mintsOf(rows)).every((mint) => mint?.problem !== null));
      await stop();

      const stopAgain = await looping();
      const before = first.requests.length;
      await waitUntil(() => first.requests.length > before); // during the request
      first.be();
      await waitUntil(async () => (await mintsOf(rows)).every((mint) => mint?.hash !== null));
      expect((await mintsOf(rows)).map((mint) => mint?.state)).not.toContain('failed');
      await stopAgain();
    },
    300_000,
  );

  test('resumes at most ten seconds after a node is back', () => {
    expect(nodeLimits.timeoutMs + nodeLimits.restMs + maxNodeRetryDelayMs).toBeLessThan(10_000);
  });

  test('stops without waiting for a node', async () => {
    await confirmed();
    first.be({ mode: 'hang' });
    const stopping = new AbortController();
    const work = await testSigner(app, { dir }, { now: Date.now, references: [], signal: stopping.signal });
    const { token: ybtc, bridge, signer, chainId } = work.chain;
    const place = { urls: app.config.evm?.urls ?? [first.url], chainId, ybtc, bridge, signer };
    const patient = evmChain({ ...place, timeoutMs: 3_600_000, signal: stopping.signal });
    const stop = startMints({ ...work, chain: patient });
    const before = first.requests.length;
    await waitUntil(() => first.requests.length > before);
    stopping.abort();
    await expect(stop()).resolves.toBeUndefined();
  });
});

describe('signed bytes in the database', () => {
  const dieBeforeSending = (point: string) => {
    if (point === 'signed: sending') throw new Error('killed');
  };

  test('cannot be sent by someone who reads them', async () => {
    await chain.client.setAutomine(false);
    const row = await confirmed();
    const work = await testSigner(app, { dir });
    await stepMints({
      ...work,
      at: async (point) => {
        if (point === 'signed: committed')
          await app.database.pool.query(`insert into money_freezes (id, figures, at) values ($1, '{}', now())`, [newId()]);
      },
    });
    const { rows } = await app.database.pool.query<{ raw: string; hash: string }>('select raw, hash from mint_transactions');
    expect(rows).toHaveLength(1);
    const { raw = '', hash = '' } = rows[0] ?? {};
    expect(raw).toMatch(/^sealed1:0x[0-9a-fA-F]{40}:[\w-]+$/);
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] };
    const response = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) as unknown } });
    for (const hex of [raw, Buffer.from(raw.split(':')[2] ?? '', 'base64url').toString('hex')])
      expect(hex).not.toContain(receiver.slice(2).toLowerCase());
    await expect(chain.client.getTransaction({ hash: hash as `0x${string}` })).rejects.toThrow();
    expect(await mintOf(row)).toMatchObject({ state: 'signed', problem: 'FROZEN' });

    await app.database.db.execute(sql`delete from money_freezes`);
    app.clock.now += 61_000;
    await chain.client.setAutomine(true);
    await settle(work);
    expect(await mintOf(row)).toMatchObject({ state: 'final', hash });
  });

  test('are still sent if stored before encryption was added', async () => {
    const row = await confirmed();
    const work = await testSigner(app, { dir });
    const { signer } = work.chain;
    const plain = { ...work, chain: { ...work.chain, signer: { ...signer, seal: (raw: string) => raw } } };
    await stepMints({ ...plain, at: dieBeforeSending });
    const { rows } = await app.database.pool.query<{ raw: string }>('select raw from mint_transactions');
    expect(rows[0]?.raw).toMatch(/^0x02/);
    app.clock.now += 6_000;
    await settle(work);
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
    expect((await app.database.pool.query('select from mint_transactions')).rows).toHaveLength(1);
  });

  test('are ignored if sealed with another key or changed', async () => {
    const row = await confirmed();
    const signer = await testSigner(app, { dir });
    const fees = await signer.chain.fees();
    // Equal fees make the same transaction, whose bytes were changed.
    const work = { ...signer, chain: { ...signer.chain, fees: async () => fees } };
    await stepMints({ ...work, at: dieBeforeSending });
    await app.database.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`); // as the database owner
      await tx.execute(sql`update mint_transactions set raw = left(raw, -4) || 'AAAA'`);
    });
    app.clock.now += 6_000;
    await settle(work, 8);
    expect(await mintOf(row)).toMatchObject({ state: 'final' });
    expect(await mintedFor(row)).toBe(parseEther('0.75'));
  });
});
