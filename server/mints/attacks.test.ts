import { asc, eq, sql } from 'drizzle-orm';
import { keccak256, parseTransaction, type Address, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { evmChain, keySigner, type MintChain } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { minterKey } from '../testing/signer-process.ts';
import { testDatabase } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { blockOutput } from '../deposits/block-output.ts';
import { depositBlocks, deposits } from '../deposits/tables.ts';
import { mints, mintTransactions, signerNonces } from './tables.ts';
import { adoptMintedFailures, recheckFinalMints, startMints } from './loop.ts';
import { requireOwnLedger } from './deployment.ts';
import { stepMints, type MintWork } from './mints.ts';
import { storeIn } from '../../testing/factories/store.ts';

// Each test attacks the mint pipeline, or one of its sources lies.

const depth = 2n;
const signer = keySigner(minterKey);
const { ybtc, custodyBridge: bridge } = devnetContracts;
const receiver = devnetAccounts.borrower.address;
const wei = 10n ** 18n;
const gwei = 10n ** 9n;

let chain: TestChain;
let services: Services;
const clock = { now: Date.now() };
beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test' });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await testDatabase(log), now: () => clock.now, ...openExternalServices(config) };
});
afterAll(() => chain.stop());

let next = 1;
beforeEach(async () => {
  await services.database.db.execute(
    sql`truncate mints, mint_transactions, signer_nonces, deposits, deposit_blocks, money_freezes cascade`,
  );
  await chain.client.setAutomine(true);
});
afterEach(() => vi.useRealTimers());

const real = (url = chain.url, chainId = 31_337): MintChain => evmChain({ urls: [url], chainId, ybtc, bridge, signer });
const work = (change: Partial<MintChain> = {}, more: Partial<MintWork> = {}): MintWork => ({
  services,
  chain: { ...real(), ...change },
  depth,
  limits: { maxFeePerGas: 300n * gwei, maxPriorityFeePerGas: 10n * gwei },
  evidence: async () => ({ verdict: 'holds', details: null }),
  permit: async () => null,
  standstill: async () => null,
  bumpMs: 10_000,
  ...more,
});

async function confirmed(change: Partial<typeof mints.$inferInsert> = {}): Promise<string> {
  const store = storeIn(services.database.db);
  const at = new Date(clock.now);
  const deposit = await store.deposit({
    userAddress: receiver,
    amount: 10n ** 8n,
    txid: (next++).toString(16).padStart(64, 'a'),
    status: 'confirmed',
    mintStatus: 'queued',
    confirmedAt: at,
    createdAt: at,
  });
  await store.mint(deposit, { token: ybtc, bridge, amount: wei, ...change });
  return deposit.id;
}

async function mintOf(id: string) {
  const [mint] = await services.database.db.select().from(mints).where(eq(mints.depositId, id));
  if (!mint) throw new Error('the mint is gone');
  return mint;
}
const signedFor = async (id: string) =>
  services.database.db
    .select()
    .from(mintTransactions)
    .where(eq(mintTransactions.mintId, (await mintOf(id)).id))
    .orderBy(asc(mintTransactions.createdAt));
const mintedFor = async (id: string) => real().minted((await mintOf(id)).depositHash as Hex);
const supply = ({ client }: TestChain) => client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'totalSupply' });

async function settle(how: MintWork = work()): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await stepMints(how);
    await chain.client.mine({ blocks: 2 });
    clock.now += 61_000;
  }
}

/** Mints without the ledger, as a thief or an old backup would. */
async function mintPast(id: string, to: Address = receiver, amount = wei): Promise<Hex> {
  const args = [(await mintOf(id)).depositHash as Hex, to, amount] as const;
  const hash = await chain.as(devnetAccounts.minter).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'mint', args });
  await chain.client.mine({ blocks: 3 });
  return hash;
}

const freeze = async () => {
  const row = { id: newId(), figures: '{}', at: new Date(clock.now) };
  await services.database.db.insert(moneyFreezes).values(row);
  return () => services.database.db.update(moneyFreezes).set({ resolvedAt: new Date() }).where(eq(moneyFreezes.id, row.id));
};

