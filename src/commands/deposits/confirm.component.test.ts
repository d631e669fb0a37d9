import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ClaimEvidence, DepositRow } from '../../../api/deposits/contract.ts';
import { readCalls, mockRoutes } from '../../testing/api.ts';
import { press, typeText } from '../../testing/keys.ts';
import { runInPalette, signIn } from '../../testing/panel.tsx';
import { build } from '../../../testing/factories/build.ts';

const timestamp = '2026-11-27T10:00:00.000Z';
const row = build.deposit({ userAddress: '0x00000000000000000000000000000000000000A1', amount: '1200000001' });
const matchingEvidence: ClaimEvidence = {
  verdict: 'holds',
  required: 6,
  sources: [],
  claim: { coboAddress: row.coboAddress, amount: row.amount },
  known: null,
  effect: null,
  refusal: null,
  at: timestamp,
};
const review = () => page.getByRole('alertdialog');
const confirmButton = () => review().getByRole('button').last();

async function openDeposits(
  listedChanges: Partial<DepositRow> = {},
  now: Partial<DepositRow> = listedChanges,
  evidenceChanges: Partial<ClaimEvidence> = {},
) {
  const buildRow = (change: Partial<DepositRow>): DepositRow => ({ ...row, ...change });
  await signIn('all', '/selfCustody/deposit', {
    deposits: {
      list: mockRoutes.deposits.list.handler(() => ({
        rows: [buildRow(listedChanges)],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: mockRoutes.deposits.many.handler(() => [buildRow(now)]),
      evidence: mockRoutes.deposits.evidence.handler(() => ({ ...matchingEvidence, ...evidenceChanges })),
      propose: mockRoutes.deposits.propose.handler(() => null),
      confirm: mockRoutes.deposits.confirm.handler(() => buildRow({ ...now, missing: Math.max(0, (now.missing ?? 2) - 1) })),
      unblock: mockRoutes.deposits.unblock.handler(() => buildRow({ ...now, block: null })),
      cancelMint: mockRoutes.deposits.cancelMint.handler(() => ({ ...buildRow(now), proposal: null, waits: false })),
    },
  });
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  await press('j');
}

test('the first of two signatures is called a signature, and the server is told that it only signs', async () => {
  await openDeposits();
  await press('Shift+M');
  await expect.element(review()).toHaveTextContent('您签署后，还需 1 人签署才会铸造 YBTC。');
  await expect.element(confirmButton()).toHaveTextContent('签署存款');
  await confirmButton().click();
  await expect.poll(() => readCalls('deposits/confirm').map(({ input }) => input)).toMatchObject([{ onlySigns: true }]);
});

test('a colleague’s signature is loaded before the question, which then says that this press mints', async () => {
  await openDeposits({ missing: 2 }, { missing: 1, approvals: [{ email: 'approver@demo.local', at: timestamp, own: false }] });
  await press('Shift+M');
  await expect.element(review()).toHaveTextContent('您签署后立即铸造 YBTC，无法撤销。');
  await expect.element(review()).toHaveTextContent('approver@demo.local 已签署');
  await expect.element(confirmButton()).toHaveTextContent('签署并铸造');
  await confirmButton().click();
  await expect.poll(() => readCalls('deposits/confirm').map(({ input }) => input)).toMatchObject([{ onlySigns: false }]);
});

test('balances before and after a mint show at least eight decimals, and never fewer than they have', async () => {
  const effect = {
    chainId: 31_337,
    amount: '750000000000000000',
    supply: '12749999990000000001',
    balance: '4950000000000000000',
  };
  await openDeposits({}, {}, { effect });
  await press('Shift+M');
  const changes = review().css('[data-changes-table] tbody');
  await expect.element(changes).toHaveTextContent('4.95000000 YBTC');
  await expect.element(changes).toHaveTextContent('5.70000000 YBTC');
  await expect.element(changes).toHaveTextContent('12.749999990000000001 YBTC');
  await expect.element(changes).toHaveTextContent('13.499999990000000001 YBTC');
});

test('a deposit that a colleague has confirmed meanwhile is not asked about', async () => {
  await openDeposits({}, { status: 'confirmed' });
  await press('Shift+M');
  await expect.element(page.css('[data-toast]')).toHaveTextContent('已确认的存款不能再修改');
  expect(review().elements()).toHaveLength(0);
});

test.each([
  ['Bitcoin shows something else', { verdict: 'mismatch' }, '不能签署：链上记录与登记内容不一致，请修改或删除该存款。'],
  [
    'the rules ask for another role',
    { refusal: { reason: 'ROLE', role: ['Custody board'] } },
    '该金额需由持有角色“Custody board”的人签署。',
  ],
  [
    'the account is too new',
    { refusal: { reason: 'COOLING', who: ['a@demo.local'], until: [timestamp] } },
    '账户 a@demo.local 由其他管理员新增或修改，2026-11-27',
  ],
] as const)('a signature is blocked when %s, with the reason beside the button', async (_when, evidenceChanges, blockText) => {
  await openDeposits({ missing: 1 }, { missing: 1 }, evidenceChanges as Partial<ClaimEvidence>);
  await press('Shift+M');
  await expect.element(review().getByRole('status').last()).toHaveTextContent(blockText);
  await expect.element(confirmButton()).toHaveAttribute('aria-disabled', 'true');
  expect(review().element().querySelector('[data-lead]')).toBeNull(); // nothing says that it mints
  await confirmButton().click({ force: true });
  await expect.element(review()).toBeVisible();
  expect(readCalls('deposits/confirm')).toHaveLength(0);
});

test('a mint is voided in one form whose other button says Go back', async () => {
  const mint = {
    state: 'queued',
    chainId: 1,
    signFrom: null,
    nonce: null,
    hash: null,
    block: null,
    problem: null,
    details: null,
    attempts: 0,
    updatedAt: timestamp,
    cancelSigns: false,
  } as const;
  await openDeposits({ status: 'confirmed', mintStatus: 'queued', missing: 0, mint });
  await runInPalette('deposits.cancelMint');
  const form = page.getByRole('dialog', { name: '确定作废这笔铸造？' });
  await expect.element(form).toHaveTextContent('仅管理后台停止这笔铸造。还需一位签署人到“资金授权日志”签署，才会彻底作废。');
  await expect.element(form.getByRole('button', { name: '返回' })).toBeVisible();
  expect(form.getByRole('button', { name: '取消' }).elements()).toHaveLength(0);
  await typeText('wrong receiver');
  await form.getByRole('button', { name: /^作废铸造/ }).click();
  await expect
    .poll(() => readCalls('deposits/cancelMint').map(({ input }) => input))
    .toMatchObject([{ reason: 'wrong receiver' }]);
  expect(review().elements()).toHaveLength(0);
  await expect.element(page.css('[data-toast]')).toHaveTextContent('操作成功 · 铸造已作废');
});

const block: DepositRow['block'] = {
  id: '01900000-0000-7000-8000-00000000000b',
  reason: 'Rejected: RejectedByCoboKYT',
  at: timestamp,
  signed: [],
  missing: 2,
};

test('a deposit that the custodian rejected is shown as blocked with the reason, and offers no confirmation', async () => {
  await openDeposits({ block });
  await expect.element(page.css('[data-blocked]')).toHaveTextContent('已拦截');
  await press('Shift+M');
  await expect.element(page.css('[data-toast]')).toHaveTextContent('托管方已拒绝该存款，需先由两人解除拦截');
  await press('Enter');
  await expect.element(page.css('[data-block]')).toHaveTextContent('Rejected: RejectedByCoboKYT');
  await expect.element(page.css('[data-block]')).toHaveTextContent('尚未铸造，解除拦截前不会签名。');
});

test.each([
  ['signed', '铸造交易已签名但未发送'],
  ['sent', '铸造交易已发送，无法撤回'],
  ['final', 'YBTC 已铸造'],
] as const)('a blocked deposit whose mint is %s says what can still happen', async (state, expectedText) => {
  const mint: DepositRow['mint'] = {
    state,
    chainId: 1,
    signFrom: null,
    nonce: 3,
    hash: null,
    block: null,
    problem: 'BLOCKED',
    details: null,
    attempts: 1,
    updatedAt: timestamp,
    cancelSigns: false,
  };
  await openDeposits({ status: 'confirmed', mintStatus: 'sent', mint, block });
  await press('Enter');
  await expect.element(page.css('[data-block]')).toHaveTextContent(expectedText);
});

test.each([
  ['the first of two people signs that a deposit is unblocked', 2, '您签署后，还需 1 人签署才能解除拦截。', '签署解除拦截'],
  ['the last of two people unblocks a deposit', 1, '您签署后立即解除拦截，等待中的铸造将继续。', '解除拦截'],
] as const)('%s, and the review of a deposit says so', async (_who, missingSignatures, expectedLead, confirmLabel) => {
  await openDeposits({ block: { ...block, missing: missingSignatures } });
  await press('Enter');
  await page.css('[data-block]').getByRole('button').click();
  const form = page.getByRole('dialog').last();
  await expect.element(form).toHaveTextContent(expectedLead);
  await expect.element(form).toHaveTextContent('请先向托管方核实该笔比特币没有问题，再签署。');
  await form.getByRole('textbox').fill('Cobo cleared it');
  await form.getByRole('button', { name: confirmLabel }).last().click();
  await expect
    .poll(() => readCalls('deposits/unblock').map(({ input }) => input))
    .toMatchObject([{ reason: 'Cobo cleared it', block: block?.id }]);
});
