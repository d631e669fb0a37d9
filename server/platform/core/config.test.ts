import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('an empty environment configures a development server', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 4280,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4280',
    demoNews: true,
  });
});

test('treats an empty variable as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4280, databaseUrl: null });
});

test.each([
  [{ PORT: 'eighty' }, 'PORT must be a whole number'],
  [{ PORT: '70000' }, 'PORT must be between 0 and 65535'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of: development, production, test'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ S3_BUCKET: 'pictures' }, 'S3_ENDPOINT is required when S3_BUCKET is set'],
  [{ S3_ENDPOINT: 'https://s3.example.com' }, 'S3_BUCKET is required when S3_ENDPOINT is set'],
  [{ S3_ENDPOINT: 's3.example.com' }, 'S3_ENDPOINT must be an http(s) URL'],
  [{ S3_BUCKET: 'Pictures/x' }, 'S3_BUCKET must be a bucket name'],
  [
    {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://panel.example.com',
      S3_ENDPOINT: 'http://s3.example.com',
      S3_BUCKET: 'pictures',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    },
    'S3_ENDPOINT must start with https:// in production',
  ],
  [{ PUBLIC_URL: 'panel.example.com' }, 'PUBLIC_URL must be an origin'],
  [{ PUBLIC_URL: 'https://panel.example.com/admin' }, 'PUBLIC_URL must be an origin'],
  [{ NEWS_FEEDS: 'https://a.example/feed,ftp://b.example' }, 'NEWS_FEEDS must be a comma-separated list of http(s) URLs'],
  [{ NEWS_FEEDS: 'https://name:word@a.example/feed' }, 'NEWS_FEEDS must not contain user names or passwords'],
  [
    { NODE_ENV: 'production', NEWS_FEEDS: 'http://a.example/feed' },
    'NEWS_FEEDS must contain only https:// URLs without a port in production',
  ],
  [
    { NODE_ENV: 'production', NEWS_FEEDS: 'https://a.example:8443/feed' },
    'NEWS_FEEDS must contain only https:// URLs without a port in production',
  ],
  [
    { ALARM_WEBHOOKS: 'slack=https://a.example/x#%zz' },
    'ALARM_WEBHOOKS has a secret with a % that is not encoded. Write it as %25',
  ],
  [
    { NODE_ENV: 'production', ALARM_WEBHOOKS: 'slack=https://a.example:8443/x' },
    'ALARM_WEBHOOKS: only a json webhook may have a port in production',
  ],
  [{ SMTP_URL: 'mail.example.com:25' }, 'SMTP_URL must be an smtp:// or smtps:// URL'],
  [{ BITCOIN_NETWORK: 'litecoin' }, 'BITCOIN_NETWORK must be one of: mainnet'],
  [{ BITCOIN_EXPLORER_URL: 'mempool.space' }, 'BITCOIN_EXPLORER_URL must be an http(s) URL or off'],
  [{ EVM_EXPLORER_URL: 'javascript:alert(1)' }, 'EVM_EXPLORER_URL must be an http(s) URL or off'],
  [
    { EVM_EXPLORER_URL: 'https://name:word@a.example' },
    'EVM_EXPLORER_URL must not contain a user name, password, query or fragment',
  ],
  [
    { BITCOIN_EXPLORER_URL: 'https://a.example/?q=' },
    'BITCOIN_EXPLORER_URL must not contain a user name, password, query or fragment',
  ],
  [{ NODE_ENV: 'production', EVM_EXPLORER_URL: 'http://a.example' }, 'EVM_EXPLORER_URL must start with https:// in production'],
  [
    { NODE_ENV: 'production', BITCOIN_EXPLORER_URL: 'http://a.example' },
    'BITCOIN_EXPLORER_URL must start with https:// in production',
  ],
  [{ SECRET_KEY: 'too short' }, 'SECRET_KEY must be at least 32 bytes long'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be a whole number'],
  [{ MINT_MAX_FEE: '1e9' }, 'MINT_MAX_FEE must be an amount in gwei'],
  [{ MINT_MAX_TIP: '301' }, 'MINT_MAX_TIP must not be higher than MINT_MAX_FEE'],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://panel.example.com' }, 'PUBLIC_URL must start with https:// in production'],
  [{ MONEY_COOLING_HOURS: '-1' }, 'MONEY_COOLING_HOURS must be a whole number'],
  [
    { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com', MONEY_COOLING_HOURS: '0' },
    'MONEY_COOLING_HOURS must be at least 1 in production',
  ],
])('refuses %o in one line that names the variable', (env, problemLine) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(problemLine);
  try {
    readConfig(env);
  } catch (error) {
    expect(String(error)).not.toContain('\n');
  }
});

test('production accepts a json webhook on any port, and a secret with any character', () => {
  const { newsFeeds, alarms } = readConfig({
    NODE_ENV: 'production',
    NEWS_FEEDS: 'https://a.example:443/feed',
    ALARM_WEBHOOKS: 'json=https://a.example:8443/x#100%25,slack=https://hooks.example.com/y',
  });
  expect(newsFeeds).toEqual(['https://a.example:443/feed']);
  expect(alarms.webhooks).toEqual([
    { kind: 'json', url: 'https://a.example:8443/x', secret: '100%', language: 'en', zone: null },
    { kind: 'slack', url: 'https://hooks.example.com/y', secret: null, language: 'en', zone: null },
  ]);
});

test('production never has demo news', () => {
  expect(readConfig({ NODE_ENV: 'production', DEMO_NEWS: 'on' }).demoNews).toBe(false);
});

test('requires an emailed code for new browsers in production, elsewhere only if configured', () => {
  expect(readConfig({}).newBrowserCode).toBe(false);
  expect(readConfig({ NEW_BROWSER_CODE: 'on' }).newBrowserCode).toBe(true);
  expect(readConfig({ NODE_ENV: 'production' }).newBrowserCode).toBe(true);
  expect(readConfig({ NODE_ENV: 'production', NEW_BROWSER_CODE: 'off' }).newBrowserCode).toBe(false);
});

test('accepts both CRSM addresses or neither', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const names = ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'];
  const chain = {
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '1',
    ...Object.fromEntries(names.map((name) => [`${name}_ADDRESS`, address])),
  };
  expect(readConfig(chain).evm?.contracts).toMatchObject({ crsmFactory: null, crsmUtils: null });
  expect(() => readConfig({ ...chain, CRSM_UTILS_ADDRESS: address })).toThrow(
    'CRSM_FACTORY_ADDRESS is required when CRSM_UTILS_ADDRESS is set',
  );
  const crsmAddresses = { CRSM_FACTORY_ADDRESS: address, CRSM_UTILS_ADDRESS: address, CHAIN_START_BLOCK: '7' };
  expect(readConfig({ ...chain, ...crsmAddresses }).evm).toMatchObject({ contracts: { crsmFactory: address }, startBlock: 7n });
});

const productionEnv = { PUBLIC_URL: 'https://panel.example.com' };
const contractAddress = '0x52908400098527886E0F7030069857D2E4169EE7';
const buildChainEnv = (url: string, id = '31337') => ({
  EVM_RPC_URL: url,
  EVM_CHAIN_ID: id,
  ...Object.fromEntries(
    ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'].map((name) => [
      `${name}_ADDRESS`,
      contractAddress,
    ]),
  ),
});
const minterEnv = { MINTER_KEY: `0x${'22'.repeat(32)}` };

