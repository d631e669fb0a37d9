import fc from 'fast-check';
import { maxUint256, parseEther, zeroAddress, type Address, type HDAccount } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { effectOf, allowedRange, type CrsmState } from '../api/crsm/effects.ts';
import { gasAllowed } from '../api/evm.ts';
import { noDebtRatio, priceAt, ratioOf, ratioOutOfOrder, repayFor } from '../api/crsm/values.ts';
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { crsmFactoryAbi } from './abi/crsm-factory.ts';
import { crsmUtilsAbi } from './abi/crsm-utils.ts';
import { crsmAbi } from './abi/crsm.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { yuAbi } from './abi/yu.ts';
import { devnetAccounts, devnetContracts as at, devnetParameters } from './deploy.ts';
import { inTier } from '../scripts/suite/tier.ts';
import { startTestProtocol } from './test-protocol.ts';

const protocol = await startTestProtocol();
const { chain, send, read, mint, open, troveOf, ybtcOf, yuOf, price, rate, liquidate, nextBlock, later, inOneBlock } = protocol;

const one = parseEther('1');
const yu = (amount: number) => parseEther(String(amount));
const percent = (value: number) => BigInt(value) * 10n ** 16n;
const { deployer, borrower, operators } = devnetAccounts;
const [alice, bob, carol, dave] = operators as [HDAccount, HDAccount, HDAccount, HDAccount];
const ratios = [percent(130), percent(150), percent(160)] as const;
const reward = yu(10);
const leastDebt = devnetParameters.minNetDebt + yu(200);

// No interest by default, for exact results.
beforeEach(() => rate(0n));

const onFactory = (account: HDAccount, functionName: string, ...args: unknown[]) =>
  send(account, { address: at.crsmFactory, abi: crsmFactoryAbi, functionName, args });
const on = (account: HDAccount, address: Address, functionName: string, ...args: unknown[]) =>
  send(account, { address, abi: crsmAbi, functionName, args });
const of = <T = bigint>(address: Address, functionName: string, ...args: unknown[]) =>
  read<T>(address, crsmAbi, functionName, args);
const ofFactory = <T = bigint>(functionName: string, ...args: unknown[]) =>
  read<T>(at.crsmFactory, crsmFactoryAbi, functionName, args);
const approve = (account: HDAccount, amount: bigint) =>
  send(account, { address: at.yu, abi: yuAbi, functionName: 'approve', args: [at.crsmFactory, amount] });
const sendYu = (account: HDAccount, to: Address, amount: bigint) =>
  send(account, { address: at.yu, abi: yuAbi, functionName: 'transfer', args: [to, amount] });
const parametersOf = (id: bigint, [trigger, target, most] = ratios as readonly bigint[], amount = 0n) =>
  [at.troveManager, id, trigger, target, most, reward, amount] as const;

async function create(account: HDAccount, id: bigint, amount = 0n): Promise<Address> {
  if (amount > 0n) await approve(account, amount);
  await onFactory(account, 'createNewCRSM', ...parametersOf(id, ratios, amount));
  await nextBlock(); // estimates use the deposit's block
  const count = await ofFactory('totalSupply');
  const tokenId = await ofFactory('tokenByIndex', count - 1n);
  return ofFactory<Address>('crsms', tokenId);
}
/** 200 %, in a system with enough collateral. */
async function kept(amount = 0n) {
  await open(borrower, 40n * one, yu(100_000));
  const { id } = await open(alice, one, yu(49_800));
  return { id, crsm: await create(alice, id, amount) };
}

interface Read {
  crsm: Address;
  price: bigint;
  ICR: bigint;
  crsmState: {
    troveManager: Address;
    owner: Address;
    troveId: bigint;
    tokenId: bigint;
    TRGCR: bigint;
    TARCR: bigint;
    MAX_TARCR: bigint;
    DEBT_GAS_COMPENSATION: bigint;
    deposits: bigint;
    yieldGains: bigint;
    debtTokenBalance: bigint;
    collateralTokens: Address[];
    collateralGains: bigint[];
  };
  trove: { debt: bigint; coll: bigint; stake: bigint; interest: bigint };
}
const page = (start: bigint, end: bigint) => read<[Read[], bigint]>(at.crsmUtils, crsmUtilsAbi, 'getCRSM', [start, end]);
const pageOf = (owner: HDAccount, start: bigint, end: bigint) =>
  read<[Read[], bigint]>(at.crsmUtils, crsmUtilsAbi, 'getCRSMByOwner', [owner.address, start, end]);
