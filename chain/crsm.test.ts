import fc from 'fast-check';
import { maxUint256, parseEther, zeroAddress, type Address, type HDAccount } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { computeEffect, computeAllowedRange, type CrsmState } from '../api/crsm/effects.ts';
import { computeGasLimit } from '../api/evm.ts';
import { noDebtRatio, priceAt, ratioOf, findRatioOutOfOrder, repayFor } from '../api/crsm/values.ts';
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
const {
  chain,
  send,
  read,
  mint,
  open: openTrove,
  troveOf,
  ybtcOf,
  yuOf,
  price: setPrice,
  rate: setInterestRate,
  liquidate,
  nextBlock: mineBlock,
  later: advanceTime,
  inOneBlock: sendInOneBlock,
} = protocol;

const wad = parseEther('1');
const yuToWei = (amount: number) => parseEther(String(amount));
const percentToWad = (value: number) => BigInt(value) * 10n ** 16n;
const { deployer, borrower, operators } = devnetAccounts;
const [alice, bob, carol, dave] = operators as [HDAccount, HDAccount, HDAccount, HDAccount];
const ratios = [percentToWad(130), percentToWad(150), percentToWad(160)] as const;
const reward = yuToWei(10);
const minDebt = devnetParameters.minNetDebt + yuToWei(200);

// No interest by default, for exact results.
beforeEach(() => setInterestRate(0n));

const sendToFactory = (account: HDAccount, functionName: string, ...args: unknown[]) =>
  send(account, { address: at.crsmFactory, abi: crsmFactoryAbi, functionName, args });
const sendToCrsm = (account: HDAccount, address: Address, functionName: string, ...args: unknown[]) =>
  send(account, { address, abi: crsmAbi, functionName, args });
const readCrsm = <T = bigint>(address: Address, functionName: string, ...args: unknown[]) =>
  read<T>(address, crsmAbi, functionName, args);
const readFactory = <T = bigint>(functionName: string, ...args: unknown[]) =>
  read<T>(at.crsmFactory, crsmFactoryAbi, functionName, args);
const approveYu = (account: HDAccount, amount: bigint) =>
  send(account, { address: at.yu, abi: yuAbi, functionName: 'approve', args: [at.crsmFactory, amount] });
const sendYu = (account: HDAccount, receiver: Address, amount: bigint) =>
  send(account, { address: at.yu, abi: yuAbi, functionName: 'transfer', args: [receiver, amount] });
const crsmParameters = (id: bigint, [trigger, target, maxTarget] = ratios as readonly bigint[], amount = 0n) =>
  [at.troveManager, id, trigger, target, maxTarget, reward, amount] as const;

async function createCrsm(account: HDAccount, id: bigint, amount = 0n): Promise<Address> {
  if (amount > 0n) await approveYu(account, amount);
  await sendToFactory(account, 'createNewCRSM', ...crsmParameters(id, ratios, amount));
  await mineBlock(); // estimates use the deposit's block
  const count = await readFactory('totalSupply');
  const tokenId = await readFactory('tokenByIndex', count - 1n);
  return readFactory<Address>('crsms', tokenId);
}
/** 200 %, in a system with enough collateral. */
async function openTroveWithCrsm(amount = 0n) {
  await openTrove(borrower, 40n * wad, yuToWei(100_000));
  const { id } = await openTrove(alice, wad, yuToWei(49_800));
  return { id, crsm: await createCrsm(alice, id, amount) };
}

