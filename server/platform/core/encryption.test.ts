import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { checkSecretKey, keyedHash, matchesKeyedHash, seal, unseal } from './encryption.ts';
import { writeFileOnce } from './write-once.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'panel-seal-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const config = readConfig({ DATA_DIR: dataDir });
const other = readConfig({ DATA_DIR: dataDir, SECRET_KEY: 'another key, that is long enough to be one' });

test('decrypts only for the same use with the same key', () => {
  const sealed = seal(config, 'totp 1', 'JBSWY3DPEHPK3PXP');
  expect(sealed).not.toContain('JBSWY');
  expect(unseal(config, 'totp 1', sealed)).toBe('JBSWY3DPEHPK3PXP');
  expect(() => unseal(config, 'totp 2', sealed)).toThrow();
  expect(() => unseal(other, 'totp 1', sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of [0, 12, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(config, 'totp 1', changed.toString('base64url'))).toThrow();
  }
});

test('encrypts the same text differently each time, and hashes it the same for one use and key', () => {
  expect(seal(config, 'x', 'same')).not.toBe(seal(config, 'x', 'same'));
  expect(keyedHash(config, 'code 1', '123456')).toBe(keyedHash(config, 'code 1', '123456'));
  expect(keyedHash(config, 'code 2', '123456')).not.toBe(keyedHash(config, 'code 1', '123456'));
  expect(keyedHash(other, 'code 1', '123456')).not.toBe(keyedHash(config, 'code 1', '123456'));
});

test('keeps development’s own key readable by its user only, and production requires a configured key', () => {
  seal(config, 'x', 'y');
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' };
  expect(() => checkSecretKey(readConfig(production))).toThrow(ConfigError);
  expect(() => checkSecretKey(readConfig({ ...production, SECRET_KEY: 'a key from outside, long enough' + '!' }))).not.toThrow();
});

test('decrypts and matches with an accepted key, but never encrypts with it', () => {
  const [old, fresh] = ['the old key, that is long enough to be one', 'the new key, that is long enough to be one'];
  const before = readConfig({ SECRET_KEY: old });
  const during = readConfig({ SECRET_KEY: fresh, SECRET_KEY_ACCEPTED: old });
  const after = readConfig({ SECRET_KEY: fresh });
  const [sealed, hash] = [seal(before, 'totp 1', 'secret'), keyedHash(before, 'code 1', '123456')];
  expect(unseal(during, 'totp 1', sealed)).toBe('secret');
  expect(matchesKeyedHash(during, 'code 1', '123456', hash)).toBe(true);
  expect(matchesKeyedHash(during, 'code 1', '123457', hash)).toBe(false);
  expect(unseal(after, 'totp 1', seal(during, 'totp 1', 'secret'))).toBe('secret');
  expect(() => unseal(after, 'totp 1', sealed)).toThrow();
  expect(matchesKeyedHash(after, 'code 1', '123456', hash)).toBe(false);
});

test('keeps an existing key file and leaves no partial file', () => {
  const file = join(dataDir, 'once');
  writeFileOnce(file, 'first');
  writeFileOnce(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(() => writeFileOnce(join(dataDir, 'none', 'key'), 'x')).toThrow('ENOENT');
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
