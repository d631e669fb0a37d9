import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import { proposedKinds } from '../../../../api/authority/values.ts';
import { mockRoutes } from '../../../testing/api.ts';
import { runInPalette, signIn } from '../../../testing/panel.tsx';
import { $loginEmail } from '../../../lib/session/session.ts';

const hash = 'a'.repeat(64);
const [minter, nextMinter] = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'];
const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 0 };
const summary: AuthoritySummary = {
  genesis: hash,
  development: true,
  head: { number: 0, hash },
  people: [],
  rules: [
    {
      number: 1,
      policy: { root: 2, coolingSeconds: 172_800, receivers: 'listed', bands: [band], refundBands: [band] },
      from: null,
      inForce: true,
      used: null,
    },
  ],
  minters: [{ address: minter, from: null, cooling: false }],
  custody: [],
  receivers: [],
  freezes: [],
  needed: Object.fromEntries(proposedKinds.map((kind) => [kind, 2])) as AuthoritySummary['needed'],
  waiting: 0,
  own: [],
};

async function openForm(
  command: 'authority.setMinter' | 'authority.freeze' | 'authority.unfreeze',
  changesOf: () => Partial<AuthoritySummary> = () => ({}),
) {
  await signIn('all', '/news', {
    authority: { summary: mockRoutes.authority.summary.handler(() => ({ ...summary, ...changesOf() })) },
  });
  await runInPalette(command);
}
const review = () => page.css('[data-review]').last();
const submit = () => page.getByRole('dialog').css('button[type="submit"]');

test('a proposal of a minter shows the address before and after, who must sign, and when it is in force', async () => {
  await openForm('authority.setMinter');
  await page.getByLabelText(/^铸造账户/).fill(nextMinter);
  await expect.element(review()).toHaveTextContent(minter);
  await expect.element(review()).toHaveTextContent(nextMinter);
  await expect.element(review().css('[data-signers]')).toHaveTextContent($loginEmail.get());
  await expect.element(review().css('[data-signers]')).toHaveTextContent('还需 1 人签署');
  await expect.element(review()).toHaveTextContent('最后一人签署后 2 天');
});

test('a second freeze by the same person can’t be sent, with the reason beside the button', async () => {
  await openForm('authority.freeze', () => ({ freezes: [{ freeze: '7', reason: 'A stranger', by: [$loginEmail.get()] }] }));
  await expect.element(submit()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(submit()).toHaveAccessibleDescription('您发起的暂停铸造尚未恢复，请先恢复铸造，再发起新的暂停。');
});

test('lifting a freeze shows who froze, why, and what resumes', async () => {
  await openForm('authority.unfreeze', () => ({ freezes: [{ freeze: '7', reason: 'A stranger', by: ['a@b.c'] }] }));
  await expect.element(review()).toHaveTextContent('A stranger');
  await expect.element(review()).toHaveTextContent('a@b.c');
  await expect.element(review().css('[data-changes-table] tbody')).toHaveTextContent('已暂停');
  await expect.element(review().css('[data-changes-table] tbody')).toHaveTextContent('正常');
  await expect.element(submit()).not.toHaveAttribute('aria-disabled', 'true');
});
