import { parseEther, type Address, type Hex, type HDAccount } from 'viem';
import { borrowerOperationsAbi } from '../../chain/abi/borrower-operations.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { priceFeedAbi } from '../../chain/abi/price-feed.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { yuAbi } from '../../chain/abi/yu.ts';
import { devnetAccounts, devnetContracts as at } from '../../chain/deploy.ts';
import { startTestChain } from '../../chain/test-chain.ts';

export const percentToWad = (value: number) => BigInt(value) * 10n ** 16n;
export const yuToWei = (value: number) => parseEther(String(value));

const { deployer, minter, operators } = devnetAccounts;
let mintCount = 0;

export const buildChainEnv = (...urls: readonly string[]): Record<string, string> => ({
  EVM_RPC_URLS: urls.join(','),
  EVM_CHAIN_ID: '31337',
  YU_ADDRESS: at.yu,
  YBTC_ADDRESS: at.ybtc,
  TROVE_MANAGER_ADDRESS: at.troveManager,
  STABILITY_POOL_ADDRESS: at.stabilityPool,
  MULTI_TROVE_GETTERS_ADDRESS: at.multiTroveGetters,
  CUSTODY_BRIDGE_ADDRESS: at.custodyBridge,
  CRSM_FACTORY_ADDRESS: at.crsmFactory,
  CRSM_UTILS_ADDRESS: at.crsmUtils,
  MINT_DEPTH: '1',
});

/** The protocol on a devnet. Transactions are not awaited. */
export async function startCrsmChain() {
  const chain = await startTestChain();
  const sendCall = (
    account: HDAccount,
    address: Address,
    abi: readonly unknown[],
    functionName: string,
    args: unknown[],
  ): Promise<Hex> => chain.as(account).writeContract({ address, abi, functionName, args, gas: 2_000_000n } as never);
  const read = <T>(address: Address, abi: readonly unknown[], functionName: string, args: unknown[] = []) =>
    chain.client.readContract({ address, abi, functionName, args } as never) as Promise<T>;

  return {
    ...chain,
    operators: operators as [HDAccount, HDAccount, HDAccount, HDAccount, HDAccount],
    call: sendCall,
    read,
    async fund() {
      for (const account of operators) {
        const id = `0x${(++mintCount).toString(16).padStart(64, '0')}`;
        await sendCall(minter, at.ybtc, ybtcAbi, 'mint', [id, account.address, parseEther('1000')]);
        await sendCall(account, at.ybtc, ybtcAbi, 'approve', [at.borrowerOperations, parseEther('1000000')]);
        await sendCall(account, at.yu, yuAbi, 'approve', [at.crsmFactory, parseEther('1000000000')]);
      }
    },
    open: (account: HDAccount, collateral = parseEther('1'), debt = yuToWei(40_000)) =>
      sendCall(account, at.borrowerOperations, borrowerOperationsAbi, 'openTrove', [
        at.troveManager,
        account.address,
        collateral,
        debt,
      ]),
    nextTrove: () => read<bigint>(at.troveManager, troveManagerAbi, 'nonce'),
    create: (account: HDAccount, troveId: bigint, amount = yuToWei(10_000)) =>
      sendCall(account, at.crsmFactory, crsmFactoryAbi, 'createNewCRSM', [
        at.troveManager,
        troveId,
        percentToWad(150),
        percentToWad(180),
        percentToWad(200),
        yuToWei(50),
        amount,
      ]),
    async newest(): Promise<Address> {
      const count = await read<bigint>(at.crsmFactory, crsmFactoryAbi, 'totalSupply');
      const token = await read<bigint>(at.crsmFactory, crsmFactoryAbi, 'tokenByIndex', [count - 1n]);
      return read<Address>(at.crsmFactory, crsmFactoryAbi, 'crsms', [token]);
    },
    deposit: (account: HDAccount, crsm: Address, amount: bigint) =>
      sendCall(account, at.crsmFactory, crsmFactoryAbi, 'deposit', [crsm, amount]),
    act: (account: HDAccount, crsm: Address, functionName: string, args: unknown[]) =>
      sendCall(account, crsm, crsmAbi, functionName, args),
    price: (value: bigint) => sendCall(deployer, at.priceFeed, priceFeedAbi, 'setPrice', [value]),
    rate: (value: bigint) => sendCall(deployer, at.troveManager, troveManagerAbi, 'setInterestRate', [value]),
    liquidate: (id: bigint) => sendCall(deployer, at.troveManager, troveManagerAbi, 'batchLiquidate', [[id]]),
    mine: (blockCount = 1) => chain.client.mine({ blocks: blockCount }),
  };
}

export type CrsmTestChain = Awaited<ReturnType<typeof startCrsmChain>>;
