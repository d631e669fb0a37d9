import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../api/authority/contract.ts';
import { proposedKinds } from '../../../api/authority/values.ts';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import { readCalls, mockRoutes } from '../../testing/api.ts';
import { press } from '../../testing/keys.ts';
import { runInPalette, signIn } from '../../testing/panel.tsx';

const band = (minAmount: string, maxAmount: string | null, overrides: Partial<AuthorityBand> = {}): AuthorityBand => ({
  from: minAmount,
  below: maxAmount,
  approvals: 1,
  role: null,
  perDay: null,
  delaySeconds: 0,
  ...overrides,
});
const bands = [band('0', '1000000000', { perDay: '5000000000' }), band('1000000000', null, { approvals: 2, delaySeconds: 3600 })];
const policy = { root: 2, coolingSeconds: 0, receivers: 'listed', bands, refundBands: [band('0', null)] } as const;
const summary: AuthoritySummary = {
  genesis: 'a'.repeat(64),
  development: true,
  head: { number: 0, hash: 'a'.repeat(64) },
  people: [{ person: '01900000-0000-7000-8000-000000000001', name: 'a@b.c', roles: ['Custody board'], keys: [] }],
  rules: [
    { number: 1, policy: { ...policy, bands, refundBands: [...policy.refundBands] }, from: null, inForce: true, used: null },
  ],
  minters: [],
  custody: [],
  receivers: [],
  freezes: [],
  needed: Object.fromEntries(proposedKinds.map((kind) => [kind, 2])) as AuthoritySummary['needed'],
  waiting: 0,
  own: [],
};

async function openEditor(): Promise<void> {
  await signIn('all', '/news', { authority: { summary: mockRoutes.authority.summary.handler(() => summary) } });
  await runInPalette('authority.setRules');
  await expect.element(rows().nth(1)).toBeVisible();
}
const form = () => page.getByRole('dialog');
const mints = () => form().css('[data-bands]').first();
const rows = () => mints().css('[data-band]');
const cell = (index: number, label: string) => rows().nth(index).getByLabelText(label, { exact: true });
const bandProblem = () => mints().css('[data-band-problem]');

test('the rules in force are shown with one row for each band, in BTC and in the largest unit of time', async () => {
  await openEditor();
  expect(rows().elements()).toHaveLength(2);
  await expect.element(cell(0, '低于（BTC）')).toHaveValue('10');
  await expect.element(cell(0, '24 小时上限（BTC）')).toHaveValue('50');
  await expect.element(cell(1, '起（BTC）')).toHaveValue('10');
  await expect.element(cell(1, '签署人数')).toHaveValue('2');
  await expect.element(cell(1, '延迟')).toHaveValue('1');
  await expect.element(cell(1, '延迟单位')).toHaveTextContent('小时');
});

test('rules that are in force already are not proposed again', async () => {
  await openEditor();
  const send = form().getByRole('button').last();
  await expect.element(form()).toHaveTextContent('与生效规则相同，请修改后再提议');
  await expect.element(send).toHaveAttribute('aria-disabled', 'true');
  await press('Control+Enter');
  await cell(0, '24 小时上限（BTC）').fill('20');
  await expect.element(send).not.toHaveAttribute('aria-disabled', 'true');
  expect(readCalls('authority/setRules')).toHaveLength(0);
});

test('a gap is named, refused, and closed by one press', async () => {
  await openEditor();
  await cell(0, '低于（BTC）').fill('5');
  await expect.element(bandProblem()).toHaveTextContent('空档：5 BTC 至低于 10 BTC 没有规则。');
  await press('Control+Enter');
  await expect.element(form().getByText('有 1 处需要修改')).toBeVisible();
  await bandProblem().getByRole('button', { name: '首尾相接' }).click();
  await expect.element(cell(1, '起（BTC）')).toHaveValue('5');
  await expect.element(cell(1, '起（BTC）')).toHaveFocus();
  await expect.element(bandProblem()).not.toBeInTheDocument();
});

