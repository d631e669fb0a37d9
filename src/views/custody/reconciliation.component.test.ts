import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Reconciliation } from '../../../api/custody/contract.ts';
import { mockRoutes } from '../../testing/api.ts';
import { signIn } from '../../testing/panel.tsx';

test("the reconciliation strip names the refunds that caused a freeze and shows a stranger's text unchanged", async () => {
  const timestamp = new Date().toISOString();
  const receiver = '<b>bc1q</b>';
  const refund = {
    nonce: 7,
    from: `0x${'a'.repeat(40)}`,
    receiver,
    amount: '500000000000000000',
    transaction: `0x${'1'.repeat(64)}`,
  };
  const noDifference = { by: null, reason: null, supplyOff: '0', ledgerOff: '0', aliens: [] };
  const freeze = {
    id: '01900000-0000-7000-8000-000000000001',
    kind: 'difference' as const,
    at: timestamp,
    ...noDifference,
    refunds: [refund],
  };
  const zeroTotals = { deposited: '0', withdrawn: '0', minted: '0', underWay: '0', burnt: '0', supply: '0', expected: '0' };
  const noDifferences = { supplyOff: '0', ledgerOff: '0', aliens: [] };
  const reconciliation: Reconciliation = {
    state: 'agrees',
    readAt: timestamp,
    block: '5',
    ...zeroTotals,
    ...noDifferences,
    freeze,
    accepted: null,
  };
  await signIn('all', '/selfCustody/dataPanel', {
    dataPanel: { reconciliation: mockRoutes.dataPanel.reconciliation.handler(() => reconciliation) },
  });
  const refundList = page.css('[data-refunds]');
  await expect.element(refundList).toHaveTextContent(`退款 7：${refund.from} 的 0.5 YBTC 退至 ${receiver}`);
  expect(refundList.element().querySelector('b')).toBeNull();
  await expect.element(page.css('[data-difference]')).not.toHaveClass('text-danger-text');
});
