import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('nothing set gives a development server', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 4280,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4280',
    demoNews: true,
  });
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4280, databaseUrl: null });
});

test.each([
  [{ PORT: 'eighty' }, 'PORT: must be a whole number'],
  [{ PORT: '70000' }, 'PORT: must be between 0 and 65535'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV: '],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: must be a postgres:// URL'],
  [{ PUBLIC_URL: 'panel.example.com' }, 'PUBLIC_URL: must be an origin'],
  [{ PUBLIC_URL: 'https://panel.example.com/admin' }, 'PUBLIC_URL: must be an origin'],
  [{ NEWS_FEEDS: 'https://a.example/feed,ftp://b.example' }, 'NEWS_FEEDS: must be http(s) URLs'],
  [{ SMTP_URL: 'mail.example.com:25' }, 'SMTP_URL: must be an smtp:// or smtps:// URL'],
  [{ BITCOIN_NETWORK: 'litecoin' }, 'BITCOIN_NETWORK: '],
  [{ SECRET_KEY: 'too short' }, 'SECRET_KEY: must be 32 bytes or more'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY: '],
  [{ MINT_MAX_FEE: '1e9' }, 'MINT_MAX_FEE: must be an amount in gwei'],
  [{ MINT_MAX_TIP: '301' }, 'MINT_MAX_TIP: must not be above MINT_MAX_FEE'],
  [{ MINT_DELAY_MINUTES: '-1' }, 'MINT_DELAY_MINUTES: must be a whole number'],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://panel.example.com' }, 'PUBLIC_URL: must be https:// in production'],
])('%o is refused in one line that names the variable', (env, line) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(line);
  try {
    readConfig(env);
  } catch (error) {
    expect(String(error)).not.toContain('\n');
  }
});

test('production has no demo news, whatever is asked for', () => {
  expect(readConfig({ NODE_ENV: 'production', DEMO_NEWS: 'on' }).demoNews).toBe(false);
});

test('a browser not seen before is asked for a code in production, elsewhere when told so', () => {
  expect(readConfig({}).newBrowserCode).toBe(false);
  expect(readConfig({ NEW_BROWSER_CODE: 'on' }).newBrowserCode).toBe(true);
  expect(readConfig({ NODE_ENV: 'production' }).newBrowserCode).toBe(true);
  expect(readConfig({ NODE_ENV: 'production', NEW_BROWSER_CODE: 'off' }).newBrowserCode).toBe(false);
});

test('the addresses of the CRSMs come together or not at all', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const names = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
  const chain = {
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '1',
    ...Object.fromEntries(names.map((name) => [`${name}_ADDRESS`, address])),
  };
  expect(readConfig(chain).evm?.contracts).toMatchObject({ crsmFactory: null, crsmUtils: null });
  expect(() => readConfig({ ...chain, CRSM_UTILS_ADDRESS: address })).toThrow('CRSM_FACTORY_ADDRESS: is needed with CRSM_UTILS');
  const both = { CRSM_FACTORY_ADDRESS: address, CRSM_UTILS_ADDRESS: address, CHAIN_START_BLOCK: '7' };
  expect(readConfig({ ...chain, ...both }).evm).toMatchObject({ contracts: { crsmFactory: address }, startBlock: 7n });
});

test('what a mint offers is bounded, and in production it can be cancelled for a while, unless told otherwise', () => {
  const limits = { maxFeePerGas: 300_000_000_000n, maxPriorityFeePerGas: 10_000_000_000n };
  expect(readConfig({})).toMatchObject({ mintLimits: limits, mintDelayMs: 0 });
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' };
  expect(readConfig(production)).toMatchObject({ mintLimits: limits, mintDelayMs: 900_000, mintDelayFrom: 100_000_000n });
  const told = { ...production, MINT_MAX_FEE: '0.5', MINT_MAX_TIP: '0.05', MINT_DELAY_MINUTES: '0', MINT_DELAY_FROM: '0' };
  expect(readConfig(told)).toMatchObject({
    mintLimits: { maxFeePerGas: 500_000_000n, maxPriorityFeePerGas: 50_000_000n },
    mintDelayMs: 0,
    mintDelayFrom: 0n,
  });
});