const block = async (id: string) => {
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
    const id = await confirmed();
    const lift = await block(id);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'queued', problem: 'BLOCKED' });
    expect(await signedFor(id)).toEqual([]);
    await lift();
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final', problem: null });
  });

  test('is not signed when the rejection comes between the check and the signature', async () => {
    const id = await confirmed();
    await stepMints(work({}, { at: async (point) => void (point === 'queued: asked' && (await block(id))) }));
    expect(await mintOf(id)).toMatchObject({ state: 'queued', problem: 'BLOCKED' });
    expect(await signedFor(id)).toEqual([]);
  });

  test('is blocked only after a signature in progress is stored', async () => {
    const id = await confirmed();
    let blocking: Promise<unknown> = Promise.resolve();
    let isBlockedFirst = false;
    await stepMints(
      work(
        {},
        {
          at: async (point) => {
            if (point === 'signed: before commit') {
              blocking = block(id).then(() => (isBlockedFirst = true));
              await new Promise((resolve) => setTimeout(resolve, 200));
              expect(isBlockedFirst).toBe(false);
            }
            if (point === 'signed: committed') await blocking;
          },
        },
      ),
    );
    await blocking;
    expect(await mintOf(id)).toMatchObject({ state: 'signed', problem: 'BLOCKED' });
  });

  test('is not sent when it was already signed, and does not hold up other mints', async () => {
    const id = await confirmed();
    let lift = async (): Promise<unknown> => null;
    await stepMints(work({}, { at: async (point) => void (point === 'signed: committed' && (lift = await block(id))) }));
    const other = await confirmed();
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'signed', problem: 'BLOCKED' });
    expect(await mintedFor(id)).toBe(0n);
    expect(await mintOf(other)).toMatchObject({ state: 'final' });
    await lift();
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'failed', problem: 'NONCE_TAKEN' });
    expect(await mintedFor(id)).toBe(0n);
  });

  test('is neither replaced nor offered again when it was already sent, and becomes final if mined', async () => {
    await chain.client.setAutomine(false);
    const id = await confirmed();
    await stepMints(work());
    expect(await mintOf(id)).toMatchObject({ state: 'sent' });
    await block(id);
    const sent: Hex[] = [];
    const send = async (raw: Hex) => void sent.push(raw);
    for (let round = 0; round < 3; round++) {
      clock.now += 61_000;
      await stepMints(work({ send }));
    }
    expect(sent).toEqual([]);
    expect(await signedFor(id)).toHaveLength(1);
    expect(await mintOf(id)).toMatchObject({ state: 'sent', problem: 'BLOCKED' });
    await chain.client.setAutomine(true);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
  });
});

describe('a ledger of another chain', () => {
  test('is left alone by a server for another chain, whether final or waiting', async () => {
    const finals = [await confirmed(), await confirmed()];
    await settle();
    const waiting = await confirmed();
    const other = await startTestChain();
    try {
      await other.client.request({ method: 'anvil_setChainId', params: [424_242] } as never);
      const there = work({}, { chain: real(other.url, 424_242) });
      expect(await recheckFinalMints(there, 1000)).toBe(0);
      await settle(there);
      expect(await supply(other)).toBe(0n);
    } finally {
      await other.stop();
    }
    for (const id of finals) expect(await mintOf(id)).toMatchObject({ state: 'final' });
    expect(await mintOf(waiting)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await signedFor(waiting)).toEqual([]);
  });

  test('is left alone by a server with another token or bridge', async () => {
    const id = await confirmed();
    for (const change of [{ token: devnetContracts.yu }, { bridge: devnetContracts.yu }]) await stepMints(work(change));
    expect(await mintOf(id)).toMatchObject({ state: 'queued', attempts: 0 });
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
    await requireOwnLedger(db, env(424_242, ybtc));
    await confirmed();
    await requireOwnLedger(db, env(31_337, ybtc));
    await expect(requireOwnLedger(db, env(424_242, ybtc))).rejects.toThrow(
      /mints for chain 31337, .* set to chain 424242, .*EVM_CHAIN_ID/s,
    );
    await expect(requireOwnLedger(db, env(31_337, devnetContracts.yu))).rejects.toMatchObject({ name: 'StartError' });
  });

  test('is not touched when a node behind the same URL switches to another chain', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const one = real();
    await one.head();
    await chain.client.request({ method: 'anvil_setChainId', params: [424_242] } as never);
    try {
      vi.advanceTimersByTime(6_000);
      await expect(one.head()).rejects.toThrow('EVM_RPC_URL belongs to chain 424242, not to EVM_CHAIN_ID 31337');
    } finally {
      await chain.client.request({ method: 'anvil_setChainId', params: [31_337] } as never);
    }
  });
});

