import { asc, eq, inArray, sql } from 'drizzle-orm';
import { encodeFunctionData, type Address, type HDAccount, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { devnetContracts as at } from '../../chain/deploy.ts';
import { followCalls } from './calls.ts';
import { indexCrsms } from './indexer.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { crsmChain, type CrsmChain } from './chain.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { buildChainEnv, percentToWad, startCrsmChain, yuToWei, type CrsmTestChain } from '../testing/crsm.ts';
import { createTestDatabase } from '../testing/support.ts';
import { crsmCalls } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';

let chain: CrsmTestChain;
let services: Services;
let crsmChainReader: CrsmChain;
let alice: HDAccount;
let bob: HDAccount;
let crsm: Address;
const clock = { now: Date.now() };

beforeAll(async () => {
  chain = await startCrsmChain();
  [alice, bob] = chain.operators;
  const config = readConfig({ NODE_ENV: 'test', ...buildChainEnv(chain.url), MINT_DEPTH: '2' });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await createTestDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  const configuredChain = config.evm && crsmChain(config.evm);
  if (!configuredChain) throw new Error('no chain');
  crsmChainReader = configuredChain;
  await chain.fund();
  await chain.open(alice);
  await chain.create(alice, 0n);
  crsm = await chain.newest();
  await chain.mine(2);
}, 90_000);
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate crsm_calls`);
});

async function insertPreparedCall(
  functionName: 'updateCR' | 'commitDebtGasCompensation' | 'claimYield',
  args: readonly unknown[],
  overrides: Partial<typeof crsmCalls.$inferInsert> = {},
): Promise<string> {
  const id = newId();
  const now = new Date(clock.now);
  await services.database.db.insert(crsmCalls).values({
    id,
    action: functionName,
    crsm,
    chainId: 31_337,
    from: alice.address,
    to: crsm,
    data: encodeFunctionData({ abi: crsmAbi, functionName, args } as never),
    functionName,
    args: '[]',
    block: await chain.client.getBlockNumber(),
    administratorEmail: 'a@b.c',
    createdAt: now,
    updatedAt: now,
    ...overrides,
  });
  return id;
}
const markSent = (id: string, hash: Hex) =>
  services.database.db
    .update(crsmCalls)
    .set({ state: 'sent', hash, sentAt: new Date(clock.now) })
    .where(eq(crsmCalls.id, id));

async function followCallsOnce(): Promise<void> {
  const head = await indexCrsms({ services, chain: crsmChainReader });
  if (!head) throw new Error('the chain changed');
  await followCalls({ services, chain: crsmChainReader, head: head.number });
}
async function readState(id: string) {
  const [row] = await services.database.db.select().from(crsmCalls).where(eq(crsmCalls.id, id));
  return row?.state;
}
const readAuditEntries = (id: string) =>
  services.database.db
    .select({ action: audit.action, after: audit.after })
    .from(audit)
    .where(sql`${audit.after} like ${`%${id}%`}`)
    .orderBy(asc(audit.seq));
let nextPercent = 100;
const createRatios = () => [percentToWad(140), percentToWad(170), percentToWad(++nextPercent + 100)] as const;

test('a sent call is done once it has settled, and recorded once with its hash by several servers', async () => {
  const args = createRatios();
  const id = await insertPreparedCall('updateCR', args);
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await markSent(id, hash);
  await followCallsOnce();
  expect(await readState(id)).toBe('sent');
  await chain.mine(2);
  await Promise.all([followCallsOnce(), followCallsOnce(), followCallsOnce()].map((run) => run.catch(() => {})));
  await followCallsOnce();
  expect(await readState(id)).toBe('done');
  const rows = await readAuditEntries(id);
  expect(rows.map(({ action }) => action)).toEqual(['done']);
  expect(rows[0]?.after).toContain(hash);
});

test('a call is different if the reported transaction does something else', async () => {
  const args = createRatios();
  const preparedCalls: [string, () => Promise<Hex>][] = [
    [await insertPreparedCall('updateCR', args), () => chain.act(alice, crsm, 'updateCR', [args[0], args[1], args[2] + 1n])],
    [await insertPreparedCall('updateCR', args, { from: bob.address }), () => chain.act(alice, crsm, 'updateCR', [...args])],
    [await insertPreparedCall('claimYield', [alice.address]), () => chain.act(alice, crsm, 'claimYield', [bob.address])],
    [
      await insertPreparedCall('claimYield', [alice.address], { to: at.crsmFactory }),
      () => chain.act(alice, crsm, 'claimYield', [alice.address]),
    ],
    [
      await insertPreparedCall('claimYield', [alice.address], { chainId: 1 }),
      () => chain.act(alice, crsm, 'claimYield', [alice.address]),
    ],
  ];
  for (const [id, sendTransaction] of preparedCalls) await markSent(id, await sendTransaction());
  await chain.mine(2);
  await followCallsOnce();
  for (const [id] of preparedCalls) expect(await readState(id)).toBe('different');
});

test('an older transaction with the same bytes is not the outcome of a call', async () => {
  const hash = await chain.act(alice, crsm, 'claimYield', [alice.address]);
  await chain.mine(3);
  const id = await insertPreparedCall('claimYield', [alice.address]);
  await markSent(id, hash);
  await followCallsOnce();
  expect(await readState(id)).toBe('different');
});

test('a transaction is the outcome of one call', async () => {
  const ids = [await insertPreparedCall('claimYield', [alice.address]), await insertPreparedCall('claimYield', [alice.address])];
  const hash = await chain.act(alice, crsm, 'claimYield', [alice.address]);
  for (const id of ids) await markSent(id, hash);
  await chain.mine(2);
  await followCallsOnce();
  expect((await Promise.all(ids.map(readState))).toSorted()).toEqual(['different', 'done']);
});

test('a reverted call has failed', async () => {
  const id = await insertPreparedCall('updateCR', [percentToWad(90), percentToWad(170), percentToWad(200)]);
  await markSent(id, await chain.act(alice, crsm, 'updateCR', [percentToWad(90), percentToWad(170), percentToWad(200)]));
  await chain.mine(2);
  await followCallsOnce();
  expect(await readState(id)).toBe('failed');
});

test('a call that no node knows is lost after a while, and found if it is mined later', async () => {
  const args = createRatios();
  const id = await insertPreparedCall('updateCR', args);
  await markSent(id, `0x${'cd'.repeat(32)}`);
  await followCallsOnce();
  expect(await readState(id)).toBe('sent');
  clock.now += 16 * 60_000;
  await followCallsOnce();
  expect(await readState(id)).toBe('lost');
  await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.mine(2);
  await followCallsOnce();
  await followCallsOnce();
  expect(await readState(id)).toBe('done');
});

test('a call that the wallet resent with a higher fee is followed under its new hash', async () => {
  const args = createRatios();
  const id = await insertPreparedCall('updateCR', args);
  await markSent(id, `0x${'ef'.repeat(32)}`);
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.mine(2);
  await followCallsOnce();
  await followCallsOnce();
  expect(await readState(id)).toBe('done');
  expect((await readAuditEntries(id)).at(-1)?.after).toContain(hash);
});

test('a call without a reported hash is found by its events, and an unsent one waits', async () => {
  const args = createRatios();
  const foundCallId = await insertPreparedCall('updateCR', args);
  const waitingCallId = await insertPreparedCall('updateCR', createRatios());
  const otherCallId = await insertPreparedCall('claimYield', [alice.address], {
    action: 'create',
    crsm: null,
    to: at.crsmFactory,
    functionName: 'createNewCRSM',
    args: JSON.stringify([
      { name: 'troveManager', value: at.troveManager },
      { name: 'troveId', value: '0' },
    ]),
    data: encodeFunctionData({
      abi: crsmFactoryAbi,
      functionName: 'createNewCRSM',
      args: [at.troveManager, 0n, percentToWad(150), percentToWad(180), percentToWad(200), yuToWei(50), 0n],
    }),
  });
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.create(alice, 0n, 0n);
  await chain.mine(2);
  await followCallsOnce();
  await followCallsOnce();
  const rows = await services.database.db
    .select()
    .from(crsmCalls)
    .where(inArray(crsmCalls.id, [foundCallId, waitingCallId, otherCallId]));
  const callRow = (id: string) => rows.find((row) => row.id === id);
  expect(callRow(foundCallId)).toMatchObject({ state: 'done', hash });
  expect(callRow(waitingCallId)).toMatchObject({ state: 'prepared', hash: null });
  expect(callRow(otherCallId)).toMatchObject({ state: 'done', crsm: await chain.newest() });
});
