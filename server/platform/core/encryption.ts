import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.ts';
import { writeOnce } from './write-once.ts';

/** Throws ConfigError when nothing can be sealed: production has its key from outside, never from its own disk. */
export function checkSecretKey({ production, secretKey }: Config): void {
  if (production && secretKey === null)
    throw new ConfigError('SECRET_KEY is required in production and must be at least 32 bytes long');
}

/** A text only this server can read again. `use` is what it is for: sealed for one thing it opens for no other. */
export function seal(config: Config, use: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keysFor(config, 'seal')[0], iv).setAAD(Buffer.from(use));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * What was sealed for this use, by the key of now or the one that is accepted beside it. Throws when it was changed, sealed for
 * another use, or by another key.
 */
export function unseal(config: Config, use: string, sealed: string): string {
  const [own, accepted] = keysFor(config, 'seal');
  try {
    return open(own, use, sealed);
  } catch (error) {
    if (!accepted) throw error;
    return open(accepted, use, sealed);
  }
}

function open(key: Buffer, use: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(use));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** What is kept of a secret too short to be hashed alone: six digits are guessed in no time by who has the database, but not the key. */
export const keyedHash = (config: Config, use: string, secret: string): string =>
  hashWith(keysFor(config, 'hash')[0], use, secret);

/** The same by every key that counts: what a kept hash may be. */
export const keyedHashes = (config: Config, use: string, secret: string): string[] =>
  keysFor(config, 'hash').map((key) => hashWith(key, use, secret));

/** Whether a kept hash is of this secret, compared in constant time. */
export const matchesKeyedHash = (config: Config, use: string, secret: string, kept: string): boolean =>
  keyedHashes(config, use, secret).filter(
    (own) => own.length === kept.length && timingSafeEqual(Buffer.from(own), Buffer.from(kept)),
  ).length > 0;

const hashWith = (key: Buffer, use: string, secret: string): string =>
  createHmac('sha256', key).update(`${use}\0${secret}`).digest('hex');

const keys = new Map<string, Buffer>();

/** The key that seals, and the accepted one where there is one. */
function keysFor(config: Config, purpose: 'seal' | 'hash'): readonly [Buffer, ...Buffer[]] {
  checkSecretKey(config);
  const derive = (secret: string) => {
    const name = `${purpose} ${secret}`;
    const known = keys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, 'admin-panel', purpose, 32));
    keys.set(name, known);
    return known;
  };
  const own = derive(config.secretKey ?? ownKey(config.dataDir));
  return config.acceptedSecretKey === null ? [own] : [own, derive(config.acceptedSecretKey)];
}

const ownKeys = new Map<string, string>();

/** Development's key, made once. Whichever process comes first writes it. */
function ownKey(dataDir: string): string {
  const known = ownKeys.get(dataDir);
  if (known !== undefined) return known;
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  writeOnce(file, randomBytes(32).toString('base64url'));
  const key = readFileSync(file, 'utf8');
  ownKeys.set(dataDir, key);
  return key;
}
