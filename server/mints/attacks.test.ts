import { asc, eq, sql } from 'drizzle-orm';
import { keccak256, parseTransaction, type Address, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { createMintChain, createKeySigner, type MintChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createTestDatabase } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { blockOutput } from '../deposits/block-output.ts';
import { depositBlocks, deposits } from '../deposits/tables.ts';
import { mints, mintTransactions, signerNonces } from './tables.ts';
import { adoptMintedFailures, recheckFinalMints, startMints } from './loop.ts';
import { requireLedgerOfDeployment } from './deployment.ts';
import { stepMints, type MintContext } from './mints.ts';
import { createStore } from '../../testing/factories/store.ts';

// Each test attacks the mint pipeline, or one of its sources lies.

const confirmationDepth = 2n;
const signer = createKeySigner(minterKey);
const { ybtc, custodyBridge: bridge } = devnetContracts;
const receiver = devnetAccounts.borrower.address;
const weiPerToken = 10n ** 18n;
const weiPerGwei = 10n ** 9n;

let chain: TestChain;
let services: Services;
const clock = { now: Date.now() };
beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test' });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await createTestDatabase(log), now: () => clock.now, ...openExternalServices(config) };
});
afterAll(() => chain.stop());

let nextTxid = 1;
beforeEach(async () => {
  await services.database.db.execute(
    sql`truncate mints, mint_transactions, signer_nonces, deposits, deposit_blocks, money_freezes cascade`,
  );
  await chain.client.setAutomine(true);
});
afterEach(() => vi.useRealTimers());

const createRealChain = (url = chain.url, chainId = 31_337): MintChain =>
  createMintChain({ urls: [url], chainId, ybtc, bridge, signer });
const createMintContext = (
  chainOverrides: Partial<MintChain> = {},
  contextOverrides: Partial<MintContext> = {},
): MintContext => ({
  services,
  chain: { ...createRealChain(), ...chainOverrides },
  depth: confirmationDepth,
  limits: { maxFeePerGas: 300n * weiPerGwei, maxPriorityFeePerGas: 10n * weiPerGwei },
  evidence: async () => ({ verdict: 'holds', details: null }),
  permit: async () => null,
  readHalt: async () => null,
  bumpMs: 10_000,
  ...contextOverrides,
});

async function addConfirmedMint(mintOverrides: Partial<typeof mints.$inferInsert> = {}): Promise<string> {
  const testStore = createStore(services.database.db);
  const confirmedAt = new Date(clock.now);
  const deposit = await testStore.deposit({
    userAddress: receiver,
    amount: 10n ** 8n,
    txid: (nextTxid++).toString(16).padStart(64, 'a'),
    status: 'confirmed',
    mintStatus: 'queued',
    confirmedAt,
    createdAt: confirmedAt,
  });
  await testStore.mint(deposit, { token: ybtc, bridge, amount: weiPerToken, ...mintOverrides });
  return deposit.id;
}

async function readMint(id: string) {
  const [mint] = await services.database.db.select().from(mints).where(eq(mints.depositId, id));
  if (!mint) throw new Error('the mint is gone');
  return mint;
}
const readSignedTransactions = async (id: string) =>
  services.database.db
    .select()
    .from(mintTransactions)
    .where(eq(mintTransactions.mintId, (await readMint(id)).id))
    .orderBy(asc(mintTransactions.createdAt));
const readMintedAmount = async (id: string) => createRealChain().minted((await readMint(id)).depositHash as Hex);
const supply = ({ client }: TestChain) => client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'totalSupply' });

async function runMintRounds(mintContext: MintContext = createMintContext()): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await stepMints(mintContext);
    await chain.client.mine({ blocks: 2 });
    clock.now += 61_000;
  }
}

/** Mints without the ledger, as a thief or an old backup would. */
async function mintWithoutLedger(id: string, recipientAddress: Address = receiver, amount = weiPerToken): Promise<Hex> {
  const args = [(await readMint(id)).depositHash as Hex, recipientAddress, amount] as const;
  const hash = await chain.as(devnetAccounts.minter).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'mint', args });
  await chain.client.mine({ blocks: 3 });
  return hash;
}

