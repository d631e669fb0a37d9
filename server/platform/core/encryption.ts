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

/** Decrypts only for the same `purpose`. */
export function seal(config: Config, purpose: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKeys(config, 'seal')[0], iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws if changed, encrypted for another use, or by an unknown key. */
export function unseal(config: Config, purpose: string, sealed: string): string {
  const [currentKey, acceptedKeys] = deriveKeys(config, 'seal');
  try {
    return decrypt(currentKey, purpose, sealed);
  } catch (error) {
    if (!acceptedKeys) throw error;
    return decrypt(acceptedKeys, purpose, sealed);
  }
}

function decrypt(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** Six digits could be guessed from a hash without a key. */
export const computeKeyedHash = (config: Config, purpose: string, secret: string): string =>
  hashWith(deriveKeys(config, 'hash')[0], purpose, secret);

export const computeKeyedHashes = (config: Config, purpose: string, secret: string): string[] =>
  deriveKeys(config, 'hash').map((key) => hashWith(key, purpose, secret));

/** In constant time. */
export const matchesKeyedHash = (config: Config, purpose: string, secret: string, storedHash: string): boolean =>
  computeKeyedHashes(config, purpose, secret).filter(
    (candidate) => candidate.length === storedHash.length && timingSafeEqual(Buffer.from(candidate), Buffer.from(storedHash)),
  ).length > 0;

const hashWith = (key: Buffer, purpose: string, secret: string): string =>
  createHmac('sha256', key).update(`${purpose}\0${secret}`).digest('hex');

const derivedKeys = new Map<string, Buffer>();

function deriveKeys(config: Config, purpose: 'seal' | 'hash'): readonly [Buffer, ...Buffer[]] {
  checkSecretKey(config);
  const deriveKey = (secret: string) => {
    const name = `${purpose} ${secret}`;
    const knownKey = derivedKeys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, 'admin-panel', purpose, 32));
    derivedKeys.set(name, knownKey);
    return knownKey;
  };
  const storedKey = deriveKey(config.secretKey ?? readDefaultKey(config.dataDir));
  return config.acceptedSecretKey === null ? [storedKey] : [storedKey, deriveKey(config.acceptedSecretKey)];
}

const defaultKeys = new Map<string, string>();

/** The first process wins. */
function readDefaultKey(dataDir: string): string {
  const knownOwnKey = defaultKeys.get(dataDir);
  if (knownOwnKey !== undefined) return knownOwnKey;
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  writeFileOnce(file, randomBytes(32).toString('base64url'));
  const key = readFileSync(file, 'utf8');
  defaultKeys.set(dataDir, key);
  return key;
}
