import { asc, sql } from 'drizzle-orm';
import type { HDAccount } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { devnetContracts as at } from '../../chain/deploy.ts';
import { indexCrsms, type IndexerContext } from './indexer.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { crsmChain, type CrsmChain } from './chain.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { buildChainEnv, percentToWad, startCrsmChain, yuToWei, type CrsmTestChain } from '../testing/crsm.ts';
import { startHostileNode } from '../testing/hostile-node.ts';
import { createTestDatabase } from '../testing/support.ts';
import { crsmEvents, crsms, troves } from './tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { inTier } from '../../scripts/suite/tier.ts';

let chain: CrsmTestChain;
let services: Services;
let crsmChainReader: CrsmChain;
let alice: HDAccount;
let bob: HDAccount;

beforeAll(async () => {
  chain = await startCrsmChain();
  [alice, bob] = chain.operators;
  services = await newServices();
  const configuredChain = services.config.evm && crsmChain(services.config.evm);
  if (!configuredChain) throw new Error('no chain');
  crsmChainReader = configuredChain;
  await chain.rate(0n);
  await chain.fund();
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate crsms, troves, crsm_events, chain_cursors`);
});

async function newServices(): Promise<Services> {
  const config = readConfig({ NODE_ENV: 'test', ...buildChainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  return { config, log, database: await createTestDatabase(log), now: Date.now, ...openExternalServices(config) };
}

const createWork = (overrides: Partial<IndexerContext> = {}): IndexerContext => ({
  services,
  chain: crsmChainReader,
  depth: 4n,
  ...overrides,
});

async function readTables({ database: { db } } = services) {
  const withoutReadAt = <T extends { readAt: Date | null }>({ readAt, ...row }: T) => ({ ...row, isRead: readAt !== null });
  return {
    crsms: (await db.select().from(crsms).orderBy(asc(crsms.id))).map(withoutReadAt),
    troves: (await db.select().from(troves).orderBy(asc(troves.id))).map(withoutReadAt),
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
  await chain.act(alice, crsm, 'commitDebtGasCompensation', [yuToWei(70)]);
  await indexCrsms(createWork());
  const { crsms: rows, troves: storedTroves, events } = await readTables();
  expect(rows.find((row) => row.id === crsm)).toMatchObject({
    owner: alice.address,
    troveId: id,
    collateral: 10n ** 18n,
    totalDebt: yuToWei(40_200),
    icr: (10n ** 18n * yuToWei(100_000)) / yuToWei(40_200),
    TRGCR: percentToWad(150),
    deposits: yuToWei(10_000),
    pendingDebtGasCompensation: yuToWei(70),
    isTrovesOwner: true,
    isRead: true,
  });
  expect(storedTroves.find((row) => row.troveId === id)).toMatchObject({
    owner: alice.address,
    totalDebt: yuToWei(40_200),
    MCR: percentToWad(110),
  });
  const names = events.filter((event) => event.crsm === crsm).map(({ name }) => name);
  expect(names).toEqual(['Transfer', 'CRUpdated', 'NewCRSMDeployment', 'Deposited', 'DebtGasCompensationCommitted']);
  await chain.call(alice, at.crsmFactory, crsmFactoryAbi, 'transferFrom', [alice.address, bob.address, rows[0]?.tokenId]);
  await indexCrsms(createWork());
  expect((await readTables()).crsms.find((row) => row.id === crsm)).toMatchObject({ owner: bob.address, isTrovesOwner: false });
});

function createRandom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

class SimulatedCrash extends Error {}

/** Kills the server after this many calls to the chain. */
function chainUntil(maxRequests: number): CrsmChain {
  let left = maxRequests;
  return new Proxy(crsmChainReader, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (left-- <= 0) throw new SimulatedCrash();
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

async function expectSameAsFreshIndex() {
  const freshServices = await newServices();
  await indexCrsms(createWork({ services: freshServices }));
  return readTables(freshServices);
}

async function indexUntilSettled() {
  for (let attempt = 0; attempt < 20; attempt++) if (await indexCrsms(createWork())) return;
  throw new Error('the chain does not stand still');
}

test.each(inTier<number[]>([], [1, 77]))(
  'an index after crashes, concurrent passes and reorganizations equals a fresh one (seed %i)',
  async (seed) => {
    const randomBelow = createRandom(seed);
    await chain.client.setAutomine(false);
    const cleanSnapshot = await chain.client.snapshot();
    const firstTroveId = await chain.nextTrove();
    const snapshots: `0x${string}`[] = [];
    const randomOperator = () => chain.operators[randomBelow(3)] ?? alice;
    const knownCrsms: { id: string; tokenId: bigint; owner: string }[] = [];
    const operatorAt = (address: string) => chain.operators.find((account) => account.address === address) ?? alice;
    const randomElement = <T>(rows: readonly T[]): T | undefined => rows[randomBelow(rows.length)];
    const runRandomAction = async (): Promise<unknown> => {
      const row = randomElement(knownCrsms);
      const crsm = (row?.id ?? at.crsmFactory) as `0x${string}`;
      const owner = operatorAt(row?.owner ?? '');
      switch (randomBelow(11)) {
        case 0:
        case 1:
          return chain.open(randomOperator());
        case 2:
        case 3:
          return chain.create(randomOperator(), BigInt(randomBelow(8)), yuToWei(randomBelow(2) * 500));
        case 4:
          return chain.deposit(randomOperator(), crsm, yuToWei(1 + randomBelow(100)));
        case 5:
          return chain.act(owner, crsm, 'commitDebtGasCompensation', [yuToWei(randomBelow(90))]);
        case 6:
          return chain.act(owner, crsm, 'updateCR', [percentToWad(140), percentToWad(170), percentToWad(180 + randomBelow(50))]);
        case 7:
          return chain.call(owner, at.crsmFactory, crsmFactoryAbi, 'transferFrom', [
            owner.address,
            randomOperator().address,
            row?.tokenId ?? 0n,
          ]);
        case 8:
          return chain.act(owner, crsm, randomBelow(4) === 0 ? 'destroy' : 'claimYield', [owner.address]);
        case 9: {
          const from = randomOperator();
          return chain.call(from, at.troveManager, troveManagerAbi, 'transferFrom', [
            from.address,
            randomOperator().address,
            BigInt(randomBelow(6)),
          ]);
        }
        default:
          return randomBelow(2) === 0
            ? chain.price(yuToWei(40_000 + randomBelow(80_000)))
            : chain.liquidate(BigInt(randomBelow(6)));
      }
    };
    for (let step = 0; step < 45; step++) {
      if (step < 3) await chain.open(chain.operators[step] ?? alice);
      else if (step < 6) await chain.create(chain.operators[step - 3] ?? alice, firstTroveId + BigInt(step - 3), 0n);
      else for (let attempt = randomBelow(4); attempt >= 0; attempt--) await runRandomAction();
      await chain.mine();
      if (step > 5 && randomBelow(3) === 0) snapshots.push(await chain.client.snapshot());
      if (randomBelow(7) === 0 && snapshots.length > 0) {
        const [id] = snapshots.splice(randomBelow(snapshots.length));
        if (id) await chain.client.revert({ id });
        if (randomBelow(2) === 0) await chain.mine(1 + randomBelow(5));
      }
      // A killed run, two concurrent runs, or none must leave no lasting error.
      const batch = BigInt(1 + randomBelow(9));
      const concurrentRuns = [
        createWork({ batch }),
        createWork({ batch, chain: chainUntil(randomBelow(12)) }),
        createWork({ batch: 50n }),
      ].slice(randomBelow(3));
      await Promise.all(
        concurrentRuns.slice(0, randomBelow(4)).map((indexRun) =>
          indexCrsms(indexRun).catch((error: unknown) => {
            if (!(error instanceof SimulatedCrash)) throw error;
          }),
        ),
      );
      if (step % 5 === 0)
        knownCrsms.splice(0, knownCrsms.length, ...(await services.database.db.select().from(crsms).orderBy(asc(crsms.id))));
    }
    await chain.mine();
    await indexUntilSettled();
    const indexedTables = await readTables();
    expect(indexedTables.events.length).toBeGreaterThan(20);
    expect(indexedTables.crsms.length).toBeGreaterThan(0);
    expect(indexedTables).toEqual(await expectSameAsFreshIndex());
    await chain.client.revert({ id: cleanSnapshot });
    await chain.client.setAutomine(true);
  },
  120_000,
);

/** Runs `interrupt` while another server has read everything but written nothing. */
const indexWithInterruption = (interrupt: () => Promise<unknown>) =>
  indexCrsms(
    createWork({
      chain: {
        ...crsmChainReader,
        pending: async (...pendingArgs) => {
          const pendingChanges = await crsmChainReader.pending(...pendingArgs);
          await interrupt();
          return pendingChanges;
        },
      },
    }),
  );
const readFigures = async () => {
  const { db } = services.database;
  const rows = [...(await db.select().from(crsms)), ...(await db.select().from(troves))];
  expect(rows.length).toBeGreaterThan(1);
  return [...new Map(rows.map(({ block, price }) => [`${block} ${price}`, { block, price }])).values()];
};

test('figures are stored even if another server advances to the next block first', async () => {
  await chain.price(yuToWei(90_000));
  const { number } = await crsmChainReader.head();
  const indexedHead = await indexWithInterruption(async () => {
    await chain.mine();
    const failingChain = { ...crsmChainReader, crsms: () => Promise.reject(new SimulatedCrash()) };
    await expect(indexCrsms(createWork({ chain: failingChain }))).rejects.toThrow(SimulatedCrash);
    const { cursors } = await readTables();
    expect(cursors.find(({ name }) => name.startsWith('crsm:'))).toMatchObject({ block: number + 1n });
  });
  expect(indexedHead).toMatchObject({ number });
  expect(await readFigures()).toEqual([{ block: number, price: yuToWei(90_000) }]);
});

test('older figures do not replace newer ones', async () => {
  await chain.price(yuToWei(90_000));
  const { number } = await crsmChainReader.head();
  await indexWithInterruption(async () => {
    await chain.price(yuToWei(80_000));
    await indexCrsms(createWork());
  });
  const newestPrice = [{ block: (await crsmChainReader.head()).number, price: yuToWei(80_000) }];
  expect(newestPrice[0]?.block).toBeGreaterThan(number);
  expect(await readFigures()).toEqual(newestPrice);
});

test('figures of a replaced chain are overwritten even if their block is later', async () => {
  await chain.price(yuToWei(100_000));
  const fork = await chain.client.snapshot();
  await chain.open(alice); // an event in a block that is replaced
  await chain.price(yuToWei(70_000));
  await chain.mine(3);
  await indexCrsms(createWork());
  await chain.client.revert({ id: fork });
  await chain.open(bob);
  expect(await indexCrsms(createWork())).toEqual(await crsmChainReader.head());
  expect(await readFigures()).toEqual([{ block: (await crsmChainReader.head()).number, price: yuToWei(100_000) }]);
});

test('a lagging node removes nothing from the index until it has lagged for long', async () => {
  const outdatedHead = await crsmChainReader.head();
  await chain.open(alice);
  await chain.mine(2);
  await indexUntilSettled();
  const tablesBefore = await readTables();
  const readOldBlocks = async (blockNumbers: readonly bigint[]) =>
    crsmChainReader.blocks(blockNumbers.filter((number) => number <= outdatedHead.number));
  const laggingWork = createWork({ chain: { ...crsmChainReader, head: async () => outdatedHead, blocks: readOldBlocks } });
  const loadBalancedWork = createWork({ chain: { ...crsmChainReader, head: async () => outdatedHead } }); // the next question reaches another node
  for (let attempt = 0; attempt < 15; attempt++) expect(await indexCrsms(laggingWork)).toBeNull();
  expect(await indexCrsms(loadBalancedWork)).toBeNull();
  for (let attempt = 0; attempt < 15; attempt++) expect(await indexCrsms(laggingWork)).toBeNull();
  expect(await readTables()).toEqual(tablesBefore);
  expect(await indexCrsms(laggingWork)).toEqual(outdatedHead);
  expect((await readTables()).events.length).toBeLessThan(tablesBefore.events.length);
  await indexUntilSettled();
  expect(await readTables()).toEqual(tablesBefore);
});

test.each(inTier([10n], [500n, 10n, 1n]))(
  'a node whose eth_getLogs allows at most %i blocks gives the same index',
  async (logsLimit) => {
    await chain.mine(40);
    const limitedNode = await startHostileNode(chain.url, { logsLimit });
    const config = readConfig({ NODE_ENV: 'test', ...buildChainEnv(limitedNode.url) });
    const limitedChain = config.evm && crsmChain(config.evm);
    if (!limitedChain) throw new Error('no chain');
    await indexCrsms(createWork({ chain: limitedChain, batch: 1_000n }));
    expect(await readTables()).toEqual(await expectSameAsFreshIndex());
  },
);

test('page sizes stay the same after a node was unreachable', async () => {
  const unreachableChain = crsmChain({ ...(services.config.evm ?? ({} as never)), urls: ['http://127.0.0.1:9'] });
  if (!unreachableChain) throw new Error('no chain');
  await expect(indexCrsms(createWork({ chain: unreachableChain }))).rejects.toThrow();
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
  await indexCrsms(createWork());
  expect(await readTables()).toEqual(await expectSameAsFreshIndex());
});
