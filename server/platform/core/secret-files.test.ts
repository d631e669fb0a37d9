import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSignerConfig } from '../../signer/config.ts';
import { readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeSecretFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const secretKey = 'k'.repeat(40);

test('reads a secret from the named file without its line break', () => {
  const config = readConfig({
    SECRET_KEY_FILE: writeSecretFile('key', `${secretKey}\n`),
    DATABASE_URL_FILE: writeSecretFile('url', 'postgres://a:b@c/d\n'),
  });
  expect([config.secretKey, config.databaseUrl]).toEqual([secretKey, 'postgres://a:b@c/d']);
});

test('validates a secret from a file like a variable, without repeating it', () => {
  const readTestConfig = () => readConfig({ SECRET_KEY_FILE: writeSecretFile('short', 'hunter2') });
  expect(readTestConfig).toThrow('SECRET_KEY must be at least 32 bytes long');
  expect(readTestConfig).not.toThrow('hunter2');
});

test('refuses a missing or empty file, and a secret that is set twice', () => {
  expect(() => readConfig({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
    'SECRET_KEY_FILE names a file that can’t be read or is empty',
  );
  expect(() => readConfig({ SMTP_URL_FILE: writeSecretFile('empty', '\n') })).toThrow(
    'SMTP_URL_FILE names a file that can’t be read or is empty',
  );
  expect(() => readConfig({ SECRET_KEY: secretKey, SECRET_KEY_FILE: writeSecretFile('key', secretKey) })).toThrow(
    'SECRET_KEY_FILE and SECRET_KEY are both set',
  );
});

test('does not treat the genesis file, which holds a log line, as a secret file', () => {
  const config = readConfig({ AUTHORITY_GENESIS: 'a'.repeat(64), AUTHORITY_GENESIS_FILE: writeSecretFile('genesis', '{}') });
  expect(config.authorityGenesisFile).toBe(join(folder, 'genesis'));
});

test('reads the signer’s key from a file', () => {
  const signerEnv = {
    SIGNER_DIR: folder,
    AUTHORITY_GENESIS: 'a'.repeat(64),
    EVM_RPC_URL: 'http://127.0.0.1:1',
    EVM_CHAIN_ID: '31337',
    YBTC_ADDRESS: `0x${'1'.repeat(40)}`,
    CUSTODY_BRIDGE_ADDRESS: `0x${'2'.repeat(40)}`,
    SIGNER_ESPLORA_URLS: 'http://127.0.0.1:2',
    SIGNER_DATABASE_URL_FILE: writeSecretFile('signer-url', 'postgres://signer@localhost/panel'),
  };
  const minterKey = `0x${'3'.repeat(64)}`;
  expect(readSignerConfig({ ...signerEnv, MINTER_KEY_FILE: writeSecretFile('minter', `${minterKey}\n`) }).minterKey).toBe(
    minterKey,
  );
  expect(() => readSignerConfig({ ...signerEnv, MINTER_KEY_FILE: join(folder, 'none') })).toThrow(
    'MINTER_KEY_FILE names a file that can’t be read or is empty',
  );
});
