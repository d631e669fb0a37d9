import { resolve } from 'node:path';
import { getAddress, isAddress, parseGwei, type Address, type Hex } from 'viem';
import * as z from 'zod';
import { bitcoinNetworks, type BitcoinNetwork } from '../../../api/access/wallet.ts';
import { parseBitcoinAddress } from '../bitcoin/address.ts';
import { databaseHosts, databaseUrlProblem } from '../db/url.ts';
import { isDemo, isLoopback, isPrivate, unsafe } from './config-checks.ts';
import { fileVariable, readEnvironment } from './secret-files.ts';

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const origin = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.pathname === '/' && !url.search && !url.hash)
    return url.origin;
  context.addIssue('must be an origin like https://panel.example.com');
  return z.NEVER;
});

const postgresUrl = z.string().superRefine((value, context) => {
  const problem = databaseUrlProblem(value);
  if (problem !== null) context.addIssue(problem);
});

const smtpUrl = z
  .string()
  .refine((value) => /^smtps?:\/\/./.test(value) && URL.canParse(value), 'must be an smtp:// or smtps:// URL');

const originList = z.string().transform((value, context) => {
  const given = value.split(',').map((part) => part.trim());
  const origins = given.filter(Boolean).map((part) => origin.safeParse(part));
  if (origins.every(({ success }) => success)) return origins.flatMap(({ data }) => data ?? []);
  context.addIssue('must be origins like https://www.example.com, with commas between');
  return z.NEVER;
});

