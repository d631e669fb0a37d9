import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PositionRow } from '../../../api/crsm/contract.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { apiFailure, holdResponses, mockRoutes } from '../../testing/api.ts';
import { signIn } from '../../testing/panel.tsx';
import { expectPath, textContents } from '../../testing/locators.ts';

const account = '0x00000000000000000000000000000000000000B2';
const noRows = { rows: [], nextCursor: null, prevCursor: null, count: { value: 0, kind: 'exact' as const } };

const position = (troveId: string): PositionRow => ({
  id: `0x00000000000000000000000000000000000000c3-${troveId}`,
  version: 1,
  owner: account,
  troveManager: '0x00000000000000000000000000000000000000C3',
  troveId,
  collateral: '1',
  debt: '1',
  interest: '0',
  icr: '1',
  liquidationPrice: '1',
  MCR: '1',
  price: '1',
  block: '5',
  at: '2026-01-01T00:00:00.000Z',
  stale: false,
  crsm: null,
  openedAt: '2026-01-01T00:00:00.000Z',
});

const openCrsms = (positions: () => typeof noRows | { rows: PositionRow[]; nextCursor: string | null }) =>
  signIn('all', '/CRSMTrove/CRSMList', {
    crsm: {
      list: mockRoutes.crsm.list.handler(() => noRows),
      positions: mockRoutes.crsm.positions.handler(() => ({ ...noRows, ...positions() })),
    },
  });

const button = () => page.css('main header').getByRole('button', { name: /创建 CRSM|选择仓位/ });

beforeEach(() => $evmWallet.set({ id: 'test', name: 'Test', account, chainId: 1 }));
afterEach(() => $evmWallet.set(null));

test('Create CRSM is disabled with its reason while positions load, and opens no other page', async () => {
  await openCrsms(() => ({ rows: [position('1')], nextCursor: null }));
  const release = holdResponses('crsm/positions');
  $evmWallet.set({ id: 'test', name: 'Test', account: '0x00000000000000000000000000000000000000A1', chainId: 1 });
  await expect.element(button()).toHaveAccessibleName(/仓位加载中/);
  await expect.element(button()).toHaveAttribute('aria-disabled', 'true');
  await button().click({ force: true });
  await expectPath('/CRSMTrove/CRSMList');
  release();
  await expect.element(button()).not.toHaveAccessibleName(/仓位加载中/);
});

test('without loaded positions, the button says that it opens the position list', async () => {
  await openCrsms(() => {
    throw apiFailure('NOT_FOUND');
  });
  await expect.element(button()).toHaveAccessibleName(/选择仓位创建 CRSM/);
});

test('the menu of positions links to all positions if there are more than it shows', async () => {
  await openCrsms(() => ({ rows: [position('1'), position('2')], nextCursor: 'next' }));
  await expect.element(button()).toHaveAttribute('aria-haspopup', 'menu');
  await button().click();
  await expect.poll(() => textContents(page.getByRole('menuitem')).at(-1)).toContain('全部仓位');
  await page.getByRole('menuitem').last().click();
  await expectPath('/CRSMTrove/positionList');
});
