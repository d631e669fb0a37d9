import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { nodeVariables, readNodes, type NodeUrls } from '../platform/core/config/node-urls.ts';
import { isHttp, splitList } from '../platform/core/config/urls.ts';
import { getAddress, parseGwei, type Address, type Hex } from 'viem';
import type { SignerStateOptions } from '../authority/signer-state.ts';
import type { BitcoinNetwork } from '../../api/access/wallet.ts';
import { mintClaim } from '../../api/authority/statements.ts';
import { toSafeInteger } from '../../api/integers.ts';
import { devnetChain, isLoopback, isPrivate } from '../platform/core/config-checks.ts';
import { fileVariableName, readEnvironment } from '../platform/core/secret-files.ts';
import { StartError } from '../platform/core/start-error.ts';
import { findDatabaseUrlProblem } from '../platform/core/database-url.ts';

const text = () => z.string().check(z.minLength(1));
const key = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x followed by 64 hexadecimal digits' }));
const address = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x followed by 40 hexadecimal digits' }));
const integerBetween = (min: number, max: number) => {
  const range = { error: `must be between ${min} and ${max}` };
  return z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/, { error: 'must be a whole number' })),
    z.pipe(
      z.transform((value: string) => toSafeInteger(value)),
      z.int().check(z.minimum(min, range), z.maximum(max, range)),
    ),
  );
};
const gweiField = () =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}(\.\d{1,9})?$/, { error: 'must be an amount in gwei like 1.5' })),
    z.transform((value: string) => parseGwei(value)),
  );

const schema = z.object({
  NODE_ENV: z._default(z.enum(['development', 'production', 'test']), 'development'),
  SIGNER_DATABASE_URL: text().check(
    z.refine((value) => findDatabaseUrlProblem(value) === null, {
      error: ({ input }) => findDatabaseUrlProblem(String(input)) ?? '',
    }),
  ),
  /** For the signer's record only. */
  SIGNER_DIR: text(),
  AUTHORITY_GENESIS: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lowercase hexadecimal digits' })),
  MINTER_KEY: key(),
  ...nodeVariables,
  EVM_CHAIN_ID: integerBetween(1, 2_147_483_647),
  YBTC_ADDRESS: address(),
  CUSTODY_BRIDGE_ADDRESS: address(),
  CHAIN_START_BLOCK: z._default(integerBetween(0, 2_147_483_647), 0),
  MINT_DEPTH: z._default(integerBetween(1, 1000), 12),
  MINT_MAX_FEE: z._default(gweiField(), parseGwei('300')),
  MINT_MAX_TIP: z._default(gweiField(), parseGwei('10')),
  BITCOIN_NETWORK: z._default(mintClaim.shape.network, 'mainnet'),
  BITCOIN_CONFIRMATIONS: z._default(integerBetween(1, 1000), 6),
  /** At least two in production. */
  SIGNER_ESPLORA_URLS: text(),
  /** Whether to create a missing record. Off in production, where a missing record was lost. */
  SIGNER_BEGIN: z.optional(z.enum(['on', 'off'])),
  /** Hash of a line compared by people: a new record accepts the times of the log up to it. */
  SIGNER_TRUSTED_HEAD: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lowercase hexadecimal digits' })),
  ),
  /** Clock offset of the test environment. */
  SIGNER_SECONDS_AHEAD: z.optional(integerBetween(0, 999_999_999)),
  /** For node_exporter. */
  SIGNER_METRICS_FILE: z.optional(text()),
  LOG_LEVEL: z._default(z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']), 'info'),
});

/** Can also be read from files (`NAME_FILE`), so that the environment does not show them. */
const secretVariables = ['MINTER_KEY', 'SIGNER_DATABASE_URL', 'EVM_RPC_URL', 'EVM_RPC_URLS'];

/** Documented in docs/operations/custody-and-signer.md. */
export const signerVariables: readonly string[] = [...Object.keys(schema.shape), ...secretVariables.map(fileVariableName)];