interface ListedCrsm {
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
const readPage = (from: bigint, to: bigint) => read<[ListedCrsm[], bigint]>(at.crsmUtils, crsmUtilsAbi, 'getCRSM', [from, to]);
const readPageByOwner = (owner: HDAccount, from: bigint, to: bigint) =>
  read<[ListedCrsm[], bigint]>(at.crsmUtils, crsmUtilsAbi, 'getCRSMByOwner', [owner.address, from, to]);
async function readState(crsm: Address): Promise<CrsmState> {
  const [listedCrsms] = await readPage(0n, 100n);
  const listed = listedCrsms.find((candidate) => candidate.crsm === crsm);
  if (!listed) throw new Error(`${crsm} is not listed`);
  const { trove, crsmState } = listed;
  return {
    id: crsm,
    collateral: trove.coll,
    debt: trove.debt,
    interest: trove.interest,
    price: listed.price,
    MCR: devnetParameters.MCR,
    TRGCR: crsmState.TRGCR,
    TARCR: crsmState.TARCR,
    MAX_TARCR: crsmState.MAX_TARCR,
    debtGasCompensation: crsmState.DEBT_GAS_COMPENSATION,
    pendingDebtGasCompensation: await readCrsm(crsm, 'pendingDebtGasCompensation'),
    deposits: crsmState.deposits,
    yieldGains: crsmState.yieldGains,
    debtTokenBalance: crsmState.debtTokenBalance,
    minDebt,
    balance: await yuOf(alice.address),
    allowance: null,
  };
}
const readDeposits = async (crsm: Address) => (await readState(crsm)).deposits;

test('only the owner of a trove can create its CRSM, with ratios in order', async () => {
  const { id } = await openTrove(alice, wad, yuToWei(40_000));
  const createNewCrsm = (account: HDAccount, ...args: readonly unknown[]) => sendToFactory(account, 'createNewCRSM', ...args);
  await expect(createNewCrsm(alice, at.yu, ...crsmParameters(id).slice(1))).rejects.toThrow(/CRSMFactory: nonexistent TM/);
  await expect(createNewCrsm(bob, ...crsmParameters(id))).rejects.toThrow(/CRSMFactory: not trove owner/);
  await expect(createNewCrsm(alice, ...crsmParameters(99n))).rejects.toThrow(/ERC721NonexistentToken|0x7e273289/);
  const MCR = devnetParameters.MCR;
  for (const invalidRatios of [
    [MCR, percentToWad(150), percentToWad(160)],
    [percentToWad(130), percentToWad(130), percentToWad(160)],
    [percentToWad(130), percentToWad(150), percentToWad(150) - 1n],
  ] as const)
    await expect(createNewCrsm(alice, ...crsmParameters(id, invalidRatios))).rejects.toThrow(
      /CRSM: MCR < TRGCR < TARCR <= MAX_TARCR/,
    );
  await createNewCrsm(alice, ...crsmParameters(id, [MCR + 1n, MCR + 2n, MCR + 2n]));
  expect(await readFactory('totalSupply')).toBe(1n);
});

test('a new CRSM is a token of its owner with the given values and an event', async () => {
  const { id } = await openTrove(alice, wad, yuToWei(40_000));
  await approveYu(alice, yuToWei(500));
  const { number } = await sendToFactory(alice, 'createNewCRSM', ...crsmParameters(id, ratios, yuToWei(500)));
  const crsm = await readFactory<Address>('crsms', 0n);
  expect(await readFactory('ownerOf', 0n)).toBe(alice.address);
  expect(await readCrsm(crsm, 'owner')).toBe(alice.address);
  const events = { address: at.crsmFactory, abi: crsmFactoryAbi, fromBlock: number } as const;
  const [deployment] = await chain.client.getContractEvents({ ...events, eventName: 'NewCRSMDeployment' });
  expect(deployment?.args).toEqual({ troveManager: at.troveManager, troveId: id, tokenId: 0n, crsm });
  const [depositEvent] = await chain.client.getContractEvents({ ...events, eventName: 'Deposited' });
  expect(depositEvent?.args).toEqual({ from: alice.address, crsm, amount: yuToWei(500) });
  expect(await readCrsm(crsm, 'getState')).toEqual({
    troveManager: at.troveManager,
    owner: alice.address,
    troveId: id,
    tokenId: 0n,
    TRGCR: ratios[0],
    TARCR: ratios[1],
    MAX_TARCR: ratios[2],
    DEBT_GAS_COMPENSATION: reward,
    deposits: yuToWei(500),
    yieldGains: 0n,
    debtTokenBalance: 0n,
    collateralTokens: [at.ybtc],
    collateralGains: [0n],
  });
});

test('anyone can deposit into a CRSM with an allowance to the factory', async () => {
  const { crsm } = await openTroveWithCrsm();
  await expect(sendToFactory(alice, 'deposit', crsm, yuToWei(100))).rejects.toThrow(/0xfb8f41b2/); // ERC20InsufficientAllowance
  await approveYu(alice, yuToWei(99));
  await expect(sendToFactory(alice, 'deposit', crsm, yuToWei(100))).rejects.toThrow(/0xfb8f41b2/);
  await sendToFactory(alice, 'deposit', crsm, yuToWei(99));
  await approveYu(borrower, yuToWei(1));
  await sendToFactory(borrower, 'deposit', crsm, yuToWei(1));
  expect(await readDeposits(crsm)).toBe(yuToWei(100));
  await approveYu(bob, yuToWei(5));
  await expect(sendToFactory(bob, 'deposit', crsm, yuToWei(5))).rejects.toThrow(/0xe450d38c/); // ERC20InsufficientBalance
  await expect(sendToFactory(alice, 'deposit', crsm, 0n)).rejects.toThrow(/SP: Amount must be non-zero/);
  await expect(sendToFactory(alice, 'deposit', bob.address, 1n)).rejects.toThrow(/CRSMFactory: nonexistent CRSM/);
  const { id } = await openTrove(bob, wad, yuToWei(40_000));
  await approveYu(bob, yuToWei(4));
  await expect(sendToFactory(bob, 'createNewCRSM', ...crsmParameters(id, ratios, yuToWei(5)))).rejects.toThrow(/0xfb8f41b2/);
});

test('only the factory can initialize a CRSM, and only a CRSM can burn its token', async () => {
  const { crsm } = await openTroveWithCrsm();
  await expect(sendToCrsm(alice, crsm, 'setParameters', ...crsmParameters(0n))).rejects.toThrow(/CRSM: not the factory/);
  await expect(sendToFactory(alice, 'burn', 0n)).rejects.toThrow(/CRSMFactory: not the CRSM/);
  await expect(sendToFactory(alice, 'setCRSMImpl', crsm)).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await sendToFactory(deployer, 'setCRSMImpl', at.crsm);
});

test('a trove can have a second CRSM', async () => {
  const { id, crsm } = await openTroveWithCrsm();
  expect(await createCrsm(alice, id)).not.toBe(crsm);
});

test('only the token’s owner can control a CRSM', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  const ownerCalls: [string, ...unknown[]][] = [
    ['withdrawFromSP', bob.address, 1n],
    ['claimYield', bob.address],
    ['claimAllCollateralGains', bob.address],
    ['updateCR', ...ratios],
    ['commitDebtGasCompensation', 1n],
    ['acceptDebtGasCompensation'],
    ['withdraw', at.yu, bob.address, 0n],
    ['destroy', bob.address],
  ];
  for (const [name, ...args] of ownerCalls)
    await expect(sendToCrsm(bob, crsm, name, ...args), name).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await expect(sendToCrsm(bob, crsm, 'provideToSP', 1n)).rejects.toThrow(/neither factory nor owner/);
  for (const [name, ...args] of [['transferOwnership', bob.address], ['renounceOwnership']] as const)
    await expect(sendToCrsm(alice, crsm, name, ...args)).rejects.toThrow(/CRSM: transfer the token/);

  await sendToFactory(alice, 'transferFrom', alice.address, bob.address, 0n);
  expect(await readCrsm(crsm, 'owner')).toBe(bob.address);
  await expect(sendToCrsm(alice, crsm, 'updateCR', ...ratios)).rejects.toThrow(/OwnableUnauthorized|0x118cdaa7/);
  await sendToCrsm(bob, crsm, 'updateCR', ...ratios);
  expect((await readPageByOwner(alice, 0n, 9n))[1]).toBe(0n);
  expect((await readPageByOwner(bob, 0n, 9n))[0][0]?.crsmState.owner).toBe(bob.address);
});

