import fc from 'fast-check';
import { parseEther, type Address, type HDAccount } from 'viem';
import { expect, test } from 'vitest';
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { custodyBridgeAbi } from './abi/custody-bridge.ts';
import { multiTroveGettersAbi } from './abi/multi-trove-getters.ts';
import { stabilityPoolAbi } from './abi/stability-pool.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { yuAbi } from './abi/yu.ts';
import { computeCompileFingerprint, outputPathOf } from './compile.ts';
import { devnetAccounts, devnetContracts as at, devnetParameters } from './deploy.ts';
import { depositHash } from './deposit-hash.ts';
import { startTestProtocol } from './test-protocol.ts';
import { readFileSync } from 'node:fs';

const wad = parseEther('1');
const yearSeconds = 365n * 86_400n;
const { deployer, minter, borrower, operators, feeReceiver } = devnetAccounts;
const [alice, bob, carol] = operators as [HDAccount, HDAccount, HDAccount];

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
  provide: provideToPool,
  liquidate,
  depositOf,
  nextBlock: mineBlock,
  later: advanceTime,
  inOneBlock: sendInOneBlock,
} = await startTestProtocol();

test('chain/abi and bytecode.json match the hash of these sources', () => {
  expect(computeCompileFingerprint()).toBe(readFileSync(outputPathOf('compiled.txt'), 'utf8'));
});

test('only a minter can mint, once per deposit', async () => {
  const args = [depositHash('mainnet', 'ab'.repeat(32), 1), alice.address, wad];
  const call = { address: at.ybtc, abi: ybtcAbi, functionName: 'mint', args };
  await expect(send(alice, call)).rejects.toThrow(/NotMinter/);
  await send(minter, call);
  await expect(send(minter, call)).rejects.toThrow(/AlreadyMinted/);
  await expect(send(minter, { ...call, args: [args[0], bob.address, 1n] })).rejects.toThrow(/AlreadyMinted/);
  expect(await ybtcOf(alice.address)).toBe(wad);
  await send(minter, { ...call, args: [depositHash('mainnet', 'ab'.repeat(32), 2), alice.address, wad] });
  await send(minter, { ...call, args: [depositHash('signet', 'ab'.repeat(32), 1), alice.address, wad] });
  expect(await read<bigint>(at.ybtc, ybtcAbi, 'totalSupply')).toBe(3n * wad);
});

test('debt includes the gas compensation, and ICR is collateral × price / (debt + interest)', async () => {
  const { id } = await openTrove(alice, wad, parseEther('20000'));
  expect(await yuOf(alice.address)).toBe(parseEther('20000'));
  const trove = await troveOf(id);
  expect(trove.debt).toBe(parseEther('20200'));
  const icr = await read<bigint>(at.troveManager, troveManagerAbi, 'getCurrentICR', [id, devnetParameters.price]);
  expect(icr).toBe((wad * devnetParameters.price) / (trove.debt + trove.interest));
  const icrOfMissingTrove = await read<bigint>(at.troveManager, troveManagerAbi, 'getCurrentICR', [99n, devnetParameters.price]);
  expect(icrOfMissingTrove).toBe(2n ** 256n - 1n);
});

test('interest is simple, on principal only, and minted to the stability pool and the fee receiver', async () => {
  const { id, at: openedAt } = await openTrove(alice, parseEther('2'), parseEther('50000'));
  await provideToPool(alice, parseEther('10000'));
  await advanceTime(30n * 86_400n);
  await send(bob, { address: at.troveManager, abi: troveManagerAbi, functionName: 'accrue', args: [] });
  const { timestamp } = await chain.client.getBlock();
  const principal = parseEther('50200');
  const expected = (principal * (timestamp - openedAt) * devnetParameters.interestRate) / yearSeconds / wad;
  const trove = await troveOf(id);
  expect(isWithin(trove.interest, expected, 10n ** 6n)).toBe(true);
  const yieldShare = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getYieldGains', [alice.address]);
  const feesReceived = await yuOf(feeReceiver.address);
  expect(isWithin(yieldShare + feesReceived, expected, 10n ** 6n)).toBe(true);
});
const isWithin = (a: bigint, b: bigint, tolerance: bigint) => (a > b ? a - b : b - a) <= tolerance;

