import { resolve } from 'node:path';
import * as z from 'zod';
import { bitcoinNetworks, type BitcoinNetwork } from '../../../../api/access/wallet.ts';
import { parseBitcoinAddress } from '../../bitcoin/address.ts';
import { explorer, explorerOf } from './explorer.ts';
import { partsOf } from './urls.ts';
import { ConfigError, text, urlList, whole, type About, type ValuesOf } from './values.ts';

export const custodyVariables = {
  /** SHA-256 of the authority log's first line (npm run authority:init): anything else is another log. */
  AUTHORITY_GENESIS: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits')
    .optional(),
  /** A file with that line, for a database that has no log yet. */
  AUTHORITY_GENESIS_FILE: text.optional(),
  /** Whose taproot addresses sign in. */
  BITCOIN_NETWORK: z.enum(bitcoinNetworks).default('mainnet'),
  /** Where people look at what stands on Bitcoin: `/tx/…` and `/address/…` under it. */
  BITCOIN_EXPLORER_URL: explorer.optional(),
  /** Cobo's public key (Ed25519, hex) that webhook deliveries are signed with; without it there is no webhook. */
  COBO_WEBHOOK_KEY: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  /** Esplora APIs that are asked about deposits; all of them must agree. */
  ESPLORA_URLS: urlList.optional(),
  /** Bitcoin addresses whose keys the protocol's custodian holds: an output to any other is no evidence of a deposit. */
  CUSTODY_ADDRESSES: z.string().optional(),
  BITCOIN_CONFIRMATIONS: whole(1, 1000).default(6),
  /** Hours in which an account that somebody else made or changed does not count for money. 0 only outside production. */
  MONEY_COOLING_HOURS: whole(0, 720).default(24),
};

export interface CustodyConfig {
  readonly bitcoinNetwork: BitcoinNetwork;
  /** Without a slash at its end; null: there is none. */
  readonly bitcoinExplorer: string | null;
  /** 64 hex digits; null: none is pinned, and a demo makes its own. */
  readonly authorityGenesis: string | null;
  /** Absolute path of the genesis's line, for a database without a log. */
  readonly authorityGenesisFile: string | null;
  /** 64 hex digits; null: no webhook. */
  readonly coboWebhookKey: string | null;
  readonly esploraUrls: readonly string[];
  /** Canonical, of `bitcoinNetwork`; null: those of the demo deposits, where a demo may be. */
  readonly custodyAddresses: readonly string[] | null;
  readonly bitcoinConfirmations: number;
  /** How long an account that somebody else changed does not count for money. */
  readonly moneyCoolingMs: number;
}

/** Bitcoin, who holds it, and who may say so. Throws ConfigError. */
export function readCustody(
  values: ValuesOf<typeof custodyVariables>,
  { production, demo, publicUrl, hasChain }: About & { hasChain: boolean },
): CustodyConfig {
  if (production && values.MONEY_COOLING_HOURS === 0)
    throw new ConfigError('MONEY_COOLING_HOURS must be at least 1 in production');
  if (values.AUTHORITY_GENESIS_FILE && !values.AUTHORITY_GENESIS)
    throw new ConfigError('AUTHORITY_GENESIS is required when AUTHORITY_GENESIS_FILE is set');
  return {
    bitcoinNetwork: values.BITCOIN_NETWORK,
    // A demo's transactions are made up: nobody else's explorer has them.
    bitcoinExplorer: explorerOf(values.BITCOIN_EXPLORER_URL, demo ? undefined : publicExplorers[values.BITCOIN_NETWORK]),
    authorityGenesis: values.AUTHORITY_GENESIS ?? null,
    authorityGenesisFile: values.AUTHORITY_GENESIS_FILE ? resolve(values.AUTHORITY_GENESIS_FILE) : null,
    coboWebhookKey: values.COBO_WEBHOOK_KEY?.replace(/^0x/, '') ?? null,
    esploraUrls: values.ESPLORA_URLS?.map((url) => url.replace(/\/+$/, '')) ?? (demo ? [`${publicUrl}/dev/bitcoin`] : []),
    custodyAddresses: readAddresses(values, production && hasChain),
    bitcoinConfirmations: values.BITCOIN_CONFIRMATIONS,
    moneyCoolingMs: values.MONEY_COOLING_HOURS * 3_600_000,
  };
}

const publicExplorers: Readonly<Partial<Record<BitcoinNetwork, string>>> = {
  mainnet: 'https://mempool.space',
  signet: 'https://mempool.space/signet',
};

/** Each an address of the configured network, once. Where money is real they are never left to a default. */
function readAddresses(values: ValuesOf<typeof custodyVariables>, isNeeded: boolean): readonly string[] | null {
  const { CUSTODY_ADDRESSES: given, BITCOIN_NETWORK: network } = values;
  const parts = partsOf(given ?? '');
  if (parts.length === 0) {
    if (isNeeded) throw new ConfigError('CUSTODY_ADDRESSES is required in production when EVM_RPC_URL is set');
    return given === undefined ? null : [];
  }
  return parts.map((part, at) => {
    const address = parseBitcoinAddress(part, network);
    if (address === null)
      throw new ConfigError(`CUSTODY_ADDRESSES contains ${part.slice(0, 100)}, which isn’t a ${network} address`);
    if (parts.indexOf(part) !== at) throw new ConfigError(`CUSTODY_ADDRESSES lists ${address} twice`);
    return address;
  });
}