test('a pool withdrawal pays the named receiver at most the deposit, and not in the deposit’s block', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  const { number } = await sendToCrsm(alice, crsm, 'withdrawFromSP', dave.address, yuToWei(300));
  expect(await yuOf(dave.address)).toBe(yuToWei(300));
  expect(await readDeposits(crsm)).toBe(yuToWei(700));
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'Withdrawn',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ token: at.yu, to: dave.address, amount: yuToWei(300) });

  await approveYu(alice, yuToWei(50));
  const statuses = await sendInOneBlock(alice, [
    { address: at.crsmFactory, abi: crsmFactoryAbi, functionName: 'deposit', args: [crsm, yuToWei(50)] },
    { address: crsm, abi: crsmAbi, functionName: 'withdrawFromSP', args: [dave.address, 1n] },
    { address: crsm, abi: crsmAbi, functionName: 'claimAllCollateralGains', args: [dave.address] },
  ]);
  expect(statuses).toEqual(['success', 'reverted', 'reverted']);
  expect(await readDeposits(crsm)).toBe(yuToWei(750));

  await mineBlock();
  await sendToCrsm(alice, crsm, 'withdrawFromSP', dave.address, maxUint256);
  expect(await yuOf(dave.address)).toBe(yuToWei(1050)); // clamped to the deposit
  await expect(sendToCrsm(alice, crsm, 'withdrawFromSP', dave.address, 1n)).rejects.toThrow(/non-zero deposit/);
});

test('a pool withdrawal leaves idle YU and yield unchanged', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  await sendYu(borrower, crsm, yuToWei(70));
  await setInterestRate(percentToWad(4));
  await advanceTime(30n * 86_400n);
  const { yieldGains } = await readState(crsm);
  await sendToCrsm(alice, crsm, 'withdrawFromSP', dave.address, yuToWei(1000));
  expect(await yuOf(dave.address)).toBe(yuToWei(1000));
  const stateAfter = await readState(crsm);
  expect(stateAfter.debtTokenBalance).toBe(yuToWei(70));
  expect(yieldGains > yuToWei(100) && stateAfter.yieldGains >= yieldGains).toBe(true);
});

test('claiming pays exactly the yield that the reader shows', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  await setInterestRate(percentToWad(4));
  await advanceTime(30n * 86_400n);
  const shownYield = (await readState(crsm)).yieldGains;
  // The only depositor earns everything: 80 % of 4 % a year on all principal.
  const principal = yuToWei(100_200 + 50_000);
  const expected = (principal * 4n * 30n * 80n) / 365n / 10_000n;
  expect(shownYield > expected - yuToWei(1) && shownYield < expected + yuToWei(1), `${shownYield} of ${expected}`).toBe(true);
  await sendToCrsm(alice, crsm, 'claimYield', dave.address);
  expect((await yuOf(dave.address)) >= shownYield).toBe(true);
  await setInterestRate(0n);
  expect((await readState(crsm)).yieldGains < yuToWei(1)).toBe(true);
  expect(await readDeposits(crsm)).toBe(yuToWei(1000));
});

test('a call succeeds with the allowed gas although due interest needs more than the estimate', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  await sendYu(borrower, crsm, yuToWei(50));
  await setInterestRate(percentToWad(4));
  const { timestamp } = await chain.client.getBlock();
  await chain.client.setNextBlockTimestamp({ timestamp }); // no interest is due in the block of the estimate
  const calls = [
    ['claimYield', dave.address],
    ['withdrawFromSP', dave.address, yuToWei(10)],
    ['provideToSP', yuToWei(10)],
    ['claimAllCollateralGains', dave.address],
    ['withdraw', at.yu, dave.address, yuToWei(10)],
    ['destroy', dave.address],
  ] as const;
  const estimates: bigint[] = [];
  for (const [functionName, ...args] of calls) {
    const call = { account: alice, address: crsm, abi: crsmAbi, functionName, args };
    estimates.push(await chain.client.estimateContractGas(call as never));
  }
  await mineBlock();
  await advanceTime(30n * 86_400n);
  const findSucceedingCalls = async (chooseGas: (estimate: bigint) => bigint) => {
    const names: string[] = [];
    for (const [index, [functionName, ...args]] of calls.entries()) {
      const snapshotId = await chain.client.snapshot();
      const gas = chooseGas(estimates[index] ?? 0n);
      const hash = await chain.as(alice).writeContract({ address: crsm, abi: crsmAbi, functionName, args, gas } as never);
      if ((await chain.client.waitForTransactionReceipt({ hash })).status === 'success') names.push(functionName);
      await chain.client.revert({ id: snapshotId });
    }
    return names;
  };
  expect(await findSucceedingCalls((estimate) => estimate)).toEqual(['claimAllCollateralGains', 'withdraw']);
  expect(await findSucceedingCalls(computeGasLimit)).toEqual(calls.map(([name]) => name));
});

