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
import { compiledOf, compiledPath } from './compile.ts';
import { devnetAccounts, devnetContracts as at, devnetParameters } from './deploy.ts';
import { depositHash } from './deposit-hash.ts';
import { startTestProtocol } from './test-protocol.ts';
import { readFileSync } from 'node:fs';

const one = parseEther('1');
const year = 365n * 86_400n;
const { deployer, minter, borrower, operators, feeReceiver } = devnetAccounts;
const [alice, bob, carol] = operators as [HDAccount, HDAccount, HDAccount];

const {
  chain,
  send,
  read,
  mint,
  open,
  troveOf,
  ybtcOf,
  yuOf,
  price,
  provide,
  liquidate,
  depositOf,
  nextBlock,
  later,
  inOneBlock,
} = await startTestProtocol();

test('chain/abi and bytecode.json match the hash of these sources', () => {
  expect(compiledOf()).toBe(readFileSync(compiledPath('compiled.txt'), 'utf8'));
});

test('only a minter can mint, once per deposit', async () => {
  const args = [depositHash('mainnet', 'ab'.repeat(32), 1), alice.address, one];
  const call = { address: at.ybtc, abi: ybtcAbi, functionName: 'mint', args };
  await expect(send(alice, call)).rejects.toThrow(/NotMinter/);
  await send(minter, call);
  await expect(send(minter, call)).rejects.toThrow(/AlreadyMinted/);
  await expect(send(minter, { ...call, args: [args[0], bob.address, 1n] })).rejects.toThrow(/AlreadyMinted/);
  expect(await ybtcOf(alice.address)).toBe(one);
  await send(minter, { ...call, args: [depositHash('mainnet', 'ab'.repeat(32), 2), alice.address, one] });
  await send(minter, { ...call, args: [depositHash('signet', 'ab'.repeat(32), 1), alice.address, one] });
  expect(await read<bigint>(at.ybtc, ybtcAbi, 'totalSupply')).toBe(3n * one);
});

test('debt includes the gas compensation, and ICR is collateral × price / (debt + interest)', async () => {
  const { id } = await open(alice, one, parseEther('20000'));
  expect(await yuOf(alice.address)).toBe(parseEther('20000'));
  const trove = await troveOf(id);
  expect(trove.debt).toBe(parseEther('20200'));
  const icr = await read<bigint>(at.troveManager, troveManagerAbi, 'getCurrentICR', [id, devnetParameters.price]);
  expect(icr).toBe((one * devnetParameters.price) / (trove.debt + trove.interest));
  const none = await read<bigint>(at.troveManager, troveManagerAbi, 'getCurrentICR', [99n, devnetParameters.price]);
  expect(none).toBe(2n ** 256n - 1n);
});

test('interest is simple, on principal only, and minted to the stability pool and the fee receiver', async () => {
  const { id, at: opened } = await open(alice, parseEther('2'), parseEther('50000'));
  await provide(alice, parseEther('10000'));
  await later(30n * 86_400n);
  await send(bob, { address: at.troveManager, abi: troveManagerAbi, functionName: 'accrue', args: [] });
  const { timestamp } = await chain.client.getBlock();
  const principal = parseEther('50200');
  const expected = (principal * (timestamp - opened) * devnetParameters.interestRate) / year / one;
  const trove = await troveOf(id);
  expect(close(trove.interest, expected, 10n ** 6n)).toBe(true);
  const share = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getYieldGains', [alice.address]);
  const fees = await yuOf(feeReceiver.address);
  expect(close(share + fees, expected, 10n ** 6n)).toBe(true);
});
const close = (a: bigint, b: bigint, by: bigint) => (a > b ? a - b : b - a) <= by;

test('opening a trove requires minimum debt, MCR and a system at CCR', async () => {
  await expect(open(alice, one, parseEther('1999'))).rejects.toThrow(/minimum/);
  await expect(open(alice, one, parseEther('91000'))).rejects.toThrow(/below MCR/);
  await expect(open(alice, one, parseEther('80000'))).rejects.toThrow(/TCR would fall below CCR/);
  await open(alice, one, parseEther('60000'));
});

test('a repayment reduces principal to the minimum, then interest', async () => {
  const { id } = await open(alice, one, parseEther('10000'));
  await later(year);
  await open(bob, parseEther('2'), parseEther('50000'));
  const repay = (amount: bigint) =>
    send(bob, {
      address: at.borrowerOperations,
      abi: borrowerOperationsAbi,
      functionName: 'repay',
      args: [at.troveManager, id, amount],
    });
  await repay(parseEther('5000'));
  expect((await troveOf(id)).debt).toBe(parseEther('5200'));
  const before = await yuOf(bob.address);
  const { interest } = await troveOf(id);
  await repay(parseEther('40000'));
  const after = await troveOf(id);
  expect(after.debt).toBe(parseEther('2200'));
  expect(after.interest).toBe(0n);
  expect(close(before - (await yuOf(bob.address)), parseEther('3000') + interest, 10n ** 16n)).toBe(true);
});