async function stateOf(crsm: Address): Promise<CrsmState> {
  const [all] = await page(0n, 100n);
  const found = all.find((each) => each.crsm === crsm);
  if (!found) throw new Error(`${crsm} is not listed`);
  const { trove, crsmState: own } = found;
  return {
    id: crsm,
    collateral: trove.coll,
    debt: trove.debt,
    interest: trove.interest,
    price: found.price,
    MCR: devnetParameters.MCR,
    TRGCR: own.TRGCR,
    TARCR: own.TARCR,
    MAX_TARCR: own.MAX_TARCR,
    debtGasCompensation: own.DEBT_GAS_COMPENSATION,
    pendingDebtGasCompensation: await of(crsm, 'pendingDebtGasCompensation'),
    deposits: own.deposits,
    yieldGains: own.yieldGains,
    debtTokenBalance: own.debtTokenBalance,
    minDebt: leastDebt,
    balance: await yuOf(alice.address),
    allowance: null,
  };
}
const deposited = async (crsm: Address) => (await stateOf(crsm)).deposits;

test('only the owner of a trove can create its CRSM, with ratios in order', async () => {
  const { id } = await open(alice, one, yu(40_000));
  const make = (account: HDAccount, ...args: readonly unknown[]) => onFactory(account, 'createNewCRSM', ...args);
  await expect(make(alice, at.yu, ...parametersOf(id).slice(1))).rejects.toThrow(/CRSMFactory: nonexistent TM/);
  await expect(make(bob, ...parametersOf(id))).rejects.toThrow(/CRSMFactory: not trove owner/);
  await expect(make(alice, ...parametersOf(99n))).rejects.toThrow(/ERC721NonexistentToken|0x7e273289/);
  const MCR = devnetParameters.MCR;
  for (const wrong of [
    [MCR, percent(150), percent(160)],
    [percent(130), percent(130), percent(160)],
    [percent(130), percent(150), percent(150) - 1n],
  ] as const)
    await expect(make(alice, ...parametersOf(id, wrong))).rejects.toThrow(/CRSM: MCR < TRGCR < TARCR <= MAX_TARCR/);
  await make(alice, ...parametersOf(id, [MCR + 1n, MCR + 2n, MCR + 2n]));
  expect(await ofFactory('totalSupply')).toBe(1n);
});

test('a new CRSM is a token of its owner with the given values and an event', async () => {
  const { id } = await open(alice, one, yu(40_000));
  await approve(alice, yu(500));
  const { number } = await onFactory(alice, 'createNewCRSM', ...parametersOf(id, ratios, yu(500)));
  const crsm = await ofFactory<Address>('crsms', 0n);
  expect(await ofFactory('ownerOf', 0n)).toBe(alice.address);
  expect(await of(crsm, 'owner')).toBe(alice.address);
  const events = { address: at.crsmFactory, abi: crsmFactoryAbi, fromBlock: number } as const;
  const [made] = await chain.client.getContractEvents({ ...events, eventName: 'NewCRSMDeployment' });
  expect(made?.args).toEqual({ troveManager: at.troveManager, troveId: id, tokenId: 0n, crsm });
  const [paid] = await chain.client.getContractEvents({ ...events, eventName: 'Deposited' });
  expect(paid?.args).toEqual({ from: alice.address, crsm, amount: yu(500) });
  expect(await of(crsm, 'getState')).toEqual({
    troveManager: at.troveManager,
    owner: alice.address,
    troveId: id,
    tokenId: 0n,
    TRGCR: ratios[0],
    TARCR: ratios[1],
    MAX_TARCR: ratios[2],
    DEBT_GAS_COMPENSATION: reward,
    deposits: yu(500),
    yieldGains: 0n,
    debtTokenBalance: 0n,
    collateralTokens: [at.ybtc],
    collateralGains: [0n],
  });
});

test('anyone can deposit into a CRSM with an allowance to the factory', async () => {
  const { crsm } = await kept();
  await expect(onFactory(alice, 'deposit', crsm, yu(100))).rejects.toThrow(/0xfb8f41b2/); // ERC20InsufficientAllowance
  await approve(alice, yu(99));
  await expect(onFactory(alice, 'deposit', crsm, yu(100))).rejects.toThrow(/0xfb8f41b2/);
  await onFactory(alice, 'deposit', crsm, yu(99));
  await approve(borrower, yu(1));
  await onFactory(borrower, 'deposit', crsm, yu(1));
  expect(await deposited(crsm)).toBe(yu(100));
  await approve(bob, yu(5));
  await expect(onFactory(bob, 'deposit', crsm, yu(5))).rejects.toThrow(/0xe450d38c/); // ERC20InsufficientBalance
  await expect(onFactory(alice, 'deposit', crsm, 0n)).rejects.toThrow(/SP: Amount must be non-zero/);
  await expect(onFactory(alice, 'deposit', bob.address, 1n)).rejects.toThrow(/CRSMFactory: nonexistent CRSM/);
  const { id } = await open(bob, one, yu(40_000));
  await approve(bob, yu(4));
  await expect(onFactory(bob, 'createNewCRSM', ...parametersOf(id, ratios, yu(5)))).rejects.toThrow(/0xfb8f41b2/);
});