describe('the contract decides what was minted', () => {
  test('so a node without old receipts makes no final mint fail', async () => {
    const id = await confirmed();
    await settle();
    const pruned = work({ mined: async () => null, mintOf: async () => null });
    expect(await recheckFinalMints(pruned, 1000)).toBe(0);
    await settle(pruned);
    expect(await mintOf(id)).toMatchObject({ state: 'final', problem: null });
  });

  test('so a sent mint waits for a node that shows its transaction', async () => {
    const id = await confirmed();
    await stepMints(work());
    await chain.client.mine({ blocks: 3 });
    const pruned = work({ mined: async () => null, mintOf: async () => null });
    await settle(pruned);
    expect(await mintOf(id)).toMatchObject({ state: 'sent', problem: 'ALREADY_MINTED' });
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
    expect(await signedFor(id)).toHaveLength(1);
  });

  test('one unreadable mint stops neither the checks of others nor minting', async () => {
    const broken = await confirmed();
    const lost = await confirmed();
    await settle();
    const poison = await mintOf(broken);
    const removed = await mintOf(lost);
    const fails = async () => {
      throw new Error('the RPC chokes on this one');
    };
    const node = real();
    const sick: Partial<MintChain> = {
      minted: (hash, blocks) =>
        hash === poison.depositHash ? fails() : hash === removed.depositHash ? Promise.resolve(0n) : node.minted(hash, blocks),
      mined: (hash) => (hash === poison.hash ? fails() : node.mined(hash)),
    };
    expect(await recheckFinalMints(work(sick), 1000)).toBe(1);
    const fresh = await confirmed();
    const stop = startMints(
      work({ ...sick, minted: (hash, blocks) => (hash === poison.depositHash ? fails() : node.minted(hash, blocks)) }),
    );
    await expect.poll(async () => (await mintOf(fresh)).state, { timeout: 15_000 }).toBe('sent');
    await stop();
    expect(await mintOf(broken)).toMatchObject({ state: 'final' });
  });

  test('a final mint that the chain lost is sent again with the same bytes', async () => {
    const snapshot = await chain.client.snapshot();
    const id = await confirmed();
    await settle();
    await chain.client.revert({ id: snapshot });
    expect(await recheckFinalMints(work(), 1000)).toBe(1);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
    expect(await signedFor(id)).toHaveLength(1);
    expect(await mintedFor(id)).toBe(wei);
  });

  test('a restored ledger adopts a correct mint and signs nothing for it', async () => {
    const id = await confirmed();
    const hash = await mintPast(id);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final', hash, problem: null });
    expect(await signedFor(id)).toEqual([]);
    const givenUp = await confirmed({ state: 'failed' });
    const other = await mintPast(givenUp);
    await adoptMintedFailures(work(), 20);
    await settle();
    expect(await mintOf(givenUp)).toMatchObject({ state: 'final', hash: other });
  });

  test('a restored ledger adopts a mint whose output was spent, whose signatures expired, or whose delay is running', async () => {
    const changes: [Partial<MintWork>, Partial<typeof mints.$inferInsert>][] = [
      [{ evidence: async () => ({ verdict: 'broken', details: null }) }, {}],
      [{ permit: async () => ({ reason: 'EXPIRED', details: null }) }, {}],
      [{}, { signFrom: new Date(clock.now + 86_400_000) }],
    ];
    for (const [change, row] of changes) {
      const id = await confirmed(row);
      const hash = await mintPast(id);
      await settle(work({}, change));
      expect(await mintOf(id)).toMatchObject({ state: 'final', hash, problem: null });
      expect(await signedFor(id)).toEqual([]);
    }
  });

  test('a mint for another receiver or amount is not adopted', async () => {
    const thief = await confirmed();
    await mintPast(thief, devnetAccounts.deployer.address);
    const less = await confirmed();
    await mintPast(less, receiver, wei - 1n);
    await settle();
    await adoptMintedFailures(work(), 20);
    for (const id of [thief, less]) {
      expect(await mintOf(id)).toMatchObject({ state: 'failed', problem: 'ALREADY_MINTED', hash: null });
      expect(await signedFor(id)).toEqual([]);
    }
  });
});

