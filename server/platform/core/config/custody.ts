import { resolve } from 'node:path';
import * as z from 'zod';
import { bitcoinNetworks, type BitcoinNetwork } from '../../../../api/access/wallet.ts';
import { parseBitcoinAddress } from '../../../../chain/bitcoin-address.ts';
import { explorerText, chooseExplorer } from './explorer.ts';
import { splitList } from './urls.ts';
import { ConfigError, nonEmptyText, urlList, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const custodyVariables = {
  /** SHA-256 of the authority log's first line (npm run authority:init). */
  AUTHORITY_GENESIS: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits')
    .optional(),
  AUTHORITY_GENESIS_FILE: nonEmptyText.optional(),
  BITCOIN_NETWORK: z.enum(bitcoinNetworks).default('mainnet'),
  BITCOIN_EXPLORER_URL: explorerText.optional(),
  /** Cobo's Ed25519 public key in hex. Without it there is no webhook. */
  COBO_WEBHOOK_KEY: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  /** All must agree. */
  ESPLORA_URLS: urlList.optional(),
  CUSTODY_ADDRESSES: z.string().optional(),
  BITCOIN_CONFIRMATIONS: integerText(1, 1000).default(6),
  /** How long a changed account does not count for money. 0 only outside production. */
  MONEY_COOLING_HOURS: integerText(0, 720).default(24),
};

export interface CustodyConfig {
  readonly bitcoinNetwork: BitcoinNetwork;
  /** Without a trailing slash. */
  readonly bitcoinExplorer: string | null;
  readonly authorityGenesis: string | null;
  /** Absolute path. */
  readonly authorityGenesisFile: string | null;
  /** 64 hex digits. Null: no webhook. */
  readonly coboWebhookKey: string | null;
  readonly esploraUrls: readonly string[];
  /** Canonical. Null: those of the demo deposits. */
  readonly custodyAddresses: readonly string[] | null;
  readonly bitcoinConfirmations: number;
  readonly moneyCoolingMs: number;
}

export function readCustody(
  values: ValuesOf<typeof custodyVariables>,
  { production, demo, publicUrl, hasChain }: ConfigContext & { hasChain: boolean },
): CustodyConfig {
  if (production && values.MONEY_COOLING_HOURS === 0)
    throw new ConfigError('MONEY_COOLING_HOURS must be at least 1 in production');
  if (values.AUTHORITY_GENESIS_FILE && !values.AUTHORITY_GENESIS)
    throw new ConfigError('AUTHORITY_GENESIS is required when AUTHORITY_GENESIS_FILE is set');
  return {
    bitcoinNetwork: values.BITCOIN_NETWORK,
    // A public explorer does not know a demo's transactions.
    bitcoinExplorer: chooseExplorer(values.BITCOIN_EXPLORER_URL, demo ? undefined : publicExplorers[values.BITCOIN_NETWORK]),
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

/** Real money requires an explicit list. */
function readAddresses(values: ValuesOf<typeof custodyVariables>, isNeeded: boolean): readonly string[] | null {
  const { CUSTODY_ADDRESSES: addresses, BITCOIN_NETWORK: network } = values;
  const addressTexts = splitList(addresses ?? '');
  if (addressTexts.length === 0) {
    if (isNeeded) throw new ConfigError('CUSTODY_ADDRESSES is required in production when EVM_RPC_URL is set');
    return addresses === undefined ? null : [];
  }
  return addressTexts.map((addressText, index) => {
    const address = parseBitcoinAddress(addressText, network);
    if (address === null)
      throw new ConfigError(`CUSTODY_ADDRESSES contains ${addressText.slice(0, 100)}, which isn’t a ${network} address`);
    if (addressTexts.indexOf(addressText) !== index) throw new ConfigError(`CUSTODY_ADDRESSES lists ${address} twice`);
    return address;
  });
}
