import { randomUUID } from 'node:crypto';
import { eq, ne } from 'drizzle-orm';
import { decodeFunctionData, type Address, type HDAccount } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crsmHealth } from '../../api/crsm/filters.ts';
import { healthOf } from '../../api/crsm/health.ts';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { devnetContracts as at, devnetParameters } from '../../chain/deploy.ts';
import { indexCrsms } from './indexer.ts';
import type { Services } from '../platform/services/context.ts';
import { crsmChain } from './chain.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { buildChainEnv, percentToWad, startCrsmChain, yuToWei, type CrsmTestChain } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestApi, type TestApp } from '../testing/support.ts';
import { crsmCalls, crsms } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';

let chain: CrsmTestChain;
let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
let alice: HDAccount;
let bob: HDAccount;
let crsm: Address;
let troveId: bigint;

const idempotentApi = () => createApi(app, { ...headers, 'idempotency-key': randomUUID() }).crsm;
const index = async () => {
  const { config, database } = app;
  const services: Services = {
    config,
    database,
    log: createLogger({ level: 'silent' }),
    now: () => app.clock.now,
    ...openExternalServices(config),
  };
  const crsmChainReader = config.evm && crsmChain(config.evm);
  if (!crsmChainReader) throw new Error('no chain');
  await indexCrsms({ services, chain: crsmChainReader });
};

beforeAll(async () => {
  chain = await startCrsmChain();
  [alice, bob] = chain.operators;
  await chain.fund();
  troveId = await chain.nextTrove();
  await chain.open(alice);
  await chain.create(alice, troveId);
  crsm = await chain.newest();
  await chain.open(bob, 2n * 10n ** 18n);
  await chain.mine();
  app = await createTestApp(buildChainEnv(chain.url), { jobs: false });
  ({ api: operator, headers } = await signInAs(app, 'operator'));
  await index();
}, 90_000);
afterAll(() => chain.stop());

const page = { direction: 'asc' as const, filter: {}, cursor: null, limit: 50 };
const from = () => alice.address;
const refusal = (reason: string, values: object = {}) => ({ code: 'CRSM_REFUSED', data: { reason, ...values } });
const field = (path: string, rule: string) => ({ code: 'BAD_REQUEST', data: { issues: [{ path, rule }] } });

test('the lists match the chain', async () => {
  const { rows, count } = await operator.crsm.list({ ...page, sort: 'distance' });
  expect(count?.value).toBe(1);
  expect(rows[0]).toMatchObject({
    id: crsm,
    owner: alice.address,
    troveId: troveId.toString(),
    deposits: yuToWei(10_000).toString(),
  });
  const positions = await operator.crsm.positions({ ...page, sort: 'icr' });
  expect(positions.rows.map(({ owner, crsm: managingCrsm }) => [owner, managingCrsm?.id ?? null])).toEqual([
    [alice.address, crsm],
    [bob.address, null],
  ]);
  const id = positions.rows[1]?.id ?? '';
  expect(await operator.crsm.manyPositions({ ids: [id, `${at.troveManager}-99`] })).toMatchObject([{ id }]);
  expect(await operator.crsm.many({ ids: [at.yu, crsm] })).toMatchObject([{ id: crsm }]);
  expect((await operator.crsm.events({ id: crsm })).events.map(({ name }) => name)).toContain('NewCRSMDeployment');
});

test('filters find positions by owner, address, position, health and CRSM, from any page', async () => {
  const countMatching = async (filter: object) => (await operator.crsm.list({ ...page, sort: 'icr', filter })).rows.length;
  expect(await countMatching({ q: alice.address.slice(0, 9).toLowerCase() })).toBe(1);
  expect(await countMatching({ q: crsm.slice(0, 9).toUpperCase().replace('0X', '0x') })).toBe(1);
  expect(await countMatching({ q: troveId.toString() })).toBe(1);
  expect(await countMatching({ q: '999' })).toBe(0);
  expect(await countMatching({ owner: bob.address })).toBe(0);
  expect(await countMatching({ health: 'fine' })).toBe(1);
  expect(await countMatching({ health: 'belowTrigger' })).toBe(0);
  const setStoredSetting = async (value: boolean) =>
    (await operator.crsm.positions({ ...page, sort: 'debt', filter: { kept: String(value) } })).rows;
  expect((await setStoredSetting(true)).map(({ owner }) => owner)).toEqual([alice.address]);
  expect((await setStoredSetting(false)).map(({ owner }) => owner)).toEqual([bob.address]);
  const firstPage = await operator.crsm.positions({ ...page, sort: 'openedAt', limit: 1 });
  const secondPage = await operator.crsm.positions({ ...page, sort: 'openedAt', limit: 1, cursor: firstPage.nextCursor });
  expect([...firstPage.rows, ...secondPage.rows].map(({ owner }) => owner)).toEqual([alice.address, bob.address]);
});