describe('fee limits', () => {
  const robbed = async () => ({ maxFeePerGas: 33_333_322n * gwei, maxPriorityFeePerGas: 33_333_322n * gwei });

  test('keep a mint with a tip of 2,036 ETH unsigned, with the reason', async () => {
    const id = await confirmed();
    await stepMints(work({ fees: robbed }));
    expect(await mintOf(id)).toMatchObject({
      state: 'queued',
      problem: 'FEES',
      details: 'fee 33333322 > 300 gwei, tip 33333322 > 10 gwei',
    });
    expect(await signedFor(id)).toEqual([]);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
  });

  test('also apply to a replacement, which grows by an eighth each time', async () => {
    await chain.client.setAutomine(false);
    const id = await confirmed();
    await stepMints(work());
    for (let round = 0; round < 24; round++) {
      clock.now += 61_000;
      await stepMints(work(round === 0 ? { fees: robbed } : {}));
      if (round === 0) expect(await signedFor(id)).toHaveLength(1);
    }
    const signed = await signedFor(id);
    expect(signed.length).toBeGreaterThan(1);
    for (const { maxPriorityFeePerGas } of signed) expect(maxPriorityFeePerGas).toBeLessThanOrEqual(10n * gwei);
    expect(await mintOf(id)).toMatchObject({ problem: 'FEES' });
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
  });
});

describe('a mint that others wait for', () => {
  test('is followed with higher fees if no node accepts it, and later ones continue', async () => {
    const node = real();
    let lies = true;
    const cheap = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };
    const dear: Partial<MintChain> = {
      fees: async () => (lies ? cheap : node.fees()),
      send: async (raw) => {
        if ((parseTransaction(raw).maxFeePerGas ?? 0n) < 1_000n) throw new Error('max fee per gas less than block base fee');
        await node.send(raw);
      },
    };
    const first = await confirmed();
    await stepMints(work(dear));
    expect(await mintOf(first)).toMatchObject({ state: 'signed', problem: 'RPC' });
    lies = false;
    const second = await confirmed();
    await settle(work(dear));
    for (const id of [first, second]) expect(await mintOf(id)).toMatchObject({ state: 'final', problem: null });
    expect((await signedFor(first)).map(({ nonce }) => nonce)).toEqual(Array(2).fill((await mintOf(first)).nonce));
  });

  test('stays offered after its approval ended, and the next mint can take its nonce', async () => {
    await chain.client.setAutomine(false);
    const first = await confirmed();
    await stepMints(work());
    const [{ hash } = { hash: '' }] = await signedFor(first);
    const isKnown = () =>
      chain.client.getTransaction({ hash: hash as Hex }).then(
        () => true,
        () => false,
      );
    await chain.client.dropTransaction({ hash: hash as Hex });
    expect(await isKnown()).toBe(false);
    const permit: MintWork['permit'] = async ({ depositId }) =>
      depositId === first ? { reason: 'OLD_POLICY', details: null } : null;
    clock.now += 61_000;
    await stepMints(work({}, { permit }));
    expect(await mintOf(first)).toMatchObject({ state: 'sent', problem: 'AUTHORITY', details: 'OLD_POLICY' });
    expect(await signedFor(first)).toHaveLength(1);
    expect(await isKnown()).toBe(true);

    // The node dropped it and refuses it.
    await chain.client.dropTransaction({ hash: hash as Hex });
    const node = real();
    const picky: Partial<MintChain> = {
      send: async (raw) => {
        if (keccak256(raw) === hash) throw new Error('transaction underpriced');
        await node.send(raw);
      },
    };
    const second = await confirmed();
    await settle(work(picky, { permit }));
    expect(await mintOf(second)).toMatchObject({ state: 'final' });
    expect(await mintOf(first)).toMatchObject({ state: 'failed', problem: 'NONCE_TAKEN' });
    expect(await mintedFor(first)).toBe(0n);
  });
});