test('a liquidation burns pool deposits and pays collateral with the penalty to depositors', async () => {
  const { id } = await open(alice, one, parseEther('60000'));
  await open(bob, parseEther('4'), parseEther('100000'));
  await provide(bob, parseEther('80000'));
  await expect(liquidate(carol, id)).rejects.toThrow(/nothing to liquidate/);
  const low = parseEther('66000');
  await price(low);
  const trove = await troveOf(id);
  await liquidate(carol, id);
  const entire = trove.debt + trove.interest;
  expect(close(await depositOf(bob), parseEther('80000') - entire, 10n ** 15n)).toBe(true);
  const [, gains] = await read<[Address[], bigint[]]>(at.stabilityPool, stabilityPoolAbi, 'getDepositorCollateralGain', [
    bob.address,
  ]);
  const collGas = one / 200n;
  const portion = (entire * parseEther('1.05')) / low;
  const seized = portion < one - collGas ? portion : one - collGas;
  expect(close(gains[0] ?? 0n, seized, 10n ** 12n)).toBe(true);
  expect(await ybtcOf(carol.address)).toBe(collGas);
  expect(await yuOf(carol.address)).toBe(parseEther('200'));
  const surplus = await read<bigint>(at.troveManager, troveManagerAbi, 'accountCollSurplus', [alice.address]);
  expect(close(surplus, one - collGas - seized, 10n ** 12n)).toBe(true);
  await send(bob, {
    address: at.stabilityPool,
    abi: stabilityPoolAbi,
    functionName: 'claimAllCollateralGains',
    args: [bob.address],
  });
  expect(close(await ybtcOf(bob.address), seized, 10n ** 12n)).toBe(true);
});

test('emptying the pool begins a new epoch, and earlier depositors keep their gains', async () => {
  const { id } = await open(alice, one, parseEther('60000'));
  await open(bob, parseEther('4'), parseEther('100000'));
  await price(parseEther('66000'));
  const { debt, interest } = await troveOf(id);
  // Interest is constant within a second.
  await provide(bob, debt + interest + parseEther('1'));
  await liquidate(carol, id);
  expect(close(await depositOf(bob), parseEther('1'), parseEther('0.1'))).toBe(true);
  await provide(bob, parseEther('10'));
  expect(close(await depositOf(bob), parseEther('11'), parseEther('0.1'))).toBe(true);
});

test('a deposit cannot be withdrawn in its own block', async () => {
  await open(alice, one, parseEther('10000'));
  await provide(alice, parseEther('5000'));
  await nextBlock();
  await send(alice, {
    address: at.stabilityPool,
    abi: stabilityPoolAbi,
    functionName: 'withdrawFromSP',
    args: [parseEther('9999999')],
  });
  expect(await depositOf(alice)).toBe(0n);
  expect(await yuOf(alice.address)).toBe(parseEther('10000')); // clamped to the deposit
  const call = { address: at.stabilityPool, abi: stabilityPoolAbi, args: [parseEther('1')] };
  const statuses = await inOneBlock(alice, [
    { ...call, functionName: 'provideToSP' },
    { ...call, functionName: 'withdrawFromSP' },
  ]);
  expect(statuses).toEqual(['success', 'reverted']);
});

test('the token refuses direct transfers of YU into the protocol', async () => {
  await open(alice, one, parseEther('10000'));
  for (const to of [at.stabilityPool, at.troveManager, at.borrowerOperations, at.yu])
    await expect(send(alice, { address: at.yu, abi: yuAbi, functionName: 'transfer', args: [to, 1n] })).rejects.toThrow(
      /cannot be sent there/,
    );
});