const feedList = z.string().transform((value, context) => {
  const urls = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const wrong = urls.find((url) => !/^https?:\/\//.test(url) || !URL.canParse(url));
  if (wrong === undefined) return urls;
  context.addIssue('must be http(s) URLs with commas between');
  return z.NEVER;
});

const evmAddress = z.string().refine((value) => isAddress(value), 'must be a contract address, with the right checksum');
const gwei = z.string().transform((value, context) => {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return parseGwei(value);
  context.addIssue('must be an amount in gwei like 1.5');
  return z.NEVER;
});
const urlList = z.string().transform((value, context) => {
  const urls = value.split(',').flatMap((part) => part.trim().replace(/\/+$/, '') || []);
  if (urls.every((url) => /^https?:\/\//.test(url) && URL.canParse(url))) return urls;
  context.addIssue('must be http(s) URLs with commas between');
  return z.NEVER;
});

const mailList = z.string().transform((value, context) => {
  const found = value.split(',').flatMap((part) => part.trim() || []);
  if (found.every((address) => /^[^\s@<>,]+@[^\s@<>,]+$/.test(address) && address.length <= 254)) return found;
  context.addIssue('must be mail addresses with commas between');
  return z.NEVER;
});

export const webhookKinds = ['json', 'slack', 'lark', 'dingtalk', 'wecom'] as const;

/** Where an alarm goes. `secret` signs it: the vendor's, or ours. */
export interface AlarmWebhook {
  readonly kind: (typeof webhookKinds)[number];
  readonly url: string;
  readonly secret: string | null;
}

const webhookList = z.string().transform((value, context): AlarmWebhook[] => {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  const found = parts.map((part) => {
    const kind = webhookKinds.find((known) => part.startsWith(`${known}=`));
    const address = part.slice((kind?.length ?? 0) + 1);
    if (!kind || !/^https?:\/\//.test(address) || !URL.canParse(address)) return null;
    const url = new URL(address);
    const secret = url.hash === '' ? null : decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    return url.username === '' && url.password === '' ? { kind, url: url.href, secret } : null;
  });
  if (found.every((one) => one !== null)) return found;
  context.addIssue(`must be like json=https://hooks.example.com/x, with commas between; kinds: ${webhookKinds.join(', ')}`);
  return z.NEVER;
});

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: whole(0, 65_535).default(4280),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** A PostgreSQL to use, of one host or several (db/url.ts); without it the server starts its own in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** PostgreSQL itself, where DATABASE_URL leads to a pooler that gives a session for one transaction only. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** A standby that statistics are read from, which may be some seconds old. */
  DATABASE_READ_URL: postgresUrl.refine((value) => !databaseHosts(value).readWrite, 'must be one host, a standby').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  /** An object storage that speaks S3, for the pictures; without it they are in DATA_DIR. */
  S3_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value.replace('{bucket}', 'bucket')), 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** The built panel; the one beside the server unless said. */
  PANEL_DIR: z.string().min(1).optional(),
  /** Ed25519 private key (PEM) that signs the audit's heads, and the file they are appended to; both in DATA_DIR unless said. */
  AUDIT_KEY_FILE: z.string().min(1).optional(),
  AUDIT_HEADS_FILE: z.string().min(1).optional(),
  /** Origin under which browsers reach the panel and the official website its pictures. */
  PUBLIC_URL: origin.optional(),
  /** Whether an empty development database is filled with demo news and feedback; production never is. */
  DEMO_NEWS: z.enum(['on', 'off']).optional(),
  /** Whether the page of a demo with a devnet of its own offers the demo wallet; no other page can. */
  DEMO_WALLET: z.enum(['on', 'off']).optional(),
  /** Whether a demo on this machine can be reset, kept and steered by who tests it; nothing else starts with it. */
  QA_TOOLS: z.enum(['on', 'off']).default('off'),
  NEWS_FEEDS: feedList.default([]),
  /** Origins of the official website, whose pages may send feedback. */
  PUBLIC_ORIGINS: originList.optional(),
  /** How many feedback one network may send in ten minutes. */
  FEEDBACK_PER_NETWORK: whole(1, 1_000_000).default(10),
  /** How many batches of visits, and of wallet connections, one network may send in ten minutes. */
  EVENTS_PER_NETWORK: whole(1, 10_000_000).default(600),
  /** A MaxMind database (.mmdb) that tells countries by address; without it no visit has one. */
  COUNTRY_DATABASE: z.string().min(1).optional(),
  /** Months that single visits are kept in the list; 0 = for ever. Roll-ups stay. */
  STATISTICS_KEEP_MONTHS: whole(0, 1200).default(25),
  /** Months that the audit's rows stay in it; 0 = for ever. Older ones stand in tables beside it. */
  AUDIT_KEEP_MONTHS: whole(0, 1200)
    .refine((months) => months === 0 || months >= 12, 'must be 0 or at least 12')
    .default(0),
  /** New pictures a person may send in 24 hours, and their megabytes as kept; 0 = no limit. */
  PICTURES_PER_DAY: whole(0, 1_000_000).default(200),
  PICTURE_MEGABYTES_PER_DAY: whole(0, 1_000_000).default(200),
  /** Days after which a picture that nothing names goes; more than the thirty that a draft stays in a browser. 0 = never. */
  PICTURES_KEEP_DAYS: whole(0, 36_500)
    .refine((days) => days === 0 || days > 30, 'must be 0 or more than 30')
    .default(45),
  /** How many proxies stand in front: that many X-Forwarded-For entries from the right are believed. */
  TRUST_PROXY: whole(0, 10).default(0),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  /** Seconds between saying that it stops and stopping: longer than a balancer takes to ask `/readyz`. */
  DRAIN_SECONDS: whole(0, 300).optional(),
  DATABASE_CONNECTIONS: whole(2, 200).default(10),
  /** Where Prometheus is answered; nowhere without a port. */
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** A collector of traces, OTLP over HTTP, and which part of the requests and jobs it is told of. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'must be an http(s) URL')
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a part between 0 and 1')
    .transform(Number)
    .default(1),
  BODY_LIMIT: whole(1024, 16_777_216).default(65_536),
  SESSION_IDLE_MINUTES: whole(1, 720).default(30),
  SESSION_HOURS: whole(1, 72).default(12),
  /** Wrong passwords an account has free before each one makes it wait twice as long. */
  SIGN_IN_FREE: whole(1, 10_000).default(5),
  /** Wrong passwords from one network in ten minutes. */
  SIGN_IN_PER_NETWORK: whole(1, 1_000_000).default(30),
  /** The mail server; without it development keeps its mail at /dev/mail, and production sends none. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().min(3).max(254).default('Admin Panel <panel@localhost>'),
  /** Seals what the database must not tell whoever steals a copy of it. Required in production. */
  SECRET_KEY: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'must be 32 bytes or more')
    .optional(),
  /** Whether signing in from a browser not seen before asks for a code by mail; on in production unless told otherwise. */
  NEW_BROWSER_CODE: z.enum(['on', 'off']).optional(),
  /** Whose taproot addresses sign in. */
  BITCOIN_NETWORK: z.enum(bitcoinNetworks).default('mainnet'),
  /** The EVM chain's RPC. Without it development starts a devnet of its own, and production has no custody. */
  EVM_RPC_URL: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'must be an http(s) URL')
    .optional(),
  EVM_CHAIN_ID: whole(1, 2_147_483_647).optional(),
  /** Whether development without EVM_RPC_URL starts the devnet. */
  DEVNET: z.enum(['on', 'off']).optional(),
  /** Seconds between the devnet's blocks, besides those that transactions make. */
  DEVNET_BLOCK_SECONDS: whole(1, 60).default(4),
  YU_ADDRESS: evmAddress.optional(),
  YBTC_ADDRESS: evmAddress.optional(),
  TROVE_MANAGER_ADDRESS: evmAddress.optional(),
  STABILITY_POOL_ADDRESS: evmAddress.optional(),
  MULTI_TROVE_GETTERS_ADDRESS: evmAddress.optional(),
  CUSTODY_BRIDGE_ADDRESS: evmAddress.optional(),
  /** Cobo's public key (Ed25519, hex) that webhook deliveries are signed with; without it there is no webhook. */
  COBO_WEBHOOK_KEY: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .optional(),
  /** Without both of them there are no CRSMs, and their screens say so. */
  CRSM_FACTORY_ADDRESS: evmAddress.optional(),
  CRSM_UTILS_ADDRESS: evmAddress.optional(),
  /** The block from which on the chain is read: none of the contracts is older. */
  CHAIN_START_BLOCK: whole(0, 2_147_483_647).default(0),
  /** Private key of the account that may mint YBTC. */
  MINTER_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional(),
  /** SHA-256 of the authority log's first line (npm run authority:init): anything else is another log. */
  AUTHORITY_GENESIS: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits, lower case')
    .optional(),
  /** A file with that line, for a database that has no log yet. */
  AUTHORITY_GENESIS_FILE: z.string().min(1).optional(),
  /** Blocks on top of a mint until it is final. */
  MINT_DEPTH: whole(1, 1000).optional(),
  /** Gwei for a unit of gas: the most a mint offers, and of it as a tip. Above them it waits. */
  MINT_MAX_FEE: gwei.default(parseGwei('300')),
  MINT_MAX_TIP: gwei.default(parseGwei('10')),
  /** Esplora APIs that are asked about deposits; all of them must agree. */
  ESPLORA_URLS: urlList.optional(),
  /** Bitcoin addresses whose keys the protocol's custodian holds: an output to any other is no evidence of a deposit. */
  CUSTODY_ADDRESSES: z.string().optional(),
  BITCOIN_CONFIRMATIONS: whole(1, 1000).default(6),
  /** Hours in which an account that somebody else made or changed does not count for money. 0 only outside production. */
  MONEY_COOLING_HOURS: whole(0, 720).default(24),
  /** Who is written to when money needs somebody. */
  ALARM_MAIL: mailList.optional(),
  /** `kind=url` with commas between; what stands behind a `#` is the secret that this one is signed with. */
  ALARM_WEBHOOKS: webhookList.optional(),
  /** Signs what goes to webhooks of kind json that have no secret of their own. */
  ALARM_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'must be 32 bytes or more')
    .optional(),
  /** What waits for somebody longer than this is an alarm. */
  ALARM_WAIT_MINUTES: whole(1, 100_000).default(60),
  /** Calls one administrator may make in a minute; 0 = as many as they like. */
  READS_PER_MINUTE: whole(0, 1_000_000).optional(),
  WRITES_PER_MINUTE: whole(0, 1_000_000).optional(),
});