const buildNodesEnv = (...urls: readonly string[]) => ({ ...buildChainEnv(''), EVM_RPC_URLS: urls.join(',') });

test('reads one node or several from either variable', () => {
  expect(readConfig(buildChainEnv('https://one.example/v2/key')).evm?.urls).toEqual(['https://one.example/v2/key']);
  const nodeUrls = ['https://one.example/v2/key', 'https://two.example:8443'];
  expect(readConfig(buildNodesEnv(...nodeUrls)).evm?.urls).toEqual(nodeUrls);
  expect(readConfig(buildNodesEnv('https://one.example')).evm?.urls).toEqual(['https://one.example']);
});

test.each([
  [
    buildNodesEnv('https://one.example/v2/a', 'https://ONE.example/v2/b'),
    'EVM_RPC_URLS names one.example twice. A node can’t confirm itself. Name nodes on different hosts',
  ],
  [
    buildNodesEnv('https://one.example', 'two.example'),
    'EVM_RPC_URLS must be one or more http:// or https:// URLs, separated by commas',
  ],
  [buildNodesEnv(' ', ' '), 'EVM_RPC_URLS must be one or more http:// or https:// URLs, separated by commas'],
  [
    { ...buildNodesEnv('https://one.example'), EVM_RPC_URL: 'https://two.example' },
    'EVM_RPC_URL: EVM_RPC_URLS is set too. Keep one of the two',
  ],
  [{ EVM_RPC_URLS: 'https://one.example' }, 'EVM_CHAIN_ID is required when EVM_RPC_URLS is set'],
])('refuses to start with implausible nodes: %o', (env, problemLine) => {
  expect(() => readConfig(env)).toThrow(problemLine);
});

