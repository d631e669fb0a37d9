import { asc, sql } from 'drizzle-orm';
import type { HDAccount } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { devnetContracts as at } from '../../chain/deploy.ts';
import { indexCrsms, type CrsmWork } from './indexer.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { crsmChain, type CrsmChain } from './chain.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainEnv, percentWad, startCrsmChain, yuWei, type CrsmTestChain } from '../testing/crsm.ts';
import { startHostileNode } from '../testing/hostile-node.ts';
import { testDatabase } from '../testing/support.ts';
import { crsmEvents, crsms, troves } from './tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { inTier } from '../../scripts/suite/tier.ts';

let chain: CrsmTestChain;
let services: Services;
let node: CrsmChain;
let alice: HDAccount;
let bob: HDAccount;

beforeAll(async () => {
  chain = await startCrsmChain();
  [alice, bob] = chain.operators;
  services = await newServices();
  const found = services.config.evm && crsmChain(services.config.evm);
  if (!found) throw new Error('no chain');
  node = found;
  await chain.rate(0n);
  await chain.fund();
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate crsms, troves, crsm_events, chain_cursors`);
});

async function newServices(): Promise<Services> {
  const config = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  return { config, log, database: await testDatabase(log), now: Date.now, ...openExternalServices(config) };
}

const work = (more: Partial<CrsmWork> = {}): CrsmWork => ({ services, chain: node, depth: 4n, ...more });

async function tables({ database: { db } } = services) {
  const figures = <T extends { readAt: Date | null }>({ readAt, ...row }: T) => ({ ...row, isRead: readAt !== null });
  return {
    crsms: (await db.select().from(crsms).orderBy(asc(crsms.id))).map(figures),
    troves: (await db.select().from(troves).orderBy(asc(troves.id))).map(figures),
    events: await db.select().from(crsmEvents).orderBy(asc(crsmEvents.block), asc(crsmEvents.logIndex)),
    cursors: await db.select().from(chainCursors),
  };
}

test('the CRSM index gives positions owners, figures and history', async () => {
  const id = await chain.nextTrove();
  await chain.open(alice);
  await chain.create(alice, id);
  const crsm = await chain.newest();
  await chain.deposit(bob, crsm, 0n).catch(() => {});
  await chain.act(alice, crsm, 'commitDebtGasCompensation', [yuWei(70)]);
  await indexCrsms(work());
  const { crsms: rows, troves: stored, events } = await tables();
  expect(rows.find((row) => row.id === crsm)).toMatchObject({
    owner: alice.address,
    troveId: id,
    collateral: 10n ** 18n,
    totalDebt: yuWei(40_200),
    icr: (10n ** 18n * yuWei(100_000)) / yuWei(40_200),
    TRGCR: percentWad(150),
    deposits: yuWei(10_000),
    pendingDebtGasCompensation: yuWei(70),
    isTrovesOwner: true,
    isRead: true,
  });
  expect(stored.find((row) => row.troveId === id)).toMatchObject({
    owner: alice.address,
    totalDebt: yuWei(40_200),
    MCR: percentWad(110),
  });
  const names = events.filter((event) => event.crsm === crsm).map(({ name }) => name);
  expect(names).toEqual(['Transfer', 'CRUpdated', 'NewCRSMDeployment', 'Deposited', 'DebtGasCompensationCommitted']);
  await chain.call(alice, at.crsmFactory, crsmFactoryAbi, 'transferFrom', [alice.address, bob.address, rows[0]?.tokenId]);
  await indexCrsms(work());
  expect((await tables()).crsms.find((row) => row.id === crsm)).toMatchObject({ owner: bob.address, isTrovesOwner: false });
});

function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Killed extends Error {}

/** Kills the server after this many calls to the chain. */
function until(questions: number): CrsmChain {
  let left = questions;
  return new Proxy(node, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (left-- <= 0) throw new Killed();
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

async function fresh() {
  const other = await newServices();
  await indexCrsms(work({ services: other }));
  return tables(other);
}

async function settle() {
  for (let times = 0; times < 20; times++) if (await indexCrsms(work())) return;
  throw new Error('the chain does not stand still');
}

test.each(inTier<number[]>([], [1, 77]))(
  'an index after crashes, concurrent passes and reorganizations equals a fresh one (seed %i)',
  async (seed) => {
    const pick = numbers(seed);
    await chain.client.setAutomine(false);
    const clean = await chain.client.snapshot();
    const first = await chain.nextTrove();
    const snapshots: `0x${string}`[] = [];
    const anyone = () => chain.operators[pick(3)] ?? alice;
    const known: { id: string; tokenId: bigint; owner: string }[] = [];
    const of = (address: string) => chain.operators.find((account) => account.address === address) ?? alice;
    const any = <T>(rows: readonly T[]): T | undefined => rows[pick(rows.length)];
    const something = async (): Promise<unknown> => {
      const row = any(known);
      const crsm = (row?.id ?? at.crsmFactory) as `0x${string}`;
      const owner = of(row?.owner ?? '');
      switch (pick(11)) {
        case 0:
        case 1:
          return chain.open(anyone());
        case 2:
        case 3:
          return chain.create(anyone(), BigInt(pick(8)), yuWei(pick(2) * 500));
        case 4:
          return chain.deposit(anyone(), crsm, yuWei(1 + pick(100)));
        case 5:
          return chain.act(owner, crsm, 'commitDebtGasCompensation', [yuWei(pick(90))]);
        case 6:
          return chain.act(owner, crsm, 'updateCR', [percentWad(140), percentWad(170), percentWad(180 + pick(50))]);
        case 7:
          return chain.call(owner, at.crsmFactory, crsmFactoryAbi, 'transferFrom', [
            owner.address,
            anyone().address,
            row?.tokenId ?? 0n,
          ]);
        case 8:
          return chain.act(owner, crsm, pick(4) === 0 ? 'destroy' : 'claimYield', [owner.address]);
        case 9: {
          const from = anyone();
          return chain.call(from, at.troveManager, troveManagerAbi, 'transferFrom', [
            from.address,
            anyone().address,
            BigInt(pick(6)),
          ]);
        }
        default:
          return pick(2) === 0 ? chain.price(yuWei(40_000 + pick(80_000))) : chain.liquidate(BigInt(pick(6)));
      }
    };
    for (let step = 0; step < 45; step++) {
      if (step < 3) await chain.open(chain.operators[step] ?? alice);
      else if (step < 6) await chain.create(chain.operators[step - 3] ?? alice, first + BigInt(step - 3), 0n);
      else for (let times = pick(4); times >= 0; times--) await something();
      await chain.mine();
      if (step > 5 && pick(3) === 0) snapshots.push(await chain.client.snapshot());
      if (pick(7) === 0 && snapshots.length > 0) {
        const [id] = snapshots.splice(pick(snapshots.length));
        if (id) await chain.client.revert({ id });
        if (pick(2) === 0) await chain.mine(1 + pick(5));
      }
      // A killed run, two concurrent runs, or none must leave no lasting error.
      const batch = BigInt(1 + pick(9));
      const looks = [work({ batch }), work({ batch, chain: until(pick(12)) }), work({ batch: 50n })].slice(pick(3));
      await Promise.all(
        looks.slice(0, pick(4)).map((one) =>
          indexCrsms(one).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          }),
        ),
      );
      if (step % 5 === 0)
        known.splice(0, known.length, ...(await services.database.db.select().from(crsms).orderBy(asc(crsms.id))));
    }
    await chain.mine();
    await settle();
    const found = await tables();
    expect(found.events.length).toBeGreaterThan(20);
    expect(found.crsms.length).toBeGreaterThan(0);
    expect(found).toEqual(await fresh());
    await chain.client.revert({ id: clean });
    await chain.client.setAutomine(true);
  },
  120_000,
);

/** Runs `meanwhile` while another server has read everything but written nothing. */
const lookAround = (meanwhile: () => Promise<unknown>) =>
  indexCrsms(
    work({
      chain: {
        ...node,
        pending: async (...requested) => {
          const read = await node.pending(...requested);
          await meanwhile();
          return read;
        },
      },
    }),
  );
const figuresOf = async () => {
  const { db } = services.database;
  const rows = [...(await db.select().from(crsms)), ...(await db.select().from(troves))];
  expect(rows.length).toBeGreaterThan(1);
  return [...new Map(rows.map(({ block, price }) => [`${block} ${price}`, { block, price }])).values()];
};

test('figures are stored even if another server advances to the next block first', async () => {
  await chain.price(yuWei(90_000));
  const { number } = await node.head();
  const read = await lookAround(async () => {
    await chain.mine();
    const dies = { ...node, crsms: () => Promise.reject(new Killed()) };
    await expect(indexCrsms(work({ chain: dies }))).rejects.toThrow(Killed);
    const { cursors } = await tables();
    expect(cursors.find(({ name }) => name.startsWith('crsm:'))).toMatchObject({ block: number + 1n });
  });
  expect(read).toMatchObject({ number });
  expect(await figuresOf()).toEqual([{ block: number, price: yuWei(90_000) }]);
});

test('older figures do not replace newer ones', async () => {
  await chain.price(yuWei(90_000));
  const { number } = await node.head();
  await lookAround(async () => {
    await chain.price(yuWei(80_000));
    await indexCrsms(work());
  });
  const newest = [{ block: (await node.head()).number, price: yuWei(80_000) }];
  expect(newest[0]?.block).toBeGreaterThan(number);
  expect(await figuresOf()).toEqual(newest);
});

test('figures of a replaced chain are overwritten even if their block is later', async () => {
  await chain.price(yuWei(100_000));
  const fork = await chain.client.snapshot();
  await chain.open(alice); // an event in a block that is replaced
  await chain.price(yuWei(70_000));
  await chain.mine(3);
  await indexCrsms(work());
  await chain.client.revert({ id: fork });
  await chain.open(bob);
  expect(await indexCrsms(work())).toEqual(await node.head());
  expect(await figuresOf()).toEqual([{ block: (await node.head()).number, price: yuWei(100_000) }]);
});

test('a lagging node removes nothing from the index until it has lagged for long', async () => {
  const behind = await node.head();
  await chain.open(alice);
  await chain.mine(2);
  await settle();
  const before = await tables();
  const had = async (numbers: readonly bigint[]) => node.blocks(numbers.filter((number) => number <= behind.number));
  const lagging = work({ chain: { ...node, head: async () => behind, blocks: had } });
  const balanced = work({ chain: { ...node, head: async () => behind } }); // the next question reaches another node
  for (let look = 0; look < 15; look++) expect(await indexCrsms(lagging)).toBeNull();
  expect(await indexCrsms(balanced)).toBeNull();
  for (let look = 0; look < 15; look++) expect(await indexCrsms(lagging)).toBeNull();
  expect(await tables()).toEqual(before);
  expect(await indexCrsms(lagging)).toEqual(behind);
  expect((await tables()).events.length).toBeLessThan(before.events.length);
  await settle();
  expect(await tables()).toEqual(before);
});

test.each(inTier([10n], [500n, 10n, 1n]))(
  'a node whose eth_getLogs allows at most %i blocks gives the same index',
  async (logsLimit) => {
    await chain.mine(40);
    const picky = await startHostileNode(chain.url, { logsLimit });
    const config = readConfig({ NODE_ENV: 'test', ...chainEnv(picky.url) });
    const behind = config.evm && crsmChain(config.evm);
    if (!behind) throw new Error('no chain');
    await indexCrsms(work({ chain: behind, batch: 1_000n }));
    expect(await tables()).toEqual(await fresh());
  },
);

test('page sizes stay the same after a node was unreachable', async () => {
  const away = crsmChain({ ...(services.config.evm ?? ({} as never)), urls: ['http://127.0.0.1:9'] });
  if (!away) throw new Error('no chain');
  await expect(indexCrsms(work({ chain: away }))).rejects.toThrow();
});

test('another deployment removes everything of the previous one', async () => {
  await services.database.db.insert(chainCursors).values({ name: 'crsm:1:before', block: 5n, blockHash: '0x' });
  await services.database.db.insert(crsmEvents).values({
    id: 'old-1',
    crsm: '0xold',
    name: 'Repay',
    args: '{}',
    hash: '0x',
    logIndex: 0,
    block: 5n,
    blockHash: '0x',
    at: new Date(),
  });
  await indexCrsms(work());
  expect(await tables()).toEqual(await fresh());
});
