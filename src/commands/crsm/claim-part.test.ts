import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { assess, splitRunnable, type CommandContext } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import { crsm, crsmTarget } from './commands.ts';

const claimCommand: AnyCommand | undefined = crsm.find(({ id }) => id === 'crsm.claimYield');
const [ownAddress, otherAddress] = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'];
const target = (id: string, row: Partial<CrsmRow>) =>
  crsmTarget({ id, tokenId: id, owner: ownAddress, yieldGains: '5', ...row } as CrsmRow);
const context: CommandContext = {
  signedIn: true,
  codes: new Set(['crsm.claimYield']),
  paths: new Set(),
  viewContext: null,
  expert: false,
};
const mixedTargets = [target('1', {}), target('2', { owner: otherAddress }), target('3', { yieldGains: '0' })];

beforeEach(() => $evmWallet.set({ id: 'w', name: 'W', account: ownAddress, chainId: 1 }));
afterEach(() => $evmWallet.set(null));

test('yield is claimed for the wallet’s positions that have some, and the others are listed with reasons', () => {
  if (!claimCommand) throw new Error('there is no crsm.claimYield');
  expect(assess(claimCommand, context, mixedTargets)).toEqual({ state: 'ok' });
  const { runnable, skipped } = splitRunnable(claimCommand, context, mixedTargets);
  expect(runnable.map(({ id }) => id)).toEqual(['1']);
  expect(skipped.map(({ target: { id }, why }) => [id, why])).toEqual([
    ['2', { reason: 'crsm.blocked.notOwner', values: { owner: otherAddress } }],
    ['3', { reason: 'crsm.blocked.nothingToClaim' }],
  ]);
  expect(assess(claimCommand, context, mixedTargets.slice(1)).state).toBe('blocked');
  expect(assess(claimCommand, context, mixedTargets, true).state).toBe('blocked'); // as a script means them
});
