import { expect, test } from 'vitest';
import { readSignerConfig } from './config.ts';

const devnetEnv = {
  SIGNER_DIR: '/tmp/signer',
  SIGNER_DATABASE_URL: 'postgres://signer@localhost/panel',
  AUTHORITY_GENESIS: 'a'.repeat(64),
  MINTER_KEY: `0x${'3'.repeat(64)}`,
  EVM_RPC_URL: 'http://127.0.0.1:1',
  EVM_CHAIN_ID: '31337',
  YBTC_ADDRESS: `0x${'1'.repeat(40)}`,
  CUSTODY_BRIDGE_ADDRESS: `0x${'2'.repeat(40)}`,
  SIGNER_ESPLORA_URLS: 'http://127.0.0.1:2',
};
const remoteNetworkEnv = { SIGNER_SECONDS_AHEAD: '60' };

test('the signer refuses a clock offset except on its own devnet', () => {
  expect(readSignerConfig(devnetEnv).aheadMs).toBe(0);
  expect(readSignerConfig({ ...devnetEnv, ...remoteNetworkEnv }).aheadMs).toBe(60_000);
  const sources = { SIGNER_ESPLORA_URLS: 'https://one.example,https://two.example', EVM_RPC_URL: 'https://rpc.example' };
  for (const nonDevnetEnv of [
    { NODE_ENV: 'production', ...sources },
    { NODE_ENV: 'production', ...sources, SIGNER_SECONDS_AHEAD: '0' },
    { EVM_CHAIN_ID: '1' },
    { EVM_RPC_URL: 'http://10.0.0.1:8545' },
  ])
    expect(() => readSignerConfig({ ...devnetEnv, ...remoteNetworkEnv, ...nonDevnetEnv })).toThrow(
      'SIGNER_SECONDS_AHEAD is only for test environments with the built-in devnet',
    );
  expect(() => readSignerConfig({ ...devnetEnv, SIGNER_SECONDS_AHEAD: '-60' })).toThrow(/^SIGNER_SECONDS_AHEAD/);
});

test('the signer accepts one or several distinct nodes, like the server', () => {
  const { EVM_RPC_URL: firstUrl, ...others } = devnetEnv;
  expect(readSignerConfig(devnetEnv).urls).toEqual([firstUrl]);
  const severalUrls = 'http://127.0.0.1:1,http://127.0.0.1:2';
  expect(readSignerConfig({ ...others, EVM_RPC_URLS: severalUrls }).urls).toEqual(severalUrls.split(','));
  expect(() => readSignerConfig(others)).toThrow('EVM_RPC_URLS is required');
  expect(() => readSignerConfig({ ...devnetEnv, EVM_RPC_URLS: severalUrls })).toThrow(/^EVM_RPC_URL: EVM_RPC_URLS is set too/);
  expect(() => readSignerConfig({ ...others, EVM_RPC_URLS: 'https://a.example/1,https://a.example/2' })).toThrow(
    /^EVM_RPC_URLS names a\.example twice/,
  );
  const productionEnv = { ...others, NODE_ENV: 'production', SIGNER_ESPLORA_URLS: 'https://one.example,https://two.example' };
  expect(() => readSignerConfig({ ...productionEnv, EVM_RPC_URLS: 'https://a.example,http://b.example' })).toThrow(
    'EVM_RPC_URLS must contain only https:// URLs in production',
  );
});