test('collateral gains of a liquidation are paid to the named receiver by token', async () => {
  await openTrove(borrower, 40n * wad, yuToWei(100_000));
  const { id } = await openTrove(alice, 10n * wad, yuToWei(400_000));
  const crsm = await createCrsm(alice, id, yuToWei(100_000));
  const { id: lowTroveId } = await openTrove(bob, wad, yuToWei(59_800));
  await setPrice(yuToWei(65_000));
  await liquidate(carol, lowTroveId);
  const seizedCollateral = (yuToWei(60_000) * percentToWad(105)) / yuToWei(65_000);
  const state = (await readPage(0n, 1n))[0][0]?.crsmState;
  expect(state?.collateralTokens).toEqual([at.ybtc]);
  expect(state?.collateralGains).toHaveLength(1);
  const [collateralGain = 0n] = state?.collateralGains ?? [];
  expect(
    collateralGain <= seizedCollateral && seizedCollateral - collateralGain < 10n ** 6n,
    `${collateralGain} of ${seizedCollateral}`,
  ).toBe(true);
  expect(await readDeposits(crsm)).toBe(yuToWei(40_000));
  await mineBlock();
  await sendToCrsm(alice, crsm, 'claimAllCollateralGains', dave.address);
  expect(await ybtcOf(dave.address)).toBe(collateralGain);
  expect((await readPage(0n, 1n))[0][0]?.crsmState.collateralGains).toEqual([0n]);
});

test('idle YU can be withdrawn, and no more than that', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  await sendYu(borrower, crsm, yuToWei(70));
  await mint(borrower, wad);
  await send(borrower, { address: at.ybtc, abi: ybtcAbi, functionName: 'transfer', args: [crsm, 5n] });
  await expect(sendToCrsm(alice, crsm, 'withdraw', at.yu, dave.address, yuToWei(71))).rejects.toThrow(/0xe450d38c/);
  const { number } = await sendToCrsm(alice, crsm, 'withdraw', at.yu, dave.address, yuToWei(70));
  await sendToCrsm(alice, crsm, 'withdraw', at.ybtc, dave.address, 5n);
  expect([await yuOf(dave.address), await ybtcOf(dave.address)]).toEqual([yuToWei(70), 5n]);
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'Withdrawn',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ token: at.yu, to: dave.address, amount: yuToWei(70) });
  expect(await readDeposits(crsm)).toBe(yuToWei(1000));
});

test('the owner can deposit idle YU into the pool', async () => {
  const { crsm } = await openTroveWithCrsm();
  await sendYu(borrower, crsm, yuToWei(70));
  await sendToCrsm(alice, crsm, 'provideToSP', yuToWei(70));
  const { deposits, debtTokenBalance } = await readState(crsm);
  expect([deposits, debtTokenBalance]).toEqual([yuToWei(70), 0n]);
});

test('a CRSM refuses ratios out of the order MCR < TRGCR < TARCR <= MAX_TARCR', async () => {
  const { crsm } = await openTroveWithCrsm();
  const nearMcr = fc.integer({ min: 0, max: 4 }).map((steps) => devnetParameters.MCR + BigInt(steps));
  await fc.assert(
    fc.asyncProperty(nearMcr, nearMcr, nearMcr, async (TRGCR, TARCR, MAX_TARCR) => {
      const updateCall = chain.client.simulateContract({
        address: crsm,
        abi: crsmAbi,
        functionName: 'updateCR',
        args: [TRGCR, TARCR, MAX_TARCR],
        account: alice,
      });
      const orderError = findRatioOutOfOrder({ MCR: devnetParameters.MCR, TRGCR, TARCR, MAX_TARCR });
      if (orderError) await expect(updateCall).rejects.toThrow(/CRSM: MCR < TRGCR < TARCR <= MAX_TARCR/);
      else await updateCall;
    }),
    { numRuns: 60, seed: 20_261_121 },
  );
  const { number } = await sendToCrsm(alice, crsm, 'updateCR', percentToWad(125), percentToWad(140), percentToWad(140));
  const { TRGCR, TARCR, MAX_TARCR } = await readState(crsm);
  expect([TRGCR, TARCR, MAX_TARCR]).toEqual([percentToWad(125), percentToWad(140), percentToWad(140)]);
  const [event] = await chain.client.getContractEvents({
    address: crsm,
    abi: crsmAbi,
    eventName: 'CRUpdated',
    fromBlock: number,
  });
  expect(event?.args).toEqual({ TRGCR, TARCR, MAX_TARCR });
});