/** Those that may stand in a file, `NAME_FILE`, and leave no trace in the environment. */
const secrets = [
  'SECRET_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'SMTP_URL',
  'EVM_RPC_URL',
  'ALARM_SECRET',
  'ALARM_WEBHOOKS',
  'S3_SECRET_ACCESS_KEY',
];

/** The environment variables that the server reads. docs/operations.md has each. */
export const variables: readonly string[] = [...Object.keys(schema.shape), ...secrets.map(fileVariable)];

/** Everything the server is told from outside, read once. */
export interface Config {
  readonly production: boolean;
  /** Whether accounts, data, mail, feed and Bitcoin that are made up may be here: see config-checks.ts. */
  readonly demo: boolean;
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string | null;
  /** Past the pooler that `databaseUrl` leads to; null: there is none. */
  readonly databaseDirectUrl: string | null;
  /** Of a standby for statistics; null: they are read from the primary. */
  readonly databaseReadUrl: string | null;
  /** Absolute path of the folder for the embedded database and pictures. */
  readonly dataDir: string;
  /** Where the pictures are; null: in the data folder. */
  readonly s3: S3Config | null;
  readonly panelDir: string | null;
  /** Absolute path of the key that signs the audit's heads; null: one is made in the data folder. */
  readonly auditKeyFile: string | null;
  /** Absolute path of the file signed heads are appended to: best on another disk or machine than the database. */
  readonly auditHeadsFile: string;
  /** Origin, without a slash at its end. */
  readonly publicUrl: string;
  readonly demoNews: boolean;
  readonly demoWallet: boolean;
  /** Whether the routes that steer a test environment are there. */
  readonly qaTools: boolean;
  readonly newsFeeds: readonly string[];
  /** Websites whose pages may call what is public and writes. */
  readonly publicOrigins: readonly string[] | 'any';
  readonly feedbackPerNetwork: number;
  readonly eventsPerNetwork: number;
  /** Absolute path; null: no country is known. */
  readonly countryDatabase: string | null;
  readonly statisticsKeepMonths: number;
  readonly auditKeepMonths: number;
  /** What one person may send in 24 hours; 0: no limit. */
  readonly picturesPerDay: { readonly count: number; readonly bytes: number };
  readonly picturesKeepDays: number;
  readonly trustProxy: number;
  readonly logLevel: z.infer<typeof schema>['LOG_LEVEL'];
  readonly drainMs: number;
  readonly databaseConnections: number;
  /** Where traces go; null: there are none. */
  readonly traces: { readonly endpoint: string; readonly ratio: number } | null;
  /** Where metrics are; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Bytes of a JSON body. */
  readonly bodyLimit: number;
  readonly sessionIdleMs: number;
  readonly sessionMs: number;
  readonly signInFree: number;
  readonly signInPerNetwork: number;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly secretKey: string | null;
  readonly newBrowserCode: boolean;
  readonly bitcoinNetwork: BitcoinNetwork;
  /** The EVM chain; null: none is configured, and everything of custody says so. */
  readonly evm: EvmConfig | null;
  /** Whether the server starts a devnet to fill `evm`. */
  readonly devnet: boolean;
  readonly devnetBlockSeconds: number;
  /** 64 hex digits; null: none is pinned, and a demo makes its own. */
  readonly authorityGenesis: string | null;
  /** Absolute path of the genesis's line, for a database without a log. */
  readonly authorityGenesisFile: string | null;
  /** 64 hex digits; null: no webhook. */
  readonly coboWebhookKey: string | null;
  /** Wei for a unit of gas. */
  readonly mintLimits: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
  readonly esploraUrls: readonly string[];
  /** Canonical, of `bitcoinNetwork`; null: those of the demo deposits, where a demo may be. */
  readonly custodyAddresses: readonly string[] | null;
  readonly bitcoinConfirmations: number;
  /** How long an account that somebody else changed does not count for money. */
  readonly moneyCoolingMs: number;
  readonly alarms: AlarmConfig;
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
}

