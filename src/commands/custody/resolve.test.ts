import { beforeAll, expect, test } from 'vitest';
import type { Freeze, Reconciliation } from '../../../api/custody/contract.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import type { AnyCommand } from '../engine/define.ts';
import { dataPanel } from './commands.ts';

beforeAll(() => setDictionary('zh-CN', zhResources));

const oneYbtc = 10n ** 18n;
const supply = { supplyOff: String(2n * oneYbtc), ledgerOff: '0', aliens: [] };
const acceptanceText = '恢复即表示仅接受以下内容，出现新的差异时会再次暂停。';
const freeze = { id: 'f', kind: 'difference', by: null, reason: null, at: '', ...supply, refunds: [] } satisfies Freeze;
const reviewOf = (openFreeze: Freeze, now: string) => {
  const api = {
    dataPanel: { reconciliation: async () => ({ ...supply, supplyOff: now, freeze: openFreeze }) as Partial<Reconciliation> },
  };
  const resolve: AnyCommand | undefined = dataPanel.find(({ id }) => id === 'dataPanel.resolve');
  return resolve?.consequences?.({ api, targets: [], params: {} } as never) as Promise<readonly string[]>;
};

test('the review of a freeze over refunds lists each refund and accepts no supply difference', async () => {
  const refund = { nonce: 7, from: '0xA', receiver: 'bc1q', amount: String(oneYbtc / 2n), transaction: '0xT' };
  const refunds = [refund, { ...refund, nonce: 8, transaction: null }];
  expect(await reviewOf({ ...freeze, refunds }, freeze.supplyOff)).toEqual([
    acceptanceText,
    '退款 7：0xA 的 0.5 YBTC 退至 bc1q · 0xT',
    '退款 8：0xA 的 0.5 YBTC 退至 bc1q · —',
  ]);
});

test('a difference that appeared after the freeze is shown as not accepted', async () => {
  expect(await reviewOf(freeze, freeze.supplyOff)).toEqual([acceptanceText, '链上比账本多 2 YBTC']);
  expect(await reviewOf(freeze, String(3n * oneYbtc))).toEqual([
    acceptanceText,
    '链上比账本多 2 YBTC',
    '新差异（不在本次接受范围内）：链上比账本多 3 YBTC',
  ]);
});
