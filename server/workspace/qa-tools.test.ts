import { expect, test } from 'vitest';
import { readConfig } from '../platform/core/config.ts';
import { qaRoutes, type Environment } from './qa-tools.ts';

const environment: Environment = {
  reset: () => Promise.reject(new Error('nobody asked')),
  keep: async () => {},
  restore: async () => {},
};

test.each([
  ['production', { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' }],
  ['another host than this machine', { HOST: '0.0.0.0' }],
  ['a chain of others', { EVM_RPC_URL: 'http://127.0.0.1:8545', EVM_CHAIN_ID: '1' }],
])('nothing starts with it: %s', (_, env) => {
  expect(() => readConfig({ ...env, QA_TOOLS: 'on' })).toThrow(/^QA_TOOLS: only on a loopback HOST/);
});

test('without it, or where nothing can be begun anew, there are no routes', () => {
  expect(qaRoutes(readConfig({}), environment)).toEqual([]);
  expect(qaRoutes(readConfig({ QA_TOOLS: 'on' }), null)).toEqual([]);
});

test('each of them asks for the widest right, and none is public', () => {
  const routes = qaRoutes(readConfig({ QA_TOOLS: 'on' }), environment);
  expect(routes).toHaveLength(5);
  for (const { meta } of routes) expect(meta).toEqual({ permission: 'permissions.reset' });
});
