import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../api/authority/contract.ts';
import { proposedKinds } from '../../../api/authority/values.ts';
import { on } from '../../testing/api.ts';
import { press } from '../../testing/keys.ts';
import { runInPalette, signIn } from '../../testing/panel.tsx';

const custody = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const payout = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const alpha = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const summary: AuthoritySummary = {
  genesis: 'a'.repeat(64),
  development: true,
  head: { number: 0, hash: 'a'.repeat(64) },
  people: [],
  rules: [],
  minters: [],
  custody: [{ address: custody, from: null, cooling: false }],
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
      summary: on.authority.summary.handler(() => summary),
      names: on.authority.names.handler(() => []),
      knownReceivers: on.authority.knownReceivers.handler(() => [
        { address: alpha, institution: 'Alpha Bank', custody: [custody], payout: [payout], listed: true, deposits: 3 },
        { address: other, institution: '', custody: [custody], payout: [], listed: false, deposits: 2 },
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
  await expect.element(field('收款机构地址')).toHaveValue(alpha);
  await expect.element(form().getByText('已选 1 / 1')).toBeVisible();
  await expect.element(field('退款地址')).toHaveValue(payout);
});

test('an account with deposits fills its address, and a typed name stays', async () => {
  await openForm();
  await field('机构').fill('Gamma');
  await form().getByRole('radio', { name: other }).click();
  await expect.element(field('机构')).toHaveValue('Gamma');
  await expect.element(field('收款机构地址')).toHaveValue(other);
  await form().getByRole('radio', { name: alpha }).click();
  await expect.element(field('机构')).toHaveValue('Gamma');
  await expect.element(field('收款机构地址')).toHaveValue(alpha);
  await expect.element(form().getByText('以下字段保留您填写的内容：机构')).toBeVisible();
  await form().getByRole('button', { name: '改用该条目' }).click();
  await expect.element(field('机构')).toHaveValue('Alpha Bank');
});
