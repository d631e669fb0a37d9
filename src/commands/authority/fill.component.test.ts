import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../api/authority/contract.ts';
import { proposedKinds } from '../../../api/authority/values.ts';
import { mockRoutes } from '../../testing/api.ts';
import { press } from '../../testing/keys.ts';
import { runInPalette, signIn } from '../../testing/panel.tsx';

const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const payoutAddress = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const alphaAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const betaAddress = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const summary: AuthoritySummary = {
  genesis: 'a'.repeat(64),
  development: true,
  head: { number: 0, hash: 'a'.repeat(64) },
  people: [],
  rules: [],
  minters: [],
  custody: [{ address: custodyAddress, from: null, cooling: false }],
  receivers: [],
  freezes: [],
  needed: Object.fromEntries(proposedKinds.map((kind) => [kind, 2])) as AuthoritySummary['needed'],
  waiting: 0,
  own: [],
};

const form = () => page.getByRole('dialog');
const field = (name: string) => form().getByLabelText(new RegExp(`^${name}`));

async function openForm(): Promise<void> {
  await signIn('all', '/news', {
    authority: {
      summary: mockRoutes.authority.summary.handler(() => summary),
      names: mockRoutes.authority.names.handler(() => []),
      knownReceivers: mockRoutes.authority.knownReceivers.handler(() => [
        {
          address: alphaAddress,
          institution: 'Alpha Bank',
          custody: [custodyAddress],
          payout: [payoutAddress],
          listed: true,
          deposits: 3,
        },
        { address: betaAddress, institution: '', custody: [custodyAddress], payout: [], listed: false, deposits: 2 },
      ]),
    },
  });
  await runInPalette('authority.addReceiver');
  await expect.element(form().getByRole('radio').first()).toBeVisible();
}

test('a listed entry is filled in by two keys and can be changed', async () => {
  await openForm();
  await expect.element(field('机构')).toHaveFocus();
  await press('Tab');
  await press('Space');
  await expect.element(field('机构')).toHaveValue('Alpha Bank');
  await expect.element(field('收款机构地址')).toHaveValue(alphaAddress);
  await expect.element(form().getByText('已选 1 / 1')).toBeVisible();
  await expect.element(field('退款地址')).toHaveValue(payoutAddress);
});

test('an account with deposits fills its address, and a typed name stays', async () => {
  await openForm();
  await field('机构').fill('Gamma');
  await form().getByRole('radio', { name: betaAddress }).click();
  await expect.element(field('机构')).toHaveValue('Gamma');
  await expect.element(field('收款机构地址')).toHaveValue(betaAddress);
  await form().getByRole('radio', { name: alphaAddress }).click();
  await expect.element(field('机构')).toHaveValue('Gamma');
  await expect.element(field('收款机构地址')).toHaveValue(alphaAddress);
  await expect.element(form().getByText('以下字段保留您填写的内容：机构')).toBeVisible();
  await form().getByRole('button', { name: '改用该条目' }).click();
  await expect.element(field('机构')).toHaveValue('Alpha Bank');
});
