import type { Page } from 'playwright/test';
import { inTier } from '../../scripts/suite/tier.ts';
import { expect, test } from '../fixtures.ts';
import { injectWallet, createTestWallet } from '../support/wallets.ts';

test.use({ locale: 'en-US' });

const email = 'editor@demo.local';
const disconnectedText = 'Wallet connection disconnected, please log in again';
const segwitAddress = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const kinds = [
  ['unisat', 'UniSat'],
  ['okx', 'OKX Wallet'],
  ['xverse', 'Xverse'],
  ['announced', 'Other Wallet'],
] as const;

test.beforeEach(async ({ db }) => {
  await db.query('update administrators set wallet_address = null');
});

const linkWallet = (db: { query(sql: string, values: string[]): Promise<unknown> }, address: string) =>
  db.query('update administrators set wallet_address = $1 where email = $2', [address, email]);

const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect wallet login' });
const readAuthorization = (page: Page) => page.evaluate(() => localStorage.getItem('Authorization'));

async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/login`);
  await connectButton(page).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForURL((location) => location.pathname !== '/login');
  await expect(page.getByRole('navigation')).toBeVisible();
}

for (const [kind, name] of inTier(kinds.slice(0, 1), [...kinds])) {
  // Each wallet has its own sign-in adapter. Everything after it is the same.
  const testOptions = name === 'UniSat' ? {} : { tag: '@long' };
  test(`${name} signs in with a BIP-322 signature of the server's message by a real key`, async ({ page, server, db }) => {
    const wallet = createTestWallet();
    await linkWallet(db, wallet.address);
    const injectedWallet = await injectWallet(page, { kind, wallet });
    await signIn(page, server.url, name);
    await expect(page.getByRole('button', { name: `Account ${email}` })).toBeVisible();
    expect(injectedWallet.asked).toHaveLength(1);
    const [{ message, kind: signature } = { message: '', kind: '' }] = injectedWallet.asked;
    expect(message).toContain(`wants you to sign in with your Bitcoin address:\n${wallet.address}\n`);
    expect(signature).toBe(kind === 'unisat' || kind === 'okx' ? 'bip322-simple' : 'BIP322');
    const { rows } = await db.query('select method from sessions order by created_at desc limit 1');
    expect(rows).toEqual([{ method: 'wallet' }]);
  });

  test(
    `${name} signs out here and on the server when the wallet switches accounts`,
    testOptions,
    async ({ page, server, db }) => {
      const wallet = createTestWallet();
      await linkWallet(db, wallet.address);
      const injectedWallet = await injectWallet(page, { kind, wallet });
      await signIn(page, server.url, name);
      const authorization = (await readAuthorization(page)) ?? '';
      const cookies = await page.context().cookies();
      await injectedWallet.followed();
      await injectedWallet.switchTo(wallet.address);
      await page.waitForTimeout(300);
      expect(await readAuthorization(page)).toBe(authorization);

      await injectedWallet.switchTo(createTestWallet().address);
      await page.waitForURL(`${server.url}/login`);
      await expect(page.getByText(disconnectedText, { exact: true })).toBeVisible();
      expect(await readAuthorization(page)).toBeNull();
      await expect
        .poll(async () => {
          await page.context().addCookies(cookies);
          return (await page.request.get(`${server.url}/api/session`, { headers: { authorization } })).status();
        })
        .toBe(401);
    },
  );

  test(
    `${name} signs out when it disconnects or changes network, and a reload keeps the session while it is connected`,
    testOptions,
    async ({ page, server, db }) => {
      const wallet = createTestWallet();
      await linkWallet(db, wallet.address);
      const injectedWallet = await injectWallet(page, { kind, wallet });
      await signIn(page, server.url, name);
      await page.reload();
      await expect(page.getByRole('navigation')).toBeVisible();
      await injectedWallet.followed();
      await page.waitForTimeout(300);
      expect(await readAuthorization(page)).not.toBeNull();
      expect(injectedWallet.asked).toHaveLength(1);
      await injectedWallet.disconnect();
      await expect(page.getByText(disconnectedText, { exact: true })).toBeVisible();

      await signIn(page, server.url, name);
      await injectedWallet.followed();
      await injectedWallet.switchNetwork();
      await expect(page.getByText(disconnectedText, { exact: true })).toBeVisible();
      expect(await readAuthorization(page)).toBeNull();
    },
  );
}

test('after a reload the wallet must still be there with the same account', { tag: '@long' }, async ({ page, server, db }) => {
  const wallet = createTestWallet();
  await linkWallet(db, wallet.address);
  await injectWallet(page, { kind: 'unisat', wallet });
  await signIn(page, server.url, 'UniSat');
  await page.evaluate(() => sessionStorage.setItem('wallet.connected', ''));
  await page.reload();
  await expect(page.getByText(disconnectedText, { exact: true })).toBeVisible();
});

test('an address that is not taproot shows the specified warning, and nothing is signed', async ({ page, server }) => {
  const injectedWallet = await injectWallet(page, { kind: 'unisat', wallet: createTestWallet(), address: segwitAddress });
  await page.goto(`${server.url}/login`);
  await connectButton(page).click();
  await page.getByRole('button', { name: 'UniSat' }).click();
  await expect(
    page.getByText('Your current address is not a taproot address. Please switch to taproot address.', { exact: true }),
  ).toBeVisible();
  expect(injectedWallet.asked).toEqual([]);
});

