import { afterEach, expect, test } from 'vitest';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import { assess, type CommandContext } from '../engine/assess.ts';
import type { AnyCommand } from '../engine/define.ts';
import { deposits, depositTarget } from './commands.ts';

const context: CommandContext = {
  signedIn: true,
  codes: new Set(['deposits.closeFailed']),
  paths: new Set(),
  viewContext: null,
  expert: false,
};
afterEach(() => $loginEmail.set(''));

test('a failed deposit can be closed by anyone except the person who confirmed it', () => {
  const closeCommand: AnyCommand | undefined = deposits.find(({ id }) => id === 'deposits.closeFailed');
  if (!closeCommand) throw new Error('there is no deposits.closeFailed');
  const row = { id: '1', amount: '5', txid: 'aa', vout: 0, mintStatus: 'failed', confirmedEmail: 'one@demo.local' };
  const assessClose = () => assess(closeCommand, context, [depositTarget(row as DepositRow)]);
  $loginEmail.set('one@demo.local');
  expect(assessClose()).toMatchObject({ state: 'blocked', reason: 'deposits.refused.CONFIRMED_BY_YOU' });
  $loginEmail.set('other@demo.local');
  expect(assessClose()).toEqual({ state: 'ok' });
});
