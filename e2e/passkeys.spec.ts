import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { addAuthenticator } from './support/authenticator.ts';
import { createOwnChain } from './support/own-chain.ts';

// Behavior of authenticators.
const chain = createOwnChain();
test.use({ serverEnv: async ({}, provide) => provide(await chain.serverEnv()), locale: 'en-US' });
test.describe.configure({ timeout: 120_000 });
test.afterAll(() => chain.stop());

declare global {
  interface Window {
    forgotten?: string[];
  }
}

/** Responds like an older password manager, with the attestation object alone. */
async function addTestAuthenticator(
  page: Page,
): Promise<{ credentials: () => Promise<string[]>; forgotten: () => Promise<string[]> }> {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.addInitScript(() => {
    for (const method of ['getPublicKey', 'getPublicKeyAlgorithm', 'getAuthenticatorData', 'getTransports'])
      Reflect.deleteProperty(AuthenticatorAttestationResponse.prototype, method);
    window.forgotten = [];
    Object.assign(PublicKeyCredential, {
      signalUnknownCredential: async ({ credentialId }: { credentialId: string }) => void window.forgotten?.push(credentialId),
    });
  });
  const base64url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return {
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.map(({ credentialId }) =>
        base64url(credentialId),
      ),
    forgotten: () => page.evaluate(() => window.forgotten ?? []),
  };
}

const enrollOptions = { params: { with: 'passkey' }, confirm: true } as const;

test('a passkey whose authenticator has no getPublicKey() is enrolled for signing', { tag: '@long' }, async ({ admin, page }) => {
  const { credentials, forgotten } = await addTestAuthenticator(page);
  await admin.signIn('approver', '/selfCustody/authority');
  await admin.run('authority.enrol', enrollOptions);
  await expect(page.getByRole('row').filter({ hasText: 'approver@demo.local' }).first()).toBeVisible();
  expect(await credentials()).toHaveLength(1);
  expect(await forgotten()).toEqual([]);
});

test(
  'a passkey that the server refuses is removed, and one that the server may have stored is kept',
  { tag: '@long' },
  async ({ admin, page }) => {
    const { credentials, forgotten } = await addTestAuthenticator(page);
    await admin.signIn('all', '/selfCustody/authority');
    await page.route('**/rpc/authority/enrol', (route) =>
      route.fulfill({ status: 409, json: { json: { code: 'MONEY_REFUSED', status: 409, data: { reason: 'OPEN' } } } }),
    );
    await expect(admin.run('authority.enrol', enrollOptions)).rejects.toMatchObject({ code: 'MONEY_REFUSED' });
    expect(await forgotten()).toEqual(await credentials());

    await page.unroute('**/rpc/authority/enrol');
    await page.route('**/rpc/authority/enrol', (route) => route.abort());
    await expect(admin.run('authority.enrol', enrollOptions)).rejects.toMatchObject({ code: 'LOST' });
    expect(await forgotten()).toHaveLength(1);
  },
);
