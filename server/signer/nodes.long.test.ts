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
import { createMintChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { waitUntil } from '../testing/process.ts';
import { createTestSigner } from '../testing/signer.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { nodeLimits } from './signer.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Nodes lie, hang, drip or fail, separately and together, on a real chain. For the proof of reserve see reserve.test.ts.

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const receiver = devnetAccounts.borrower.address;
const [esplora, secondEsplora] = [await startFakeEsplora(), await startFakeEsplora()];

let chain: TestChain;
let firstNode: HostileNode;
let secondNode: HostileNode;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let dir: string;
beforeAll(async () => {
  chain = await startTestChain();
  [firstNode, secondNode] = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
  const env = { MINTER_KEY: minterKey, ESPLORA_URLS: `${esplora.url},${secondEsplora.url}`, CUSTODY_ADDRESSES: custodyAddress };
  const key = 'abcdef0123456789abcdef0123456789';
  const urls = [`${firstNode.url}/v2/${key}`, `${secondNode.url}/v2/${key}`];
  app = await createTestApp({ ...buildChainEnv(...urls), ...env, MINT_DEPTH: '2' }, { jobs: false });
  [operator, approver] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver')]);
  await chain.client.mine({ blocks: 20 });
}, 60_000);
afterAll(() => chain.stop());

beforeEach(async () => {
  app.clock.now = Date.now();
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits, money_freezes cascade`);
  firstNode.be();
  secondNode.be();
  for (const { state } of [esplora, secondEsplora]) Object.assign(state, { isUp: true, held: null, tip: tipHeight });
  dir = createTemporaryFolder();
  await chain.client.setAutomine(true);
});

let nextTxid = 1;
async function confirmDeposit(): Promise<DepositRow> {
  const txid = (nextTxid++).toString(16).padStart(64, 'd');
  for (const { outputs } of [esplora, secondEsplora])
    outputs.set(txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9 });
  const depositFields = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress: custodyAddress } as const;
  const { id, version, hash } = await operator.api.deposits.add({
    ...depositFields,
    userAddress: receiver,
    amount: '75000000',
    txid,
  });
  return createApi(app, { ...approver.headers, 'idempotency-key': newId() }).deposits.confirm({ id, version, hash });
}

const readMint = async ({ id }: DepositRow) => (await operator.api.deposits.many({ ids: [id] }))[0]?.mint;
const mintedFor = ({ network, txid, vout }: DepositRow) =>
  chain.client.readContract({
    address: app.config.evm?.contracts.ybtc ?? '0x',
    abi: ybtcAbi,
    functionName: 'mintedFor',
    args: [depositHash(network, txid, vout)],
  });
/** Steps like the loop, and mines blocks. */
async function runMintRounds(signerContext: Awaited<ReturnType<typeof createTestSigner>>, rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await stepMints(signerContext);
    await chain.client.mine({ blocks: 3 });
    app.clock.now += 6_000;
  }
}

const isCallOf =
  (name: string) =>
  ({ method, params }: RpcCall): boolean =>
    method === 'eth_call' && (params[0] as { data: string }).data.startsWith(toFunctionSelector(name));
const isMintedForCall = isCallOf('mintedFor(bytes32)');
const isTotalSupplyCall = isCallOf('totalSupply()');

describe('a mint waits, and does not fail, while one node', () => {
  type NodeBehavior = Parameters<HostileNode['be']>[0];
  const nodeCases: [name: string, be: NodeBehavior, says: RegExp][] = [
    [
      'says that the deposit was minted already',
      { lie: (call, actualResult) => (isMintedForCall(call) ? toHex(parseEther('0.5'), { size: 32 }) : actualResult) },
      /differ on the minted amount at block \d+: /,
    ],
    [
      'says that it was minted rightly',
      { lie: (call, actualResult) => (isMintedForCall(call) ? toHex(parseEther('0.75'), { size: 32 }) : actualResult) },
      /differ on the minted amount at block \d+: /,
    ],
    [
      'has another supply',
      { lie: (call, actualResult) => (isTotalSupplyCall(call) ? toHex(5n, { size: 32 }) : actualResult) },
      /differ on the supply/,
    ],
    [
      'has other code for the token',
      { lie: ({ method }, actualResult) => (method === 'eth_getCode' ? '0x00' : actualResult) },
      /differ on the contract code/,
    ],
    [
      'counts other transactions of the minter',
      { lie: ({ method }, actualResult) => (method === 'eth_getTransactionCount' ? '0x4d' : actualResult) },
      /differ on the nonce of the minter/,
    ],
    [
      'is of another chain',
      { lie: ({ method }, actualResult) => (method === 'eth_chainId' ? '0x1' : actualResult) },
      /chain 1, not to EVM_CHAIN_ID 31337/,
    ],
    ['is down', { mode: 'down' }, /unreachable/],
    // Times out after real seconds.
    ...inTier<[name: string, be: NodeBehavior, says: RegExp][]>(
      [],
      [
        ['hangs', { mode: 'hang' }, /no complete response in time/],
        ['drips its response', { mode: 'drip' }, /no complete response in time/],
      ],
    ),
    ['answers with an HTML page', { status: { code: 200, body: '<html>hello</html>' } }, /not JSON-RPC/],
    ['is rate limited', { status: { code: 429, body: 'slow down' } }, /HTTP status 429/],
  ];
  test.each(nodeCases)('%s', async (_name, behavior, expectedDetails) => {
    const row = await confirmDeposit();
    secondNode.be(behavior);
    const signerContext = await createTestSigner(app, { dir });
    await runMintRounds(signerContext, 2);
    const waitingMint = await readMint(row);
    expect(waitingMint).toMatchObject({
      state: 'queued',
      problem: 'NODES',
      details: expect.stringMatching(expectedDetails) as unknown,
    });
    expect(waitingMint?.details).toContain(secondNode.name);
    expect(waitingMint?.details).not.toContain('abcdef');
    expect(await mintedFor(row)).toBe(0n);
    secondNode.be();
    await runMintRounds(await createTestSigner(app, { dir }));
    expect(await readMint(row)).toMatchObject({ state: 'final', problem: null });
    expect(await mintedFor(row)).toBe(parseEther('0.75'));
  });

  test('denies a mint, so nothing becomes final or lost by one answer', async () => {
    const row = await confirmDeposit();
    const signerContext = await createTestSigner(app, { dir });
    await stepMints(signerContext);
    await chain.client.mine({ blocks: 5 });
    secondNode.be({ lie: (call, actualResult) => (isMintedForCall(call) ? toHex(0n, { size: 32 }) : actualResult) });
    app.clock.now += 6_000;
    await runMintRounds(signerContext, 3);
    expect(await readMint(row)).toMatchObject({ state: 'mined', problem: 'NODES' });
    secondNode.be();
    await runMintRounds(signerContext, 3);
    expect(await readMint(row)).toMatchObject({ state: 'final' });
  });

  test('claims a revert or a used nonce', async () => {
    await chain.client.setAutomine(false);
    const row = await confirmDeposit();
    const signerContext = await createTestSigner(app, { dir });
    await stepMints(signerContext);
    const hash = (await readMint(row))?.hash ?? '';
    const { number, hash: blockHash } = await chain.client.getBlock();
    const receipt = { transactionHash: hash, blockNumber: toHex(number - 10n), blockHash, status: '0x0', logs: [], type: '0x2' };
    firstNode.be({
      lie: ({ method }, actualResult) => {
        if (method === 'eth_getTransactionReceipt') return receipt;
        if (method === 'eth_getBlockByNumber') return { ...(actualResult as object), hash: blockHash };
        return method === 'eth_getTransactionCount' ? '0x4d' : actualResult;
      },
    });
    await chain.client.mine({ blocks: 1 });
    app.clock.now += 6_000;
    await stepMints(signerContext);
    expect((await readMint(row))?.state).not.toBe('failed');
    firstNode.be();
    await chain.client.setAutomine(true);
    await runMintRounds(signerContext);
    expect(await readMint(row)).toMatchObject({ state: 'final' });
  });
});

test('hides secrets in problems stored before secrets were left out', async () => {
  const row = await confirmDeposit();
  const details = 'HTTP request failed. URL: https://node.example/v2/abcdef0123456789abcdef0123456789 Status: 429';
  await app.database.pool.query(`update mints set problem = 'RPC', details = $1`, [details]);
  await app.database.pool.query(
    `insert into reserve_proofs (id, problem, details, problem_at) values (1, 'CHAIN', $1, now())
       on conflict (id) do update set details = excluded.details, problem = excluded.problem, problem_at = now()`,
    [details],
  );
  const analyst = await signInAs(app, 'analyst');
  const [presentedDeposit] = await analyst.api.deposits.many({ ids: [row.id] });
  const { problem } = await analyst.api.dataPanel.reserve();
  for (const text of [presentedDeposit?.mint?.details, problem?.details])
    expect(text).toBe('HTTP request failed. URL: https://node.example/… Status: 429');
});

test('a node that withholds a transaction does not keep it from other nodes', async () => {
  const row = await confirmDeposit();
  firstNode.be({
    refuse: ({ method }) => (method === 'eth_sendRawTransaction' ? { code: -32_000, message: 'AlreadyKnown' } : null),
  });
  await runMintRounds(await createTestSigner(app, { dir }));
  expect(await readMint(row)).toMatchObject({ state: 'final' });
});

test('the signer mints with a single node', async () => {
  const row = await confirmDeposit();
  await runMintRounds(await createTestSigner(app, { dir, urls: [chain.url] }));
  expect(await readMint(row)).toMatchObject({ state: 'final', problem: null });
});

describe('a Bitcoin source', () => {
  const nodeCases: [name: string, be: (row: DepositRow) => void, says: RegExp][] = [
    [
      'that says the output is somebody else’s',
      ({ txid }) => void secondEsplora.outputs.set(txid, { address: 'bc1qother', value: 75_000_000, height: tipHeight - 9 }),
      /^unverified: .*75000000 satoshi to bc1qother/,
    ],
    [
      'that says it was spent',
      ({ txid }) =>
        void secondEsplora.outputs.set(txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9, spent: true }),
      /^unverified: .*, spent, /,
    ],
    [
      'that does not know the transaction',
      ({ txid }) => void secondEsplora.outputs.delete(txid),
      /does not know the transaction/,
    ],
    ['that is down', () => void (secondEsplora.state.isUp = false), /no transaction: status 500/],
    ['that is at block 0', () => void (secondEsplora.state.tip = 0), /no tip height/],
  ];
  test.each(nodeCases)('that %s makes the mint wait, not fail', async (_name, behavior, expectedDetails) => {
    const row = await confirmDeposit();
    behavior(row);
    const signerContext = await createTestSigner(app, { dir });
    await runMintRounds(signerContext, 2);
    expect(await readMint(row)).toMatchObject({
      state: 'queued',
      problem: 'EVIDENCE',
      details: expect.stringMatching(expectedDetails) as unknown,
    });
    Object.assign(secondEsplora.state, { isUp: true, tip: tipHeight });
    secondEsplora.outputs.set(row.txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9 });
    await runMintRounds(signerContext);
    expect(await readMint(row)).toMatchObject({ state: 'final' });
  });

  test('that agrees with the other on a spent output makes the mint fail', async () => {
    const row = await confirmDeposit();
    for (const { outputs } of [esplora, secondEsplora])
      outputs.set(row.txid, { address: custodyAddress, value: 75_000_000, height: tipHeight - 9, spent: true });
    await runMintRounds(await createTestSigner(app, { dir }), 2);
    expect(await readMint(row)).toMatchObject({ state: 'failed', problem: 'EVIDENCE' });
  });
});

describe('the mint loop', () => {
  async function startMintLoop() {
    const abortController = new AbortController();
    const signerContext = await createTestSigner(app, { dir }, { now: Date.now, references: [], signal: abortController.signal });
    const stopMints = startMints(signerContext);
    const stopLoop = async () => {
      abortController.abort();
      await stopMints();
    };
    onCleanup(stopLoop);
    return stopLoop;
  }
  const readMints = (rows: readonly DepositRow[]) => Promise.all(rows.map(readMint));
  // Dripping and hanging nodes time out after real seconds.
  const failureModes = [
    ['is down', 'down'],
    ...inTier([], [
      ['drips', 'drip'],
      ['hangs', 'hang'],
    ] as const),
  ] as const;
  test.each(failureModes)(
    'reports a node that %s, stops when asked, and resumes when the node is back',
    async (_name, mode) => {
      const rows = [await confirmDeposit(), await confirmDeposit(), await confirmDeposit()];
      firstNode.be({ mode });
      const stopLoop = await startMintLoop();
      await waitUntil(async () => (await readMints(rows)).every((mint) => mint?.problem !== null));
      await stopLoop();

      const stopSecondLoop = await startMintLoop();
      const requestsBefore = firstNode.requests.length;
      await waitUntil(() => firstNode.requests.length > requestsBefore); // during the request
      firstNode.be();
      await waitUntil(async () => (await readMints(rows)).every((mint) => mint?.hash !== null));
      expect((await readMints(rows)).map((mint) => mint?.state)).not.toContain('failed');
      await stopSecondLoop();
    },
    300_000,
  );

  test('resumes at most ten seconds after a node is back', () => {
    expect(nodeLimits.timeoutMs + nodeLimits.restMs + maxNodeRetryDelayMs).toBeLessThan(10_000);
  });

  test('stops without waiting for a node', async () => {
    await confirmDeposit();
    firstNode.be({ mode: 'hang' });
    const abortController = new AbortController();
    const signerContext = await createTestSigner(app, { dir }, { now: Date.now, references: [], signal: abortController.signal });
    const { token: ybtc, bridge, signer, chainId } = signerContext.chain;
    const chainConfig = { urls: app.config.evm?.urls ?? [firstNode.url], chainId, ybtc, bridge, signer };
    const slowChain = createMintChain({ ...chainConfig, timeoutMs: 3_600_000, signal: abortController.signal });
    const stopLoop = startMints({ ...signerContext, chain: slowChain });
    const requestsBefore = firstNode.requests.length;
    await waitUntil(() => firstNode.requests.length > requestsBefore);
    abortController.abort();
    await expect(stopLoop()).resolves.toBeUndefined();
  });
});

describe('signed bytes in the database', () => {
  const crashBeforeSending = (point: string) => {
    if (point === 'signed: sending') throw new Error('killed');
  };

  test('cannot be sent by someone who reads them', async () => {
    await chain.client.setAutomine(false);
    const row = await confirmDeposit();
    const signerContext = await createTestSigner(app, { dir });
    await stepMints({
      ...signerContext,
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
    expect(await readMint(row)).toMatchObject({ state: 'signed', problem: 'FROZEN' });

    await app.database.db.execute(sql`delete from money_freezes`);
    app.clock.now += 61_000;
    await chain.client.setAutomine(true);
    await runMintRounds(signerContext);
    expect(await readMint(row)).toMatchObject({ state: 'final', hash });
  });

  test('are still sent if stored before encryption was added', async () => {
    const row = await confirmDeposit();
    const signerContext = await createTestSigner(app, { dir });
    const { signer } = signerContext.chain;
    const unsealedSigner = {
      ...signerContext,
      chain: { ...signerContext.chain, signer: { ...signer, seal: (sealedTransaction: string) => sealedTransaction } },
    };
    await stepMints({ ...unsealedSigner, at: crashBeforeSending });
    const { rows } = await app.database.pool.query<{ raw: string }>('select raw from mint_transactions');
    expect(rows[0]?.raw).toMatch(/^0x02/);
    app.clock.now += 6_000;
    await runMintRounds(signerContext);
    expect(await readMint(row)).toMatchObject({ state: 'final' });
    expect((await app.database.pool.query('select from mint_transactions')).rows).toHaveLength(1);
  });

  test('are ignored if sealed with another key or changed', async () => {
    const row = await confirmDeposit();
    const signer = await createTestSigner(app, { dir });
    const currentFees = await signer.chain.fees();
    // Equal fees make the same transaction, whose bytes were changed.
    const signerContext = { ...signer, chain: { ...signer.chain, fees: async () => currentFees } };
    await stepMints({ ...signerContext, at: crashBeforeSending });
    await app.database.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`); // as the database owner
      await tx.execute(sql`update mint_transactions set raw = left(raw, -4) || 'AAAA'`);
    });
    app.clock.now += 6_000;
    await runMintRounds(signerContext, 8);
    expect(await readMint(row)).toMatchObject({ state: 'final' });
    expect(await mintedFor(row)).toBe(parseEther('0.75'));
  });
});
