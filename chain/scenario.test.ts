import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { distanceToTrigger } from '../api/crsm/values.ts';
import { crsmUtilsAbi } from './abi/crsm-utils.ts';
import { crsmAbi } from './abi/crsm.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { devnetAccounts, devnetContracts as at } from './deploy.ts';
import { openDemoCrsms, openDemoPositions } from './scenario.ts';
import { startTestProtocol } from './test-protocol.ts';

const { chain, mint, read } = await startTestProtocol();

interface ListedCrsm {
  crsm: `0x${string}`;
  ICR: bigint;
  crsmState: { owner: string; TRGCR: bigint; debtTokenBalance: bigint };
}

test('the demo has CRSMs far above, below and near their triggers, and one trove without a CRSM', async () => {
  expect([await openDemoPositions(chain.url), await openDemoCrsms(chain.url)]).toEqual([false, false]); // no YBTC yet
  for (const account of devnetAccounts.operators.slice(0, 4)) await mint(account, parseEther('2'));
  await openDemoPositions(chain.url);
  await openDemoCrsms(chain.url);
  const blockNumber = await chain.client.getBlockNumber();
  expect([await openDemoPositions(chain.url), await openDemoCrsms(chain.url)]).toEqual([true, true]);
  expect(await chain.client.getBlockNumber()).toBe(blockNumber);

  const [states] = await read<[ListedCrsm[], bigint]>(at.crsmUtils, crsmUtilsAbi, 'getCRSM', [0n, 9n]);
  const distancesInPercent = states.map(({ ICR, crsmState }) =>
    Number((distanceToTrigger(ICR, crsmState.TRGCR) ?? 0n) / 10n ** 16n),
  );
  // Interest accrues between blocks.
  expect(distancesInPercent).toEqual([expect.closeTo(50, -0.5), expect.closeTo(-2, -0.3), expect.closeTo(2, -0.3)]);
  expect(states.map(({ crsmState }) => crsmState.owner)).toEqual(
    devnetAccounts.operators.slice(0, 3).map(({ address }) => address),
  );
  expect(await read<bigint>(at.troveManager, troveManagerAbi, 'totalSupply')).toBe(4n);
  expect(states[0]?.crsmState.debtTokenBalance).toBe(parseEther('500'));
  const address = states[0]?.crsm ?? '0x';
  expect(await read<bigint>(address, crsmAbi, 'pendingDebtGasCompensation')).toBe(parseEther('15'));
  expect(await read<bigint>(address, crsmAbi, 'deadline')).toBeGreaterThan(0n);
});
