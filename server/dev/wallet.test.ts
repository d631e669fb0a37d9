import { expect, test } from 'vitest';
import { readConfig, type Config } from '../platform/core/config.ts';
import type { RawCall } from '../platform/http/raw-routes.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { send, createTestApp } from '../testing/support.ts';
import { findDemoWalletUrl, devWalletRoutes } from './wallet.ts';

const demoWalletEnv = { DEMO_WALLET: 'on' };
/** As once the devnet is up. */
const withChainConfig = (config: Config) => ({ ...config, evm: { urls: ['http://127.0.0.1:9'] } }) as unknown as Config;

test.each([
  ['production', { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com', ...demoWalletEnv }],
  ['a chain that is not its own', { ...buildChainEnv('http://127.0.0.1:8545'), ...demoWalletEnv }],
  ['another host than this machine', { HOST: '0.0.0.0', ...demoWalletEnv }],
  ['no devnet', { DEVNET: 'off', ...demoWalletEnv }],
  ['DEMO_WALLET switched off', { DEMO_WALLET: 'off' }],
  ['a test that does not ask for it', { NODE_ENV: 'test', DEVNET: 'on' }],
])('the demo wallet is not served with %s', (_, env) => {
  const config = withChainConfig(readConfig(env));
  expect(config.demoWallet).toBe(false);
  expect(findDemoWalletUrl(config)).toBeNull();
  expect(devWalletRoutes(config)).toEqual([]);
});

test('a server without the demo wallet has no routes for it', async () => {
  const app = await createTestApp();
  expect((await send(app, 'GET', '/dev/wallet/demo-wallet.js')).status).toBe(404);
  expect((await send(app, 'POST', '/dev/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })).status).toBe(404);
});

test('the demo wallet can read and send signed transactions, and nothing that anvil does itself', async () => {
  const config = withChainConfig(readConfig({}));
  expect(findDemoWalletUrl(config)).toBe('/dev/wallet/demo-wallet.js?network=mainnet');
  const rpc = devWalletRoutes(config).find(({ path }) => path === '/dev/rpc');
  const callRoute = (body: string) =>
    rpc?.handle({ request: new Request('http://localhost/dev/rpc', { method: 'POST', body }) } as RawCall);
  for (const method of ['eth_sendTransaction', 'eth_sign', 'anvil_setBalance', 'evm_mine', 'hardhat_reset', 'debug_traceCall'])
    await expect(callRoute(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })), method).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  for (const body of ['', '[]', 'null', '[{"method":"eth_chainId"}]', '{"method":["eth_chainId"]}'])
    await expect(callRoute(body), body).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('only the demo wallet’s own files are served below its address', () => {
  const files = devWalletRoutes(withChainConfig(readConfig({}))).find(({ path }) => path === '/dev/wallet/:file');
  const callRoute = (file: string) => files?.handle({ params: { file } as Record<string, string> } as RawCall);
  for (const file of [
    '',
    'main.js',
    'demo-wallet.js.map',
    'demo-wallet-none.js',
    '../main.js',
    'demo-wallet-../main.js',
    '.stamp',
  ])
    expect(() => callRoute(file), file).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});