describe('while money is frozen', () => {
  test('no replacement is signed', async () => {
    await chain.client.setAutomine(false);
    const id = await confirmed();
    await stepMints(work());
    const lift = await freeze();
    clock.now += 61_000;
    await stepMints(work());
    expect(await mintOf(id)).toMatchObject({ state: 'sent', problem: 'FROZEN' });
    expect(await signedFor(id)).toHaveLength(1);
    await lift();
    clock.now += 61_000;
    await stepMints(work());
    expect(await signedFor(id)).toHaveLength(2);
    await settle();
  });

  test('no nonce gap is filled, and afterwards the filling transaction goes first', async () => {
    const before = await confirmed();
    await settle();
    const nonce = ((await mintOf(before)).nonce ?? 0) + 1;
    const [counter] = await services.database.db.select().from(signerNonces);
    await services.database.db.update(signerNonces).set({ next: (counter?.next ?? 0) + 1 }); // a nonce of a failed mint
    const id = await confirmed();
    const sent: number[] = [];
    const node = real();
    const picky: Partial<MintChain> = {
      send: async (raw) => {
        const { nonce: offered = -1 } = parseTransaction(raw);
        sent.push(offered);
        if (offered > nonce) throw new Error('this node takes no transaction ahead of its turn');
        await node.send(raw);
      },
    };
    await stepMints(work());
    const lift = await freeze();
    clock.now += 61_000;
    await stepMints(work());
    expect(await signedFor(id)).toHaveLength(1);
    await lift();
    clock.now += 61_000;
    await stepMints(work(picky));
    expect(await signedFor(id)).toHaveLength(2);
    expect(await mintOf(id)).toMatchObject({ nonce });
    expect(sent[0]).toBe(nonce);
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
  });

  test('a freeze between the check and the signature stops the signature', async () => {
    const id = await confirmed();
    let lift = async (): Promise<unknown> => null;
    const at = async (point: string) => {
      if (point === 'queued: asked') lift = await freeze();
    };
    await stepMints(work({}, { at }));
    expect(await mintOf(id)).toMatchObject({ state: 'queued', problem: 'FROZEN' });
    expect(await signedFor(id)).toEqual([]);
    await lift();
    await settle();
  });

  test('a signed transaction is not sent', async () => {
    const id = await confirmed();
    const at = async (point: string) => {
      if (point === 'signed: committed') await freeze();
    };
    await stepMints(work({}, { at }));
    await settle();
    expect(await mintOf(id)).toMatchObject({ state: 'signed', problem: 'FROZEN' });
    expect(await mintedFor(id)).toBe(0n);
  });

  test('a freeze in the log alone stops sending and resending', async () => {
    await chain.client.setAutomine(false);
    let stopped: Awaited<ReturnType<MintWork['standstill']>> = null;
    const handed: Hex[] = [];
    const node = real();
    const listening: Partial<MintChain> = {
      send: async (raw) => {
        handed.push(raw);
        await node.send(raw);
      },
    };
    const how = work(listening, {
      standstill: async () => stopped,
      at: async (point) => {
        if (point === 'signed: committed') stopped = { reason: 'FROZEN', details: '7' };
      },
    });
    const id = await confirmed();
    await stepMints(how);
    expect(await mintOf(id)).toMatchObject({ state: 'signed', problem: 'AUTHORITY', details: 'FROZEN: 7' });
    expect(handed).toEqual([]);
    stopped = null;
    clock.now += 61_000;
    await stepMints(how);
    expect(await mintOf(id)).toMatchObject({ state: 'sent' });
    expect(handed).toHaveLength(1);
    stopped = { reason: 'FROZEN', details: '8' };
    clock.now += 61_000;
    await stepMints(how);
    expect(await mintOf(id)).toMatchObject({ state: 'sent', problem: 'AUTHORITY', details: 'FROZEN: 8' });
    expect(handed).toHaveLength(1);
    stopped = null;
    await settle(how);
    expect(await mintOf(id)).toMatchObject({ state: 'final' });
  });
});
