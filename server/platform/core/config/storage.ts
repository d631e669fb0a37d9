import { resolve } from 'node:path';
import * as z from 'zod';
import { databaseHosts } from '../../db/url.ts';
import { isPrivate } from '../config-checks.ts';
import { ConfigError, postgresUrl, text, whole, type About, type ValuesOf } from './values.ts';

export const storageVariables = {
  /** A PostgreSQL to use, of one host or several (db/url.ts); without it the server starts its own in DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  /** PostgreSQL itself, where DATABASE_URL leads to a pooler that gives a session for one transaction only. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  /** A standby that statistics are read from, which may be some seconds old. */
  DATABASE_READ_URL: postgresUrl
    .refine((value) => !databaseHosts(value).readWrite, 'must name a single host, the standby')
    .optional(),
  DATABASE_CONNECTIONS: whole(2, 200).default(10),
  DATA_DIR: text.default('.data'),
  /** An object storage that speaks S3, for the pictures; without it they are in DATA_DIR. */
  S3_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value.replace('{bucket}', 'bucket')), 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
    .optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  /** New pictures a person may send in 24 hours, and their megabytes as kept; 0 = no limit. */
  PICTURES_PER_DAY: whole(0, 1_000_000).default(200),
  PICTURE_MEGABYTES_PER_DAY: whole(0, 1_000_000).default(200),
  /** Days after which a picture that nothing names goes; more than the thirty that a draft stays in a browser. 0 = never. */
  PICTURES_KEEP_DAYS: whole(0, 36_500)
    .refine((days) => days === 0 || days > 30, 'must be 0, or more than 30')
    .default(45),
  /** Ed25519 private key (PEM) that signs the audit's heads, and the file they are appended to; both in DATA_DIR unless said. */
  AUDIT_KEY_FILE: text.optional(),
  AUDIT_HEADS_FILE: text.optional(),
  /** Months that the audit's rows stay in it; 0 = for ever. Older ones stand in tables beside it. */
  AUDIT_KEEP_MONTHS: whole(0, 1200)
    .refine((months) => months === 0 || months >= 12, 'must be 0, or at least 12')
    .default(0),
};

/** A bucket of an object storage. `endpoint` has no slash at its end; `{bucket}` in it stands for the bucket. */
export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface StorageConfig {
  readonly databaseUrl: string | null;
  /** Past the pooler that `databaseUrl` leads to; null: there is none. */
  readonly databaseDirectUrl: string | null;
  /** Of a standby for statistics; null: they are read from the primary. */
  readonly databaseReadUrl: string | null;
  readonly databaseConnections: number;
  /** Absolute path of the folder for the embedded database and pictures. */
  readonly dataDir: string;
  /** Where the pictures are; null: in the data folder. */
  readonly s3: S3Config | null;
  /** What one person may send in 24 hours; 0: no limit. */
  readonly picturesPerDay: { readonly count: number; readonly bytes: number };
  readonly picturesKeepDays: number;
  /** Absolute path of the key that signs the audit's heads; null: one is made in the data folder. */
  readonly auditKeyFile: string | null;
  /** Absolute path of the file signed heads are appended to: best on another disk or machine than the database. */
  readonly auditHeadsFile: string;
  readonly auditKeepMonths: number;
}

/** What is kept, where and for how long. Throws ConfigError. */
export function readStorage(values: ValuesOf<typeof storageVariables>, about: About): StorageConfig {
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is required when DATABASE_DIRECT_URL is set');
  if (values.DATABASE_READ_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is required when DATABASE_READ_URL is set');
  return {
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    databaseConnections: values.DATABASE_CONNECTIONS,
    dataDir: resolve(values.DATA_DIR),
    s3: readS3(values, about),
    picturesPerDay: { count: values.PICTURES_PER_DAY, bytes: values.PICTURE_MEGABYTES_PER_DAY * 1024 * 1024 },
    picturesKeepDays: values.PICTURES_KEEP_DAYS,
    auditKeyFile: values.AUDIT_KEY_FILE ? resolve(values.AUDIT_KEY_FILE) : null,
    auditHeadsFile: resolve(values.AUDIT_HEADS_FILE ?? `${values.DATA_DIR}/audit-heads.jsonl`),
    auditKeepMonths: values.AUDIT_KEEP_MONTHS,
  };
}

/** All of an object storage, or none of it. */
function readS3(values: ValuesOf<typeof storageVariables>, { production }: About): S3Config | null {
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
    throw new ConfigError(`${missing?.[0]} is required when ${given[0]} is set`);
  if (production && !isPrivate(endpoint.replace('{bucket}', bucket), 'https:'))
    throw new ConfigError('S3_ENDPOINT must start with https:// in production');
  return { endpoint, bucket, region: values.S3_REGION, accessKeyId, secretAccessKey };
}