const openFreeze = async () => {
  const row = { id: newId(), figures: '{}', at: new Date(clock.now) };
  await services.database.db.insert(moneyFreezes).values(row);
  return () => services.database.db.update(moneyFreezes).set({ resolvedAt: new Date() }).where(eq(moneyFreezes.id, row.id));
};

const blockDeposit = async (id: string) => {
  const { db } = services.database;
  const [row] = await db.select().from(deposits).where(eq(deposits.id, id));
  if (!row) throw new Error('the deposit is gone');
  const { network, txid, vout } = row;
  await db.transaction((tx) => blockOutput(tx, services, { network, txid, vout, transaction: 't', reason: 'Rejected' }));
  return () =>
    db
      .update(depositBlocks)
      .set({ liftedAt: new Date(clock.now) })
      .where(eq(depositBlocks.txid, txid));
};

describe('a deposit that the custodian rejected', () => {
  test('is not signed when queued with all signatures, and is minted once unblocked', async () => {
    const id = await addConfirmedMint();
    const liftStop = await blockDeposit(id);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'queued', problem: 'BLOCKED' });
    expect(await readSignedTransactions(id)).toEqual([]);
    await liftStop();
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final', problem: null });
  });

  test('is not signed when the rejection comes between the check and the signature', async () => {
    const id = await addConfirmedMint();
    await stepMints(createMintContext({}, { at: async (point) => void (point === 'queued: asked' && (await blockDeposit(id))) }));
    expect(await readMint(id)).toMatchObject({ state: 'queued', problem: 'BLOCKED' });
    expect(await readSignedTransactions(id)).toEqual([]);
  });

  test('is blocked only after a signature in progress is stored', async () => {
    const id = await addConfirmedMint();
    let pendingBlock: Promise<unknown> = Promise.resolve();
    let isBlockedFirst = false;
    await stepMints(
      createMintContext(
        {},
        {
          at: async (point) => {
            if (point === 'signed: before commit') {
              pendingBlock = blockDeposit(id).then(() => (isBlockedFirst = true));
              await new Promise((resolve) => setTimeout(resolve, 200));
              expect(isBlockedFirst).toBe(false);
            }
            if (point === 'signed: committed') await pendingBlock;
          },
        },
      ),
    );
    await pendingBlock;
    expect(await readMint(id)).toMatchObject({ state: 'signed', problem: 'BLOCKED' });
  });

  test('is not sent when it was already signed, and does not hold up other mints', async () => {
    const id = await addConfirmedMint();
    let liftStop = async (): Promise<unknown> => null;
    await stepMints(
      createMintContext({}, { at: async (point) => void (point === 'signed: committed' && (liftStop = await blockDeposit(id))) }),
    );
    const otherMintId = await addConfirmedMint();
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'signed', problem: 'BLOCKED' });
    expect(await readMintedAmount(id)).toBe(0n);
    expect(await readMint(otherMintId)).toMatchObject({ state: 'final' });
    await liftStop();
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'failed', problem: 'NONCE_TAKEN' });
    expect(await readMintedAmount(id)).toBe(0n);
  });

  test('is neither replaced nor offered again when it was already sent, and becomes final if mined', async () => {
    await chain.client.setAutomine(false);
    const id = await addConfirmedMint();
    await stepMints(createMintContext());
    expect(await readMint(id)).toMatchObject({ state: 'sent' });
    await blockDeposit(id);
    const sentTransactions: Hex[] = [];
    const recordSend = async (rawTransaction: Hex) => void sentTransactions.push(rawTransaction);
    for (let round = 0; round < 3; round++) {
      clock.now += 61_000;
      await stepMints(createMintContext({ send: recordSend }));
    }
    expect(sentTransactions).toEqual([]);
    expect(await readSignedTransactions(id)).toHaveLength(1);
    expect(await readMint(id)).toMatchObject({ state: 'sent', problem: 'BLOCKED' });
    await chain.client.setAutomine(true);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
  });
});

