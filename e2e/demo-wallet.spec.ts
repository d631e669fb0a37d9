import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, http, parseEther, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';
import type { EvmChainInfo } from '../api/custody/chain.ts';
import { ybtcAbi } from '../chain/abi/ybtc.ts';
import { devnetMnemonic } from '../chain/accounts.ts';
import { devnetAccounts, devnetContracts } from '../chain/deploy.ts';
import { createDemoTaproot } from '../chain/wallet/taproot.ts';
import { expect, test, type Admin } from './fixtures.ts';

// As after `npm start`: devnet, institutions, CRSMs and the demo wallet.
test.use({ serverEnv: { DEVNET: 'on', DEMO_WALLET: 'on' }, locale: 'en-US' });

const institution = devnetAccounts.operators[0] as HDAccount;

/** The scenario then opens its trove and its CRSM. */
async function mintBalance(admin: Admin): Promise<void> {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/chain`, { headers: { authorization } });
  const { rpcUrl } = (await response.json()) as EvmChainInfo;
  await createWalletClient({ account: devnetAccounts.minter, chain: foundry, transport: http(rpcUrl ?? '') }).writeContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [`0x${randomBytes(32).toString('hex')}`, institution.address, parseEther('8')],
  });
}

test(
  'a person signs in with the demo wallet, connects an institution and claims its yield by keyboard',
  { tag: '@long' },
  async ({ page, admin, db }) => {
    test.setTimeout(150_000);
    const { address } = createDemoTaproot(1, 'mainnet');
    await db.query("update administrators set wallet_address = $1 where email = 'operator@demo.local'", [address]);
    await page.goto(`${admin.url}/login`);
    await page.getByRole('button', { name: 'Connect wallet login' }).press('Enter');
    await page.getByRole('button', { name: 'Demo wallet · custody operator' }).press('Enter');
    await page.waitForURL(`${admin.url}/`);
    await expect(page.locator('[data-demo-wallet]')).toHaveText(/everybody knows its keys/);
    await mintBalance(admin);

    await admin.open('/CRSMTrove/CRSMList');
    await admin.palette('evm.connect');
    await page.locator('[data-palette-input]').fill('institution 1');
    await expect(page.locator('[data-palette] [role="option"]')).toHaveText(/institution 1/);
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-evm]')).toHaveAttribute('data-evm', institution.address);
    await expect(page.getByRole('row').filter({ hasText: 'Mine' })).toBeVisible({ timeout: 60_000 });

    await page.keyboard.press('j');
    await expect(page.locator('[role="row"][data-cursor]')).toHaveCount(1);
    await expect.poll(async () => (await admin.assess('crsm.claimYield')).state, { timeout: 60_000 }).toBe('ok');
    await admin.palette('crsm.claimYield');
    await expect(page.getByPlaceholder(/receiving address/i)).toBeVisible();
    await page.locator('[data-palette-input]').fill(institution.address);
    await page.keyboard.press('Enter');
    const reviewDialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await expect(reviewDialog).toContainText('Simulation passed');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const readCallState = async () => (await db.query("select state from crsm_calls where action = 'claimYield'")).rows[0]?.state;
    await expect.poll(readCallState, { timeout: 60_000 }).toBe('done');
  },
);

test('the build contains no demo wallet', { tag: '@long' }, () => {
  const distFolder = join(import.meta.dirname, '../dist');
  const files = readdirSync(distFolder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|html)$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  for (const name of files)
    for (const forbiddenText of [devnetMnemonic, 'demo-wallet', '演示钱包', '/dev/'])
      expect(readFileSync(join(distFolder, name), 'utf8'), name).not.toContain(forbiddenText);
});