test('a wallet on another network is asked to switch, and nothing is signed', { tag: '@long' }, async ({ page, server }) => {
  const injectedWallet = await injectWallet(page, { kind: 'okx', wallet: createTestWallet({ prefix: 'tb' }) });
  await page.goto(`${server.url}/login`);
  await connectButton(page).click();
  await page.getByRole('button', { name: 'OKX Wallet' }).click();
  await expect(page.getByText('Your wallet is on another network. Switch the wallet to Bitcoin mainnet.')).toBeVisible();
  expect(injectedWallet.asked).toEqual([]);
});

test(
  'an unbound address is refused as no account, and the person can try again',
  { tag: '@long' },
  async ({ page, server, db }) => {
    const wallet = createTestWallet();
    await injectWallet(page, { kind: 'xverse', wallet });
    await page.goto(`${server.url}/login`);
    await connectButton(page).click();
    await page.getByRole('button', { name: 'Xverse' }).click();
    await expect(page.getByText('No account was detected', { exact: true })).toBeVisible();
    await linkWallet(db, wallet.address);
    await page.getByRole('button', { name: 'Xverse' }).click();
    await page.waitForURL((location) => location.pathname !== '/login');
  },
);

test('sign-in without a wallet explains what to do', { tag: '@long' }, async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await connectButton(page).click();
  await expect(page.getByText('No account was detected', { exact: true })).toBeVisible();
  await expect(page.getByText(/Install UniSat, OKX Wallet or Xverse/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(connectButton(page)).toBeFocused();
});

test(
  'a person who declines in the wallet can continue, and a wallet that never answers can be canceled',
  { tag: '@long' },
  async ({ page, server, db }) => {
    const wallet = createTestWallet();
    await linkWallet(db, wallet.address);
    const injectedWallet = await injectWallet(page, { kind: 'unisat', wallet, mood: 'rejects' });
    await page.goto(`${server.url}/login`);
    await connectButton(page).click();
    const unisatButton = page.getByRole('button', { name: 'UniSat' });
    await unisatButton.click();
    await expect(page.getByText('You declined in your wallet. Nothing was signed.')).toBeVisible();
    await injectedWallet.setMood('hangs');
    await unisatButton.click();
    await expect(page.getByText('Check your wallet. UniSat is asking you to connect.')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(unisatButton).toBeFocused();
    await injectedWallet.setMood('willing');
    await unisatButton.click();
    await page.waitForURL((location) => location.pathname !== '/login');
  },
);

test('a wallet signature can’t be sent twice', { tag: '@long' }, async ({ page, server, db }) => {
  const wallet = createTestWallet();
  await linkWallet(db, wallet.address);
  await injectWallet(page, { kind: 'unisat', wallet });
  const signInRequest = page.waitForRequest('**/rpc/wallet/signIn');
  await signIn(page, server.url, 'UniSat');
  const repeatedResponse = await page.request.post((await signInRequest).url(), { data: (await signInRequest).postDataJSON() });
  expect(repeatedResponse.status()).toBe(410);
});

test('wallet sign-in works by keyboard alone', { tag: '@long' }, async ({ page, server, db }) => {
  const wallet = createTestWallet();
  await linkWallet(db, wallet.address);
  await injectWallet(page, { kind: 'okx', wallet });
  await page.goto(`${server.url}/login`);
  await expect(page.getByLabel('Email')).toBeFocused();
  for (let pressCount = 0; pressCount < 10; pressCount++) {
    await page.keyboard.press('Tab');
    if (await connectButton(page).evaluate((button) => button === document.activeElement)) break;
  }
  await expect(connectButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'OKX Wallet' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL((location) => location.pathname !== '/login');
  await expect(page.getByRole('navigation')).toBeVisible();
});

test('a wallet is bound on the account page by its signature, then unbound', { tag: '@long' }, async ({ page, admin, db }) => {
  const wallet = createTestWallet();
  const injectedWallet = await injectWallet(page, { kind: 'unisat', wallet });
  await admin.signIn('editor', '/account');
  await page.getByRole('button', { name: 'Link my wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'UniSat' }).click();
  await expect(page.getByText(wallet.address, { exact: true })).toBeVisible();
  expect(injectedWallet.asked[0]?.message).toContain('wants you to link your Bitcoin address');
  const linkedWallet = await db.query('select wallet_address from administrators where email = $1', [email]);
  expect(linkedWallet.rows).toEqual([{ wallet_address: wallet.address }]);
  await injectedWallet.switchTo(createTestWallet().address);
  await page.waitForTimeout(300);
  expect(await readAuthorization(page)).not.toBeNull();

  await page.getByRole('button', { name: 'Unlink my wallet' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink wallet' }).click();
  await expect(page.getByText('No wallet linked')).toBeVisible();
  const { rows } = await db.query(`select command, result from audit where route like 'wallet.%' order by seq desc limit 2`);
  expect(rows.map(({ command, result }) => [command, result])).toEqual([
    ['account.unbindWallet', 'done'],
    ['account.bindWallet', 'done'],
  ]);
});