test('an overlap and a wrong number of signatures are named where they are', async () => {
  await openEditor();
  await cell(0, '低于（BTC）').fill('12');
  await expect.element(bandProblem()).toHaveTextContent('重叠：10 BTC 至低于 12 BTC 有两档规则。');
  await cell(0, '低于（BTC）').fill('10');
  await cell(1, '签署人数').fill('9');
  await expect.element(bandProblem()).toHaveTextContent('请填写 1 至 5 人。');
  await expect.element(cell(1, '签署人数')).toHaveAttribute('aria-invalid', 'true');
});

test('a band is added by keyboard, and the review marks what changes before anything is sent', async () => {
  await openEditor();
  await cell(1, '低于（BTC）').fill('50');
  await mints().getByRole('button', { name: '新增一档' }).click();
  await expect.element(cell(2, '起（BTC）')).toHaveFocus();
  await expect.element(cell(2, '起（BTC）')).toHaveValue('50');
  await cell(2, '签署人数').fill('3');
  await cell(0, '24 小时上限（BTC）').fill('20');
  const changes = form().css('[data-band-changes]').first();
  await expect.element(changes.css('[data-mark="added"]')).toHaveTextContent('≥ 50');
  await expect.element(changes.css('[data-mark="changed"]').first()).toHaveTextContent('50 BTC → 20 BTC');
  await expect.element(changes.css('[data-mark="changed"]').nth(1)).toHaveTextContent('≥ 10 → 10 – 50');
  await expect.element(form().css('[data-band-changes]').nth(1).css('tbody tr')).toHaveAttribute('data-mark', 'same');
  expect(readCalls('authority/setRules')).toHaveLength(0);
  await form().getByRole('button').last().click();
  await expect
    .poll(() => readCalls('authority/setRules').map(({ input }) => input))
    .toMatchObject([
      {
        root: 2,
        bands: [
          { from: '0', below: '1000000000', perDay: '2000000000' },
          { from: '1000000000', below: '5000000000', approvals: 2, delaySeconds: 3600 },
          { from: '5000000000', below: null, approvals: 3, role: null, perDay: null, delaySeconds: 0 },
        ],
      },
    ]);
});

test('a delay is typed in any unit, and a role is one that people have', async () => {
  await openEditor();
  await cell(0, '延迟单位').click();
  await page.getByRole('option', { name: '天' }).click();
  await cell(0, '延迟').fill('8');
  await expect.element(bandProblem()).toHaveTextContent('延迟不能超过 7 天。');
  await cell(0, '延迟').fill('2');
  await expect.element(bandProblem()).not.toBeInTheDocument();
  await cell(0, '角色').click();
  await page.getByRole('option', { name: 'Custody board' }).click();
  await expect.element(form().css('[data-band-changes]').first().css('[data-mark="changed"]')).toHaveTextContent('Custody board');
  await expect.element(form().css('[data-band-changes]').first().css('[data-mark="changed"]')).toHaveTextContent('2 天');
});

test('at 375 px, each band’s remove button is in line with its first two fields, and no cell is alone in its row', async () => {
  await page.viewport(375, 800);
  try {
    await openEditor();
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const remove = boxOf(rows().nth(0).getByRole('button', { name: '删除第 1 档' }).element());
    const below = boxOf(cell(0, '低于（BTC）').element());
    expect(Math.abs(remove.bottom - below.bottom)).toBeLessThan(4);
    expect(remove.left).toBeGreaterThanOrEqual(below.right);
    const tops = [...rows().nth(0).element().children]
      .filter(({ tagName }) => tagName !== 'LEGEND')
      .map((element) => Math.round(boxOf(element).bottom));
    expect(new Set(tops).size).toBe(3);
  } finally {
    await page.viewport(1280, 800);
  }
});
