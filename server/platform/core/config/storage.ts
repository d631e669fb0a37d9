import { resolve } from 'node:path';
import * as z from 'zod';
import { parseDatabaseHosts } from '../database-url.ts';
import { isPrivate } from '../config-checks.ts';
import { ConfigError, postgresUrl, nonEmptyText, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const storageVariables = {
  /** Unset: the server starts its own in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** Bypasses a pooler in transaction mode. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** A standby for statistics, which may lag. */
  DATABASE_READ_URL: postgresUrl
    .refine((value) => !parseDatabaseHosts(value).readWrite, 'must name a single host, the standby')
    .optional(),
  /** Visits and their roll-ups. Unset: the panel's database. */
  STATISTICS_DATABASE_URL: postgresUrl.optional(),
  /** Of a day, for a distributed statistics database. Applies from the next UTC day. */
  STATISTICS_PARTS: integerText(1, 8)
    .refine((parts) => [1, 2, 4, 8].includes(parts), 'must be 1, 2, 4 or 8')
    .default(1),
  DATABASE_CONNECTIONS: integerText(2, 200).default(10),
  DATA_DIR: nonEmptyText.default('.data'),
  S3_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value.replace('{bucket}', 'bucket')), 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
    .optional(),
  S3_REGION: nonEmptyText.default('us-east-1'),
  S3_ACCESS_KEY_ID: nonEmptyText.optional(),
  S3_SECRET_ACCESS_KEY: nonEmptyText.optional(),
  /** Per person in 24 hours. Megabytes as stored. 0 = no limit. */
  PICTURES_PER_DAY: integerText(0, 1_000_000).default(200),
  PICTURE_MEGABYTES_PER_DAY: integerText(0, 1_000_000).default(200),
  /** 0 = forever. Must exceed the 30 days of a browser's draft. */
  PICTURES_KEEP_DAYS: integerText(0, 36_500)
    .refine((days) => days === 0 || days > 30, 'must be 0, or more than 30')
    .default(45),
  /** Ed25519 (PEM). */
  AUDIT_KEY_FILE: nonEmptyText.optional(),
  AUDIT_HEADS_FILE: nonEmptyText.optional(),
  /** 0 = forever. Older months become separate tables. */
  AUDIT_KEEP_MONTHS: integerText(0, 1200)
    .refine((months) => months === 0 || months >= 12, 'must be 0, or at least 12')
    .default(0),
};

/** `endpoint` has no trailing slash, and `{bucket}` in it is replaced. */
export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface StorageConfig {
  readonly databaseUrl: string | null;
  readonly databaseDirectUrl: string | null;
  readonly databaseReadUrl: string | null;
  /** Null: statistics are in the panel's database. */
  readonly statisticsDatabaseUrl: string | null;
  readonly statisticsParts: number;
  readonly databaseConnections: number;
  readonly dataDir: string;
  readonly s3: S3Config | null;
  readonly picturesPerDay: { readonly count: number; readonly bytes: number };
  readonly picturesKeepDays: number;
  readonly auditKeyFile: string | null;
  /** Append-only. Best on another machine than the database. */
  readonly auditHeadsFile: string;
  readonly auditKeepMonths: number;
}

export function readStorage(values: ValuesOf<typeof storageVariables>, configContext: ConfigContext): StorageConfig {
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is required when DATABASE_DIRECT_URL is set');
  if (values.DATABASE_READ_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is required when DATABASE_READ_URL is set');
  if (values.STATISTICS_DATABASE_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is required when STATISTICS_DATABASE_URL is set');
  const isSeparate = values.STATISTICS_DATABASE_URL !== undefined && values.STATISTICS_DATABASE_URL !== values.DATABASE_URL;
  if (values.STATISTICS_PARTS > 1 && !isSeparate)
    throw new ConfigError('STATISTICS_DATABASE_URL is required when STATISTICS_PARTS is above 1');
  return {
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    statisticsDatabaseUrl: isSeparate ? (values.STATISTICS_DATABASE_URL ?? null) : null,
    statisticsParts: values.STATISTICS_PARTS,
    databaseConnections: values.DATABASE_CONNECTIONS,
    dataDir: resolve(values.DATA_DIR),
    s3: readS3(values, configContext),
    picturesPerDay: { count: values.PICTURES_PER_DAY, bytes: values.PICTURE_MEGABYTES_PER_DAY * 1024 * 1024 },
    picturesKeepDays: values.PICTURES_KEEP_DAYS,
    auditKeyFile: values.AUDIT_KEY_FILE ? resolve(values.AUDIT_KEY_FILE) : null,
    auditHeadsFile: resolve(values.AUDIT_HEADS_FILE ?? `${values.DATA_DIR}/audit-heads.jsonl`),
    auditKeepMonths: values.AUDIT_KEEP_MONTHS,
  };
}

function readS3(values: ValuesOf<typeof storageVariables>, { production }: ConfigContext): S3Config | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  const namedValues = Object.entries({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const setting = namedValues.find(([, value]) => value !== undefined);
  if (!setting) return null;
  const missingSetting = namedValues.find(([, value]) => value === undefined);
  if (missingSetting || !endpoint || !bucket || !accessKeyId || !secretAccessKey)
    throw new ConfigError(`${missingSetting?.[0]} is required when ${setting[0]} is set`);
  if (production && !isPrivate(endpoint.replace('{bucket}', bucket), 'https:'))
    throw new ConfigError('S3_ENDPOINT must start with https:// in production');
  return { endpoint, bucket, region: values.S3_REGION, accessKeyId, secretAccessKey };
}
