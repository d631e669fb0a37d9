import { asc, sql } from 'drizzle-orm';
import type { HDAccount } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { crsmFactoryAbi } from '../chain/abi/crsm-factory.ts';
import { devnetContracts as at } from '../chain/deploy.ts';
import { indexCrsms, type CrsmWork } from './crsm-indexer.ts';
import { readConfig } from './platform/config.ts';
import type { Services } from './platform/context.ts';
import { crsmChain, type CrsmChain } from './platform/crsm-chain.ts';
import { createLog } from './platform/log.ts';
import { openOutside } from './platform/outside.ts';
import { chainEnv, percent, startCrsmChain, yu, type CrsmTestChain } from './platform/test-crsm.ts';
import { testDatabase } from './platform/test-support.ts';
import { chainCursors, crsmEvents, crsms, troves } from './tables.ts';

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
  await chain.rate(0n); // what is read twice at one block is the same
  await chain.fund();
}, 60_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate crsms, troves, crsm_events, chain_cursors`);
});

async function newServices(): Promise<Services> {
  const config = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url) });
  const log = createLog({ level: 'silent' });
  return { config, log, database: await testDatabase(log), now: Date.now, ...openOutside(config) };
}

const work = (more: Partial<CrsmWork> = {}): CrsmWork => ({ services, chain: node, depth: 4n, ...more });

/** All the tables say, but for when it was read. */
async function tables({ database: { db } } = services) {
  const figures = <T extends { readAt: Date | null }>({ readAt, ...row }: T) => ({ ...row, isRead: readAt !== null });
  return {
    crsms: (await db.select().from(crsms).orderBy(asc(crsms.id))).map(figures),
    troves: (await db.select().from(troves).orderBy(asc(troves.id))).map(figures),
    events: await db.select().from(crsmEvents).orderBy(asc(crsmEvents.block), asc(crsmEvents.logIndex)),
    cursors: await db.select().from(chainCursors),
  };
}

test('positions come with their owners, their figures and their history', async () => {
  const id = await chain.nextTrove();
  await chain.open(alice);
  await chain.create(alice, id);
  const crsm = await chain.newest();
  await chain.deposit(bob, crsm, 0n).catch(() => {});
  await chain.act(alice, crsm, 'commitDebtGasCompensation', [yu(70)]);
  await indexCrsms(work());
  const { crsms: rows, troves: kept, events } = await tables();
  expect(rows.find((row) => row.id === crsm)).toMatchObject({
    owner: alice.address,
    troveId: id,
    collateral: 10n ** 18n,
    totalDebt: yu(40_200),
    icr: (10n ** 18n * yu(100_000)) / yu(40_200),
    TRGCR: percent(150),
    deposits: yu(10_000),
    pendingDebtGasCompensation: yu(70),
    isTrovesOwner: true,
    isRead: true,
  });
  expect(kept.find((row) => row.troveId === id)).toMatchObject({
    owner: alice.address,
    totalDebt: yu(40_200),
    MCR: percent(110),
  });
  const names = events.filter((event) => event.crsm === crsm).map(({ name }) => name);
  expect(names).toEqual(['Transfer', 'CRUpdated', 'NewCRSMDeployment', 'Deposited', 'DebtGasCompensationCommitted']);
  await chain.call(alice, at.crsmFactory, crsmFactoryAbi, 'transferFrom', [alice.address, bob.address, rows[0]?.tokenId]);
  await indexCrsms(work());
  expect((await tables()).crsms.find((row) => row.id === crsm)).toMatchObject({ owner: bob.address, isTrovesOwner: false });
});