/** A bucket of an object storage. `endpoint` has no slash at its end; `{bucket}` in it stands for the bucket. */
export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where alarms go; no channel at all: nowhere. */
interface AlarmConfig {
  readonly mail: readonly string[];
  readonly webhooks: readonly AlarmWebhook[];
  readonly waitMs: number;
}

export interface EvmConfig {
  readonly url: string;
  readonly chainId: number;
  readonly contracts: EvmContracts;
  /** Null: this server mints nothing. */
  readonly minterKey: Hex | null;
  readonly mintDepth: bigint;
  /** No contract is older than this block. */
  readonly startBlock: bigint;
}

/** Where the protocol stands on the chain. */
export type EvmContracts = Readonly<
  Record<'yu' | 'ybtc' | 'troveManager' | 'stabilityPool' | 'multiTroveGetters' | 'custodyBridge', Address>
> & {
  /** Null, both: this deployment has no CRSMs. */
  readonly crsmFactory: Address | null;
  readonly crsmUtils: Address | null;
};

/** A configuration nobody can start with; the message is one line naming the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads the configuration from environment variables. Empty counts as not set. Throws ConfigError. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = readEnvironment(env, secrets, (line) => new ConfigError(line));
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    throw new ConfigError(`${name}: ${issue?.message ?? 'is wrong'}`);
  }
  const values = parsed.data;
  const production = values.NODE_ENV === 'production';
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  if (production && !publicUrl.startsWith('https://') && !isLoopback(publicUrl)) {
    throw new ConfigError('PUBLIC_URL: must be https:// in production');
  }
  if (production && values.MONEY_COOLING_HOURS === 0)
    throw new ConfigError('MONEY_COOLING_HOURS: must be 1 or more in production');
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL: is needed with DATABASE_DIRECT_URL');
  if (values.DATABASE_READ_URL && !values.DATABASE_URL) throw new ConfigError('DATABASE_URL: is needed with DATABASE_READ_URL');
  if (values.AUTHORITY_GENESIS_FILE && !values.AUTHORITY_GENESIS)
    throw new ConfigError('AUTHORITY_GENESIS: is needed with AUTHORITY_GENESIS_FILE');
  if (values.MINT_MAX_TIP > values.MINT_MAX_FEE) throw new ConfigError('MINT_MAX_TIP: must not be above MINT_MAX_FEE');
  const problem = unsafe(values);
  if (problem !== null) throw new ConfigError(problem);
  const demo = isDemo(values);
  const inDevelopment = (wanted: 'on' | 'off' | undefined) => (wanted ? wanted === 'on' : values.NODE_ENV === 'development');
  const devnet = !production && !values.EVM_RPC_URL && inDevelopment(values.DEVNET);
  return {
    production,
    demo,
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    dataDir: resolve(values.DATA_DIR),
    s3: readS3(values),
    panelDir: values.PANEL_DIR ? resolve(values.PANEL_DIR) : null,
    auditKeyFile: values.AUDIT_KEY_FILE ? resolve(values.AUDIT_KEY_FILE) : null,
    auditHeadsFile: resolve(values.AUDIT_HEADS_FILE ?? `${values.DATA_DIR}/audit-heads.jsonl`),
    publicUrl,
    demoNews: demo && inDevelopment(values.DEMO_NEWS),
    demoWallet: demo && devnet && inDevelopment(values.DEMO_WALLET),
    qaTools: demo && values.QA_TOOLS === 'on',
    newsFeeds: values.NEWS_FEEDS,
    publicOrigins: values.PUBLIC_ORIGINS ?? (production ? [] : 'any'),
    feedbackPerNetwork: values.FEEDBACK_PER_NETWORK,
    eventsPerNetwork: values.EVENTS_PER_NETWORK,
    countryDatabase: values.COUNTRY_DATABASE ? resolve(values.COUNTRY_DATABASE) : null,
    statisticsKeepMonths: values.STATISTICS_KEEP_MONTHS,
    auditKeepMonths: values.AUDIT_KEEP_MONTHS,
    picturesPerDay: { count: values.PICTURES_PER_DAY, bytes: values.PICTURE_MEGABYTES_PER_DAY * 1024 * 1024 },
    picturesKeepDays: values.PICTURES_KEEP_DAYS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    drainMs: (values.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1000,
    databaseConnections: values.DATABASE_CONNECTIONS,
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: values.OTEL_TRACES_SAMPLER_ARG }
      : null,
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    bodyLimit: values.BODY_LIMIT,
    sessionIdleMs: values.SESSION_IDLE_MINUTES * 60_000,
    sessionMs: values.SESSION_HOURS * 3_600_000,
    signInFree: values.SIGN_IN_FREE,
    signInPerNetwork: values.SIGN_IN_PER_NETWORK,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    secretKey: values.SECRET_KEY ?? null,
    newBrowserCode: values.NEW_BROWSER_CODE ? values.NEW_BROWSER_CODE === 'on' : production,
    bitcoinNetwork: values.BITCOIN_NETWORK,
    evm: readEvm(values),
    devnet,
    devnetBlockSeconds: values.DEVNET_BLOCK_SECONDS,
    authorityGenesis: values.AUTHORITY_GENESIS ?? null,
    authorityGenesisFile: values.AUTHORITY_GENESIS_FILE ? resolve(values.AUTHORITY_GENESIS_FILE) : null,
    coboWebhookKey: values.COBO_WEBHOOK_KEY?.replace(/^0x/, '') ?? null,
    mintLimits: { maxFeePerGas: values.MINT_MAX_FEE, maxPriorityFeePerGas: values.MINT_MAX_TIP },
    esploraUrls: values.ESPLORA_URLS ?? (demo ? [`${publicUrl}/dev/bitcoin`] : []),
    custodyAddresses: readCustody(values),
    bitcoinConfirmations: values.BITCOIN_CONFIRMATIONS,
    moneyCoolingMs: values.MONEY_COOLING_HOURS * 3_600_000,
    alarms: readAlarms(values, production),
    readsPerMinute: values.READS_PER_MINUTE ?? (production ? 1200 : 0),
    writesPerMinute: values.WRITES_PER_MINUTE ?? (production ? 300 : 0),
  };
}

/** Each an address of the configured network, once. Where money is real they are never left to a default. */
function readCustody(values: z.infer<typeof schema>): readonly string[] | null {
  const { CUSTODY_ADDRESSES: given, BITCOIN_NETWORK: network } = values;
  const parts = (given ?? '').split(',').flatMap((part) => part.trim() || []);
  if (parts.length === 0) {
    if (values.NODE_ENV === 'production' && values.EVM_RPC_URL)
      throw new ConfigError('CUSTODY_ADDRESSES: is needed with EVM_RPC_URL in production');
    return given === undefined ? null : [];
  }
  return parts.map((part, at) => {
    const address = parseBitcoinAddress(part, network);
    if (address === null) throw new ConfigError(`CUSTODY_ADDRESSES: ${part.slice(0, 100)} is no address of ${network}`);
    if (parts.indexOf(part) !== at) throw new ConfigError(`CUSTODY_ADDRESSES: names ${address} twice`);
    return address;
  });
}