test('only the factory can initialize a CRSM, and only a CRSM can burn its token', async () => {
  const { crsm } = await kept();
  await expect(on(alice, crsm, 'setParameters', ...parametersOf(0n))).rejects.toThrow(/CRSM: not the factory/);
  await expect(onFactory(alice, 'burn', 0n)).rejects.toThrow(/CRSMFactory: not the CRSM/);
  await expect(onFactory(alice, 'setCRSMImpl', crsm)).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await onFactory(deployer, 'setCRSMImpl', at.crsm);
});

test('a trove can have a second CRSM', async () => {
  const { id, crsm } = await kept();
  expect(await create(alice, id)).not.toBe(crsm);
});

test('only the token’s owner can control a CRSM', async () => {
  const { crsm } = await kept(yu(1000));
  const steering: [string, ...unknown[]][] = [
    ['withdrawFromSP', bob.address, 1n],
    ['claimYield', bob.address],
    ['claimAllCollateralGains', bob.address],
    ['updateCR', ...ratios],
    ['commitDebtGasCompensation', 1n],
    ['acceptDebtGasCompensation'],
    ['withdraw', at.yu, bob.address, 0n],
    ['destroy', bob.address],
  ];
  for (const [name, ...args] of steering)
    await expect(on(bob, crsm, name, ...args), name).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await expect(on(bob, crsm, 'provideToSP', 1n)).rejects.toThrow(/neither factory nor owner/);
  for (const [name, ...args] of [['transferOwnership', bob.address], ['renounceOwnership']] as const)
    await expect(on(alice, crsm, name, ...args)).rejects.toThrow(/CRSM: transfer the token/);

  await onFactory(alice, 'transferFrom', alice.address, bob.address, 0n);
  expect(await of(crsm, 'owner')).toBe(bob.address);
  await expect(on(alice, crsm, 'updateCR', ...ratios)).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await on(bob, crsm, 'updateCR', ...ratios);
  expect((await pageOf(alice, 0n, 9n))[1]).toBe(0n);
  expect((await pageOf(bob, 0n, 9n))[0][0]?.crsmState.owner).toBe(bob.address);
});

test('a pool withdrawal pays the named receiver at most the deposit, and not in the deposit’s block', async () => {
  const { crsm } = await kept(yu(1000));
  const { number } = await on(alice, crsm, 'withdrawFromSP', dave.address, yu(300));
  expect(await yuOf(dave.address)).toBe(yu(300));
  expect(await deposited(crsm)).toBe(yu(700));
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'Withdrawn',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ token: at.yu, to: dave.address, amount: yu(300) });

  await approve(alice, yu(50));
  const statuses = await inOneBlock(alice, [
    { address: at.crsmFactory, abi: crsmFactoryAbi, functionName: 'deposit', args: [crsm, yu(50)] },
    { address: crsm, abi: crsmAbi, functionName: 'withdrawFromSP', args: [dave.address, 1n] },
    { address: crsm, abi: crsmAbi, functionName: 'claimAllCollateralGains', args: [dave.address] },
  ]);
  expect(statuses).toEqual(['success', 'reverted', 'reverted']);
  expect(await deposited(crsm)).toBe(yu(750));

  await nextBlock();
  await on(alice, crsm, 'withdrawFromSP', dave.address, maxUint256);
  expect(await yuOf(dave.address)).toBe(yu(1050)); // clamped to the deposit
  await expect(on(alice, crsm, 'withdrawFromSP', dave.address, 1n)).rejects.toThrow(/non-zero deposit/);
});

test('a pool withdrawal leaves idle YU and yield unchanged', async () => {
  const { crsm } = await kept(yu(1000));
  await sendYu(borrower, crsm, yu(70));
  await rate(percent(4));
  await later(30n * 86_400n);
  const { yieldGains } = await stateOf(crsm);
  await on(alice, crsm, 'withdrawFromSP', dave.address, yu(1000));
  expect(await yuOf(dave.address)).toBe(yu(1000));
  const after = await stateOf(crsm);
  expect(after.debtTokenBalance).toBe(yu(70));
  expect(yieldGains > yu(100) && after.yieldGains >= yieldGains).toBe(true);
});

test('claiming pays exactly the yield that the reader shows', async () => {
  const { crsm } = await kept(yu(1000));
  await rate(percent(4));
  await later(30n * 86_400n);
  const shown = (await stateOf(crsm)).yieldGains;
  // The only depositor earns everything: 80 % of 4 % a year on all principal.
  const principal = yu(100_200 + 50_000);
  const expected = (principal * 4n * 30n * 80n) / 365n / 10_000n;
  expect(shown > expected - yu(1) && shown < expected + yu(1), `${shown} of ${expected}`).toBe(true);
  await on(alice, crsm, 'claimYield', dave.address);
  expect((await yuOf(dave.address)) >= shown).toBe(true);
  await rate(0n);
  expect((await stateOf(crsm)).yieldGains < yu(1)).toBe(true);
  expect(await deposited(crsm)).toBe(yu(1000));
});