test('a committed reward can be accepted once, after its delay', async () => {
  const { crsm } = await openTroveWithCrsm();
  const delay = await readCrsm(crsm, 'DEBT_GAS_COMPENSATION_DELAY');
  expect(delay).toBe(devnetParameters.crsmDelay);
  await expect(sendToCrsm(alice, crsm, 'acceptDebtGasCompensation')).rejects.toThrow(/No debt gas compensation committed/);
  const { timestamp } = await sendToCrsm(alice, crsm, 'commitDebtGasCompensation', yuToWei(20));
  expect(await readCrsm(crsm, 'deadline')).toBe(timestamp + delay);
  expect(await readCrsm(crsm, 'pendingDebtGasCompensation')).toBe(yuToWei(20));
  expect(await readCrsm(crsm, 'DEBT_GAS_COMPENSATION')).toBe(reward);

  const acceptCall = { address: crsm, abi: crsmAbi, functionName: 'acceptDebtGasCompensation', args: [] };
  await expect(send(alice, acceptCall)).rejects.toThrow(/Deadline not passed/);
  // The last second too early, and the first allowed.
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + delay - 1n });
  expect(await sendInOneBlock(alice, [acceptCall])).toEqual(['reverted']);
  await chain.client.setNextBlockTimestamp({ timestamp: timestamp + delay });
  expect(await sendInOneBlock(alice, [acceptCall])).toEqual(['success']);
  expect(await readCrsm(crsm, 'DEBT_GAS_COMPENSATION')).toBe(yuToWei(20));
  expect([await readCrsm(crsm, 'deadline'), await readCrsm(crsm, 'pendingDebtGasCompensation')]).toEqual([0n, 0n]);
  await expect(sendToCrsm(alice, crsm, 'acceptDebtGasCompensation')).rejects.toThrow(/No debt gas compensation committed/);

  await sendToCrsm(alice, crsm, 'commitDebtGasCompensation', yuToWei(30));
  await advanceTime(delay - 10n);
  const secondCommit = await sendToCrsm(alice, crsm, 'commitDebtGasCompensation', 0n);
  expect(await readCrsm(crsm, 'deadline')).toBe(secondCommit.timestamp + delay);
  await advanceTime(delay);
  await sendToCrsm(alice, crsm, 'acceptDebtGasCompensation');
  expect(await readCrsm(crsm, 'DEBT_GAS_COMPENSATION')).toBe(0n);
});

test('repayment is refused above the trigger', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(30_000));
  await expect(sendToCrsm(carol, crsm, 'repay', yuToWei(1000))).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
  await setPrice(yuToWei(65_001));
  await expect(sendToCrsm(carol, crsm, 'repay', yuToWei(1000))).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
  await setPrice(yuToWei(65_000)); // 50,000 of debt at 130 %
  await sendToCrsm(carol, crsm, 'repay', repayFor(ratios[1], wad, yuToWei(50_000), yuToWei(65_000)));
});

test('a repayment reaches the target, stays below the maximum and rewards the caller', async () => {
  const { id, crsm } = await openTroveWithCrsm(yuToWei(30_000));
  await setPrice(yuToWei(60_000));
  const min = repayFor(percentToWad(150), wad, yuToWei(50_000), yuToWei(60_000));
  const max = yuToWei(50_000) - (yuToWei(60_000) * wad) / percentToWad(160); // leaves 37,500
  expect([min, max]).toEqual([yuToWei(10_000), yuToWei(12_500)]);
  await expect(sendToCrsm(carol, crsm, 'repay', min - 1n)).rejects.toThrow(/CRSM: ICR must reach TARCR/);
  await expect(sendToCrsm(carol, crsm, 'repay', max + 10n ** 6n)).rejects.toThrow(/CRSM: ICR must not pass MAX_TARCR/);
  await expect(sendToCrsm(carol, crsm, 'repay', yuToWei(47_801))).rejects.toThrow(/CRSM: Too much debt to repay/);
  await expect(sendToCrsm(carol, crsm, 'repay', maxUint256)).rejects.toThrow(/CRSM: Too much debt to repay/);
  const { number } = await sendToCrsm(carol, crsm, 'repay', max);
  expect(await yuOf(carol.address)).toBe(reward);
  expect(await troveOf(id)).toMatchObject({ debt: yuToWei(37_500), interest: 0n });
  expect(await readDeposits(crsm)).toBe(yuToWei(30_000 - 12_500) - reward);
  const [event] = await chain.client.getContractEvents({ address: crsm, abi: crsmAbi, eventName: 'Repay', fromBlock: number });
  expect(event?.args).toEqual({ troveManager: at.troveManager, troveId: id, amount: max });
  await expect(sendToCrsm(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: ICR must be below TRGCR/);
});

test('a repayment needs funds for amount and reward, and may miss the target only if it spends everything', async () => {
  const { id, crsm } = await openTroveWithCrsm(yuToWei(5000));
  await setPrice(yuToWei(55_000));
  await expect(sendToCrsm(carol, crsm, 'repay', yuToWei(5000) - reward + 1n)).rejects.toThrow(/CRSM: Insufficient deposits/);
  await expect(sendToCrsm(carol, crsm, 'repay', yuToWei(4989))).rejects.toThrow(/CRSM: ICR must reach TARCR/); // a whole YU left
  await sendToCrsm(carol, crsm, 'repay', yuToWei(4990));
  expect((await troveOf(id)).debt).toBe(yuToWei(45_010));
  expect(await readDeposits(crsm)).toBe(0n);
  await expect(sendToCrsm(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: Insufficient deposits/);
});

test('all funds that the reader shows can be spent while yield grows', async () => {
  const { id, crsm } = await openTroveWithCrsm(yuToWei(5000));
  await setInterestRate(percentToWad(4));
  await advanceTime(90n * 86_400n);
  await setPrice(yuToWei(60_000));
  const { max = 0n, limit } = computeAllowedRange('repay', 'amount', await readState(crsm)) ?? {};
  expect(limit).toBe('funds');
  await advanceTime(60n);
  await sendToCrsm(carol, crsm, 'repay', max);
  expect((await troveOf(id)).debt < yuToWei(50_000) - yuToWei(4990)).toBe(true);
  expect(await readDeposits(crsm)).toBeLessThan(yuToWei(1));
});

test('a repayment spends idle YU first, then the yield, then the deposit', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(20_000));
  await setInterestRate(percentToWad(4));
  await advanceTime(30n * 86_400n);
  await setInterestRate(0n);
  const min = repayFor(percentToWad(150), wad, yuToWei(50_000) + (await troveOf(1n)).interest, yuToWei(60_000));
  await sendYu(borrower, crsm, min + reward - yuToWei(100));
  await setPrice(yuToWei(60_000));
  const stateBefore = await readState(crsm);
  expect(stateBefore.yieldGains > yuToWei(300)).toBe(true);

  const snapshotId = await chain.client.snapshot();
  await sendToCrsm(carol, crsm, 'repay', min);
  const partialRepayment = await readState(crsm);
  expect([partialRepayment.deposits, partialRepayment.yieldGains]).toEqual([stateBefore.deposits, 0n]);
  expect(partialRepayment.debtTokenBalance).toBe(stateBefore.yieldGains - yuToWei(100));
  await chain.client.revert({ id: snapshotId });

  await sendToCrsm(alice, crsm, 'withdraw', at.yu, dave.address, yuToWei(1000));
  await sendToCrsm(carol, crsm, 'repay', min);
  const fullRepayment = await readState(crsm);
  expect([fullRepayment.debtTokenBalance, fullRepayment.yieldGains]).toEqual([0n, 0n]);
  expect(fullRepayment.deposits).toBe(stateBefore.deposits - (yuToWei(1100) - stateBefore.yieldGains));
});