/** Throws ConfigError for an alarm that could not go out as it should. */
function readAlarms(values: z.infer<typeof schema>, production: boolean): AlarmConfig {
  const mail = values.ALARM_MAIL ?? [];
  if (production && mail.length > 0 && !values.SMTP_URL) throw new ConfigError('ALARM_MAIL: needs SMTP_URL');
  const webhooks = (values.ALARM_WEBHOOKS ?? []).map((webhook) => ({
    ...webhook,
    secret: webhook.secret ?? (webhook.kind === 'json' ? (values.ALARM_SECRET ?? null) : null),
  }));
  for (const { kind, url, secret } of webhooks) {
    if (production && !url.startsWith('https://')) throw new ConfigError('ALARM_WEBHOOKS: must be https:// in production');
    if (kind === 'json' && secret === null) throw new ConfigError('ALARM_SECRET: is needed with a webhook of kind json');
  }
  return { mail, webhooks, waitMs: values.ALARM_WAIT_MINUTES * 60_000 };
}

/** All of an object storage, or none of it. */
function readS3(values: z.infer<typeof schema>): S3Config | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  const named = Object.entries({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const given = named.find(([, value]) => value !== undefined);
  if (!given) return null;
  const missing = named.find(([, value]) => value === undefined);
  if (missing || !endpoint || !bucket || !accessKeyId || !secretAccessKey)
    throw new ConfigError(`${missing?.[0]}: is needed with ${given[0]}`);
  if (values.NODE_ENV === 'production' && !isPrivate(endpoint.replace('{bucket}', bucket), 'https:'))
    throw new ConfigError('S3_ENDPOINT: must be https:// in production');
  return { endpoint, bucket, region: values.S3_REGION, accessKeyId, secretAccessKey };
}

/** All of a chain, or none of it. */
function readEvm(values: z.infer<typeof schema>): EvmConfig | null {
  if (!values.EVM_RPC_URL) return null;
  const need = <T>(name: string, value: T | undefined, of = 'EVM_RPC_URL'): T => {
    if (value === undefined) throw new ConfigError(`${name}: is needed with ${of}`);
    return value;
  };
  const address = (name: ContractVariable) => getAddress(need(name, values[name]));
  const hasCrsms = Boolean(values.CRSM_FACTORY_ADDRESS ?? values.CRSM_UTILS_ADDRESS);
  return {
    url: values.EVM_RPC_URL,
    chainId: need('EVM_CHAIN_ID', values.EVM_CHAIN_ID),
    contracts: {
      yu: address('YU_ADDRESS'),
      ybtc: address('YBTC_ADDRESS'),
      troveManager: address('TROVE_MANAGER_ADDRESS'),
      stabilityPool: address('STABILITY_POOL_ADDRESS'),
      multiTroveGetters: address('MULTI_TROVE_GETTERS_ADDRESS'),
      custodyBridge: address('CUSTODY_BRIDGE_ADDRESS'),
      crsmFactory: hasCrsms ? getAddress(need('CRSM_FACTORY_ADDRESS', values.CRSM_FACTORY_ADDRESS, 'CRSM_UTILS_ADDRESS')) : null,
      crsmUtils: hasCrsms ? getAddress(need('CRSM_UTILS_ADDRESS', values.CRSM_UTILS_ADDRESS, 'CRSM_FACTORY_ADDRESS')) : null,
    },
    minterKey: (values.MINTER_KEY as Hex | undefined) ?? null,
    mintDepth: BigInt(values.MINT_DEPTH ?? 12),
    startBlock: BigInt(values.CHAIN_START_BLOCK),
  };
}

type ContractVariable = Extract<keyof z.infer<typeof schema>, `${string}_ADDRESS`>;