test('a call succeeds with the allowed gas although due interest needs more than the estimate', async () => {
  const { crsm } = await kept(yu(1000));
  await sendYu(borrower, crsm, yu(50));
  await rate(percent(4));
  const { timestamp } = await chain.client.getBlock();
  await chain.client.setNextBlockTimestamp({ timestamp }); // no interest is due in the block of the estimate
  const calls = [
    ['claimYield', dave.address],
    ['withdrawFromSP', dave.address, yu(10)],
    ['provideToSP', yu(10)],
    ['claimAllCollateralGains', dave.address],
    ['withdraw', at.yu, dave.address, yu(10)],
    ['destroy', dave.address],
  ] as const;
  const takenNow: bigint[] = [];
  for (const [functionName, ...args] of calls) {
    const call = { account: alice, address: crsm, abi: crsmAbi, functionName, args };
    takenNow.push(await chain.client.estimateContractGas(call as never));
  }
  await nextBlock();
  await later(30n * 86_400n);
  const goThrough = async (allowed: (taken: bigint) => bigint) => {
    const names: string[] = [];
    for (const [index, [functionName, ...args]] of calls.entries()) {
      const before = await chain.client.snapshot();
      const gas = allowed(takenNow[index] ?? 0n);
      const hash = await chain.as(alice).writeContract({ address: crsm, abi: crsmAbi, functionName, args, gas } as never);
      if ((await chain.client.waitForTransactionReceipt({ hash })).status === 'success') names.push(functionName);
      await chain.client.revert({ id: before });
    }
    return names;
  };
  expect(await goThrough((taken) => taken)).toEqual(['claimAllCollateralGains', 'withdraw']);
  expect(await goThrough(gasAllowed)).toEqual(calls.map(([name]) => name));
});

test('collateral gains of a liquidation are paid to the named receiver by token', async () => {
  await open(borrower, 40n * one, yu(100_000));
  const { id } = await open(alice, 10n * one, yu(400_000));
  const crsm = await create(alice, id, yu(100_000));
  const { id: low } = await open(bob, one, yu(59_800));
  await price(yu(65_000));
  await liquidate(carol, low);
  const seized = (yu(60_000) * percent(105)) / yu(65_000);
  const state = (await page(0n, 1n))[0][0]?.crsmState;
  expect(state?.collateralTokens).toEqual([at.ybtc]);
  expect(state?.collateralGains).toHaveLength(1);
  const [gain = 0n] = state?.collateralGains ?? [];
  expect(gain <= seized && seized - gain < 10n ** 6n, `${gain} of ${seized}`).toBe(true);
  expect(await deposited(crsm)).toBe(yu(40_000));
  await nextBlock();
  await on(alice, crsm, 'claimAllCollateralGains', dave.address);
  expect(await ybtcOf(dave.address)).toBe(gain);
  expect((await page(0n, 1n))[0][0]?.crsmState.collateralGains).toEqual([0n]);
});

test('idle YU can be withdrawn, and no more than that', async () => {
  const { crsm } = await kept(yu(1000));
  await sendYu(borrower, crsm, yu(70));
  await mint(borrower, one);
  await send(borrower, { address: at.ybtc, abi: ybtcAbi, functionName: 'transfer', args: [crsm, 5n] });
  await expect(on(alice, crsm, 'withdraw', at.yu, dave.address, yu(71))).rejects.toThrow(/0xe450d38c/);
  const { number } = await on(alice, crsm, 'withdraw', at.yu, dave.address, yu(70));
  await on(alice, crsm, 'withdraw', at.ybtc, dave.address, 5n);
  expect([await yuOf(dave.address), await ybtcOf(dave.address)]).toEqual([yu(70), 5n]);
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'Withdrawn',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ token: at.yu, to: dave.address, amount: yu(70) });
  expect(await deposited(crsm)).toBe(yu(1000));
});

test('the owner can deposit idle YU into the pool', async () => {
  const { crsm } = await kept();
  await sendYu(borrower, crsm, yu(70));
  await on(alice, crsm, 'provideToSP', yu(70));
  const { deposits, debtTokenBalance } = await stateOf(crsm);
  expect([deposits, debtTokenBalance]).toEqual([yu(70), 0n]);
});