test('a prepared call is recorded exactly, and audited', async () => {
  const preparedCall = await idempotentApi().deposit({ crsm, from: bob.address, params: { amount: yuToWei(5).toString() } });
  expect(preparedCall).toMatchObject({
    state: 'prepared',
    to: at.crsmFactory,
    from: bob.address,
    chainId: 31_337,
    crsm,
    hash: null,
  });
  expect(decodeFunctionData({ abi: crsmFactoryAbi, data: preparedCall.data as `0x${string}` })).toEqual({
    functionName: 'deposit',
    args: [crsm, yuToWei(5)],
  });
  const commitCall = await idempotentApi().commitDebtGasCompensation({
    crsm,
    from: from(),
    params: { debtGasCompensation: '7' },
  });
  expect(decodeFunctionData({ abi: crsmAbi, data: commitCall.data as `0x${string}` }).args).toEqual([7n]);
  expect(commitCall.args).toEqual([{ name: 'debtGasCompensation', value: '7' }]);
  const position = `${at.troveManager}-${troveId}`;
  const params = {
    TRGCR: percentToWad(150),
    TARCR: percentToWad(180),
    MAX_TARCR: percentToWad(200),
    debtGasCompensation: 0n,
    amount: 0n,
  };
  const textParams = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toString()]));
  const createCall = await idempotentApi().create({ position, from: from(), params: textParams as never });
  expect(createCall).toMatchObject({ crsm: null, to: at.crsmFactory, functionName: 'createNewCRSM' });
  const { db } = app.database;
  await expect
    .poll(async () => (await db.select().from(audit).where(eq(audit.entityId, crsm))).map(({ action }) => action))
    .toEqual(expect.arrayContaining(['deposit', 'commitDebtGasCompensation']));
  expect((await operator.crsm.events({ id: crsm })).calls.map(({ id }) => id)).toEqual([commitCall.id, preparedCall.id]);
});

test('a repeated key prepares one call', async () => {
  const repeatedApi = createApi(app, { ...headers, 'idempotency-key': randomUUID() }).crsm;
  const input = { crsm, from: from(), params: { to: bob.address } };
  const [original, repeated] = [await repeatedApi.claimYield(input), await repeatedApi.claimYield(input)];
  expect(repeated).toEqual(original);
  expect(await app.database.db.select().from(crsmCalls).where(eq(crsmCalls.action, 'claimYield'))).toHaveLength(1);
});

