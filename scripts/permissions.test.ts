import { expect, test } from 'vitest';
import { committedMatrix, permissionMatrix, permissionRoutes } from './permissions.ts';

test('docs/permissions.md is up to date (npm run permissions, then review the change)', () => {
  expect(committedMatrix()).toBe(permissionMatrix());
});

test('visitors without a session can call exactly these routes in production', () => {
  const publicRoutes = permissionRoutes().flatMap(({ call, meta }) => ('public' in meta ? [call] : []));
  expect(publicRoutes.toSorted()).toEqual([
    'GET /api/wallet/network',
    'GET /pictures/:file',
    'GET /public/feedback/form',
    'GET /public/news',
    'GET /public/notices',
    'GET /public/reserve',
    'POST /api/cli/exchange',
    'POST /api/cli/start',
    'POST /api/session',
    'POST /api/session/code',
    'POST /api/session/code/send',
    'POST /api/session/factor',
    'POST /api/session/forgot',
    'POST /api/session/passkey',
    'POST /api/session/password',
    'POST /api/session/password-link',
    'POST /api/session/sso',
    'POST /api/session/sso/link',
    'POST /api/session/sso/start',
    'POST /api/wallet/challenge',
    'POST /api/wallet/session',
    'POST /public/feedback',
    'POST /public/leaked-tokens',
    'POST /public/sso/logout',
    'POST /public/visits',
    'POST /public/wallet-connections',
  ]);
});
