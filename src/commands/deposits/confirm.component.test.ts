import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ClaimEvidence, DepositRow } from '../../../api/deposits/contract.ts';
import { callsOf, on } from '../../testing/api.ts';
import { press, type } from '../../testing/keys.ts';
import { palette, signIn } from '../../testing/panel.tsx';

const at = '2026-11-27T10:00:00.000Z';
const row: DepositRow = {
  id: '01900000-0000-7000-8000-000000000001',
  version: 1,
  userAddress: '0x00000000000000000000000000000000000000A1',
  amount: '1200000001',
  coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  network: 'mainnet',
  txid: 'a'.repeat(64),
  vout: 0,
  type: 'cobo',
  lockTime: null,
  remarks: '',
  status: 'created',
  mintStatus: 'none',
  withdrawStatus: 'default',
  modifiedEmail: 'operator@demo.local',
  confirmedAt: null,
  createdAt: at,
  updatedAt: at,
  hash: 'b'.repeat(64),
  createdEmail: 'operator@demo.local',
  confirmedEmail: null,
  own: false,
  approvals: [],
  missing: 2,
  rule: { approvals: 2, role: null, perDay: null, delaySeconds: 0 },
  mint: null,
  block: null,
};
const holds: ClaimEvidence = {
  verdict: 'holds',
  required: 6,
  sources: [],
  claim: { coboAddress: row.coboAddress, amount: row.amount },
  known: null,
  effect: null,
  refusal: null,
  at,
};
const review = () => page.getByRole('alertdialog');
const yes = () => review().getByRole('button').last();

/** The list of deposits with one, which may stand otherwise by now. */
async function openDeposits(
  listed: Partial<DepositRow> = {},
  now: Partial<DepositRow> = listed,
  evidence: Partial<ClaimEvidence> = {},
) {
  const whole = (change: Partial<DepositRow>): DepositRow => ({ ...row, ...change });
  await signIn('all', '/selfCustody/deposit', {
    deposits: {
      list: on.deposits.list.handler(() => ({
        rows: [whole(listed)],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: on.deposits.many.handler(() => [whole(now)]),
      evidence: on.deposits.evidence.handler(() => ({ ...holds, ...evidence })),
      propose: on.deposits.propose.handler(() => null),
      confirm: on.deposits.confirm.handler(() => whole({ ...now, missing: Math.max(0, (now.missing ?? 2) - 1) })),
      cancelMint: on.deposits.cancelMint.handler(() => ({ ...whole(now), proposal: null, waits: false })),
    },
  });
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  await press('j');
}

test('the first of two signatures is called a signature, and the server is told that it is no more', async () => {
  await openDeposits();
  await press('Shift+M');
  await expect.element(review()).toHaveTextContent('您签署后，还需 1 人签署才会铸造 YBTC。');
  await expect.element(yes()).toHaveTextContent('签署存款');
  await yes().click();
  await expect.poll(() => callsOf('deposits/confirm').map(({ input }) => input)).toMatchObject([{ onlySigns: true }]);
});

test('a signature that a colleague gave meanwhile is known before it is asked: this press mints, and says so', async () => {
  await openDeposits({ missing: 2 }, { missing: 1, approvals: [{ email: 'approver@demo.local', at, own: false }] });
  await press('Shift+M');
  await expect.element(review()).toHaveTextContent('您签署后立即铸造 YBTC，无法撤销。');
  await expect.element(review()).toHaveTextContent('approver@demo.local 已签署');
  await expect.element(yes()).toHaveTextContent('签署并铸造');
  await yes().click();
  await expect.poll(() => callsOf('deposits/confirm').map(({ input }) => input)).toMatchObject([{ onlySigns: false }]);
});

test('a deposit that a colleague confirmed meanwhile is not asked for', async () => {
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
    { refusal: { reason: 'COOLING', who: ['a@demo.local'], until: [at] } },
    '账户 a@demo.local 由其他管理员新增或修改，2026-11-27',
  ],
] as const)('a signature is not offered when %s, and the reason stands beside the dead button', async (_when, evidence, why) => {
  await openDeposits({ missing: 1 }, { missing: 1 }, evidence as Partial<ClaimEvidence>);
  await press('Shift+M');
  await expect.element(review().getByRole('status').last()).toHaveTextContent(why);
  await expect.element(yes()).toHaveAttribute('aria-disabled', 'true');
  expect(review().element().querySelector('[data-lead]')).toBeNull(); // nothing says that it mints
  await yes().click({ force: true });
  await expect.element(review()).toBeVisible();
  expect(callsOf('deposits/confirm')).toHaveLength(0);
});

test('a mint is voided in one form, beside a button that says Go back', async () => {
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
    updatedAt: at,
    cancelSigns: false,
  } as const;
  await openDeposits({ status: 'confirmed', mintStatus: 'queued', missing: 0, mint });
  await palette('deposits.cancelMint');
  const form = page.getByRole('dialog', { name: '确定作废这笔铸造？' });
  await expect.element(form).toHaveTextContent('仅管理后台停止这笔铸造。还需一位签署人到“资金授权日志”签署，才会彻底作废。');
  await expect.element(form.getByRole('button', { name: '返回' })).toBeVisible();
  expect(form.getByRole('button', { name: '取消' }).elements()).toHaveLength(0);
  await type('wrong receiver');
  await form.getByRole('button', { name: /^作废铸造/ }).click();
  await expect.poll(() => callsOf('deposits/cancelMint').map(({ input }) => input)).toMatchObject([{ reason: 'wrong receiver' }]);
  expect(review().elements()).toHaveLength(0);
  await expect.element(page.css('[data-toast]')).toHaveTextContent('操作成功 · 铸造已作废');
});