test('a refund locks YBTC, cools, and can be confirmed once by its owner', async () => {
  await mint(alice, one);
  const source = `0x${'ef'.repeat(32)}`;
  const receiver = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
  const request = {
    address: at.custodyBridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [source, receiver, one],
  };
  await expect(send(alice, request)).rejects.toThrow(/0xfb8f41b2/); // ERC20InsufficientAllowance
  await send(alice, { address: at.ybtc, abi: ybtcAbi, functionName: 'approve', args: [at.custodyBridge, one] });
  const { timestamp } = await send(alice, request);
  const [srcHash, token, from, amount, endAt, , to, status] = await read<unknown[]>(
    at.custodyBridge,
    custodyBridgeAbi,
    'refundRequests',
    [0n],
  );
  expect([srcHash, token, from, amount, endAt, to, status]).toEqual([
    source,
    at.ybtc,
    alice.address,
    one,
    timestamp + devnetParameters.cooling,
    receiver,
    1,
  ]);
  const confirm = { address: at.custodyBridge, abi: custodyBridgeAbi, functionName: 'confirmRefund', args: [0n] };
  await expect(send(alice, confirm)).rejects.toThrow(/StillCooling/);
  await later(devnetParameters.cooling);
  await expect(send(bob, confirm)).rejects.toThrow(/NotRequester/);
  await send(alice, confirm);
  await expect(send(alice, confirm)).rejects.toThrow(/WrongStatus/);
  expect(await read<bigint>(at.ybtc, ybtcAbi, 'totalSupply')).toBe(0n);
  const payout = `0x${'12'.repeat(32)}`;
  await expect(send(alice, { ...confirm, functionName: 'completeRefund', args: [0n, payout] })).rejects.toThrow(
    /OwnableUnauthorized/,
  );
  await send(deployer, { ...confirm, functionName: 'completeRefund', args: [0n, payout] });
  await expect(send(deployer, { ...confirm, functionName: 'cancelRefund' })).rejects.toThrow(/WrongStatus/);
});

test('a canceled refund returns the YBTC', async () => {
  await mint(alice, one);
  await send(alice, { address: at.ybtc, abi: ybtcAbi, functionName: 'approve', args: [at.custodyBridge, one] });
  const bridge = { address: at.custodyBridge, abi: custodyBridgeAbi };
  await send(alice, { ...bridge, functionName: 'requestRefund', args: [`0x${'ef'.repeat(32)}`, 'bc1q', one] });
  expect(await ybtcOf(alice.address)).toBe(0n);
  await send(deployer, { ...bridge, functionName: 'cancelRefund', args: [0n] });
  expect(await ybtcOf(alice.address)).toBe(one);
});

test('the getters return the same trove data as the manager', async () => {
  await open(alice, parseEther('3'), parseEther('50000'));
  await open(alice, parseEther('1'), parseEther('30000'));
  await open(borrower, parseEther('5'), parseEther('9000'));
  const [params, states] = await read<[{ MCR: bigint; price: bigint }, State[]]>(
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
interface State {
  ICR: bigint;
  owner: Address;
  entireDebt: bigint;
  maxDebtToMint: bigint;
  liquidationPrice: bigint;
  trove: Trove;
}

test('depositors together own the content of the pool after random deposits and liquidations', async () => {
  await open(alice, parseEther('10'), parseEther('300000'));
  await open(bob, parseEther('10'), parseEther('300000'));
  await open(borrower, parseEther('20'), parseEther('500000'));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('provide' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ kind: fc.constant('withdraw' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ kind: fc.constant('liquidate' as const), who: fc.nat(1), amount: fc.integer({ min: 2000, max: 30_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const start = await chain.client.snapshot();
      for (const { kind, who, amount } of steps) {
        const account = who === 0 ? alice : bob;
        await nextBlock();
        const sum = parseEther(String(amount));
        if (kind === 'provide' && (await yuOf(account.address)) >= sum) await provide(account, sum);
        if (kind === 'withdraw' && (await depositOf(account)) > 0n)
          await send(account, { address: at.stabilityPool, abi: stabilityPoolAbi, functionName: 'withdrawFromSP', args: [sum] });
        if (kind === 'liquidate') {
          const entire = parseEther(String(amount + 200));
          const { id } = await open(carol, (entire * parseEther('1.2')) / devnetParameters.price, sum);
          await price(parseEther('90000'));
          const pool = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getTotalDeposits');
          if (pool > entire + one) await liquidate(borrower, id);
          await price(devnetParameters.price);
        }
        const total = await read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getTotalDeposits');
        const owned = (await depositOf(alice)) + (await depositOf(bob));
        expect(owned <= total && total - owned <= 10n ** 9n * BigInt(steps.length), `${owned} of ${total}`).toBe(true);
        const [, mine] = await read<[Address[], bigint[]]>(at.stabilityPool, stabilityPoolAbi, 'getDepositorCollateralGain', [
          alice.address,
        ]);
        const [, theirs] = await read<[Address[], bigint[]]>(at.stabilityPool, stabilityPoolAbi, 'getDepositorCollateralGain', [
          bob.address,
        ]);
        expect((mine[0] ?? 0n) + (theirs[0] ?? 0n) <= (await ybtcOf(at.stabilityPool))).toBe(true);
      }
      await chain.client.revert({ id: start });
    }),
    { numRuns: 12, seed: 20_261_121 },
  );
}, 120_000);
