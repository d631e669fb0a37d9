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
import { chainEnv, percentWad, startCrsmChain, yuWei, type CrsmTestChain } from '../testing/crsm.ts';
import { testDatabase } from '../testing/support.ts';
import { crsmCalls } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';

let chain: CrsmTestChain;
let services: Services;
let node: CrsmChain;
let alice: HDAccount;
let bob: HDAccount;
let crsm: Address;
const clock = { now: Date.now() };

beforeAll(async () => {
  chain = await startCrsmChain();
  [alice, bob] = chain.operators;
  const config = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url), MINT_DEPTH: '2' });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await testDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  const found = config.evm && crsmChain(config.evm);
  if (!found) throw new Error('no chain');
  node = found;
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

async function prepare(
  functionName: 'updateCR' | 'commitDebtGasCompensation' | 'claimYield',
  args: readonly unknown[],
  more: Partial<typeof crsmCalls.$inferInsert> = {},
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
    ...more,
  });
  return id;
}
const sent = (id: string, hash: Hex) =>
  services.database.db
    .update(crsmCalls)
    .set({ state: 'sent', hash, sentAt: new Date(clock.now) })
    .where(eq(crsmCalls.id, id));

async function look(): Promise<void> {
  const head = await indexCrsms({ services, chain: node });
  if (!head) throw new Error('the chain changed');
  await followCalls({ services, chain: node, head: head.number });
}
async function stateOf(id: string) {
  const [row] = await services.database.db.select().from(crsmCalls).where(eq(crsmCalls.id, id));
  return row?.state;
}
const noted = (id: string) =>
  services.database.db
    .select({ action: audit.action, after: audit.after })
    .from(audit)
    .where(sql`${audit.after} like ${`%${id}%`}`)
    .orderBy(asc(audit.seq));
let next = 100;
const ratios = () => [percentWad(140), percentWad(170), percentWad(++next + 100)] as const;

test('a sent call is done once it has settled, and recorded once with its hash by several servers', async () => {
  const args = ratios();
  const id = await prepare('updateCR', args);
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await sent(id, hash);
  await look();
  expect(await stateOf(id)).toBe('sent');
  await chain.mine(2);
  await Promise.all([look(), look(), look()].map((one) => one.catch(() => {})));
  await look();
  expect(await stateOf(id)).toBe('done');
  const rows = await noted(id);
  expect(rows.map(({ action }) => action)).toEqual(['done']);
  expect(rows[0]?.after).toContain(hash);
});

test('a call is different if the reported transaction does something else', async () => {
  const args = ratios();
  const cases: [string, () => Promise<Hex>][] = [
    [await prepare('updateCR', args), () => chain.act(alice, crsm, 'updateCR', [args[0], args[1], args[2] + 1n])],
    [await prepare('updateCR', args, { from: bob.address }), () => chain.act(alice, crsm, 'updateCR', [...args])],
    [await prepare('claimYield', [alice.address]), () => chain.act(alice, crsm, 'claimYield', [bob.address])],
    [
      await prepare('claimYield', [alice.address], { to: at.crsmFactory }),
      () => chain.act(alice, crsm, 'claimYield', [alice.address]),
    ],
    [await prepare('claimYield', [alice.address], { chainId: 1 }), () => chain.act(alice, crsm, 'claimYield', [alice.address])],
  ];
  for (const [id, act] of cases) await sent(id, await act());
  await chain.mine(2);
  await look();
  for (const [id] of cases) expect(await stateOf(id)).toBe('different');
});

test('an older transaction with the same bytes is not the outcome of a call', async () => {
  const hash = await chain.act(alice, crsm, 'claimYield', [alice.address]);
  await chain.mine(3);
  const id = await prepare('claimYield', [alice.address]);
  await sent(id, hash);
  await look();
  expect(await stateOf(id)).toBe('different');
});

test('a transaction is the outcome of one call', async () => {
  const ids = [await prepare('claimYield', [alice.address]), await prepare('claimYield', [alice.address])];
  const hash = await chain.act(alice, crsm, 'claimYield', [alice.address]);
  for (const id of ids) await sent(id, hash);
  await chain.mine(2);
  await look();
  expect((await Promise.all(ids.map(stateOf))).toSorted()).toEqual(['different', 'done']);
});

test('a reverted call has failed', async () => {
  const id = await prepare('updateCR', [percentWad(90), percentWad(170), percentWad(200)]);
  await sent(id, await chain.act(alice, crsm, 'updateCR', [percentWad(90), percentWad(170), percentWad(200)]));
  await chain.mine(2);
  await look();
  expect(await stateOf(id)).toBe('failed');
});

test('a call that no node knows is lost after a while, and found if it is mined later', async () => {
  const args = ratios();
  const id = await prepare('updateCR', args);
  await sent(id, `0x${'cd'.repeat(32)}`);
  await look();
  expect(await stateOf(id)).toBe('sent');
  clock.now += 16 * 60_000;
  await look();
  expect(await stateOf(id)).toBe('lost');
  await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.mine(2);
  await look();
  await look();
  expect(await stateOf(id)).toBe('done');
});

test('a call that the wallet resent with a higher fee is followed under its new hash', async () => {
  const args = ratios();
  const id = await prepare('updateCR', args);
  await sent(id, `0x${'ef'.repeat(32)}`);
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.mine(2);
  await look();
  await look();
  expect(await stateOf(id)).toBe('done');
  expect((await noted(id)).at(-1)?.after).toContain(hash);
});

test('a call without a reported hash is found by its events, and an unsent one waits', async () => {
  const args = ratios();
  const found = await prepare('updateCR', args);
  const waiting = await prepare('updateCR', ratios());
  const made = await prepare('claimYield', [alice.address], {
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
      args: [at.troveManager, 0n, percentWad(150), percentWad(180), percentWad(200), yuWei(50), 0n],
    }),
  });
  const hash = await chain.act(alice, crsm, 'updateCR', [...args]);
  await chain.create(alice, 0n, 0n);
  await chain.mine(2);
  await look();
  await look();
  const rows = await services.database.db
    .select()
    .from(crsmCalls)
    .where(inArray(crsmCalls.id, [found, waiting, made]));
  const of = (id: string) => rows.find((row) => row.id === id);
  expect(of(found)).toMatchObject({ state: 'done', hash });
  expect(of(waiting)).toMatchObject({ state: 'prepared', hash: null });
  expect(of(made)).toMatchObject({ state: 'done', crsm: await chain.newest() });
});
