import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { mockRoutes } from '../../testing/api.ts';
import { signIn } from '../../testing/panel.tsx';

const timestamp = '2026-01-01T00:00:00.000Z';
const row: WithdrawalRow = {
  id: '01900000-0000-7000-8000-000000000001',
  version: 1,
  depositId: '01900000-0000-7000-8000-000000000002',
  address: '0x00000000000000000000000000000000000000A1',
  amount: '8000',
  receiver: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  txid: 'a'.repeat(64),
  status: 'gone',
  nonce: 7,
  requestHash: null,
  confirmHash: null,
  coolsUntil: null,
  createdAt: timestamp,
  updatedAt: timestamp,
  createdEmail: null,
  own: false,
  recorded: true,
  approvals: [],
  missing: 0,
  rule: null,
  refusal: null,
  block: null,
  cancelAsked: null,
};

test('the button that offers a vanished refund again is red', async () => {
  await signIn('all', `/selfCustody/withdraw?open=${row.id}`, {
    withdrawals: {
      list: mockRoutes.withdrawals.list.handler(() => ({
        rows: [row],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: mockRoutes.withdrawals.many.handler(() => [row]),
      history: mockRoutes.withdrawals.history.handler(() => ({ entries: [], next: null })),
    },
  });
  await expect.element(page.css('[data-record] [data-command="withdrawals.offerAgain"]')).toHaveClass('bg-danger');
});
