import {
  createTestClient,
  createWalletClient,
  encodeDeployData,
  getContractAddress,
  http,
  parseEther,
  publicActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { foundry } from 'viem/chains';
import bytecode from './bytecode.json' with { type: 'json' };
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { crsmFactoryAbi } from './abi/crsm-factory.ts';
import { crsmUtilsAbi } from './abi/crsm-utils.ts';
import { crsmAbi } from './abi/crsm.ts';
import { custodyBridgeAbi } from './abi/custody-bridge.ts';
import { multiTroveGettersAbi } from './abi/multi-trove-getters.ts';
import { priceFeedAbi } from './abi/price-feed.ts';
import { stabilityPoolAbi } from './abi/stability-pool.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { yuAbi } from './abi/yu.ts';
import { getDevnetAccount as account } from './accounts.ts';

export const devnetAccounts = {
  deployer: account(0), // owner of the contracts, and notary
  minter: account(1), // the panel's minter
  operators: [account(2), account(3), account(4), account(5), account(6)], // institutions
  borrower: account(7),
  feeReceiver: account(8),
};

const deploymentOrder = [
  'yu',
  'ybtc',
  'priceFeed',
  'stabilityPool',
  'borrowerOperations',
  'troveManager',
  'multiTroveGetters',
  'custodyBridge',
  'crsm',
  'crsmFactory',
  'crsmUtils',
] as const;
export type Contracts = Record<(typeof deploymentOrder)[number], Address>;

/** Deterministic: by the deployer's first nonces. */
export const devnetContracts = Object.fromEntries(
  deploymentOrder.map((name, nonce) => [
    name,
    getContractAddress({ from: devnetAccounts.deployer.address, nonce: BigInt(nonce) }),
  ]),
) as Contracts;

export const devnetParameters = {
  MCR: parseEther('1.1'),
  SCR: parseEther('1.1'),
  CCR: parseEther('1.5'),
  interestRate: parseEther('0.04'),
  maxSystemDebt: parseEther('1000000000'),
  SP_YIELD_PCT: parseEther('0.8'),
  liquidationPenaltySP: parseEther('0.05'),
  maxCollGasCompensation: parseEther('0.05'),
  price: parseEther('100000'),
  minNetDebt: parseEther('2000'),
  /** Seconds. */
  cooling: 300n,
  /** Seconds. */
  crsmDelay: 300n,
};

async function isDeployed(client: ReturnType<typeof createClient>): Promise<boolean> {
  const bytecodes = await Promise.all(deploymentOrder.map((name) => client.getCode({ address: devnetContracts[name] })));
  if (bytecodes.some((code) => !code)) return false;
  const address = devnetContracts.ybtc;
  return client.readContract({ address, abi: ybtcAbi, functionName: 'isMinter', args: [devnetAccounts.minter.address] });
}

const createClient = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, transport: http(url), pollingInterval: 50 }).extend(publicActions);

/**
 * Does nothing if they exist. Resets a chain that lost some, because a killed anvil forgets its last blocks. Returns whether the
 * chain is new.
 */
export async function deployOnDevnet(url: string): Promise<boolean> {
  const client = createClient(url);
  if (await isDeployed(client)) return false;
  const deployer = devnetAccounts.deployer;
  if ((await client.getTransactionCount({ address: deployer.address })) > 0)
    await client.request({ method: 'anvil_reset', params: [] } as never);
  const wallet = createWalletClient({ account: deployer, chain: foundry, transport: http(url) });
  const { yu, ybtc, priceFeed, stabilityPool, borrowerOperations, troveManager, crsm, crsmFactory } = devnetContracts;
  const parameters = devnetParameters;
  let nonce = 0;
  const hashes: Hex[] = [];
  const deploy = async (name: keyof typeof bytecode, abi: Abi, args: unknown[] = []) => {
    const data = encodeDeployData({ abi, bytecode: bytecode[name] as Hex, args });
    hashes.push(await wallet.sendTransaction({ data, nonce: nonce++, gas: 8_000_000n }));
  };
  await deploy('Yu', yuAbi);
  await deploy('Ybtc', ybtcAbi);
  await deploy('PriceFeed', priceFeedAbi, [parameters.price]);
  await deploy('StabilityPool', stabilityPoolAbi, [yu]);
  await deploy('BorrowerOperations', borrowerOperationsAbi, [yu, parameters.minNetDebt]);
  const feeReceiver = devnetAccounts.feeReceiver.address;
  await deploy('TroveManager', troveManagerAbi, [
    ybtc,
    yu,
    stabilityPool,
    priceFeed,
    borrowerOperations,
    feeReceiver,
    parameters,
  ]);
  await deploy('MultiTroveGetters', multiTroveGettersAbi);
  await deploy('CustodyBridge', custodyBridgeAbi, [ybtc, parameters.cooling]);
  await deploy('Crsm', crsmAbi, [crsmFactory, borrowerOperations, stabilityPool, yu, parameters.crsmDelay]);
  await deploy('CrsmFactory', crsmFactoryAbi, [borrowerOperations, yu]);
  await deploy('CrsmUtils', crsmUtilsAbi, [crsmFactory]);

  const sendCall = async (request: { address: Address; abi: Abi; functionName: string; args: unknown[] }) => {
    hashes.push(await wallet.writeContract({ ...request, nonce: nonce++, gas: 500_000n } as never));
  };
  for (const protocol of [stabilityPool, borrowerOperations, troveManager])
    await sendCall({ address: yu, abi: yuAbi, functionName: 'setProtocol', args: [protocol, true] });
  await sendCall({ address: stabilityPool, abi: stabilityPoolAbi, functionName: 'addTroveManager', args: [troveManager, ybtc] });
  await sendCall({
    address: borrowerOperations,
    abi: borrowerOperationsAbi,
    functionName: 'addTroveManager',
    args: [troveManager],
  });
  await sendCall({ address: ybtc, abi: ybtcAbi, functionName: 'setMinter', args: [devnetAccounts.minter.address, true] });
  await sendCall({ address: crsmFactory, abi: crsmFactoryAbi, functionName: 'setCRSMImpl', args: [crsm] });
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`a transaction of the devnet set-up failed: ${hash}`);
  }
  return true;
}