test('uses a default block explorer for public chains only', () => {
  const readExplorers = (env: Record<string, string>) => {
    const { bitcoinExplorer, evmExplorer } = readConfig(env);
    return [bitcoinExplorer, evmExplorer];
  };
  const realChainEnv = (id: string) => buildChainEnv('https://rpc.example.com', id);
  expect(readExplorers(realChainEnv('1'))).toEqual(['https://mempool.space', 'https://etherscan.io']);
  expect(readExplorers({ ...realChainEnv('5'), BITCOIN_NETWORK: 'testnet' })).toEqual([null, null]);
  expect(readExplorers({ ...realChainEnv('1'), BITCOIN_EXPLORER_URL: 'off', EVM_EXPLORER_URL: 'off' })).toEqual([null, null]);
  expect(readExplorers({})).toEqual([null, null]);
  const explorerEnv = { BITCOIN_EXPLORER_URL: 'https://a.example/', EVM_EXPLORER_URL: 'https://b.example/chain' };
  expect(readExplorers(explorerEnv)).toEqual(['https://a.example', 'https://b.example/chain']);
});

test('refuses to start with a minting key on a real chain without NODE_ENV=production', () => {
  for (const NODE_ENV of ['', 'development', 'test'])
    for (const chain of [
      buildChainEnv('https://rpc.example.com', '1'),
      buildChainEnv('https://rpc.example.com'),
      buildChainEnv('http://127.0.0.1:9', '1'),
    ])
      expect(() => readConfig({ NODE_ENV, ...chain, ...minterEnv }), NODE_ENV).toThrow(
        'MINTER_KEY is only for the built-in devnet',
      );
  expect(() => readConfig({ ...buildChainEnv('http://127.0.0.1:9'), ...minterEnv })).toThrow(
    'MINTER_KEY is only for the built-in devnet',
  );
  // a test must ask for it explicitly
  expect(readConfig({ NODE_ENV: 'test', ...buildChainEnv('http://127.0.0.1:9'), ...minterEnv }).evm?.minterKey).toBe(
    minterEnv.MINTER_KEY,
  );
});

test('production refuses to start with the minting key, which belongs to the signer', () => {
  const productionEnvironment = { NODE_ENV: 'production', ...productionEnv };
  for (const env of [productionEnvironment, { ...productionEnvironment, ...buildChainEnv('https://rpc.example.com', '1') }])
    expect(() => readConfig({ ...env, ...minterEnv })).toThrow('MINTER_KEY must not be set on the server in production');
});

test.each([
  [{ HOST: '0.0.0.0' }, 'an open HOST'],
  [{ HOST: '192.168.0.10' }, 'a HOST of the network'],
  [{ HOST: '::' }, 'an open HOST'],
  [{ PUBLIC_URL: 'https://panel.example.com' }, 'an address for others, before a loopback HOST'],
  [buildChainEnv('https://rpc.example.com', '1'), 'a real chain'],
  [buildChainEnv('http://127.0.0.1:9'), 'a chain that development did not start'],
  [{ NODE_ENV: 'test', ...buildChainEnv('https://rpc.example.com') }, 'a test against another machine'],
  [{ NODE_ENV: 'production', ...productionEnv }, 'production'],
])('allows no demo account, demo data or demo Bitcoin with %o: %s', (env, setting) => {
  expect(readConfig({ DEMO_NEWS: 'on', DEMO_WALLET: 'on', ...env }), setting).toMatchObject({
    demo: false,
    demoNews: false,
    demoWallet: false,
    esploraUrls: [],
  });
});

test('allows demo data in development on a loopback host with a local chain', () => {
  for (const HOST of ['127.0.0.1', '::1', 'localhost'])
    expect(readConfig({ HOST })).toMatchObject({
      demo: true,
      demoNews: true,
      esploraUrls: ['http://localhost:4280/dev/bitcoin'],
    });
});

test.each([
  [
    { ESPLORA_URLS: 'https://blocks.example.com/api,https://BLOCKS.example.com/api/' },
    'ESPLORA_URLS lists blocks.example.com twice',
  ],
  [
    { ESPLORA_URLS: 'https://one.example.com/api,http://two.example.com/api' },
    'ESPLORA_URLS must contain only https:// URLs in production',
  ],
  [{ SMTP_URL: 'smtp://mail.example.com:25' }, 'SMTP_URL must start with smtps:// in production'],
  [buildChainEnv('http://rpc.example.com'), 'EVM_RPC_URL must start with https:// in production'],
  [buildNodesEnv('https://one.example', 'http://two.example'), 'EVM_RPC_URLS must contain only https:// URLs in production'],
])('production refuses unencrypted connections and repeated sources: %o', (env, problemLine) => {
  expect(() => readConfig({ NODE_ENV: 'production', ...productionEnv, ...env })).toThrow(problemLine);
});

