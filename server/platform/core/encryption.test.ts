import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { checkSecretKey, computeKeyedHash, matchesKeyedHash, seal, unseal } from './encryption.ts';
import { writeFileOnce } from './write-once.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'panel-seal-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const config = readConfig({ DATA_DIR: dataDir });
const otherConfig = readConfig({ DATA_DIR: dataDir, SECRET_KEY: 'another key, that is long enough to be one' });

test('decrypts only for the same use with the same key', () => {
  const sealedText = seal(config, 'totp 1', 'JBSWY3DPEHPK3PXP');
  expect(sealedText).not.toContain('JBSWY');
  expect(unseal(config, 'totp 1', sealedText)).toBe('JBSWY3DPEHPK3PXP');
  expect(() => unseal(config, 'totp 2', sealedText)).toThrow();
  expect(() => unseal(otherConfig, 'totp 1', sealedText)).toThrow();
  const bytes = Buffer.from(sealedText, 'base64url');
  for (const byteIndex of [0, 12, 28, bytes.length - 1]) {
    const changedBytes = Buffer.from(bytes);
    changedBytes[byteIndex] = (changedBytes[byteIndex] ?? 0) ^ 1;
    expect(() => unseal(config, 'totp 1', changedBytes.toString('base64url'))).toThrow();
  }
});

test('encrypts the same text differently each time, and hashes it the same for one use and key', () => {
  expect(seal(config, 'x', 'same')).not.toBe(seal(config, 'x', 'same'));
  expect(computeKeyedHash(config, 'code 1', '123456')).toBe(computeKeyedHash(config, 'code 1', '123456'));
  expect(computeKeyedHash(config, 'code 2', '123456')).not.toBe(computeKeyedHash(config, 'code 1', '123456'));
  expect(computeKeyedHash(otherConfig, 'code 1', '123456')).not.toBe(computeKeyedHash(config, 'code 1', '123456'));
});

test('keeps development’s own key readable by its user only, and production requires a configured key', () => {
  seal(config, 'x', 'y');
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  const productionEnv = { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' };
  expect(() => checkSecretKey(readConfig(productionEnv))).toThrow(ConfigError);
  expect(() =>
    checkSecretKey(readConfig({ ...productionEnv, SECRET_KEY: 'a key from outside, long enough' + '!' })),
  ).not.toThrow();
});

test('decrypts and matches with an accepted key, but never encrypts with it', () => {
  const [oldKey, newKey] = ['the old key, that is long enough to be one', 'the new key, that is long enough to be one'];
  const configWithOldKey = readConfig({ SECRET_KEY: oldKey });
  const configWithBothKeys = readConfig({ SECRET_KEY: newKey, SECRET_KEY_ACCEPTED: oldKey });
  const configWithNewKey = readConfig({ SECRET_KEY: newKey });
  const [sealed, hash] = [seal(configWithOldKey, 'totp 1', 'secret'), computeKeyedHash(configWithOldKey, 'code 1', '123456')];
  expect(unseal(configWithBothKeys, 'totp 1', sealed)).toBe('secret');
  expect(matchesKeyedHash(configWithBothKeys, 'code 1', '123456', hash)).toBe(true);
  expect(matchesKeyedHash(configWithBothKeys, 'code 1', '123457', hash)).toBe(false);
  expect(unseal(configWithNewKey, 'totp 1', seal(configWithBothKeys, 'totp 1', 'secret'))).toBe('secret');
  expect(() => unseal(configWithNewKey, 'totp 1', sealed)).toThrow();
  expect(matchesKeyedHash(configWithNewKey, 'code 1', '123456', hash)).toBe(false);
});

test('keeps an existing key file and leaves no partial file', () => {
  const file = join(dataDir, 'once');
  writeFileOnce(file, 'first');
  writeFileOnce(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(() => writeFileOnce(join(dataDir, 'none', 'key'), 'x')).toThrow('ENOENT');
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
