import { expect, test } from 'vitest';
import { positionStatTarget, vaultTarget } from './commands.ts';

const address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const chainRow = {
  id: 'a',
  chainId: 31_337,
  collateral: '0',
  debt: '0',
  icr: null,
  createdAt: '2026-11-29T06:39:00.000Z',
};

test('a vault and a position are named by number and owner, as in CRSM', () => {
  expect(vaultTarget({ ...chainRow, vaultId: '3', owner: address }).name).toBe(`#3 · ${address}`);
  const position = { ...chainRow, positionId: '3', address, liquidationPrice: null, status: 'open' as const };
  expect(positionStatTarget(position).name).toBe(`#3 · ${address}`);
});