test('a CRSM refuses ratios out of the order MCR < TRGCR < TARCR <= MAX_TARCR', async () => {
  const { crsm } = await kept();
  const near = fc.integer({ min: 0, max: 4 }).map((steps) => devnetParameters.MCR + BigInt(steps));
  await fc.assert(
    fc.asyncProperty(near, near, near, async (TRGCR, TARCR, MAX_TARCR) => {
      const call = chain.client.simulateContract({
        address: crsm,
        abi: crsmAbi,
        functionName: 'updateCR',
        args: [TRGCR, TARCR, MAX_TARCR],
        account: alice,
      });
      const wrong = ratioOutOfOrder({ MCR: devnetParameters.MCR, TRGCR, TARCR, MAX_TARCR });
      if (wrong) await expect(call).rejects.toThrow(/CRSM: MCR < TRGCR < TARCR <= MAX_TARCR/);
      else await call;
    }),
    { numRuns: 60, seed: 20_261_121 },
  );
  const { number } = await on(alice, crsm, 'updateCR', percent(125), percent(140), percent(140));
  const { TRGCR, TARCR, MAX_TARCR } = await stateOf(crsm);
  expect([TRGCR, TARCR, MAX_TARCR]).toEqual([percent(125), percent(140), percent(140)]);
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'CRUpdated',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ TRGCR, TARCR, MAX_TARCR });
});

test('a committed reward can be accepted once, after its delay', async () => {
  const { crsm } = await kept();
  const delay = await of(crsm, 'DEBT_GAS_COMPENSATION_DELAY');
  expect(delay).toBe(devnetParameters.crsmDelay);
  await expect(on(alice, crsm, 'acceptDebtGasCompensation')).rejects.toThrow(/No debt gas compensation committed/);
  const { timestamp } = await on(alice, crsm, 'commitDebtGasCompensation', yu(20));
  expect(await of(crsm, 'deadline')).toBe(timestamp + delay);
  expect(await of(crsm, 'pendingDebtGasCompensation')).toBe(yu(20));
  expect(await of(crsm, 'DEBT_GAS_COMPENSATION')).toBe(reward);

  const accept = { address: crsm, abi: crsmAbi, functionName: 'acceptDebtGasCompensation', args: [] };
  await expect(send(alice, accept)).rejects.toThrow(/Deadline not passed/);
  // The last second too early, and the first allowed.
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + delay - 1n });
  expect(await inOneBlock(alice, [accept])).toEqual(['reverted']);
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + delay });
  expect(await inOneBlock(alice, [accept])).toEqual(['success']);
  expect(await of(crsm, 'DEBT_GAS_COMPENSATION')).toBe(yu(20));
  expect([await of(crsm, 'deadline'), await of(crsm, 'pendingDebtGasCompensation')]).toEqual([0n, 0n]);
  await expect(on(alice, crsm, 'acceptDebtGasCompensation')).rejects.toThrow(/No debt gas compensation committed/);

  await on(alice, crsm, 'commitDebtGasCompensation', yu(30));
  await later(delay - 10n);
  const again = await on(alice, crsm, 'commitDebtGasCompensation', 0n);
  expect(await of(crsm, 'deadline')).toBe(again.timestamp + delay);
  await later(delay);
  await on(alice, crsm, 'acceptDebtGasCompensation');
  expect(await of(crsm, 'DEBT_GAS_COMPENSATION')).toBe(0n);
});

test('repayment is refused above the trigger', async () => {
  const { crsm } = await kept(yu(30_000));
  await expect(on(carol, crsm, 'repay', yu(1000))).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
  await price(yu(65_001));
  await expect(on(carol, crsm, 'repay', yu(1000))).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
  await price(yu(65_000)); // 50,000 of debt at 130 %
  await on(carol, crsm, 'repay', repayFor(ratios[1], one, yu(50_000), yu(65_000)));
});

