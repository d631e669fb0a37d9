import { getAddress, parseGwei, type Address, type Hex } from 'viem';
import * as z from 'zod';
import { explorerText, chooseExplorer } from './explorer.ts';
import { nodeVariables, readNodes, type NodeUrls } from './node-urls.ts';
import { ConfigError, evmAddressText, gweiText, integerText, type ValuesOf } from './values.ts';

export const evmVariables = {
  ...nodeVariables,
  EVM_CHAIN_ID: integerText(1, 2_147_483_647).optional(),
  EVM_EXPLORER_URL: explorerText.optional(),
  YU_ADDRESS: evmAddressText.optional(),
  YBTC_ADDRESS: evmAddressText.optional(),
  TROVE_MANAGER_ADDRESS: evmAddressText.optional(),
  STABILITY_POOL_ADDRESS: evmAddressText.optional(),
  MULTI_TROVE_GETTERS_ADDRESS: evmAddressText.optional(),
  CUSTODY_BRIDGE_ADDRESS: evmAddressText.optional(),
  /** Without both there are no CRSMs. */
  CRSM_FACTORY_ADDRESS: evmAddressText.optional(),
  CRSM_UTILS_ADDRESS: evmAddressText.optional(),
  CHAIN_START_BLOCK: integerText(0, 2_147_483_647).default(0),
  MINTER_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x followed by 64 hexadecimal digits')
    .optional(),
  /** Confirmations until a mint is final. */
  MINT_DEPTH: integerText(1, 1000).optional(),
  /** Gwei per gas. Above this a mint waits. */
  MINT_MAX_FEE: gweiText.default(parseGwei('300')),
  MINT_MAX_TIP: gweiText.default(parseGwei('10')),
};

export interface EvmConfig {
  /** All must agree where money depends on the answer. */
  readonly urls: NodeUrls;
  readonly chainId: number;
  readonly contracts: EvmContracts;
  /** Null: this server mints nothing. */
  readonly minterKey: Hex | null;
  readonly mintDepth: bigint;
  /** No contract is older. */
  readonly startBlock: bigint;
}

type EvmContracts = Readonly<
  Record<'yu' | 'ybtc' | 'troveManager' | 'stabilityPool' | 'multiTroveGetters' | 'custodyBridge', Address>
> & {
  /** Both null: no CRSMs. */
  readonly crsmFactory: Address | null;
  readonly crsmUtils: Address | null;
};

export interface ChainConfig {
  readonly evm: EvmConfig | null;
  readonly evmExplorer: string | null;
  /** Wei per gas. */
  readonly mintLimits: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
}

export function readEvm(values: ValuesOf<typeof evmVariables>): ChainConfig {
  if (values.MINT_MAX_TIP > values.MINT_MAX_FEE) throw new ConfigError('MINT_MAX_TIP must not be higher than MINT_MAX_FEE');
  return {
    evm: readChain(values),
    evmExplorer: chooseExplorer(values.EVM_EXPLORER_URL, publicExplorers.get(values.EVM_CHAIN_ID ?? 0)),
    mintLimits: { maxFeePerGas: values.MINT_MAX_FEE, maxPriorityFeePerGas: values.MINT_MAX_TIP },
  };
}

const publicExplorers: ReadonlyMap<number, string> = new Map([
  [1, 'https://etherscan.io'],
  [11_155_111, 'https://sepolia.etherscan.io'],
]);

function readChain(values: ValuesOf<typeof evmVariables>): EvmConfig | null {
  const nodes = readNodes(values, (line) => new ConfigError(line));
  if (!nodes) return null;
  const requireValue = <T>(name: string, value: T | undefined, requiredBy: string = nodes.name): T => {
    if (value === undefined) throw new ConfigError(`${name} is required when ${requiredBy} is set`);
    return value;
  };
  const address = (name: ContractVariable) => getAddress(requireValue(name, values[name]));
  const hasCrsms = Boolean(values.CRSM_FACTORY_ADDRESS ?? values.CRSM_UTILS_ADDRESS);
  return {
    urls: nodes.urls,
    chainId: requireValue('EVM_CHAIN_ID', values.EVM_CHAIN_ID),
    contracts: {
      yu: address('YU_ADDRESS'),
      ybtc: address('YBTC_ADDRESS'),
      troveManager: address('TROVE_MANAGER_ADDRESS'),
      stabilityPool: address('STABILITY_POOL_ADDRESS'),
      multiTroveGetters: address('MULTI_TROVE_GETTERS_ADDRESS'),
      custodyBridge: address('CUSTODY_BRIDGE_ADDRESS'),
      crsmFactory: hasCrsms
        ? getAddress(requireValue('CRSM_FACTORY_ADDRESS', values.CRSM_FACTORY_ADDRESS, 'CRSM_UTILS_ADDRESS'))
        : null,
      crsmUtils: hasCrsms
        ? getAddress(requireValue('CRSM_UTILS_ADDRESS', values.CRSM_UTILS_ADDRESS, 'CRSM_FACTORY_ADDRESS'))
        : null,
    },
    minterKey: (values.MINTER_KEY as Hex | undefined) ?? null,
    mintDepth: BigInt(values.MINT_DEPTH ?? 12),
    startBlock: BigInt(values.CHAIN_START_BLOCK),
  };
}

type ContractVariable = Extract<keyof typeof evmVariables, `${string}_ADDRESS`>;
