import { devnetAccounts } from '../chain/deploy.ts';
import type { EvmChainInfo } from '../api/custody/chain.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { injectEvmWallet, type InjectedEvmWallet } from './support/evm-wallet.ts';

// Behavior of EVM wallets.
test.use({ serverEnv: { DEVNET: 'on' }, locale: 'en-US' });
test.describe.configure({ timeout: 120_000 });

const screenPath = '/CRSMTrove/CRSMList';
const { borrower } = devnetAccounts;
const waitForever = () => new Promise(() => {});

async function offerWallet(admin: Admin): Promise<InjectedEvmWallet> {
  await admin.signIn('operator', screenPath);
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/chain`, { headers: { authorization } });
  const { rpcUrl } = (await response.json()) as EvmChainInfo;
  const wallet = await injectEvmWallet(admin.page, rpcUrl ?? '', borrower);
  await admin.open(screenPath);
  return wallet;
}

async function connectWallet(admin: Admin): Promise<InjectedEvmWallet> {
  const wallet = await offerWallet(admin);
  await admin.run('evm.connect', { params: { wallet: wallet.id } });
  return wallet;
}

test(
  'a connection that the wallet never answers can be canceled in the form and asked for again',
  { tag: '@long' },
  async ({ admin, page }) => {
    const wallet = await offerWallet(admin);
    let requestCount = 0;
    wallet.instead['eth_requestAccounts'] = () => (requestCount++, waitForever());
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    const connectButton = page.locator('main [data-command="evm.connect"]');
    const submitButton = form.getByRole('button', { name: 'Connect EVM wallet' });
    for (const leaveForm of [
      () => form.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.locator('[data-toast="waiting"]').getByRole('button', { name: 'Stop waiting' }).click(),
    ]) {
      const requestsBefore = requestCount;
      await connectButton.click();
      await submitButton.click();
      await expect.poll(() => requestCount).toBe(requestsBefore + 1);
      await leaveForm();
      await expect(form).toHaveCount(0);
      await expect(page.locator('[data-toast="waiting"]')).toHaveCount(0);
    }
    delete wallet.instead['eth_requestAccounts'];
    await connectButton.click();
    await submitButton.click();
    await expect(page.locator(`[data-evm="${borrower.address}"]`)).toBeVisible();
  },
);

test(
  'a hanging wallet connection is left by Escape in the palette or stopped by its command, by keyboard',
  { tag: '@long' },
  async ({ admin, page }) => {
    const wallet = await offerWallet(admin);
    let requestCount = 0;
    wallet.instead['eth_requestAccounts'] = () => (requestCount++, waitForever());
    await admin.palette('evm.connect');
    await page.keyboard.press('Enter');
    await expect.poll(() => requestCount).toBe(1);
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-palette] [data-row="evm.connect"]')).toBeVisible();
    for (let pressCount = 0; pressCount < 2; pressCount++) await page.keyboard.press('Escape');
    await expect(page.locator('[data-palette]')).toBeHidden();
    await expect.poll(() => admin.assess('evm.stopWaiting')).toMatchObject({ state: 'blocked' });
    const connectResult = admin.run('evm.connect', { params: { wallet: wallet.id } }).catch((error: unknown) => error);
    await expect.poll(() => requestCount).toBe(2);
    await admin.palette('evm.stopWaiting');
    await connectResult;
    await expect.poll(() => admin.assess('evm.stopWaiting')).toMatchObject({ state: 'blocked' });
  },
);

test(
  'a network switch in the wallet with its disconnect 1013 keeps the account connected',
  { tag: '@long' },
  async ({ admin, page }) => {
    const wallet = await connectWallet(admin);
    await wallet.say('disconnect', { code: 1013, message: 'Disconnected from chain. Attempting to connect.' });
    await wallet.goTo(1);
    await wallet.say('connect', { chainId: '0x1' });
    await expect(page.locator(`[data-evm="${borrower.address}"]`)).toContainText('Wrong chain');
    await expect(page.locator('[data-toast]')).toHaveCount(0);

    await admin.run('evm.switchChain');
    await expect(page.locator('[data-evm]')).not.toContainText('Wrong chain');
  },
);

test('a wallet that claims a network switch without doing it is reported', { tag: '@long' }, async ({ admin, page }) => {
  const wallet = await connectWallet(admin);
  await wallet.goTo(1);
  wallet.instead['wallet_switchEthereumChain'] = () => null;
  await expect(admin.run('evm.switchChain')).rejects.toMatchObject({ reason: 'evm.problem.notSwitched' });
  await page.locator('[data-evm]').click();
  await page.getByRole('menuitem', { name: 'Switch network' }).click();
  await expect(page.locator('[data-toast="blocked"]')).toContainText('Your wallet is still on another network');
  await expect(page.locator('[data-toast="success"]')).toHaveCount(0);
});

test('an unusual rejection and an outdated wallet are reported correctly', { tag: '@long' }, async ({ admin }) => {
  const wallet = await connectWallet(admin);
  await wallet.goTo(1);
  wallet.instead['wallet_switchEthereumChain'] = () => {
    throw Object.assign(new Error('Internal error'), { code: -32603, data: { originalError: { code: 4001 } } });
  };
  await expect(admin.run('evm.switchChain')).rejects.toMatchObject({ reason: 'evm.problem.rejected' });
  for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
    wallet.instead[method] = () => {
      throw Object.assign(new Error('Method not found'), { code: -32601 });
    };
  await expect(admin.run('evm.switchChain')).rejects.toMatchObject({ reason: 'evm.problem.unsupported' });
});