test('opening a trove requires minimum debt, MCR and a system at CCR', async () => {
  await expect(openTrove(alice, wad, parseEther('1999'))).rejects.toThrow(/minimum/);
  await expect(openTrove(alice, wad, parseEther('91000'))).rejects.toThrow(/below MCR/);
  await expect(openTrove(alice, wad, parseEther('80000'))).rejects.toThrow(/TCR would fall below CCR/);
  await openTrove(alice, wad, parseEther('60000'));
});

test('a repayment reduces principal to the minimum, then interest', async () => {
  const { id } = await openTrove(alice, wad, parseEther('10000'));
  await advanceTime(yearSeconds);
  await openTrove(bob, parseEther('2'), parseEther('50000'));
  const repay = (amount: bigint) =>
    send(bob, {
      address: at.borrowerOperations,
      abi: borrowerOperationsAbi,
      functionName: 'repay',
      args: [at.troveManager, id, amount],
    });
  await repay(parseEther('5000'));
  expect((await troveOf(id)).debt).toBe(parseEther('5200'));
  const balanceBefore = await yuOf(bob.address);
  const { interest } = await troveOf(id);
  await repay(parseEther('40000'));
  const repaidTrove = await troveOf(id);
  expect(repaidTrove.debt).toBe(parseEther('2200'));
  expect(repaidTrove.interest).toBe(0n);
  expect(isWithin(balanceBefore - (await yuOf(bob.address)), parseEther('3000') + interest, 10n ** 16n)).toBe(true);
});

test('a liquidation burns pool deposits and pays collateral with the penalty to depositors', async () => {
  const { id } = await openTrove(alice, wad, parseEther('60000'));
  await openTrove(bob, parseEther('4'), parseEther('100000'));
  await provideToPool(bob, parseEther('80000'));
  await expect(liquidate(carol, id)).rejects.toThrow(/nothing to liquidate/);
  const lowPrice = parseEther('66000');
  await setPrice(lowPrice);
  const trove = await troveOf(id);
  await liquidate(carol, id);
  const entireDebt = trove.debt + trove.interest;
  expect(isWithin(await depositOf(bob), parseEther('80000') - entireDebt, 10n ** 15n)).toBe(true);
  const [, gains] = await read<[Address[], bigint[]]>(at.stabilityPool, stabilityPoolAbi, 'getDepositorCollateralGain', [
    bob.address,
  ]);
  const collateralGasCompensation = wad / 200n;
  const collateralShare = (entireDebt * parseEther('1.05')) / lowPrice;
  const seizedCollateral = collateralShare < wad - collateralGasCompensation ? collateralShare : wad - collateralGasCompensation;
  expect(isWithin(gains[0] ?? 0n, seizedCollateral, 10n ** 12n)).toBe(true);
  expect(await ybtcOf(carol.address)).toBe(collateralGasCompensation);
  expect(await yuOf(carol.address)).toBe(parseEther('200'));
  const surplus = await read<bigint>(at.troveManager, troveManagerAbi, 'accountCollSurplus', [alice.address]);
  expect(isWithin(surplus, wad - collateralGasCompensation - seizedCollateral, 10n ** 12n)).toBe(true);
  await send(bob, {
    address: at.stabilityPool,
    abi: stabilityPoolAbi,
    functionName: 'claimAllCollateralGains',
    args: [bob.address],
  });
  expect(isWithin(await ybtcOf(bob.address), seizedCollateral, 10n ** 12n)).toBe(true);
});

test('emptying the pool begins a new epoch, and earlier depositors keep their gains', async () => {
  const { id } = await openTrove(alice, wad, parseEther('60000'));
  await openTrove(bob, parseEther('4'), parseEther('100000'));
  await setPrice(parseEther('66000'));
  const { debt, interest } = await troveOf(id);
  // Interest is constant within a second.
  await provideToPool(bob, debt + interest + parseEther('1'));
  await liquidate(carol, id);
  expect(isWithin(await depositOf(bob), parseEther('1'), parseEther('0.1'))).toBe(true);
  await provideToPool(bob, parseEther('10'));
  expect(isWithin(await depositOf(bob), parseEther('11'), parseEther('0.1'))).toBe(true);
});