test('production requires custody addresses of its network', () => {
  const env = { NODE_ENV: 'production', ...productionEnv, ...buildChainEnv('https://rpc.example.com', '1') };
  const [custodyAddress, otherAddress] = ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'];
  expect(() => readConfig(env)).toThrow('CUSTODY_ADDRESSES is required in production when EVM_RPC_URL is set');
  expect(() => readConfig({ ...env, CUSTODY_ADDRESSES: ' , ' })).toThrow('CUSTODY_ADDRESSES is required');
  expect(() => readConfig({ ...env, CUSTODY_ADDRESSES: `${custodyAddress},tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx` })).toThrow(
    'CUSTODY_ADDRESSES contains tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx, which isn’t a mainnet address',
  );
  expect(() => readConfig({ ...env, CUSTODY_ADDRESSES: `${custodyAddress},${custodyAddress}` })).toThrow('twice');
  expect(readConfig({ ...env, CUSTODY_ADDRESSES: `${custodyAddress.toUpperCase()}, ${otherAddress}` }).custodyAddresses).toEqual([
    custodyAddress,
    otherAddress,
  ]);
});

test('accepts connections without TLS on the same machine', () => {
  const localEnv = { ESPLORA_URLS: 'http://127.0.0.1:3000,https://blocks.example.com/api', SMTP_URL: 'smtp://localhost:25' };
  expect(readConfig({ NODE_ENV: 'production', ...productionEnv, ...localEnv }).esploraUrls).toHaveLength(2);
});

test('limits the fees of a mint by default', () => {
  const mintLimits = { maxFeePerGas: 300_000_000_000n, maxPriorityFeePerGas: 10_000_000_000n };
  expect(readConfig({})).toMatchObject({ mintLimits });
  const mintLimitEnv = { MINT_MAX_FEE: '0.5', MINT_MAX_TIP: '0.05' };
  expect(readConfig(mintLimitEnv)).toMatchObject({
    mintLimits: { maxFeePerGas: 500_000_000n, maxPriorityFeePerGas: 50_000_000n },
  });
});

const ssoEnv = { SSO_ISSUER: 'https://idp.example.com', SSO_CLIENT_ID: 'panel' };

test.each([
  [{ SSO_SUBJECT_CLAIM: 'email' }, 'SSO_SUBJECT_CLAIM must be one of: sub, oid'],
  [{ SSO_SUBJECT_CLAIM: 'preferred_username' }, 'SSO_SUBJECT_CLAIM must be one of: sub, oid'],
  [{ SSO_SCIM_CLAIM: 'email' }, 'SSO_SCIM_CLAIM must not be a claim that people can change'],
  [{ SSO_SCIM_CLAIM: 'upn' }, 'SSO_SCIM_CLAIM must not be a claim that people can change'],
  [{ SSO_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'SSO_ISSUER must name one tenant'],
  [{ SSO_ISSUER: 'https://login.microsoftonline.com/Organizations/v2.0' }, 'SSO_ISSUER must name one tenant'],
  [{ SSO_ISSUER: 'https://login.microsoftonline.com/consumers' }, 'SSO_ISSUER must name one tenant'],
  [{ SSO_ISSUER: 'http://idp.example.com', NODE_ENV: 'production' }, 'SSO_ISSUER must start with https:// in production'],
  [{ SSO_ISSUER: 'https://name@idp.example.com' }, 'SSO_ISSUER must not contain a user name, query or fragment'],
  [{ SSO_ISSUER: 'https://idp.example.com?tenant=1' }, 'SSO_ISSUER must not contain a user name, query or fragment'],
  [{ SSO_ISSUER: '' }, 'SSO_ISSUER is required when SSO_CLIENT_ID is set'],
  [{ SSO_CLIENT_ID: '' }, 'SSO_CLIENT_ID is required when SSO_ISSUER is set'],
  [{ SSO_ISSUER: '', SSO_CLIENT_ID: '', SSO_REQUIRED: 'on' }, 'SSO_ISSUER is required when SSO_REQUIRED is on'],
  [{ SSO_SCOPES: 'email profile' }, 'SSO_SCOPES must contain openid'],
  [{ SSO_JOIN: 'everyone' }, 'SSO_JOIN must be one of'],
  [{ SSO_SESSION_HOURS: '0' }, 'SSO_SESSION_HOURS must be between 1 and 72'],
  [{ SSO_EMAIL_DOMAINS: 'example' }, 'SSO_EMAIL_DOMAINS must be a comma-separated list of domains'],
])('refuses to start with %j of an identity provider, in one line', (change, message) => {
  const read = () => readConfig({ ...ssoEnv, ...change });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
  expect(read).not.toThrow('\n');
});

test('an identity provider on a loopback address may use http', () => {
  expect(readConfig({ ...ssoEnv, SSO_ISSUER: 'http://127.0.0.1:4290' }).sso).toMatchObject({
    subjectClaim: 'sub',
    scimClaim: 'sub',
  });
  expect(readConfig({ ...ssoEnv, SSO_SUBJECT_CLAIM: 'oid' }).sso).toMatchObject({ subjectClaim: 'oid', scimClaim: 'oid' });
});
