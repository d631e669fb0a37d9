import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthoritySummary } from '../../../../api/authority/contract.ts';
import { proposedKinds } from '../../../../api/authority/values.ts';
import type { OpenFreeze } from '../../../../api/custody/contract.ts';
import { readCalls, mockRoutes } from '../../../testing/api.ts';
import { typeText } from '../../../testing/keys.ts';
import { runInPalette, signIn } from '../../../testing/panel.tsx';
import { runCommand } from '../../app/app.ts';
import { $freeze } from '../../custody/shared/freeze.ts';

const timestamp = '2026-11-27T10:00:00.000Z';
const zeroTotals = { deposited: '0', withdrawn: '0', minted: '0', underWay: '0', burnt: '0', supply: '0', expected: '0' };
const noDifferences = { supplyOff: '0', ledgerOff: '0', aliens: [] };
const reconciliation = {
  state: 'agrees' as const,
  readAt: timestamp,
  block: '5',
  ...zeroTotals,
  ...noDifferences,
  accepted: null,
};
const form = () => page.getByRole('dialog');

test('the open form of a freeze updates after a colleague’s signature and sends what it says', async () => {
  const freeze: OpenFreeze = {
    id: '01900000-0000-7000-8000-000000000001',
    kind: 'manual',
    by: 'operator@demo.local',
    reason: 'x',
    at: timestamp,
    lifting: { signed: [], needed: 2, missing: 2, own: false },
    others: { ledger: 0, log: 0 },
  };
  await signIn('all', '/news', {
    dataPanel: {
      reconciliation: mockRoutes.dataPanel.reconciliation.handler(() => ({
        ...reconciliation,
        freeze: { ...freeze, ...reconciliation, refunds: [] },
      })),
      freeze: mockRoutes.dataPanel.freeze.handler(() => ({ open: freeze })),
      proposeResolve: mockRoutes.dataPanel.proposeResolve.handler(() => null),
      resolve: mockRoutes.dataPanel.resolve.handler(() => ({ id: freeze.id, missing: 0, others: { ledger: 0, log: 0 } })),
    },
  });
  await runInPalette('dataPanel.resolve');
  await expect.element(form()).toHaveTextContent('本次仅签署。您签署后，还需 1 人签署才会恢复。');
  await expect.element(form().getByRole('button', { name: /^签署恢复/ })).toBeVisible();
  $freeze.set({ ...freeze, lifting: { signed: ['b@demo.local'], needed: 2, missing: 1, own: false } });
  await expect.element(form()).toHaveTextContent('立即恢复资金操作，存款确认、铸造和退款继续。');
  await typeText('looked at');
  await form()
    .getByRole('button', { name: /^恢复资金操作/ })
    .click();
  await expect.poll(() => readCalls('dataPanel/resolve').map(({ input }) => input)).toMatchObject([{ onlySigns: false }]);
});

test('a macro’s money step without a review also shows its stored values', async () => {
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const summary: AuthoritySummary = {
    genesis: 'a'.repeat(64),
    development: true,
    head: { number: 1, hash: 'b'.repeat(64) },
    people: [],
    rules: [],
    minters: [],
    custody: [{ address, from: timestamp, cooling: false }],
    receivers: [],
    freezes: [],
    needed: Object.fromEntries(proposedKinds.map((kind) => [kind, 2])) as AuthoritySummary['needed'],
    waiting: 0,
    own: [],
  };
  await signIn('all', '/news', { authority: { summary: mockRoutes.authority.summary.handler(() => summary) } });
  runCommand({ id: 'authority.removeCustody', params: { address, reason: 'old' }, asks: ['reason'] }, 'macro', []);
  await expect.element(form()).toBeVisible();
  await expect.element(form()).toHaveTextContent(address);
});
