import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** Throws ConfigError when nothing can be sealed: production has its key from outside, never from its own disk. */
export function checkSecretKey({ production, secretKey }: Config): void {
  if (production && secretKey === null)
    throw new ConfigError('SECRET_KEY is required in production and must be at least 32 bytes long');
}

/** A text only this server can read again. `use` is what it is for: sealed for one thing it opens for no other. */
export function seal(config: Config, use: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFor(config, 'seal'), iv).setAAD(Buffer.from(use));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** What was sealed for this use. Throws when it was changed, sealed for another use, or by another key. */
export function unseal(config: Config, use: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyFor(config, 'seal'), bytes.subarray(0, 12)).setAAD(Buffer.from(use));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** What is kept of a secret too short to be hashed alone: six digits are guessed in no time by who has the database, but not the key. */
export const keyedHash = (config: Config, use: string, secret: string): string =>
  createHmac('sha256', keyFor(config, 'hash')).update(`${use}\0${secret}`).digest('hex');

const keys = new Map<string, Buffer>();

function keyFor(config: Config, purpose: 'seal' | 'hash'): Buffer {
  const name = `${purpose} ${config.secretKey ?? config.dataDir}`;
  const known = keys.get(name);
  if (known) return known;
  checkSecretKey(config);
  const secret = config.secretKey ?? ownKey(config.dataDir);
  const key = Buffer.from(hkdfSync('sha256', secret, 'admin-panel', purpose, 32));
  keys.set(name, key);
  return key;
}

/** Development's key, made once. Whichever process comes first writes it. */
function ownKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8');
}