/** Separate from the web process. */
export interface SignerConfig {
  /** Accepts a development log, on this machine's devnet outside production. */
  readonly development: boolean;
  readonly databaseUrl: string;
  readonly dir: string;
  readonly genesis: string;
  readonly memory: SignerStateOptions;
  readonly minterKey: Hex;
  readonly urls: NodeUrls;
  readonly chainId: number;
  readonly ybtc: Address;
  readonly bridge: Address;
  readonly startBlock: bigint;
  readonly depth: bigint;
  readonly limits: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
  readonly bitcoinNetwork: BitcoinNetwork;
  readonly bitcoinConfirmations: number;
  readonly esploraUrls: readonly string[];
  readonly aheadMs: number;
  readonly metricsFile: string | null;
  readonly logLevel: z.infer<typeof schema>['LOG_LEVEL'];
}

const describeIssue = (issue: z.core.$ZodIssue | undefined) =>
  issue?.code === 'invalid_value' ? `must be one of: ${issue.values.join(', ')}` : (issue?.message ?? 'is invalid');

/** Empty counts as unset. Throws StartError naming the variable. */
export function readSignerConfig(env: Readonly<Record<string, string | undefined>>): SignerConfig {
  const createStartError = (line: string) => new StartError(line);
  const setVariables = readEnvironment(env, { variables: Object.keys(schema.shape), secrets: secretVariables }, createStartError);
  const parseResult = schema.safeParse(setVariables);
  if (!parseResult.success) {
    const [issue] = parseResult.error.issues;
    const name = String(issue?.path[0] ?? 'environment');
    throw new StartError(`${name} ${name in setVariables ? describeIssue(issue) : 'is required by the signer'}`);
  }
  const values = parseResult.data;
  const production = values.NODE_ENV === 'production';
  const nodes = readNodes(values, createStartError);
  if (!nodes) throw new StartError('EVM_RPC_URLS is required. Set it to the URLs of the chain nodes');
  const esploraUrls = splitList(values.SIGNER_ESPLORA_URLS).map((url) => url.replace(/\/+$/, ''));
  if (esploraUrls.length === 0 || !esploraUrls.every(isHttp))
    throw new StartError('SIGNER_ESPLORA_URLS must be a comma-separated list of http(s) URLs');
  const hosts = new Set(esploraUrls.map((url) => new URL(url).host));
  if (hosts.size < esploraUrls.length) throw new StartError('SIGNER_ESPLORA_URLS lists a source twice. Use independent sources');
  if (production && (hosts.size < 2 || esploraUrls.some((url) => !url.startsWith('https://'))))
    throw new StartError('SIGNER_ESPLORA_URLS must list at least two https:// sources in production');
  if (production && nodes.urls.some((url) => !isPrivate(url, 'https:')))
    throw new StartError(
      nodes.name === 'EVM_RPC_URLS'
        ? 'EVM_RPC_URLS must contain only https:// URLs in production'
        : 'EVM_RPC_URL must start with https:// in production',
    );
  const development = !production && values.EVM_CHAIN_ID === devnetChain && nodes.urls.every(isLoopback);
  if (values.SIGNER_SECONDS_AHEAD !== undefined && !development)
    throw new StartError('SIGNER_SECONDS_AHEAD is only for test environments with the built-in devnet');
  return {
    development,
    databaseUrl: values.SIGNER_DATABASE_URL,
    dir: resolve(values.SIGNER_DIR),
    genesis: values.AUTHORITY_GENESIS,
    memory: {
      begin: values.SIGNER_BEGIN ? values.SIGNER_BEGIN === 'on' : !production,
      ...(values.SIGNER_TRUSTED_HEAD !== undefined && { trusted: values.SIGNER_TRUSTED_HEAD }),
    },
    minterKey: values.MINTER_KEY as Hex,
    urls: nodes.urls,
    chainId: values.EVM_CHAIN_ID,
    ybtc: getAddress(values.YBTC_ADDRESS),
    bridge: getAddress(values.CUSTODY_BRIDGE_ADDRESS),
    startBlock: BigInt(values.CHAIN_START_BLOCK),
    depth: BigInt(values.MINT_DEPTH),
    limits: { maxFeePerGas: values.MINT_MAX_FEE, maxPriorityFeePerGas: values.MINT_MAX_TIP },
    bitcoinNetwork: values.BITCOIN_NETWORK,
    bitcoinConfirmations: values.BITCOIN_CONFIRMATIONS,
    esploraUrls,
    aheadMs: (values.SIGNER_SECONDS_AHEAD ?? 0) * 1000,
    metricsFile: values.SIGNER_METRICS_FILE === undefined ? null : resolve(values.SIGNER_METRICS_FILE),
    logLevel: values.LOG_LEVEL,
  };
}
