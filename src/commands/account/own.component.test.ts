import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CommandId } from '../../../api/names.ts';
import type { OwnAccount } from '../../../api/account/contract.ts';
import { mockRoutes, readCalls } from '../../testing/api.ts';
import { runCommand } from '../app/app.ts';
import { press, typeText } from '../../testing/keys.ts';
import { signIn } from '../../testing/panel.tsx';

const bareAccount: OwnAccount = {
  email: 'a@b.c',
  roles: [],
  passwordChangedAt: null,
  walletAddress: null,
  hasPassword: true,
  sso: null,
  totp: false,
  passkeys: [],
  recoveryLeft: 0,
  factorGap: null,
  factorNeeded: false,
  passwordNeeded: false,
  sessions: [],
};

const openAccount = (path: string, changes: Partial<OwnAccount> = {}) =>
  signIn('all', path, { account: { get: mockRoutes.account.get.handler(() => ({ ...bareAccount, ...changes })) } });

async function paletteRow(id: CommandId) {
  await press('Control+k');
  await expect.element(page.css('[data-palette-input]')).toHaveFocus();
  await typeText(id);
  return page.css(`[data-palette] [data-row="${id}"]`);
}

function addProvider(): void {
  const meta = document.createElement('meta');
  Object.assign(meta, { name: 'sso', content: JSON.stringify({ name: 'Acme', required: false }) });
  document.head.append(meta);
}
afterEach(() => document.querySelector('meta[name=sso]')?.remove());

const reasons = [
  ['account.removeTotp', '尚未设置身份验证器应用', { totp: true }],
  ['account.newRecoveryCodes', '尚未启用双重验证', { totp: true }],
  [
    'account.unlinkSso',
    '您的账户未关联单点登录',
    { sso: { email: null, linkedAt: '2026-11-01T00:00:00.000Z', lastUsedAt: null } },
  ],
  ['account.unbindWallet', '您的账户未绑定钱包', { walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
] as const satisfies readonly (readonly [CommandId, string, Partial<OwnAccount>])[];
const question = () => page.getByRole('alertdialog');
const confirmButton = () => question().getByRole('button').last();

for (const [id, reason, changes] of reasons) {
  test(`on the account screen, the palette says why ${id} can’t run`, async () => {
    await openAccount('/account');
    await expect.element(page.getByText('未绑定钱包')).toBeVisible();
    await expect.element(await paletteRow(id)).toHaveTextContent(reason);
  });
  test(`on another screen, the question of ${id} can’t be confirmed, with the reason beside the button`, async () => {
    await openAccount('/news');
    expect(readCalls('account/get')).toEqual([]);
    runCommand({ id }, 'button');
    await expect.element(confirmButton()).toHaveAccessibleDescription(reason);
    await expect.element(confirmButton()).toHaveAttribute('aria-disabled', 'true');
  });
  test(`${id} can be confirmed by a person whose account allows it`, async () => {
    await openAccount('/news', changes);
    runCommand({ id }, 'button');
    await expect.poll(() => readCalls('account/get')).toHaveLength(1);
    await expect.element(confirmButton()).not.toHaveAttribute('aria-disabled', 'true');
  });
}

for (const id of ['account.linkSso', 'administrators.invite'] as const)
  test(`the palette says that single sign-on isn’t configured for ${id}, and offers it with a provider`, async () => {
    await openAccount('/news');
    await expect.element(await paletteRow(id)).toHaveTextContent('尚未配置单点登录');
    addProvider();
    await openAccount('/news');
    const row = await paletteRow(id);
    await expect.element(row).toBeVisible();
    await expect.element(row).not.toHaveTextContent('尚未配置单点登录');
  });
