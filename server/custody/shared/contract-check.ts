import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress, toFunctionSelector, type Abi, type AbiFunction, type Address, type Hex, type PublicClient } from 'viem';
import { crsmAbi } from '../../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../../chain/abi/crsm-factory.ts';
import { crsmUtilsAbi } from '../../../chain/abi/crsm-utils.ts';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { multiTroveGettersAbi } from '../../../chain/abi/multi-trove-getters.ts';
import { stabilityPoolAbi } from '../../../chain/abi/stability-pool.ts';
import { troveManagerAbi } from '../../../chain/abi/trove-manager.ts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { yuAbi } from '../../../chain/abi/yu.ts';
import type { EvmConfig } from '../../platform/core/config.ts';
import type { Services } from '../../platform/services/context.ts';
import { createChainReader } from '../../platform/evm/read.ts';
import { describeError } from '../../platform/core/log.ts';

// Checks configured contracts at start, before money goes to a wrong one.

type ContractName = keyof EvmConfig['contracts'];

const requiredFunctions: Readonly<Record<ContractName | 'crsm', { abi: Abi; functions: readonly string[] }>> = {
  yu: { abi: yuAbi, functions: ['balanceOf', 'allowance', 'approve', 'symbol'] },
  ybtc: { abi: ybtcAbi, functions: ['mint', 'mintedFor', 'balanceOf', 'totalSupply', 'allowance', 'approve'] },
  troveManager: {
    abi: troveManagerAbi,
    functions: ['getCurrentTrove', 'fetchPrice', 'MCR', 'ownerOf', 'getEntireSystemBalances', 'accountCollSurplus'],
  },
  stabilityPool: {
    abi: stabilityPoolAbi,
    functions: ['getCompoundedDebtDeposit', 'getYieldGains', 'getDepositorCollateralGain', 'getTotalDeposits'],
  },
  multiTroveGetters: { abi: multiTroveGettersAbi, functions: ['getTrovesByOwner'] },
  custodyBridge: { abi: custodyBridgeAbi, functions: ['requestRefund', 'confirmRefund', 'refundRequests', 'nonce'] },
  crsmFactory: { abi: crsmFactoryAbi, functions: ['createNewCRSM', 'deposit', 'crsmImpl'] },
  crsmUtils: { abi: crsmUtilsAbi, functions: ['getCRSM'] },
  crsm: {
    abi: crsmAbi,
    functions: [
      'getState',
      'deadline',
      'pendingDebtGasCompensation',
      'borrowerOperations',
      'withdrawFromSP',
      'claimYield',
      'claimAllCollateralGains',
      'updateCR',
      'commitDebtGasCompensation',
      'acceptDebtGasCompensation',
      'withdraw',
      'repay',
    ],
  },
};

const contractNames = Object.keys(requiredFunctions).filter((name): name is ContractName => name !== 'crsm');

/** Empty: no problem. */
export async function findContractProblems({ contracts }: EvmConfig, client: PublicClient): Promise<string[]> {
  const problems: string[] = [];
  for (const name of contractNames) {
    const address = contracts[name];
    if (address) problems.push(...(await findProblems(client, name, address)));
  }
  const { crsmFactory } = contracts;
  if (!crsmFactory || problems.some((problem) => problem.startsWith('crsmFactory'))) return problems;
  const crsmImplementation = await client.readContract({ address: crsmFactory, abi: crsmFactoryAbi, functionName: 'crsmImpl' });
  return [...problems, ...(await findProblems(client, 'crsm', crsmImplementation))];
}

async function findProblems(client: PublicClient, name: keyof typeof requiredFunctions, address: Address): Promise<string[]> {
  const code = await readImplementationCode(client, address);
  if (!code) return [`${name} ${address}: no code there`];
  const { abi, functions } = requiredFunctions[name];
  const missingFunctions = functions.filter((functionName) => !hasFunction(code, abi, functionName));
  return missingFunctions.length > 0 ? [`${name} ${address}: no ${missingFunctions.join(', ')}`] : [];
}

function hasFunction(code: string, abi: Abi, functionName: string): boolean {
  const entries = abi.filter((item): item is AbiFunction => item.type === 'function' && item.name === functionName);
  // Compilers drop leading zeros of a selector.
  return entries.some((entry) =>
    code.includes(
      toFunctionSelector(entry)
        .slice(2)
        .replace(/^(00)+/, ''),
    ),
  );
}

const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;
/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** Follows minimal (EIP-1167) and upgradeable (EIP-1967) proxies. */
export async function readImplementationCode(client: PublicClient, address: Address, maxHops = 2): Promise<string | null> {
  const code = await client.getCode({ address });
  if (!code || maxHops === 0) return code ?? null;
  const cloneTarget = minimalProxy.exec(code)?.[1];
  if (cloneTarget) return readImplementationCode(client, getAddress(`0x${cloneTarget}`), maxHops - 1);
  const slotValue = await client.getStorageAt({ address, slot: implementationSlot });
  const implementation = slotValue && BigInt(slotValue) !== 0n ? getAddress(`0x${slotValue.slice(-40)}` satisfies Hex) : null;
  return implementation ? readImplementationCode(client, implementation, maxHops - 1) : code;
}

const intervalMs = 30_000;

/** Logs the result in one line. Retries until the chain answers. */
export function startContractCheck({ config: { evm }, log }: Services): () => void {
  if (!evm) return () => {};
  const abortController = new AbortController();
  const check = async () => {
    const reader = createChainReader(evm, { signal: abortController.signal });
    while (!abortController.signal.aborted) {
      try {
        const problems = await findContractProblems(evm, await reader.client());
        if (problems.length === 0) log.info({ chainId: evm.chainId }, 'contract check passed');
        else log.error({ chainId: evm.chainId, problems }, `contract check failed: ${problems.join(', ')}`);
        return;
      } catch (error) {
        log.warn({ err: describeError(error) }, 'could not check the contracts, will retry');
        await sleep(intervalMs, undefined, { signal: abortController.signal, ref: false }).catch(() => {});
      }
    }
  };
  void check();
  return () => abortController.abort();
}