describe('a ledger of another chain', () => {
  test('is left alone by a server for another chain, whether final or waiting', async () => {
    const finalMintIds = [await addConfirmedMint(), await addConfirmedMint()];
    await runMintRounds();
    const waitingMintId = await addConfirmedMint();
    const otherChain = await startTestChain();
    try {
      await otherChain.client.request({ method: 'anvil_setChainId', params: [424_242] } as never);
      const otherChainContext = createMintContext({}, { chain: createRealChain(otherChain.url, 424_242) });
      expect(await recheckFinalMints(otherChainContext, 1000)).toBe(0);
      await runMintRounds(otherChainContext);
      expect(await supply(otherChain)).toBe(0n);
    } finally {
      await otherChain.stop();
    }
    for (const id of finalMintIds) expect(await readMint(id)).toMatchObject({ state: 'final' });
    expect(await readMint(waitingMintId)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await readSignedTransactions(waitingMintId)).toEqual([]);
  });

  test('is left alone by a server with another token or bridge', async () => {
    const id = await addConfirmedMint();
    for (const contextChange of [{ token: devnetContracts.yu }, { bridge: devnetContracts.yu }])
      await stepMints(createMintContext(contextChange));
    expect(await readMint(id)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  test('stops the start with one line that names both', async () => {
    const { db } = services.database;
    const env = (chainId: number, token: string) =>
      readConfig({
        NODE_ENV: 'test',
        EVM_RPC_URL: chain.url,
        EVM_CHAIN_ID: String(chainId),
        YBTC_ADDRESS: token,
        CUSTODY_BRIDGE_ADDRESS: bridge,
        ...Object.fromEntries(
          ['YU', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS'].map((name) => [`${name}_ADDRESS`, bridge]),
        ),
      });
    await requireLedgerOfDeployment(db, env(424_242, ybtc));
    await addConfirmedMint();
    await requireLedgerOfDeployment(db, env(31_337, ybtc));
    await expect(requireLedgerOfDeployment(db, env(424_242, ybtc))).rejects.toThrow(
      /mints for chain 31337, .* set to chain 424242, .*EVM_CHAIN_ID/s,
    );
    await expect(requireLedgerOfDeployment(db, env(31_337, devnetContracts.yu))).rejects.toMatchObject({ name: 'StartError' });
  });

  test('is not touched when a node behind the same URL switches to another chain', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const mintChain = createRealChain();
    await mintChain.head();
    await chain.client.request({ method: 'anvil_setChainId', params: [424_242] } as never);
    try {
      vi.advanceTimersByTime(6_000);
      await expect(mintChain.head()).rejects.toThrow('EVM_RPC_URL belongs to chain 424242, not to EVM_CHAIN_ID 31337');
    } finally {
      await chain.client.request({ method: 'anvil_setChainId', params: [31_337] } as never);
    }
  });
});

describe('the contract decides what was minted', () => {
  test('so a node without old receipts makes no final mint fail', async () => {
    const id = await addConfirmedMint();
    await runMintRounds();
    const prunedContext = createMintContext({ mined: async () => null, mintOf: async () => null });
    expect(await recheckFinalMints(prunedContext, 1000)).toBe(0);
    await runMintRounds(prunedContext);
    expect(await readMint(id)).toMatchObject({ state: 'final', problem: null });
  });

  test('so a sent mint waits for a node that shows its transaction', async () => {
    const id = await addConfirmedMint();
    await stepMints(createMintContext());
    await chain.client.mine({ blocks: 3 });
    const prunedContext = createMintContext({ mined: async () => null, mintOf: async () => null });
    await runMintRounds(prunedContext);
    expect(await readMint(id)).toMatchObject({ state: 'sent', problem: 'ALREADY_MINTED' });
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
    expect(await readSignedTransactions(id)).toHaveLength(1);
  });

  test('one unreadable mint stops neither the checks of others nor minting', async () => {
    const unreadableMintId = await addConfirmedMint();
    const lostMintId = await addConfirmedMint();
    await runMintRounds();
    const unreadableMint = await readMint(unreadableMintId);
    const lostMint = await readMint(lostMintId);
    const failRequest = async () => {
      throw new Error('the RPC chokes on this one');
    };
    const mintChain = createRealChain();
    const failingChain: Partial<MintChain> = {
      minted: (hash, blocks) =>
        hash === unreadableMint.depositHash
          ? failRequest()
          : hash === lostMint.depositHash
            ? Promise.resolve(0n)
            : mintChain.minted(hash, blocks),
      mined: (hash) => (hash === unreadableMint.hash ? failRequest() : mintChain.mined(hash)),
    };
    expect(await recheckFinalMints(createMintContext(failingChain), 1000)).toBe(1);
    const newMintId = await addConfirmedMint();
    const stopMints = startMints(
      createMintContext({
        ...failingChain,
        minted: (hash, blocks) => (hash === unreadableMint.depositHash ? failRequest() : mintChain.minted(hash, blocks)),
      }),
    );
    await expect.poll(async () => (await readMint(newMintId)).state, { timeout: 15_000 }).toBe('sent');
    await stopMints();
    expect(await readMint(unreadableMintId)).toMatchObject({ state: 'final' });
  });

  test('a final mint that the chain lost is sent again with the same bytes', async () => {
    const snapshot = await chain.client.snapshot();
    const id = await addConfirmedMint();
    await runMintRounds();
    await chain.client.revert({ id: snapshot });
    expect(await recheckFinalMints(createMintContext(), 1000)).toBe(1);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
    expect(await readSignedTransactions(id)).toHaveLength(1);
    expect(await readMintedAmount(id)).toBe(weiPerToken);
  });

  test('a restored ledger adopts a correct mint and signs nothing for it', async () => {
    const id = await addConfirmedMint();
    const hash = await mintWithoutLedger(id);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final', hash, problem: null });
    expect(await readSignedTransactions(id)).toEqual([]);
    const failedMintId = await addConfirmedMint({ state: 'failed' });
    const otherMintHash = await mintWithoutLedger(failedMintId);
    await adoptMintedFailures(createMintContext(), 20);
    await runMintRounds();
    expect(await readMint(failedMintId)).toMatchObject({ state: 'final', hash: otherMintHash });
  });

  test('a restored ledger adopts a mint whose output was spent, whose signatures expired, or whose delay is running', async () => {
    const attackCases: [Partial<MintContext>, Partial<typeof mints.$inferInsert>][] = [
      [{ evidence: async () => ({ verdict: 'broken', details: null }) }, {}],
      [{ permit: async () => ({ reason: 'EXPIRED', details: null }) }, {}],
      [{}, { signFrom: new Date(clock.now + 86_400_000) }],
    ];
    for (const [contextChange, row] of attackCases) {
      const id = await addConfirmedMint(row);
      const hash = await mintWithoutLedger(id);
      await runMintRounds(createMintContext({}, contextChange));
      expect(await readMint(id)).toMatchObject({ state: 'final', hash, problem: null });
      expect(await readSignedTransactions(id)).toEqual([]);
    }
  });

  test('a mint for another receiver or amount is not adopted', async () => {
    const stolenMintId = await addConfirmedMint();
    await mintWithoutLedger(stolenMintId, devnetAccounts.deployer.address);
    const reducedMintId = await addConfirmedMint();
    await mintWithoutLedger(reducedMintId, receiver, weiPerToken - 1n);
    await runMintRounds();
    await adoptMintedFailures(createMintContext(), 20);
    for (const id of [stolenMintId, reducedMintId]) {
      expect(await readMint(id)).toMatchObject({ state: 'failed', problem: 'ALREADY_MINTED', hash: null });
      expect(await readSignedTransactions(id)).toEqual([]);
    }
  });
});

describe('fee limits', () => {
  const excessiveFees = async () => ({ maxFeePerGas: 33_333_322n * weiPerGwei, maxPriorityFeePerGas: 33_333_322n * weiPerGwei });

  test('keep a mint with a tip of 2,036 ETH unsigned, with the reason', async () => {
    const id = await addConfirmedMint();
    await stepMints(createMintContext({ fees: excessiveFees }));
    expect(await readMint(id)).toMatchObject({
      state: 'queued',
      problem: 'FEES',
      details: 'fee 33333322 > 300 gwei, tip 33333322 > 10 gwei',
    });
    expect(await readSignedTransactions(id)).toEqual([]);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
  });

  test('also apply to a replacement, which grows by an eighth each time', async () => {
    await chain.client.setAutomine(false);
    const id = await addConfirmedMint();
    await stepMints(createMintContext());
    for (let round = 0; round < 24; round++) {
      clock.now += 61_000;
      await stepMints(createMintContext(round === 0 ? { fees: excessiveFees } : {}));
      if (round === 0) expect(await readSignedTransactions(id)).toHaveLength(1);
    }
    const signedTransactions = await readSignedTransactions(id);
    expect(signedTransactions.length).toBeGreaterThan(1);
    for (const { maxPriorityFeePerGas } of signedTransactions) expect(maxPriorityFeePerGas).toBeLessThanOrEqual(10n * weiPerGwei);
    expect(await readMint(id)).toMatchObject({ problem: 'FEES' });
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
  });
});

describe('a mint that others wait for', () => {
  test('is followed with higher fees if no node accepts it, and later ones continue', async () => {
    const mintChain = createRealChain();
    let isLying = true;
    const tooLowFees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };
    const lowFeeChain: Partial<MintChain> = {
      fees: async () => (isLying ? tooLowFees : mintChain.fees()),
      send: async (rawTransaction) => {
        if ((parseTransaction(rawTransaction).maxFeePerGas ?? 0n) < 1_000n)
          throw new Error('max fee per gas less than block base fee');
        await mintChain.send(rawTransaction);
      },
    };
    const firstMintId = await addConfirmedMint();
    await stepMints(createMintContext(lowFeeChain));
    expect(await readMint(firstMintId)).toMatchObject({ state: 'signed', problem: 'RPC' });
    isLying = false;
    const secondMintId = await addConfirmedMint();
    await runMintRounds(createMintContext(lowFeeChain));
    for (const id of [firstMintId, secondMintId]) expect(await readMint(id)).toMatchObject({ state: 'final', problem: null });
    expect((await readSignedTransactions(firstMintId)).map(({ nonce }) => nonce)).toEqual(
      Array(2).fill((await readMint(firstMintId)).nonce),
    );
  });

  test('stays offered after its approval ended, and the next mint can take its nonce', async () => {
    await chain.client.setAutomine(false);
    const firstMintId = await addConfirmedMint();
    await stepMints(createMintContext());
    const [{ hash } = { hash: '' }] = await readSignedTransactions(firstMintId);
    const isKnownTransaction = () =>
      chain.client.getTransaction({ hash: hash as Hex }).then(
        () => true,
        () => false,
      );
    await chain.client.dropTransaction({ hash: hash as Hex });
    expect(await isKnownTransaction()).toBe(false);
    const permit: MintContext['permit'] = async ({ depositId }) =>
      depositId === firstMintId ? { reason: 'OLD_POLICY', details: null } : null;
    clock.now += 61_000;
    await stepMints(createMintContext({}, { permit }));
    expect(await readMint(firstMintId)).toMatchObject({ state: 'sent', problem: 'AUTHORITY', details: 'OLD_POLICY' });
    expect(await readSignedTransactions(firstMintId)).toHaveLength(1);
    expect(await isKnownTransaction()).toBe(true);

    // The node dropped it and refuses it.
    await chain.client.dropTransaction({ hash: hash as Hex });
    const mintChain = createRealChain();
    const rejectingChain: Partial<MintChain> = {
      send: async (rawTransaction) => {
        if (keccak256(rawTransaction) === hash) throw new Error('transaction underpriced');
        await mintChain.send(rawTransaction);
      },
    };
    const secondMintId = await addConfirmedMint();
    await runMintRounds(createMintContext(rejectingChain, { permit }));
    expect(await readMint(secondMintId)).toMatchObject({ state: 'final' });
    expect(await readMint(firstMintId)).toMatchObject({ state: 'failed', problem: 'NONCE_TAKEN' });
    expect(await readMintedAmount(firstMintId)).toBe(0n);
  });
});

describe('while money is frozen', () => {
  test('no replacement is signed', async () => {
    await chain.client.setAutomine(false);
    const id = await addConfirmedMint();
    await stepMints(createMintContext());
    const liftStop = await openFreeze();
    clock.now += 61_000;
    await stepMints(createMintContext());
    expect(await readMint(id)).toMatchObject({ state: 'sent', problem: 'FROZEN' });
    expect(await readSignedTransactions(id)).toHaveLength(1);
    await liftStop();
    clock.now += 61_000;
    await stepMints(createMintContext());
    expect(await readSignedTransactions(id)).toHaveLength(2);
    await runMintRounds();
  });

  test('no nonce gap is filled, and afterwards the filling transaction goes first', async () => {
    const earlierMintId = await addConfirmedMint();
    await runMintRounds();
    const nonce = ((await readMint(earlierMintId)).nonce ?? 0) + 1;
    const [nonceCounter] = await services.database.db.select().from(signerNonces);
    await services.database.db.update(signerNonces).set({ next: (nonceCounter?.next ?? 0) + 1 }); // a nonce of a failed mint
    const id = await addConfirmedMint();
    const sentNonces: number[] = [];
    const mintChain = createRealChain();
    const rejectingChain: Partial<MintChain> = {
      send: async (rawTransaction) => {
        const { nonce: offeredNonce = -1 } = parseTransaction(rawTransaction);
        sentNonces.push(offeredNonce);
        if (offeredNonce > nonce) throw new Error('this node takes no transaction ahead of its turn');
        await mintChain.send(rawTransaction);
      },
    };
    await stepMints(createMintContext());
    const liftStop = await openFreeze();
    clock.now += 61_000;
    await stepMints(createMintContext());
    expect(await readSignedTransactions(id)).toHaveLength(1);
    await liftStop();
    clock.now += 61_000;
    await stepMints(createMintContext(rejectingChain));
    expect(await readSignedTransactions(id)).toHaveLength(2);
    expect(await readMint(id)).toMatchObject({ nonce });
    expect(sentNonces[0]).toBe(nonce);
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'final' });
  });

  test('a freeze between the check and the signature stops the signature', async () => {
    const id = await addConfirmedMint();
    let liftStop = async (): Promise<unknown> => null;
    const stopAtPoint = async (point: string) => {
      if (point === 'queued: asked') liftStop = await openFreeze();
    };
    await stepMints(createMintContext({}, { at: stopAtPoint }));
    expect(await readMint(id)).toMatchObject({ state: 'queued', problem: 'FROZEN' });
    expect(await readSignedTransactions(id)).toEqual([]);
    await liftStop();
    await runMintRounds();
  });

  test('a signed transaction is not sent', async () => {
    const id = await addConfirmedMint();
    const stopAtPoint = async (point: string) => {
      if (point === 'signed: committed') await openFreeze();
    };
    await stepMints(createMintContext({}, { at: stopAtPoint }));
    await runMintRounds();
    expect(await readMint(id)).toMatchObject({ state: 'signed', problem: 'FROZEN' });
    expect(await readMintedAmount(id)).toBe(0n);
  });

  test('a freeze in the log alone stops sending and resending', async () => {
    await chain.client.setAutomine(false);
    let currentHalt: Awaited<ReturnType<MintContext['readHalt']>> = null;
    const submittedTransactions: Hex[] = [];
    const mintChain = createRealChain();
    const recordingChain: Partial<MintChain> = {
      send: async (rawTransaction) => {
        submittedTransactions.push(rawTransaction);
        await mintChain.send(rawTransaction);
      },
    };
    const stoppedContext = createMintContext(recordingChain, {
      readHalt: async () => currentHalt,
      at: async (point) => {
        if (point === 'signed: committed') currentHalt = { reason: 'FROZEN', details: '7' };
      },
    });
    const id = await addConfirmedMint();
    await stepMints(stoppedContext);
    expect(await readMint(id)).toMatchObject({ state: 'signed', problem: 'AUTHORITY', details: 'FROZEN: 7' });
    expect(submittedTransactions).toEqual([]);
    currentHalt = null;
    clock.now += 61_000;
    await stepMints(stoppedContext);
    expect(await readMint(id)).toMatchObject({ state: 'sent' });
    expect(submittedTransactions).toHaveLength(1);
    currentHalt = { reason: 'FROZEN', details: '8' };
    clock.now += 61_000;
    await stepMints(stoppedContext);
    expect(await readMint(id)).toMatchObject({ state: 'sent', problem: 'AUTHORITY', details: 'FROZEN: 8' });
    expect(submittedTransactions).toHaveLength(1);
    currentHalt = null;
    await runMintRounds(stoppedContext);
    expect(await readMint(id)).toMatchObject({ state: 'final' });
  });
});
