import { isAddress, parseGwei } from 'viem';
import * as z from 'zod';
import { findDatabaseUrlProblem } from '../database-url.ts';
import { addFullStop } from '../start-error.ts';
import { isHttp, splitList } from './urls.ts';

// Problems are worded to follow the variable's name.

export type ValuesOf<Variables extends z.ZodRawShape> = z.infer<z.ZodObject<Variables>>;

export interface ConfigContext {
  readonly production: boolean;
  readonly development: boolean;
  readonly demo: boolean;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

/** The message is one line naming the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(message: string) {
    super(addFullStop(message));
  }
}

export const formatIssue = (issue: z.core.$ZodIssue | undefined): string =>
  issue?.code === 'invalid_value' ? `must be one of: ${issue.values.join(', ')}` : (issue?.message ?? 'is invalid');

export const nonEmptyText = z.string().min(1);

export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

export const onOffText = z.enum(['on', 'off']);

export const secretText = z.string().refine((value) => Buffer.byteLength(value) >= 32, 'must be at least 32 bytes long');

export const httpUrlText = z.string().refine(isHttp, 'must be an http(s) URL');

export const originUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.pathname === '/' && !url.search && !url.hash)
    return url.origin;
  context.addIssue('must be an origin like https://panel.example.com');
  return z.NEVER;
});

export const postgresUrl = z.string().superRefine((value, context) => {
  const problem = findDatabaseUrlProblem(value);
  if (problem !== null) context.addIssue(problem);
});

export const smtpUrl = z
  .string()
  .refine((value) => /^smtps?:\/\/./.test(value) && URL.canParse(value), 'must be an smtp:// or smtps:// URL')
  // The mailer would check the host only later.
  .refine((value) => URL.canParse(value.replace(/^smtps?:/, 'https:')), 'has a host that isn’t valid');

const separatedList = (isRight: (listPart: string) => boolean, description: string) =>
  z.string().transform((value, context) => {
    const parts = splitList(value);
    if (parts.every(isRight)) return parts;
    context.addIssue(`must be a comma-separated list of ${description}`);
    return z.NEVER;
  });

export const urlList = separatedList(isHttp, 'http(s) URLs');

export const isMailAddress = (address: string): boolean => /^[^\s@<>,]+@[^\s@<>,]+$/.test(address) && address.length <= 254;

export const originList = separatedList(
  (listPart) => originUrl.safeParse(listPart).success,
  'origins like https://www.example.com',
).transform((parts) => parts.map((listPart) => originUrl.parse(listPart)));

export const evmAddressText = z
  .string()
  .refine((value) => isAddress(value), 'must be a contract address with a correct checksum (EIP-55)');

export const gweiText = z.string().transform((value, context) => {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return parseGwei(value);
  context.addIssue('must be an amount in gwei like 1.5');
  return z.NEVER;
});