test('a repayment reaches the target, stays below the maximum and rewards the caller', async () => {
  const { id, crsm } = await kept(yu(30_000));
  await price(yu(60_000));
  const min = repayFor(percent(150), one, yu(50_000), yu(60_000));
  const max = yu(50_000) - (yu(60_000) * one) / percent(160); // leaves 37,500
  expect([min, max]).toEqual([yu(10_000), yu(12_500)]);
  await expect(on(carol, crsm, 'repay', min - 1n)).rejects.toThrow(/CRSM: ICR must reach TARCR/);
  await expect(on(carol, crsm, 'repay', max + 10n ** 6n)).rejects.toThrow(/CRSM: ICR must not pass MAX_TARCR/);
  await expect(on(carol, crsm, 'repay', yu(47_801))).rejects.toThrow(/CRSM: Too much debt to repay/);
  await expect(on(carol, crsm, 'repay', maxUint256)).rejects.toThrow(/CRSM: Too much debt to repay/);
  const { number } = await on(carol, crsm, 'repay', max);
  expect(await yuOf(carol.address)).toBe(reward);
  expect(await troveOf(id)).toMatchObject({ debt: yu(37_500), interest: 0n });
  expect(await deposited(crsm)).toBe(yu(30_000 - 12_500) - reward);
  const [event] = await chain.client.getContractEvents({ address: crsm, abi: crsmAbi, eventName: 'Repay', fromBlock: number });
  expect(event?.args).toEqual({ troveManager: at.troveManager, troveId: id, amount: max });
  await expect(on(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
});

test('a repayment needs funds for amount and reward, and may miss the target only if it spends everything', async () => {
  const { id, crsm } = await kept(yu(5000));
  await price(yu(55_000));
  await expect(on(carol, crsm, 'repay', yu(5000) - reward + 1n)).rejects.toThrow(/CRSM: Insufficient deposits/);
  await expect(on(carol, crsm, 'repay', yu(4989))).rejects.toThrow(/CRSM: ICR must reach TARCR/); // a whole YU left
  await on(carol, crsm, 'repay', yu(4990));
  expect((await troveOf(id)).debt).toBe(yu(45_010));
  expect(await deposited(crsm)).toBe(0n);
  await expect(on(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: Insufficient deposits/);
});

test('all funds that the reader shows can be spent while yield grows', async () => {
  const { id, crsm } = await kept(yu(5000));
  await rate(percent(4));
  await later(90n * 86_400n);
  await price(yu(60_000));
  const { max = 0n, limit } = allowedRange('repay', 'amount', await stateOf(crsm)) ?? {};
  expect(limit).toBe('funds');
  await later(60n);
  await on(carol, crsm, 'repay', max);
  expect((await troveOf(id)).debt < yu(50_000) - yu(4990)).toBe(true);
  expect(await deposited(crsm)).toBeLessThan(yu(1));
});

test('a repayment spends idle YU first, then the yield, then the deposit', async () => {
  const { crsm } = await kept(yu(20_000));
  await rate(percent(4));
  await later(30n * 86_400n);
  await rate(0n);
  const min = repayFor(percent(150), one, yu(50_000) + (await troveOf(1n)).interest, yu(60_000));
  await sendYu(borrower, crsm, min + reward - yu(100));
  await price(yu(60_000));
  const before = await stateOf(crsm);
  expect(before.yieldGains > yu(300)).toBe(true);

  const restore = await chain.client.snapshot();
  await on(carol, crsm, 'repay', min);
  const some = await stateOf(crsm);
  expect([some.deposits, some.yieldGains]).toEqual([before.deposits, 0n]);
  expect(some.debtTokenBalance).toBe(before.yieldGains - yu(100));
  await chain.client.revert({ id: restore });

  await on(alice, crsm, 'withdraw', at.yu, dave.address, yu(1000));
  await on(carol, crsm, 'repay', min);
  const all = await stateOf(crsm);
  expect([all.debtTokenBalance, all.yieldGains]).toEqual([0n, 0n]);
  expect(all.deposits).toBe(before.deposits - (yu(1100) - before.yieldGains));
});

test('a repayment keeps the trove’s minimum debt, paying principal before interest', async () => {
  await open(borrower, 40n * one, yu(100_000));
  const { id } = await open(alice, one / 20n, yu(2300)); // 2,500 of debt, 300 above the minimum
  const crsm = await create(alice, id);
  await on(alice, crsm, 'updateCR', percent(111), percent(120), percent(130));
  await sendYu(borrower, crsm, yu(1000));
  await rate(percent(4));
  await later(365n * 86_400n);
  await rate(0n);
  await price(yu(53_500));
  const { interest } = await troveOf(id);
  const entire = yu(2500) + interest;
  expect(ratioOf(one / 20n, entire, yu(53_500)) <= percent(111)).toBe(true);
  await expect(on(carol, crsm, 'repay', entire - leastDebt + 1n)).rejects.toThrow(/CRSM: Too much debt to repay/);
  await on(carol, crsm, 'repay', entire - leastDebt);
  expect(await troveOf(id)).toMatchObject({ debt: leastDebt, interest: 0n });
});

test('repayment is refused for a closed trove, and the lists still work', async () => {
  const { id, crsm } = await kept();
  await sendYu(borrower, alice.address, yu(1000));
  await send(alice, {
    address: at.borrowerOperations,
    abi: borrowerOperationsAbi,
    functionName: 'closeTrove',
    args: [at.troveManager, id, alice.address],
  });
  await expect(on(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: Too much debt to repay/);
  const [states, count] = await page(0n, 10n);
  expect([count, states[0]?.crsm, states[0]?.ICR, states[0]?.trove.coll]).toEqual([1n, crsm, noDebtRatio, 0n]);
});

test('a keeper can repay for several CRSMs and send the rewards to a receiver', async () => {
  await open(borrower, 40n * one, yu(100_000));
  const crsms: Address[] = [];
  for (const account of [alice, bob]) {
    const { id } = await open(account, one, yu(49_800));
    crsms.push(await create(account, id, yu(20_000)));
  }
  await price(yu(60_000));
  const repay = (amounts: bigint[]) =>
    send(carol, { address: at.crsmUtils, abi: crsmUtilsAbi, functionName: 'repay', args: [crsms, amounts, dave.address] });
  await expect(repay([yu(11_000), yu(1)])).rejects.toThrow(/CRSM: ICR must reach TARCR/); // all or none
  await repay([yu(11_000), yu(12_000)]);
  expect(await yuOf(dave.address)).toBe(2n * reward);
  expect([await deposited(crsms[0] ?? zeroAddress), await deposited(crsms[1] ?? zeroAddress)]).toEqual([yu(8990), yu(7990)]);
});

test('destroying a CRSM pays out everything and removes it from the lists', async () => {
  const { id, crsm } = await kept(yu(1000));
  const other = await create(alice, id);
  await sendYu(borrower, crsm, yu(70));
  await rate(percent(4));
  await later(30n * 86_400n);
  const { yieldGains } = await stateOf(crsm);
  expect(yieldGains > yu(100)).toBe(true);
  await on(alice, crsm, 'destroy', dave.address);
  const paid = (await yuOf(dave.address)) - yu(1070) - yieldGains;
  expect(paid >= 0n && paid < yu(1), `${paid}`).toBe(true);
  const [states, count] = await page(0n, 10n);
  expect([count, states.map((state) => state.crsm)]).toEqual([1n, [other]]);
  expect(await ofFactory('crsms', 0n)).toBe(zeroAddress);
  await approve(alice, yu(5));
  await expect(onFactory(alice, 'deposit', crsm, yu(5))).rejects.toThrow(/CRSMFactory: nonexistent CRSM/);
  await expect(on(alice, crsm, 'updateCR', ...ratios)).rejects.toThrow(/ERC721NonexistentToken|0x7e273289/);
});

test('list pages return the requested CRSMs and the total count', async () => {
  await open(borrower, 40n * one, yu(100_000));
  const made: Address[] = [];
  for (const account of [alice, bob, alice, bob, alice]) {
    const { id } = await open(account, one, yu(20_000 + made.length));
    made.push(await create(account, id));
  }
  const crsmsOf = ([states, count]: [Read[], bigint]) => [states.map(({ crsm }) => crsm), count];
  expect(crsmsOf(await page(0n, 2n))).toEqual([made.slice(0, 2), 5n]);
  expect(crsmsOf(await page(3n, 99n))).toEqual([made.slice(3), 5n]);
  expect(crsmsOf(await page(5n, 9n))).toEqual([[], 5n]);
  expect(crsmsOf(await page(3n, 2n))).toEqual([[], 5n]);
  expect(crsmsOf(await pageOf(alice, 1n, 9n))).toEqual([[made[2], made[4]], 3n]);
  expect(crsmsOf(await pageOf(bob, 0n, 1n))).toEqual([[made[1]], 2n]);
  expect(crsmsOf(await pageOf(carol, 0n, 9n))).toEqual([[], 0n]);
  const [states] = await page(0n, 5n);
  for (const { trove, crsmState, ICR, price: at_ } of states) {
    expect(trove).toEqual(await troveOf(crsmState.troveId));
    expect(ICR).toBe(ratioOf(trove.coll, trove.debt + trove.interest, at_));
  }
});

test('chain and formulas agree to the wei for random troves, ratios, funds and prices', async () => {
  await open(borrower, 400n * one, yu(2_000_000));
  const seen = { repaid: 0, refused: 0, funds: 0, ratio: 0 };
  const figures = fc.record({
    debt: fc.bigInt({ min: yu(3000), max: yu(60_000) }),
    health: fc.bigInt({ min: percent(170), max: percent(300) }),
    trigger: fc.bigInt({ min: percent(111), max: percent(160) }),
    target: fc.bigInt({ min: 1n, max: percent(30) }),
    span: fc.bigInt({ min: 0n, max: percent(20) }),
    fall: fc.bigInt({ min: percent(80), max: percent(104) }),
    amount: fc.bigInt({ min: 1n, max: yu(20_000) }),
    idle: fc.bigInt({ min: 0n, max: yu(3000) }),
    earning: fc.boolean(),
    place: fc.bigInt({ min: 0n, max: one }),
  });
  await fc.assert(
    fc.asyncProperty(figures, async ({ debt, health, trigger, target, span, fall, amount, idle, earning, place }) => {
      const start = await chain.client.snapshot();
      const collateral = ((debt + yu(200)) * health) / devnetParameters.price;
      const { id } = await open(alice, collateral, debt);
      await sendYu(borrower, alice.address, amount);
      const crsm = await create(alice, id, amount);
      await on(alice, crsm, 'updateCR', trigger, trigger + target, trigger + target + span);
      if (idle > 0n) await sendYu(borrower, crsm, idle);
      if (earning) {
        await rate(percent(4));
        await later(10n * 86_400n);
        await rate(0n);
      }
      // The first price without repayment, or one close to it.
      const before = await stateOf(crsm);
      const owed = before.debt + before.interest;
      const triggerPrice = priceAt(trigger, collateral, owed);
      await price(triggerPrice + 1n);
      await expectRefused(crsm, repayFor(trigger + target, collateral, owed, triggerPrice + 1n), collateral, owed, trigger);
      await price((triggerPrice * fall) / one);

      const state = await stateOf(crsm);
      const listed = (await page(0n, 1n))[0][0];
      expect(listed?.ICR).toBe(ratioOf(collateral, owed, state.price));
      const { min, max, limit } = allowedRange('repay', 'amount', state) ?? { min: 0n, max: 0n, limit: null };
      const repay = (sum: bigint) =>
        chain.client.simulateContract({ address: crsm, abi: crsmAbi, functionName: 'repay', args: [sum], account: carol }).then(
          () => true,
          () => false,
        );
      if (min > max) {
        seen.refused++;
        for (const sum of [1n, repayFor(state.TARCR, collateral, owed, state.price), owed])
          expect(await repay(sum), `repaid ${sum}, limit ${limit}`).toBe(false);
      } else {
        seen.repaid++;
        if (limit === 'funds') seen.funds++;
        if (limit === 'ratio') seen.ratio++;
        expect([await repay(min - 1n), await repay(min), await repay(max), await repay(max + 1n)], limit ?? '').toEqual([
          false,
          true,
          true,
          false,
        ]);
        const sum = min + ((max - min) * place) / one;
        const effect = effectOf('repay', state, { amount: sum });
        await on(carol, crsm, 'repay', sum);
        const after = await stateOf(crsm);
        expect({
          deposits: after.deposits,
          idle: after.debtTokenBalance,
          yieldGains: after.yieldGains,
          debt: after.debt + after.interest,
          icr: (await page(0n, 1n))[0][0]?.ICR,
        }).toEqual({
          deposits: effect.deposits.after,
          idle: effect.idle.after,
          yieldGains: effect.yieldGains.after,
          debt: effect.debt.after,
          icr: effect.icr.after,
        });
      }
      await chain.client.revert({ id: start });
    }),
    { numRuns: inTier(20, 40), seed: 20_261_121 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 240_000);

/** One unit above the trigger price, the ratio may still round down to the trigger. */
async function expectRefused(crsm: Address, sum: bigint, collateral: bigint, owed: bigint, trigger: bigint) {
  const { price: now } = await stateOf(crsm);
  if (ratioOf(collateral, owed, now) <= trigger) return;
  await expect(
    chain.client.simulateContract({ address: crsm, abi: crsmAbi, functionName: 'repay', args: [sum], account: carol }),
  ).rejects.toThrow(/CRSM: ICR must be below TRGCR|CRSM: Too much debt/);
}

test('every other action has the computed effect on chain', async () => {
  const { crsm } = await kept(yu(1000));
  await sendYu(borrower, crsm, yu(70));
  await approve(alice, yu(100));
  const check = async (effect: ReturnType<typeof effectOf>) => {
    const after = await stateOf(crsm);
    expect([after.deposits, after.debtTokenBalance, after.debtGasCompensation, after.pendingDebtGasCompensation]).toEqual([
      effect.deposits.after,
      effect.idle.after,
      effect.debtGasCompensation.after,
      effect.pendingDebtGasCompensation.after,
    ]);
    expect(priceAt(after.TRGCR, after.collateral, after.debt)).toBe(effect.triggerPrice.after);
  };
  let effect = effectOf('deposit', await stateOf(crsm), { amount: yu(100) });
  await onFactory(alice, 'deposit', crsm, yu(100));
  await check(effect);
  await nextBlock();
  for (const to of [dave.address, crsm]) {
    effect = effectOf('withdrawFromSP', await stateOf(crsm), { to, amount: yu(40) });
    await on(alice, crsm, 'withdrawFromSP', to, yu(40));
    await check(effect);
    effect = effectOf('withdraw', await stateOf(crsm), { to, amount: yu(20) });
    await on(alice, crsm, 'withdraw', at.yu, to, yu(20));
    await check(effect);
    effect = effectOf('claimYield', await stateOf(crsm), { to });
    await on(alice, crsm, 'claimYield', to);
    await check(effect);
  }
  const [TRGCR, TARCR, MAX_TARCR] = [percent(120), percent(140), percent(180)];
  effect = effectOf('updateCR', await stateOf(crsm), { TRGCR, TARCR, MAX_TARCR });
  await on(alice, crsm, 'updateCR', TRGCR, TARCR, MAX_TARCR);
  await check(effect);
  effect = effectOf('commitDebtGasCompensation', await stateOf(crsm), { debtGasCompensation: yu(3) });
  await on(alice, crsm, 'commitDebtGasCompensation', yu(3));
  await check(effect);
  await later(devnetParameters.crsmDelay);
  effect = effectOf('acceptDebtGasCompensation', await stateOf(crsm), {});
  await on(alice, crsm, 'acceptDebtGasCompensation');
  await check(effect);
  effect = effectOf('withdrawFromSP', await stateOf(crsm), { to: dave.address, amount: maxUint256 });
  await on(alice, crsm, 'withdrawFromSP', dave.address, maxUint256);
  await check(effect);
});