test('a deposit cannot be withdrawn in its own block', async () => {
  await openTrove(alice, wad, parseEther('10000'));
  await provideToPool(alice, parseEther('5000'));
  await mineBlock();
  await send(alice, {
    address: at.stabilityPool,
    abi: stabilityPoolAbi,
    functionName: 'withdrawFromSP',
    args: [parseEther('9999999')],
  });
  expect(await depositOf(alice)).toBe(0n);
  expect(await yuOf(alice.address)).toBe(parseEther('10000')); // clamped to the deposit
  const call = { address: at.stabilityPool, abi: stabilityPoolAbi, args: [parseEther('1')] };
  const statuses = await sendInOneBlock(alice, [
    { ...call, functionName: 'provideToSP' },
    { ...call, functionName: 'withdrawFromSP' },
  ]);
  expect(statuses).toEqual(['success', 'reverted']);
});

test('the token refuses direct transfers of YU into the protocol', async () => {
  await openTrove(alice, wad, parseEther('10000'));
  for (const invalidReceiver of [at.stabilityPool, at.troveManager, at.borrowerOperations, at.yu])
    await expect(
      send(alice, { address: at.yu, abi: yuAbi, functionName: 'transfer', args: [invalidReceiver, 1n] }),
    ).rejects.toThrow(/cannot be sent there/);
});

test('a refund locks YBTC, cools, and can be confirmed once by its owner', async () => {
  await mint(alice, wad);
  const source = `0x${'ef'.repeat(32)}`;
  const bitcoinReceiver = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
  const request = {
    address: at.custodyBridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [source, bitcoinReceiver, wad],
  };
  await expect(send(alice, request)).rejects.toThrow(/0xfb8f41b2/); // ERC20InsufficientAllowance
  await send(alice, { address: at.ybtc, abi: ybtcAbi, functionName: 'approve', args: [at.custodyBridge, wad] });
  const { timestamp } = await send(alice, request);
  const [sourceHash, token, requester, amount, refundableAt, , payoutAddress, status] = await read<unknown[]>(
    at.custodyBridge,
    custodyBridgeAbi,
    'refundRequests',
    [0n],
  );
  expect([sourceHash, token, requester, amount, refundableAt, payoutAddress, status]).toEqual([
    source,
    at.ybtc,
    alice.address,
    wad,
    timestamp + devnetParameters.cooling,
    bitcoinReceiver,
    1,
  ]);
  const confirmCall = { address: at.custodyBridge, abi: custodyBridgeAbi, functionName: 'confirmRefund', args: [0n] };
  await expect(send(alice, confirmCall)).rejects.toThrow(/StillCooling/);
  await advanceTime(devnetParameters.cooling);
  await expect(send(bob, confirmCall)).rejects.toThrow(/NotRequester/);
  await send(alice, confirmCall);
  await expect(send(alice, confirmCall)).rejects.toThrow(/WrongStatus/);
  expect(await read<bigint>(at.ybtc, ybtcAbi, 'totalSupply')).toBe(0n);
  const payoutTxid = `0x${'12'.repeat(32)}`;
  await expect(send(alice, { ...confirmCall, functionName: 'completeRefund', args: [0n, payoutTxid] })).rejects.toThrow(
    /OwnableUnauthorized/,
  );
  await send(deployer, { ...confirmCall, functionName: 'completeRefund', args: [0n, payoutTxid] });
  await expect(send(deployer, { ...confirmCall, functionName: 'cancelRefund' })).rejects.toThrow(/WrongStatus/);
});

test('a canceled refund returns the YBTC', async () => {
  await mint(alice, wad);
  await send(alice, { address: at.ybtc, abi: ybtcAbi, functionName: 'approve', args: [at.custodyBridge, wad] });
  const bridgeCall = { address: at.custodyBridge, abi: custodyBridgeAbi };
  await send(alice, { ...bridgeCall, functionName: 'requestRefund', args: [`0x${'ef'.repeat(32)}`, 'bc1q', wad] });
  expect(await ybtcOf(alice.address)).toBe(0n);
  await send(deployer, { ...bridgeCall, functionName: 'cancelRefund', args: [0n] });
  expect(await ybtcOf(alice.address)).toBe(wad);
});

