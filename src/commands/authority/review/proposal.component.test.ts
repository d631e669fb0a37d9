import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import type { CommandId } from '../../../../api/names.ts';
import { proposedKinds } from '../../../../api/authority/values.ts';
import { mockRoutes } from '../../../testing/api.ts';
import { press, typeText } from '../../../testing/keys.ts';
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

async function openForm(command: CommandId, changesOf: () => Partial<AuthoritySummary> = () => ({})) {
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

test('a proposal that needs one signature says it takes effect with yours', async () => {
  const needed = Object.fromEntries(proposedKinds.map((kind) => [kind, 1])) as AuthoritySummary['needed'];
  await openForm('authority.setMinter', () => ({ needed }));
  await expect.element(review()).toHaveTextContent('您签署后 2 天');
  await expect.element(review()).not.toHaveTextContent('最后一人');
});

test('a freeze takes effect as soon as its only signer signs', async () => {
  const needed = Object.fromEntries(proposedKinds.map((kind) => [kind, 1])) as AuthoritySummary['needed'];
  await openForm('authority.freeze', () => ({ needed }));
  await expect.element(review()).toHaveTextContent('您签署后立即生效');
  await expect.element(review()).not.toHaveTextContent('最后一人');
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

test('a lift can’t be sent while minting isn’t frozen, with the reason beside the button', async () => {
  await openForm('authority.unfreeze');
  await expect.element(submit()).toHaveAccessibleDescription('铸造未暂停');
  await expect.element(submit()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(review()).not.toHaveTextContent('正常');
});

test('on the screen of the log, the palette says that minting isn’t frozen', async () => {
  await signIn('all', '/selfCustody/authority', {
    authority: {
      summary: mockRoutes.authority.summary.handler(() => summary),
      list: mockRoutes.authority.list.handler(() => ({
        rows: [],
        nextCursor: null,
        prevCursor: null,
        count: { value: 0, kind: 'exact' },
      })),
    },
  });
  await expect.element(page.css('[data-command="authority.removeCustody"]')).toHaveAttribute('aria-disabled', 'true');
  await press('Control+k');
  await expect.element(page.css('[data-palette-input]')).toHaveFocus();
  await typeText('authority.unfreeze');
  await expect.element(page.css('[data-palette] [data-row="authority.unfreeze"]')).toHaveTextContent('铸造未暂停');
});

test('a new receiver shows no change before its address', async () => {
  await openForm('authority.addReceiver');
  await expect.element(review()).toHaveTextContent('最后一人签署后');
  await expect.element(page.css('[data-changes-table]')).not.toBeInTheDocument();
  await page.getByLabelText(/地址/).first().fill(nextMinter);
  await expect.element(review().css('[data-changes-table] tbody')).toHaveTextContent('1');
});

const removals = [
  [
    'authority.removeApprover',
    '请选择要移除的签署人。',
    '暂无签署人',
    { people: [{ person: '01900000-0000-7000-8000-000000000001', name: 'a@b.c', roles: [], keys: [] }] },
  ],
  [
    'authority.removeCustody',
    '请选择要移除的托管地址。',
    '暂无托管地址',
    { custody: [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', from: null, cooling: false }] },
  ],
  [
    'authority.removeReceiver',
    '请选择要移除的收款机构。',
    '暂无收款机构',
    {
      receivers: [
        { receiver: { address: minter, institution: 'Institution', payout: [], custody: [] }, from: null, cooling: false },
      ],
    },
  ],
] as const satisfies readonly (readonly [CommandId, string, string, Partial<AuthoritySummary>])[];

for (const [command, choose, none, changes] of removals) {
  test(`${command} shows no change and can’t be sent before a choice, with the reason beside the button`, async () => {
    await openForm(command, () => changes);
    await expect.element(submit()).toHaveAccessibleDescription(choose);
    await expect.element(submit()).toHaveAttribute('aria-disabled', 'true');
    await expect.element(page.css('[data-changes-table]')).not.toBeInTheDocument();
  });
  test(`${command} says that there is nothing to remove`, async () => {
    await openForm(command);
    await expect.element(submit()).toHaveAccessibleDescription(none);
  });
}
