import { beforeAll, expect, test } from 'vitest';
import type { Freeze, OpenFreeze, Reconciliation } from '../../../api/custody/contract.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import type { AnyCommand, Consequences } from '../engine/define.ts';
import { dataPanel } from './commands.ts';
import { liftReview } from './freeze-review.ts';

beforeAll(() => setDictionary('zh-CN', zhResources));

const oneYbtc = 10n ** 18n;
const supply = { supplyOff: String(2n * oneYbtc), ledgerOff: '0', aliens: [] };
const acceptanceText = '恢复即表示仅接受以下内容，出现新的差异时会再次暂停。';
const freeze = { id: 'f', kind: 'difference', by: null, reason: null, at: '', ...supply, refunds: [] } satisfies Freeze;
const openFreeze: OpenFreeze = {
  id: 'f',
  kind: 'difference',
  by: null,
  reason: null,
  at: '',
  lifting: null,
  others: { ledger: 0, log: 0 },
};
const consequencesOf = (shown: Freeze, now: string) => {
  const api = {
    dataPanel: {
      reconciliation: async () => ({ ...supply, supplyOff: now, freeze: shown }) as Partial<Reconciliation>,
      freeze: async () => ({ open: openFreeze }),
    },
  };
  const resolve: AnyCommand | undefined = dataPanel.find(({ id }) => id === 'dataPanel.resolve');
  return resolve?.consequences?.({ api, targets: [], params: {} } as never) as Promise<Consequences>;
};
const acceptedText = async (shown: Freeze, now: string) => {
  const { reviews = [] } = await consequencesOf(shown, now);
  return reviews.flatMap(({ facts = [] }) => facts).find(({ label }) => label === '接受的差异')?.text;
};

test('the review of a freeze over refunds lists each refund and accepts no supply difference', async () => {
  const refund = { nonce: 7, from: '0xA', receiver: 'bc1q', amount: String(oneYbtc / 2n), transaction: '0xT' };
  const refunds = [refund, { ...refund, nonce: 8, transaction: null }];
  expect(await acceptedText({ ...freeze, refunds }, freeze.supplyOff)).toBe(
    ['退款 7：0xA 的 0.5 YBTC 退至 bc1q · 0xT', '退款 8：0xA 的 0.5 YBTC 退至 bc1q · —'].join('\n'),
  );
});

test('a difference that appeared after the freeze is shown as not accepted', async () => {
  expect((await consequencesOf(freeze, freeze.supplyOff)).lines).toEqual([acceptanceText]);
  expect(await acceptedText(freeze, String(3n * oneYbtc))).toBe('链上比账本多 2 YBTC');
  expect((await consequencesOf(freeze, String(3n * oneYbtc))).lines).toEqual([
    acceptanceText,
    '新差异（不在本次接受范围内）：链上比账本多 3 YBTC',
  ]);
});

test('the review of lifting a freeze shows that money resumes, or stays frozen while another freeze is open', async () => {
  const [review] = (await consequencesOf(freeze, freeze.supplyOff)).reviews ?? [];
  expect(review?.changes).toMatchObject([{ before: '已暂停', after: '正常' }]);
  expect(liftReview({ ...openFreeze, others: { ledger: 0, log: 1 } }, []).changes).toMatchObject([{ after: '已暂停' }]);
});