test('a repayment keeps the trove’s minimum debt, paying principal before interest', async () => {
  await openTrove(borrower, 40n * wad, yuToWei(100_000));
  const { id } = await openTrove(alice, wad / 20n, yuToWei(2300)); // 2,500 of debt, 300 above the minimum
  const crsm = await createCrsm(alice, id);
  await sendToCrsm(alice, crsm, 'updateCR', percentToWad(111), percentToWad(120), percentToWad(130));
  await sendYu(borrower, crsm, yuToWei(1000));
  await setInterestRate(percentToWad(4));
  await advanceTime(365n * 86_400n);
  await setInterestRate(0n);
  await setPrice(yuToWei(53_500));
  const { interest } = await troveOf(id);
  const entireDebt = yuToWei(2500) + interest;
  expect(ratioOf(wad / 20n, entireDebt, yuToWei(53_500)) <= percentToWad(111)).toBe(true);
  await expect(sendToCrsm(carol, crsm, 'repay', entireDebt - minDebt + 1n)).rejects.toThrow(/CRSM: Too much debt to repay/);
  await sendToCrsm(carol, crsm, 'repay', entireDebt - minDebt);
  expect(await troveOf(id)).toMatchObject({ debt: minDebt, interest: 0n });
});

test('repayment is refused for a closed trove, and the lists still work', async () => {
  const { id, crsm } = await openTroveWithCrsm();
  await sendYu(borrower, alice.address, yuToWei(1000));
  await send(alice, {
    address: at.borrowerOperations,
    abi: borrowerOperationsAbi,
    functionName: 'closeTrove',
    args: [at.troveManager, id, alice.address],
  });
  await expect(sendToCrsm(carol, crsm, 'repay', 1n)).rejects.toThrow(/CRSM: Too much debt to repay/);
  const [states, count] = await readPage(0n, 10n);
  expect([count, states[0]?.crsm, states[0]?.ICR, states[0]?.trove.coll]).toEqual([1n, crsm, noDebtRatio, 0n]);
});

test('a keeper can repay for several CRSMs and send the rewards to a receiver', async () => {
  await openTrove(borrower, 40n * wad, yuToWei(100_000));
  const crsms: Address[] = [];
  for (const account of [alice, bob]) {
    const { id } = await openTrove(account, wad, yuToWei(49_800));
    crsms.push(await createCrsm(account, id, yuToWei(20_000)));
  }
  await setPrice(yuToWei(60_000));
  const repay = (amounts: bigint[]) =>
    send(carol, { address: at.crsmUtils, abi: crsmUtilsAbi, functionName: 'repay', args: [crsms, amounts, dave.address] });
  await expect(repay([yuToWei(11_000), yuToWei(1)])).rejects.toThrow(/CRSM: ICR must reach TARCR/); // all or none
  await repay([yuToWei(11_000), yuToWei(12_000)]);
  expect(await yuOf(dave.address)).toBe(2n * reward);
  expect([await readDeposits(crsms[0] ?? zeroAddress), await readDeposits(crsms[1] ?? zeroAddress)]).toEqual([
    yuToWei(8990),
    yuToWei(7990),
  ]);
});