test('the getters return the same trove data as the manager', async () => {
  await openTrove(alice, parseEther('3'), parseEther('50000'));
  await openTrove(alice, parseEther('1'), parseEther('30000'));
  await openTrove(borrower, parseEther('5'), parseEther('9000'));
  const [params, states] = await read<[{ MCR: bigint; price: bigint }, TroveState[]]>(
    at.multiTroveGetters,
    multiTroveGettersAbi,
    'getTrovesByOwner',
    [at.troveManager, alice.address],
  );
  expect(states).toHaveLength(2);
  for (const state of states) {
    const debt = state.trove.debt + state.trove.interest;
    expect(state.owner).toBe(alice.address);
    expect(state.entireDebt).toBe(debt);
    expect(state.ICR).toBe((state.trove.coll * params.price) / debt);
    expect(state.liquidationPrice).toBe((params.MCR * debt) / state.trove.coll);
    expect(state.maxDebtToMint).toBe((state.trove.coll * params.price) / params.MCR - debt);
  }
});
interface Trove {
  debt: bigint;
  coll: bigint;
  interest: bigint;
}
interface TroveState {
  ICR: bigint;
  owner: Address;
  entireDebt: bigint;
  maxDebtToMint: bigint;
  liquidationPrice: bigint;
  trove: Trove;
}

test('depositors together own the content of the pool after random deposits and liquidations', async () => {
  await openTrove(alice, parseEther('10'), parseEther('300000'));
  await openTrove(bob, parseEther('10'), parseEther('300000'));
  await openTrove(borrower, parseEther('20'), parseEther('500000'));
  const stepArbitrary = fc.oneof(
    fc.record({ kind: fc.constant('provide' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ kind: fc.constant('withdraw' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ kind: fc.constant('liquidate' as const), who: fc.nat(1), amount: fc.integer({ min: 2000, max: 30_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 3, maxLength: 8 }), async (steps) => {
      const snapshotId = await chain.client.snapshot();
      for (const { kind, who: depositorIndex, amount } of steps) {
        const account = depositorIndex === 0 ? alice : bob;
        await mineBlock();
        const debtAmount = parseEther(String(amount));
        if (kind === 'provide' && (await yuOf(account.address)) >= debtAmount) await provideToPool(account, debtAmount);
        if (kind === 'withdraw' && (await depositOf(account)) > 0n)
          await send(account, {
            address: at.stabilityPool,
            abi: stabilityPoolAbi,
            functionName: 'withdrawFromSP',
            args: [debtAmount],
          });
        if (kind === 'liquidate') {
          const entireDebt = parseEther(String(amount + 200));
          const { id } = await openTrove(carol, (entireDebt * parseEther('1.2')) / devnetParameters.price, debtAmount);
          await setPrice(parseEther('90000'));
          const pool = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getTotalDeposits');
          if (pool > entireDebt + wad) await liquidate(borrower, id);
          await setPrice(devnetParameters.price);
        }
        const total = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getTotalDeposits');
        const sumOfDeposits = (await depositOf(alice)) + (await depositOf(bob));
        expect(
          sumOfDeposits <= total && total - sumOfDeposits <= 10n ** 9n * BigInt(steps.length),
          `${sumOfDeposits} of ${total}`,
        ).toBe(true);
        const [, aliceGains] = await read<[Address[], bigint[]]>(
          at.stabilityPool,
          stabilityPoolAbi,
          'getDepositorCollateralGain',
          [alice.address],
        );
        const [, bobGains] = await read<[Address[], bigint[]]>(at.stabilityPool, stabilityPoolAbi, 'getDepositorCollateralGain', [
          bob.address,
        ]);
        expect((aliceGains[0] ?? 0n) + (bobGains[0] ?? 0n) <= (await ybtcOf(at.stabilityPool))).toBe(true);
      }
      await chain.client.revert({ id: snapshotId });
    }),
    { numRuns: 12, seed: 20_261_121 },
  );
}, 120_000);
