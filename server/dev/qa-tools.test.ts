import { expect, test } from 'vitest';
import { readConfig } from '../platform/core/config.ts';
import { qaRoutes, type QaEnvironment } from './qa-tools.ts';

const environment: QaEnvironment = {
  reset: () => Promise.reject(new Error('nobody asked')),
  keep: async () => {},
  restore: async () => {},
  now: () => 0,
  aheadMs: () => 0,
  isUnlimited: () => false,
  setTime: async () => {},
  setLimits: async () => {},
};

const handleTimeChange = async () => {};

test.each([
  ['production', { NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' }],
  ['a panel that listens on other hosts', { HOST: '0.0.0.0' }],
  ['a panel on a public chain', { EVM_RPC_URL: 'http://127.0.0.1:8545', EVM_CHAIN_ID: '1' }],
])('the server refuses to start with QA tools in %s', (_, env) => {
  expect(() => readConfig({ ...env, QA_TOOLS: 'on' })).toThrow(/^QA_TOOLS can empty the database/);
});

test('QA routes exist only in a test environment that can be reset', () => {
  expect(qaRoutes(readConfig({}), environment, handleTimeChange)).toEqual([]);
  expect(qaRoutes(readConfig({ QA_TOOLS: 'on' }), null, handleTimeChange)).toEqual([]);
});

test('every QA route but the clock requires the widest permission', () => {
  const routes = qaRoutes(readConfig({ QA_TOOLS: 'on' }), environment, handleTimeChange);
  const publicRoutes = routes.filter(({ meta }) => 'public' in meta);
  expect(publicRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /qa/state', 'GET /qa/clock.js']);
  const protectedRoutes = routes.filter((route) => !publicRoutes.includes(route));
  expect(protectedRoutes).toHaveLength(7);
  for (const { meta } of protectedRoutes) expect(meta).toEqual({ permission: 'permissions.reset' });
});