test('a call that the chain would refuse is refused before the wallet is asked', async () => {
  const createRatioParams = (TRGCR: number, TARCR: number, MAX_TARCR: number) => ({
    TRGCR: percentToWad(TRGCR).toString(),
    TARCR: percentToWad(TARCR).toString(),
    MAX_TARCR: percentToWad(MAX_TARCR).toString(),
  });
  const amount = (value: bigint) => ({ amount: value.toString() });
  const receiverAddress = bob.address;
  const idempotentActions = idempotentApi();
  await expect(
    idempotentActions.updateCR({ crsm, from: bob.address, params: createRatioParams(150, 180, 200) }),
  ).rejects.toMatchObject(refusal('notOwner', { owner: alice.address }));
  await expect(idempotentApi().updateCR({ crsm, from: from(), params: createRatioParams(110, 180, 200) })).rejects.toMatchObject(
    field('params.TRGCR', 'ratioOrder'),
  );
  await expect(idempotentApi().updateCR({ crsm, from: from(), params: createRatioParams(150, 150, 200) })).rejects.toMatchObject(
    field('params.TARCR', 'ratioOrder'),
  );
  await expect(idempotentApi().updateCR({ crsm, from: from(), params: createRatioParams(150, 180, 179) })).rejects.toMatchObject(
    field('params.MAX_TARCR', 'ratioOrder'),
  );
  await expect(
    idempotentApi().withdrawFromSP({ crsm, from: from(), params: { to: receiverAddress, ...amount(yuToWei(10_001)) } }),
  ).rejects.toMatchObject(field('params.amount', 'balance'));
  await expect(
    idempotentApi().withdraw({ crsm, from: from(), params: { to: receiverAddress, ...amount(1n) } }),
  ).rejects.toMatchObject(field('params.amount', 'balance'));
  await expect(idempotentApi().deposit({ crsm, from: chain.operators[4].address, params: amount(1n) })).rejects.toMatchObject(
    field('params.amount', 'balance'),
  );
  await expect(idempotentApi().acceptDebtGasCompensation({ crsm, from: from(), params: {} })).rejects.toMatchObject(
    refusal('nothingCommitted'),
  );
  await expect(idempotentApi().repay({ crsm, from: receiverAddress, params: amount(yuToWei(100)) })).rejects.toMatchObject(
    refusal('notTriggered', { trigger: percentToWad(150).toString() }),
  );
  await expect(
    idempotentApi().claimYield({ crsm, from: from(), params: { to: '0x0000000000000000000000000000000000000000' } }),
  ).rejects.toMatchObject(field('params.to', 'receiver'));
  await expect(idempotentApi().deposit({ crsm: at.yu, from: from(), params: amount(1n) })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const createParams = { ...createRatioParams(150, 180, 200), debtGasCompensation: '0', amount: '0' };
  await expect(
    idempotentApi().create({ position: `${at.troveManager}-${troveId}`, from: bob.address, params: createParams }),
  ).rejects.toMatchObject(refusal('notTroveOwner', { owner: alice.address }));
  expect(await app.database.db.select().from(crsmCalls).where(eq(crsmCalls.action, 'updateCR'))).toEqual([]);
});

test('a reward can be accepted only after its delay', async () => {
  await chain.act(alice, crsm, 'commitDebtGasCompensation', [yuToWei(9)]);
  await chain.mine();
  await expect(idempotentApi().acceptDebtGasCompensation({ crsm, from: from(), params: {} })).rejects.toMatchObject(
    refusal('tooEarly'),
  );
  await chain.client.increaseTime({ seconds: Number(devnetParameters.crsmDelay) });
  await chain.mine();
  expect(await idempotentApi().acceptDebtGasCompensation({ crsm, from: from(), params: {} })).toMatchObject({
    data: expect.anything(),
  });
  await index();
  const [row] = await operator.crsm.many({ ids: [crsm] });
  expect(row).toMatchObject({ pendingDebtGasCompensation: yuToWei(9).toString(), deadline: expect.any(String) });
});

test('every payout requires a receiver in EIP-55', async () => {
  const [original, checksumVariant] = [bob.address.toLowerCase(), `0x${bob.address.slice(2).toUpperCase()}`];
  const wrongChecksum = bob.address.replace(/[a-f]/, (letter) => letter.toUpperCase());
  expect(wrongChecksum).not.toBe(bob.address);
  const receiverInput = (receiverAddress: string) => ({ crsm, from: from(), params: { to: receiverAddress } });
  const paymentInput = (receiverAddress: string) => ({
    ...receiverInput(receiverAddress),
    params: { to: receiverAddress, amount: '1' },
  });
  for (const [receiverAddress, rule] of [
    [original, 'spelling'],
    [checksumVariant, 'spelling'],
    [wrongChecksum, 'checksum'],
  ] as const)
    for (const request of [
      () => idempotentApi().withdrawFromSP(paymentInput(receiverAddress)),
      () => idempotentApi().withdraw(paymentInput(receiverAddress)),
      () => idempotentApi().claimYield(receiverInput(receiverAddress)),
      () => idempotentApi().claimAllCollateralGains(receiverInput(receiverAddress)),
    ])
      await expect(request()).rejects.toMatchObject(field('params.to', rule));
});

test('payouts to protocol contracts are refused, and to the CRSM itself where it cannot use them', async () => {
  const receiverInput = (receiverAddress: string) => ({ crsm, from: from(), params: { to: receiverAddress } });
  const paymentInput = (receiverAddress: string) => ({
    ...receiverInput(receiverAddress),
    params: { to: receiverAddress, amount: '1' },
  });
  const createRequests = (receiverAddress: string) => [
    () => idempotentApi().withdrawFromSP(paymentInput(receiverAddress)),
    () => idempotentApi().withdraw(paymentInput(receiverAddress)),
    () => idempotentApi().claimYield(receiverInput(receiverAddress)),
    () => idempotentApi().claimAllCollateralGains(receiverInput(receiverAddress)),
  ];
  for (const receiverAddress of [at.yu, at.stabilityPool, at.crsmFactory])
    for (const request of createRequests(receiverAddress))
      await expect(request()).rejects.toMatchObject(field('params.to', 'receiver'));
  const [fromPool, withdraw, claim, claimGains] = createRequests(crsm);
  for (const request of [withdraw, claimGains]) await expect(request?.()).rejects.toMatchObject(field('params.to', 'receiver'));
  for (const request of [fromPool, claim]) expect(await request?.()).toMatchObject({ state: 'prepared' });
});

test('the health filter finds the rows that show this health', async () => {
  const [row] = await app.database.db.select().from(crsms);
  if (!row) throw new Error('no CRSM');
  const { MCR, TRGCR } = row;
  const crsmStates = [
    { health: 'fine', icr: TRGCR + 1n },
    { health: 'belowTrigger', icr: TRGCR },
    { health: 'belowMinimum', icr: MCR - 1n },
    { health: 'noDebt', icr: noDebtRatio },
    ...[TRGCR + 1n, TRGCR, MCR - 1n, noDebtRatio].map((icr) => ({ health: 'lost', icr })),
  ] as const;
  const rows = crsmStates.map(({ health, icr }, n) => ({ ...row, id: `0x${n}`, icr, isTrovesOwner: health !== 'lost' }));
  await app.database.db.insert(crsms).values(rows);
  const list = async (filter: object) => (await operator.crsm.list({ ...page, sort: 'createdAt', filter })).rows;
  const idsWithHealth = (health: string) => crsmStates.flatMap((state, n) => (state.health === health ? [`0x${n}`] : []));
  for (const health of crsmHealth) {
    const matchingIds = (await list({ health })).map(({ id }) => id).filter((id) => id !== crsm);
    expect(matchingIds.toSorted(), health).toEqual(idsWithHealth(health));
    for (const listedCrsm of await list({ health })) expect(healthOf(listedCrsm), health).toBe(health);
  }
  await app.database.db.delete(crsms).where(ne(crsms.id, crsm));
});

test('repayment is refused above the trigger, below the target and above the maximum', async () => {
  await chain.price(yuToWei(58_000));
  await chain.mine();
  const repay = (amount: bigint) => idempotentApi().repay({ crsm, from: bob.address, params: { amount: amount.toString() } });
  await expect(repay(yuToWei(1))).rejects.toMatchObject(refusal('belowTarget'));
  await expect(repay(yuToWei(11_000))).rejects.toMatchObject(field('params.amount', 'balance'));
  const requiredAmount = yuToWei(40_300) - (10n ** 18n * yuToWei(58_000)) / percentToWad(180);
  expect(await repay(requiredAmount)).toMatchObject({ functionName: 'repay', to: crsm });
  await index();
  expect((await operator.crsm.list({ ...page, sort: 'distance', filter: { health: 'belowTrigger' } })).rows).toHaveLength(1);
  await chain.price(yuToWei(100_000));
  await chain.mine();
});

test('a person can report a hash only for their own call', async () => {
  const preparedCall = await idempotentApi().claimYield({ crsm, from: from(), params: { to: from() } });
  const hash = `0x${'ab'.repeat(32)}`;
  const { api: otherApi } = await signInAs(app, 'all');
  await expect(otherApi.crsm.sent({ id: preparedCall.id, hash })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(otherApi.crsm.call({ id: preparedCall.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await operator.crsm.sent({ id: preparedCall.id, hash })).toMatchObject({ state: 'sent', hash });
  expect(await operator.crsm.call({ id: preparedCall.id })).toMatchObject({ state: 'sent', hash });
});

test('contract data is read again on request', async () => {
  await chain.deposit(alice, crsm, yuToWei(1));
  await chain.mine();
  const { rows } = await operator.crsm.list({ ...page, sort: 'debt' });
  const [row] = await operator.crsm.updateData({ ids: [crsm, at.yu] });
  expect(BigInt(row?.deposits ?? 0) - BigInt(rows[0]?.deposits ?? 0)).toBe(yuToWei(1));
  expect(await operator.crsm.follower()).toMatchObject({ state: 'ok', price: yuToWei(100_000).toString() });
  app.clock.now += 31_000;
  expect(await operator.crsm.follower()).toMatchObject({ state: 'behind' }); // events are current, figures are old
});

test('the lists are empty with a reason when there are no CRSMs', async () => {
  const { CRSM_FACTORY_ADDRESS: _, CRSM_UTILS_ADDRESS: __, ...env } = buildChainEnv(chain.url);
  const appWithoutCrsm = await createTestApp(env);
  const { api } = await signInAs(appWithoutCrsm, 'operator', { 'idempotency-key': randomUUID() });
  expect(await api.crsm.follower()).toMatchObject({ state: 'off' });
  expect(await api.crsm.list({ ...page, sort: 'icr' })).toMatchObject({ rows: [] });
  await expect(api.crsm.claimYield({ crsm, from: from(), params: { to: from() } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the lists keep their figures and report when the chain does not respond', async () => {
  await chain.stop();
  await expect(idempotentApi().claimYield({ crsm, from: from(), params: { to: from() } })).rejects.toMatchObject(
    refusal('unreachable'),
  );
  await expect(operator.crsm.updateData({ ids: [crsm] })).rejects.toMatchObject(refusal('unreachable'));
  expect(await operator.crsm.follower()).toMatchObject({ state: 'unreachable', price: yuToWei(100_000).toString() });
  expect((await operator.crsm.list({ ...page, sort: 'icr' })).rows).toHaveLength(1);
});
