import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.ts';
import { writeFileOnce } from './write-once.ts';

/** Throws ConfigError without a key in production. */
export function checkSecretKey({ production, secretKey }: Config): void {
  if (production && secretKey === null)
    throw new ConfigError('SECRET_KEY is required in production and must be at least 32 bytes long');
}

/** Decrypts only for the same `use`. */
export function seal(config: Config, use: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keysFor(config, 'seal')[0], iv).setAAD(Buffer.from(use));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws if changed, encrypted for another use, or by an unknown key. */
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

/** Six digits could be guessed from a hash without a key. */
export const keyedHash = (config: Config, use: string, secret: string): string =>
  hashWith(keysFor(config, 'hash')[0], use, secret);

export const keyedHashes = (config: Config, use: string, secret: string): string[] =>
  keysFor(config, 'hash').map((key) => hashWith(key, use, secret));

/** In constant time. */
export const matchesKeyedHash = (config: Config, use: string, secret: string, stored: string): boolean =>
  keyedHashes(config, use, secret).filter(
    (own) => own.length === stored.length && timingSafeEqual(Buffer.from(own), Buffer.from(stored)),
  ).length > 0;

const hashWith = (key: Buffer, use: string, secret: string): string =>
  createHmac('sha256', key).update(`${use}\0${secret}`).digest('hex');

const keys = new Map<string, Buffer>();

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

/** The first process wins. */
function ownKey(dataDir: string): string {
  const known = ownKeys.get(dataDir);
  if (known !== undefined) return known;
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  writeFileOnce(file, randomBytes(32).toString('base64url'));
  const key = readFileSync(file, 'utf8');
  ownKeys.set(dataDir, key);
  return key;
}