test('destroying a CRSM pays out everything and removes it from the lists', async () => {
  const { id, crsm } = await openTroveWithCrsm(yuToWei(1000));
  const otherCrsm = await createCrsm(alice, id);
  await sendYu(borrower, crsm, yuToWei(70));
  await setInterestRate(percentToWad(4));
  await advanceTime(30n * 86_400n);
  const { yieldGains } = await readState(crsm);
  expect(yieldGains > yuToWei(100)).toBe(true);
  await sendToCrsm(alice, crsm, 'destroy', dave.address);
  const paidAmount = (await yuOf(dave.address)) - yuToWei(1070) - yieldGains;
  expect(paidAmount >= 0n && paidAmount < yuToWei(1), `${paidAmount}`).toBe(true);
  const [states, count] = await readPage(0n, 10n);
  expect([count, states.map((state) => state.crsm)]).toEqual([1n, [otherCrsm]]);
  expect(await readFactory('crsms', 0n)).toBe(zeroAddress);
  await approveYu(alice, yuToWei(5));
  await expect(sendToFactory(alice, 'deposit', crsm, yuToWei(5))).rejects.toThrow(/CRSMFactory: nonexistent CRSM/);
  await expect(sendToCrsm(alice, crsm, 'updateCR', ...ratios)).rejects.toThrow(/ERC721NonexistentToken|0x7e273289/);
});

test('list pages return the requested CRSMs and the total count', async () => {
  await openTrove(borrower, 40n * wad, yuToWei(100_000));
  const createdCrsms: Address[] = [];
  for (const account of [alice, bob, alice, bob, alice]) {
    const { id } = await openTrove(account, wad, yuToWei(20_000 + createdCrsms.length));
    createdCrsms.push(await createCrsm(account, id));
  }
  const summarizePage = ([states, count]: [ListedCrsm[], bigint]) => [states.map(({ crsm }) => crsm), count];
  expect(summarizePage(await readPage(0n, 2n))).toEqual([createdCrsms.slice(0, 2), 5n]);
  expect(summarizePage(await readPage(3n, 99n))).toEqual([createdCrsms.slice(3), 5n]);
  expect(summarizePage(await readPage(5n, 9n))).toEqual([[], 5n]);
  expect(summarizePage(await readPage(3n, 2n))).toEqual([[], 5n]);
  expect(summarizePage(await readPageByOwner(alice, 1n, 9n))).toEqual([[createdCrsms[2], createdCrsms[4]], 3n]);
  expect(summarizePage(await readPageByOwner(bob, 0n, 1n))).toEqual([[createdCrsms[1]], 2n]);
  expect(summarizePage(await readPageByOwner(carol, 0n, 9n))).toEqual([[], 0n]);
  const [states] = await readPage(0n, 5n);
  for (const { trove, crsmState, ICR, price: priceOfRow } of states) {
    expect(trove).toEqual(await troveOf(crsmState.troveId));
    expect(ICR).toBe(ratioOf(trove.coll, trove.debt + trove.interest, priceOfRow));
  }
});

test('chain and formulas agree to the wei for random troves, ratios, funds and prices', async () => {
  await openTrove(borrower, 400n * wad, yuToWei(2_000_000));
  const outcomeCounts = { repaid: 0, refused: 0, funds: 0, ratio: 0 };
  const figuresArbitrary = fc.record({
    debt: fc.bigInt({ min: yuToWei(3000), max: yuToWei(60_000) }),
    health: fc.bigInt({ min: percentToWad(170), max: percentToWad(300) }),
    trigger: fc.bigInt({ min: percentToWad(111), max: percentToWad(160) }),
    target: fc.bigInt({ min: 1n, max: percentToWad(30) }),
    span: fc.bigInt({ min: 0n, max: percentToWad(20) }),
    fall: fc.bigInt({ min: percentToWad(80), max: percentToWad(104) }),
    amount: fc.bigInt({ min: 1n, max: yuToWei(20_000) }),
    idle: fc.bigInt({ min: 0n, max: yuToWei(3000) }),
    earning: fc.boolean(),
    place: fc.bigInt({ min: 0n, max: wad }),
  });
  await fc.assert(
    fc.asyncProperty(
      figuresArbitrary,
      async ({
        debt,
        health: initialRatio,
        trigger,
        target,
        span: maxTargetStep,
        fall: priceFactor,
        amount,
        idle: idleAmount,
        earning: earnsYield,
        place: positionInRange,
      }) => {
        const snapshotId = await chain.client.snapshot();
        const collateral = ((debt + yuToWei(200)) * initialRatio) / devnetParameters.price;
        const { id } = await openTrove(alice, collateral, debt);
        await sendYu(borrower, alice.address, amount);
        const crsm = await createCrsm(alice, id, amount);
        await sendToCrsm(alice, crsm, 'updateCR', trigger, trigger + target, trigger + target + maxTargetStep);
        if (idleAmount > 0n) await sendYu(borrower, crsm, idleAmount);
        if (earnsYield) {
          await setInterestRate(percentToWad(4));
          await advanceTime(10n * 86_400n);
          await setInterestRate(0n);
        }
        // The first price without repayment, or one close to it.
        const stateBefore = await readState(crsm);
        const totalDebt = stateBefore.debt + stateBefore.interest;
        const triggerPrice = priceAt(trigger, collateral, totalDebt);
        await setPrice(triggerPrice + 1n);
        await expectRepayRejected(
          crsm,
          repayFor(trigger + target, collateral, totalDebt, triggerPrice + 1n),
          collateral,
          totalDebt,
          trigger,
        );
        await setPrice((triggerPrice * priceFactor) / wad);

        const state = await readState(crsm);
        const listedCrsm = (await readPage(0n, 1n))[0][0];
        expect(listedCrsm?.ICR).toBe(ratioOf(collateral, totalDebt, state.price));
        const { min, max, limit } = computeAllowedRange('repay', 'amount', state) ?? { min: 0n, max: 0n, limit: null };
        const repay = (repayment: bigint) =>
          chain.client
            .simulateContract({ address: crsm, abi: crsmAbi, functionName: 'repay', args: [repayment], account: carol })
            .then(
              () => true,
              () => false,
            );
        if (min > max) {
          outcomeCounts.refused++;
          for (const repayment of [1n, repayFor(state.TARCR, collateral, totalDebt, state.price), totalDebt])
            expect(await repay(repayment), `repaid ${repayment}, limit ${limit}`).toBe(false);
        } else {
          outcomeCounts.repaid++;
          if (limit === 'funds') outcomeCounts.funds++;
          if (limit === 'ratio') outcomeCounts.ratio++;
          expect([await repay(min - 1n), await repay(min), await repay(max), await repay(max + 1n)], limit ?? '').toEqual([
            false,
            true,
            true,
            false,
          ]);
          const repayment = min + ((max - min) * positionInRange) / wad;
          const effect = computeEffect('repay', state, { amount: repayment });
          await sendToCrsm(carol, crsm, 'repay', repayment);
          const stateAfter = await readState(crsm);
          expect({
            deposits: stateAfter.deposits,
            idle: stateAfter.debtTokenBalance,
            yieldGains: stateAfter.yieldGains,
            debt: stateAfter.debt + stateAfter.interest,
            icr: (await readPage(0n, 1n))[0][0]?.ICR,
          }).toEqual({
            deposits: effect.deposits.after,
            idle: effect.idle.after,
            yieldGains: effect.yieldGains.after,
            debt: effect.debt.after,
            icr: effect.icr.after,
          });
        }
        await chain.client.revert({ id: snapshotId });
      },
    ),
    { numRuns: inTier(20, 40), seed: 20_261_121 },
  );
  for (const [outcome, count] of Object.entries(outcomeCounts)) expect(count, outcome).toBeGreaterThan(0);
}, 240_000);

