import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { IdentityStatus, ProviderHealth, SsoSignIns } from '../../../../api/access/identity.ts';
import { apiFailure, holdResponses, mockRoutes, readCalls } from '../../../testing/api.ts';
import { setTestLocale, signIn } from '../../../testing/panel.tsx';

const at = '2026-11-29T06:00:00.000Z';

const status: IdentityStatus = {
  name: 'Acme',
  signIn: {
    issuer: 'https://login.acme.example',
    clientId: 'panel',
    hasSecret: true,
    scopes: 'openid email profile',
    subjectClaim: 'sub',
    join: 'invited',
    scimClaim: 'sub',
    email: 'verified',
    emailDomains: null,
    groupsClaim: null,
    required: false,
    logout: false,
    sessionHours: 8,
    redirectUrl: 'https://panel.example/login',
    logoutUrl: 'https://panel.example/public/sso/logout',
  },
  provisioning: {
    isOn: false,
    address: 'https://panel.example/scim/v2',
    lastRequestAt: null,
    tokens: [],
    enabledAccounts: 0,
    disabledAccounts: 0,
    groups: [],
    conflicts: [],
  },
};
const working: ProviderHealth = {
  problem: null,
  status: null,
  checkedAt: at,
  lastAnswerAt: at,
  clockSeconds: 1,
  isClockOff: false,
};
const noSignIns: SsoSignIns = { last: null, refused: [] };

let health: ProviderHealth;
let signIns: SsoSignIns;

beforeEach(() => {
  [health, signIns] = [working, noSignIns];
  setTestLocale('en-US');
});
afterEach(() => setTestLocale('zh-CN'));

const open = (changes: Partial<IdentityStatus> = {}) =>
  signIn('all', '/permissions/identity', {
    identity: {
      status: mockRoutes.identity.status.handler(() => ({ ...status, ...changes })),
      health: mockRoutes.identity.health.handler(() => health),
      signIns: mockRoutes.identity.signIns.handler(() => signIns),
      mappings: mockRoutes.identity.mappings.handler(() => []),
    },
  });
const shown = () => page.css('[data-provider-health]');

test('a working provider is shown as responding, with the clock, and no refusals', async () => {
  await open();
  await expect.element(shown()).toHaveTextContent('Responding');
  await expect.element(shown()).toHaveTextContent('Same as this server’s');
  await expect.element(shown()).toHaveTextContent('None in the last 30 days');
  await expect.element(page.getByText('No sign-ins were refused in the last 30 days.')).toBeVisible();
  expect(page.css('[role=alert]').elements()).toEqual([]);
});

test('a provider that is down is named with what to do, and what still works, and is checked again at a press', async () => {
  health = { ...working, problem: 'DNS', lastAnswerAt: null, clockSeconds: null };
  await open();
  await expect.element(shown()).toHaveTextContent('Not responding');
  await expect.element(shown()).toHaveTextContent('The server can’t find the address of Acme.');
  await expect.element(shown()).toHaveTextContent('passwords and wallets still work');
  await expect.element(shown()).toHaveTextContent('None since the server started');
  health = working;
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.element(shown()).toHaveTextContent('Responding');
});

test('people who must use the provider are told that they can’t sign in, and an error of the provider is shown with its number', async () => {
  health = { ...working, problem: 'STATUS', status: 503 };
  await open({ signIn: status.signIn && { ...status.signIn, required: true } });
  await expect.element(shown()).toHaveTextContent('Wrong response');
  await expect.element(shown()).toHaveTextContent('error 503');
  await expect.element(shown()).toHaveTextContent('people with a linked account can’t sign in');
});

test.each([
  [95, true, '95 seconds ahead of this server'],
  [-95, true, '95 seconds behind this server'],
  [-30, false, '30 seconds behind this server'],
  [null, false, 'Unknown'],
] as const)('a clock that differs by %s seconds is shown in words', async (clockSeconds, isClockOff, text) => {
  health = { ...working, clockSeconds, isClockOff };
  await open();
  await expect.element(shown()).toHaveTextContent(text);
  expect(shown().element().textContent?.includes('Sign-ins are refused while the clocks differ by 60 seconds or more.')).toBe(
    isClockOff,
  );
});

test('a check that takes long delays nothing else on the screen', async () => {
  await open();
  await expect.element(shown()).toBeVisible();
  const release = holdResponses('identity/health');
  const checks = readCalls('identity/health').length;
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.poll(() => readCalls('identity/health').length).toBe(checks + 1);
  await expect.element(page.getByRole('button', { name: 'Check again' })).toBeDisabled();
  await expect.element(page.css('[data-provider]')).toHaveTextContent('https://login.acme.example');
  await expect.element(shown()).toHaveTextContent('Responding');
  release();
  await expect.element(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
});

test('refused sign-ins are listed in words, with the person, the difference of the clocks and what isn’t listed', async () => {
  const refusal = { at, ip: '203.0.113.7', seconds: null, email: null, more: 0 };
  signIns = {
    last: { email: 'wei@acme.example', at, ip: '203.0.113.9' },
    refused: [
      { ...refusal, id: crypto.randomUUID(), reason: 'NOT_INVITED', email: 'new@acme.example', more: 3 },
      { ...refusal, id: crypto.randomUUID(), reason: 'CLOCK', seconds: 180 },
      { ...refusal, id: crypto.randomUUID(), reason: 'SOMETHING_NEW' },
    ],
  };
  await open();
  await expect.element(shown()).toHaveTextContent('wei@acme.example');
  const [first, second, third] = page
    .css('[data-refused-sign-ins] > li')
    .elements()
    .map(({ textContent }) => textContent ?? '');
  expect(first).toContain('new@acme.example');
  expect(first).toContain('No account is linked to this person');
  expect(first).toContain('and 3 more shortly before');
  expect(second).toContain('Unknown person');
  expect(second).toContain('Difference: 180 seconds');
  expect(third).not.toContain('SOMETHING_NEW');
});

test('without a provider the screen asks nothing of one', async () => {
  await open({ signIn: null });
  await expect.element(page.getByText('No identity provider is set up.', { exact: false })).toBeVisible();
  expect(shown().elements()).toEqual([]);
  expect([...readCalls('identity/health'), ...readCalls('identity/signIns')]).toEqual([]);
});

test('a failed check offers to try again', async () => {
  await signIn('all', '/permissions/identity', {
    identity: {
      status: mockRoutes.identity.status.handler(() => status),
      health: mockRoutes.identity.health.handler(() => {
        throw apiFailure('UNAVAILABLE');
      }),
      signIns: mockRoutes.identity.signIns.handler(() => noSignIns),
      mappings: mockRoutes.identity.mappings.handler(() => []),
    },
  });
  await expect.element(page.css('[role=alert]').getByRole('button', { name: 'Retry' })).toBeVisible();
});