/** One unit above the trigger price, the ratio may still round down to the trigger. */
async function expectRepayRejected(crsm: Address, repayment: bigint, collateral: bigint, totalDebt: bigint, trigger: bigint) {
  const { price: currentPrice } = await readState(crsm);
  if (ratioOf(collateral, totalDebt, currentPrice) <= trigger) return;
  await expect(
    chain.client.simulateContract({ address: crsm, abi: crsmAbi, functionName: 'repay', args: [repayment], account: carol }),
  ).rejects.toThrow(/CRSM: ICR must be below TRGCR|CRSM: Too much debt/);
}

test('every other action has the computed effect on chain', async () => {
  const { crsm } = await openTroveWithCrsm(yuToWei(1000));
  await sendYu(borrower, crsm, yuToWei(70));
  await approveYu(alice, yuToWei(100));
  const expectEffect = async (effect: ReturnType<typeof computeEffect>) => {
    const stateAfter = await readState(crsm);
    expect([
      stateAfter.deposits,
      stateAfter.debtTokenBalance,
      stateAfter.debtGasCompensation,
      stateAfter.pendingDebtGasCompensation,
    ]).toEqual([
      effect.deposits.after,
      effect.idle.after,
      effect.debtGasCompensation.after,
      effect.pendingDebtGasCompensation.after,
    ]);
    expect(priceAt(stateAfter.TRGCR, stateAfter.collateral, stateAfter.debt)).toBe(effect.triggerPrice.after);
  };
  let effect = computeEffect('deposit', await readState(crsm), { amount: yuToWei(100) });
  await sendToFactory(alice, 'deposit', crsm, yuToWei(100));
  await expectEffect(effect);
  await mineBlock();
  for (const receiver of [dave.address, crsm]) {
    effect = computeEffect('withdrawFromSP', await readState(crsm), { to: receiver, amount: yuToWei(40) });
    await sendToCrsm(alice, crsm, 'withdrawFromSP', receiver, yuToWei(40));
    await expectEffect(effect);
    effect = computeEffect('withdraw', await readState(crsm), { to: receiver, amount: yuToWei(20) });
    await sendToCrsm(alice, crsm, 'withdraw', at.yu, receiver, yuToWei(20));
    await expectEffect(effect);
    effect = computeEffect('claimYield', await readState(crsm), { to: receiver });
    await sendToCrsm(alice, crsm, 'claimYield', receiver);
    await expectEffect(effect);
  }
  const [TRGCR, TARCR, MAX_TARCR] = [percentToWad(120), percentToWad(140), percentToWad(180)];
  effect = computeEffect('updateCR', await readState(crsm), { TRGCR, TARCR, MAX_TARCR });
  await sendToCrsm(alice, crsm, 'updateCR', TRGCR, TARCR, MAX_TARCR);
  await expectEffect(effect);
  effect = computeEffect('commitDebtGasCompensation', await readState(crsm), { debtGasCompensation: yuToWei(3) });
  await sendToCrsm(alice, crsm, 'commitDebtGasCompensation', yuToWei(3));
  await expectEffect(effect);
  await advanceTime(devnetParameters.crsmDelay);
  effect = computeEffect('acceptDebtGasCompensation', await readState(crsm), {});
  await sendToCrsm(alice, crsm, 'acceptDebtGasCompensation');
  await expectEffect(effect);
  effect = computeEffect('withdrawFromSP', await readState(crsm), { to: dave.address, amount: maxUint256 });
  await sendToCrsm(alice, crsm, 'withdrawFromSP', dave.address, maxUint256);
  await expectEffect(effect);
});
